//! Enums, value types and strings as objects, weak references.

use crate::answers::{no, nothing};
use crate::objects::boxed_enums::{EQUAL, compare, compare_to, has_flag};
use crate::objects::equality::is_plain_bits;
use crate::strings::allocation::{if_interned, interned};
use crate::table::{Entry, native, native_enter, one};
use vm::collect::Weak;
use vm::decode::repr_of;
use vm::heap::BlockKind;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const ENUM: &str = "System.Enum";
const VALUE_TYPE: &str = "System.ValueType";
const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";
const DEPENDENT: &str = "System.Runtime.CompilerServices.DependentHandle";

pub(crate) const TABLE: &[Entry] = &[
    native(ENUM, "Equals", |m, s, c| compare(m, s, c).map(|order| Some(Value::bool(order == EQUAL)))),
    native(ENUM, "InternalCompareTo", compare_to),
    native(ENUM, "InternalHasFlag", has_flag),
    native(VALUE_TYPE, "CanCompareBits", can_compare_bits),
    native(VALUE_TYPE, "FastEqualsCheck", same_bits),
    native_enter(VALUE_TYPE, "GetHashCode", hash_code),
    native(VALUE_TYPE, "GetHashCodeOfPtr", |m, s, c| {
        let pointer = c.number(m, s, 0)?;
        Ok(Some(Value::I32((pointer ^ pointer >> 32) as i32)))
    }),
    native(HELPERS, "Equals", equal_objects),
    native(HELPERS, "GetObjectValue", object_value),
    native("System.String", "Intern", interned),
    native("System.String", "IsInterned", if_interned),
    native("System.String", "IsFastSort", no),
    native("System.WeakReference", "Create", create_weak),
    native("System.WeakReference", "get_Target", weak_target),
    native("System.WeakReference", "set_Target", set_weak_target),
    native("System.WeakReference", "get_IsAlive", |m, s, c| {
        let target = weak_target(m, s, c)?;
        Ok(Some(Value::bool(!matches!(target, Some(Value::I64(0)) | None))))
    }),
    native("System.WeakReference", "IsTrackResurrection", no),
    native("System.WeakReference", "Finalize", nothing),
    native("System.WeakReference`1", "Create", create_weak),
    native("System.WeakReference`1", "get_Target", weak_target),
    native("System.WeakReference`1", "set_Target", set_weak_target),
    native("System.WeakReference`1", "IsTrackResurrection", no),
    native("System.WeakReference`1", "Finalize", nothing),
    one(DEPENDENT, "nInitialize", "System.Object,System.Object", |m, s, c| {
        let block = s.heap.allocate(BlockKind::Handle, vm::bytes::Bytes::zeroed(16));
        m.store(s, block.address(), Repr::Ref, c.value(s, 0)?)?;
        m.store(s, block.address() + 8, Repr::Ref, c.value(s, 1)?)?;
        s.add_weak(block, Weak::Dependent);
        Ok(Some(Value::address(block.address())))
    }),
    native(DEPENDENT, "nGetPrimary", |m, s, c| {
        let handle = c.number(m, s, 0)?;
        m.load(s, handle, Repr::Ref).map(Some)
    }),
    native(DEPENDENT, "nGetPrimaryAndSecondary", |m, s, c| {
        let (handle, out) = (c.number(m, s, 0)?, c.number(m, s, 1)?);
        let second = m.load(s, handle + 8, Repr::Ref)?;
        m.store(s, out, Repr::Ref, second)?;
        m.load(s, handle, Repr::Ref).map(Some)
    }),
    native(DEPENDENT, "nSetPrimary", |m, s, c| set_dependent(m, s, c, 0)),
    native(DEPENDENT, "nSetSecondary", |m, s, c| set_dependent(m, s, c, 8)),
    native(DEPENDENT, "nFree", nothing),
];

fn set_dependent(m: &mut Machine, s: &mut State, call: &Call, offset: u64) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    m.store(s, handle + offset, Repr::Ref, call.value(s, 1)?)?;
    Ok(None)
}

fn can_compare_bits(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.object_type(m, s, 0)?;
    let answer = is_plain_bits(m, ty).map_err(|error| give_up(s, error.into()))?;
    Ok(Some(Value::bool(answer)))
}

fn same_bits(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let (x, y) = (m.object_type(s, a)?, m.object_type(s, b)?);
    if x != y {
        return Ok(Some(Value::bool(false)));
    }
    let size = m.universe.size_of(x).map_err(|error| give_up(s, error.into()))? as usize;
    let (a, b) = (m.load_bytes(s, a, size)?, m.load_bytes(s, b, size)?);
    match (a.concrete(), b.concrete()) {
        (Some(a), Some(b)) => Ok(Some(Value::bool(a == b))),
        _ => Err(unsupported(s, "equality of symbolic structures as objects")),
    }
}

/// Equal references, or boxes of one type with the same bytes.
fn equal_objects(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    if a == b || a == 0 || b == 0 {
        return Ok(Some(Value::bool(a == b)));
    }
    let ty = m.object_type(s, a)?;
    if !m.universe.is_value_type(ty) {
        return Ok(Some(Value::bool(false)));
    }
    same_bits(m, s, call)
}

/// A copy of a boxed value; anything else is itself.
pub(crate) fn object_value(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    if object == 0 {
        return Ok(Some(Value::NULL));
    }
    let ty = m.object_type(s, object)?;
    if !m.universe.is_value_type(ty) || m.universe.primitive(ty).is_some() {
        return Ok(Some(Value::address(object)));
    }
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = m.load(s, object, repr)?;
    m.box_value(s, ty, repr, value).map(|copy| Some(Value::address(copy)))
}

/// The hash code of a value type: of its bytes, or of its first field that is not null. CoreCLR mixes in the address of the
/// type's tables, so programs cannot rely on the number.
fn hash_code(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 0)?;
    let ty = m.object_type(s, object)?;
    let failed = |s: &State, error: types::Error| give_up(s, error.into());
    if is_plain_bits(m, ty).map_err(|e| failed(s, e))? {
        let size = m.universe.size_of(ty).map_err(|e| failed(s, e))? as usize;
        let bytes = m.load_bytes(s, object, size)?;
        let Some(bytes) = bytes.concrete() else {
            return Err(unsupported(s, "the hash code of a symbolic structure"));
        };
        let hash = bytes.chunks(4).fold(0u32, |hash, part| {
            let word = part.iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte));
            hash.rotate_left(5) ^ word
        });
        return m.returned(s, after, Some(Value::I32(hash.cast_signed())));
    }
    let fields = m.universe.layout(ty).map_err(|e| failed(s, e))?.fields.clone();
    for (field, offset) in &fields {
        let field_type = m.universe.field_type(*field).map_err(|e| failed(s, e))?;
        let repr = repr_of(&m.universe, field_type).map_err(|gap| give_up(s, gap))?;
        let value = m.load(s, object + u64::from(*offset), repr)?;
        let Value::I64(boxed) = m.boxed(s, field_type, value)? else { continue };
        if boxed == 0 {
            continue;
        }
        return call_hash_code(m, s, boxed.cast_unsigned(), after);
    }
    m.returned(s, after, Some(Value::I32(0)))
}

fn call_hash_code(m: &mut Machine, s: &mut State, object: u64, after: OnReturn) -> Step<Flow> {
    let known = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.object;
    let found = m.universe.find_method(known, "GetHashCode", &[]);
    let Some(method) = found.map_err(|error| give_up(s, error.into()))? else {
        return Err(unsupported(s, "the hash codes of this runtime"));
    };
    let ty = m.object_type(s, object)?;
    let target = m.universe.resolve_virtual(ty, method).map_err(|error| give_up(s, error.into()))?;
    s.top.stack.push(Value::address(object));
    m.invoke(s, target, 1, after)
}

/// The object, its target, whether the target is tracked while its finalizer runs.
fn create_weak(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let block = s.heap.allocate(BlockKind::Handle, vm::bytes::Bytes::zeroed(8));
    let long = call.number(m, s, 2)? != 0;
    s.add_weak(block, if long { Weak::Long } else { Weak::Short });
    m.store(s, block.address(), Repr::Ref, call.value(s, 1)?)?;
    m.store_field(s, object, "m_handle", Repr::I8, Value::address(block.address()))?;
    Ok(None)
}

fn weak_handle(m: &mut Machine, s: &State, call: &Call) -> Step<u64> {
    let object = call.number(m, s, 0)?;
    let place = m.field_place(s, object, "m_handle")?;
    m.load_word(s, place)
}

fn weak_target(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match weak_handle(m, s, call)? {
        0 => Ok(Some(Value::NULL)),
        handle => m.load(s, handle, Repr::Ref).map(Some),
    }
}

fn set_weak_target(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = weak_handle(m, s, call)?;
    m.store(s, handle, Repr::Ref, call.value(s, 1)?)?;
    Ok(None)
}
