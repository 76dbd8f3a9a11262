//! What is known of a locale: its names, numbers and formats.

use culture::{Error, Globalization, Written};

use super::INTEROP;
use super::cultures::{Cultures, ask};
use super::texts::{buffer, int, name, terminated, write, write_number, write_terminated};
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    native(INTEROP, "<GetLocaleName>g____PInvoke|", locale_name),
    native(INTEROP, "GetLocaleName", locale_name),
    native(INTEROP, "<GetLocaleInfoString>g____PInvoke|", text),
    native(INTEROP, "GetLocaleInfoString", text),
    native(INTEROP, "<GetLocaleTimeFormat>g____PInvoke|", time_format),
    native(INTEROP, "GetLocaleTimeFormat", time_format),
    native(INTEROP, "<GetLocaleInfoInt>g____PInvoke|", number),
    native(INTEROP, "GetLocaleInfoInt", number),
    native(INTEROP, "<GetLocaleInfoGroupingSizes>g____PInvoke|", groups),
    native(INTEROP, "GetLocaleInfoGroupingSizes", groups),
    native(INTEROP, "<IsPredefinedLocale>g____PInvoke|", is_predefined),
    native(INTEROP, "<GetDefaultLocaleName>g____PInvoke|", default_name),
    native(INTEROP, "GetDefaultLocaleName", default_name),
    native(INTEROP, "<GetLocales>g____PInvoke|", all_names),
    native(INTEROP, "GetLocales", all_names),
];

/// `(locale, buffer, its capacity)`
fn locale_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = name(m, s, call, 0)?;
    answer(m, s, call, 1, |runtime, room| runtime.locale_name(&locale, room))
}

/// `(locale, what, buffer, its capacity, the locale of the answer)`: the last is new since .NET Core 3.1.
fn text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (locale, what) = (name(m, s, call, 0)?, call.number(m, s, 1)? as u32);
    let ui = if call.args.len() > 4 { terminated(m, s, call, 4)? } else { None };
    answer(m, s, call, 2, |runtime, room| runtime.locale_info_string(&locale, what, room, ui.as_deref()))
}

/// `(locale, short?, buffer, its capacity)`
fn time_format(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (locale, is_short) = (name(m, s, call, 0)?, call.number(m, s, 1)? != 0);
    answer(m, s, call, 2, |runtime, room| runtime.locale_time_format(&locale, is_short, room))
}

/// A text for a buffer and its capacity, which are the argument of this number and the next.
fn answer(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    index: usize,
    question: impl FnOnce(&Globalization, i32) -> Result<Written, Error>,
) -> Step<Option<Value>> {
    let (to, room) = (buffer(m, s, call, index)?, call.number(m, s, index + 1)? as i32);
    let written = ask(m, s, call, |runtime| question(runtime, room))?;
    if written.returned != 0 {
        write_terminated(m, s, to, room.max(0) as usize, &written.units)?;
    }
    int(written.returned)
}

/// `(locale, what, out value)`
fn number(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (locale, what) = (name(m, s, call, 0)?, call.number(m, s, 1)? as u32);
    let (success, value) = ask(m, s, call, |runtime| runtime.locale_info_int(&locale, what))?;
    let to = call.number(m, s, 2)?;
    write_number(m, s, to, value)?;
    int(success)
}

/// `(locale, what, out first group, out other groups)`
fn groups(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (locale, what) = (name(m, s, call, 0)?, call.number(m, s, 1)? as u32);
    let (success, first, others) =
        ask(m, s, call, |runtime| runtime.locale_info_grouping_sizes(&locale, what))?;
    for (index, value) in [(2, first), (3, others)] {
        let to = call.number(m, s, index)?;
        write_number(m, s, to, value)?;
    }
    int(success)
}

fn is_predefined(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = name(m, s, call, 0)?;
    int(ask(m, s, call, |runtime| runtime.is_predefined_locale(&locale))?)
}

/// `(buffer, its capacity)`: the culture that the program starts in.
fn default_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (to, room) = (buffer(m, s, call, 0)?, call.number(m, s, 1)? as u32 as usize);
    let units: Vec<u16> = m.attached.get::<Cultures>().culture().encode_utf16().collect();
    write_terminated(m, s, to, room, &units)?;
    int(i32::from(units.len() < room))
}

/// `(buffer, its capacity)`: all names, each after its length; the length of it all.
fn all_names(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let written = ask(m, s, call, Globalization::locales_as_written)?;
    let (to, room) = (buffer(m, s, call, 0)?, call.number(m, s, 1)? as u32 as usize);
    if to != 0 && room >= written.units.len() {
        write(m, s, to, room, &written.units)?;
    }
    int(written.returned)
}
