//! Which methods are explored in their own right, and what is counted beside them.

use clap::{Args, ValueEnum};
use engine::Scope;
use report::ZoneKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The options by which entry points are chosen.
#[derive(Clone, Debug, Args)]
pub struct EntryPoints {
    /// Explore internal methods as well, as if the tests were friends of the assembly
    #[arg(long)]
    pub internals: bool,
    /// Explore every method by itself, private ones too
    #[arg(long, conflicts_with = "internals")]
    pub private: bool,
    /// What is covered through these methods and counted: nothing else, the private parts of their types, or those of the
    /// whole assembly [default: assembly, or what --method or --type names]
    #[arg(long, value_enum, value_name = "ZONE")]
    pub zone: Option<Zone>,
    /// Leave this out: a namespace, type or method (Shop.Legacy, "*Dto", Cart.Add) or a source file ("**/Generated/*.cs");
    /// may be repeated, and .cilantroignore has one per line
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Zone {
    Method,
    Type,
    Assembly,
}

impl EntryPoints {
    pub fn scope(&self) -> Scope {
        match (self.private, self.internals) {
            (true, _) => Scope::Private,
            (false, true) => Scope::Internals,
            (false, false) => Scope::Callable,
        }
    }

    pub fn zone(&self) -> Option<ZoneKind> {
        self.zone.map(|zone| match zone {
            Zone::Method => ZoneKind::Method,
            Zone::Type => ZoneKind::Type,
            Zone::Assembly => ZoneKind::Assembly,
        })
    }
}
