//! Text made from values. Unless `Config::interpret_text` is set, formatting is not followed: such text is a string whose
//! contents are unknown, which is enough for messages of exceptions; a path that looks into it ends as incomplete.

use super::{Call, Entry, all};
use crate::machine::{Machine, Step};
use crate::state::State;
use crate::value::Value;

const HANDLER: &str = "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler";

pub(super) const TABLE: &[Entry] = &[all("System.SR", "GetResourceString", resource)];

/// Skipped when text is interpreted.
pub(super) const OPAQUE: &[Entry] = &[
    all("System.SR", "Format", unknown_text),
    all("System.String", "Format", unknown_text),
    all("System.String", "Concat", unknown_text),
    all("System.String", "Join", unknown_text),
    all(HANDLER, ".ctor", nothing),
    all(HANDLER, "AppendLiteral", nothing),
    all(HANDLER, "AppendFormatted", nothing),
    all(HANDLER, "ToStringAndClear", unknown_text),
    all("System.SByte", "ToString", unknown_text),
    all("System.Byte", "ToString", unknown_text),
    all("System.Int16", "ToString", unknown_text),
    all("System.UInt16", "ToString", unknown_text),
    all("System.Int32", "ToString", unknown_text),
    all("System.UInt32", "ToString", unknown_text),
    all("System.Int64", "ToString", unknown_text),
    all("System.UInt64", "ToString", unknown_text),
    all("System.IntPtr", "ToString", unknown_text),
    all("System.UIntPtr", "ToString", unknown_text),
    all("System.Single", "ToString", unknown_text),
    all("System.Double", "ToString", unknown_text),
    all("System.Decimal", "ToString", unknown_text),
    all("System.Boolean", "ToString", unknown_text),
    all("System.Char", "ToString", unknown_text),
    all("System.Enum", "ToString", unknown_text),
];

/// Resource texts are not looked up; their key stands for them.
fn resource(_: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    call.value(s, 0).map(Some)
}

fn unknown_text(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    let text = m.opaque_string(s)?;
    Ok(Some(Value::address(text)))
}

fn nothing(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(None)
}
