//! The time that compiling and running the written tests takes.

use std::time::Duration;

/// Loading the compiler and starting processes.
const START: Duration = Duration::from_secs(2);
/// Compiling one test and running it in all worlds.
const PER_TEST: Duration = Duration::from_millis(8);
/// No more than this part of the whole time is kept for it.
const MOST_PART: u32 = 3;

/// How long the verification of so many tests will take, out of a whole time.
pub fn verification_time(tests: usize, whole: Duration) -> Duration {
    let tests = u32::try_from(tests).unwrap_or(u32::MAX);
    (START + PER_TEST.saturating_mul(tests)).min(whole / MOST_PART)
}

/// How many tests can be verified in a time.
pub fn verifiable_tests(time: Duration) -> usize {
    let tests = time.saturating_sub(START).as_nanos() / PER_TEST.as_nanos();
    usize::try_from(tests).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_enough_for_what_is_expected() {
        let hour = Duration::from_secs(3600);
        for tests in [0, 1, 100, 5_000] {
            assert_eq!(verifiable_tests(verification_time(tests, hour)), tests);
        }
        assert_eq!(verification_time(1_000_000, Duration::from_secs(30)), Duration::from_secs(10));
    }
}
