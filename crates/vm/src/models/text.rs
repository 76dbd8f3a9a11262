//! Text made from values. The machine does not follow formatting yet: such text is a string whose contents are unknown,
//! which is enough for messages of exceptions; a path that looks into it ends as incomplete.

use types::MethodId;

use crate::machine::{Machine, Step};
use crate::models::{Model, Outcome};
use crate::state::State;
use crate::value::Value;

pub(super) const TABLE: &[(&str, Model)] = &[
    ("System.SR::GetResourceString(System.String)", resource),
    ("System.SR::GetResourceString(System.String,System.String)", resource),
];

/// Methods that put values into text, by type and name; all their overloads behave alike here.
pub(super) fn formats(owner: &str, name: &str) -> Option<Model> {
    match (owner, name) {
        ("System.String", "Format" | "Concat" | "Join") | ("System.SR", "Format") => Some(unknown_text),
        ("System.Runtime.CompilerServices.DefaultInterpolatedStringHandler", "ToStringAndClear") => {
            Some(unknown_text)
        }
        (
            "System.Runtime.CompilerServices.DefaultInterpolatedStringHandler",
            ".ctor" | "AppendLiteral" | "AppendFormatted",
        ) => Some(nothing),
        (
            "System.SByte" | "System.Byte" | "System.Int16" | "System.UInt16" | "System.Int32" | "System.UInt32"
            | "System.Int64" | "System.UInt64" | "System.Single" | "System.Double" | "System.Decimal"
            | "System.Boolean" | "System.Char" | "System.IntPtr" | "System.UIntPtr" | "System.Enum",
            "ToString",
        ) => Some(unknown_text),
        _ => None,
    }
}

/// Resource texts are not looked up; their key stands for them.
fn resource(_: &mut Machine, _: &mut State, args: Vec<Value>, _: MethodId) -> Step<Outcome> {
    Ok(Outcome::Return(args.into_iter().next()))
}

fn unknown_text(m: &mut Machine, s: &mut State, _: Vec<Value>, _: MethodId) -> Step<Outcome> {
    let text = m.opaque_string(s)?;
    Ok(Outcome::Return(Some(Value::address(text))))
}

fn nothing(_: &mut Machine, _: &mut State, _: Vec<Value>, _: MethodId) -> Step<Outcome> {
    Ok(Outcome::Return(None))
}
