//! Threads and the thread pool's workers (see [`vm::threads`]).

use crate::answers::{no, nothing, zero};
use crate::table::{Entry, all, native, native_enter};
use vm::machine::{Flow, Machine, Step, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::threads::{ThreadIndex, Wait};
use vm::value::Value;

const THREAD: &str = "System.Threading.Thread";
const POOL: &str = "System.Threading.PortableThreadPool";

pub(crate) const TABLE: &[Entry] = &[
    native(THREAD, "GetCurrentThread", current_thread),
    native(THREAD, "Initialize", initialize),
    native_enter(THREAD, "StartInternal", start),
    native(THREAD, "InternalFinalize", nothing),
    native(THREAD, "GetIsBackground", |m, s, call| {
        let index = thread(m, s, call)?;
        Ok(Some(Value::bool(s.threads.get(index).is_some_and(|thread| thread.background))))
    }),
    native(THREAD, "SetIsBackground", |m, s, call| {
        let (index, background) = (thread(m, s, call)?, call.number(m, s, 1)? != 0);
        if let Some(thread) = s.threads_mut().get_mut(index) {
            thread.background = background;
        }
        Ok(None)
    }),
    native(THREAD, "GetThreadState", |m, s, call| {
        let index = thread(m, s, call)?;
        Ok(s.threads.get(index).map(|thread| Value::I32(thread.flags())))
    }),
    native(THREAD, "Interrupt", |m, s, call| {
        let index = thread(m, s, call)?;
        s.interrupt(index);
        Ok(None)
    }),
    native(THREAD, "SetPriority", nothing),
    native(THREAD, "<InformThreadNameChange>g____PInvoke|", nothing),
    native_enter(THREAD, "<Join>g____PInvoke|", join),
    native_enter(THREAD, "SleepInternal", sleep),
    native_enter(THREAD, "YieldInternal", yield_turn),
    native(THREAD, "LongSpinWaitInternal", nothing),
    native(THREAD, "PollGCInternal", nothing),
    native(THREAD, "CatchAtSafePoint", no),
    native(THREAD, "GetCurrentOSThreadId", |_, s, _| Ok(Some(Value::I64(s.threads.current_id().into())))),
    // The frames at which a task's exception is made are nobody's to rely on: the JIT inlines.
    all("System.Exception", "SetCurrentStackTrace", nothing),
    // Measures how fast the question is answered, by a clock that stands still.
    all(THREAD, "GetCurrentProcessorId", zero),
    native("Interop+Sys", "SchedGetCpu", zero),
    // The pool's own bookkeeping of its threads would have them come and go by measured speed.
    all(POOL, "RequestWorker", request_worker),
    all(POOL, "NotifyThreadBlocked", no),
    all(POOL, "NotifyThreadUnblocked", nothing),
];

/// In exploration, where there is one thread.
pub(crate) const ALONE: &[Entry] = &[native(THREAD, "GetCurrentThread", current_thread)];

/// The thread that the first argument, a native handle, stands for.
fn thread(m: &mut Machine, s: &State, call: &Call) -> Step<ThreadIndex> {
    let handle = call.word(m, s, 0, 0)?;
    s.threads.of_handle(handle).ok_or_else(|| unsupported(s, "a thread handle that is none"))
}

/// The thread of a managed object.
pub(crate) fn thread_of_object(m: &mut Machine, s: &State, object: u64) -> Step<ThreadIndex> {
    let place = m.field_place(s, object, "_DONT_USE_InternalThread")?;
    let handle = m.load_word(s, place)?;
    s.threads.of_handle(handle).ok_or_else(|| unsupported(s, "a thread object without a thread"))
}

fn current_thread(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = m.thread_object(s, s.threads.current())?;
    call.give(m, s, 0, object)?;
    Ok(None)
}

fn initialize(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.word(m, s, 0, 0)?;
    let object = m.load_word(s, place)?;
    let index = s.threads_mut().add();
    m.identify(s, object, index)?;
    Ok(None)
}

/// The native thread calls the object's `StartCallback`.
fn start(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let index = thread(m, s, call)?;
    start_thread(m, s, index, "StartCallback", after)
}

pub(crate) fn start_thread(
    m: &mut Machine,
    s: &mut State,
    index: ThreadIndex,
    callback: &str,
    after: OnReturn,
) -> Step {
    let object = match s.threads.get(index) {
        Some(thread) if matches!(thread.wait, Wait::Unstarted) => thread.object,
        _ => {
            return m.throw_saying(
                s,
                RuntimeException::ThreadState,
                "Thread is running or terminated; it cannot restart.",
            );
        }
    };
    begin(m, s, index, callback, object)?;
    m.returned(s, after, None)
}

fn begin(m: &mut Machine, s: &mut State, index: ThreadIndex, name: &str, this: u64) -> Step<()> {
    let class = m.core_type(s, THREAD)?;
    let found = m.universe.methods_named(class, name);
    let Some(method) = found.ok().and_then(|methods| methods.first().copied()) else {
        return Err(unsupported(s, "the threads of this runtime"));
    };
    let code = m.code(method).map_err(|gap| vm::machine::give_up(s, gap))?;
    m.begin_thread(s, index, code, vec![Value::address(this)])
}

/// Thread object, milliseconds: whether it has ended.
fn join(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let place = call.word(m, s, 0, 0)?;
    let object = m.load_word(s, place)?;
    let index = thread_of_object(m, s, object)?;
    let patience = call.number(m, s, 1)? as i32;
    join_thread(m, s, index, patience, after)
}

pub(crate) fn join_thread(
    m: &mut Machine,
    s: &mut State,
    index: ThreadIndex,
    patience: i32,
    after: OnReturn,
) -> Step {
    if s.threads.get(index).is_some_and(|thread| matches!(thread.wait, Wait::Unstarted)) {
        return m.throw_saying(s, RuntimeException::ThreadState, "Thread has not been started.");
    }
    let ended = s.threads.get(index).is_none_or(|thread| matches!(thread.wait, Wait::Ended));
    if ended || patience == 0 {
        return m.returned(s, after, Some(Value::bool(ended)));
    }
    m.block(s, Wait::End(index), patience, after)
}

pub(crate) fn sleep(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    match call.number(m, s, 0)? as i32 {
        0 => go_on_later(m, s, after, None),
        milliseconds => m.block(s, Wait::Sleep, milliseconds, after),
    }
}

pub(crate) fn yield_turn(m: &mut Machine, s: &mut State, _: &Call, after: OnReturn) -> Step {
    go_on_later(m, s, after, Some(Value::bool(true)))
}

/// Others have their turn first.
fn go_on_later(m: &mut Machine, s: &mut State, after: OnReturn, value: Option<Value>) -> Step {
    match m.returned(s, after, value)? {
        Flow::Next => {
            s.top.pc += 1;
            m.give_way(s)
        }
        flow => Ok(flow),
    }
}

pub(crate) fn request_worker(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    s.threads_mut().pool.requests += 1;
    Ok(None)
}
