//! Which method is next and how long it may take.
//!
//! Small methods go first: they are finished quickly, and the time they leave flows on to the large ones.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::target::Target;

/// Hands out methods to workers, each with its share of the time that is left.
#[derive(Debug)]
pub struct Queue {
    waiting: Mutex<std::vec::IntoIter<usize>>,
    deadline: Instant,
    workers: u32,
    /// Most a single method may take, however much time is left.
    most: Option<Duration>,
}

impl Queue {
    pub fn new(targets: &[Target], deadline: Instant, workers: usize, most: Option<Duration>) -> Queue {
        let mut order: Vec<usize> = (0..targets.len()).collect();
        order.sort_by_key(|&i| targets.get(i).map(|t| (t.shape.il_bytes(), t.token)));
        let workers = u32::try_from(workers).unwrap_or(1).max(1);
        Queue { waiting: Mutex::new(order.into_iter()), deadline, workers, most }
    }

    /// The index of the next method and its deadline; nothing when all are taken or the time is up.
    pub fn next(&self, now: Instant) -> Option<(usize, Instant)> {
        let mut waiting = self.waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let left = waiting.len();
        let share = self.share(self.deadline.checked_duration_since(now)?, left);
        let index = waiting.next()?;
        Some((index, now + share))
    }

    fn share(&self, remaining: Duration, left: usize) -> Duration {
        let left = u32::try_from(left).unwrap_or(u32::MAX).max(1);
        let even = remaining.saturating_mul(self.workers) / left;
        even.min(remaining).min(self.most.unwrap_or(remaining))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::target::{Shape, Span};

    fn target(token: u32, bytes: u32) -> Target {
        Target {
            token,
            id: String::new(),
            namespace: String::new(),
            type_name: String::new(),
            name: String::new(),
            source: None,
            shape: Shape { instructions: vec![Span { offset: 0, size: bytes }], branches: vec![] },
        }
    }

    #[test]
    fn small_methods_first_and_unused_time_flows_on() {
        let start = Instant::now();
        let seconds = Duration::from_secs;
        let targets = [target(1, 90), target(2, 10), target(3, 10)];
        let queue = Queue::new(&targets, start + seconds(30), 1, None);
        assert_eq!(queue.next(start), Some((1, start + seconds(10))));
        // The first one took 2 s of its 10: the others share 28 s.
        let later = start + seconds(2);
        assert_eq!(queue.next(later), Some((2, later + seconds(14))));
        let later = start + seconds(3);
        assert_eq!(queue.next(later), Some((0, start + seconds(30))));
        assert_eq!(queue.next(later), None);
    }

    #[test]
    fn workers_multiply_the_time_and_the_cap_limits_it() {
        let start = Instant::now();
        let seconds = Duration::from_secs;
        let targets: Vec<Target> = (0..10).map(|t| target(t, 1)).collect();
        let queue = Queue::new(&targets, start + seconds(10), 4, None);
        assert_eq!(queue.next(start), Some((0, start + seconds(4))));
        let capped = Queue::new(&targets, start + seconds(10), 4, Some(seconds(1)));
        assert_eq!(capped.next(start), Some((0, start + seconds(1))));
        assert_eq!(capped.next(start + seconds(11)), None, "nothing starts after the deadline");
    }
}
