//! Texts and buffers of native calls. Newer class libraries pass pointers; .NET Core 3.1 passes strings and arrays, which
//! the runtime would marshal.

use types::{Type, TypeId};
use verdict::Gap;
use vm::bytes::Bytes;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::State;
use vm::value::{Repr, Value};

use crate::table::failed;

/// As many characters as the next argument says.
pub fn counted(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<Vec<u16>> {
    let len = call.number(m, s, index + 1)? as u32 as usize;
    if len == 0 {
        return Ok(Vec::new());
    }
    let from = first_unit(m, s, call, index)?;
    let bytes = m.load_bytes(s, from, 2 * len)?;
    match bytes.concrete() {
        Some(bytes) => Ok(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()),
        None => {
            let gap = "a question about cultures with text that is not known";
            Err(give_up(s, Gap::native_call(gap)))
        }
    }
}

/// The address of the first character.
pub fn first_unit(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<u64> {
    let address = call.number(m, s, index)?;
    Ok(match is_string(m, s, call, index)? {
        true => address + u64::from(OFFSET_OF_CHARS),
        false => address,
    })
}

/// The first character follows the length.
const OFFSET_OF_CHARS: u32 = 4;

/// Up to its zero; none for null.
pub fn terminated(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<Option<Vec<u16>>> {
    let address = call.number(m, s, index)?;
    if address == 0 {
        return Ok(None);
    }
    if is_string(m, s, call, index)? {
        return m.text(s, address).map(Some);
    }
    let text = m.wide_string(s, address)?;
    Ok(Some(text.encode_utf16().collect()))
}

/// A name that must be there.
pub fn name(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<Vec<u16>> {
    Ok(terminated(m, s, call, index)?.unwrap_or_default())
}

/// The name of a locale that is passed as UTF-8, or as a string.
pub fn narrow_name(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<String> {
    let address = call.number(m, s, index)?;
    if address == 0 {
        return Ok(String::new());
    }
    match is_string(m, s, call, index)? {
        true => m.string_at(s, address),
        false => m.utf8_at(s, address),
    }
}

/// Where the elements of a buffer begin; 0 for null.
pub fn buffer(m: &Machine, s: &State, call: &Call, index: usize) -> Step<u64> {
    let address = call.number(m, s, index)?;
    let ty = parameter(m, s, call, index)?;
    Ok(match m.universe.ty(ty) {
        Type::SzArray(_) if address != 0 => address + u64::from(ELEMENTS),
        _ => address,
    })
}

/// At most as many characters as the buffer has room for.
pub fn write(m: &mut Machine, s: &mut State, to: u64, room: usize, units: &[u16]) -> Step<()> {
    let units = units.get(..room).unwrap_or(units);
    if units.is_empty() || to == 0 {
        return Ok(());
    }
    let bytes = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    m.store_bytes(s, to, &Bytes::from_vec(bytes))
}

/// A text and its zero, as far as there is room.
pub fn write_terminated(m: &mut Machine, s: &mut State, to: u64, room: usize, units: &[u16]) -> Step<()> {
    let with_zero: Vec<u16> = units.iter().copied().chain([0]).collect();
    write(m, s, to, room, &with_zero)
}

/// A number where a pointer leads, unless it is null.
pub fn write_number(m: &mut Machine, s: &mut State, to: u64, value: i32) -> Step<()> {
    match to {
        0 => Ok(()),
        to => m.store(s, to, Repr::I4, Value::I32(value)),
    }
}

pub fn int(value: i32) -> Step<Option<Value>> {
    Ok(Some(Value::I32(value)))
}

fn is_string(m: &Machine, s: &State, call: &Call, index: usize) -> Step<bool> {
    let ty = parameter(m, s, call, index)?;
    Ok(m.universe.well_known().is_ok_and(|known| known.string == ty))
}

fn parameter(m: &Machine, s: &State, call: &Call, index: usize) -> Step<TypeId> {
    let signature = m.universe.signature(call.method).map_err(|error| failed(s, error))?;
    signature.params.get(index).copied().ok_or_else(|| unsupported(s, "a native call with fewer parameters"))
}
