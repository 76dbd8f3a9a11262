//! The commands: each turns arguments into a call of the library and its answer into output and an exit code.

mod case_lines;
mod explain;
mod explore;
mod inspect;
mod questions;
mod replay;
mod run;
mod shell;
mod surroundings;

use std::process::ExitCode;
use std::time::Instant;

use budget::{Clock, DEFAULT_TIMEOUT};
use engine::Error;
use report::Status;

use crate::args::{Command, CommandLine, Common};
use crate::console::Console;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    NothingFound,
    Findings,
    /// Wrong usage, unusable input, or a defect.
    Failure,
    Incomplete,
    /// With the code of the program that was run.
    Program(u8),
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::NothingFound => 0,
            Exit::Findings => 1,
            Exit::Failure => 2,
            Exit::Incomplete => 3,
            Exit::Program(code) => code,
        })
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

pub fn run(line: &CommandLine, console: &Console, started: Instant) -> Result<Exit, Error> {
    match &line.command {
        Command::Generate(args) => explore::generate(args, &line.common, console, started),
        Command::Check(args) => explore::check(args, &line.common, console, started),
        Command::Reach(args) => questions::reach(args, &line.common, console, started),
        Command::Prove(args) => questions::prove(args, &line.common, console, started),
        Command::Replay(args) => replay::run(args, &line.common, console, started),
        Command::Inspect(args) => inspect::run(args, &line.common, console),
        Command::Run(args) => run::run(args, &line.common, console, started),
        Command::Explain(args) => explain::run(args, console),
        Command::Completions(args) => Ok(shell::completions(args, console)),
        Command::Man(args) => shell::man(args, console),
    }
}

fn clock(common: &Common, started: Instant) -> Clock {
    Clock::new(started, common.timeout.unwrap_or(DEFAULT_TIMEOUT))
}
