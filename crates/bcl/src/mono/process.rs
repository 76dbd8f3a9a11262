//! The process: environment, exit codes, clock, debugger.

use crate::answers::{no, nothing, yes};
use crate::process::clock::{file_time, milliseconds, milliseconds_32};
use crate::process::environment::variable_now;
use crate::process::errno::Process;
use crate::table::{Entry, native};
use vm::host::Output;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::program::{ABORTED, string_array};
use vm::state::State;
use vm::stop::{PathEnd, Stop};
use vm::value::{Repr, Value};

const ENVIRONMENT: &str = "System.Environment";

pub(crate) const TABLE: &[Entry] = &[
    native(ENVIRONMENT, "get_Platform", |_, _, _| Ok(Some(Value::I32(UNIX)))),
    native(ENVIRONMENT, "GetNewLine", |m, s, _| m.string(s, "\n").map(|text| Some(Value::address(text)))),
    native(ENVIRONMENT, "get_HasShutdownStarted", no),
    native(ENVIRONMENT, "GetIs64BitOperatingSystem", yes),
    native(ENVIRONMENT, "GetPageSize", |_, _, _| Ok(Some(Value::I32(4096)))),
    native(ENVIRONMENT, "get_TickCount", milliseconds_32),
    native("System.Threading.Timer", "GetTimeMonotonic", |m, s, c| match milliseconds(m, s, c)? {
        Some(Value::I64(now)) => Ok(Some(Value::I64(now * 10_000))),
        other => Ok(other),
    }),
    native("System.Diagnostics.Stopwatch", "GetTimestamp", |m, s, c| match milliseconds(m, s, c)? {
        Some(Value::I64(now)) => Ok(Some(Value::I64(now * 10_000))),
        other => Ok(other),
    }),
    native("System.DateTime", "GetSystemTimeAsFileTime", file_time),
    native(ENVIRONMENT, "internalGetHome", |m, s, c| match m.host.platform() {
        Ok(platform) => m.string(s, &platform.home).map(|text| Some(Value::address(text))),
        Err(denied) => Err(m.denied(s, c, &denied)),
    }),
    native(ENVIRONMENT, "get_MachineName", |m, s, c| match m.host.platform() {
        Ok(platform) => m.string(s, &platform.machine).map(|text| Some(Value::address(text))),
        Err(denied) => Err(m.denied(s, c, &denied)),
    }),
    native(ENVIRONMENT, "get_UserName", |m, s, c| match m.host.platform() {
        Ok(platform) => m.string(s, &platform.user).map(|text| Some(Value::address(text))),
        Err(denied) => Err(m.denied(s, c, &denied)),
    }),
    native("System.Security.SecurityManager", "get_SecurityEnabled", no),
    native(ENVIRONMENT, "internalGetEnvironmentVariable_native", variable),
    native(ENVIRONMENT, "InternalSetEnvironmentVariable", set_variable),
    native(ENVIRONMENT, "GetEnvironmentVariableNames", variable_names),
    native(ENVIRONMENT, "GetCommandLineArgs", command_line),
    native(ENVIRONMENT, "FailFast", fail_fast),
    native("System.Diagnostics.Debugger", "IsAttached_internal", no),
    native("System.Diagnostics.Debugger", "IsLogging", no),
    native("System.Diagnostics.Debugger", "Log", nothing),
    native("Mono.Runtime", "GetDisplayName", |m, s, _| {
        m.string(s, "6.8.0.105").map(|text| Some(Value::address(text)))
    }),
    native("Mono.Runtime", "mono_runtime_install_handlers", nothing),
];

/// `PlatformID.Unix`.
const UNIX: i32 = 4;

/// The name is UTF-8 in the runtime's memory.
fn variable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = m.utf8_at(s, name)?;
    match variable_now(m, s, call, &name)? {
        Some(value) => m.string(s, &value).map(|text| Some(Value::address(text))),
        None => Ok(Some(Value::NULL)),
    }
}

/// `(char* name, length, char* value, length)`: no value removes it.
fn set_variable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let mut texts = Vec::new();
    for index in [0, 2] {
        let (chars, len) = (call.number(m, s, index)?, call.number(m, s, index + 1)? as i32);
        let mut units = Vec::new();
        for i in 0..len.max(0) as u64 {
            match m.load(s, chars + 2 * i, Repr::U2)? {
                Value::I32(unit) => units.push(unit as u16),
                _ => return Err(unsupported(s, "symbolic text")),
            }
        }
        texts.push((chars != 0 && len > 0).then(|| String::from_utf16_lossy(&units)));
    }
    let value = texts.pop().flatten();
    if let Some(name) = texts.pop().flatten() {
        s.attached.get_mut::<Process>().variables.insert(name, value);
    }
    Ok(None)
}

fn variable_names(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let given = match m.host.variables() {
        Ok(given) => given,
        Err(denied) => return Err(m.denied(s, call, &denied)),
    };
    let changed = &s.attached.get::<Process>().variables;
    let given = given.into_iter().map(|(name, _)| name).filter(|name| !changed.contains_key(name));
    let set = changed.iter().filter(|(_, value)| value.is_some()).map(|(name, _)| name.clone());
    let names: Vec<String> = given.chain(set).collect();
    let array = string_array(m, s, &names).map_err(|gap| vm::machine::give_up(s, gap))?;
    Ok(Some(Value::address(array)))
}

fn command_line(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let texts = match m.host.command_line() {
        Ok(texts) => texts,
        Err(denied) => return Err(m.denied(s, call, &denied)),
    };
    let array = string_array(m, s, &texts).map_err(|gap| vm::machine::give_up(s, gap))?;
    Ok(Some(Value::address(array)))
}

/// `(message, exception, source)`.
fn fail_fast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let text = match call.number(m, s, 0)? {
        0 => String::new(),
        address => m.string_at(s, address)?,
    };
    match m.host.write(Output::Error, format!("Process terminated.\n{text}\n").as_bytes()) {
        Ok(()) => Err(Box::new(Stop::End(PathEnd::Exited(ABORTED)))),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}
