//! The command line: arguments, console, files. What it does is in the crate `engine`, which programs can use as well.
//!
//! [`main`] is the whole program.

pub mod args;
mod baseline;
mod commands;
mod console;
mod files;
pub mod inspect;
mod interrupt;
mod output;
mod progress;
mod reporting;
mod source_root;
mod stored;
mod trace;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use engine::{Error, panics};

pub use commands::Exit;

/// Runs the command line and says how it ended.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let started = Instant::now();
    let line = match args::CommandLine::try_parse_from(args) {
        Ok(line) => line,
        Err(usage) => {
            // Help goes to stdout, complaints to stderr; a reader that went away is not our concern.
            let _gone = usage.print();
            return if usage.use_stderr() { Exit::Failure.into() } else { Exit::NothingFound.into() };
        }
    };
    let console = console::Console::new(&line.common);
    panics::install_hook(line.common.verbose > 0);
    match traced(&line, &console, started) {
        Ok(exit) => exit.into(),
        Err(error) => {
            console.error(&error.to_string());
            Exit::Failure.into()
        }
    }
}

/// Runs the command; whoever watches hears of it until it ends.
fn traced(line: &args::CommandLine, console: &console::Console, started: Instant) -> Result<Exit, Error> {
    let trace = trace::Trace::start(&line.common)?;
    let ended = panics::caught(|| commands::run(line, console, started))
        .unwrap_or_else(|message| Err(Error::Internal(message)));
    if let Err(error) = trace.finish() {
        console.warn(&error.to_string());
    }
    ended
}
