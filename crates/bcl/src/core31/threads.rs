//! Threads, locks, wait handles and timers as .NET Core 3.1 asks the runtime for them (see [`crate::threads`]).

use crate::answers::{nothing, yes, zero};
use crate::table::{Entry, native, native_enter, throws};
use crate::threading::monitor;
use crate::threading::threads::{join_thread, start_thread, thread_of_object};
use crate::threading::wait_handles;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::{Call, ValueModel};
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::threads::{Kernel, Role, ThreadIndex, Wait};
use vm::value::{Repr, Value};

const THREAD: &str = "System.Threading.Thread";
const MONITOR: &str = "System.Threading.Monitor";
const POOL: &str = "System.Threading.ThreadPool";
const TIMERS: &str = "System.Threading.TimerQueue";
const KERNEL: &str = "Interop+Kernel32";
const HANDLE: &str = "System.Threading.WaitHandle";

pub(crate) const TABLE: &[Entry] = &[
    native_enter(MONITOR, "Enter", |m, s, call, after| enter(m, s, call, -1, None, after)),
    native_enter(MONITOR, "ReliableEnter", |m, s, call, after| enter(m, s, call, -1, Some(1), after)),
    native_enter(MONITOR, "ReliableEnterTimeout", |m, s, call, after| {
        let patience = call.number(m, s, 1)? as i32;
        enter(m, s, call, patience, Some(2), after)
    }),
    native(MONITOR, "Exit", exit),
    native_enter(MONITOR, "ObjWait", |m, s, call, after| {
        let (patience, object) = (call.number(m, s, 1)? as i32, call.number(m, s, 2)?);
        monitor::wait_on(m, s, object, patience, after)
    }),
    native(MONITOR, "ObjPulse", |m, s, call| {
        let object = call.number(m, s, 0)?;
        monitor::pulse_object(m, s, object, 1)
    }),
    native(MONITOR, "ObjPulseAll", |m, s, call| {
        let object = call.number(m, s, 0)?;
        monitor::pulse_object(m, s, object, usize::MAX)
    }),
    native(THREAD, "get_ManagedThreadId", |m, s, call| {
        let object = call.number(m, s, 0)?;
        m.load_field(s, object, "_managedThreadId", Repr::I4).map(Some)
    }),
    native(THREAD, "SetStart", set_start),
    native_enter(THREAD, "StartInternal", |m, s, call, after| {
        let index = this(m, s, call)?;
        start_older(m, s, index, after)
    }),
    native(THREAD, "Interrupt", |m, s, call| {
        let index = this(m, s, call)?;
        s.interrupt(index);
        Ok(None)
    }),
    native(THREAD, "InternalGetCurrentThread", |_, s, _| {
        Ok(Some(Value::address(vm::threads::thread_handle(s.threads.current()))))
    }),
    native(THREAD, "GetCurrentThreadNative", current_thread),
    native(THREAD, "InformThreadNameChange", nothing),
    native(THREAD, "get_IsAlive", |m, s, call| {
        let flags = flags(m, s, call)?;
        Ok(Some(Value::bool(flags & 0x18 == 0)))
    }),
    native(THREAD, "IsBackgroundNative", |m, s, call| {
        let flags = flags(m, s, call)?;
        Ok(Some(Value::bool(flags & 4 != 0)))
    }),
    native(THREAD, "SetBackgroundNative", |m, s, call| {
        let (index, background) = (this(m, s, call)?, call.number(m, s, 1)? != 0);
        if let Some(thread) = s.threads_mut().get_mut(index) {
            thread.background = background;
        }
        Ok(None)
    }),
    native(THREAD, "get_IsThreadPoolThread", |m, s, call| {
        let index = this(m, s, call)?;
        Ok(Some(Value::bool(s.threads.get(index).is_some_and(|thread| thread.role == Role::PoolWorker))))
    }),
    native(THREAD, "GetPriorityNative", |m, s, call| {
        let object = call.number(m, s, 0)?;
        m.load_field(s, object, "_priority", Repr::I4).map(Some)
    }),
    native(THREAD, "SetPriorityNative", |m, s, call| {
        let (object, priority) = (call.number(m, s, 0)?, call.value(s, 1)?);
        m.store_field(s, object, "_priority", Repr::I4, priority)?;
        Ok(None)
    }),
    native(THREAD, "GetThreadStateNative", |m, s, call| {
        flags(m, s, call).map(|flags| Some(Value::I32(flags)))
    }),
    native_enter(THREAD, "Join", |m, s, call, after| {
        let (index, patience) = (this(m, s, call)?, call.number(m, s, 1)? as i32);
        join_thread(m, s, index, patience, after)
    }),
    native(THREAD, "GetOptimalMaxSpinWaitsPerSpinIterationInternal", |_, _, _| Ok(Some(Value::I32(1)))),
    native(THREAD, "GetCurrentProcessorNumber", zero),
    native(POOL, "RequestWorkerThread", |_, s, _| {
        s.threads_mut().pool.requests += 1;
        Ok(Some(Value::I32(1)))
    }),
    native(POOL, "NotifyWorkItemComplete", yes),
    native(POOL, "NotifyWorkItemProgressNative", nothing),
    native(POOL, "ReportThreadStatus", nothing),
    native(POOL, "InitializeVMTp", |m, s, call| {
        let tracking = call.number(m, s, 0)?;
        m.store(s, tracking, Repr::U1, Value::I32(0))?;
        Ok(None)
    }),
    native(POOL, "get_PendingUnmanagedWorkItemCount", |_, _, _| Ok(Some(Value::I64(0)))),
    native(TIMERS, "CreateAppDomainTimer", create_timer),
    native(TIMERS, "ChangeAppDomainTimer", change_timer),
    native(TIMERS, "DeleteAppDomainTimer", yes),
    native_enter(HANDLE, "WaitOneCore", wait_handles::wait_one),
    native_enter(HANDLE, "WaitMultipleIgnoringSyncContext", wait_handles::wait_multiple),
    native_enter(HANDLE, "SignalAndWaitNative", wait_handles::signal_and_wait),
    native(KERNEL, "CreateEventEx", |m, s, call| wrapped(m, s, call, wait_handles::create_event)),
    native(KERNEL, "CreateSemaphoreEx", |m, s, call| wrapped(m, s, call, wait_handles::create_semaphore)),
    native(KERNEL, "CreateMutexEx", create_mutex),
    native(KERNEL, "SetEvent", |m, s, call| {
        let call = unwrapped(m, s, call)?;
        wait_handles::set_event(m, s, &call, true)
    }),
    native(KERNEL, "ResetEvent", |m, s, call| {
        let call = unwrapped(m, s, call)?;
        wait_handles::set_event(m, s, &call, false)
    }),
    native(KERNEL, "ReleaseSemaphore", |m, s, call| {
        let call = unwrapped(m, s, call)?;
        wait_handles::release_semaphore(m, s, &call)
    }),
    native(KERNEL, "ReleaseMutex", |m, s, call| {
        let call = unwrapped(m, s, call)?;
        wait_handles::release_mutex(m, s, &call)
    }),
    native(KERNEL, "CloseHandle", wait_handles::close),
];

/// In exploration, where there is one thread.
pub(crate) const ALONE: &[Entry] = &[native(THREAD, "GetCurrentThreadNative", current_thread)];

fn current_thread(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    let object = m.thread_object(s, s.threads.current())?;
    Ok(Some(Value::address(object)))
}

/// The thread of the object that a method is called on.
fn this(m: &mut Machine, s: &State, call: &Call) -> Step<ThreadIndex> {
    let object = call.number(m, s, 0)?;
    thread_of_object(m, s, object)
}

fn flags(m: &mut Machine, s: &State, call: &Call) -> Step<i32> {
    let index = this(m, s, call)?;
    Ok(s.threads.get(index).map_or(0, vm::threads::Thread::flags))
}

/// `taken`: which argument is the address of the byte that tells success.
pub(crate) fn enter(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    patience: i32,
    taken: Option<usize>,
    after: OnReturn,
) -> Step {
    let object = call.number(m, s, 0)?;
    if object == 0 {
        return m.throw_saying(s, RuntimeException::ArgumentNull, "obj");
    }
    let taken = taken.map(|index| call.number(m, s, index)).transpose()?;
    if s.try_lock(object) {
        if let Some(taken) = taken {
            m.store(s, taken, Repr::U1, Value::I32(1))?;
        }
        return m.returned(s, after, None);
    }
    if patience == 0 {
        return m.returned(s, after, None);
    }
    m.block(s, Wait::Lock { object, count: 1, answer: None, taken }, patience, after)
}

pub(crate) fn exit(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    match object {
        0 => throws(m, RuntimeException::ArgumentNull),
        _ if s.unlock(object) => Ok(None),
        _ => throws(m, RuntimeException::SynchronizationLock),
    }
}

/// The object, the delegate, the size of the stack.
fn set_start(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    m.store_field(s, object, "_delegate", Repr::Ref, call.value(s, 1)?)?;
    let index = s.threads_mut().add();
    m.identify(s, object, index)?;
    Ok(None)
}

/// The delegate is one of the class library's own: a method of the helper object that it is bound to.
fn start_older(m: &mut Machine, s: &mut State, index: ThreadIndex, after: OnReturn) -> Step {
    let object = s.threads.get(index).map_or(0, |thread| thread.object);
    let place = m.field_place(s, object, "_delegate")?;
    let delegate = m.load_word(s, place)?;
    if delegate == 0 {
        return start_thread(m, s, index, "", after);
    }
    let place = m.field_place(s, delegate, "_target")?;
    let helper = m.load_word(s, place)?;
    let class = m.object_type(s, helper)?;
    let kind = m.object_type(s, delegate)?;
    let parameter = m.universe.type_name(kind).ends_with("ParameterizedThreadStart");
    let object_type = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.object;
    let parameters: &[_] = if parameter { &[object_type] } else { &[] };
    let method = m.universe.find_method(class, "ThreadStart", parameters);
    let Ok(Some(method)) = method else { return Err(unsupported(s, "the threads of this runtime")) };
    let mut arguments = vec![Value::address(helper)];
    if parameter {
        arguments.push(m.load_field(s, object, "_threadStartArg", Repr::Ref)?);
    }
    m.store_field(s, object, "_delegate", Repr::Ref, Value::NULL)?;
    let code = m.code(method).map_err(|gap| give_up(s, gap))?;
    m.begin_thread(s, index, code, arguments)?;
    m.returned(s, after, None)
}

/// Milliseconds, the number of the queue of timers: a thread that sleeps until then and calls the queue.
fn create_timer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (due, queue) = (call.number(m, s, 0)? as u32, call.value(s, 1)?);
    let (index, sleep) = timer_thread(m, s, queue.clone(), due)?;
    let Value::I32(queue) = queue else { return Err(unsupported(s, "a timer without a number")) };
    let object = safe_handle(m, s, call, index as u64 + 1)?;
    s.threads_mut().older_timers.insert(object, (index, sleep, queue));
    Ok(Some(Value::address(object)))
}

fn change_timer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (object, due) = (call.number(m, s, 0)?, call.number(m, s, 1)? as u32);
    let Some((index, sleep, queue)) = s.threads.older_timers.get(&object).copied() else {
        return Ok(Some(Value::bool(false)));
    };
    s.threads_mut().cancel_sleep(index, sleep);
    let (index, sleep) = timer_thread(m, s, Value::I32(queue), due)?;
    s.threads_mut().older_timers.insert(object, (index, sleep, queue));
    Ok(Some(Value::bool(true)))
}

fn timer_thread(m: &mut Machine, s: &mut State, queue: Value, due: u32) -> Step<(ThreadIndex, u64)> {
    let class = m.core_type(s, TIMERS)?;
    let found = m.universe.methods_named(class, "AppDomainTimerCallback");
    let Some(method) = found.ok().and_then(|methods| methods.first().copied()) else {
        return Err(unsupported(s, "the timers of this runtime"));
    };
    let code = m.code(method).map_err(|gap| give_up(s, gap))?;
    let index = m.idle_worker(s)?;
    let sleep = m.begin_thread_later(s, index, code, vec![queue], due.cast_signed())?;
    Ok((index, sleep))
}

/// A kernel object inside of the managed object that the class library expects.
fn wrapped(m: &mut Machine, s: &mut State, call: &Call, create: ValueModel) -> Step<Option<Value>> {
    match create(m, s, call)? {
        Some(Value::I64(handle)) => {
            let object = safe_handle(m, s, call, handle.cast_unsigned())?;
            Ok(Some(Value::address(object)))
        }
        other => Ok(other),
    }
}

/// Security, name, flags (1: owned at once), access.
fn create_mutex(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if call.number(m, s, 1)? != 0 {
        return Err(unsupported(s, "a wait handle with a name, which other processes see"));
    }
    let owned = call.number(m, s, 2)? & 1 != 0;
    let owner = owned.then_some(s.threads.current());
    let handle =
        s.threads_mut().add_object(Kernel::Mutex { owner, count: u32::from(owned), abandoned: false });
    let object = safe_handle(m, s, call, handle)?;
    Ok(Some(Value::address(object)))
}

/// An object of the class of handles that the method returns.
fn safe_handle(m: &mut Machine, s: &mut State, call: &Call, handle: u64) -> Step<u64> {
    let class = m.universe.signature(call.method).map_err(|error| give_up(s, error.into()))?.ret;
    let object = m.allocate_instance(s, class)?;
    m.store_field(s, object, "handle", Repr::I8, Value::address(handle))?;
    m.store_field(s, object, "_state", Repr::I4, Value::I32(REFERENCED_ONCE))?;
    m.store_field(s, object, "_ownsHandle", Repr::U1, Value::I32(1))?;
    m.store_field(s, object, "_fullyInitialized", Repr::U1, Value::I32(1))?;
    Ok(object)
}

const REFERENCED_ONCE: i32 = 4;

/// The call with the handle in the place of the object around it.
fn unwrapped(m: &mut Machine, s: &mut State, call: &Call) -> Step<Call> {
    let object = call.number(m, s, 0)?;
    let handle = m.load_field(s, object, "handle", Repr::I8)?;
    let args = std::iter::once(handle).chain(call.args.iter().skip(1).cloned()).collect();
    Ok(Call { method: call.method, args })
}
