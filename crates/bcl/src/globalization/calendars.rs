//! Calendars of a locale, and what they call things.

use culture::Globalization;

use super::INTEROP;
use super::cultures::ask;
use super::texts::{buffer, int, name, write, write_number, write_terminated};
use crate::table::{Entry, native, native_enter};
use vm::machine::{Flow, Machine, Step, push, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    native(INTEROP, "<GetCalendars>g____PInvoke|", calendars),
    native(INTEROP, "GetCalendars", calendars),
    native(INTEROP, "<GetCalendarInfo>g____PInvoke|", text),
    native(INTEROP, "GetCalendarInfo", text),
    native_enter(INTEROP, "<EnumCalendarInfo>g____PInvoke|", texts),
    native_enter(INTEROP, "EnumCalendarInfo", texts),
    native(INTEROP, "GetLatestJapaneseEra", |m, s, call| {
        int(ask(m, s, call, Globalization::latest_japanese_era)?)
    }),
    native(INTEROP, "<GetJapaneseEraStartDate>g____PInvoke|", era_start),
    native(INTEROP, "GetJapaneseEraStartDate", era_start),
];

/// `(locale, buffer, its capacity)`: how many there are.
fn calendars(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = name(m, s, call, 0)?;
    let (to, room) = (buffer(m, s, call, 1)?, call.number(m, s, 2)? as i32);
    let written = ask(m, s, call, |runtime| runtime.calendars(&locale, room))?;
    write(m, s, to, room.max(0) as usize, &written.units)?;
    int(written.returned)
}

/// `(locale, calendar, what, buffer, its capacity)`: a result code.
fn text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = name(m, s, call, 0)?;
    let (calendar, what) = (call.number(m, s, 1)? as u16, call.number(m, s, 2)? as i32);
    let (to, room) = (buffer(m, s, call, 3)?, call.number(m, s, 4)? as i32);
    let written = ask(m, s, call, |runtime| runtime.calendar_info(&locale, calendar, what, room))?;
    if written.returned == SUCCESS {
        write_terminated(m, s, to, room.max(0) as usize, &written.units)?;
    }
    int(written.returned)
}

const SUCCESS: i32 = 0;

/// `(callback, locale, calendar, what, context)`: the callback is called with each text and the context. The texts wait
/// in memory of the runtime's own, one after the other; an empty place ends them.
fn texts(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let locale = name(m, s, call, 1)?;
    let (calendar, what) = (call.number(m, s, 2)? as u16, call.number(m, s, 3)? as i32);
    let (success, found) = ask(m, s, call, |runtime| runtime.enum_calendar_info(&locale, calendar, what))?;
    if success == 0 || found.is_empty() {
        return m.returned(s, after, Some(Value::I32(success)));
    }
    let mut waiting = Vec::new();
    for word in [call.number(m, s, 0)?, call.number(m, s, 4)?, found.len() as u64] {
        waiting.extend(word.to_le_bytes());
    }
    for text in &found {
        let bytes: Vec<u8> = text.iter().chain(&[0]).flat_map(|unit| unit.to_le_bytes()).collect();
        waiting.extend(m.runtime_data(s, bytes).to_le_bytes());
    }
    let list = m.runtime_data(s, waiting);
    next_text(m, s, None, [list, 0])
}

/// Calls the callback with the next text, or is done.
fn next_text(m: &mut Machine, s: &mut State, _: Option<Value>, [list, at]: [u64; 2]) -> Step {
    let (callback, context) = (m.load_word(s, list)?, m.load_word(s, list + 8)?);
    if at == m.load_word(s, list + 16)? {
        push(s, Value::I32(1))?;
        return Ok(Flow::Next);
    }
    let text = m.load_word(s, list + 24 + 8 * at)?;
    let after = OnReturn::Model { then: next_text, data: [list, at + 1] };
    if let Some(method) = m.function_at(callback) {
        s.top.stack.extend([Value::address(text), Value::address(context)]);
        return m.invoke(s, method, 2, after);
    }
    call_delegate(m, s, callback, text, context, after)
}

/// .NET Core 3.1: a delegate that takes the text as a string.
fn call_delegate(
    m: &mut Machine,
    s: &mut State,
    delegate: u64,
    text: u64,
    context: u64,
    after: OnReturn,
) -> Step {
    let class = m.object_type(s, delegate)?;
    let (string, number) = (m.core_type(s, "System.String")?, m.core_type(s, "System.IntPtr")?);
    let invoke = m.universe.find_method(class, "Invoke", &[string, number]);
    let Some(invoke) = invoke.map_err(|error| crate::table::failed(s, error))? else {
        return Err(unsupported(s, "a callback that takes something else"));
    };
    let text = m.utf16_at(s, text)?;
    let text = m.string(s, &text)?;
    s.top.stack.extend([Value::address(delegate), Value::address(text), Value::address(context)]);
    m.invoke(s, invoke, 3, after)
}

/// `(era, out year, out month, out day)`
fn era_start(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let era = call.number(m, s, 0)? as i32;
    let (success, date) = ask(m, s, call, |runtime| runtime.japanese_era_start(era))?;
    for (index, part) in date.into_iter().enumerate() {
        let to = call.number(m, s, index + 1)?;
        write_number(m, s, to, part)?;
    }
    int(success)
}
