//! What one exploration may use.

use std::sync::Arc;
use std::time::{Duration, Instant};

use verdict::Gap;

use crate::allocation;
use crate::interrupt::Watch;
use crate::signals::Signals;

/// Steps without anything new, once every branch is covered, after which an exploration stops.
pub const DEFAULT_PATIENCE: u64 = 1_000_000;
/// For one question to the solver, unless somebody says otherwise.
const SOLVER_TIME: Duration = Duration::from_secs(10);
/// A part of an exploration shorter than this is not worth its set-up.
const LEAST_PART: Duration = Duration::from_millis(20);
/// Work of the solver under a step limit: so much, and so much for every step.
const LEAST_EFFORT: u64 = 50_000;
const EFFORT_PER_STEP: u64 = 10;
/// What a step may take beyond the memory of its thread before it is ended in its middle.
const SLACK_PART: u64 = 8;

/// Time and steps of one exploration, and the signals that end it.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Questions to the solver end with it as well.
    pub deadline: Option<Instant>,
    /// Instructions, over all paths. It bounds the work of the solver as well ([`Budget::solver_effort`]).
    pub max_steps: Option<u64>,
    /// For one question.
    pub solver_timeout: Duration,
    pub patience: u64,
    /// Bytes that the thread may hold which explores: its part of the memory, so that a hungry method ends alone.
    pub max_bytes: Option<u64>,
    pub signals: Arc<Signals>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            deadline: None,
            max_steps: None,
            solver_timeout: SOLVER_TIME,
            patience: DEFAULT_PATIENCE,
            max_bytes: None,
            signals: Arc::default(),
        }
    }
}

impl Budget {
    /// The same without a part of the time that is left, in percent, which is kept for what comes after.
    pub fn keeping(&self, percent: u32) -> Budget {
        let now = Instant::now();
        let kept = |deadline: Instant| deadline - deadline.saturating_duration_since(now) * percent / 100;
        Budget { deadline: self.deadline.map(kept), ..self.clone() }
    }

    /// Why work must stop now, if it must. To be asked every few thousand steps and before every question.
    pub fn spent(&self, steps: u64) -> Option<Gap> {
        if self.max_steps.is_some_and(|max| steps >= max) {
            Some(Gap::step_limit())
        } else if self.signals.is_cancelled() {
            Some(Gap::cancelled())
        } else if self.signals.is_over_memory()
            || self.max_bytes.is_some_and(|most| allocation::held() > most)
        {
            Some(Gap::memory_limit())
        } else if self.signals.wraps_up() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            Some(Gap::timeout())
        } else {
            None
        }
    }

    /// What the solver may do for these steps, in its own units: without that a few steps with hard questions would go on for
    /// as long as there is time.
    pub fn solver_effort(&self) -> Option<u64> {
        self.max_steps.map(|steps| LEAST_EFFORT.saturating_add(steps.saturating_mul(EFFORT_PER_STEP)))
    }

    /// What ends work that does not ask.
    pub fn watch(&self) -> Watch {
        Watch {
            deadline: self.deadline,
            max_bytes: self.max_bytes.map(|most| most + most / SLACK_PART),
            heeds_wrap_up: true,
            signals: Some(Arc::clone(&self.signals)),
        }
    }

    /// What ends the work that is done when the budget is spent: a little more of everything.
    pub fn wrapping_up(&self, time: Duration) -> Watch {
        let deadline = self.deadline.map(|deadline| deadline.max(Instant::now()) + time);
        let max_bytes = self.max_bytes.map(|most| most + 2 * (most / SLACK_PART));
        Watch { deadline, max_bytes, heeds_wrap_up: false, signals: None }
    }

    /// Half of what is left, so that those that follow have their part; the last one takes it all. `None` if it would not be
    /// worth it.
    pub fn part(&self, used_steps: u64, is_first: bool, is_last: bool) -> Option<Budget> {
        let now = Instant::now();
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
        let steps = self.max_steps.map(|max| max.saturating_sub(used_steps));
        let is_over = left.is_some_and(|left| left < LEAST_PART) || steps == Some(0);
        if !is_first && (is_over || self.spent(used_steps).is_some()) {
            return None;
        }
        let part = if is_last { 1 } else { 2 };
        Some(Budget {
            deadline: left.map(|left| now + left / part),
            max_steps: steps.map(|steps| steps.div_ceil(u64::from(part))),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdict::Reason;

    #[test]
    fn cancelling_outranks_the_rest() {
        let budget = Budget { deadline: Some(Instant::now()), ..Budget::default() };
        let spent = || budget.spent(0).map(|gap| gap.reason);
        assert_eq!(spent(), Some(Reason::Timeout));
        budget.signals.set_over_memory(true);
        assert_eq!(spent(), Some(Reason::MemoryLimit));
        budget.signals.cancel();
        assert_eq!(spent(), Some(Reason::Cancelled));
    }

    #[test]
    fn parts_halve_what_is_left() {
        let budget = Budget { max_steps: Some(101), ..Budget::default() };
        assert_eq!(budget.part(0, true, false).and_then(|part| part.max_steps), Some(51));
        assert_eq!(budget.part(51, false, false).and_then(|part| part.max_steps), Some(25));
        assert_eq!(budget.part(76, false, true).and_then(|part| part.max_steps), Some(25));
        assert!(budget.part(101, false, true).is_none());
        assert_eq!(budget.part(101, true, true).and_then(|part| part.max_steps), Some(0));
    }
}
