//! The arguments of the commands that explain Cilantro itself.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

#[derive(Debug, Args)]
pub struct Explain {
    /// A reason or an assumption, as reports or JSON name it: "native call", native_call, closed-world [default: list them]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell that will read them
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

#[derive(Debug, Args)]
pub struct Man {
    /// The folder for the pages
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
}
