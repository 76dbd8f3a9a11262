//! The time of a whole command.

use std::time::{Duration, Instant};

/// Enough for a useful answer about fifty methods while someone waits.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(45);
/// One method that does not end should not use up the default time; who gives a time wants it used.
pub const MOST_PER_METHOD: Duration = Duration::from_secs(15);
/// A library with a few methods that never end should not take the whole default time either.
pub const RETRY_WITHIN: Duration = Duration::from_secs(25);

/// What exploration leaves for starting the runtime and replaying the last tests: a part of the whole, within bounds.
const RESERVED_PART: u32 = 8;
const LEAST_RESERVE: Duration = Duration::from_millis(300);
const MOST_RESERVE: Duration = Duration::from_secs(3);

/// Summing up takes about as long as reading the assembly did, and writing tests down several times as long; on a busy
/// machine both take longer.
const SUMMING_UP: u32 = 1;
const WRITING_DOWN: u32 = 5;
/// But no more than this part of the whole time is kept for it.
const MOST_TAIL: u32 = 3;

/// How often the clock, the memory and the display are looked at.
pub const TICK: Duration = Duration::from_millis(50);
/// How long explorations and replays may take to hand over what they have after a cancel.
pub const GRACE: Duration = Duration::from_millis(300);
/// How long after the end of its time an exploration counts as stuck.
pub const LATE: Duration = Duration::from_secs(1);
/// How long the end of the child process is waited for.
pub const FAREWELL: Duration = Duration::from_millis(80);

/// When a command began and when it must be over.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    pub started: Instant,
    pub deadline: Instant,
}

impl Clock {
    pub fn new(started: Instant, timeout: Duration) -> Clock {
        Clock { started, deadline: started + timeout }
    }

    /// Exploration ends before the command does.
    pub fn exploration_deadline(&self) -> Instant {
        let total = self.deadline - self.started;
        let reserve = (total / RESERVED_PART).clamp(LEAST_RESERVE, MOST_RESERVE).min(total / 2);
        self.deadline - reserve
    }

    /// What is kept for the end of the command, once it is known how long the assembly took to read.
    pub fn tail(&self, reading: Duration, writes: bool) -> Duration {
        let factor = if writes { WRITING_DOWN } else { SUMMING_UP };
        (reading * factor).min((self.deadline - self.started) / MOST_TAIL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_grows_with_the_assembly() {
        let clock = Clock::new(Instant::now(), Duration::from_secs(9));
        let milliseconds = Duration::from_millis;
        assert_eq!(clock.tail(milliseconds(20), true), milliseconds(100));
        assert_eq!(clock.tail(milliseconds(700), false), milliseconds(700));
        assert_eq!(clock.tail(milliseconds(700), true), milliseconds(3000));
    }

    #[test]
    fn exploration_leaves_time_for_replay() {
        let now = Instant::now();
        for (total, reserve) in [(1_000, 300), (500, 250), (8_000, 1_000), (600_000, 3_000)] {
            let clock = Clock::new(now, Duration::from_millis(total));
            assert_eq!(clock.deadline - clock.exploration_deadline(), Duration::from_millis(reserve));
        }
    }
}
