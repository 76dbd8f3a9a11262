//! Locks: entering, leaving, waiting for a pulse.

use crate::answers::nothing;
use crate::table::{Entry, all, native, native_enter, one, throws};
use verdict::Gap;
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::threads::Wait;
use vm::value::{Repr, Value};

const MONITOR: &str = "System.Threading.Monitor";

pub(crate) const TABLE: &[Entry] = &[
    all(MONITOR, "TryEnter_FastPath", enter_fast),
    all(MONITOR, "TryEnter_FastPath_WithTimeout", enter_in_time),
    all(MONITOR, "Exit_FastPath", exit_fast),
    all(MONITOR, "Exit_Slowpath", not_entered),
    all(MONITOR, "IsEnteredNative", is_entered),
    all("System.Threading.Thread", "FastPollGC", nothing),
    all("System.Threading.Thread", "SpinWaitInternal", nothing),
    all("System.Environment", "get_CurrentManagedThreadId", thread_id),
    all("Interop+Sys", "TryGetUInt32OSThreadId", thread_id),
    all("System.Threading.Thread", "get_OptimalMaxSpinWaitsPerSpinIteration", one_spin),
];

/// Where there is one thread, nobody has to wait for a lock.
pub(crate) const ALONE: &[Entry] = &[
    one(MONITOR, "ReliableEnter", "System.Object,System.Boolean&", enter_and_tell),
    native(MONITOR, "Enter", nothing),
    native(MONITOR, "Exit", nothing),
];

/// With several threads.
pub(crate) const THREADS: &[Entry] = &[
    native_enter(MONITOR, "Enter_Slowpath", wait_for_lock),
    native_enter(MONITOR, "TryEnter_Slowpath", wait_for_lock_in_time),
    native_enter(MONITOR, "<Wait>g____PInvoke|", wait_for_pulse),
    native(MONITOR, "Pulse", |m, s, call| pulse(m, s, call, 1)),
    native(MONITOR, "PulseAll", |m, s, call| pulse(m, s, call, usize::MAX)),
    native(MONITOR, "GetLockContentionCount", |_, _, _| Ok(Some(Value::I64(0)))),
];

fn one_spin(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(1)))
}

fn thread_id(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    if m.is_asked_by_program(s) {
        // From 1 on.
        let number = m.surroundings("the thread", 24, 0);
        let (number, one) = (m.terms.zext(number, 32), m.terms.bv(32, 1));
        let number = m.terms.add(number, one);
        return Ok(Some(m.value_of(number)));
    }
    Ok(Some(Value::I32(s.threads.current_id())))
}

/// Results of the fast paths with a timeout (`EnterHelperResult`) and of leaving (`LeaveHelperAction`).
const ENTERED: i32 = 1;
const USE_SLOW_PATH: i32 = 2;
const LEFT: i32 = 0;
const LEAVE_ERROR: i32 = 4;

/// Null goes to the slow path, which throws.
pub(crate) fn enter_fast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    Ok(Some(Value::bool(object != 0 && s.try_lock(object))))
}

fn enter_in_time(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let entered = object != 0 && s.try_lock(object);
    Ok(Some(Value::I32(if entered { ENTERED } else { USE_SLOW_PATH })))
}

fn enter_and_tell(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (object, taken) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    s.try_lock(object);
    m.store(s, taken, Repr::U1, Value::bool(true))?;
    Ok(None)
}

pub(crate) fn exit_fast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    Ok(Some(Value::I32(if s.unlock(object) { LEFT } else { LEAVE_ERROR })))
}

/// Leaving needs the slow path only if the lock is not held.
fn not_entered(m: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    throws(m, RuntimeException::SynchronizationLock)
}

fn is_entered(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    Ok(Some(Value::bool(s.holds(object))))
}

/// The object behind an `ObjectHandleOnStack`.
fn object_on_stack(m: &mut Machine, s: &State, call: &Call) -> Step<u64> {
    let place = call.word(m, s, 0, 0)?;
    match m.load_word(s, place)? {
        0 => Err(give_up(s, Gap::invalid_code("a lock without an object"))),
        object => Ok(object),
    }
}

fn wait_for_lock(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = object_on_stack(m, s, call)?;
    m.block(s, Wait::Lock { object, count: 1, answer: None, taken: None }, -1, after)
}

fn wait_for_lock_in_time(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = object_on_stack(m, s, call)?;
    match call.number(m, s, 1)? as i32 {
        0 => m.returned(s, after, Some(Value::I32(0))),
        patience => {
            m.block(s, Wait::Lock { object, count: 1, answer: Some(1), taken: None }, patience, after)
        }
    }
}

fn wait_for_pulse(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = object_on_stack(m, s, call)?;
    let patience = call.number(m, s, 1)? as i32;
    wait_on(m, s, object, patience, after)
}

pub(crate) fn wait_on(m: &mut Machine, s: &mut State, object: u64, patience: i32, after: OnReturn) -> Step {
    match s.unlock_wholly(object) {
        Some(count) => m.block(s, Wait::Pulse { object, count, answers: true }, patience, after),
        None => throws(m, RuntimeException::SynchronizationLock),
    }
}

fn pulse(m: &mut Machine, s: &mut State, call: &Call, at_most: usize) -> Step<Option<Value>> {
    let object = object_on_stack(m, s, call)?;
    pulse_object(m, s, object, at_most)
}

pub(crate) fn pulse_object(
    m: &mut Machine,
    s: &mut State,
    object: u64,
    at_most: usize,
) -> Step<Option<Value>> {
    if !s.holds(object) {
        return throws(m, RuntimeException::SynchronizationLock);
    }
    s.pulse(object, at_most);
    Ok(None)
}
