//! The process: exit codes, command line, environment variables.

use std::rc::Rc;

use crate::process::assertions::ended;
use crate::process::errno::Process;
use crate::table::{Entry, all, native, one};
use verdict::{Assumption, Gap};
use vm::Input;
use vm::host::Output;
use vm::inputs::outside::{AskedVariables, Outside};
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::program::{ABORTED, string_array};
use vm::state::State;
use vm::stop::{PathEnd, Stop};
use vm::value::Value;

const ENVIRONMENT: &str = "System.Environment";
/// CoreCLR keeps the variables in a layer that looks like Windows.
const KERNEL: &str = "Interop+Kernel32";

pub(crate) const TABLE: &[Entry] = &[
    all(ENVIRONMENT, "_Exit", exit),
    all(ENVIRONMENT, "Exit", exit),
    all(ENVIRONMENT, "get_ExitCode", get_exit_code),
    all(ENVIRONMENT, "set_ExitCode", set_exit_code),
    all(ENVIRONMENT, "GetCommandLineArgs", command_line),
    one(ENVIRONMENT, "FailFast", "System.String", fail_fast),
    one(ENVIRONMENT, "FailFast", "System.String,System.Exception", fail_fast),
    all(ENVIRONMENT, "get_StackTrace", stack_trace),
    all(ENVIRONMENT, "GetEnvironmentVariableCore", variable),
    all(ENVIRONMENT, "GetEnvironmentVariableCore_NoArrayPool", variable),
    native(KERNEL, "<SetEnvironmentVariable>g____PInvoke|", set_variable),
    native(KERNEL, "GetEnvironmentStringsW", all_variables),
    native(KERNEL, "FreeEnvironmentStringsW", free_variables),
];

fn exit(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let code = call.number(m, s, 0)? as i32;
    if !m.mode().runs_program() {
        // Under exploration there is no process that could exit.
        return Err(give_up(s, Gap::native_call(m.universe.method_id(call.method))));
    }
    Err(Box::new(Stop::End(PathEnd::Exited(code))))
}

fn get_exit_code(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    if m.is_asked_by_program(s) && !s.runtime.exit_code_is_set {
        let code = m.surroundings("the exit code", 32, 0);
        return Ok(Some(m.value_of(code)));
    }
    Ok(Some(Value::I32(s.runtime.exit_code)))
}

fn set_exit_code(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    s.runtime.exit_code = call.number(m, s, 0)? as i32;
    s.runtime.exit_code_is_set = true;
    Ok(None)
}

fn command_line(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let texts = match m.host.command_line() {
        Ok(texts) => texts,
        Err(denied) => return Err(m.denied(s, call, &denied)),
    };
    let array = string_array(m, s, &texts).map_err(|gap| give_up(s, gap))?;
    Ok(Some(Value::address(array)))
}

fn variable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = m.string_at(s, name)?;
    if let Some(input) = variable_input(m, s, &name)? {
        return Ok(Some(input));
    }
    match variable_now(m, s, call, &name)? {
        Some(value) => {
            let units: Vec<u16> = value.encode_utf16().collect();
            let text = m.allocate_string(s, &units)?;
            Ok(Some(Value::address(text)))
        }
        None => Ok(Some(Value::NULL)),
    }
}

/// A variable that the method under test asks for is an input. One that a static constructor asks for is none: by the time of
/// a test it may have run.
fn variable_input(m: &mut Machine, s: &mut State, name: &str) -> Step<Option<Value>> {
    let is_changed = s.attached.get::<Process>().variables.contains_key(name);
    let is_plain = !name.is_empty() && !name.starts_with("DOTNET_") && !name.contains(['=', '\0']);
    let is_input = m.explores() && m.host.world().is_none() && !m.inputs.any_world && !is_usually_set(name);
    if is_changed || !is_plain || !is_input || !is_asked_for_by_method(m, s) {
        return Ok(None);
    }
    m.assume(Assumption::UsualEnvironment, |_| format!("the environment variable {name} stays what it is"));
    let name: Rc<str> = name.into();
    if !s.attached.get::<AskedVariables>().0.contains(&name) {
        s.attached.get_mut::<AskedVariables>().0.push(Rc::clone(&name));
    }
    outside_value(m, s, &Outside::Variable(name)).map(Some)
}

/// Whether code that is not the framework's asks, and no static constructor.
fn is_asked_for_by_method(m: &Machine, s: &State) -> bool {
    let mut frames = s.frames().map(|frame| frame.code.method);
    let is_environment = |method| {
        let owner = m.universe.definition(m.universe.method(method).owner);
        m.universe.type_name(owner) == ENVIRONMENT
    };
    let asker = frames.find(|method| !is_environment(*method));
    let is_own = |method| !m.is_framework(m.universe.definition(m.universe.method(method).owner));
    asker.is_some_and(is_own) && !frames.any(|method| m.universe.method(method).is_static_constructor())
}

/// A text from outside as a value.
pub(crate) fn outside_value(m: &mut Machine, s: &State, what: &Outside) -> Step<Value> {
    match m.outside_text(what).map_err(|gap| give_up(s, gap))? {
        Input::Reference { symbol, .. } => Ok(Value::Term(m.terms.var(symbol))),
        _ => Err(give_up(s, Gap::internal_error("a text that is no reference"))),
    }
}

/// The stack as text, this property first.
fn stack_trace(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if !m.mode().runs_program() {
        return Err(give_up(s, Gap::native_call(m.universe.method_id(call.method))));
    }
    let trace = m.trace_text(s.frames().map(vm::state::Frame::place).collect());
    let text = format!("   at System.Environment.get_StackTrace()\n{trace}");
    let units: Vec<u16> = text.encode_utf16().collect();
    m.allocate_string(s, &units).map(|text| Some(Value::address(text)))
}

/// `(name, value)`: null removes the variable.
fn set_variable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (name, value) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let name = m.wide_string(s, name)?;
    let value = if value == 0 { None } else { Some(m.wide_string(s, value)?) };
    s.attached.get_mut::<Process>().variables.insert(name, value);
    Ok(Some(Value::I32(1)))
}

/// `NAME=value`, each with a zero, and a zero at the end.
fn all_variables(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let given = m.host.variables().map_err(|denied| m.denied(s, call, &denied))?;
    let changed = &s.attached.get::<Process>().variables;
    let given = given.into_iter().filter(|(name, _)| !changed.contains_key(name));
    let set = changed.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
    let mut bytes = Vec::new();
    for (name, value) in given.chain(set) {
        bytes.extend(format!("{name}={value}\0").encode_utf16().flat_map(u16::to_le_bytes));
    }
    bytes.extend([0, 0]);
    Ok(Some(Value::address(m.runtime_data(s, bytes))))
}

fn free_variables(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (block, _) = vm::heap::split_address(call.number(m, s, 0)?);
    s.heap.free(block);
    Ok(Some(Value::I32(1)))
}

/// The message, and the end of the process.
fn fail_fast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if !m.mode().runs_program() {
        return ended(m, s, call);
    }
    let text = match call.number(m, s, 0)? {
        0 => String::new(),
        address => m.string_at(s, address)?,
    };
    let trace = m.trace_text(s.frames().map(vm::state::Frame::place).collect());
    let end = if m.flavor().is_core_3() { ' ' } else { '\n' };
    match m.host.write(Output::Error, format!("Process terminated.{end}{text}\n{trace}\n").as_bytes()) {
        Ok(()) => Err(Box::new(Stop::End(PathEnd::Exited(ABORTED)))),
        Err(denied) => Err(m.denied(s, call, &denied)),
    }
}

/// An environment variable as the program sees it now. Where nothing is told of the world, others than those that every
/// process has are not set: that is so for a test unless somebody sets them, and nothing is proven from it.
pub(crate) fn variable_now(m: &mut Machine, s: &State, call: &Call, name: &str) -> Step<Option<String>> {
    if let Some(changed) = s.attached.get::<Process>().variables.get(name) {
        return Ok(changed.clone());
    }
    if m.host.world().is_none() && m.explores() && !is_usually_set(name) {
        let detail = format!("the environment variable {name} is not set");
        // Settings of the runtime are nobody's input; any other variable is one that is not varied.
        if name.starts_with("DOTNET_") {
            m.assume(Assumption::UsualEnvironment, |_| detail);
        } else {
            m.inputs.limit(Gap::bound(format!("only runs are tried where {detail}")));
        }
        return Ok(None);
    }
    let given = m.host.variables().map_err(|denied| m.denied(s, call, &denied))?;
    Ok(given.into_iter().find(|(given, _)| given == name).map(|(_, value)| value))
}

/// Variables that most processes have, on one system or another.
fn is_usually_set(name: &str) -> bool {
    const USUAL: &[&str] = &[
        "ALLUSERSPROFILE",
        "APPDATA",
        "COMPUTERNAME",
        "COMSPEC",
        "DISPLAY",
        "DOTNET_ROOT",
        "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT",
        "HOME",
        "HOMEDRIVE",
        "HOMEPATH",
        "HOSTNAME",
        "LANG",
        "LANGUAGE",
        "LOCALAPPDATA",
        "LOGNAME",
        "NUMBER_OF_PROCESSORS",
        "OS",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "PROGRAMFILES(X86)",
        "PUBLIC",
        "PWD",
        "SHELL",
        "SHLVL",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TERM",
        "TMP",
        "TMPDIR",
        "TZ",
        "USER",
        "USERDOMAIN",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
    ];
    const GROUPS: &[&str] = &["LC_", "XDG_"];
    let name = name.to_ascii_uppercase();
    USUAL.contains(&name.as_str()) || GROUPS.iter().any(|group| name.starts_with(group))
}
