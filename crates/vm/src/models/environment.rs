//! The process: exit codes, command line, environment variables.

use super::{Call, Entry, all, one};
use crate::host::Output;
use crate::machine::{Machine, Step, give_up};
use crate::program::{ABORTED, string_array};
use crate::state::State;
use crate::stop::{PathEnd, Reason, Stop};
use crate::value::Value;

const ENVIRONMENT: &str = "System.Environment";

pub(super) const TABLE: &[Entry] = &[
    all(ENVIRONMENT, "_Exit", exit),
    all(ENVIRONMENT, "Exit", exit),
    all(ENVIRONMENT, "get_ExitCode", get_exit_code),
    all(ENVIRONMENT, "set_ExitCode", set_exit_code),
    all(ENVIRONMENT, "GetCommandLineArgs", command_line),
    one(ENVIRONMENT, "FailFast", "System.String", fail_fast),
    one(ENVIRONMENT, "FailFast", "System.String,System.Exception", fail_fast),
    all(ENVIRONMENT, "GetEnvironmentVariableCore", variable),
    all(ENVIRONMENT, "GetEnvironmentVariableCore_NoArrayPool", variable),
    all(ENVIRONMENT, "GetProcessorCount", one_processor),
    all(ENVIRONMENT, "get_ProcessorCount", one_processor),
];

fn exit(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let code = call.number(m, s, 0)? as i32;
    if !m.config.uncaught_aborts {
        // Under exploration there is no process that could exit.
        return Err(give_up(s, Reason::NativeCall(m.universe.method_id(call.method))));
    }
    Err(Box::new(Stop::End(PathEnd::Exited(code))))
}

fn get_exit_code(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(s.exit_code)))
}

fn set_exit_code(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    s.exit_code = call.number(m, s, 0)? as i32;
    Ok(None)
}

fn command_line(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let texts = match m.host.command_line() {
        Ok(texts) => texts,
        Err(denied) => return Err(m.denied(s, call, &denied)),
    };
    let array = string_array(m, s, &texts).map_err(|reason| give_up(s, reason))?;
    Ok(Some(Value::address(array)))
}

fn variable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = m.string_at(s, name)?;
    match m.host.variable(&name) {
        Ok(Some(value)) => {
            let units: Vec<u16> = value.encode_utf16().collect();
            let text = m.allocate_string(s, &units)?;
            Ok(Some(Value::address(text)))
        }
        Ok(None) => Ok(Some(Value::NULL)),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

/// The machine runs one thread at a time.
fn one_processor(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(1)))
}

/// The message, and the end of the process.
fn fail_fast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let text = match call.number(m, s, 0)? {
        0 => String::new(),
        address => m.string_at(s, address)?,
    };
    let trace = m.trace_text(s.frames().map(crate::state::Frame::place).collect());
    let end = if m.framework().is_core_3() { ' ' } else { '\n' };
    match m.host.write(Output::Error, format!("Process terminated.{end}{text}\n{trace}\n").as_bytes()) {
        Ok(()) => Err(Box::new(Stop::End(PathEnd::Exited(ABORTED)))),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

impl Machine {
    /// What a stack that is too deep does to a process.
    pub(crate) fn stack_overflow(&mut self, s: &State) -> Box<Stop> {
        let trace = self.trace_text(s.frames().take(50).map(crate::state::Frame::place).collect());
        match self.host.write(Output::Error, format!("Stack overflow.\n{trace}\n").as_bytes()) {
            Ok(()) => Box::new(Stop::End(PathEnd::Exited(ABORTED))),
            Err(denied) => give_up(s, Reason::NativeCall(denied.0)),
        }
    }
}
