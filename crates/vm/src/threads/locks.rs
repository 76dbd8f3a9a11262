//! Monitors: every object can be locked, and waited on.

use std::collections::VecDeque;
use std::rc::Rc;

use super::{ThreadIndex, Wait};
use crate::heap::split_address;
use crate::state::State;

/// A locked object.
#[derive(Clone, Debug)]
pub struct Lock {
    pub owner: ThreadIndex,
    /// How often its owner has entered.
    pub count: u32,
    waiters: VecDeque<ThreadIndex>,
}

impl State {
    /// Enters unless another thread has.
    pub fn try_lock(&mut self, object: u64) -> bool {
        let me = self.threads.current();
        let free = || Lock { owner: me, count: 0, waiters: VecDeque::new() };
        let lock = Rc::make_mut(&mut self.runtime.locks).entry(object).or_insert_with(free);
        if lock.owner != me {
            return false;
        }
        lock.count += 1;
        true
    }

    pub fn holds(&self, object: u64) -> bool {
        self.runtime.locks.get(&object).is_some_and(|lock| lock.owner == self.threads.current())
    }

    /// Leaves once; false if it was not entered.
    pub fn unlock(&mut self, object: u64) -> bool {
        let me = self.threads.current();
        match Rc::make_mut(&mut self.runtime.locks).get_mut(&object) {
            Some(lock) if lock.owner == me => {
                lock.count -= 1;
                if lock.count == 0 {
                    self.pass_on(object);
                }
                true
            }
            _ => false,
        }
    }

    /// Leaves as often as it was entered; how often, or none if it was not.
    pub fn unlock_wholly(&mut self, object: u64) -> Option<u32> {
        let lock = self.runtime.locks.get(&object).filter(|lock| lock.owner == self.threads.current())?;
        let count = lock.count;
        self.pass_on(object);
        Some(count)
    }

    /// The lock is free: the first who waits has it now.
    fn pass_on(&mut self, object: u64) {
        let locks = Rc::make_mut(&mut self.runtime.locks);
        let Some(lock) = locks.get_mut(&object) else { return };
        let Some(next) = lock.waiters.pop_front() else {
            locks.remove(&object);
            return;
        };
        lock.owner = next;
        self.grant(object, next);
    }

    fn grant(&mut self, object: u64, thread: ThreadIndex) {
        let Some(Wait::Lock { count, answer, taken, .. }) = self.threads.get(thread).map(|t| t.wait.clone())
        else {
            return;
        };
        if let Some(lock) = Rc::make_mut(&mut self.runtime.locks).get_mut(&object) {
            lock.count = count;
        }
        if let Some((block, offset)) = taken.map(split_address)
            && let Some(block) = self.heap.get_mut(block)
        {
            block.bytes.set_plain(offset as usize, 1);
        }
        self.wake(thread, answer);
    }

    /// A thread that waits for a lock: it has it at once if the lock is free.
    pub(super) fn queue_for_lock(&mut self, object: u64, thread: ThreadIndex) {
        let locks = Rc::make_mut(&mut self.runtime.locks);
        if let Some(lock) = locks.get_mut(&object) {
            lock.waiters.push_back(thread);
            return;
        }
        locks.insert(object, Lock { owner: thread, count: 0, waiters: VecDeque::new() });
        self.grant(object, thread);
    }

    pub(super) fn leave_lock_queue(&mut self, object: u64, thread: ThreadIndex) {
        if let Some(lock) = Rc::make_mut(&mut self.runtime.locks).get_mut(&object) {
            lock.waiters.retain(|waiter| *waiter != thread);
        }
    }

    /// Wakes the threads that wait for a pulse, the longest waiting first: they queue up for the lock.
    pub fn pulse(&mut self, object: u64, at_most: usize) {
        let waits = |thread: &super::Thread| match thread.wait {
            Wait::Pulse { object: waited, .. } if waited == object => Some(thread.since),
            _ => None,
        };
        let mut waiting: Vec<(u64, ThreadIndex)> = (0..)
            .zip(self.threads.all())
            .filter_map(|(index, thread)| Some((waits(thread)?, index)))
            .collect();
        waiting.sort_unstable();
        for (_, thread) in waiting.into_iter().take(at_most) {
            self.end_of_pulse_wait(thread, 1);
        }
    }

    /// The wait for a pulse is over; the lock has to be entered again.
    pub(super) fn end_of_pulse_wait(&mut self, index: ThreadIndex, answer: i32) {
        let threads = self.threads_mut();
        let Some(thread) = threads.list.get_mut(index) else { return };
        let Wait::Pulse { object, count, answers } = thread.wait else { return };
        thread.wait = Wait::Lock { object, count, answer: answers.then_some(answer), taken: None };
        if thread.until.take().is_some() {
            threads.watched -= 1;
        }
        self.queue_for_lock(object, index);
    }
}
