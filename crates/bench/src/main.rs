//! The measuring program: one subcommand for each topic, started by `cargo xtask bench` and `cargo xtask support`.
//!
//! A topic prints one line for each figure: `what<TAB>value<TAB>unit`, and a fourth field if the figure has a limit that
//! it must not exceed. Each topic is run in a process of its own, because some of them measure memory.
#![allow(clippy::print_stdout, reason = "figures go to standard output")]

mod cil_reader;
mod class_choice;
mod cultures;
mod figure;
mod interpreter;
mod libraries;
mod memory_split;
mod probing;
mod programs;
mod questions;
mod support;
mod timed;
mod type_queries;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "bench", about = "Measures Cilantro, topic by topic")]
struct Arguments {
    #[command(subcommand)]
    topic: Topic,
}

#[derive(Subcommand)]
enum Topic {
    /// The names of all topics
    Topics,
    /// The metadata reader: open, index, decode, memory
    Cil {
        /// Assemblies to read; the core libraries of the toolchain without any
        assemblies: Vec<PathBuf>,
    },
    /// What questions to the runtime's cultures cost
    Cultures,
    /// How long copies with probes take
    Instrument {
        /// Assemblies to copy; the core library and one of others without any
        assemblies: Vec<PathBuf>,
    },
    /// Libraries that others have written, explored with a step limit and in a fixed time
    Libs(libraries::Arguments),
    /// What splitting reads and writes saves in explorations
    Memory,
    /// Small programs of the kinds that people write, beside Mono's interpreter and CoreCLR
    Programs,
    /// The solver on sessions of path-like questions and on hard ones
    Solver {
        /// Also the counters of the layers, on standard error
        #[arg(long)]
        details: bool,
    },
    /// Which types can stand behind a reference, over the whole framework
    TypeSolver,
    /// How well classes are chosen: branches and mocks of `fixtures/types/groups`
    Types,
    /// The machine on concrete code, beside Mono's interpreter where there is one
    Vm,
    /// Prints the document of what of the class library runs as on CoreCLR
    Support,
    /// The command line of Cilantro, which a topic runs as a process
    #[command(hide = true, disable_help_flag = true)]
    Generate {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        _arguments: Vec<std::ffi::OsString>,
    },
}

/// What `cargo xtask bench` measures, in its order.
const TOPICS: [&str; 10] =
    ["cil", "cultures", "instrument", "libs", "memory", "programs", "solver", "type-solver", "types", "vm"];

fn main() -> ExitCode {
    let topic = Arguments::parse().topic;
    if let Topic::Generate { .. } = topic {
        return cilantro::main(std::env::args_os());
    }
    match measure(topic) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(topic: Topic) -> Result<()> {
    match topic {
        Topic::Topics => println!("{}", TOPICS.join("\n")),
        Topic::Cil { assemblies } => cil_reader::measure(&assemblies)?,
        Topic::Cultures => cultures::measure()?,
        Topic::Instrument { assemblies } => probing::measure(&assemblies)?,
        Topic::Libs(arguments) => libraries::measure(&arguments)?,
        Topic::Memory => memory_split::measure()?,
        Topic::Programs => programs::measure()?,
        Topic::Solver { details } => questions::measure(details)?,
        Topic::TypeSolver => type_queries::measure()?,
        Topic::Types => class_choice::measure()?,
        Topic::Vm => interpreter::measure()?,
        Topic::Support => print!("{}", support::render(&support::document()?)),
        Topic::Generate { .. } => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_is_a_subcommand() {
        for topic in TOPICS {
            assert!(Arguments::try_parse_from(["bench", topic]).is_ok(), "{topic}");
        }
    }
}
