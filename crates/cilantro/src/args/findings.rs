//! What is done with the exceptions that were found.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use report::{FailOn, FindingKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Findings")]
pub struct Findings {
    /// List every exception: also what is refused by design or is misuse, and inputs that no public way is known to
    #[arg(long)]
    pub all: bool,
    /// Which exceptions end in exit code 1; several with commas. `any` is every exception, whatever its inputs are made by
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',', default_value = "crash")]
    pub fail_on: Vec<FailKind>,
    /// Hide the findings that this file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings of this run into a file for --baseline
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FailKind {
    /// The runtime raises it in the assembly's own code
    Crash,
    /// The code throws it itself, or a check of the framework's arguments does
    Refused,
    /// For inputs that the declarations rule out
    Misuse,
    Any,
    None,
}

impl Findings {
    pub fn fail_on(&self) -> FailOn {
        self.fail_on.iter().fold(FailOn::NONE, |all, kind| match kind {
            FailKind::Crash => all.with(FindingKind::Crash),
            FailKind::Refused => all.with(FindingKind::Refused),
            FailKind::Misuse => all.with(FindingKind::Misuse),
            FailKind::Any => all.or(FailOn::ANY),
            FailKind::None => all,
        })
    }
}
