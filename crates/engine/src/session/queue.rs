//! Which method is next and how long it may take.
//!
//! Small methods go first: they are finished quickly, and the time they leave flows on to the large ones. Whatever is
//! still left then goes to those that ran out of their share: they are explored again with more.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use budget::{RETRY_FACTOR, Share, Shares};

use crate::subject::target::Target;

/// Hands out methods to workers, each with its share of the time that is left.
#[derive(Debug)]
pub struct Queue {
    waiting: Mutex<Waiting>,
    shares: Shares,
}

#[derive(Debug)]
struct Waiting {
    first: VecDeque<usize>,
    /// With the share that was not enough.
    again: VecDeque<(usize, Duration)>,
}

/// One exploration to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub index: usize,
    pub share: Share,
}

impl Queue {
    pub fn new(targets: &[Target], shares: Shares) -> Queue {
        let mut order: Vec<usize> = (0..targets.len()).collect();
        order.sort_by_key(|&i| targets.get(i).map(|t| (t.il_bytes(), t.token)));
        let waiting = Waiting { first: order.into(), again: VecDeque::new() };
        Queue { waiting: Mutex::new(waiting), shares }
    }

    /// The next method and its time; nothing when all is done or the time is up.
    pub fn next(&self, now: Instant) -> Option<Turn> {
        let mut waiting = self.waiting();
        if !waiting.first.is_empty() {
            let share = self.shares.first(now, waiting.first.len())?;
            return waiting.first.pop_front().map(|index| Turn { index, share });
        }
        while let Some((index, before)) = waiting.again.pop_front() {
            let share = self.shares.again(now, waiting.again.len() + 1)?;
            if share.time >= before * RETRY_FACTOR {
                return Some(Turn { index, share });
            }
        }
        None
    }

    /// A method needs more time than it had.
    pub fn wants_more(&self, index: usize, before: Duration) {
        self.waiting().again.push_back((index, before));
    }

    /// What was found out about a method before is enough, or a beginning: it has no first turn.
    pub fn leave_out(&self, known: impl Fn(usize) -> bool) {
        self.waiting().first.retain(|index| !known(*index));
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::target::{Body, Goals, Span, Then};

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    fn target(token: u32, bytes: u32) -> Target {
        Target {
            token,
            id: String::new(),
            namespace: String::new(),
            type_name: String::new(),
            name: String::new(),
            source: None,
            access: Default::default(),
            own_access: Default::default(),
            mark: None,
            inner: Default::default(),
            bodies: vec![Body {
                token,
                goals: Goals {
                    instructions: vec![Span { offset: 0, size: bytes, then: Then::Next }],
                    branches: vec![],
                },
            }],
        }
    }

    fn queue(sizes: &[u32], start: Instant, total: u64, workers: usize, most: Option<Duration>) -> Queue {
        let targets: Vec<Target> = (0..).zip(sizes).map(|(token, size)| target(token, *size)).collect();
        let deadline = start + seconds(total);
        let workers = u32::try_from(workers).unwrap();
        Queue::new(&targets, Shares { deadline, retry_deadline: deadline, most, workers })
    }

    fn turn(index: usize, now: Instant, share: u64) -> Option<Turn> {
        Some(Turn { index, share: Share { deadline: now + seconds(share), time: seconds(share) } })
    }

    #[test]
    fn small_methods_first_and_unused_time_flows_on() {
        let start = Instant::now();
        let queue = queue(&[90, 10, 10], start, 30, 1, None);
        assert_eq!(queue.next(start), turn(1, start, 10));
        // The first one took 2 s of its 10: the others share 28 s.
        let later = start + seconds(2);
        assert_eq!(queue.next(later), turn(2, later, 14));
        let later = start + seconds(3);
        assert_eq!(queue.next(later), turn(0, later, 27));
        assert_eq!(queue.next(later), None);
    }

    #[test]
    fn workers_multiply_the_time_and_the_cap_limits_it() {
        let start = Instant::now();
        assert_eq!(queue(&[1; 10], start, 10, 4, None).next(start), turn(0, start, 4));
        let capped = queue(&[1; 10], start, 10, 4, Some(seconds(1)));
        assert_eq!(capped.next(start), turn(0, start, 1));
        assert_eq!(capped.next(start + seconds(11)), None, "nothing starts after the deadline");
    }

    #[test]
    fn time_that_is_left_goes_to_those_that_wanted_more() {
        let start = Instant::now();
        let queue = queue(&[1, 2, 3], start, 30, 1, None);
        let hard = queue.next(start).unwrap();
        assert_eq!(hard.share.time, seconds(10));
        queue.wants_more(hard.index, hard.share.time);
        let later = start + seconds(10);
        assert_eq!(queue.next(later).map(|t| t.index), Some(1));
        assert_eq!(queue.next(later).map(|t| t.index), Some(2));
        // Both were done in no time: 20 s are left, twice of what was not enough.
        let again = queue.next(later).unwrap();
        assert_eq!((again.index, again.share.time), (0, seconds(20)));
        queue.wants_more(again.index, again.share.time);
        assert_eq!(queue.next(start + seconds(29)), None, "one more second would not help");
    }
}
