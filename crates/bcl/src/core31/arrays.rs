//! `Array` and `Buffer`.

use types::Type;

use crate::answers::{no, nothing};
use crate::arrays::shape::{
    Misfit, Shape, array_shape, dimension, integers, rank, same_elements, store_object, widen, widens,
};
use crate::exceptions::throwing::{throw_argument, throw_key, throw_null, throw_out_of_range};
use crate::table::{Entry, native, native_enter};
use vm::bytes::Bytes;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::value::{Repr, Value};

const ARRAY: &str = "System.Array";
const BUFFER: &str = "System.Buffer";

pub(crate) const TABLE: &[Entry] = &[
    native_enter(ARRAY, "Copy", copy),
    native_enter(ARRAY, "InternalCreate", create),
    native_enter(ARRAY, "GetLength", |m, s, c, a| dimension(m, s, c, a, |(_, len)| len, beyond)),
    native_enter(ARRAY, "GetLowerBound", |m, s, c, a| dimension(m, s, c, a, |(lower, _)| lower, beyond)),
    native_enter(ARRAY, "GetUpperBound", |m, s, c, a| {
        dimension(m, s, c, a, |(lower, len)| lower.wrapping_add(len).wrapping_sub(1), beyond)
    }),
    native(ARRAY, "get_Rank", rank),
    native(ARRAY, "GetElementSize", element_size),
    native_enter(ARRAY, "InternalGetReference", reference),
    native_enter(ARRAY, "InternalSetValue", set_value),
    native(ARRAY, "GetRawArrayGeometry", geometry),
    native(ARRAY, "Initialize", nothing),
    // The class library has slower ways that come to the same.
    native(ARRAY, "TrySZBinarySearch", no),
    native(ARRAY, "TrySZIndexOf", no),
    native(ARRAY, "TrySZLastIndexOf", no),
    native(ARRAY, "TrySZReverse", no),
    native(ARRAY, "TrySZSort", no),
    native_enter(BUFFER, "BlockCopy", block_copy),
    native(BUFFER, "IsPrimitiveTypeArray", is_primitive),
    native(BUFFER, "_ByteLength", byte_length),
    native("System.TypedReference", "InternalToObject", typed_to_object),
];

/// `(type, rank, lengths, lower bounds or null)`.
fn create(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_handle(m, s, 0)?;
    let rank = call.number(m, s, 1)?;
    let lengths = call.number(m, s, 2)?;
    let lengths = integers(m, s, lengths, rank)?;
    let lower = match call.number(m, s, 3)? {
        0 => vec![0; rank as usize],
        bounds => integers(m, s, bounds, rank)?,
    };
    if matches!(m.universe.ty(ty), Type::Pointer(_) | Type::ByRef(_)) || m.universe.is_byref_like(ty) {
        return throw_key(m, s, "System.NotSupportedException", "NotSupported_ByRefLikeArray");
    }
    if m.universe.primitive(ty) == Some(types::Primitive::Void) {
        return throw_key(m, s, "System.NotSupportedException", "NotSupported_VoidArray");
    }
    if m.universe.is_open(ty) {
        return throw_key(m, s, "System.NotSupportedException", "NotSupported_OpenType");
    }
    if lengths.iter().any(|len| *len < 0) {
        return m.throw_new(s, RuntimeException::Overflow);
    }
    let made = if rank == 1 && lower == [0] {
        m.allocate_array(s, ty, lengths.first().copied().unwrap_or(0) as u64)?
    } else {
        let array = m.universe.make_array(ty, rank as u32).map_err(|error| give_up(s, error.into()))?;
        let bounds: Vec<(i32, i32)> = lower.into_iter().zip(lengths).collect();
        m.allocate_md_array(s, array, ty, &bounds)?
    };
    match made {
        Some(array) => m.returned(s, after, Some(Value::address(array))),
        None => m.throw_new(s, RuntimeException::OutOfMemory),
    }
}

fn beyond(m: &mut Machine, s: &mut State) -> Step {
    throw_key(m, s, "System.IndexOutOfRangeException", "IndexOutOfRange_ArrayRankIndex")
}

fn element_size(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    Ok(Some(Value::I32(array_shape(m, s, array)?.size() as i32)))
}

/// `(array, out count, out size, out lower bound, out containsReferences)` gives the first element.
fn geometry(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let shape = array_shape(m, s, array)?;
    let references = match shape.repr {
        Repr::Ref => true,
        Repr::Struct { .. } => m.universe.contains_refs(shape.element).unwrap_or(true),
        _ => false,
    };
    for (index, number) in [(1, shape.len.cast_signed()), (2, shape.size() as i32), (3, shape.lower())] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::I4, Value::I32(number))?;
    }
    let place = call.number(m, s, 4)?;
    m.store(s, place, Repr::U1, Value::bool(references))?;
    Ok(Some(Value::address(shape.first)))
}

/// `(array, TypedReference*, rank, int* indices)`.
fn reference(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let array = call.number(m, s, 0)?;
    let place = call.number(m, s, 1)?;
    let rank = call.number(m, s, 2)?;
    let indices = call.number(m, s, 3)?;
    let indices = integers(m, s, indices, rank)?;
    let shape = array_shape(m, s, array)?;
    let Some(position) = shape.position(&indices) else {
        return m.throw_new(s, RuntimeException::IndexOutOfRange);
    };
    let class = m.core_type(s, "System.TypedReference")?;
    let value = u64::from(m.offset_of(s, class, &["_value", "Value"])?);
    let kind = u64::from(m.offset_of(s, class, &["_type", "Type"])?);
    let handle = m.type_handle(s, shape.element)?;
    m.store(s, place + value, Repr::I8, Value::address(shape.at(position)))?;
    m.store(s, place + kind, Repr::I8, Value::address(handle))?;
    m.returned(s, after, None)
}

/// Address and type of what a `TypedReference*` refers to.
fn typed(m: &mut Machine, s: &State, reference: u64) -> Step<(u64, types::TypeId)> {
    let class = m.core_type(s, "System.TypedReference")?;
    let value = u64::from(m.offset_of(s, class, &["_value", "Value"])?);
    let kind = u64::from(m.offset_of(s, class, &["_type", "Type"])?);
    let address = m.load_word(s, reference + value)?;
    let handle = m.load_word(s, reference + kind)?;
    Ok((address, m.type_of_handle(s, handle)?))
}

fn typed_to_object(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let reference = call.number(m, s, 0)?;
    let (address, ty) = typed(m, s, reference)?;
    let repr = vm::decode::repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = m.load(s, address, repr)?;
    m.boxed(s, ty, value).map(Some)
}

/// `(TypedReference* target, value)`.
fn set_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let reference = call.number(m, s, 0)?;
    let (address, ty) = typed(m, s, reference)?;
    let object = call.number(m, s, 1)?;
    match store_object(m, s, address, ty, object)? {
        Ok(()) => m.returned(s, after, None),
        Err(Misfit::Type) => throw_key(m, s, "System.InvalidCastException", "InvalidCast_StoreArrayElement"),
        Err(Misfit::Narrower) => throw_key(m, s, "System.ArgumentException", "Arg_PrimWiden"),
    }
}

/// What stands in the way of a copy of elements.
enum Obstacle {
    /// The types have nothing to do with each other.
    Type,
    /// An element is not of the destination's type.
    Element,
}

/// `(source, index, destination, index, length, reliable)`.
fn copy(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (source, target) = (call.number(m, s, 0)?, call.number(m, s, 2)?);
    if source == 0 || target == 0 {
        let name = if source == 0 { "sourceArray" } else { "destinationArray" };
        return throw_null(m, s, name, "ArgumentNull_Array");
    }
    let (from, to) = (array_shape(m, s, source)?, array_shape(m, s, target)?);
    if from.bounds.len() != to.bounds.len() {
        return throw_key(m, s, "System.RankException", "Rank_MustMatch");
    }
    let integer = |index: usize| call.number(m, s, index).map(|n| i64::from(n as i32));
    let (start, end, count) = (integer(1)?, integer(3)?, integer(4)?);
    let (start, end) = (start - i64::from(from.lower()), end - i64::from(to.lower()));
    if count < 0 {
        return throw_out_of_range(m, s, "length", "ArgumentOutOfRange_NeedNonNegNum");
    }
    if start < 0 {
        return throw_out_of_range(m, s, "sourceIndex", "ArgumentOutOfRange_ArrayLB");
    }
    if end < 0 {
        return throw_out_of_range(m, s, "destinationIndex", "ArgumentOutOfRange_ArrayLB");
    }
    if start + count > i64::from(from.len) {
        return throw_argument(m, s, "sourceArray", "Arg_LongerThanSrcArray");
    }
    if end + count > i64::from(to.len) {
        return throw_argument(m, s, "destinationArray", "Arg_LongerThanDestArray");
    }
    if count == 0 {
        return m.returned(s, after, None);
    }
    let (start, end, count) = (start as u64, end as u64, count as u64);
    let same = same_elements(m, from.element, to.element).map_err(|error| give_up(s, error.into()))?;
    if same {
        move_bytes(m, s, from.at(start), to.at(end), count * from.size())?;
        return m.returned(s, after, None);
    }
    let reliable = call.number(m, s, 5)? != 0;
    match copy_each(m, s, (&from, start), (&to, end), count, reliable)? {
        Ok(()) => m.returned(s, after, None),
        Err(Obstacle::Type) if reliable => {
            throw_key(m, s, "System.ArrayTypeMismatchException", "ArrayTypeMismatch_ConstrainedCopy")
        }
        Err(Obstacle::Type) => {
            throw_key(m, s, "System.ArrayTypeMismatchException", "ArrayTypeMismatch_CantAssignType")
        }
        Err(Obstacle::Element) => {
            throw_key(m, s, "System.InvalidCastException", "InvalidCast_DownCastArrayElement")
        }
    }
}

fn move_bytes(m: &mut Machine, s: &mut State, from: u64, to: u64, len: u64) -> Step<()> {
    if len == 0 {
        return Ok(());
    }
    let bytes: Bytes = m.load_bytes(s, from, len as usize)?;
    m.store_bytes(s, to, &bytes)
}

/// Boxes, unboxes, casts or widens one element after the other.
fn copy_each(
    m: &mut Machine,
    s: &mut State,
    (from, start): (&Shape, u64),
    (to, end): (&Shape, u64),
    count: u64,
    reliable: bool,
) -> Step<Result<(), Obstacle>> {
    let universe = std::rc::Rc::clone(&m.universe);
    let failed = |s: &State, error: types::Error| give_up(s, error.into());
    let (values, wanted) = (universe.is_value_type(from.element), universe.is_value_type(to.element));
    let possible = match (values, wanted) {
        (true, true) => match (universe.primitive(from.element), universe.primitive(to.element)) {
            (Some(a), Some(b)) => widens(a, b),
            _ => false,
        },
        (true, false) => universe.is_assignable(from.element, to.element).map_err(|e| failed(s, e))?,
        (false, true) => universe.is_assignable(to.element, from.element).map_err(|e| failed(s, e))?,
        (false, false) => {
            universe.is_assignable(to.element, from.element).map_err(|e| failed(s, e))?
                || universe.is_interface(to.element)
                || universe.is_interface(from.element)
        }
    };
    if !possible || reliable {
        return Ok(Err(Obstacle::Type));
    }
    for i in 0..count {
        let value = m.load(s, from.at(start + i), from.repr)?;
        let moved = match (values, wanted) {
            (true, true) => {
                let (Some(a), Some(b)) = (universe.primitive(from.element), universe.primitive(to.element))
                else {
                    return Ok(Err(Obstacle::Type));
                };
                match widen(&value, a, b) {
                    Some(value) => value,
                    None => return Err(unsupported(s, "a copy of symbolic elements")),
                }
            }
            (true, false) => m.boxed(s, from.element, value)?,
            (false, _) => {
                let Value::I64(object) = value else { return Err(unsupported(s, "a symbolic reference")) };
                let object = object.cast_unsigned();
                if object == 0 && wanted {
                    return Ok(Err(Obstacle::Element));
                }
                if object != 0 {
                    let ty = m.object_type(s, object)?;
                    if !universe.is_assignable(ty, to.element).map_err(|e| failed(s, e))? {
                        return Ok(Err(Obstacle::Element));
                    }
                }
                if wanted { m.load(s, object, to.repr)? } else { Value::address(object) }
            }
        };
        m.store(s, to.at(end + i), to.repr, moved)?;
    }
    Ok(Ok(()))
}

fn is_primitive(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let element = array_shape(m, s, array)?.element;
    Ok(Some(Value::bool(primitive_array(m, element))))
}

fn primitive_array(m: &Machine, element: types::TypeId) -> bool {
    m.universe.is_enum(element) || m.universe.primitive(element).is_some()
}

fn byte_length(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let shape = array_shape(m, s, array)?;
    Ok(Some(Value::I32((u64::from(shape.len) * shape.size()) as i32)))
}

/// `(source, offset, destination, offset, count)`, all in bytes.
fn block_copy(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let mut places = Vec::new();
    for (index, name) in [(0, "src"), (2, "dst")] {
        let array = call.number(m, s, index)?;
        if array == 0 {
            return throw_null(m, s, name, "ArgumentNull_Array");
        }
        let shape = array_shape(m, s, array)?;
        if !primitive_array(m, shape.element) {
            return throw_argument(m, s, name, "Arg_MustBePrimArray");
        }
        places.push((shape.first, u64::from(shape.len) * shape.size()));
    }
    let numbers = [(1, "srcOffset"), (3, "dstOffset"), (4, "count")];
    let mut values = Vec::new();
    for (index, name) in numbers {
        let number = call.number(m, s, index)? as i32;
        if number < 0 {
            return throw_out_of_range(m, s, name, "ArgumentOutOfRange_NeedNonNegNum");
        }
        values.push(number as u64);
    }
    let ([(source, from_len), (target, to_len)], [from, to, count]) = (&places[..], &values[..]) else {
        return Ok(Flow::Next);
    };
    if from + count > *from_len || to + count > *to_len {
        return throw_key(m, s, "System.ArgumentException", "Argument_InvalidOffLen");
    }
    move_bytes(m, s, source + from, target + to, *count)?;
    m.returned(s, after, None)
}
