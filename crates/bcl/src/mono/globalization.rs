//! Cultures and comparison of text: the culture is invariant.

use crate::answers::{no, null};
use crate::table::{Entry, native};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const CULTURE: &str = "System.Globalization.CultureInfo";

pub(crate) const TABLE: &[Entry] = &[
    native(CULTURE, "get_current_locale_name", null),
    native(CULTURE, "construct_internal_locale_from_lcid", no),
    native(CULTURE, "construct_internal_locale_from_name", no),
    native("System.Text.EncodingHelper", "InternalCodePage", |m, s, c| {
        let place = c.number(m, s, 0)?;
        m.store(s, place, Repr::I4, Value::I32(UTF8_CODE_PAGE))?;
        m.string(s, "utf_8").map(|text| Some(Value::address(text)))
    }),
    native("Interop+Sys", "DoubleToString", format_double),
];

/// The number of UTF-8 in Mono's list, and that the terminal uses it.
const UTF8_CODE_PAGE: i32 = 0x1000_0003;

/// `(value, char* format, char* buffer, length)`: `snprintf` with a format of the form `%.<digits>e`.
fn format_double(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let Value::F64(value) = call.value(s, 0)? else {
        return Err(unsupported(s, "the text of a symbolic number"));
    };
    let format = call.number(m, s, 1)?;
    let format = m.utf8_at(s, format)?;
    let digits =
        format.strip_prefix("%.").and_then(|f| f.strip_suffix('e')).and_then(|d| d.parse::<usize>().ok());
    let Some(digits) = digits else {
        return Err(unsupported(s, &format!("a number formatted by {format}")));
    };
    let text = c_exponent(value, digits);
    let (buffer, room) = (call.number(m, s, 2)?, call.number(m, s, 3)?);
    let kept = text.len().min(room.saturating_sub(1) as usize);
    for (i, byte) in text.as_bytes()[..kept].iter().chain(&[0]).enumerate() {
        m.store(s, buffer + i as u64, Repr::U1, Value::I32(i32::from(*byte)))?;
    }
    Ok(Some(Value::I32(text.len() as i32)))
}

/// `1.5e+00`: the exponent has a sign and at least two digits.
fn c_exponent(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(rest) => ('-', rest),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{exponent:0>2}")
}
