//! Wait handles: events, semaphores and mutexes of the platform layer, and waiting for them.

use crate::answers::nothing;
use crate::process::errno::Process;
use smallvec::SmallVec;

use crate::table::{Entry, native, native_enter};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::threads::{Kernel, TIMED_OUT, Wait};
use vm::value::{Repr, Value};

const KERNEL: &str = "Interop+Kernel32";
const HANDLE: &str = "System.Threading.WaitHandle";

pub(crate) const TABLE: &[Entry] = &[
    native(KERNEL, "<CreateEventEx>g____PInvoke|", create_event),
    native(KERNEL, "<SetEvent>g____PInvoke|", |m, s, call| set_event(m, s, call, true)),
    native(KERNEL, "<ResetEvent>g____PInvoke|", |m, s, call| set_event(m, s, call, false)),
    native(KERNEL, "<CreateSemaphoreEx>g____PInvoke|", create_semaphore),
    native(KERNEL, "<ReleaseSemaphore>g____PInvoke|", release_semaphore),
    native(KERNEL, "<ReleaseMutex>g____PInvoke|", release_mutex),
    native(KERNEL, "<CloseHandle>g____PInvoke|", close),
    native("System.Threading.Mutex", "<CreateMutex>g____PInvoke|", create_mutex),
    native_enter(HANDLE, "<WaitOneCore>g____PInvoke|", wait_one),
    native_enter(HANDLE, "<WaitMultipleIgnoringSyncContext>g____PInvoke|", wait_multiple),
    native_enter(HANDLE, "SignalAndWait", signal_and_wait),
    native_enter("System.Threading.LowLevelLifoSemaphore", "<WaitNative>g____PInvoke|", wait_one),
    native("Interop+Sys", "LowLevelMonitor_Create", |_, s, _| {
        let free = Kernel::Mutex { owner: None, count: 0, abandoned: false };
        Ok(Some(Value::address(s.threads_mut().add_object(free))))
    }),
    native("Interop+Sys", "LowLevelMonitor_Destroy", nothing),
    native_enter("Interop+Sys", "LowLevelMonitor_Acquire", acquire),
    native("Interop+Sys", "LowLevelMonitor_Release", release),
    native("Interop+Sys", "LowLevelMonitor_Signal_Release", signal_and_release),
    native_enter("Interop+Sys", "LowLevelMonitor_Wait", wait_for_signal),
];

fn refuse_name(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<()> {
    match call.number(m, s, index)? {
        0 => Ok(()),
        _ => Err(unsupported(s, "a wait handle with a name, which other processes see")),
    }
}

/// Security, name, flags (1: manual reset, 2: set), access.
pub(crate) fn create_event(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    refuse_name(m, s, call, 1)?;
    let flags = call.number(m, s, 2)?;
    let event = Kernel::Event { manual: flags & 1 != 0, set: flags & 2 != 0 };
    Ok(Some(Value::address(s.threads_mut().add_object(event))))
}

pub(crate) fn set_event(m: &mut Machine, s: &mut State, call: &Call, to: bool) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let Some(Kernel::Event { set, .. }) = s.threads_mut().object_mut(handle) else {
        return Ok(Some(Value::I32(0)));
    };
    *set = to;
    if to {
        s.signalled();
    }
    Ok(Some(Value::I32(1)))
}

/// Security, initial count, maximal count, name, flags, access.
pub(crate) fn create_semaphore(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    refuse_name(m, s, call, 3)?;
    let semaphore =
        Kernel::Semaphore { count: call.number(m, s, 1)? as i32, max: call.number(m, s, 2)? as i32 };
    Ok(Some(Value::address(s.threads_mut().add_object(semaphore))))
}

const TOO_MANY_POSTS: i32 = 298;

/// Handle, how many more, where the count before goes to.
pub(crate) fn release_semaphore(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (handle, more) = (call.number(m, s, 0)?, call.number(m, s, 1)? as i32);
    let before = call.number(m, s, 2)?;
    let old = match s.threads_mut().object_mut(handle) {
        Some(Kernel::Semaphore { count, max }) if more > 0 && more <= *max - *count => {
            *count += more;
            *count - more
        }
        _ => {
            s.attached.get_mut::<Process>().error = TOO_MANY_POSTS;
            return Ok(Some(Value::I32(0)));
        }
    };
    if before != 0 {
        m.store(s, before, Repr::I4, Value::I32(old))?;
    }
    s.signalled();
    Ok(Some(Value::I32(1)))
}

/// Whether it is owned at once, name, …
fn create_mutex(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    refuse_name(m, s, call, 1)?;
    let owned = call.number(m, s, 0)? != 0;
    let owner = owned.then_some(s.threads.current());
    let mutex = Kernel::Mutex { owner, count: u32::from(owned), abandoned: false };
    Ok(Some(Value::address(s.threads_mut().add_object(mutex))))
}

pub(crate) fn release_mutex(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let released = leave_mutex(s, handle);
    Ok(Some(Value::I32(i32::from(released))))
}

fn leave_mutex(s: &mut State, handle: u64) -> bool {
    let me = s.threads.current();
    let Some(Kernel::Mutex { owner, count, .. }) = s.threads_mut().object_mut(handle) else { return false };
    if *owner != Some(me) {
        return false;
    }
    *count -= 1;
    if *count == 0 {
        *owner = None;
        s.signalled();
    }
    true
}

pub(crate) fn close(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    Ok(Some(Value::I32(i32::from(s.threads_mut().close_object(handle)))))
}

/// Handle, milliseconds, …
pub(crate) fn wait_one(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let handle = call.number(m, s, 0)?;
    let patience = call.number(m, s, 1)? as i32;
    wait(m, s, SmallVec::from_slice(&[handle]), false, patience, after)
}

/// Where the handles are, how many, whether for all, milliseconds.
pub(crate) fn wait_multiple(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (place, count) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let all = call.number(m, s, 2)? != 0;
    let patience = call.number(m, s, 3)? as i32;
    let mut handles = SmallVec::new();
    for index in 0..count {
        handles.push(m.load_word(s, place + 8 * index)?);
    }
    wait(m, s, handles, all, patience, after)
}

fn wait(
    m: &mut Machine,
    s: &mut State,
    handles: SmallVec<[u64; 2]>,
    all: bool,
    patience: i32,
    after: OnReturn,
) -> Step {
    let me = s.threads.current();
    let taken = s.threads_mut().try_take(&handles, all, me);
    match taken.or((patience == 0).then_some(TIMED_OUT)) {
        Some(answer) => m.returned(s, after, Some(Value::I32(answer))),
        None => m.block(s, Wait::Kernel { handles, all }, patience, after),
    }
}

/// What is signalled, what is waited for, milliseconds.
pub(crate) fn signal_and_wait(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (signal, handle) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let patience = call.number(m, s, 2)? as i32;
    let signalled = match s.threads_mut().object_mut(signal) {
        Some(Kernel::Event { set, .. }) => {
            *set = true;
            true
        }
        Some(Kernel::Semaphore { count, max }) => {
            *count += 1;
            *count <= *max
        }
        _ => leave_mutex(s, signal),
    };
    if !signalled {
        return Err(unsupported(s, "a signal that is refused"));
    }
    s.signalled();
    wait(m, s, SmallVec::from_slice(&[handle]), false, patience, after)
}

/// Monitors of the platform are locked like objects; their handles are no addresses.
fn acquire(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 0)?;
    if s.try_lock(object) {
        return m.returned(s, after, None);
    }
    m.block(s, Wait::Lock { object, count: 1, answer: None, taken: None }, -1, after)
}

fn release(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    s.unlock(handle);
    Ok(None)
}

fn signal_and_release(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    s.pulse(handle, 1);
    s.unlock(handle);
    Ok(None)
}

fn wait_for_signal(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 0)?;
    match s.unlock_wholly(object) {
        Some(count) => m.block(s, Wait::Pulse { object, count, answers: false }, -1, after),
        None => Err(unsupported(s, "a wait for a monitor that is not held")),
    }
}
