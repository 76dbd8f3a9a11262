//! What one query may cost.

use crate::answer::Why;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Limits of one query. Only `deadline` and `cancel` depend on the world outside.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// Conflicts of the SAT search, a deterministic measure of effort.
    pub conflicts: Option<u64>,
    /// New gates the query may add to the circuit.
    pub gates: Option<usize>,
    pub cancel: Option<Arc<AtomicBool>>,
    /// What this question and others may cost together.
    pub effort: Option<Effort>,
}

/// Work of several questions together, in units that do not depend on the machine: looks of the search at its limits (one for
/// some ten conflicts or decisions), and pieces of circuit, clauses and tables of about the same cost.
#[derive(Clone, Debug)]
pub struct Effort {
    most: u64,
    spent: Arc<AtomicU64>,
}

impl Effort {
    pub fn new(most: u64) -> Effort {
        Effort { most, spent: Arc::default() }
    }

    pub fn spend(&self, units: u64) {
        self.spent.fetch_add(units, Ordering::Relaxed);
    }

    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    pub fn is_spent(&self) -> bool {
        self.spent() >= self.most
    }
}

/// New gates when the caller sets no limit: some 200 MB.
const DEFAULT_GATES: usize = 4_000_000;

impl Limits {
    pub fn until(deadline: Instant) -> Limits {
        Limits { deadline: Some(deadline), ..Limits::default() }
    }

    /// As [`Limits::check`], after another unit of work.
    pub fn work(&self) -> Result<(), Why> {
        if let Some(effort) = &self.effort {
            effort.spend(1);
        }
        self.check()
    }

    /// An error if the query must end now.
    pub fn check(&self) -> Result<(), Why> {
        if self.effort.as_ref().is_some_and(Effort::is_spent) {
            return Err(Why::EffortLimit);
        }
        if self.cancel.as_ref().is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(Why::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Why::Timeout),
            _ => Ok(()),
        }
    }

    pub(crate) fn gate_limit(&self) -> usize {
        self.gates.unwrap_or(DEFAULT_GATES)
    }
}
