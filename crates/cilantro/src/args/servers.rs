//! The arguments of the commands that other programs talk to.

use std::path::PathBuf;

use clap::Args;

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
