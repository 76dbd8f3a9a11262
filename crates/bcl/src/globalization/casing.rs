//! Upper and lower case as the runtime has it.

use culture::{Error, Globalization};

use super::INTEROP;
use super::cultures::ask;
use super::texts::{buffer, counted, write};
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    native(INTEROP, "<ChangeCase>g____PInvoke|", usual),
    native(INTEROP, "ChangeCase", usual),
    native(INTEROP, "<ChangeCaseInvariant>g____PInvoke|", invariant),
    native(INTEROP, "ChangeCaseInvariant", invariant),
    native(INTEROP, "<ChangeCaseTurkish>g____PInvoke|", turkish),
    native(INTEROP, "ChangeCaseTurkish", turkish),
    native(INTEROP, "InitOrdinalCasingPage", page),
];

fn usual(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    change(m, s, call, Globalization::change_case)
}

fn invariant(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    change(m, s, call, Globalization::change_case_invariant)
}

fn turkish(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    change(m, s, call, Globalization::change_case_turkish)
}

type Change = fn(&Globalization, &[u16], bool, i32) -> Result<Vec<u16>, Error>;

/// `(text, its length, buffer, its capacity, to upper?)`
fn change(m: &mut Machine, s: &mut State, call: &Call, change: Change) -> Step<Option<Value>> {
    let text = counted(m, s, call, 0)?;
    let (to, room) = (buffer(m, s, call, 2)?, call.number(m, s, 3)? as i32);
    let to_upper = call.number(m, s, 4)? != 0;
    let changed = ask(m, s, call, |runtime| change(runtime, &text, to_upper, room))?;
    write(m, s, to, room.max(0) as usize, &changed)?;
    Ok(None)
}

/// `(page, buffer of 256 characters)`
fn page(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (page, to) = (call.number(m, s, 0)? as u8, call.number(m, s, 1)?);
    let units = ask(m, s, call, |runtime| runtime.ordinal_casing_page(page))?;
    write(m, s, to, units.len(), &units)?;
    Ok(None)
}
