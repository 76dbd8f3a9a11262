//! Which layers run, and how.

use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Config {
    /// Evaluate the query under the caller's hint and the last models before anything else.
    pub recent_models: bool,
    /// Ask only about constraints that share symbols, directly or not, with the query.
    pub independence: bool,
    /// Remember answers, contradicting sets and satisfiable sets.
    pub cache: bool,
    /// Make symbols as narrow as their bounds allow before searching through products and quotients.
    pub narrowing: bool,
    /// Ask expensive questions about small numbers first.
    pub small_first: bool,
    /// Try every assignment when the bounds leave few.
    pub enumeration: bool,
    /// Drop superfluous constraints from unsatisfiable cores, with a small budget.
    pub minimise_cores: bool,
    /// Try a second SAT configuration on queries that the first does not solve soon.
    pub second_configuration: bool,
    /// Ask this SMT-LIB 2 solver when the core gives up before the deadline.
    pub fallback: Option<PathBuf>,
    /// Compare every answer of the core with an external solver's.
    pub cross_check: Option<CrossCheck>,
}

#[derive(Clone, Debug)]
pub struct CrossCheck {
    /// An SMT-LIB 2 solver: z3, bitwuzla or cvc5.
    pub solver: PathBuf,
    pub on_mismatch: OnMismatch,
}

/// What a contradiction between the core and the external solver does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum OnMismatch {
    /// For tests.
    Panic,
    /// The answer becomes unknown, and the contradiction is counted.
    Unknown,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            recent_models: true,
            independence: true,
            cache: true,
            narrowing: true,
            small_first: true,
            enumeration: true,
            minimise_cores: true,
            second_configuration: true,
            fallback: None,
            cross_check: None,
        }
    }
}
