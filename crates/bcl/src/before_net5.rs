//! Methods that the runtime implemented itself before .NET 5 and that have been CIL since.

use crate::answers::no;
use crate::table::{Entry, all, throws};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::State;
use vm::stop::RuntimeException;
use vm::value::{Repr, Value};

/// For methods without a body only.
pub(crate) const WITHOUT_BODY: &[Entry] = &[
    all("System.String", "get_Length", length),
    all("System.String", "get_Chars", char_at),
    all("System.Array", "get_Length", length),
    all("System.Array", "get_LongLength", long_length),
    all("System.Array", "GetRawArrayData", raw_data),
    all("System.Buffer", "__Memmove", copy),
];

/// Settings are not set. A reference as a field has CIL that only throws; the JIT knows
/// better.
pub(crate) const TABLE: &[Entry] = &[
    all("System.CLRConfig", "GetConfigBoolValue", no),
    all("System.Runtime.CompilerServices.RuntimeHelpers", "ObjectHasComponentSize", has_elements),
    all("System.ByReference`1", ".ctor", make_reference),
    all("System.ByReference`1", "get_Value", reference),
    all("System.Runtime.CompilerServices.RuntimeHelpers", "get_OffsetToStringData", offset_to_chars),
];

/// Strings and arrays begin with their length.
fn length(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    m.load(s, object, Repr::I4).map(Some)
}

fn long_length(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let len = m.load(s, object, Repr::I4)?;
    m.narrow(len, Repr::I8).map(Some)
}

fn char_at(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let string = call.number(m, s, 0)?;
    let index = call.number(m, s, 1)? as u32;
    match m.load(s, string, Repr::I4)? {
        Value::I32(len) if index >= len.cast_unsigned() => throws(m, RuntimeException::IndexOutOfRange),
        _ => m.load(s, string + u64::from(OFFSET_OF_CHARS) + 2 * u64::from(index), Repr::U2).map(Some),
    }
}

/// The first character follows the length.
const OFFSET_OF_CHARS: u32 = 4;

fn offset_to_chars(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(OFFSET_OF_CHARS.cast_signed())))
}

/// Strings and arrays.
fn has_elements(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let ty = m.object_type(s, object)?;
    let is_string = m.universe.well_known().is_ok_and(|known| known.string == ty);
    Ok(Some(Value::bool(is_string || m.universe.array_element(ty).is_some())))
}

fn raw_data(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::address(call.number(m, s, 0)? + u64::from(ELEMENTS))))
}

fn copy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (to, from, len) = (call.number(m, s, 0)?, call.number(m, s, 1)?, call.number(m, s, 2)?);
    if len != 0 {
        let bytes = m.load_bytes(s, from, len as usize)?;
        m.store_bytes(s, to, &bytes)?;
    }
    Ok(None)
}

fn make_reference(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let this = call.number(m, s, 0)?;
    let target = call.value(s, 1)?;
    m.store(s, this, Repr::I8, target)?;
    Ok(None)
}

fn reference(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let this = call.number(m, s, 0)?;
    m.load(s, this, Repr::I8).map(Some)
}
