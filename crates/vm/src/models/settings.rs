//! Process-wide settings and seeds: the culture is invariant, tracing is off, random seeds are fixed.

use super::{Call, Entry, all, one};
use crate::machine::{Machine, Step, give_up};
use crate::state::State;
use crate::stop::Reason;
use crate::value::{Repr, Value};

const CONFIG: &str = "System.AppContextConfigHelper";

pub(super) const TABLE: &[Entry] = &[
    one(CONFIG, "GetBooleanConfig", "System.String,System.String,System.Boolean", boolean_setting),
    all(CONFIG, "GetInt16Config", default_number),
    all(CONFIG, "GetInt32Config", default_number),
    all("System.Diagnostics.Tracing.EventSource", "get_IsSupported", no),
    all("System.Diagnostics.Tracing.EventSource", "InitializeIsSupported", no),
    all("Interop", "GetRandomBytes", random_bytes),
    all("Interop+Sys", "GetNonCryptographicallySecureRandomBytes", random_bytes),
];

fn no(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(false)))
}

/// Name, name of the environment variable, default.
fn boolean_setting(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = String::from_utf16_lossy(&m.text(s, name)?);
    if name == "System.Globalization.Invariant" {
        return Ok(Some(Value::bool(true)));
    }
    call.value(s, 2).map(Some)
}

/// Name, perhaps the name of the environment variable, default, whether it may be negative.
fn default_number(_: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    call.value(s, call.args.len().saturating_sub(2)).map(Some)
}

/// Seeds of hash codes and of `Random`: in a run any bytes are right, so that runs repeat they are always the same. What is
/// proven must hold for all seeds, so exploration does not get any.
fn random_bytes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if !m.config.interpret_text {
        return Err(give_up(s, Reason::NativeCall(m.universe.method_id(call.method))));
    }
    let (to, len) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    for i in 0..len {
        let byte = (i.wrapping_mul(0x9e37_79b9) >> 3) as u8 ^ 0x5a;
        m.store(s, to + i, Repr::U1, Value::I32(i32::from(byte)))?;
    }
    Ok(None)
}
