//! `Array` and `Buffer`.

use types::Type;

use crate::bytes::Bytes;
use crate::machine::{Flow, Machine, Step, give_up, unsupported};
use crate::models::array_shape::{Shape, widen, widens};
use crate::models::{Call, Entry, native, native_enter};
use crate::state::{OnReturn, State};
use crate::stop::RuntimeException;
use crate::value::{Repr, Value};

const ARRAY: &str = "System.Array";
const BUFFER: &str = "System.Buffer";

pub(super) const TABLE: &[Entry] = &[
    native_enter(ARRAY, "Copy", copy),
    native_enter(ARRAY, "InternalCreate", create),
    native_enter(ARRAY, "GetLength", |m, s, c, a| dimension(m, s, c, a, |(_, len)| len)),
    native_enter(ARRAY, "GetLowerBound", |m, s, c, a| dimension(m, s, c, a, |(lower, _)| lower)),
    native_enter(ARRAY, "GetUpperBound", |m, s, c, a| {
        dimension(m, s, c, a, |(lower, len)| lower.wrapping_add(len).wrapping_sub(1))
    }),
    native(ARRAY, "get_Rank", rank),
    native(ARRAY, "GetElementSize", element_size),
    native_enter(ARRAY, "InternalGetReference", reference),
    native_enter(ARRAY, "InternalSetValue", set_value),
    native(ARRAY, "GetRawArrayGeometry", geometry),
    native(ARRAY, "Initialize", |_, _, _| Ok(None)),
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

fn no(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(false)))
}

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
        return m.throw_key(s, "System.NotSupportedException", "NotSupported_ByRefLikeArray");
    }
    if m.universe.primitive(ty) == Some(types::Primitive::Void) {
        return m.throw_key(s, "System.NotSupportedException", "NotSupported_VoidArray");
    }
    if m.universe.is_open(ty) {
        return m.throw_key(s, "System.NotSupportedException", "NotSupported_OpenType");
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

fn integers(m: &mut Machine, s: &State, at: u64, count: u64) -> Step<Vec<i32>> {
    let mut numbers = Vec::new();
    for index in 0..count {
        match m.load(s, at + 4 * index, Repr::I4)? {
            Value::I32(number) => numbers.push(number),
            _ => return Err(unsupported(s, "a symbolic index")),
        }
    }
    Ok(numbers)
}

fn dimension(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    after: OnReturn,
    answer: fn((i32, i32)) -> i32,
) -> Step {
    let array = call.number(m, s, 0)?;
    if array == 0 {
        return m.throw_new(s, RuntimeException::NullReference);
    }
    let index = call.number(m, s, 1)? as u32;
    match m.array_shape(s, array)?.bounds.get(index as usize) {
        Some(bounds) => m.returned(s, after, Some(Value::I32(answer(*bounds)))),
        None => m.throw_key(s, "System.IndexOutOfRangeException", "IndexOutOfRange_ArrayRankIndex"),
    }
}

fn rank(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    Ok(Some(Value::I32(m.array_shape(s, array)?.bounds.len() as i32)))
}

fn element_size(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    Ok(Some(Value::I32(m.array_shape(s, array)?.size() as i32)))
}

/// `(array, out count, out size, out lower bound, out containsReferences)` gives the first element.
fn geometry(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let shape = m.array_shape(s, array)?;
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
    let shape = m.array_shape(s, array)?;
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
    let repr = crate::decode::repr_of(&m.universe, ty).map_err(|reason| give_up(s, reason))?;
    let value = m.load(s, address, repr)?;
    m.boxed(s, ty, value).map(Some)
}

/// `(TypedReference* target, value)`.
fn set_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let reference = call.number(m, s, 0)?;
    let (address, ty) = typed(m, s, reference)?;
    let object = call.number(m, s, 1)?;
    m.store_object(s, address, ty, object, after)
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
        return m.throw_null(s, name, "ArgumentNull_Array");
    }
    let (from, to) = (m.array_shape(s, source)?, m.array_shape(s, target)?);
    if from.bounds.len() != to.bounds.len() {
        return m.throw_key(s, "System.RankException", "Rank_MustMatch");
    }
    let integer = |index: usize| call.number(m, s, index).map(|n| i64::from(n as i32));
    let (start, end, count) = (integer(1)?, integer(3)?, integer(4)?);
    let (start, end) = (start - i64::from(from.lower()), end - i64::from(to.lower()));
    if count < 0 {
        return m.throw_out_of_range(s, "length", "ArgumentOutOfRange_NeedNonNegNum");
    }
    if start < 0 {
        return m.throw_out_of_range(s, "sourceIndex", "ArgumentOutOfRange_ArrayLB");
    }
    if end < 0 {
        return m.throw_out_of_range(s, "destinationIndex", "ArgumentOutOfRange_ArrayLB");
    }
    if start + count > i64::from(from.len) {
        return m.throw_argument(s, "sourceArray", "Arg_LongerThanSrcArray");
    }
    if end + count > i64::from(to.len) {
        return m.throw_argument(s, "destinationArray", "Arg_LongerThanDestArray");
    }
    if count == 0 {
        return m.returned(s, after, None);
    }
    let (start, end, count) = (start as u64, end as u64, count as u64);
    let same = m.same_elements(from.element, to.element).map_err(|error| give_up(s, error.into()))?;
    if same {
        move_bytes(m, s, from.at(start), to.at(end), count * from.size())?;
        return m.returned(s, after, None);
    }
    let reliable = call.number(m, s, 5)? != 0;
    match copy_each(m, s, (&from, start), (&to, end), count, reliable)? {
        Ok(()) => m.returned(s, after, None),
        Err(Obstacle::Type) if reliable => {
            m.throw_key(s, "System.ArrayTypeMismatchException", "ArrayTypeMismatch_ConstrainedCopy")
        }
        Err(Obstacle::Type) => {
            m.throw_key(s, "System.ArrayTypeMismatchException", "ArrayTypeMismatch_CantAssignType")
        }
        Err(Obstacle::Element) => {
            m.throw_key(s, "System.InvalidCastException", "InvalidCast_DownCastArrayElement")
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
    let element = m.array_shape(s, array)?.element;
    Ok(Some(Value::bool(primitive_array(m, element))))
}

fn primitive_array(m: &Machine, element: types::TypeId) -> bool {
    m.universe.is_enum(element) || m.universe.primitive(element).is_some()
}

fn byte_length(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    let shape = m.array_shape(s, array)?;
    Ok(Some(Value::I32((u64::from(shape.len) * shape.size()) as i32)))
}

/// `(source, offset, destination, offset, count)`, all in bytes.
fn block_copy(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let mut places = Vec::new();
    for (index, name) in [(0, "src"), (2, "dst")] {
        let array = call.number(m, s, index)?;
        if array == 0 {
            return m.throw_null(s, name, "ArgumentNull_Array");
        }
        let shape = m.array_shape(s, array)?;
        if !primitive_array(m, shape.element) {
            return m.throw_argument(s, name, "Arg_MustBePrimArray");
        }
        places.push((shape.first, u64::from(shape.len) * shape.size()));
    }
    let numbers = [(1, "srcOffset"), (3, "dstOffset"), (4, "count")];
    let mut values = Vec::new();
    for (index, name) in numbers {
        let number = call.number(m, s, index)? as i32;
        if number < 0 {
            return m.throw_out_of_range(s, name, "ArgumentOutOfRange_NeedNonNegNum");
        }
        values.push(number as u64);
    }
    let ([(source, from_len), (target, to_len)], [from, to, count]) = (&places[..], &values[..]) else {
        return Ok(Flow::Next);
    };
    if from + count > *from_len || to + count > *to_len {
        return m.throw_key(s, "System.ArgumentException", "Argument_InvalidOffLen");
    }
    move_bytes(m, s, source + from, target + to, *count)?;
    m.returned(s, after, None)
}

impl Machine {
    /// Stores an object into a place of some type, as `Array.SetValue` does: null clears, primitives widen.
    pub(in crate::models) fn store_object(
        &mut self,
        s: &mut State,
        address: u64,
        ty: types::TypeId,
        object: u64,
        after: OnReturn,
    ) -> Step {
        let repr = crate::decode::repr_of(&self.universe, ty).map_err(|reason| give_up(s, reason))?;
        if object == 0 {
            self.store(s, address, repr, repr.zero())?;
            return self.returned(s, after, None);
        }
        let actual = self.object_type(s, object)?;
        let fits = self.universe.is_assignable(actual, ty).map_err(|error| give_up(s, error.into()))?;
        if !self.universe.is_value_type(ty) {
            if !fits {
                return self.throw_key(s, "System.InvalidCastException", "InvalidCast_StoreArrayElement");
            }
            self.store(s, address, repr, Value::address(object))?;
            return self.returned(s, after, None);
        }
        if actual == ty {
            let value = self.load(s, object, repr)?;
            self.store(s, address, repr, value)?;
            return self.returned(s, after, None);
        }
        if self.universe.nullable_argument(ty).is_some() {
            return Err(unsupported(s, "a nullable set by reflection"));
        }
        let plain = |m: &Machine, ty| m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
        let (from, to) =
            (self.universe.primitive(plain(self, actual)), self.universe.primitive(plain(self, ty)));
        let (Some(from), Some(to)) = (from, to) else {
            return self.throw_key(s, "System.InvalidCastException", "InvalidCast_StoreArrayElement");
        };
        if !widens(from, to) || self.universe.is_enum(ty) && !self.universe.is_enum(actual) {
            return self.throw_key(s, "System.ArgumentException", "Arg_PrimWiden");
        }
        let source = crate::decode::repr_of(&self.universe, actual).map_err(|reason| give_up(s, reason))?;
        let value = self.load(s, object, source)?;
        let Some(value) = widen(&value, from, to) else { return Err(unsupported(s, "a symbolic element")) };
        self.store(s, address, repr, value)?;
        self.returned(s, after, None)
    }
}
