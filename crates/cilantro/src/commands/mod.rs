//! The commands: each turns arguments into a call of the library and its answer into output and an exit code.

mod explore;
mod inspect;
mod replay;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use report::Status;

use crate::args::{Command, CommandLine, Common};
use crate::console::Console;
use crate::driver::Clock;
use crate::error::CommandError;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    NothingFound = 0,
    Findings = 1,
    /// Wrong usage, unusable input, or a defect.
    Failure = 2,
    Incomplete = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Exit {
        match status {
            Status::NothingFound => Exit::NothingFound,
            Status::Findings => Exit::Findings,
            Status::Incomplete => Exit::Incomplete,
        }
    }
}

pub fn run(line: &CommandLine, console: &Console, started: Instant) -> Result<Exit, CommandError> {
    match &line.command {
        Command::Generate(args) => explore::generate(args, &line.common, console, started),
        Command::Check(args) => explore::check(args, &line.common, console, started),
        Command::Replay(args) => replay::run(args, &line.common, console, started),
        Command::Inspect(args) => inspect::run(args, &line.common, console),
    }
}

/// Enough for a useful answer about fifty methods while someone waits.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(45);

fn clock(common: &Common, started: Instant) -> Clock {
    Clock::new(started, common.timeout.unwrap_or(DEFAULT_TIMEOUT))
}
