//! Kernel objects that threads wait for: events, semaphores, mutexes.

use smallvec::SmallVec;

use super::{ThreadIndex, Threads, Wait};
use crate::state::State;

#[derive(Clone, Debug)]
pub enum Kernel {
    Event { manual: bool, set: bool },
    Semaphore { count: i32, max: i32 },
    Mutex { owner: Option<ThreadIndex>, count: u32, abandoned: bool },
}

/// `WAIT_TIMEOUT` and `WAIT_ABANDONED`; the number of the object that ended the wait is the answer otherwise.
pub const TIMED_OUT: i32 = 0x102;
const ABANDONED: i32 = 0x80;

/// The upper half of the handles of kernel objects.
const OBJECTS: u64 = 0xb000_0000 << 32;

impl Threads {
    pub fn add_object(&mut self, object: Kernel) -> u64 {
        let index = self.objects.iter().position(Option::is_none).unwrap_or_else(|| {
            self.objects.push(None);
            self.objects.len() - 1
        });
        self.objects[index] = Some(object);
        OBJECTS | (index as u64 + 1) << 4
    }

    pub fn object_mut(&mut self, handle: u64) -> Option<&mut Kernel> {
        let index = usize::try_from(((handle ^ OBJECTS) >> 4).checked_sub(1)?).ok()?;
        self.objects.get_mut(index)?.as_mut()
    }

    pub fn close_object(&mut self, handle: u64) -> bool {
        let Some(index) = ((handle ^ OBJECTS) >> 4).checked_sub(1) else { return false };
        let slot = usize::try_from(index).ok().and_then(|index| self.objects.get_mut(index));
        slot.is_some_and(|slot| slot.take().is_some())
    }

    /// Takes what is waited for, if it is there: the answer of the wait.
    pub fn try_take(&mut self, handles: &[u64], all: bool, thread: ThreadIndex) -> Option<i32> {
        if !all {
            let first = handles.iter().position(|handle| self.is_available(*handle, thread))?;
            let abandoned = self.take(handles[first], thread);
            return Some(first as i32 + if abandoned { ABANDONED } else { 0 });
        }
        if !handles.iter().all(|handle| self.is_available(*handle, thread)) {
            return None;
        }
        let mut abandoned = None;
        for (index, handle) in (0..).zip(handles) {
            if self.take(*handle, thread) {
                abandoned = abandoned.or(Some(index));
            }
        }
        Some(abandoned.map_or(0, |index: i32| index + ABANDONED))
    }

    fn is_available(&mut self, handle: u64, thread: ThreadIndex) -> bool {
        match self.object_mut(handle) {
            Some(Kernel::Event { set, .. }) => *set,
            Some(Kernel::Semaphore { count, .. }) => *count > 0,
            Some(Kernel::Mutex { owner, .. }) => owner.is_none_or(|owner| owner == thread),
            None => false,
        }
    }

    /// Whether the owner of the mutex had ended.
    fn take(&mut self, handle: u64, thread: ThreadIndex) -> bool {
        match self.object_mut(handle) {
            Some(Kernel::Event { manual, set }) => *set = *manual,
            Some(Kernel::Semaphore { count, .. }) => *count -= 1,
            Some(Kernel::Mutex { owner, count, abandoned }) => {
                *owner = Some(thread);
                *count += 1;
                return std::mem::take(abandoned);
            }
            None => {}
        }
        false
    }

    fn waiting_for_objects(&self) -> Vec<(u64, ThreadIndex)> {
        let waits = |(index, thread): (ThreadIndex, &super::Thread)| {
            matches!(thread.wait, Wait::Kernel { .. }).then_some((thread.since, index))
        };
        let mut waiting: Vec<_> = self.list.iter().enumerate().filter_map(waits).collect();
        waiting.sort_unstable();
        waiting
    }
}

impl State {
    /// An object has been signalled: whoever waits for it and can have it now goes on, the longest waiting first.
    pub fn signalled(&mut self) {
        for (_, index) in self.threads.waiting_for_objects() {
            let Some(Wait::Kernel { handles, all }) = self.threads.get(index).map(|t| t.wait.clone()) else {
                continue;
            };
            let handles: SmallVec<[u64; 2]> = handles;
            if let Some(answer) = self.threads_mut().try_take(&handles, all, index) {
                self.wake(index, Some(answer));
            }
        }
    }

    /// A thread has ended without releasing its mutexes.
    pub(super) fn abandon_mutexes(&mut self, thread: ThreadIndex) {
        let mut any = false;
        for object in self.threads_mut().objects.iter_mut().flatten() {
            if let Kernel::Mutex { owner, count, abandoned } = object
                && *owner == Some(thread)
            {
                (*owner, *count, *abandoned) = (None, 0, true);
                any = true;
            }
        }
        if any {
            self.signalled();
        }
    }
}
