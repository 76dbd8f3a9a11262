//! Signals: a program may register for them, and none ever comes.

use crate::answers::nothing;
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const SYSTEM: &str = "Interop+Sys";

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "GetPlatformSignalNumber", number),
    native(SYSTEM, "SetPosixSignalHandler", nothing),
    native(SYSTEM, "<EnablePosixSignalHandling>g____PInvoke|", |_, _, _| Ok(Some(Value::I32(1)))),
    native(SYSTEM, "DisablePosixSignalHandling", nothing),
    native(SYSTEM, "<InitializeTerminalAndSignalHandling>g____PInvoke|", |_, _, _| Ok(Some(Value::I32(1)))),
];

/// Linux's numbers of `PosixSignal.SIGHUP` (-1) and those below.
const NUMBERS: [i32; 10] = [1, 2, 3, 15, 17, 18, 28, 21, 22, 20];

fn number(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let signal = call.number(m, s, 0)? as i32;
    let known = usize::try_from(-1 - signal).ok().and_then(|index| NUMBERS.get(index).copied());
    let raw = if (1..=64).contains(&signal) { signal } else { 0 };
    Ok(Some(Value::I32(known.unwrap_or(raw))))
}
