//! Who runs: blocking, waking, turns, time and deadlock.

use std::rc::Rc;

use types::TypeId;

use super::{MAIN, Role, TIMED_OUT, ThreadIndex, Threads, Wait, thread_handle};
use crate::code::Code;
use crate::machine::{Flow, Machine, Step, give_up, unsupported};
use crate::state::{InitStatus, OnReturn, Stack, State};
use crate::stop::RuntimeException;
use crate::value::{Repr, Value};
use verdict::Gap;

const THREAD: &str = "System.Threading.Thread";

/// Nanoseconds that pass when somebody gives his turn away and nobody takes it.
const NANOSECONDS_TO_YIELD: u64 = 1_000;

impl Threads {
    /// The moment at which so many milliseconds will have passed; never for -1.
    fn moment(&self, milliseconds: i32) -> Option<u64> {
        u64::try_from(milliseconds).ok().map(|ms| self.clock + ms * 1_000_000)
    }

    pub(super) fn set_wait(&mut self, index: ThreadIndex, wait: Wait, until: Option<u64>) {
        self.waits += 1;
        let watched = until.is_some() || matches!(wait, Wait::Initializer(_));
        let thread = &mut self.list[index];
        (thread.wait, thread.until, thread.since) = (wait, until, self.waits);
        self.watched += usize::from(watched);
    }

    /// The thread goes on when its turn comes.
    fn make_ready(&mut self, index: ThreadIndex) {
        let thread = &mut self.list[index];
        let watched = thread.until.take().is_some() || matches!(thread.wait, Wait::Initializer(_));
        thread.wait = Wait::Nothing;
        self.watched -= usize::from(watched);
        self.ready.push_back(index);
    }

    /// A thread of the pool that sleeps before its call will not make it.
    pub fn cancel_sleep(&mut self, index: ThreadIndex, since: u64) {
        if matches!(self.list[index].wait, Wait::Sleep) && self.list[index].since == since {
            self.watched -= usize::from(self.list[index].until.is_some());
            self.set_wait(index, Wait::Idle, None);
            self.pool.idle.push(index);
        }
    }

    /// Threads whose patience is over, in the order in which it ended.
    fn expired(&self) -> Vec<ThreadIndex> {
        let mut expired: Vec<(u64, u64, ThreadIndex)> = (0..)
            .zip(&self.list)
            .filter_map(|(index, thread)| {
                thread.until.filter(|until| *until <= self.clock).map(|until| (until, thread.since, index))
            })
            .collect();
        expired.sort_unstable();
        expired.into_iter().map(|(_, _, index)| index).collect()
    }

    fn has_running_worker(&self) -> bool {
        self.list.iter().any(|t| t.role == Role::PoolWorker && matches!(t.wait, Wait::Nothing))
    }
}

impl State {
    /// Ends a wait with its answer.
    pub(crate) fn wake(&mut self, index: ThreadIndex, answer: Option<i32>) {
        let current = self.threads.current();
        let answer = answer.map(Value::I32);
        if index == current {
            self.top.stack.extend(answer);
        } else if let Some(stack) = self.threads_mut().list[index].stack.as_mut() {
            stack.push_operands(answer);
        }
        self.threads_mut().make_ready(index);
    }

    /// The answer of a wait that took too long.
    fn time_out(&mut self, index: ThreadIndex) {
        let Some(wait) = self.threads.get(index).map(|thread| thread.wait.clone()) else { return };
        match wait {
            Wait::Pulse { .. } => self.end_of_pulse_wait(index, 0),
            Wait::Lock { object, .. } => {
                self.leave_lock_queue(object, index);
                // Older runtimes tell success by a byte, which stays as it is.
                let answer = matches!(wait, Wait::Lock { answer: Some(_), .. }).then_some(0);
                self.wake(index, answer);
            }
            Wait::Kernel { .. } => self.wake(index, Some(TIMED_OUT)),
            Wait::End(_) => self.wake(index, Some(0)),
            _ => self.wake(index, None),
        }
    }

    /// `Thread.Interrupt`: the wait of the thread, or its next one, ends with an exception.
    pub fn interrupt(&mut self, index: ThreadIndex) {
        let Some(thread) = self.threads_mut().list.get_mut(index) else { return };
        match thread.wait.clone() {
            Wait::Nothing | Wait::Unstarted => thread.interrupted = true,
            Wait::Sleep | Wait::Kernel { .. } | Wait::End(_) => {
                thread.alert = true;
                self.wake(index, None);
            }
            Wait::Pulse { .. } => {
                thread.alert = true;
                self.end_of_pulse_wait(index, 0);
            }
            Wait::Lock { object, .. } => {
                thread.alert = true;
                self.leave_lock_queue(object, index);
                self.wake(index, None);
            }
            Wait::Ended | Wait::Idle | Wait::Initializer(_) | Wait::Finalizers => {}
        }
    }

    fn wake_joiners(&mut self, ended: ThreadIndex) {
        for index in 0..self.threads.list.len() {
            if matches!(self.threads.list[index].wait, Wait::End(other) if other == ended) {
                self.wake(index, Some(1));
            }
        }
    }

    pub(crate) fn wake_waiting_for_finalizers(&mut self) {
        for index in 0..self.threads.list.len() {
            if matches!(self.threads.list[index].wait, Wait::Finalizers) {
                self.wake(index, None);
            }
        }
    }

    /// Those who wait for an initializer that has come to its end try again.
    fn wake_initialized(&mut self) {
        for index in 0..self.threads.list.len() {
            if let Wait::Initializer(ty) = self.threads.list[index].wait
                && !matches!(self.statics.get(ty).status, InitStatus::Running(_))
            {
                self.threads_mut().make_ready(index);
            }
        }
    }
}

impl Machine {
    /// The running thread waits; `milliseconds` below 0 for ever. Whoever wakes it pushes the answer of the call.
    pub fn block(&mut self, s: &mut State, wait: Wait, milliseconds: i32, after: OnReturn) -> Step {
        let OnReturn::Push = after else { return Err(unsupported(s, "a wait that the runtime begins")) };
        let me = s.threads.current();
        if std::mem::take(&mut s.threads_mut().list[me].interrupted) {
            return self.throw_new(s, RuntimeException::ThreadInterrupted);
        }
        s.top.pc += 1;
        let until = s.threads.moment(milliseconds);
        let lock = match wait {
            Wait::Lock { object, .. } => Some(object),
            _ => None,
        };
        s.threads_mut().set_wait(me, wait, until);
        if let Some(object) = lock {
            s.queue_for_lock(object, me);
        }
        self.next_thread(s)
    }

    /// Another thread initializes the type: the instruction is tried again when it is done.
    pub(crate) fn wait_for_initializer(&mut self, s: &mut State, ty: TypeId) -> Step<()> {
        let me = s.threads.current();
        s.threads_mut().set_wait(me, Wait::Initializer(ty), None);
        self.next_thread(s).map(|_| ())
    }

    /// The running thread gives its turn away; it has gone past the call.
    pub fn give_way(&mut self, s: &mut State) -> Step {
        let me = s.threads.current();
        self.add_worker(s)?;
        let threads = s.threads_mut();
        if threads.ready.is_empty() {
            threads.clock += NANOSECONDS_TO_YIELD;
        }
        threads.ready.push_back(me);
        self.next_thread(s)
    }

    /// Whether others must not run now: while the runtime makes an exception.
    fn is_indivisible(&self, s: &State) -> bool {
        s.frames().any(|frame| matches!(frame.on_return, OnReturn::Throw(_)))
    }

    /// The running thread has used up its turn.
    pub(crate) fn turn_over(&mut self, s: &mut State) -> Step {
        self.start_finalizer(s)?;
        let threads = &s.threads;
        if threads.ready.is_empty() && threads.watched == 0 && threads.pool.requests == 0 {
            return Ok(Flow::Reload);
        }
        if self.is_indivisible(s) {
            return Ok(Flow::Reload);
        }
        self.give_way(s)
    }

    /// Somebody else runs, or the same thread again if its wait is over already.
    pub(crate) fn next_thread(&mut self, s: &mut State) -> Step {
        loop {
            if s.threads.watched > 0 {
                s.wake_initialized();
                for index in s.threads.expired() {
                    s.time_out(index);
                }
            }
            self.start_finalizer(s)?;
            if !s.threads.has_running_worker() {
                self.add_worker(s)?;
            }
            if let Some(next) = s.threads_mut().ready.pop_front() {
                return self.switch_thread(s, next);
            }
            let waiting = s.threads.list.iter().filter_map(|thread| thread.until);
            if let Some(moment) = waiting.min() {
                let threads = s.threads_mut();
                threads.clock = threads.clock.max(moment);
                continue;
            }
            // Initializers that wait for each other: the runtime lets one see what is not initialized yet.
            let caught = s.threads.list.iter().position(|t| matches!(t.wait, Wait::Initializer(_)));
            if let Some(caught) = caught {
                if let Wait::Initializer(ty) = s.threads.list[caught].wait {
                    s.statics.set_status(ty, InitStatus::Running(caught as u32));
                }
                s.threads_mut().make_ready(caught);
                continue;
            }
            let detail = self.deadlock(s);
            return Err(give_up(s, Gap::deadlock(detail)));
        }
    }

    fn switch_thread(&mut self, s: &mut State, next: ThreadIndex) -> Step {
        let current = s.threads.current();
        match s.threads_mut().list[next].stack.take() {
            Some(stack) => {
                let old = s.swap_stack(stack);
                let threads = s.threads_mut();
                // A thread of the runtime that begins anew has no use for its old frames.
                if next != current {
                    threads.list[current].stack.get_or_insert(old);
                    threads.current = next;
                }
            }
            None if next == current => {}
            None => return Err(give_up(s, Gap::internal_error("a thread without a stack"))),
        }
        if std::mem::take(&mut s.threads_mut().list[next].alert) {
            s.top.pc = s.top.pc.saturating_sub(1);
            return self.throw_new(s, RuntimeException::ThreadInterrupted);
        }
        Ok(Flow::Reload)
    }

    /// Begins a thread with a call.
    pub fn begin_thread(
        &mut self,
        s: &mut State,
        index: ThreadIndex,
        code: Rc<Code>,
        arguments: Vec<Value>,
    ) -> Step<()> {
        let frame = self.frame(s, code, arguments, OnReturn::EndPath)?;
        let threads = s.threads_mut();
        threads.list[index].stack = Some(Stack::new(frame));
        threads.make_ready(index);
        Ok(())
    }

    /// Begins a thread with a call after some milliseconds; the number of its sleep.
    pub fn begin_thread_later(
        &mut self,
        s: &mut State,
        index: ThreadIndex,
        code: Rc<Code>,
        arguments: Vec<Value>,
        milliseconds: i32,
    ) -> Step<u64> {
        let frame = self.frame(s, code, arguments, OnReturn::EndPath)?;
        let until = s.threads.moment(milliseconds);
        let threads = s.threads_mut();
        threads.list[index].stack = Some(Stack::new(frame));
        threads.set_wait(index, Wait::Sleep, until);
        Ok(threads.waits)
    }

    /// The first call of the running thread has returned: others run.
    pub(crate) fn thread_ended(&mut self, s: &mut State) -> Step {
        self.thread_ends(s)?;
        self.next_thread(s)
    }

    pub(crate) fn thread_ends(&mut self, s: &mut State) -> Step<()> {
        let me = s.threads.current();
        s.free_variables();
        let role = s.threads.list[me].role;
        if role != Role::Program {
            s.threads_mut().set_wait(me, Wait::Idle, None);
            if role == Role::PoolWorker {
                s.threads_mut().pool.idle.push(me);
            } else {
                self.finalizer_ended(s);
            }
            return Ok(());
        }
        self.end_current(s)
    }

    pub(crate) fn end_current(&mut self, s: &mut State) -> Step<()> {
        let me = s.threads.current();
        let object = s.threads.list[me].object;
        if object != 0 && self.field_place(s, object, "_isDead").is_ok() {
            self.store_field(s, object, "_isDead", Repr::U1, Value::I32(1))?;
        }
        s.threads_mut().set_wait(me, Wait::Ended, None);
        s.abandon_mutexes(me);
        s.wake_joiners(me);
        Ok(())
    }

    /// The main thread runs again, whatever the others do: the process is about to end.
    pub(crate) fn return_to_main(&mut self, s: &mut State) {
        let threads = s.threads_mut();
        threads.current = MAIN;
        threads.list[MAIN].wait = Wait::Nothing;
    }

    /// A thread of the pool for work that waits.
    fn add_worker(&mut self, s: &mut State) -> Step<()> {
        if s.threads.pool.requests == 0 {
            return Ok(());
        }
        let class = self.core_type(s, "System.Threading.ThreadPoolWorkQueue")?;
        let found = self.universe.methods_named(class, "Dispatch").map_err(|e| give_up(s, e.into()))?;
        let Some(dispatch) = found.first().copied() else {
            return Err(unsupported(s, "the thread pool of this runtime"));
        };
        let code = self.code(dispatch).map_err(|gap| give_up(s, gap))?;
        let index = self.idle_worker(s)?;
        s.threads_mut().pool.requests -= 1;
        self.begin_thread(s, index, code, Vec::new())
    }

    /// A thread of the pool that has nothing to do.
    pub fn idle_worker(&mut self, s: &mut State) -> Step<ThreadIndex> {
        match s.threads_mut().pool.idle.pop() {
            Some(index) => Ok(index),
            None => self.new_worker(s),
        }
    }

    fn new_worker(&mut self, s: &mut State) -> Step<ThreadIndex> {
        let index = s.threads_mut().add();
        let thread = &mut s.threads_mut().list[index];
        (thread.background, thread.role) = (true, Role::PoolWorker);
        let object = self.thread_object(s, index)?;
        if self.field_place(s, object, "_isThreadPool").is_ok() {
            self.store_field(s, object, "_isThreadPool", Repr::U1, Value::I32(1))?;
            let name: Vec<u16> = ".NET TP Worker".encode_utf16().collect();
            let name = self.intern(s, &name)?;
            self.store_field(s, object, "_name", Repr::Ref, Value::address(name))?;
        }
        Ok(index)
    }

    /// The managed object of a thread.
    pub fn thread_object(&mut self, s: &mut State, index: ThreadIndex) -> Step<u64> {
        let known = s.threads.list[index].object;
        if known != 0 {
            return Ok(known);
        }
        let class = self.core_type(s, THREAD)?;
        let object = self.allocate_instance(s, class)?;
        self.identify(s, object, index)?;
        Ok(object)
    }

    /// Makes an object the one of a thread.
    pub fn identify(&mut self, s: &mut State, object: u64, index: ThreadIndex) -> Step<()> {
        let id = s.threads.list[index].id;
        if self.flavor() == crate::Flavor::Mono {
            return self.identify_on_mono(s, object, index);
        }
        self.store_field(s, object, "_managedThreadId", Repr::I4, Value::I32(id))?;
        self.store_field(s, object, "_priority", Repr::I4, Value::I32(NORMAL_PRIORITY))?;
        let handle = Value::address(thread_handle(index));
        self.store_field(s, object, "_DONT_USE_InternalThread", Repr::I8, handle)?;
        s.threads_mut().list[index].object = object;
        Ok(())
    }

    /// Who waits for what.
    fn deadlock(&mut self, s: &mut State) -> String {
        let mut waits = Vec::new();
        for index in 0..s.threads.list.len() {
            let (id, wait) = (s.threads.list[index].id, s.threads.list[index].wait.clone());
            let id_of = |index: ThreadIndex| s.threads.list.get(index).map_or(0, |thread| thread.id);
            let what = match wait {
                Wait::Nothing | Wait::Unstarted | Wait::Ended | Wait::Idle => continue,
                Wait::Sleep => "sleeps for ever".to_owned(),
                Wait::Lock { object, .. } => {
                    let holder = s.runtime.locks.get(&object).map_or(0, |lock| id_of(lock.owner));
                    format!("waits for the lock of {} that thread {holder} holds", self.name_of(s, object))
                }
                Wait::Pulse { object, .. } => format!("waits for a pulse of {}", self.name_of(s, object)),
                Wait::Kernel { .. } => "waits for a wait handle".to_owned(),
                Wait::End(other) => format!("waits for the end of thread {}", id_of(other)),
                Wait::Initializer(ty) => {
                    format!("waits for the initializer of {}", self.universe.type_name(ty))
                }
                Wait::Finalizers => "waits for finalizers".to_owned(),
            };
            waits.push(format!("thread {id} {what}"));
        }
        format!("deadlock: {}", waits.join("; "))
    }

    fn name_of(&self, s: &State, object: u64) -> String {
        match self.object_type(s, object) {
            Ok(ty) => format!("a {}", self.universe.type_name(ty)),
            Err(_) => "an object".to_owned(),
        }
    }
}

const NORMAL_PRIORITY: i32 = 2;

impl Machine {
    /// Makes an object the one of a thread: the runtime's part of it is an object of its own.
    pub(crate) fn identify_on_mono(&mut self, s: &mut State, object: u64, index: ThreadIndex) -> Step<()> {
        let class = self.core_type(s, "System.Threading.InternalThread")?;
        let inner = self.allocate_instance(s, class)?;
        let (id, role) = s.threads.get(index).map_or((0, Role::Program), |thread| (thread.id, thread.role));
        self.store_field(s, inner, "managed_id", Repr::I4, Value::I32(id))?;
        self.store_field(s, inner, "handle", Repr::I8, Value::address(thread_handle(index)))?;
        let is_worker = role == Role::PoolWorker;
        self.store_field(s, inner, "threadpool_thread", Repr::U1, Value::bool(is_worker))?;
        self.store_field(s, object, "internal_thread", Repr::Ref, Value::address(inner))?;
        if let Some(thread) = s.threads_mut().get_mut(index) {
            thread.object = object;
        }
        Ok(())
    }
}
