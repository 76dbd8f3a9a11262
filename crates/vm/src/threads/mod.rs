//! The threads of a program on one deterministic scheduler: who they are, what they wait for, and the virtual clock.
//!
//! One thread runs at a time. Another gets its turn when the running one blocks, yields, sleeps or ends, and after a
//! generous number of instructions. Time stands nearly still while somebody runs; when all wait, it jumps to the next
//! moment that somebody waits for. If there is none, the program is deadlocked.

mod kernel;
mod locks;
mod schedule;
mod synchronized;

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use types::TypeId;

use random::Random;

use crate::heap::BlockId;
use crate::state::{Frame, Stack, State};

pub use kernel::{Kernel, TIMED_OUT};
pub use locks::Lock;
pub use synchronized::FrameLock;

/// The number of a thread of the machine; the main thread is 0.
pub type ThreadIndex = usize;

pub(crate) const MAIN: ThreadIndex = 0;

#[derive(Clone, Debug)]
pub struct Threads {
    list: Vec<Thread>,
    current: ThreadIndex,
    /// Threads that could go on, in the order of their turns.
    ready: VecDeque<ThreadIndex>,
    /// Nanoseconds since the start.
    clock: u64,
    /// How often somebody has begun to wait: who waits longer is served first.
    waits: u64,
    /// How many threads wait with a limit of time or for an initializer.
    watched: usize,
    pub pool: Pool,
    objects: Vec<Option<Kernel>>,
    /// Timers of .NET Core 3.1: by their objects, the thread that will call them, the number of its
    /// sleep until then, and the number of their queue.
    pub older_timers: FxHashMap<u64, (ThreadIndex, u64, i32)>,
    /// How many bytes that pass for random ones were asked for.
    random: u64,
}

/// The threads that the thread pool has asked for.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// Calls of its dispatcher that are still to be made.
    pub requests: u32,
    idle: Vec<ThreadIndex>,
}

#[derive(Clone, Debug)]
pub struct Thread {
    /// As the program knows it.
    pub id: i32,
    /// Its managed object, once there is one.
    pub object: u64,
    /// Its frames while another thread runs.
    pub stack: Option<Stack>,
    /// Its own copies of static fields; the main thread has the shared ones.
    pub statics: FxHashMap<TypeId, BlockId>,
    pub wait: Wait,
    until: Option<u64>,
    since: u64,
    pub background: bool,
    pub role: Role,
    /// Somebody has interrupted it, which its next wait will notice.
    interrupted: bool,
    /// Its wait was interrupted: it goes on with an exception.
    alert: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Program,
    PoolWorker,
    Finalizer,
}

/// What a thread waits for.
#[derive(Clone, Debug)]
pub enum Wait {
    /// It runs or could run.
    Nothing,
    Unstarted,
    Ended,
    /// A thread of the runtime without work.
    Idle,
    Sleep,
    Lock {
        object: u64,
        /// How often it will have entered.
        count: u32,
        answer: Option<i32>,
        /// A byte that is set once it has entered.
        taken: Option<u64>,
    },
    Pulse {
        object: u64,
        count: u32,
        /// Whether the call says if there was a pulse.
        answers: bool,
    },
    Kernel {
        handles: SmallVec<[u64; 2]>,
        all: bool,
    },
    End(ThreadIndex),
    /// Another thread initializes this type.
    Initializer(TypeId),
    /// The finalizers that are to run.
    Finalizers,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads {
            list: vec![Thread::new(1, false)],
            current: MAIN,
            ready: VecDeque::new(),
            clock: 0,
            waits: 0,
            watched: 0,
            pool: Pool::default(),
            objects: Vec::new(),
            older_timers: FxHashMap::default(),
            random: 0,
        }
    }
}

impl Thread {
    fn new(id: i32, background: bool) -> Thread {
        Thread {
            id,
            object: 0,
            stack: None,
            statics: FxHashMap::default(),
            wait: Wait::Nothing,
            until: None,
            since: 0,
            background,
            role: Role::Program,
            interrupted: false,
            alert: false,
        }
    }

    /// Started and not ended.
    pub(crate) fn is_alive(&self) -> bool {
        !matches!(self.wait, Wait::Unstarted | Wait::Ended | Wait::Idle)
    }

    /// `System.Threading.ThreadState`.
    pub fn flags(&self) -> i32 {
        let state = match self.wait {
            Wait::Nothing | Wait::Initializer(_) => 0,
            Wait::Unstarted => 8,
            Wait::Ended => return 0x10,
            _ => 0x20,
        };
        state | if self.background { 4 } else { 0 }
    }
}

/// The upper half of the handles of threads: no block has such a number.
const THREADS: u64 = 0xc000_0000 << 32;

/// What the class library calls the native thread.
pub fn thread_handle(index: ThreadIndex) -> u64 {
    THREADS | (index as u64 + 1) << 4
}

impl Threads {
    pub fn current(&self) -> ThreadIndex {
        self.current
    }

    pub fn current_id(&self) -> i32 {
        self.list[self.current].id
    }

    pub fn get(&self, index: ThreadIndex) -> Option<&Thread> {
        self.list.get(index)
    }

    pub fn get_mut(&mut self, index: ThreadIndex) -> Option<&mut Thread> {
        self.list.get_mut(index)
    }

    pub fn all(&self) -> &[Thread] {
        &self.list
    }

    /// The thread behind the class library's handle.
    pub fn of_handle(&self, handle: u64) -> Option<ThreadIndex> {
        let index = usize::try_from(((handle ^ THREADS) >> 4).checked_sub(1)?).ok()?;
        (index < self.list.len()).then_some(index)
    }

    /// A thread that has not been started.
    pub fn add(&mut self) -> ThreadIndex {
        let index = self.list.len();
        // The runtime keeps number 2 for the thread of the finalizers and 3 for its own work.
        let mut thread = Thread::new(index as i32 + FIRST_FREE_ID - 1, false);
        thread.wait = Wait::Unstarted;
        self.list.push(thread);
        index
    }

    /// The thread of the finalizers.
    pub(crate) fn add_finalizer(&mut self) -> ThreadIndex {
        let index = self.add();
        let thread = &mut self.list[index];
        (thread.id, thread.background, thread.role) = (FINALIZER_ID, true, Role::Finalizer);
        index
    }

    /// Visits the frames of all threads but the running one.
    pub(crate) fn for_each_frame(&self, mut visit: impl FnMut(&Frame)) {
        let alive = self.list.iter().filter(|thread| thread.is_alive());
        alive.filter_map(|thread| thread.stack.as_ref()).flat_map(Stack::frames).for_each(&mut visit);
    }

    /// Visits the objects that threads need.
    pub(crate) fn for_each_object(&self, mut visit: impl FnMut(u64)) {
        let needed = self.list.iter().filter(|t| !matches!(t.wait, Wait::Unstarted | Wait::Ended));
        needed.map(|thread| thread.object).chain(self.older_timers.keys().copied()).for_each(&mut visit);
    }

    /// Some objects of threads are gone, and the static fields of threads that have ended are of no use.
    pub(crate) fn forget_objects(&mut self, is_alive: impl Fn(u64) -> bool) {
        for thread in &mut self.list {
            if !is_alive(thread.object) {
                thread.object = 0;
            }
        }
    }

    pub(crate) fn is_alone(&self) -> bool {
        self.list.len() == 1
    }

    /// Whether a thread other than the one that has returned from `Main` keeps the process alive.
    pub(crate) fn has_foreground(&self) -> bool {
        self.list.iter().any(|thread| thread.is_alive() && !thread.background)
    }

    /// Hundreds of nanoseconds that have passed. Asking takes a moment, so that whoever waits by asking comes to an end.
    pub fn ask_time(&mut self) -> u64 {
        self.clock += NANOSECONDS_TO_ASK;
        self.clock
    }

    /// Lets the time of some instructions pass.
    pub fn pass(&mut self, nanoseconds: u64) {
        self.clock += nanoseconds;
    }
}

const FIRST_FREE_ID: i32 = 4;
const FINALIZER_ID: i32 = 2;
const NANOSECONDS_TO_ASK: u64 = 500;

impl State {
    pub fn threads_mut(&mut self) -> &mut Threads {
        Rc::make_mut(&mut self.threads)
    }

    /// A byte of the sequence that the seed begins.
    pub fn next_random(&mut self, seed: u64) -> u8 {
        let threads = self.threads_mut();
        let number = Random::after(seed.wrapping_mul(0xd134_2543_de82_ef95), threads.random).number();
        threads.random += 1;
        (number >> 40) as u8
    }
}
