//! What an exploration found.

use std::collections::BTreeSet;
use std::rc::Rc;

use term::Model;
use verdict::{Gap, Stats};
use vm::code::Code;
use vm::{BitSet, PathEnd, Place, State};

use crate::condition::Condition;

/// The result for one method.
pub struct Exploration {
    pub code: Rc<Code>,
    /// Paths worth a test: each adds coverage or a way to fail.
    pub paths: Vec<Path>,
    /// Why the answer is not the whole answer; empty after an exhausted exploration.
    pub incomplete: BTreeSet<(Gap, Option<Place>)>,
    /// Edges that no execution takes; empty unless the exploration was exhausted.
    pub unreachable_edges: BitSet,
    /// Edges taken by some path that ended or was given up, now or before.
    pub reached_edges: BitSet,
    pub stats: Stats,
}

impl Exploration {
    pub fn is_exhausted(&self) -> bool {
        self.incomplete.is_empty()
    }
}

/// Edges and instructions of one method's code.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    pub edges: BitSet,
    pub ops: BitSet,
}

/// A path that ended, with inputs that lead along it.
#[derive(Clone)]
pub struct Path {
    /// The number of the path in its exploration.
    pub number: u64,
    /// What was decided on the way.
    pub condition: Condition,
    pub end: PathEnd,
    pub model: Model,
    /// The memory at the end, for what the method changed.
    pub state: State,
    /// Why the last part of the path was run with known values instead of being explored.
    pub followed: Option<Gap>,
    /// Something outside decides between this path and others that end alike: only that is sure.
    pub vague: bool,
}
