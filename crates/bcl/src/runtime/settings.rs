//! Process-wide settings and seeds: tracing is off, random seeds are fixed.

use crate::answers::no;
use crate::globalization::Cultures;
use crate::process::clock::random_bytes;
use crate::process::environment::variable_now;
use crate::table::{Entry, all, one};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const CONFIG: &str = "System.AppContextConfigHelper";

pub(crate) const TABLE: &[Entry] = &[
    one(CONFIG, "GetBooleanConfig", "System.String,System.String,System.Boolean", boolean_setting),
    all(CONFIG, "GetInt16Config", default_number),
    all(CONFIG, "GetInt32Config", default_number),
    all("System.Diagnostics.Tracing.EventSource", "get_IsSupported", no),
    all("System.Diagnostics.Tracing.EventSource", "InitializeIsSupported", no),
    all("Interop", "GetRandomBytes", random_bytes),
    all("Interop+Sys", "GetNonCryptographicallySecureRandomBytes", random_bytes),
];

/// Name, name of the environment variable, default.
fn boolean_setting(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = String::from_utf16_lossy(&m.text(s, name)?);
    if name == "System.Globalization.Invariant" {
        return Ok(Some(Value::bool(m.attached.get::<Cultures>().is_invariant())));
    }
    // The environment outweighs the configuration, where there is one.
    let variable = call.number(m, s, 1)?;
    let variable = String::from_utf16_lossy(&m.text(s, variable)?);
    let set = if m.host.world().is_some() { variable_now(m, s, call, &variable)? } else { None };
    let set = set.or_else(|| m.universe.probing().property(&name).map(str::to_owned));
    match set.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("true" | "1") => Ok(Some(Value::bool(true))),
        Some("false" | "0") => Ok(Some(Value::bool(false))),
        _ => call.value(s, 2).map(Some),
    }
}

/// Name, perhaps the name of the environment variable, default, whether it may be negative.
fn default_number(_: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    call.value(s, call.args.len().saturating_sub(2)).map(Some)
}
