//! Arrays of any rank as native code sees them: bounds, elements, and the rules for moving values between them.

use types::{Primitive, Type, TypeId};

use vm::decode::repr_of;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::value::{Repr, Value};

/// What an array looks like.
pub(crate) struct Shape {
    pub element: TypeId,
    pub repr: Repr,
    /// Lower bound and length of each dimension.
    pub bounds: Vec<(i32, i32)>,
    /// Of all elements.
    pub len: u32,
    /// Address of the first element.
    pub first: u64,
}

impl Shape {
    pub fn lower(&self) -> i32 {
        self.bounds.first().map_or(0, |(lower, _)| *lower)
    }

    pub fn size(&self) -> u64 {
        u64::from(self.repr.size())
    }

    pub fn at(&self, index: u64) -> u64 {
        self.first + index * self.size()
    }

    /// The position of an element in row-major order; none if an index is out of its bounds.
    pub fn position(&self, indices: &[i32]) -> Option<u64> {
        let mut position = 0u64;
        for ((lower, len), index) in self.bounds.iter().zip(indices) {
            let index = i64::from(*index) - i64::from(*lower);
            if index < 0 || index >= i64::from(*len) {
                return None;
            }
            position = position * (*len as u64) + index as u64;
        }
        Some(position)
    }
}

pub(crate) fn array_shape(m: &mut Machine, s: &State, array: u64) -> Step<Shape> {
    let ty = m.object_type(s, array)?;
    let (element, rank) = match *m.universe.ty(ty) {
        Type::SzArray(element) => (element, None),
        Type::Array { elem, rank } => (elem, Some(rank)),
        _ => return Err(unsupported(s, "an array that is none")),
    };
    let repr = repr_of(&m.universe, element).map_err(|gap| give_up(s, gap))?;
    let len = m.array_len(s, array)?;
    let start = array + u64::from(ELEMENTS);
    let Some(rank) = rank else {
        return Ok(Shape { element, repr, bounds: vec![(0, len.cast_signed())], len, first: start });
    };
    let lengths = integers(m, s, start, rank.into())?;
    let lower = integers(m, s, start + 4 * u64::from(rank), rank.into())?;
    let bounds = lower.into_iter().zip(lengths).collect();
    Ok(Shape { element, repr, bounds, len, first: start + 8 * u64::from(rank) })
}

/// So many numbers from an address on: lengths, bounds or indices.
pub(crate) fn integers(m: &mut Machine, s: &State, at: u64, count: u64) -> Step<Vec<i32>> {
    let mut numbers = Vec::new();
    for index in 0..count {
        match m.load(s, at + 4 * index, Repr::I4)? {
            Value::I32(number) => numbers.push(number),
            _ => return Err(unsupported(s, "an array of symbolic bounds")),
        }
    }
    Ok(numbers)
}

/// The numbers in an `int[]`.
pub(crate) fn integers_of(m: &mut Machine, s: &State, array: u64) -> Step<Vec<i32>> {
    let count = m.array_len(s, array)?;
    integers(m, s, array + u64::from(ELEMENTS), count.into())
}

/// What an array says of the dimension in argument 1, from its lower bound and length; `beyond` throws if it has no such
/// dimension.
pub(crate) fn dimension(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    after: OnReturn,
    answer: fn((i32, i32)) -> i32,
    beyond: fn(&mut Machine, &mut State) -> Step,
) -> Step {
    let array = call.number(m, s, 0)?;
    if array == 0 {
        return m.throw_new(s, RuntimeException::NullReference);
    }
    let index = call.number(m, s, 1)? as u32;
    match array_shape(m, s, array)?.bounds.get(index as usize) {
        Some(bounds) => m.returned(s, after, Some(Value::I32(answer(*bounds)))),
        None => beyond(m, s),
    }
}

pub(crate) fn rank(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    Ok(Some(Value::I32(array_shape(m, s, array)?.bounds.len() as i32)))
}

/// Whether elements may be moved as bytes: same type, an enum and its integer, integers of one size that differ in
/// sign only, or references that need no check.
pub(crate) fn same_elements(m: &Machine, from: TypeId, to: TypeId) -> types::Result<bool> {
    let u = &m.universe;
    if from == to {
        return Ok(true);
    }
    if !u.is_value_type(from) && !u.is_value_type(to) {
        return u.is_assignable(from, to);
    }
    let plain = |ty| u.enum_underlying(ty).map(|inner| inner.unwrap_or(ty));
    let (a, b) = (u.primitive(plain(from)?), u.primitive(plain(to)?));
    Ok(a.is_some() && a.map(unsigned) == b.map(unsigned))
}

fn unsigned(primitive: Primitive) -> Primitive {
    match primitive {
        Primitive::I1 => Primitive::U1,
        Primitive::I2 => Primitive::U2,
        Primitive::I4 => Primitive::U4,
        Primitive::I8 => Primitive::U8,
        Primitive::I => Primitive::U,
        other => other,
    }
}

/// Whether a primitive widens to another, as reflection and `Array.Copy` see it.
pub(crate) fn widens(from: Primitive, to: Primitive) -> bool {
    use Primitive::{Boolean, Char, I, I1, I2, I4, I8, R4, R8, U, U1, U2, U4, U8, Void};
    if from == to {
        return true;
    }
    match from {
        Char => matches!(to, U2 | U4 | I4 | U8 | I8 | R4 | R8),
        I1 => matches!(to, I2 | I4 | I8 | R4 | R8),
        U1 => matches!(to, Char | U2 | I2 | U4 | I4 | U8 | I8 | R4 | R8),
        I2 => matches!(to, I4 | I8 | R4 | R8),
        U2 => matches!(to, Char | U4 | I4 | U8 | I8 | R4 | R8),
        I4 => matches!(to, I8 | R4 | R8),
        U4 => matches!(to, U8 | I8 | R4 | R8),
        I8 | U8 => matches!(to, R4 | R8),
        R4 => to == R8,
        Boolean | R8 | I | U | Void => false,
    }
}

/// Why an object cannot be stored in a place.
pub(crate) enum Misfit {
    /// It is of another type.
    Type,
    /// Its value would have to be made narrower, or an enum of a plain number.
    Narrower,
}

/// Stores an object into a place of some type, as `Array.SetValue` does: null clears, primitives widen.
pub(crate) fn store_object(
    m: &mut Machine,
    s: &mut State,
    address: u64,
    ty: TypeId,
    object: u64,
) -> Step<Result<(), Misfit>> {
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    if object == 0 {
        m.store(s, address, repr, repr.zero())?;
        return Ok(Ok(()));
    }
    let actual = m.object_type(s, object)?;
    if !m.universe.is_value_type(ty) {
        if !m.universe.is_assignable(actual, ty).map_err(|error| give_up(s, error.into()))? {
            return Ok(Err(Misfit::Type));
        }
        m.store(s, address, repr, Value::address(object))?;
        return Ok(Ok(()));
    }
    if actual == ty {
        let value = m.load(s, object, repr)?;
        m.store(s, address, repr, value)?;
        return Ok(Ok(()));
    }
    if m.universe.nullable_argument(ty).is_some() {
        return Err(unsupported(s, "a nullable set by reflection"));
    }
    let plain = |m: &Machine, ty| m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
    let (from, to) = (m.universe.primitive(plain(m, actual)), m.universe.primitive(plain(m, ty)));
    let (Some(from), Some(to)) = (from, to) else { return Ok(Err(Misfit::Type)) };
    // Mono lets plain numbers into arrays of enums.
    let is_number_for_enum = m.universe.is_enum(ty) && !m.universe.is_enum(actual);
    if !widens(from, to) || is_number_for_enum && m.flavor() != vm::Flavor::Mono {
        return Ok(Err(Misfit::Narrower));
    }
    let source = repr_of(&m.universe, actual).map_err(|gap| give_up(s, gap))?;
    let value = m.load(s, object, source)?;
    let Some(value) = widen(&value, from, to) else { return Err(unsupported(s, "a symbolic element")) };
    m.store(s, address, repr, value)?;
    Ok(Ok(()))
}

/// A widened value.
pub(crate) fn widen(value: &Value, from: Primitive, to: Primitive) -> Option<Value> {
    use Primitive::{I8, R4, R8, U4, U8};
    let wide = match value {
        Value::I32(v) if from == U4 => i128::from(v.cast_unsigned()),
        Value::I32(v) => i128::from(*v),
        Value::I64(v) if from == U8 => i128::from(v.cast_unsigned()),
        Value::I64(v) => i128::from(*v),
        Value::F32(v) => return Some(if to == R8 { Value::F64(f64::from(*v)) } else { Value::F32(*v) }),
        Value::F64(v) => return Some(Value::F64(*v)),
        Value::Term(_) | Value::Struct(_) => return None,
    };
    Some(match to {
        R4 => Value::F32(wide as f32),
        R8 => Value::F64(wide as f64),
        I8 | U8 | Primitive::I | Primitive::U => Value::I64(wide as i64),
        _ => Value::I32(wide as i32),
    })
}
