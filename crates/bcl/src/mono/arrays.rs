//! `Array` and `Buffer`.

use types::Type;

use crate::arrays::shape::{Misfit, array_shape, dimension, integers_of, rank, store_object};
use crate::memory::blocks::{clear, copy};
use crate::table::{Entry, all, native, native_enter};
use vm::decode::repr_of;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::value::Value;

const ARRAY: &str = "System.Array";
const BUFFER: &str = "System.Buffer";
const IMPORTS: &str = "System.Runtime.RuntimeImports";

pub(crate) const TABLE: &[Entry] = &[
    // The library's own code counts on Mono's header of arrays.
    all(ARRAY, "GetRawSzArrayData", |m, s, c| {
        Ok(Some(Value::address(c.number(m, s, 0)? + u64::from(ELEMENTS))))
    }),
    native(ARRAY, "GetRank", rank),
    native_enter(ARRAY, "GetLength", |m, s, c, after| dimension(m, s, c, after, |(_, len)| len, beyond)),
    native_enter(ARRAY, "GetLowerBound", |m, s, c, after| {
        dimension(m, s, c, after, |(lower, _)| lower, beyond)
    }),
    native_enter(ARRAY, "GetValue", get_value),
    native_enter(ARRAY, "SetValue", set_value),
    native_enter(ARRAY, "GetValueImpl", get_at),
    native_enter(ARRAY, "SetValueImpl", set_at),
    native(ARRAY, "GetGenericValueImpl", get_generic),
    native(ARRAY, "SetGenericValueImpl", set_generic),
    native(ARRAY, "FastCopy", fast_copy),
    native_enter(ARRAY, "CreateInstanceImpl", create),
    native(ARRAY, "ClearInternal", clear_elements),
    native(BUFFER, "InternalBlockCopy", block_copy),
    native(BUFFER, "_ByteLength", byte_length),
    native(BUFFER, "InternalMemcpy", copy),
    native("System.Runtime.InteropServices.Marshal", "copy_from_unmanaged_fixed", |m, s, c| {
        marshal_copy(m, s, c, true)
    }),
    native("System.Runtime.InteropServices.Marshal", "copy_to_unmanaged_fixed", |m, s, c| {
        marshal_copy(m, s, c, false)
    }),
    native(IMPORTS, "Memmove", copy),
    native(IMPORTS, "Memmove_wbarrier", copy_elements),
    native(IMPORTS, "ZeroMemory", clear),
];

fn beyond(m: &mut Machine, s: &mut State) -> Step {
    m.throw_new(s, RuntimeException::IndexOutOfRange)
}

/// `(array, indices)`.
fn get_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    at_indices(m, s, call, 1, |m, s, call, position| boxed_at(m, s, call, position, after))
}

/// `(array, value, indices)`.
fn set_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    at_indices(m, s, call, 2, |m, s, call, position| store_at(m, s, call, position, after))
}

/// Goes on with the element of the array that the `int[]` in this argument names.
fn at_indices(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    argument: usize,
    then: impl FnOnce(&mut Machine, &mut State, &Call, u64) -> Step,
) -> Step {
    let (array, indices) = (call.number(m, s, 0)?, call.number(m, s, argument)?);
    if indices == 0 {
        return m.throw_strings(s, "System.ArgumentNullException", &["indices"]);
    }
    let indices = integers_of(m, s, indices)?;
    let shape = array_shape(m, s, array)?;
    if indices.len() != shape.bounds.len() {
        return m.throw_strings(s, "System.ArgumentException", &[]);
    }
    match shape.position(&indices) {
        Some(position) => then(m, s, call, position),
        None => m.throw_new(s, RuntimeException::IndexOutOfRange),
    }
}

fn get_at(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let array = call.number(m, s, 0)?;
    let index = call.number(m, s, 1)? as u32;
    if index >= array_shape(m, s, array)?.len {
        return m.throw_new(s, RuntimeException::IndexOutOfRange);
    }
    boxed_at(m, s, call, u64::from(index), after)
}

/// `(array, value, index)`.
fn set_at(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let array = call.number(m, s, 0)?;
    let index = call.number(m, s, 2)? as u32;
    if index >= array_shape(m, s, array)?.len {
        return m.throw_new(s, RuntimeException::IndexOutOfRange);
    }
    store_at(m, s, call, u64::from(index), after)
}

fn boxed_at(m: &mut Machine, s: &mut State, call: &Call, position: u64, after: OnReturn) -> Step {
    let array = call.number(m, s, 0)?;
    let shape = array_shape(m, s, array)?;
    let value = m.load(s, shape.at(position), shape.repr)?;
    let boxed = m.boxed(s, shape.element, value)?;
    m.returned(s, after, Some(boxed))
}

/// Stores argument 1.
fn store_at(m: &mut Machine, s: &mut State, call: &Call, position: u64, after: OnReturn) -> Step {
    let array = call.number(m, s, 0)?;
    let shape = array_shape(m, s, array)?;
    let object = call.number(m, s, 1)?;
    match store_object(m, s, shape.at(position), shape.element, object)? {
        Ok(()) => m.returned(s, after, None),
        Err(Misfit::Type) => m.throw_new(s, RuntimeException::InvalidCast),
        Err(Misfit::Narrower) => {
            m.throw_strings(s, "System.ArgumentException", &["not a widening conversion"])
        }
    }
}

/// `(array, index, out value)`.
fn get_generic(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let index = call.number(m, s, 1)?;
    let out = call.number(m, s, 2)?;
    let shape = array_shape(m, s, array)?;
    let value = m.load(s, shape.at(index), shape.repr)?;
    m.store(s, out, shape.repr, value)?;
    Ok(None)
}

/// `(array, index, ref value)`.
fn set_generic(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let index = call.number(m, s, 1)?;
    let from = call.number(m, s, 2)?;
    let shape = array_shape(m, s, array)?;
    let value = m.load(s, from, shape.repr)?;
    m.store(s, shape.at(index), shape.repr, value)?;
    Ok(None)
}

/// `(source, index, destination, index, length)`: false if elements have to be converted one by one.
fn fast_copy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (source, target) = (call.number(m, s, 0)?, call.number(m, s, 2)?);
    let (from, to) = (array_shape(m, s, source)?, array_shape(m, s, target)?);
    let start = call.number(m, s, 1)? as i32;
    let end = call.number(m, s, 3)? as i32;
    let count = call.number(m, s, 4)? as i32;
    // Indices count from the first element whatever the lower bounds are.
    let fits =
        |at: i32, len: u32| at >= 0 && count >= 0 && i64::from(at) + i64::from(count) <= i64::from(len);
    let values = m.universe.is_value_type(from.element) || m.universe.is_value_type(to.element);
    let same = from.element == to.element
        || !values
            && m.universe
                .is_assignable(from.element, to.element)
                .map_err(|error| give_up(s, error.into()))?;
    if !same || from.bounds.len() != to.bounds.len() || !fits(start, from.len) || !fits(end, to.len) {
        return Ok(Some(Value::bool(false)));
    }
    if count > 0 {
        let bytes = m.load_bytes(s, from.at(start as u64), count as usize * from.size() as usize)?;
        m.store_bytes(s, to.at(end as u64), &bytes)?;
    }
    Ok(Some(Value::bool(true)))
}

/// `(element type, int[] lengths, int[] lower bounds or null)`.
fn create(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_object(m, s, 0)?;
    let lengths = call.number(m, s, 1)?;
    let lengths = integers_of(m, s, lengths)?;
    let lower = match call.number(m, s, 2)? {
        0 => vec![0; lengths.len()],
        bounds => integers_of(m, s, bounds)?,
    };
    if matches!(m.universe.ty(ty), Type::Pointer(_) | Type::ByRef(_)) || m.universe.is_open(ty) {
        return Err(unsupported(s, "an array of such elements"));
    }
    if lengths.iter().any(|len| *len < 0) {
        return m.throw_strings(s, "System.ArgumentOutOfRangeException", &[]);
    }
    let made = if let ([len], [0]) = (&lengths[..], &lower[..]) {
        m.allocate_array(s, ty, *len as u64)?
    } else {
        let array = m.universe.make_array(ty, lengths.len() as u32);
        let array = array.map_err(|error| give_up(s, error.into()))?;
        let bounds: Vec<(i32, i32)> = lower.into_iter().zip(lengths).collect();
        m.allocate_md_array(s, array, ty, &bounds)?
    };
    match made {
        Some(array) => m.returned(s, after, Some(Value::address(array))),
        None => m.throw_new(s, RuntimeException::OutOfMemory),
    }
}

/// `(array, index, count)`, counted from the first element.
fn clear_elements(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let (index, count) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    let shape = array_shape(m, s, array)?;
    if count > 0 {
        m.fill_bytes(s, shape.at(index), count * shape.size(), 0)?;
    }
    Ok(None)
}

/// `(source, offset, destination, offset, count)`, all in bytes: false if it does not fit.
fn block_copy(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (source, target) = (call.number(m, s, 0)?, call.number(m, s, 2)?);
    let (from, to) = (array_shape(m, s, source)?, array_shape(m, s, target)?);
    let (start, end, count) = (call.number(m, s, 1)?, call.number(m, s, 3)?, call.number(m, s, 4)?);
    let fits = |at: u64, len: u32, size: u64| at + count <= u64::from(len) * size;
    let plain = |m: &Machine, ty| m.universe.primitive(ty).is_some() || m.universe.is_enum(ty);
    if !plain(m, from.element) || !plain(m, to.element) {
        return Ok(Some(Value::bool(false)));
    }
    if !fits(start, from.len, from.size()) || !fits(end, to.len, to.size()) {
        return Ok(Some(Value::bool(false)));
    }
    if count > 0 {
        let bytes = m.load_bytes(s, from.first + start, count as usize)?;
        m.store_bytes(s, to.first + end, &bytes)?;
    }
    Ok(Some(Value::bool(true)))
}

/// -1 if the elements are no primitives.
fn byte_length(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let shape = array_shape(m, s, array)?;
    if m.universe.primitive(shape.element).is_none() && !m.universe.is_enum(shape.element) {
        return Ok(Some(Value::I32(-1)));
    }
    Ok(Some(Value::I32((u64::from(shape.len) * shape.size()) as i32)))
}

/// `(pointer, index, array, count, first element)` into an array, `(array, index, pointer, count, first element)` out of
/// one.
fn marshal_copy(m: &mut Machine, s: &mut State, call: &Call, into: bool) -> Step<Option<Value>> {
    let (pointer, array) = if into { (0, 2) } else { (2, 0) };
    let (pointer, array) = (call.number(m, s, pointer)?, call.number(m, s, array)?);
    let (index, count) = (call.number(m, s, 1)?, call.number(m, s, 3)?);
    let shape = array_shape(m, s, array)?;
    let place = shape.at(index);
    let (from, to) = if into { (pointer, place) } else { (place, pointer) };
    if count > 0 {
        let bytes = m.load_bytes(s, from, (count * shape.size()) as usize)?;
        m.store_bytes(s, to, &bytes)?;
    }
    Ok(None)
}

/// `(destination, source, count, type)`.
fn copy_elements(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (to, from) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let count = call.number(m, s, 2)? & u64::from(u32::MAX);
    let ty = call.type_handle(m, s, 3)?;
    let size = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?.size();
    let len = count * u64::from(size);
    if len != 0 {
        let bytes = m.load_bytes(s, from, len as usize)?;
        m.store_bytes(s, to, &bytes)?;
    }
    Ok(None)
}
