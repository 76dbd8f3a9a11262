//! Synchronized methods: as long as their frame is there it holds the lock of their object, or of their type if they are
//! static. In programs only: where there is one thread nobody has to wait.

use super::ThreadIndex;
use super::Wait;
use crate::code::Code;
use crate::machine::{Flow, Machine, Step, peek};
use crate::state::State;
use crate::value::Value;

/// The lock of a frame.
#[derive(Clone, Copy, Debug)]
pub struct FrameLock {
    thread: ThreadIndex,
    /// Of the frame.
    depth: u32,
    object: u64,
}

impl Machine {
    /// What a synchronized method that is about to be called locks; its `count` operands are on the stack.
    pub(crate) fn lock_of_call(&mut self, s: &mut State, code: &Code, count: usize) -> Step<Option<u64>> {
        if !code.is_synchronized || !self.mode().runs_program() {
            return Ok(None);
        }
        let info = self.universe.method(code.method);
        let (owner, is_static) = (info.owner, info.is_static());
        if is_static {
            return self.type_object(s, owner).map(Some);
        }
        // What is called on a value locks a box that nobody else has.
        match peek(s, count.saturating_sub(1))? {
            Value::I64(this) if !self.universe.is_value_type(owner) => Ok(Some(this.cast_unsigned())),
            _ => Ok(None),
        }
    }

    /// The frame on top takes its lock, or its thread waits for it before the first instruction.
    pub(crate) fn take_lock_of_frame(&mut self, s: &mut State, object: u64) -> Step {
        let me = s.threads.current();
        let lock = FrameLock { thread: me, depth: s.depth, object };
        s.runtime.frame_locks.push(lock);
        if !s.try_lock(object) {
            s.threads_mut().set_wait(me, Wait::Lock { object, count: 1, answer: None, taken: None }, None);
            s.queue_for_lock(object, me);
            return self.next_thread(s);
        }
        Ok(Flow::Reload)
    }
}

impl State {
    /// The frame that was on top is gone.
    pub(crate) fn leave_lock_of_frame(&mut self) {
        let (me, depth) = (self.threads.current(), self.depth + 1);
        let locks = &mut self.runtime.frame_locks;
        let Some(at) = locks.iter().rposition(|lock| lock.thread == me && lock.depth == depth) else {
            return;
        };
        let lock = locks.remove(at);
        self.unlock(lock.object);
    }
}
