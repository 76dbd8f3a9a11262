//! `RuntimeTypeHandle`: questions about types that take and give the objects themselves.

use crate::answers::no;
use crate::exceptions::throwing::core_text;
use crate::reflection::call_code::call_reflected;
use types::TypeId;

use crate::objects::boxed_enums::{box_enum, enum_literals, give_members, underlying};
use crate::reflection::call_code::{Reflected, Thrown};
use crate::reflection::element_types::of_signature;
use crate::reflection::types::{answer, ask, base, declaring, element, interfaces_as_types};
use crate::table::{Entry, native, native_enter};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const HANDLE: &str = "System.RuntimeTypeHandle";
const TYPE: &str = "System.RuntimeType";

pub(crate) const TABLE: &[Entry] = &[
    native("System.Type", "GetTypeFromHandle", |m, s, c| c.word(m, s, 0, 0).map(|t| Some(Value::address(t)))),
    native(HANDLE, "GetValueInternal", native_value),
    native(HANDLE, "IsInterface", |m, s, c| ask(m, s, c, |m, ty| m.universe.is_interface(ty))),
    native(HANDLE, "IsValueType", |m, s, c| ask(m, s, c, |m, ty| m.universe.is_value_type(ty))),
    native(HANDLE, "IsByRefLike", |m, s, c| ask(m, s, c, |m, ty| m.universe.is_byref_like(ty))),
    native(HANDLE, "HasInstantiation", |m, s, c| ask(m, s, c, |m, ty| !m.universe.type_args(ty).is_empty())),
    native(HANDLE, "IsGenericTypeDefinition", |m, s, c| {
        ask(m, s, c, |m, ty| !m.universe.type_args(ty).is_empty() && m.universe.is_definition(ty))
    }),
    native(HANDLE, "IsComObject", no),
    native(HANDLE, "IsEquivalentTo", |m, s, c| {
        Ok(Some(Value::bool(c.type_object(m, s, 0)? == c.type_object(m, s, 1)?)))
    }),
    native(HANDLE, "_IsVisible", |m, s, c| {
        let ty = c.type_handle(m, s, 0)?;
        Ok(Some(Value::bool(is_visible(m, ty))))
    }),
    native(HANDLE, "GetCorElementType", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        Ok(Some(Value::I32(of_signature(&m.universe, ty))))
    }),
    native(HANDLE, "GetBaseType", base),
    native(HANDLE, "GetElementType", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        let inner = element(&m.universe, ty);
        answer(m, s, inner)
    }),
    native(HANDLE, "GetDeclaringType", declaring),
    native(HANDLE, "GetInterfaces", interfaces_as_types),
    native(HANDLE, "_GetUtf8Name", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        let name = m.universe.def_info(ty).map(|info| info.name.to_string()).unwrap_or_default();
        Ok(Some(Value::address(m.utf8(s, &name))))
    }),
    native(HANDLE, "Allocate", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        m.allocate_instance(s, ty).map(|object| Some(Value::address(object)))
    }),
    native_enter(HANDLE, "CreateInstance", create_instance),
    native_enter(HANDLE, "CreateCaInstance", create_by_constructor),
    native(TYPE, "CanValueSpecialCast", |m, s, c| {
        let (from, to) = (c.type_object(m, s, 0)?, c.type_object(m, s, 1)?);
        let plain = |ty| m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
        Ok(Some(Value::bool(plain(from) == plain(to))))
    }),
    native(TYPE, "AllocateValueType", allocate_value),
    native(TYPE, "_CreateEnum", box_enum),
    native("System.Enum", "InternalBoxEnum", box_enum),
    native("System.Enum", "InternalGetUnderlyingType", underlying),
    native("System.Enum", "GetEnumValuesAndNames", enum_members),
    native("System.Enum", "InternalGetCorElementType", |m, s, c| {
        let ty = c.object_type(m, s, 0)?;
        let plain = m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
        Ok(Some(Value::I32(of_signature(&m.universe, plain))))
    }),
    native("System.Runtime.CompilerServices.RuntimeHelpers", "GetUninitializedObjectInternal", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        m.allocate_instance(s, ty).map(|object| Some(Value::address(object)))
    }),
];

fn native_value(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.word(m, s, 0, 0)?;
    let ty = m.type_of_object(s, object)?;
    Ok(Some(Value::address(m.type_handle(s, ty)?)))
}

/// Public, and inside of nothing that is not.
fn is_visible(m: &Machine, ty: TypeId) -> bool {
    let arguments = m.universe.type_args(ty).iter().all(|arg| *arg == ty || is_visible(m, *arg));
    if let Some(inner) = element(&m.universe, ty) {
        return is_visible(m, inner);
    }
    let Some(info) = m.universe.def_info(ty) else { return true };
    match info.flags & 7 {
        1 => arguments,
        2 => info.enclosing.is_some_and(|def| {
            arguments && m.universe.type_of_def(info.assembly, def).is_ok_and(|outer| is_visible(m, outer))
        }),
        _ => false,
    }
}

/// `(type, publicOnly, wrapExceptions, ref canBeCached, ref constructor, ref hasNoDefaultConstructor)`.
fn create_instance(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_object(m, s, 0)?;
    if m.universe.is_interface(ty) || m.universe.is_abstract(ty) {
        let key = if m.universe.is_interface(ty) { "Acc_CreateInterface" } else { "Acc_CreateAbst" };
        let text = core_text(m, key);
        let name = m.universe.type_name(ty);
        return m.throw_strings(s, "System.MissingMethodException", &[&text.replace("{0}", &name)]);
    }
    let constructor = m.universe.find_method(ty, ".ctor", &[]).map_err(|error| give_up(s, error.into()))?;
    let public_only = call.number(m, s, 1)? != 0;
    let usable = constructor.filter(|c| !public_only || m.universe.method(*c).is_public());
    let Some(constructor) = usable else {
        if m.universe.is_value_type(ty) && constructor.is_none() {
            let object = m.allocate_instance(s, ty)?;
            return m.returned(s, after, Some(Value::address(object)));
        }
        let place = call.number(m, s, 5)?;
        m.store(s, place, Repr::U1, Value::bool(true))?;
        return m.returned(s, after, Some(Value::NULL));
    };
    let thrown = if call.number(m, s, 2)? != 0 { Thrown::Wrapped } else { Thrown::Passes };
    let call = Reflected { method: constructor, target: 0, arguments: 0, thrown, place: 0 };
    let made_by = constructor;
    call_reflected(m, s, made_by, &call, after)
}

/// `(type, constructor)`: for attributes without arguments.
fn create_by_constructor(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_object(m, s, 0)?;
    let info = call.number(m, s, 1)?;
    let method = crate::reflection::methods::method_of_object(m, s, info)?;
    let object = m.allocate_instance(s, ty)?;
    s.top.stack.push(Value::address(object));
    match after {
        OnReturn::Push => m.invoke(s, method, 1, OnReturn::PushObject(object)),
        _ => Err(unsupported(s, "an activation called by the runtime")),
    }
}

/// `(type, value, force)`: a new box, zeroed if there is no value; references are themselves.
fn allocate_value(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let value = call.number(m, s, 1)?;
    if !m.universe.is_value_type(ty) {
        return Ok(Some(Value::address(value)));
    }
    let repr = vm::decode::repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let contents = if value == 0 { repr.zero() } else { m.load(s, value, repr)? };
    m.box_value(s, ty, repr, contents).map(|object| Some(Value::address(object)))
}

/// `(enum, values, names, withNames)`: the members as 64 bits, in the order of their values without sign.
fn enum_members(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let uint64 = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.uint64;
    let mut members = enum_literals(m, s, ty)?;
    members.sort_by_key(|(_, value)| value.cast_unsigned());
    give_members(m, s, call, uint64, &members)
}
