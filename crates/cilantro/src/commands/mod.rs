//! The commands: each turns arguments into a call of the library and its answer into output and an exit code.

pub(crate) mod cache;
mod case_lines;
mod config;
mod explain;
pub(crate) mod explore;
mod init;
mod inspect;
mod page;
mod questions;
mod replay;
mod run;
mod shards;
mod shell;
mod since;
mod surroundings;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use budget::{Clock, DEFAULT_TIMEOUT};
use engine::Error;
use report::Status;

use crate::args::{Command, CommandLine, Common};
use crate::console::Console;
use crate::{lsp, mcp, project};

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

impl Exit {
    fn code(self) -> u8 {
        match self {
            Exit::NothingFound => 0,
            Exit::Findings => 1,
            Exit::Failure => 2,
            Exit::Incomplete => 3,
            Exit::Program(code) => code,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
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

pub fn run(line: &mut CommandLine, console: &Console, started: Instant) -> Result<Exit, Error> {
    let (project, started) = settle(line, console, started)?;
    let shard = match &line.command {
        Command::Generate(args) => args.caching.shard,
        Command::Check(args) => args.caching.shard,
        _ => None,
    };
    if let Some(shard) = shard {
        return shards::run(line, shard, console, started);
    }
    match &line.command {
        Command::Generate(args) => {
            let keeping = cache::keeping(&args.caching, &line.common);
            explore::generate(args, project, &line.common, keeping, console, started)
        }
        Command::Check(args) => {
            let keeping = cache::keeping(&args.caching, &line.common);
            explore::check(args, &line.common, keeping, console, started)
        }
        Command::Merge(args) => shards::merge(args, line, console, started),
        Command::Cache(args) => cache::run(args, console),
        Command::Reach(args) => questions::reach(args, &line.common, console, started),
        Command::Prove(args) => questions::prove(args, &line.common, console, started),
        Command::Replay(args) => replay::run(args, &line.common, console, started),
        Command::Inspect(args) => inspect::run(args, &line.common, console),
        Command::Run(args) => run::run(args, &line.common, console, started),
        Command::Explain(args) => explain::run(args, console),
        Command::Report(args) => page::run(args, console),
        Command::Init(args) => init::run(args, console),
        Command::Config(args) => config::run(args, &line.settings, console),
        Command::Watch(args) => watch::run(args, &line.common, console),
        Command::Lsp(args) => lsp::run(args, &line.common),
        Command::Mcp(args) => mcp::run(args, &line.common),
        Command::Completions(args) => Ok(shell::completions(args, console)),
        Command::Man(args) => shell::man(args, console),
    }
}

/// Puts the assembly that is meant in the place of the project that is named, and adds what is ignored to what is excluded.
/// The time of a command begins when there is something to look at.
fn settle(
    line: &mut CommandLine,
    console: &Console,
    started: Instant,
) -> Result<(Option<PathBuf>, Instant), Error> {
    let ignored = &line.settings.ignored.patterns;
    let path = match &mut line.command {
        Command::Generate(args) => {
            args.entry_points.exclude.extend_from_slice(ignored);
            &mut args.subject.assembly
        }
        Command::Check(args) => {
            args.entry_points.exclude.extend_from_slice(ignored);
            &mut args.subject.assembly
        }
        Command::Prove(args) => {
            args.exclude.extend_from_slice(ignored);
            &mut args.assembly
        }
        Command::Watch(args) => {
            args.entry_points.exclude.extend_from_slice(ignored);
            return Ok((None, started));
        }
        Command::Reach(args) => &mut args.assembly,
        Command::Inspect(args) if args.tests.is_empty() => &mut args.subject.assembly,
        Command::Run(args) => &mut args.program,
        _ => return Ok((None, started)),
    };
    let subject = project::resolve(path, !line.common.no_build, console)?;
    *path = subject.assembly;
    Ok((subject.project, if subject.was_built { Instant::now() } else { started }))
}

fn clock(common: &Common, started: Instant) -> Clock {
    Clock::new(started, common.timeout.unwrap_or(DEFAULT_TIMEOUT))
}
