//! Who and where a program is: the machine's name, the user, the system, the process.

use crate::answers::zero;
use crate::table::{Entry, all, native, one};
use vm::host::Platform;
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::program::string_array;
use vm::state::State;
use vm::value::{Repr, Value};

const SYSTEM: &str = "Interop+Sys";
const ENVIRONMENT: &str = "System.Environment";

pub(crate) const TABLE: &[Entry] = &[
    all(ENVIRONMENT, "GetProcessorCount", processors),
    all(ENVIRONMENT, "get_ProcessorCount", processors),
    // The host's launcher tells the class library.
    all("System.Runtime.InteropServices.RuntimeInformation", "get_RuntimeIdentifier", platform),
    all(ENVIRONMENT, "get_WorkingSet", memory_in_use),
    one(SYSTEM, "GetAllMountPoints", "", drives),
    native(SYSTEM, "GetPid", |m, s, call| Ok(Some(Value::I32(of(m, s, call)?.process.cast_signed())))),
    native(SYSTEM, "GetEUid", |_, _, _| Ok(Some(Value::I32(USER)))),
    native(SYSTEM, "GetEGid", |_, _, _| Ok(Some(Value::I32(USER)))),
    native(SYSTEM, "<GetGroups>g____PInvoke|", zero),
    native(SYSTEM, "GetOSArchitecture", |_, _, _| Ok(Some(Value::I32(X64)))),
    native(SYSTEM, "<GetHostName>g____PInvoke|", host_name),
    native(SYSTEM, "<GetProcessPath>g____PInvoke|", executable),
    native(SYSTEM, "<GetUnixRelease>g____PInvoke|", release),
    native(SYSTEM, "<GetUnixVersion>g____PInvoke|", version),
    native(SYSTEM, "<GetPwUidR>g____PInvoke|", account),
    native(SYSTEM, "<SysConf>g____PInvoke|", system_number),
];

/// The number of an ordinary user.
pub(crate) const USER: i32 = 1000;
/// `Architecture.X64`
const X64: i32 = 1;

fn of(m: &Machine, s: &State, call: &Call) -> Step<Platform> {
    m.host.platform().map_err(|denied| m.denied(s, call, &denied))
}

fn processors(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    // The class library asks for its own purposes too, and the machine runs one thread at a time.
    if m.is_asked_by_program(s) {
        let count = m.processors();
        return Ok(Some(m.value_of(count)));
    }
    let count = m.host.platform().map_or(1, |around| around.processors);
    let _ = (s, call);
    Ok(Some(Value::I32(count.cast_signed())))
}

fn platform(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    of(m, s, call)?;
    let units: Vec<u16> = "linux-x64".encode_utf16().collect();
    m.allocate_string(s, &units).map(|text| Some(Value::address(text)))
}

/// What the program's objects take.
fn memory_in_use(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    of(m, s, call)?;
    Ok(Some(Value::I64(s.heap.live_bytes().cast_signed())))
}

fn drives(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    of(m, s, call)?;
    let drives = string_array(m, s, &["/".to_owned()]).map_err(|gap| give_up(s, gap))?;
    Ok(Some(Value::address(drives)))
}

/// `(buffer, size)`
fn host_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = of(m, s, call)?.machine;
    let (to, size) = (call.number(m, s, 0)?, call.number(m, s, 1)? as usize);
    m.write_c_string(s, to, size, &name)?;
    Ok(Some(Value::I32(0)))
}

fn executable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let path = of(m, s, call)?.executable;
    Ok(Some(Value::address(m.new_c_string(s, &path))))
}

fn release(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let release = of(m, s, call)?.release;
    Ok(Some(Value::address(m.new_c_string(s, &release))))
}

/// `(buffer, its size*)`: what `uname -srv` says.
fn version(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let text = format!("Linux {}", of(m, s, call)?.release);
    let (to, size) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let room = m.load(s, size, Repr::I4)?;
    m.store(s, size, Repr::I4, Value::I32(text.len() as i32 + 1))?;
    let room = if let Value::I32(room) = room { room.max(0) as usize } else { 0 };
    let fits = m.write_c_string(s, to, room, &text)?;
    Ok(Some(Value::I32(if fits { 0 } else { -1 })))
}

/// `(number of the user, entry, buffer, its size)`. The layout is that of `Interop.Sys.Passwd`.
fn account(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let around = of(m, s, call)?;
    let entry = call.number(m, s, 1)?;
    let texts = [(0, around.user.as_str()), (8, ""), (24, ""), (32, around.home.as_str()), (40, "/bin/sh")];
    for (offset, text) in texts {
        let text = m.new_c_string(s, text);
        m.store(s, entry + offset, Repr::I8, Value::address(text))?;
    }
    m.store(s, entry + 16, Repr::I4, Value::I32(USER))?;
    m.store(s, entry + 20, Repr::I4, Value::I32(USER))?;
    Ok(Some(Value::I32(0)))
}

/// Ticks of the processor's clock per second, or the size of a page.
fn system_number(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    const CLOCK_TICKS: u64 = 1;
    let wanted = call.number(m, s, 0)?;
    Ok(Some(Value::I64(if wanted == CLOCK_TICKS { 100 } else { 4096 })))
}
