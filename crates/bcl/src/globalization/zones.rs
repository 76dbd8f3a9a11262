//! Names of time zones. Their rules are files of the system, which the class library reads itself.

use super::INTEROP;
use super::cultures::ask;
use super::texts::{buffer, int, name, write_terminated};
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    native(INTEROP, "<GetTimeZoneDisplayName>g____PInvoke|", display_name),
    native(INTEROP, "GetTimeZoneDisplayName", display_name),
    native(INTEROP, "<WindowsIdToIanaId>g____PInvoke|", to_iana),
    native(INTEROP, "<IanaIdToWindowsId>g____PInvoke|", to_windows),
];

/// `(locale, zone, kind, buffer, its capacity)`: a result code.
fn display_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (locale, zone) = (name(m, s, call, 0)?, name(m, s, call, 1)?);
    let kind = call.number(m, s, 2)? as i32;
    let (to, room) = (buffer(m, s, call, 3)?, call.number(m, s, 4)? as i32);
    let written = ask(m, s, call, |runtime| runtime.time_zone_display_name(&locale, &zone, kind, room))?;
    write_terminated(m, s, to, room.max(0) as usize, &written.units)?;
    int(written.returned)
}

/// `(zone of Windows, region as UTF-8 or null, buffer, its capacity)`: the length of the name, 0 if there is none.
fn to_iana(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let zone = name(m, s, call, 0)?;
    let region = match call.number(m, s, 1)? {
        0 => None,
        address => Some(m.utf8_at(s, address)?.encode_utf16().collect::<Vec<u16>>()),
    };
    let (to, room) = (buffer(m, s, call, 2)?, call.number(m, s, 3)? as i32);
    let written = ask(m, s, call, |runtime| runtime.windows_id_to_iana_id(&zone, region.as_deref(), room))?;
    write_terminated(m, s, to, room.max(0) as usize, &written.units)?;
    int(written.returned)
}

/// `(zone of IANA, buffer, its capacity)`: the length of the name, 0 if there is none.
fn to_windows(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let zone = name(m, s, call, 0)?;
    let (to, room) = (buffer(m, s, call, 1)?, call.number(m, s, 2)? as i32);
    let written = ask(m, s, call, |runtime| runtime.iana_id_to_windows_id(&zone, room))?;
    write_terminated(m, s, to, room.max(0) as usize, &written.units)?;
    int(written.returned)
}
