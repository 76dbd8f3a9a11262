//! The process and exceptions.

use crate::answers::{no, nothing, null, zero};
use crate::memory::blocks::{clear, copy};
use crate::process::clock::{file_time, milliseconds, milliseconds_32};
use crate::process::environment::variable_now;
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const EXCEPTION: &str = "System.Exception";
const TRACING: &str = "System.Diagnostics.Tracing.EventPipeInternal";
const DEBUGGER: &str = "System.Diagnostics.Debugger";

pub(crate) const TABLE: &[Entry] = &[
    native("System.Environment", "get_TickCount", milliseconds_32),
    native("System.Environment", "get_TickCount64", milliseconds),
    native("System.DateTime", "GetSystemTimeAsFileTime", file_time),
    native("Interop+Kernel32", "GetEnvironmentVariable", variable),
    native("System.Runtime.InteropServices.Marshal", "GetLastWin32Error", |_, _, _| {
        Ok(Some(Value::I32(NOT_FOUND)))
    }),
    native("System.Runtime.InteropServices.Marshal", "SetLastWin32Error", nothing),
    native("System.Runtime.RuntimeImports", "RhBulkMoveWithWriteBarrier", copy),
    native("System.Runtime.RuntimeImports", "RhZeroMemory", clear),
    native(EXCEPTION, "GetMethodFromStackTrace", thrower),
    native(EXCEPTION, "GetStackTracesDeepCopy", copy_traces),
    native(EXCEPTION, "SaveStackTracesFromDeepCopy", |m, s, c| {
        let exception = c.number(m, s, 0)?;
        m.store_field(s, exception, "_stackTrace", Repr::Ref, c.value(s, 1)?)?;
        Ok(None)
    }),
    native(EXCEPTION, "CopyStackTrace", |_, s, c| c.value(s, 0).map(Some)),
    native(EXCEPTION, "CopyDynamicMethods", |_, s, c| c.value(s, 0).map(Some)),
    native(TRACING, "CreateProvider", null),
    native(TRACING, "DeleteProvider", nothing),
    native(TRACING, "DefineEvent", null),
    native(TRACING, "EventActivityIdControl", zero),
    native("System.Diagnostics.Tracing.XplatEventLogger", "IsEventSourceLoggingEnabled", no),
    native(DEBUGGER, "get_IsAttached", no),
    native(DEBUGGER, "IsLogging", no),
    native(DEBUGGER, "Log", nothing),
];

/// What the system answers about a variable that is not set; nothing else that is modelled fails in this way.
const NOT_FOUND: i32 = 203;

/// `(name, char* buffer, size)`: the length of the value, or the room it needs.
fn variable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = m.string_at(s, name)?;
    let Some(value) = variable_now(m, s, call, &name)? else { return Ok(Some(Value::I32(0))) };
    let units: Vec<u16> = value.encode_utf16().collect();
    let (buffer, room) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    if units.len() as u64 >= room {
        return Ok(Some(Value::I32(units.len() as i32 + 1)));
    }
    for (i, unit) in units.iter().chain(&[0]).enumerate() {
        m.store(s, buffer + 2 * i as u64, Repr::U2, Value::I32(i32::from(*unit)))?;
    }
    Ok(Some(Value::I32(units.len() as i32)))
}

/// The method that threw: the class library passes the trace it has.
fn thrower(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let list = call.number(m, s, 0)?;
    let first = s.runtime.traces.get(&list).and_then(|trace| trace.first().copied());
    match first {
        Some(first) => Ok(Some(Value::address(m.method_stub(s, first.place.method)?))),
        None => Ok(Some(Value::NULL)),
    }
}

/// `(exception, out trace, out dynamic methods)`.
fn copy_traces(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let exception = call.number(m, s, 0)?;
    let trace = m.load_field(s, exception, "_stackTrace", Repr::Ref)?;
    let (first, second) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    m.store(s, first, Repr::Ref, trace)?;
    m.store(s, second, Repr::Ref, Value::NULL)?;
    Ok(None)
}
