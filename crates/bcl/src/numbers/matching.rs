//! A sign of a culture at the start of a number's text. The class library reads one unit behind the sign to see its end:
//! behind a string there is a zero, but behind an array of bytes there is what the runtime keeps between objects, which
//! is zero as well. The machine has nothing between objects.

use crate::table::{Entry, enter};
use vm::bytes::Bits;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[enter("System.Number", "MatchChars", match_chars)];

/// Spaces that nobody can type: an ordinary one will do.
const NO_BREAK_SPACES: [i32; 2] = [0xa0, 0x202f];

/// `(text, its end, span of the sign)`: where the text goes on behind the sign, or null.
fn match_chars(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    // Older runtimes have it for strings alone, with a string as the sign.
    if m.universe.method(call.method).args.is_empty() {
        return m.enter_body(s, call, after);
    }
    let repr = call.generic_repr(m, s, 0)?;
    let Some((first, len)) = span(m, s, call)? else { return m.enter_body(s, call, after) };
    let (text, end) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let mut at = text;
    for i in 0..len {
        let sign = m.load(s, first + i * u64::from(repr.size()), repr)?;
        let found = if at < end { m.load(s, at, repr)? } else { Value::I32(0) };
        let (Value::I32(sign), Value::I32(found)) = (sign, found) else {
            return m.enter_body(s, call, after);
        };
        if sign == 0 && i > 0 {
            break;
        }
        let is_space = found == i32::from(b' ') && NO_BREAK_SPACES.contains(&sign);
        if sign == 0 || sign != found && !is_space {
            return m.returned(s, after, Some(Value::NULL));
        }
        at += u64::from(repr.size());
    }
    let found = if len == 0 { Value::NULL } else { Value::address(at) };
    m.returned(s, after, Some(found))
}

/// Where the sign begins and how long it is; none if that is not known.
fn span(m: &mut Machine, s: &State, call: &Call) -> Step<Option<(u64, u64)>> {
    let Value::Struct(span) = call.value(s, 2)? else { return Ok(None) };
    Ok(match (span.read(0, 8, &mut m.terms), span.read(8, 4, &mut m.terms)) {
        (Ok(Bits::Concrete(first)), Ok(Bits::Concrete(len))) => Some((first, len)),
        _ => None,
    })
}
