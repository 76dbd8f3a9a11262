//! What an exploration may use: time, steps, and whatever else its caller watches.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use vm::{BitSet, Reason};

pub struct Budget<'a> {
    /// Queries end with it as well.
    pub deadline: Option<Instant>,
    /// Instructions, over all paths.
    pub max_steps: Option<u64>,
    /// For one query.
    pub solver_timeout: Duration,
    /// Steps without anything new, once every branch is covered, after which the exploration stops.
    pub patience: u64,
    /// Ends a running query.
    pub cancel: Arc<AtomicBool>,
    /// Anything else that stops an exploration, such as memory.
    pub interrupt: Box<dyn Fn() -> Option<Reason> + 'a>,
    /// What explorations of the same code have reached before.
    pub reached: Reached,
}

/// Edges and instructions of one method's code.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    pub edges: BitSet,
    pub ops: BitSet,
}

impl Default for Budget<'_> {
    fn default() -> Self {
        Budget {
            deadline: None,
            max_steps: None,
            solver_timeout: Duration::from_secs(10),
            patience: 1_000_000,
            cancel: Arc::default(),
            interrupt: Box::new(|| None),
            reached: Reached::default(),
        }
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("deadline", &self.deadline)
            .field("max_steps", &self.max_steps)
            .finish()
    }
}

impl Budget<'_> {
    /// Why the exploration must stop now, if it must.
    pub(crate) fn spent(&self, steps: u64) -> Option<Reason> {
        if self.max_steps.is_some_and(|max| steps >= max) {
            return Some(Reason::StepLimit);
        }
        if let Some(reason) = (self.interrupt)() {
            return Some(reason);
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Reason::Timeout)
    }
}
