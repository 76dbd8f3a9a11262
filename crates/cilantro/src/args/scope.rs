//! Which methods are explored in their own right, and what is counted beside them.

use clap::{Args, ValueEnum};
use engine::Scope;
use report::ZoneKind;

/// The options by which entry points are chosen.
#[derive(Clone, Copy, Debug, Args)]
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Zone {
    Method,
    Type,
    Assembly,
}

impl EntryPoints {
    pub fn scope(self) -> Scope {
        match (self.private, self.internals) {
            (true, _) => Scope::Private,
            (false, true) => Scope::Internals,
            (false, false) => Scope::Callable,
        }
    }

    pub fn zone(self) -> Option<ZoneKind> {
        self.zone.map(|zone| match zone {
            Zone::Method => ZoneKind::Method,
            Zone::Type => ZoneKind::Type,
            Zone::Assembly => ZoneKind::Assembly,
        })
    }
}
