//! Text made from values. Unless `Config::interpret_text` is set, formatting is not followed: such text is a string whose
//! contents are made when somebody looks at them ([`vm::deferred_text`]), or are unknown for good; that is enough for
//! messages of exceptions, and a path that looks into unknown contents ends as incomplete.

use crate::answers::zero;
use crate::strings::interpolation::{is_fixed_provider, joined};
use crate::table::{Entry, all, enter, enter_one, one, others};
use verdict::Assumption;
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

/// Strings of an array that are put together later.
const MAX_TEXTS: i32 = 64;

pub(crate) const TABLE: &[Entry] = &[all("System.SR", "GetResourceString", resource)];

/// Skipped when text is interpreted.
pub(crate) const OPAQUE: &[Entry] = &[
    all("System.SR", "Format", unknown_text),
    one("System.String", "Concat", "System.String,System.String", later),
    one("System.String", "Concat", "System.String,System.String,System.String", later),
    one("System.String", "Concat", "System.String,System.String,System.String,System.String", later),
    enter_one("System.String", "Concat", "System.String[]", all_later),
    // Only says in which bucket a string lies, and never where a collection enumerates it.
    all("System.String", "GetNonRandomizedHashCode", zero),
    all("System.String", "GetNonRandomizedHashCodeOrdinalIgnoreCase", zero),
    one("System.SByte", "ToString", "", value_later),
    others("System.SByte", "ToString", text_of_value),
    one("System.Byte", "ToString", "", value_later),
    others("System.Byte", "ToString", text_of_value),
    one("System.Int16", "ToString", "", value_later),
    others("System.Int16", "ToString", text_of_value),
    one("System.UInt16", "ToString", "", value_later),
    others("System.UInt16", "ToString", text_of_value),
    one("System.Int32", "ToString", "", value_later),
    others("System.Int32", "ToString", text_of_value),
    one("System.UInt32", "ToString", "", value_later),
    others("System.UInt32", "ToString", text_of_value),
    one("System.Int64", "ToString", "", value_later),
    others("System.Int64", "ToString", text_of_value),
    one("System.UInt64", "ToString", "", value_later),
    others("System.UInt64", "ToString", text_of_value),
    all("System.IntPtr", "ToString", text_of_value),
    all("System.UIntPtr", "ToString", text_of_value),
    all("System.Single", "ToString", text_of_value),
    all("System.Double", "ToString", text_of_value),
    all("System.Decimal", "ToString", text_of_value),
    one("System.Boolean", "ToString", "", value_later),
    others("System.Boolean", "ToString", text_of_value),
    all("System.Enum", "ToString", unknown_text),
    enter("System.Globalization.CultureInfo", "set_CurrentCulture", another_culture),
];

/// Resource texts are not looked up; their key stands for them.
fn resource(_: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    s.path.guessed_text = true;
    call.value(s, 0).map(Some)
}

fn unknown_text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    note_format(m, s, call);
    let text = m.opaque_string(s)?;
    Ok(Some(Value::address(text)))
}

/// Text of the value that `this` points to, in some format: made when somebody looks at it if the value is known, and unknown
/// otherwise.
fn text_of_value(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let value = value_of_this(m, s, call)?;
    let provider = provider(m, s, call)?;
    if provider != 0 && !m.is_framework(m.object_type(s, provider)?) {
        return Err(unsupported(s, "formats that the program provides"));
    }
    let others = call.args.get(1..).unwrap_or_default();
    let is_known = value.concrete().is_some() && others.iter().all(|other| matches!(other, Value::I64(_)));
    if !is_known || !is_fixed_provider(m, s, provider)? {
        return unknown_text(m, s, call);
    }
    note_format(m, s, call);
    m.put_off(s, call.method, others.to_vec(), Some(value)).map(|text| Some(Value::address(text)))
}

/// Who provides the formats of a call, or null.
fn provider(m: &mut Machine, s: &State, call: &Call) -> Step<u64> {
    let wanted = m.core_type(s, "System.IFormatProvider")?;
    let signature = m.universe.signature(call.method).map_err(|error| give_up(s, error.into()))?;
    match signature.params.iter().position(|parameter| *parameter == wanted) {
        Some(index) => call.number(m, s, index + usize::from(signature.has_this)),
        None => Ok(0),
    }
}

fn value_of_this(m: &mut Machine, s: &State, call: &Call) -> Step<Bytes> {
    let owner = m.universe.method(call.method).owner;
    let size = m.universe.size_of(owner).map_err(|error| give_up(s, error.into()))?;
    let this = call.number(m, s, 0)?;
    m.load_bytes(s, this, size as usize)
}

/// Text that was put off is made in the culture of the moment when somebody looks at it, so that must be the same one.
fn another_culture(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    if !s.path.deferred.is_empty() {
        return Err(unsupported(s, "another culture after text was made"));
    }
    m.enter_body(s, call, after)
}

/// A format that nobody knows may be refused.
fn note_format(m: &mut Machine, s: &State, call: &Call) {
    let (Ok(signature), Ok(known)) = (m.universe.signature(call.method), m.universe.well_known()) else {
        return;
    };
    if &*m.universe.method(call.method).name != "ToString" {
        return;
    }
    let index = signature.params.iter().position(|parameter| *parameter == known.string);
    let Some(index) = index.map(|index| index + usize::from(signature.has_this)) else { return };
    let format = match call.args.get(index) {
        Some(Value::I64(0)) => return,
        Some(Value::I64(format)) => m.text(s, format.cast_unsigned()).ok(),
        _ => None,
    };
    if !format.is_some_and(|format| is_usual_format(&format)) {
        m.assume(Assumption::UsualText, |m| {
            format!("{} accepts its format", m.universe.method_id(call.method))
        });
    }
}

/// Formats that every number takes: `N`, `G`, `F`, `E`, `P` and `C` with or without a number of digits.
fn is_usual_format(format: &[u16]) -> bool {
    let Some((first, digits)) = format.split_first() else { return true };
    let is_letter = "CEFGNPcefgnp".encode_utf16().any(|letter| letter == *first);
    is_letter && digits.len() <= 2 && digits.iter().all(|unit| (0x30..=0x39).contains(unit))
}

/// Text of strings, made when somebody looks at it.
fn later(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    m.put_off(s, call.method, call.args.clone(), None).map(|text| Some(Value::address(text)))
}

/// Text of the value that `this` points to.
fn value_later(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let value = value_of_this(m, s, call)?;
    m.put_off(s, call.method, Vec::new(), Some(value)).map(|text| Some(Value::address(text)))
}

/// The texts of an array, one after the other.
fn all_later(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let array = call.number(m, s, 0)?;
    let known = if array == 0 { None } else { known_texts(m, s, array)? };
    let Some(texts) = known else { return m.enter_body(s, call, after) };
    let mut all = m.intern(s, &[])?;
    for text in texts {
        all = joined(m, s, all, text)?;
    }
    m.returned(s, after, Some(Value::address(all)))
}

/// The elements of an array of strings, if they are settled and few.
fn known_texts(m: &mut Machine, s: &State, array: u64) -> Step<Option<Vec<u64>>> {
    let Value::I32(len) = m.load(s, array, Repr::I4)? else { return Ok(None) };
    if len > MAX_TEXTS {
        return Ok(None);
    }
    let mut texts = Vec::new();
    for i in 0..len.max(0) as u64 {
        let element = m.load(s, array + u64::from(vm::ops::ELEMENTS) + 8 * i, Repr::Ref)?;
        match m.settled(s, &element).unwrap_or(element) {
            Value::I64(text) => texts.push(text.cast_unsigned()),
            _ => return Ok(None),
        }
    }
    Ok(Some(texts))
}
