//! Questions about enums that the class library answers by reflection.

use crate::table::{Entry, all, one};
use term::Term;
use types::{TypeId, Universe};
use vm::decode::repr_of;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

pub(crate) const TABLE: &[Entry] = &[
    all("System.Enum", "HasFlag", has_flag),
    one("System.Enum", "IsDefined", "TEnum", is_defined_generic),
    one("System.Enum", "IsDefined", "System.Type,System.Object", is_defined),
];

/// Both operands are boxed enums of one type.
fn has_flag(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (this, ty) = boxed(m, s, call, 0)?;
    let (flag, flag_type) = boxed(m, s, call, 1)?;
    if ty != flag_type {
        return Err(unsupported(s, "Enum.HasFlag between different enums"));
    }
    if let (Some(this), Some(flag)) = (number(&this), number(&flag)) {
        return Ok(Some(Value::bool(this & flag == flag)));
    }
    let (Some(this), Some(flag)) = (m.integer_term(&this), m.integer_term(&flag)) else {
        return Err(unsupported(s, "Enum.HasFlag"));
    };
    let both = m.terms.bvand(this, flag);
    let has = m.terms.eq(both, flag);
    truth(m, has)
}

fn is_defined_generic(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.generic(m, s, 0)?;
    let value = call.value(s, 0)?;
    is_member(m, s, ty, &value)
}

fn is_defined(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let named = call.number(m, s, 0)?;
    let (value, ty) = boxed(m, s, call, 1)?;
    let same = s.runtime.type_objects.iter().any(|(t, block)| *t == ty && block.address() == named);
    if !same || !m.universe.is_enum(ty) {
        return Err(unsupported(s, "Enum.IsDefined with a value that is not of the enum"));
    }
    is_member(m, s, ty, &value)
}

fn is_member(m: &mut Machine, s: &State, ty: TypeId, value: &Value) -> Step<Option<Value>> {
    let members = members(&m.universe, ty).map_err(|error| give_up(s, error.into()))?;
    if let Some(number) = number(value) {
        let width = if matches!(value, Value::I32(_)) { 32 } else { 64 };
        let mask = u64::MAX >> (64 - width);
        return Ok(Some(Value::bool(members.iter().any(|member| *member as u64 & mask == number & mask))));
    }
    let Some(value) = m.integer_term(value) else { return Err(unsupported(s, "Enum.IsDefined")) };
    let width = m.width(value);
    let mut any = m.terms.false_();
    for member in members {
        let member = m.terms.bv(width, member.cast_unsigned() & (u128::MAX >> (128 - width)));
        let is = m.terms.eq(value, member);
        any = m.terms.or(any, is);
    }
    truth(m, any)
}

/// The declared values of an enum.
fn members(universe: &Universe, ty: TypeId) -> types::Result<Vec<i128>> {
    let mut values = Vec::new();
    for &field in universe.fields(ty)?.iter().filter(|field| universe.field(**field).is_literal()) {
        values.extend(universe.field_constant(field)?.and_then(|constant| constant.integer()));
    }
    Ok(values)
}

/// A boxed enum's value, as wide as on the stack, and its type.
fn boxed(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<(Value, TypeId)> {
    let address = call.number(m, s, index)?;
    if address == 0 {
        return Err(unsupported(s, "a null enum"));
    }
    let ty = m.object_type(s, address)?;
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    Ok((m.load(s, address, repr)?, ty))
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::I32(v) => Some(u64::from(v.cast_unsigned())),
        Value::I64(v) => Some(v.cast_unsigned()),
        _ => None,
    }
}

fn truth(m: &mut Machine, condition: Term) -> Step<Option<Value>> {
    let bits = m.terms.bool_to_bv(condition, 32);
    Ok(Some(m.value_of(bits)))
}
