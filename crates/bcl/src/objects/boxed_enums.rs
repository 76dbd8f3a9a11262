//! Enums as objects: what the native parts of the older runtimes share.

use types::TypeId;

use crate::table::failed;
use vm::decode::repr_of;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::State;
use vm::value::Value;

/// Results of [`compare`]; the last one means that the types differ.
pub(crate) const EQUAL: i32 = 0;
const DIFFERENT_TYPES: i32 = 2;

/// Less, equal, greater, or not comparable.
pub(crate) fn compare(m: &mut Machine, s: &mut State, call: &Call) -> Step<i32> {
    let (this, other) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    if other == 0 {
        return Ok(1);
    }
    let ty = m.object_type(s, this)?;
    if m.object_type(s, other)? != ty {
        return Ok(DIFFERENT_TYPES);
    }
    let (a, b) = (enum_number(m, s, this)?, enum_number(m, s, other)?);
    Ok(a.cmp(&b) as i32)
}

pub(crate) fn compare_to(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    compare(m, s, call).map(|order| Some(Value::I32(order)))
}

/// The number in a boxed enum.
pub(crate) fn enum_number(m: &mut Machine, s: &State, object: u64) -> Step<i128> {
    let ty = m.object_type(s, object)?;
    let plain = m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let unsigned = matches!(m.universe.primitive(plain), Some(types::Primitive::U4 | types::Primitive::U8));
    Ok(match m.load(s, object, repr)? {
        Value::I32(v) if unsigned => i128::from(v.cast_unsigned()),
        Value::I32(v) => i128::from(v),
        Value::I64(v) if unsigned => i128::from(v.cast_unsigned()),
        Value::I64(v) => i128::from(v),
        _ => return Err(unsupported(s, "a symbolic enum as an object")),
    })
}

pub(crate) fn has_flag(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (this, flag) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let (this, flag) = (enum_number(m, s, this)? as u64, enum_number(m, s, flag)? as u64);
    Ok(Some(Value::bool(this & flag == flag)))
}

/// `(enum, long)`.
pub(crate) fn box_enum(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = match call.value(s, 1)? {
        Value::I64(value) if repr.size() < 8 => Value::I32(value as i32),
        value => value,
    };
    m.box_value(s, ty, repr, value).map(|object| Some(Value::address(object)))
}

/// The object of the type of its numbers.
pub(crate) fn underlying(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let inner = m.universe.enum_underlying(ty).map_err(|error| failed(s, error))?;
    crate::reflection::types::answer(m, s, inner)
}

/// Names and values of an enum's members, in the order of their declaration.
pub(crate) fn enum_literals(m: &Machine, s: &State, ty: TypeId) -> Step<Vec<(Box<str>, i64)>> {
    let mut members = Vec::new();
    for &field in m.universe.fields(ty).map_err(|error| failed(s, error))? {
        if m.universe.field(field).is_literal() {
            let constant = m.universe.field_constant(field).map_err(|error| failed(s, error))?;
            let value = constant.and_then(|constant| constant.integer()).unwrap_or(0);
            members.push((m.universe.field(field).name.clone(), value as i64));
        }
    }
    Ok(members)
}

/// An array with the values of an enum's members as numbers of a type.
pub(crate) fn array_of_values(
    m: &mut Machine,
    s: &mut State,
    number: TypeId,
    members: &[(Box<str>, i64)],
) -> Step<u64> {
    let repr = repr_of(&m.universe, number).map_err(|gap| give_up(s, gap))?;
    let size = u64::from(repr.size());
    let Some(values) = m.allocate_array(s, number, members.len() as u64)? else {
        return Err(unsupported(s, "so many members"));
    };
    for (i, (_, value)) in members.iter().enumerate() {
        let value = if size == 8 { Value::I64(*value) } else { Value::I32(*value as i32) };
        m.store(s, values + u64::from(ELEMENTS) + size * i as u64, repr, value)?;
    }
    Ok(values)
}

/// `string[]`.
pub(crate) fn array_of_names(m: &mut Machine, s: &mut State, members: &[(Box<str>, i64)]) -> Step<u64> {
    let string = m.universe.well_known().map_err(|error| failed(s, error))?.string;
    let mut names = Vec::new();
    for (name, _) in members {
        names.push(m.string(s, name)?);
    }
    m.object_array(s, string, &names)
}

/// `(enum, values, names, withNames)`: gives the members as numbers of a type.
pub(crate) fn give_members(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    number: TypeId,
    members: &[(Box<str>, i64)],
) -> Step<Option<Value>> {
    let values = array_of_values(m, s, number, members)?;
    call.give(m, s, 1, values)?;
    if call.number(m, s, 3)? != 0 {
        let names = array_of_names(m, s, members)?;
        call.give(m, s, 2, names)?;
    }
    Ok(None)
}
