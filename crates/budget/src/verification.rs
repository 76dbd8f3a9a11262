//! The time that compiling and running the written tests takes.
//!
//! It depends on the machine and on what else it does, so it is measured: first by how long the compiler takes to get ready,
//! then by what was verified.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// Loading the compiler and starting processes.
const START: Duration = Duration::from_secs(2);
/// Compiling one test and running it in all worlds.
const PER_TEST: Duration = Duration::from_millis(8);
/// How long the compiler takes to get ready, on a machine of which the other two are true, beside the explorations.
const WARM_UP: Duration = Duration::from_secs(3);
/// No more than this part of the whole time is kept for it; if the machine is slow, more than that of it.
const MOST_PART: u32 = 3;
const MOST_PART_OF_SLOW: u32 = 2;
/// Percent: nothing is expected to take longer than this.
const SLOWEST: u128 = 1_500;
/// The least that is verified at once: starting it all for fewer is not worth it.
const LEAST_AT_ONCE: usize = 60;

/// How fast tests are verified here.
#[derive(Debug)]
pub struct Pace {
    /// What it takes, in percent of what is expected; never less than 100.
    percent: AtomicU32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { percent: AtomicU32::new(100) }
    }
}

impl Pace {
    /// The compiler was ready after this time.
    pub fn note_warm_up(&self, took: Duration) {
        self.note(took, WARM_UP);
    }

    /// So many tests were verified in this time.
    pub fn note_verified(&self, tests: usize, took: Duration) {
        self.note(took, expected(tests));
    }

    fn note(&self, took: Duration, expected: Duration) {
        let percent = (took.as_millis() * 100 / expected.as_millis().max(1)).clamp(100, SLOWEST);
        self.percent.store(u32::try_from(percent).unwrap_or(100), Relaxed);
    }

    fn slowness(&self) -> u32 {
        self.percent.load(Relaxed)
    }

    /// What is kept for the verification of so many tests, out of a whole time.
    pub fn time_for(&self, tests: usize, whole: Duration) -> Duration {
        let part = if self.slowness() > 200 { MOST_PART_OF_SLOW } else { MOST_PART };
        self.expected(tests).min(whole / part)
    }

    /// How many tests can be verified in a time.
    pub fn tests_within(&self, time: Duration) -> usize {
        let quick = time * 100 / self.slowness();
        let tests = quick.saturating_sub(START).as_nanos() / PER_TEST.as_nanos();
        usize::try_from(tests).unwrap_or(usize::MAX)
    }

    /// How many of so many tests are verified at once, so that not all are lost if the time does not suffice.
    pub fn at_once(&self, tests: usize, left: Duration) -> usize {
        if self.tests_within(left) >= tests {
            return tests;
        }
        self.tests_within(left / 2).clamp(LEAST_AT_ONCE.min(tests), tests)
    }

    fn expected(&self, tests: usize) -> Duration {
        expected(tests) * self.slowness() / 100
    }
}

fn expected(tests: usize) -> Duration {
    START + PER_TEST.saturating_mul(u32::try_from(tests).unwrap_or(u32::MAX / 1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn what_is_kept_is_enough_for_what_is_expected() {
        for slowness in [1, 4, 9] {
            let pace = Pace::default();
            pace.note_warm_up(WARM_UP * slowness);
            for tests in [0, 1, 100, 5_000] {
                assert_eq!(pace.tests_within(pace.time_for(tests, HOUR)), tests);
            }
        }
    }

    #[test]
    fn only_a_part_of_the_time_is_kept() {
        let pace = Pace::default();
        assert_eq!(pace.time_for(1_000_000, Duration::from_secs(30)), Duration::from_secs(10));
        pace.note_verified(100, Duration::from_secs(20));
        assert_eq!(pace.time_for(1_000_000, Duration::from_secs(30)), Duration::from_secs(15));
    }

    #[test]
    fn what_does_not_fit_is_verified_in_parts() {
        let pace = Pace::default();
        assert_eq!(pace.at_once(1_000, Duration::from_secs(20)), 1_000);
        assert_eq!(pace.at_once(1_000, Duration::from_secs(8)), 250);
        assert_eq!(pace.at_once(1_000, Duration::from_secs(2)), LEAST_AT_ONCE);
        assert_eq!(pace.at_once(7, Duration::ZERO), 7);
        pace.note_warm_up(WARM_UP * 4);
        assert_eq!(pace.at_once(1_000, Duration::from_secs(32)), 250);
    }
}
