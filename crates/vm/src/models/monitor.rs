//! Locks: one thread runs, so a lock is a count of how often it was taken.

use std::rc::Rc;

use super::{Call, Entry, all, one, throws};
use crate::machine::{Machine, Step};
use crate::state::State;
use crate::stop::RuntimeException;
use crate::value::{Repr, Value};

const MONITOR: &str = "System.Threading.Monitor";

pub(super) const TABLE: &[Entry] = &[
    all(MONITOR, "TryEnter_FastPath", enter_fast),
    all(MONITOR, "TryEnter_FastPath_WithTimeout", enter_in_time),
    one(MONITOR, "ReliableEnter", "System.Object,System.Boolean&", enter_and_tell),
    all(MONITOR, "Exit_FastPath", exit_fast),
    all(MONITOR, "Exit_Slowpath", not_entered),
    all(MONITOR, "IsEnteredNative", is_entered),
    all("System.Threading.Thread", "FastPollGC", nothing),
    all("System.Threading.Thread", "SpinWaitInternal", nothing),
    all("System.Environment", "get_CurrentManagedThreadId", thread_id),
    all("Interop+Sys", "TryGetUInt32OSThreadId", thread_id),
    all("System.Threading.Thread", "get_OptimalMaxSpinWaitsPerSpinIteration", thread_id),
];

fn nothing(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(None)
}

fn thread_id(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(1)))
}

/// Results of the fast paths with a timeout (`EnterHelperResult`) and of leaving (`LeaveHelperAction`).
const USE_SLOW_PATH: i32 = 2;
const LEFT: i32 = 0;
const LEAVE_ERROR: i32 = 4;

pub(super) fn enter_fast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    if object == 0 {
        // The slow path throws.
        return Ok(Some(Value::bool(false)));
    }
    *Rc::make_mut(&mut s.locks).entry(object).or_insert(0) += 1;
    Ok(Some(Value::bool(true)))
}

fn enter_in_time(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if call.number(m, s, 0)? == 0 {
        return Ok(Some(Value::I32(USE_SLOW_PATH)));
    }
    enter_fast(m, s, call)
}

fn enter_and_tell(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let taken = call.number(m, s, 1)?;
    enter_fast(m, s, call)?;
    m.store(s, taken, Repr::U1, Value::bool(true))?;
    Ok(None)
}

pub(super) fn exit_fast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let locks = Rc::make_mut(&mut s.locks);
    match locks.get_mut(&object) {
        Some(count) if *count > 1 => *count -= 1,
        Some(_) => {
            locks.remove(&object);
        }
        None => return Ok(Some(Value::I32(LEAVE_ERROR))),
    }
    Ok(Some(Value::I32(LEFT)))
}

/// Leaving needs the slow path only if the lock is not held.
fn not_entered(m: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    throws(m, RuntimeException::SynchronizationLock)
}

fn is_entered(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    Ok(Some(Value::bool(s.locks.contains_key(&object))))
}
