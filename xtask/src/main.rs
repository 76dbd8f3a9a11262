//! Development tasks: `cargo xtask <task>`.

mod setup;

use anyhow::Result;
use clap::{Parser, Subcommand};

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
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Setup(options) => setup::run(&options).map(drop),
    }
}
