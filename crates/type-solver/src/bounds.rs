//! How far the search goes, and how it says that it stopped.
//!
//! Nominal subtyping with variance is undecidable in general, and one unconstrained parameter already has infinitely
//! many arguments: every search is bounded, and none is silently so.

use std::fmt;

/// The bounds of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// How deep type arguments that the solver makes up may nest: with 1, `List<int>` but not `List<List<int>>`.
    pub depth: u32,
    /// Instances of one generic definition, or arrays, behind one reference. (Arguments have no such bound.)
    pub instances: usize,
    /// Candidates of one query.
    pub candidates: usize,
    /// Definitions and instantiations that are looked at for one query.
    pub work: usize,
    /// Queries that are remembered.
    pub memo: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { depth: 3, instances: 8, candidates: 2_000, work: 20_000, memo: 4_000 }
    }
}

/// The bound that a sequence has met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// Deeper type arguments exist.
    Depth(u32),
    /// There are more instances of some generic definition.
    Instances(usize),
    /// The sequence was cut after so many candidates.
    Candidates(usize),
    /// The search was given up after so many steps.
    Work(usize),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Depth(depth) => write!(f, "type arguments nested deeper than {depth} are not tried"),
            Bound::Instances(count) => {
                write!(f, "only {count} instances of each generic definition are tried")
            }
            Bound::Candidates(count) => write!(f, "only the first {count} types are tried"),
            Bound::Work(steps) => write!(f, "the search for types stopped after {steps} steps"),
        }
    }
}
