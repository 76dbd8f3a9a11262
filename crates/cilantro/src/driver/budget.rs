//! Limits of one exploration, the signals that end it early, and the counters it keeps up to date.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use report::Reason;

/// When the command began and when it must be over.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub started: Instant,
    pub deadline: Instant,
}

impl Clock {
    pub fn new(started: Instant, timeout: Duration) -> Clock {
        Clock { started, deadline: started + timeout }
    }

    /// Exploration ends before the command does: starting the runtime and replaying the last tests takes time.
    pub fn exploration_deadline(&self) -> Instant {
        let total = self.deadline - self.started;
        let reserve = (total / 8).clamp(Duration::from_millis(300), Duration::from_secs(3)).min(total / 2);
        self.deadline - reserve
    }
}

/// Set from outside, looked at by everything that takes long.
#[derive(Debug, Default)]
pub struct Signals {
    /// In its own `Arc`, because solvers and child processes want just the flag.
    pub cancelled: Arc<AtomicBool>,
    over_memory: AtomicBool,
    interrupted: AtomicBool,
}

impl Signals {
    /// The user wants the run to end.
    pub fn interrupt(&self) {
        self.interrupted.store(true, Relaxed);
        self.cancel();
    }

    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    pub fn set_over_memory(&self, over: bool) {
        self.over_memory.store(over, Relaxed);
    }

    pub fn is_over_memory(&self) -> bool {
        self.over_memory.load(Relaxed)
    }
}

/// Why an exploration has to stop now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Cancelled,
    Deadline,
    Memory,
}

impl Stop {
    pub fn reason(self) -> Reason {
        match self {
            Stop::Cancelled => Reason::Cancelled,
            Stop::Deadline => Reason::Timeout,
            Stop::Memory => Reason::MemoryLimit,
        }
    }
}

/// What one exploration may use.
#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Instant,
    pub max_steps: Option<u64>,
    pub solver_timeout: Duration,
    /// Resident bytes of the whole process.
    pub max_memory: u64,
    pub seed: u64,
    pub signals: Arc<Signals>,
}

impl Budget {
    /// To be asked every few thousand steps and before every query.
    pub fn stop(&self) -> Option<Stop> {
        if self.signals.is_cancelled() {
            Some(Stop::Cancelled)
        } else if self.signals.is_over_memory() {
            Some(Stop::Memory)
        } else if Instant::now() >= self.deadline {
            Some(Stop::Deadline)
        } else {
            None
        }
    }
}

/// Counters for the live display, summed over all workers. Engines add to them as they go.
#[derive(Debug, Default)]
pub struct Gauge {
    pub states: AtomicU64,
    pub queries: AtomicU64,
    pub covered_branches: AtomicU64,
}

impl Gauge {
    pub fn add_states(&self, n: u64) {
        self.states.fetch_add(n, Relaxed);
    }

    pub fn add_queries(&self, n: u64) {
        self.queries.fetch_add(n, Relaxed);
    }

    pub fn add_covered_branches(&self, n: u64) {
        self.covered_branches.fetch_add(n, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exploration_leaves_time_for_replay() {
        let now = Instant::now();
        for (total, reserve) in [(1_000, 300), (500, 250), (8_000, 1_000), (600_000, 3_000)] {
            let clock = Clock::new(now, Duration::from_millis(total));
            assert_eq!(clock.deadline - clock.exploration_deadline(), Duration::from_millis(reserve));
        }
    }

    #[test]
    fn cancelling_outranks_the_rest() {
        let signals = Arc::new(Signals::default());
        let budget = Budget {
            deadline: Instant::now(),
            max_steps: None,
            solver_timeout: Duration::from_secs(1),
            max_memory: u64::MAX,
            seed: 0,
            signals: Arc::clone(&signals),
        };
        assert_eq!(budget.stop(), Some(Stop::Deadline));
        signals.set_over_memory(true);
        assert_eq!(budget.stop(), Some(Stop::Memory));
        signals.cancel();
        assert_eq!(budget.stop(), Some(Stop::Cancelled));
    }
}
