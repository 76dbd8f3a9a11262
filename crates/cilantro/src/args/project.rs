//! The arguments of the commands about a project and its settings.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

pub const INIT_HELP: &str = "\
Examples:
  cilantro init
  cilantro init ../Shop --force

The solution or the projects of the folder are looked through for the library, its test project, and the test
framework and mock library that the tests use. The file has every setting that was found, with comments.";

pub const CONFIG_HELP: &str = "\
Examples:
  cilantro config show
  cilantro config show --format json

An option on the command line comes first, then the environment variable (CILANTRO_TIMEOUT for --timeout), then the
file, then the default. The file is cilantro.toml in this folder or the nearest one around it.";

#[derive(Debug, Args)]
pub struct Init {
    /// The folder of the solution or project
    #[arg(value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
    /// Write over a file that is there
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct Configuration {
    #[command(subcommand)]
    pub action: ConfigAction,
}

#[derive(Debug, Subcommand)]
pub enum ConfigAction {
    /// The value of every setting and where it comes from
    Show {
        /// How to print
        #[arg(long, value_enum, default_value_t = ConfigFormat::Text)]
        format: ConfigFormat,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ConfigFormat {
    Text,
    Json,
}
