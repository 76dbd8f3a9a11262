//! How a locale compares, searches and sorts. A sort handle is a number of ours for the locale's name.

use culture::{Error, Found, Globalization};

use super::INTEROP;
use super::cultures::{Cultures, ask};
use super::texts::{buffer, counted, int, narrow_name, write_number};
use crate::answers::nothing;
use crate::table::{Entry, native};
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

pub(crate) const TABLE: &[Entry] = &[
    native(INTEROP, "<GetSortHandle>g____PInvoke|", open),
    native(INTEROP, "GetSortHandle", open),
    native(INTEROP, "CloseSortHandle", nothing),
    native(INTEROP, "GetSortVersion", version),
    native(INTEROP, "CompareString", compare),
    native(INTEROP, "IndexOf", |m, s, call| search(m, s, call, Globalization::index_of)),
    native(INTEROP, "LastIndexOf", |m, s, call| search(m, s, call, Globalization::last_index_of)),
    native(INTEROP, "<StartsWith>g____PInvoke|", starts_with),
    native(INTEROP, "StartsWith", starts_with),
    native(INTEROP, "<EndsWith>g____PInvoke|", ends_with),
    native(INTEROP, "EndsWith", ends_with),
    native(INTEROP, "GetSortKey", sort_key),
    native(INTEROP, "CompareStringOrdinalIgnoreCase", compare_ordinal),
    native(INTEROP, "IndexOfOrdinalIgnoreCase", index_of_ordinal),
];

/// `(locale, out handle)`: a result code.
fn open(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = narrow_name(m, s, call, 0)?;
    let code = ask(m, s, call, |runtime| runtime.sort_handle(&locale))?;
    let sorted = &mut m.attached.get_mut::<Cultures>().sorted;
    let place = sorted.iter().position(|known| *known == locale).unwrap_or_else(|| {
        sorted.push(locale);
        sorted.len() - 1
    });
    let to = call.number(m, s, 1)?;
    let handle = if code == 0 { place as u64 + 1 } else { 0 };
    m.store(s, to, Repr::I8, Value::address(handle))?;
    int(code)
}

/// The locale of a handle.
pub(super) fn locale(m: &Machine, s: &State, call: &Call) -> Step<String> {
    let handle = call.number(m, s, 0)?;
    let cultures = m.attached.get::<Cultures>();
    let place = usize::try_from(handle).ok().and_then(|handle| handle.checked_sub(1));
    let found = place.and_then(|place| cultures.sorted.get(place)).cloned();
    found.ok_or_else(|| unsupported(s, "a sort handle that is none"))
}

fn version(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = locale(m, s, call)?;
    int(ask(m, s, call, |runtime| runtime.sort_version(&locale))?)
}

/// `(handle, a, its length, b, its length, options)`
fn compare(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = locale(m, s, call)?;
    let options = call.number(m, s, 5)? as i32;
    let (a, b) = (counted(m, s, call, 1)?, counted(m, s, call, 3)?);
    int(ask(m, s, call, |runtime| runtime.compare_string(&locale, &a, &b, options))?)
}

type Search = fn(&Globalization, &str, &[u16], &[u16], i32) -> Result<Found, Error>;

fn starts_with(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    search(m, s, call, Globalization::starts_with)
}

fn ends_with(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    search(m, s, call, Globalization::ends_with)
}

/// `(handle, target, its length, source, its length, options, where to say how much matched)`
fn search(m: &mut Machine, s: &mut State, call: &Call, search: Search) -> Step<Option<Value>> {
    let locale = locale(m, s, call)?;
    let (target, source) = (counted(m, s, call, 1)?, counted(m, s, call, 3)?);
    let options = call.number(m, s, 5)? as i32;
    let found = ask(m, s, call, |runtime| search(runtime, &locale, &target, &source, options))?;
    if let (Some(matched), true) = (found.matched, call.args.len() > 6) {
        let to = call.number(m, s, 6)?;
        write_number(m, s, to, matched)?;
    }
    int(found.returned)
}

/// `(handle, text, its length, key, its capacity, options)`: the length of the key.
fn sort_key(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let locale = locale(m, s, call)?;
    let text = counted(m, s, call, 1)?;
    let options = call.number(m, s, 5)? as i32;
    let key = ask(m, s, call, |runtime| runtime.sort_key(&locale, &text, options))?;
    let (to, room) = (buffer(m, s, call, 3)?, call.number(m, s, 4)? as u32 as usize);
    if to != 0 && !key.is_empty() && room >= key.len() {
        m.store_bytes(s, to, &Bytes::from_vec(key.clone()))?;
    }
    int(key.len() as i32)
}

/// `(a, its length, b, its length)`
fn compare_ordinal(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (a, b) = (counted(m, s, call, 0)?, counted(m, s, call, 2)?);
    int(ask(m, s, call, |runtime| runtime.compare_string_ordinal_ignore_case(&a, &b))?)
}

/// `(target, its length, source, its length, from the end?)`
fn index_of_ordinal(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (target, source) = (counted(m, s, call, 0)?, counted(m, s, call, 2)?);
    let last = call.number(m, s, 4)? != 0;
    int(ask(m, s, call, |runtime| runtime.index_of_ordinal_ignore_case(&target, &source, last))?)
}
