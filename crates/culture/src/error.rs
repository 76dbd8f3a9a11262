//! Why there is no answer.

use std::path::PathBuf;

use crate::Entry;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("{} cannot be started: {why}", muxer.display())]
    NoRuntime { muxer: PathBuf, why: String },
    /// Programs on this runtime fail as well, unless they ask for invariant globalization.
    #[error("the runtime finds no ICU on this machine, so it has no cultures but the invariant one")]
    NoIcu,
    /// The runtime is older than the entry, or keeps its cultures elsewhere.
    #[error("the runtime has no entry {0}")]
    NotThere(Entry),
    /// The process ended, was started again, and ended again.
    #[error("the process that answers questions about cultures died: {0}")]
    Died(String),
    #[error("a question about cultures ({0}) took too long")]
    TimedOut(Entry),
    #[error("{entry} was refused: {why}")]
    Refused { entry: Entry, why: String },
    #[error("an answer about cultures cannot be understood: {0}")]
    Protocol(String),
    #[error("cannot prepare the culture host in a temporary folder: {0}")]
    Prepare(String),
}

impl Error {
    /// No later question will be answered either.
    pub fn is_lasting(&self) -> bool {
        matches!(self, Error::NoRuntime { .. } | Error::NoIcu | Error::Prepare(_))
    }
}
