//! Arrays made from a type that is only known at run time.

use crate::arrays::shape::integers;
use types::{Type, TypeId, Universe};

use crate::table::{Entry, all, enter_one, throws};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::value::{Repr, Value};

const ARRAY: &str = "System.Array";

pub(crate) const TABLE: &[Entry] = &[
    enter_one(
        ARRAY,
        "InternalCreate",
        "System.Runtime.CompilerServices.QCallTypeHandle,System.Int32,System.Int32*,System.Int32*,System.Boolean,System.Runtime.CompilerServices.ObjectHandleOnStack",
        create,
    ),
    all(ARRAY, "CreateInstanceMDArray", create_of_table),
];

/// Element or array type, rank, lengths, lower bounds or null, whether the type is that of the array, and where to put it.
fn create(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let handle = call.word(m, s, 0, 8)?;
    let ty = m.type_of_handle(s, handle)?;
    let rank = call.number(m, s, 1)?;
    if let Some(text) = unsupported_element(&m.universe, ty) {
        return m.throw_strings(s, "System.NotSupportedException", &[text]);
    }
    if let Some(text) = m.universe.dimensions_refusal(ty, rank as u32) {
        return m.throw_strings(s, "System.TypeLoadException", &[&text]);
    }
    let lengths = call.number(m, s, 2)?;
    let lengths = integers(m, s, lengths, rank)?;
    let lower = match call.number(m, s, 3)? {
        0 => vec![0; rank as usize],
        bounds => integers(m, s, bounds, rank)?,
    };
    let is_array_type = call.number(m, s, 4)? != 0;
    let array = match (m.universe.ty(ty), rank) {
        (Type::SzArray(_) | Type::Array { .. }, _) if is_array_type => Ok(ty),
        (_, 1) if lower.iter().all(|bound| *bound == 0) => m.universe.make_sz_array(ty),
        _ => m.universe.make_array(ty, rank as u32),
    };
    let array = array.map_err(|error| give_up(s, error.into()))?;
    let slot = call.word(m, s, 5, 0)?;
    put(m, s, array, &lower, &lengths, slot)?;
    m.returned(s, after, None)
}

/// What is said about arrays of elements that they cannot have.
fn unsupported_element(u: &Universe, ty: TypeId) -> Option<&'static str> {
    if matches!(u.ty(ty), Type::ByRef(_) | Type::Param { .. }) {
        return Some("Type is not supported.");
    }
    if u.primitive(ty) == Some(types::Primitive::Void) {
        return Some("Arrays of System.Void are not supported.");
    }
    if u.is_byref_like(ty) {
        return Some("Cannot create arrays of ByRef-like values.");
    }
    u.mentions_parameters(ty).then_some("Cannot create arrays of open type.")
}

/// Handle of the array's type, number of arguments, the lengths, and where to put it.
fn create_of_table(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.word(m, s, 0, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    let count = call.number(m, s, 1)?;
    let lengths = call.number(m, s, 2)?;
    let lengths = integers(m, s, lengths, count)?;
    let slot = call.word(m, s, 3, 0)?;
    put(m, s, ty, &vec![0; lengths.len()], &lengths, slot)
}

fn put(
    m: &mut Machine,
    s: &mut State,
    ty: TypeId,
    lower: &[i32],
    lengths: &[i32],
    slot: u64,
) -> Step<Option<Value>> {
    if lengths.iter().any(|len| *len < 0) {
        return throws(m, RuntimeException::Overflow);
    }
    let made = match (m.universe.ty(ty).clone(), lengths) {
        (Type::SzArray(element), [len]) => m.allocate_array(s, element, len.cast_unsigned().into())?,
        (Type::Array { elem, .. }, _) => {
            let bounds: Vec<(i32, i32)> = lower.iter().copied().zip(lengths.iter().copied()).collect();
            m.allocate_md_array(s, ty, elem, &bounds)?
        }
        _ => return Err(unsupported(s, "an array of another rank")),
    };
    let Some(array) = made else { return throws(m, RuntimeException::OutOfMemory) };
    m.store(s, slot, Repr::Ref, Value::address(array))?;
    Ok(None)
}
