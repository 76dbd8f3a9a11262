//! Threads, locks and wait handles as Mono's library asks for them (see [`crate::threads`]).

use crate::answers::{nothing, yes};
use crate::core31::threads::{enter, exit};
use crate::table::{Entry, native, native_enter};
use crate::threading::monitor;
use crate::threading::threads::{join_thread, sleep, yield_turn};
use crate::threading::wait_handles;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::threads::{Kernel, ThreadIndex};
use vm::value::{Repr, Value};

const THREAD: &str = "System.Threading.Thread";
const POOL: &str = "System.Threading.ThreadPool";
const MONITOR: &str = "System.Threading.Monitor";
const EVENTS: &str = "System.Threading.NativeEventCalls";
const MUTEX: &str = "System.Threading.Mutex";
const SEMAPHORE: &str = "System.Threading.Semaphore";

pub(crate) const TABLE: &[Entry] = &[
    native(THREAD, "GetCurrentThread", |m, s, _| {
        let object = m.thread_object(s, s.threads.current())?;
        Ok(Some(Value::address(object)))
    }),
    native(THREAD, "ConstructInternalThread", |m, s, c| {
        let object = c.number(m, s, 0)?;
        let index = s.threads_mut().add();
        m.identify(s, object, index)?;
        Ok(None)
    }),
    native_enter(THREAD, "Thread_internal", start),
    native_enter(THREAD, "JoinInternal", |m, s, c, after| {
        let object = c.number(m, s, 0)?;
        let index = thread_of(m, s, object)?;
        let patience = c.number(m, s, 1)? as i32;
        join_thread(m, s, index, patience, after)
    }),
    native(THREAD, "InterruptInternal", |m, s, c| {
        let object = c.number(m, s, 0)?;
        let index = thread_of(m, s, object)?;
        s.interrupt(index);
        Ok(None)
    }),
    native(THREAD, "GetDomainID", |_, _, _| Ok(Some(Value::I32(1)))),
    native(THREAD, "GetName_internal", name),
    native(THREAD, "SetName_icall", set_name),
    native(THREAD, "GetState", |m, s, c| {
        let inner = c.number(m, s, 0)?;
        let index = thread_of_inner(m, s, inner)?;
        Ok(s.threads.get(index).map(|thread| Value::I32(thread.flags())))
    }),
    native(THREAD, "SetState", |m, s, c| set_state(m, s, c, true)),
    native(THREAD, "ClrState", |m, s, c| set_state(m, s, c, false)),
    native(THREAD, "GetPriorityNative", |_, _, _| Ok(Some(Value::I32(2)))),
    native(THREAD, "SetPriorityNative", nothing),
    native(THREAD, "SpinWait_nop", nothing),
    native(THREAD, "SystemMaxStackStize", |_, _, _| Ok(Some(Value::I32(1 << 20)))),
    native_enter(THREAD, "SleepInternal", sleep),
    native_enter(THREAD, "YieldInternal", yield_turn),
    native("System.GC", "InternalCollect", |m, s, c| {
        let generation = c.number(m, s, 0)? as i32;
        m.collect(s, usize::try_from(generation).map_or(2, |generation| generation.min(2)));
        Ok(None)
    }),
    native("System.GC", "GetCollectionCount", |m, s, c| {
        let generation = c.number(m, s, 0)? as usize;
        Ok(Some(Value::I32(s.collector.count(generation))))
    }),
    native_enter("System.GC", "WaitForPendingFinalizers", |m, s, _, after| m.wait_for_finalizers(s, after)),
    native(POOL, "RequestWorkerThread", |_, s, _| {
        s.threads_mut().pool.requests += 1;
        Ok(Some(Value::bool(true)))
    }),
    native(POOL, "NotifyWorkItemQueued", nothing),
    native(POOL, "NotifyWorkItemComplete", yes),
    native(POOL, "NotifyWorkItemProgressNative", nothing),
    native(POOL, "ReportThreadStatus", nothing),
    native(POOL, "InitializeVMTp", |m, s, c| {
        let place = c.number(m, s, 0)?;
        m.store(s, place, Repr::U1, Value::bool(false))?;
        Ok(None)
    }),
    native_enter(MONITOR, "Enter", |m, s, c, after| enter(m, s, c, -1, None, after)),
    native_enter(MONITOR, "try_enter_with_atomic_var", |m, s, c, after| {
        let patience = c.number(m, s, 1)? as i32;
        enter(m, s, c, patience, Some(2), after)
    }),
    native(MONITOR, "Exit", exit),
    native(MONITOR, "Monitor_test_owner", |m, s, c| {
        let object = c.number(m, s, 0)?;
        Ok(Some(Value::bool(s.holds(object))))
    }),
    native(MONITOR, "Monitor_test_synchronised", |m, s, c| {
        let object = c.number(m, s, 0)?;
        Ok(Some(Value::bool(s.runtime.locks.contains_key(&object))))
    }),
    native(MONITOR, "Monitor_pulse", |m, s, c| {
        let object = c.number(m, s, 0)?;
        monitor::pulse_object(m, s, object, 1)
    }),
    native(MONITOR, "Monitor_pulse_all", |m, s, c| {
        let object = c.number(m, s, 0)?;
        monitor::pulse_object(m, s, object, usize::MAX)
    }),
    native_enter(MONITOR, "Monitor_wait", |m, s, c, after| {
        let (object, patience) = (c.number(m, s, 0)?, c.number(m, s, 1)? as i32);
        monitor::wait_on(m, s, object, patience, after)
    }),
    native_enter("System.Threading.WaitHandle", "Wait_internal", wait_handles::wait_multiple),
    native(EVENTS, "CreateEvent_icall", create_event),
    native(EVENTS, "SetEvent_internal", |m, s, c| wait_handles::set_event(m, s, c, true)),
    native(EVENTS, "ResetEvent_internal", |m, s, c| wait_handles::set_event(m, s, c, false)),
    native(EVENTS, "CloseEvent_internal", |m, s, c| {
        wait_handles::close(m, s, c)?;
        Ok(None)
    }),
    native(MUTEX, "CreateMutex_icall", create_mutex),
    native(MUTEX, "ReleaseMutex_internal", wait_handles::release_mutex),
    native(SEMAPHORE, "CreateSemaphore_icall", create_semaphore),
    native(SEMAPHORE, "ReleaseSemaphore_internal", wait_handles::release_semaphore),
];

/// The thread behind the runtime's part of a thread object.
fn thread_of_inner(m: &mut Machine, s: &State, inner: u64) -> Step<ThreadIndex> {
    let handle = match m.load_field(s, inner, "handle", Repr::I8)? {
        Value::I64(handle) => handle.cast_unsigned(),
        _ => 0,
    };
    s.threads.of_handle(handle).ok_or_else(|| unsupported(s, "a thread object without a thread"))
}

fn thread_of(m: &mut Machine, s: &State, object: u64) -> Step<ThreadIndex> {
    let place = m.field_place(s, object, "internal_thread")?;
    let inner = m.load_word(s, place)?;
    thread_of_inner(m, s, inner)
}

/// `(thread, delegate)`: the delegate takes what `Start` was given, or nothing.
fn start(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 0)?;
    let delegate = call.number(m, s, 1)?;
    let index = thread_of(m, s, object)?;
    let ty = m.object_type(s, delegate)?;
    let invoke = m.universe.methods_named(ty, "Invoke").map_err(|e| give_up(s, e.into()))?;
    let Some(invoke) = invoke.first().copied() else {
        return Err(unsupported(s, "the threads of this runtime"));
    };
    let params = m.universe.signature(invoke).map_err(|e| give_up(s, e.into()))?.params.len();
    let mut arguments = vec![Value::address(delegate)];
    if params > 0 {
        arguments.push(m.load_field(s, object, "m_ThreadStartArg", Repr::Ref)?);
    }
    let code = m.trampoline(invoke).map_err(|gap| give_up(s, gap))?;
    m.begin_thread(s, index, std::rc::Rc::new(code), arguments)?;
    m.returned(s, after, Some(Value::bool(true)))
}

/// The name is in the runtime's memory.
fn name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let inner = call.number(m, s, 0)?;
    let place = m.field_place(s, inner, "name_chars")?;
    let chars = m.load_word(s, place)?;
    if chars == 0 {
        return Ok(Some(Value::NULL));
    }
    let Value::I32(len) = m.load_field(s, inner, "name_length", Repr::I4)? else {
        return Err(unsupported(s, "a name of symbolic length"));
    };
    let mut units = Vec::new();
    for i in 0..len.max(0) as u64 {
        match m.load(s, chars + 2 * i, Repr::U2)? {
            Value::I32(unit) => units.push(unit as u16),
            _ => return Err(unsupported(s, "symbolic text")),
        }
    }
    m.allocate_string(s, &units).map(|text| Some(Value::address(text)))
}

/// `(thread, char* name, length)`.
fn set_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let inner = call.number(m, s, 0)?;
    let (chars, len) = (call.number(m, s, 1)?, call.number(m, s, 2)? as i32);
    let mut copy = 0;
    if chars != 0 && len > 0 {
        let bytes = m.load_bytes(s, chars, 2 * len as usize)?;
        copy = m.runtime_data(s, vec![0; 2 * len as usize]);
        m.store_bytes(s, copy, &bytes)?;
    }
    m.store_field(s, inner, "name_chars", Repr::I8, Value::address(copy))?;
    m.store_field(s, inner, "name_length", Repr::I4, Value::I32(len))?;
    Ok(None)
}

/// `ThreadState.Background` is the only one that a program sets.
const BACKGROUND: u64 = 4;

fn set_state(m: &mut Machine, s: &mut State, call: &Call, to: bool) -> Step<Option<Value>> {
    let inner = call.number(m, s, 0)?;
    let index = thread_of_inner(m, s, inner)?;
    if call.number(m, s, 1)? & BACKGROUND != 0
        && let Some(thread) = s.threads_mut().get_mut(index)
    {
        thread.background = to;
    }
    Ok(None)
}

/// `(manual, initially set, name, length, out error)`.
fn create_event(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if call.number(m, s, 2)? != 0 {
        return Err(unsupported(s, "a wait handle with a name, which other processes see"));
    }
    let event = Kernel::Event { manual: call.number(m, s, 0)? != 0, set: call.number(m, s, 1)? != 0 };
    let place = call.number(m, s, 4)?;
    m.store(s, place, Repr::I4, Value::I32(0))?;
    Ok(Some(Value::address(s.threads_mut().add_object(event))))
}

/// `(initially owned, name, length, out created)`.
fn create_mutex(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if call.number(m, s, 1)? != 0 {
        return Err(unsupported(s, "a wait handle with a name, which other processes see"));
    }
    let owned = call.number(m, s, 0)? != 0;
    let owner = owned.then_some(s.threads.current());
    let mutex = Kernel::Mutex { owner, count: u32::from(owned), abandoned: false };
    let place = call.number(m, s, 3)?;
    m.store(s, place, Repr::U1, Value::bool(true))?;
    Ok(Some(Value::address(s.threads_mut().add_object(mutex))))
}

/// `(count, maximum, name, length, out error)`.
fn create_semaphore(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if call.number(m, s, 2)? != 0 {
        return Err(unsupported(s, "a wait handle with a name, which other processes see"));
    }
    let semaphore =
        Kernel::Semaphore { count: call.number(m, s, 0)? as i32, max: call.number(m, s, 1)? as i32 };
    let place = call.number(m, s, 4)?;
    m.store(s, place, Repr::I4, Value::I32(0))?;
    Ok(Some(Value::address(s.threads_mut().add_object(semaphore))))
}
