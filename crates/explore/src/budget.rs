//! What an exploration may use: time, steps, memory; and a flag that stops it from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use vm::Reason;

#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Instructions, over all paths.
    pub max_steps: Option<u64>,
    /// Bytes of resident memory of the process.
    pub max_memory: Option<u64>,
    /// For one query.
    pub solver_timeout: Duration,
    /// Steps without anything new, once every branch is covered, after which the exploration stops.
    pub patience: u64,
    pub cancel: Arc<AtomicBool>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            deadline: None,
            max_steps: None,
            max_memory: None,
            solver_timeout: Duration::from_secs(10),
            patience: 300_000,
            cancel: Arc::default(),
        }
    }
}

impl Budget {
    /// Why the exploration must stop now, if it must.
    pub(crate) fn spent(&self, steps: u64, check_memory: bool) -> Option<Reason> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Reason::Cancelled);
        }
        if self.max_steps.is_some_and(|max| steps >= max) {
            return Some(Reason::StepLimit);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Reason::Timeout);
        }
        if check_memory && self.max_memory.is_some_and(|max| resident_bytes().is_some_and(|used| used >= max)) {
            return Some(Reason::MemoryLimit);
        }
        None
    }
}

/// Resident memory of this process, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
