//! The paths that are worth a test.

use std::collections::BTreeSet;

use types::TypeId;
use verdict::Gap;
use vm::{BitSet, PathEnd, Place, State};

use crate::outcome::Path;

/// Paths kept for each edge: a second one serves if the first does not replay.
const PATHS_PER_EDGE: u32 = 2;
/// Paths kept in all.
const MAX_PATHS: usize = 2_000;

/// Kept paths and what they show together.
pub(super) struct Kept {
    pub paths: Vec<Path>,
    /// Paths that something ambient decides, each with what that is.
    pub doubtful: Vec<(Path, Gap)>,
    /// Exceptions that leave the method.
    pub failures: BTreeSet<(TypeId, Place)>,
    per_edge: Vec<u32>,
    ops: BitSet,
}

/// What a path is worth.
pub(super) struct Worth {
    pub is_kept: bool,
    pub is_new_failure: bool,
}

impl Kept {
    pub fn new(edges: usize) -> Kept {
        Kept {
            paths: Vec::new(),
            doubtful: Vec::new(),
            failures: BTreeSet::new(),
            per_edge: vec![0; edges],
            ops: BitSet::default(),
        }
    }

    pub fn is_full(&self) -> bool {
        self.paths.len() >= MAX_PATHS
    }

    /// Says whether a path is to be kept, and counts it if it is.
    pub fn note(&mut self, state: &State, end: &PathEnd) -> Worth {
        let is_new_failure = match end {
            PathEnd::Threw { ty, thrown_at, .. } => self.failures.insert((*ty, *thrown_at)),
            _ => false,
        };
        let rare = |edge: u32| self.per_edge.get(edge as usize).is_some_and(|n| *n < PATHS_PER_EDGE);
        let is_kept = is_new_failure
            || !state.coverage.ops().is_subset(&self.ops)
            || state.coverage.edges().iter().any(rare);
        if is_kept {
            self.ops.union_with(state.coverage.ops());
            for edge in state.coverage.edges().iter() {
                if let Some(count) = self.per_edge.get_mut(edge as usize) {
                    *count += 1;
                }
            }
        }
        Worth { is_kept, is_new_failure }
    }
}
