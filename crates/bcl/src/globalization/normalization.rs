//! Normal forms of Unicode, and domain names.

use culture::{Error, Globalization, Written};

use super::INTEROP;
use super::cultures::ask;
use super::texts::{buffer, counted, int, write};
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    native(INTEROP, "IsNormalized", is_normalized),
    native(INTEROP, "NormalizeString", |m, s, call| {
        convert(m, s, call, |runtime, how, text, room| {
            runtime.normalize_string(how.cast_signed(), text, room)
        })
    }),
    native(INTEROP, "ToAscii", |m, s, call| convert(m, s, call, Globalization::to_ascii)),
    native(INTEROP, "ToUnicode", |m, s, call| convert(m, s, call, Globalization::to_unicode)),
];

/// `(form, text, its length)`
fn is_normalized(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let form = call.number(m, s, 0)? as i32;
    let text = counted(m, s, call, 1)?;
    int(ask(m, s, call, |runtime| runtime.is_normalized(form, &text))?)
}

type Conversion = fn(&Globalization, u32, &[u16], i32) -> Result<Written, Error>;

/// `(form or flags, text, its length, buffer, its capacity)`: the length that is needed.
fn convert(m: &mut Machine, s: &mut State, call: &Call, convert: Conversion) -> Step<Option<Value>> {
    let how = call.number(m, s, 0)? as u32;
    let text = counted(m, s, call, 1)?;
    let (to, room) = (buffer(m, s, call, 3)?, call.number(m, s, 4)? as i32);
    let written = ask(m, s, call, |runtime| convert(runtime, how, &text, room))?;
    write(m, s, to, room.max(0) as usize, &written.units)?;
    int(written.returned)
}
