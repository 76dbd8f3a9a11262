//! Objects, enums, value types, strings, handles, atomic operations, memory of the runtime.

use crate::answers::{nothing, yes};
use crate::arrays::shape::array_shape;
use crate::core31::values::object_value;
use crate::objects::boxed_enums::{
    array_of_names, array_of_values, box_enum, compare_to, enum_literals, enum_number, has_flag, underlying,
};
use crate::strings::allocation::{if_interned, interned};
use crate::table::{Entry, native, one};
use vm::collect::Weak;
use vm::decode::repr_of;
use vm::heap::BlockKind;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const ENUM: &str = "System.Enum";
const VALUE_TYPE: &str = "System.ValueType";
const STRING: &str = "System.String";
const INTERLOCKED: &str = "System.Threading.Interlocked";
const VOLATILE: &str = "System.Threading.Volatile";
const THREAD: &str = "System.Threading.Thread";
const HANDLE: &str = "System.Runtime.InteropServices.GCHandle";
const UTF8: &str = "Mono.SafeStringMarshal";

pub(crate) const TABLE: &[Entry] = &[
    native("System.Object", "InternalGetHashCode", |m, s, c| {
        let object = c.number(m, s, 0)?;
        let hash = ((object >> 32) as u32).wrapping_mul(0x9e37_79b1) >> 6;
        Ok(Some(Value::I32(if object == 0 { 0 } else { hash.max(1).cast_signed() })))
    }),
    native(ENUM, "get_value", unboxed_enum),
    native(ENUM, "get_hashcode", |m, s, c| {
        let object = c.number(m, s, 0)?;
        let number = enum_number(m, s, object)?;
        Ok(Some(Value::I32(enum_hash(m, s, object, number)?)))
    }),
    native(ENUM, "InternalCompareTo", compare_to),
    native(ENUM, "InternalHasFlag", has_flag),
    native(ENUM, "InternalBoxEnum", box_enum),
    native(ENUM, "InternalGetUnderlyingType", underlying),
    native(ENUM, "GetEnumValuesAndNames", enum_members),
    native(VALUE_TYPE, "InternalEquals", equal_values),
    native(VALUE_TYPE, "InternalGetHashCode", hash_parts),
    native("System.Runtime.CompilerServices.RuntimeHelpers", "GetObjectValue", object_value),
    native(STRING, "InternalIntern", interned),
    native(STRING, "InternalIsInterned", if_interned),
    one(
        INTERLOCKED,
        "CompareExchange",
        "System.Object&,System.Object&,System.Object&,System.Object&",
        compare_exchange,
    ),
    one(INTERLOCKED, "Exchange", "System.Object&,System.Object&,System.Object&", exchange),
    one(
        INTERLOCKED,
        "CompareExchange",
        "System.Int32&,System.Int32,System.Int32,System.Boolean&",
        compare_exchange_and_tell,
    ),
    native(INTERLOCKED, "Increment", |m, s, c| add(m, s, c, Some(1))),
    native(INTERLOCKED, "Decrement", |m, s, c| add(m, s, c, Some(-1))),
    native(INTERLOCKED, "Add", |m, s, c| add(m, s, c, None)),
    native(INTERLOCKED, "Read", read),
    native(INTERLOCKED, "MemoryBarrierProcessWide", nothing),
    native(VOLATILE, "Read", read),
    native(VOLATILE, "Write", write),
    native(THREAD, "VolatileRead", read),
    native(THREAD, "VolatileWrite", write),
    native(THREAD, "MemoryBarrier", nothing),
    native(HANDLE, "GetTarget", handle_target),
    native(HANDLE, "GetTargetHandle", make_handle),
    native(HANDLE, "FreeHandle", nothing),
    native(HANDLE, "CheckCurrentDomain", yes),
    native(HANDLE, "GetAddrOfPinnedObject", |m, s, c| {
        let number = c.number(m, s, 0)? as u32;
        let object = m.load_word(s, handle_place(number))?;
        let is_array = object != 0 && m.universe.array_element(m.object_type(s, object)?).is_some();
        let is_string = object != 0
            && m.universe.well_known().is_ok_and(|k| m.object_type(s, object).is_ok_and(|t| t == k.string));
        let first = if is_array {
            array_shape(m, s, object)?.first
        } else if is_string {
            object + 4
        } else {
            object
        };
        Ok(Some(Value::address(first)))
    }),
    native(UTF8, "StringToUtf8", |m, s, c| match c.number(m, s, 0)? {
        0 => Ok(Some(Value::NULL)),
        text => {
            let text = m.string_at(s, text)?;
            Ok(Some(Value::address(m.utf8(s, &text))))
        }
    }),
    native(UTF8, "GFree", nothing),
    native("Mono.RuntimeGPtrArrayHandle", "GPtrArrayFree", nothing),
    native("System.GC", "register_ephemeron_array", nothing),
    native("System.GC", "get_ephemeron_tombstone", tombstone),
    native("System.GC", "RecordPressure", nothing),
    native("System.GC", "GetMaxGeneration", |_, _, _| Ok(Some(Value::I32(1)))),
];

fn unboxed_enum(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let ty = m.object_type(s, object)?;
    let plain = m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = m.load(s, object, repr)?;
    m.box_value(s, plain, repr, value).map(|object| Some(Value::address(object)))
}

/// As Mono's runtime mixes the bits of each width.
fn enum_hash(m: &Machine, s: &State, object: u64, number: i128) -> Step<i32> {
    let ty = m.object_type(s, object)?;
    let plain = m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
    use types::Primitive::{I1, I2, I8, U8};
    Ok(match m.universe.primitive(plain) {
        Some(I1) => {
            let value = number as i32;
            value ^ value << 8
        }
        Some(I2) => {
            let value = number as i32;
            (number as u16 as i32) | value << 16
        }
        Some(I8 | U8) => (number as i32) ^ (number >> 32) as i32,
        _ => number as i32,
    })
}

/// `(enum, out values, out names)`: whether they are sorted; the members come as declared.
fn enum_members(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let uint64 = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.uint64;
    let members = enum_literals(m, s, ty)?;
    let values = array_of_values(m, s, uint64, &members)?;
    let names = array_of_names(m, s, &members)?;
    for (index, array) in [(1, values), (2, names)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::Ref, Value::address(array))?;
    }
    let sorted = members.is_sorted_by_key(|(_, value)| value.cast_unsigned());
    Ok(Some(Value::bool(sorted)))
}

/// `(a, b, out fields)`: decided, or pairs of fields that are to be compared by their own `Equals`.
fn equal_values(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let out = call.number(m, s, 2)?;
    m.store(s, out, Repr::Ref, Value::NULL)?;
    let ty = m.object_type(s, a)?;
    if b == 0 || m.object_type(s, b)? != ty {
        return Ok(Some(Value::bool(false)));
    }
    let fields = m.universe.layout(ty).map_err(|error| give_up(s, error.into()))?.fields.clone();
    let mut pairs = Vec::new();
    for (field, offset) in &fields {
        let field_type = m.universe.field_type(*field).map_err(|error| give_up(s, error.into()))?;
        let repr = repr_of(&m.universe, field_type).map_err(|gap| give_up(s, gap))?;
        let x = m.load(s, a + u64::from(*offset), repr)?;
        let y = m.load(s, b + u64::from(*offset), repr)?;
        let same = match (&x, &y) {
            (Value::F32(x), Value::F32(y)) => Some(x == y),
            (Value::F64(x), Value::F64(y)) => Some(x == y),
            (Value::I32(x), Value::I32(y)) => Some(x == y),
            (Value::I64(x), Value::I64(y)) if repr == Repr::I8 || x == y => Some(x == y),
            (Value::Term(_), _) | (_, Value::Term(_)) => {
                return Err(unsupported(s, "equality of symbolic structures as objects"));
            }
            _ => None,
        };
        match same {
            Some(true) => {}
            Some(false) => return Ok(Some(Value::bool(false))),
            None => {
                for value in [x, y] {
                    if let Value::I64(object) = m.boxed(s, field_type, value)? {
                        pairs.push(object.cast_unsigned());
                    }
                }
            }
        }
    }
    if pairs.is_empty() {
        return Ok(Some(Value::bool(true)));
    }
    let object = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.object;
    let array = m.object_array(s, object, &pairs)?;
    m.store(s, out, Repr::Ref, Value::address(array))?;
    Ok(Some(Value::bool(false)))
}

/// `(value, out fields)`: a start, and the fields whose hash codes are mixed in.
fn hash_parts(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let value = call.number(m, s, 0)?;
    let out = call.number(m, s, 1)?;
    let ty = m.object_type(s, value)?;
    let fields = m.universe.layout(ty).map_err(|error| give_up(s, error.into()))?.fields.clone();
    let mut parts = Vec::new();
    for (field, offset) in &fields {
        let field_type = m.universe.field_type(*field).map_err(|error| give_up(s, error.into()))?;
        let repr = repr_of(&m.universe, field_type).map_err(|gap| give_up(s, gap))?;
        let held = m.load(s, value + u64::from(*offset), repr)?;
        if let Value::I64(object) = m.boxed(s, field_type, held)?
            && object != 0
        {
            parts.push(object.cast_unsigned());
        }
    }
    let object = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.object;
    let array = m.object_array(s, object, &parts)?;
    m.store(s, out, Repr::Ref, Value::address(array))?;
    Ok(Some(Value::I32(0x5bd1_e995)))
}

/// `(ref location, ref value, ref comparand, ref result)`.
fn compare_exchange(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let location = call.number(m, s, 0)?;
    let (value, comparand) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    let old = m.load_word(s, location)?;
    if old == m.load_word(s, comparand)? {
        let value = m.load(s, value, Repr::Ref)?;
        m.store(s, location, Repr::Ref, value)?;
    }
    let result = call.number(m, s, 3)?;
    m.store(s, result, Repr::Ref, Value::address(old))?;
    Ok(None)
}

/// `(ref location, ref value, ref result)`.
fn exchange(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (location, value) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let old = m.load(s, location, Repr::Ref)?;
    let value = m.load(s, value, Repr::Ref)?;
    m.store(s, location, Repr::Ref, value)?;
    let result = call.number(m, s, 2)?;
    m.store(s, result, Repr::Ref, old)?;
    Ok(None)
}

/// `(ref location, value, comparand, ref succeeded)`.
fn compare_exchange_and_tell(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let location = call.number(m, s, 0)?;
    let Value::I32(old) = m.load(s, location, Repr::I4)? else {
        return Err(unsupported(s, "an exchange of a symbolic value"));
    };
    let same = old == call.number(m, s, 2)? as i32;
    if same {
        m.store(s, location, Repr::I4, call.value(s, 1)?)?;
    }
    let place = call.number(m, s, 3)?;
    m.store(s, place, Repr::U1, Value::bool(same))?;
    Ok(Some(Value::I32(old)))
}

/// What the location of the first argument holds.
fn location_repr(m: &Machine, s: &State, call: &Call) -> Step<Repr> {
    let sig = m.universe.signature(call.method).map_err(|error| give_up(s, error.into()))?;
    let inner = sig.params.first().and_then(|ty| crate::reflection::types::element(&m.universe, *ty));
    match inner {
        Some(ty) => repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap)),
        None => Err(unsupported(s, "a location that is none")),
    }
}

fn add(m: &mut Machine, s: &mut State, call: &Call, by: Option<i64>) -> Step<Option<Value>> {
    let repr = location_repr(m, s, call)?;
    let place = call.number(m, s, 0)?;
    let by = match by {
        Some(by) => by,
        None => call.number(m, s, 1)?.cast_signed(),
    };
    let new = match m.load(s, place, repr)? {
        Value::I32(old) => Value::I32(old.wrapping_add(by as i32)),
        Value::I64(old) => Value::I64(old.wrapping_add(by)),
        _ => return Err(unsupported(s, "an addition to a symbolic value")),
    };
    m.store(s, place, repr, new.clone())?;
    Ok(Some(new))
}

fn read(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = location_repr(m, s, call)?;
    let place = call.number(m, s, 0)?;
    m.load(s, place, repr).map(Some)
}

fn write(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = location_repr(m, s, call)?;
    let place = call.number(m, s, 0)?;
    m.store(s, place, repr, call.value(s, 1)?)?;
    Ok(None)
}

/// A handle is a 32-bit number: that of a block with the reference.
fn handle_place(number: u32) -> u64 {
    u64::from(number) << 32
}

/// `(object, handle or 0, type)`.
fn make_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = match call.number(m, s, 1)? as u32 {
        0 => {
            let block = s.heap.allocate(BlockKind::Handle, vm::bytes::Bytes::zeroed(8));
            match call.number(m, s, 2)? {
                0 => s.add_weak(block, Weak::Short),
                1 => s.add_weak(block, Weak::Long),
                _ => {}
            }
            (block.address() >> 32) as u32
        }
        number => number,
    };
    m.store(s, handle_place(number), Repr::Ref, call.value(s, 0)?)?;
    Ok(Some(Value::I32(number.cast_signed())))
}

fn handle_target(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let number = call.number(m, s, 0)? as u32;
    m.load(s, handle_place(number), Repr::Ref).map(Some)
}

/// The object that stands for a key that was collected: there never is one, but it must be some object.
fn tombstone(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    let text: Vec<u16> = "tombstone of ephemerons".encode_utf16().collect();
    m.intern(s, &text).map(|object| Some(Value::address(object)))
}
