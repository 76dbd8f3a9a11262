//! How the time of an exploration is shared out among methods.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::signals::Signals;
use crate::spending::Budget;

/// A second try gets at least so many times what the first one had: it must have a real chance.
pub const RETRY_FACTOR: u32 = 2;

/// The share of one question to the solver in the time of its method: one that takes longer is worth more to the others than
/// to itself.
const QUESTION_PART: u32 = 3;
const LEAST_QUESTION: Duration = Duration::from_millis(500);
/// An exploration stops a little earlier than it is waited for: paths become test cases afterwards.
const RESERVED_PART: u32 = 8;
const MOST_RESERVE: Duration = Duration::from_secs(2);

/// The time of all methods together.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// Nothing starts and nothing goes on after this.
    pub deadline: Instant,
    /// No method is tried again after this.
    pub retry_deadline: Instant,
    /// Most a single method may take, however much time is left.
    pub most: Option<Duration>,
    pub workers: u32,
}

/// The time of one method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub deadline: Instant,
    pub time: Duration,
}

impl Shares {
    /// An even share for one of `left` methods that were not tried yet; `None` when the time is up.
    pub fn first(&self, now: Instant, left: usize) -> Option<Share> {
        self.even(self.deadline, now, left)
    }

    /// An even share for one of `left` methods that were tried before.
    pub fn again(&self, now: Instant, left: usize) -> Option<Share> {
        self.even(self.retry_deadline, now, left)
    }

    fn even(&self, deadline: Instant, now: Instant, left: usize) -> Option<Share> {
        let remaining = deadline.checked_duration_since(now).filter(|d| !d.is_zero())?;
        let left = u32::try_from(left).unwrap_or(u32::MAX).max(1);
        let even = remaining.saturating_mul(self.workers.max(1)) / left;
        let time = even.min(remaining).min(self.most.unwrap_or(remaining));
        Some(Share { deadline: now + time, time })
    }
}

impl Share {
    /// What the exploration of the method may use.
    pub fn budget(
        &self,
        max_steps: Option<u64>,
        solver_timeout: Option<Duration>,
        signals: &Arc<Signals>,
    ) -> Budget {
        let by_default = || match max_steps {
            // Then a question ends by its effort, which is the same on every machine.
            Some(_) => self.time,
            None => (self.time / QUESTION_PART).max(LEAST_QUESTION),
        };
        Budget {
            deadline: Some(self.deadline - (self.time / RESERVED_PART).min(MOST_RESERVE)),
            max_steps,
            solver_timeout: solver_timeout.unwrap_or_else(by_default),
            signals: Arc::clone(signals),
            ..Budget::default()
        }
    }
}
