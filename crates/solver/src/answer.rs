//! What a solver says.

use std::fmt;
use term::{Model, Term};

/// The answer to "can these constraints hold together?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes, for instance so; the model satisfies every constraint that was given.
    Sat(Model),
    /// No: already these of the given constraints contradict each other.
    Unsat(Vec<Term>),
    Unknown(Why),
}

/// Why there is no answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    Timeout,
    ConflictLimit,
    /// This question and those before it took as much work as they may take together.
    EffortLimit,
    /// The circuit would have become too big.
    GateLimit,
    Cancelled,
    /// An operator the core has no circuit for.
    Unsupported(&'static str),
    /// A check of ours failed: a bug in us, made harmless.
    Internal(&'static str),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat(_))
    }

    pub fn model(&self) -> Option<&Model> {
        match self {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Timeout => f.write_str("the time for the query was up"),
            Why::ConflictLimit => f.write_str("the query needed more conflicts than allowed"),
            Why::EffortLimit => f.write_str("the queries needed more work than allowed"),
            Why::GateLimit => f.write_str("the query's circuit became too big"),
            Why::Cancelled => f.write_str("cancelled"),
            Why::Unsupported(what) => write!(f, "not supported by the solver: {what}"),
            Why::Internal(what) => write!(f, "internal error of the solver: {what}"),
        }
    }
}
