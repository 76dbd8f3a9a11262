//! Development tasks: `cargo xtask <task>`.
#![allow(clippy::print_stdout, reason = "a task's result goes to standard output")]

mod bench;
mod demo;
mod dist;
mod process;
mod rules;
mod setup;
mod support;
mod test;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};

use process::{cargo, has_subcommand, step};

/// The development tasks of Cilantro
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Make the .NET toolchain for tests ready
    ///
    /// Uses a .NET 10 that is on the machine (DOTNET_ROOT, PATH) or fetches one, and a C# compiler, z3 and
    /// NUnit, all pinned by version and checksum, into the cache folder: CILANTRO_CACHE, or `cilantro` in
    /// the user's cache folder.
    Setup(setup::Options),
    /// Generate tests for the example library and replay them on the real runtime
    Demo(demo::Options),
    /// Set up, then check the rules, format, lints and documentation and run all tests
    Test(test::Options),
    /// Check what holds for the whole repository: dependencies, licences, Markdown, documentation, host names
    Rules,
    /// Measure (release build) and print all figures in one table
    Bench(bench::Options),
    /// Measure which methods of the class library programs use with the same result as on CoreCLR; rewrites docs/support.md
    Support,
    /// List the models of the class library's methods; rewrites docs/models.md
    Models,
    /// Put a release together: archive, Debian package, packages for `dotnet tool`, list of parts, checksums
    Dist(dist::Options),
    /// Run the tests and rewrite the expected outputs that differ; look at the diff afterwards
    Bless {
        /// Passed on to `cargo test`, such as `-p cil`
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        filter: Vec<String>,
    },
    /// Run a fuzz target (needs cargo-fuzz and a nightly compiler)
    Fuzz {
        /// The name of the target, a file in fuzz/fuzz_targets
        target: String,
        /// How long, in seconds
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
    /// Try to refute on the real runtime what the engine claims of the fixtures and of libraries of other people
    Attack {
        /// Such as `--minutes 60`, and the names of libraries; `--help` lists all
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// Compare the machine with CoreCLR on random programs; what differs is made smaller and shown
    FuzzDiff {
        /// Such as `--seed 1000 --count 5000`; `--help` lists all
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Setup(options) => setup::run(&options).map(drop),
        Task::Demo(options) => demo::run(&options),
        Task::Test(options) => test::run(&options),
        Task::Rules => rules::run(),
        Task::Bench(options) => bench::run(&options),
        Task::Support => support::run(),
        Task::Models => models(),
        Task::Dist(options) => dist::run(&options),
        Task::Bless { filter } => bless(&filter),
        Task::Fuzz { target, seconds } => fuzz(&target, seconds),
        Task::Attack { options } => attack(&options),
        Task::FuzzDiff { options } => fuzz_diff(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn models() -> Result<()> {
    setup::run(&setup::Options { extras: false, own_runtime: false })?;
    let mut command = cargo(["test", "--quiet", "--package", "bcl", "--test", "tables", "index"]);
    step("models", command.env("UPDATE_EXPECT", "1"))
}

fn bless(filter: &[String]) -> Result<()> {
    setup::run(&setup::Options { extras: true, own_runtime: false })?;
    let mut command = cargo(["test", "--locked", "--no-fail-fast", "--quiet"]);
    if !filter.iter().any(|argument| argument == "-p" || argument == "--package") {
        command.arg("--workspace");
    }
    step("bless", command.args(filter).env("UPDATE_EXPECT", "1"))
}

fn attack(options: &[String]) -> Result<()> {
    setup::run(&setup::Options { extras: true, own_runtime: false })?;
    let mut command = cargo(["run", "--locked", "--release", "--quiet", "--package", "attack", "--"]);
    step("attack", command.args(options))
}

fn fuzz_diff(options: &[String]) -> Result<()> {
    setup::run(&setup::Options { extras: false, own_runtime: false })?;
    let mut command = cargo(["run", "--locked", "--release", "--quiet", "--package", "progen", "--"]);
    step("fuzz-diff", command.args(options))
}

fn fuzz(target: &str, seconds: u32) -> Result<()> {
    if !has_subcommand("fuzz") {
        bail!("cargo-fuzz is not installed: `cargo install cargo-fuzz`");
    }
    let limit = format!("-max_total_time={seconds}");
    // Not the cargo that runs us: only the one of rustup can change the toolchain.
    let mut command = std::process::Command::new("cargo");
    command.args(["+nightly", "fuzz", "run", target, "--", &limit]).current_dir(process::root());
    step("fuzz", &mut command)
}
