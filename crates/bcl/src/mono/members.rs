//! Objects for methods and fields, made once for each type they are asked of.

use crate::answers::{null, zero};
use crate::mono::lists::method_number;
use std::rc::Rc;

use types::{FieldId, MethodId, TypeId};

use crate::reflection::fields::{get_boxed, set_boxed};
use crate::table::{Entry, failed, native, native_enter};
use vm::decode::repr_of;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const FIELD: &str = "System.Reflection.RuntimeFieldInfo";

pub(crate) const TABLE: &[Entry] = &[
    native("System.Reflection.FieldInfo", "internal_from_handle_type", |m, s, c| {
        let handle = c.number(m, s, 0)?;
        let field = m.field_of_handle(handle).ok_or_else(|| unsupported(s, "a field handle that is none"))?;
        let ty = match c.number(m, s, 1)? {
            0 => m.universe.field(field).owner,
            _ => c.type_handle(m, s, 1)?,
        };
        field_object(m, s, field, ty).map(|object| Some(Value::address(object)))
    }),
    native("System.Reflection.FieldInfo", "get_marshal_info", null),
    native(FIELD, "ResolveType", |m, s, c| {
        let field = field_of(m, s, c)?;
        let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
        crate::reflection::types::answer(m, s, Some(ty))
    }),
    native(FIELD, "GetParentType", |m, s, c| {
        let field = field_of(m, s, c)?;
        let owner = m.universe.field(field).owner;
        if c.number(m, s, 1)? != 0 {
            return crate::reflection::types::answer(m, s, Some(owner));
        }
        let object = c.number(m, s, 0)?;
        let Value::I64(class) = m.load_field(s, object, "klass", Repr::I8)? else {
            return Err(unsupported(s, "a symbolic field"));
        };
        let ty = m.type_of_handle(s, class.cast_unsigned())?;
        crate::reflection::types::answer(m, s, Some(ty))
    }),
    native(FIELD, "GetFieldOffset", |m, s, c| {
        let field = field_of(m, s, c)?;
        let offset = m.universe.field_offset(field).map_err(|e| failed(s, e))?;
        Ok(Some(Value::I32(offset.cast_signed())))
    }),
    native(FIELD, "get_metadata_token", |m, s, c| {
        let field = field_of(m, s, c)?;
        Ok(Some(Value::I32(m.universe.field(field).token().raw().cast_signed())))
    }),
    native(FIELD, "get_core_clr_security_level", zero),
    native_enter(FIELD, "GetValueInternal", get_value),
    native_enter(FIELD, "UnsafeGetValue", get_value),
    native_enter(FIELD, "SetValueInternal", set_value),
    native_enter("System.RuntimeFieldHandle", "SetValueInternal", set_value),
    native(FIELD, "GetRawConstantValue", constant),
    native(FIELD, "GetTypeModifiers", |m, s, _| {
        let class = m.core_type(s, "System.Type")?;
        m.object_array(s, class, &[]).map(|array| Some(Value::address(array)))
    }),
];

fn field_of(m: &mut Machine, s: &State, call: &Call) -> Step<FieldId> {
    let object = call.number(m, s, 0)?;
    field_of_info(m, s, object)
}

/// The field that a `FieldInfo` stands for.
pub(crate) fn field_of_info(m: &mut Machine, s: &State, object: u64) -> Step<FieldId> {
    match m.load_field(s, object, "fhandle", Repr::I8)? {
        Value::I64(handle) => m
            .field_of_handle(handle.cast_unsigned())
            .ok_or_else(|| unsupported(s, "a field handle that is none")),
        _ => Err(unsupported(s, "a symbolic field")),
    }
}

fn field_object(m: &mut Machine, s: &mut State, field: FieldId, ty: TypeId) -> Step<u64> {
    let (handle, class) = (m.field_handle(field), m.type_handle(s, ty)?);
    if let Some(known) = s.runtime.member_objects.get(&(handle, class)) {
        return Ok(*known);
    }
    let info = m.core_type(s, FIELD)?;
    let object = m.allocate_instance(s, info)?;
    m.store_field(s, object, "klass", Repr::I8, Value::address(class))?;
    m.store_field(s, object, "fhandle", Repr::I8, Value::address(handle))?;
    let name = m.universe.field(field).name.clone();
    let name = m.string(s, &name)?;
    m.store_field(s, object, "name", Repr::Ref, Value::address(name))?;
    let flags = i32::from(m.universe.field(field).flags);
    m.store_field(s, object, "attrs", Repr::I4, Value::I32(flags))?;
    Rc::make_mut(&mut s.runtime.member_objects).insert((handle, class), object);
    Ok(object)
}

/// The object that stands for a method.
pub(crate) fn method_object(m: &mut Machine, s: &mut State, method: MethodId) -> Step<u64> {
    let owner = m.universe.method(method).owner;
    method_object_of(m, s, method, owner)
}

/// The object that stands for a method of a type, which may inherit it.
pub(crate) fn method_object_of(m: &mut Machine, s: &mut State, method: MethodId, ty: TypeId) -> Step<u64> {
    let (handle, class) = (method_number(m, s, method)?, m.type_handle(s, ty)?);
    if let Some(known) = s.runtime.member_objects.get(&(handle, class)) {
        return Ok(*known);
    }
    let info = m.universe.method(method);
    let is_constructor = info.is_constructor() || info.is_static_constructor();
    let info = match is_constructor {
        true => "System.Reflection.RuntimeConstructorInfo",
        false => "System.Reflection.RuntimeMethodInfo",
    };
    let info = m.core_type(s, info)?;
    let object = m.allocate_instance(s, info)?;
    m.store_field(s, object, "mhandle", Repr::I8, Value::address(handle))?;
    let reflected = m.type_object(s, ty)?;
    m.store_field(s, object, "reftype", Repr::Ref, Value::address(reflected))?;
    Rc::make_mut(&mut s.runtime.member_objects).insert((handle, class), object);
    Ok(object)
}

/// The method that a `MethodInfo` or `ConstructorInfo` stands for.
pub(crate) fn method_of_info(m: &mut Machine, s: &State, info: u64) -> Step<MethodId> {
    match m.load_field(s, info, "mhandle", Repr::I8)? {
        Value::I64(handle) => m
            .function_at(handle.cast_unsigned())
            .ok_or_else(|| unsupported(s, "a method handle that is none")),
        _ => Err(unsupported(s, "a symbolic method")),
    }
}

fn get_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let field = field_of(m, s, call)?;
    if m.universe.field(field).is_literal() {
        let value = constant(m, s, call)?;
        return m.returned(s, after, value);
    }
    get_boxed(m, s, call, field, after)
}

/// `(field, object, value)`.
fn set_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let field = field_of(m, s, call)?;
    set_boxed(m, s, call, field, after)
}

/// The value of a constant field, boxed as what it is stored as.
fn constant(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = field_of(m, s, call)?;
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    let value = m.universe.field_constant(field).map_err(|e| failed(s, e))?;
    let Some(value) = value else { return Ok(Some(Value::NULL)) };
    let plain = m.universe.enum_underlying(ty).map_err(|e| failed(s, e))?.unwrap_or(ty);
    boxed_constant(m, s, plain, value)
}

pub(crate) fn boxed_constant(
    m: &mut Machine,
    s: &mut State,
    ty: TypeId,
    value: cil::ConstantValue,
) -> Step<Option<Value>> {
    use cil::{ConstantValue, Scalar};
    let value = match value {
        ConstantValue::Null => return Ok(Some(Value::NULL)),
        ConstantValue::String(units) => {
            return m.allocate_string(s, &units).map(|text| Some(Value::address(text)));
        }
        ConstantValue::Scalar(Scalar::R4(v)) => Value::F32(f32::from_bits(v)),
        ConstantValue::Scalar(Scalar::R8(v)) => Value::F64(f64::from_bits(v)),
        ConstantValue::Scalar(scalar) => {
            let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
            let number = scalar.integer().unwrap_or(0) as i64;
            if repr.size() == 8 { Value::I64(number) } else { Value::I32(number as i32) }
        }
    };
    m.boxed(s, ty, value).map(Some)
}
