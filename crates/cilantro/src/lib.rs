//! The command line: arguments, console, files. What it does is in the crate `engine`, which programs can use as well.
//!
//! [`main`] is the whole program.

pub mod args;
mod baseline;
mod builds;
mod commands;
pub mod config;
mod console;
mod files;
pub mod inspect;
mod interrupt;
mod lsp;
mod mcp;
mod output;
mod progress;
mod project;
mod reporting;
mod source_root;
mod stored;
mod test_text;
mod trace;

use std::ffi::OsString;
use std::process::ExitCode;
use std::time::Instant;

use engine::{Error, panics};

pub use commands::Exit;

/// Runs the command line and says how it ended.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let started = Instant::now();
    let args: Vec<OsString> = args.into_iter().collect();
    let words = args.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let line = match config::parsed(&args) {
        Ok(line) => args::CommandLine { words, ..line },
        Err(config::Failure::Config(error)) => {
            console::Console::default().error(&error.to_string());
            return Exit::Failure.into();
        }
        Err(config::Failure::Usage(usage)) => {
            // Help goes to stdout, complaints to stderr; a reader that went away is not our concern.
            let _gone = usage.print();
            return if usage.use_stderr() { Exit::Failure.into() } else { Exit::NothingFound.into() };
        }
    };
    let console = console::Console::new(&line.common);
    panics::install_hook(line.common.verbose > 0);
    match traced(line, &console, started) {
        Ok(exit) => exit.into(),
        Err(error) => {
            console.error(&error.to_string());
            Exit::Failure.into()
        }
    }
}

/// Runs the command; whoever watches hears of it until it ends.
fn traced(mut line: args::CommandLine, console: &console::Console, started: Instant) -> Result<Exit, Error> {
    let trace = trace::Trace::start(&line.common)?;
    let ended = panics::caught(|| commands::run(&mut line, console, started))
        .unwrap_or_else(|message| Err(Error::Internal(message)));
    if let Err(error) = trace.finish() {
        console.warn(&error.to_string());
    }
    ended
}
