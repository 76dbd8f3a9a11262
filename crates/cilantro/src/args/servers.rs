//! The arguments of the commands that other programs talk to.

use std::path::PathBuf;

use clap::Args;

use super::{Caching, EntryPoints, Mocking, Subject, TestFramework, Trust};

pub const LSP_HELP: &str = "\
Examples:
  cilantro lsp
  cilantro lsp src/Shop/Shop.csproj --timeout 2m

Speaks the Language Server Protocol on stdin and stdout. What was built is explored, and again whenever it is built
anew: findings are diagnostics, methods have a lens with their tests and branches, hovering shows inputs, and code
actions write tests, say why branches are open, and look for proofs. Nothing is built by the server.";

pub const WATCH_HELP: &str = "\
Examples:
  cilantro watch src/Shop
  cilantro watch Shop.dll --type Shop.Cart

Shows the table of what is built, and again whenever it is built anew; only what a build may have changed is
explored again. Nothing is built and nothing is written. Ctrl-C ends it.";

pub const MCP_HELP: &str = "\
Examples:
  cilantro mcp
  cilantro mcp --root ~/src/Shop --timeout 2m

Speaks the Model Context Protocol on stdin and stdout, so a coding assistant can ask what is true: its tools are
generate_tests, what_can_crash, can_reach, prove, why_open and explain_test. Nothing is written to the disk, but
for --cache. --timeout is the most time that a question may take [default: 2m], --max-memory the memory of the
whole server. Questions are answered one after the other.";

#[derive(Debug, Args)]
pub struct Mcp {
    /// Only assemblies below this folder may be asked about; may be repeated [default: the roots that the client names, or
    /// the current directory if it names none]
    #[arg(long = "root", value_name = "DIR")]
    pub roots: Vec<PathBuf>,
    /// Keep results of methods in this folder, so that what has not changed is not explored again
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Lsp {
    /// The compiled assembly; or its project, a solution or a folder, of which what was built is taken [default: the folder
    /// that the editor has opened]
    #[arg(value_name = "DLL")]
    pub assembly: Option<PathBuf>,
    /// Where tests are written [default: <assembly>.Tests in the folder that the editor has opened]
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// The test framework of written tests
    #[arg(long, value_enum, default_value_t = TestFramework::Xunit)]
    pub framework: TestFramework,
    /// Write tests without compiling and running them first
    #[arg(long)]
    pub no_verify: bool,
    #[command(flatten)]
    pub kept: Kept,
}

#[derive(Debug, Args)]
pub struct Watch {
    #[command(flatten)]
    pub subject: Subject,
    #[command(flatten)]
    pub entry_points: EntryPoints,
    #[command(flatten)]
    pub mocking: Mocking,
    #[command(flatten)]
    pub trust: Trust,
    #[command(flatten)]
    pub kept: Kept,
}

/// Where results are kept from one build to the next.
#[derive(Debug, Args)]
pub struct Kept {
    /// The folder in which results are kept for the next build [default: .cilantro/cache; `lsp`: in the folder that the
    /// editor has opened]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Neither use results of earlier runs nor keep any
    #[arg(long, conflicts_with = "cache")]
    pub no_cache: bool,
}

impl Kept {
    pub fn caching(&self) -> Caching {
        Caching { cache: self.cache.clone(), no_cache: self.no_cache, cache_size: None, shard: None }
    }
}
