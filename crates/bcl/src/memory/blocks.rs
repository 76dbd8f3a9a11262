//! Moving, clearing and filling memory: what CoreCLR does in native or vectorized code.

use crate::table::{Entry, all, one};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const SPANS: &str = "System.SpanHelpers";
const BUFFER: &str = "System.Buffer";
const UNSAFE: &str = "System.Runtime.CompilerServices.Unsafe";

pub(crate) const TABLE: &[Entry] = &[
    all(SPANS, "Memmove", copy),
    all(SPANS, "ClearWithoutReferences", clear),
    all(SPANS, "ClearWithReferences", clear_references),
    one(SPANS, "Fill", "T&,System.UIntPtr,T", fill),
    one(BUFFER, "Memmove", "System.Byte&,System.Byte&,System.UIntPtr", copy).unseen(".NET 5 to 8"),
    one(BUFFER, "Memmove", "System.Byte*,System.Byte*,System.UIntPtr", copy).unseen(".NET 5 to 8"),
    all(BUFFER, "MemmoveInternal", copy),
    all(BUFFER, "BulkMoveWithWriteBarrierInternal", copy),
    all(BUFFER, "BulkMoveWithWriteBarrier", copy),
    all(BUFFER, "ZeroMemoryInternal", clear),
    all(UNSAFE, "CopyBlock", copy),
    all(UNSAFE, "CopyBlockUnaligned", copy),
    all(UNSAFE, "InitBlock", init),
    all(UNSAFE, "InitBlockUnaligned", init),
    all(UNSAFE, "Copy", copy_value),
    all("System.Runtime.CompilerServices.CastHelpers", "WriteBarrier", store_reference),
];

/// Destination, source, length.
pub(crate) fn copy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if m.copy_range(s, &call.value(s, 0)?, &call.value(s, 1)?, &call.value(s, 2)?)? {
        return Ok(None);
    }
    let (to, from) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let len = call.number(m, s, 2)?;
    if len != 0 {
        let bytes = m.load_bytes(s, from, len as usize)?;
        m.store_bytes(s, to, &bytes)?;
    }
    Ok(None)
}

pub(crate) fn clear(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if m.fill_range(s, &call.value(s, 0)?, &call.value(s, 1)?, 1, None)? {
        return Ok(None);
    }
    let (to, len) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    m.fill_bytes(s, to, len, 0)?;
    Ok(None)
}

/// The length is a number of references.
fn clear_references(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if m.fill_range(s, &call.value(s, 0)?, &call.value(s, 1)?, Repr::Ref.size(), None)? {
        return Ok(None);
    }
    let (to, len) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    m.fill_bytes(s, to, len.wrapping_mul(8), 0)?;
    Ok(None)
}

fn init(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (to, byte) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let len = call.number(m, s, 2)? & u64::from(u32::MAX);
    m.fill_bytes(s, to, len, byte as u8)?;
    Ok(None)
}

fn fill(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = call.generic_repr(m, s, 0)?;
    let value = call.value(s, 2)?;
    if m.fill_range(s, &call.value(s, 0)?, &call.value(s, 1)?, repr.size(), Some((&value, repr)))? {
        return Ok(None);
    }
    let (to, count) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    for i in 0..count {
        m.store(s, to + i * u64::from(repr.size()), repr, value.clone())?;
    }
    Ok(None)
}

fn copy_value(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = call.generic_repr(m, s, 0)?;
    let (to, from) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let value = m.load(s, from, repr)?;
    m.store(s, to, repr, value)?;
    Ok(None)
}

fn store_reference(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let to = call.number(m, s, 0)?;
    let value = call.value(s, 1)?;
    m.store(s, to, Repr::Ref, value)?;
    Ok(None)
}
