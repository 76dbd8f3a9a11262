//! What one query may cost.

use crate::answer::Why;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
}

/// New gates when the caller sets no limit: some 200 MB.
const DEFAULT_GATES: usize = 4_000_000;

impl Limits {
    pub fn until(deadline: Instant) -> Limits {
        Limits { deadline: Some(deadline), ..Limits::default() }
    }

    /// An error if the query must end now.
    pub fn check(&self) -> Result<(), Why> {
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
