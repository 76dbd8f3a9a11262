//! What a run leaves behind: every attempt at every method.

use std::collections::BTreeSet;
use std::time::Duration;

use report::{Excluded, Reason, Runtime, ZoneKind};

use crate::session::backend::{Explored, Replayed};
use crate::subject::target::{Edge, Target};

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// None when the time ran out before the assembly was read.
    pub assembly: Option<String>,
    pub runtime: Option<Runtime>,
    pub records: Vec<MethodRecord>,
    /// Methods that are covered through others.
    pub hidden: Vec<Target>,
    /// Those that are left out.
    pub excluded: Vec<Excluded>,
    pub zone: ZoneKind,
    pub stopped: Option<Reason>,
    pub elapsed: Duration,
    /// How long what follows the run will take, by the size of the assembly.
    pub tail: Duration,
    /// Why results could not be kept for later runs, if they were to be.
    pub not_kept: Option<String>,
    /// How many methods were not explored because their results were known.
    pub reused: usize,
}

/// What became of one method.
#[derive(Clone, Debug)]
pub struct MethodRecord {
    pub target: Target,
    /// Each with more time than the one before.
    pub attempts: Vec<Attempt>,
}

/// One exploration of a method.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub exploration: Explored,
    /// One per case of the exploration, once they were replayed.
    pub replayed: Option<Vec<Replayed>>,
    /// The time it had.
    pub share: Duration,
    /// It was ended because the run was about to end, or might have been.
    pub is_cut: bool,
}

impl Attempt {
    /// Whether more time or memory might give more.
    pub fn wants_more(&self) -> bool {
        self.exploration.incomplete.iter().any(|incomplete| more_would_help(incomplete.reason))
    }
}

/// Memory that another method used up is free again later.
pub fn more_would_help(reason: Reason) -> bool {
    matches!(reason, Reason::Timeout | Reason::SolverUnknown | Reason::MemoryLimit)
}

impl MethodRecord {
    pub fn new(target: Target) -> MethodRecord {
        MethodRecord { target, attempts: Vec::new() }
    }

    /// The attempt that counts: what was replayed outranks what was not, then what is finished, then what covers more.
    pub fn best(&self) -> Option<&Attempt> {
        self.attempts.iter().max_by_key(|attempt| {
            let found = &attempt.exploration;
            let settled = found.cases.is_empty() || attempt.replayed.is_some();
            let taken = found.cases.iter().flat_map(|case| &case.taken.methods);
            let taken =
                taken.filter(|(token, _)| self.target.bodies.iter().any(|body| body.token == **token));
            let branches: BTreeSet<(u32, Edge)> =
                taken.flat_map(|(token, taken)| taken.branches.iter().map(|edge| (*token, *edge))).collect();
            (settled && !found.cases.is_empty(), found.incomplete.is_empty(), branches.len())
        })
    }
}
