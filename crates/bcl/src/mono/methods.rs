//! What reflection asks about methods, and how it calls them.

use crate::answers::{null, zero};
use crate::reflection::call_code::call_reflected;
use crate::reflection::types::type_list;
use types::TypeId;

use super::lists::bad;
use super::members::{boxed_constant, method_object, method_object_of, method_of_info};
use crate::reflection::call_code::{Reflected, Thrown};
use crate::reflection::types::array_of_types;
use crate::table::{Entry, failed, native, native_enter};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const METHOD: &str = "System.Reflection.RuntimeMethodInfo";
const CONSTRUCTOR: &str = "System.Reflection.RuntimeConstructorInfo";
const INFO: &str = "System.Reflection.MonoMethodInfo";

pub(crate) const TABLE: &[Entry] = &[
    native(METHOD, "GetMethodFromHandleInternalType_native", |m, s, c| {
        let method = c.method_handle(m, s, 0)?;
        let ty = match c.number(m, s, 1)? {
            0 => m.universe.method(method).owner,
            _ => c.type_handle(m, s, 1)?,
        };
        method_object_of(m, s, method, ty).map(|object| Some(Value::address(object)))
    }),
    native(METHOD, "get_name", |m, s, c| {
        let info = c.number(m, s, 0)?;
        let method = method_of_info(m, s, info)?;
        let name = m.universe.method(method).name.clone();
        m.string(s, &name).map(|text| Some(Value::address(text)))
    }),
    native(METHOD, "get_base_method", base_method),
    native(METHOD, "get_metadata_token", token),
    native(CONSTRUCTOR, "get_metadata_token", token),
    native(METHOD, "get_core_clr_security_level", zero),
    native(CONSTRUCTOR, "get_core_clr_security_level", zero),
    native_enter(METHOD, "InternalInvoke", invoke),
    native_enter(CONSTRUCTOR, "InternalInvoke", invoke),
    native(METHOD, "get_IsGenericMethod", |m, s, c| {
        let info = c.number(m, s, 0)?;
        let method = method_of_info(m, s, info)?;
        Ok(Some(Value::bool(!m.universe.method(method).args.is_empty())))
    }),
    native(METHOD, "get_IsGenericMethodDefinition", |m, s, c| {
        let info = c.number(m, s, 0)?;
        let method = method_of_info(m, s, info)?;
        let args = &m.universe.method(method).args;
        let open = args
            .iter()
            .enumerate()
            .all(|(i, arg)| matches!(m.universe.ty(*arg), types::Type::MVar(n) if *n as usize == i));
        Ok(Some(Value::bool(!args.is_empty() && open)))
    }),
    native(METHOD, "GetGenericArguments", |m, s, c| {
        let info = c.number(m, s, 0)?;
        let method = method_of_info(m, s, info)?;
        let args = m.universe.method(method).args.to_vec();
        let class = m.core_type(s, "System.Type")?;
        array_of_types(m, s, class, &args).map(|array| Some(Value::address(array)))
    }),
    native(METHOD, "MakeGenericMethod_impl", |m, s, c| {
        let info = c.number(m, s, 0)?;
        let method = method_of_info(m, s, info)?;
        let list = c.number(m, s, 1)?;
        let args = type_list(m, s, list)?;
        let owner = m.universe.method(method).owner;
        let made = m.universe.instantiate_method(method, owner, &args).map_err(|e| failed(s, e))?;
        method_object(m, s, made).map(|object| Some(Value::address(object)))
    }),
    native(METHOD, "GetGenericMethodDefinition_impl", |m, s, c| {
        let info = c.number(m, s, 0)?;
        let method = method_of_info(m, s, info)?;
        if m.universe.method(method).args.is_empty() {
            return Ok(Some(Value::NULL));
        }
        let definition = m.universe.method_definition(method).map_err(|e| failed(s, e))?;
        method_object(m, s, definition).map(|object| Some(Value::address(object)))
    }),
    native("System.Reflection.MethodBase", "GetCurrentMethod", |m, s, _| {
        let method = s.top.code.method;
        method_object(m, s, method).map(|object| Some(Value::address(object)))
    }),
    native("System.RuntimeMethodHandle", "GetFunctionPointer", |_, s, c| c.value(s, 0).map(Some)),
    native(INFO, "get_method_info", method_info),
    native(INFO, "get_method_attributes", |m, s, c| {
        let method = c.method_handle(m, s, 0)?;
        Ok(Some(Value::I32(i32::from(m.universe.method(method).flags))))
    }),
    native(INFO, "get_parameter_info", parameters),
    native(INFO, "get_retval_marshal", null),
    native("System.Reflection.RuntimeParameterInfo", "GetTypeModifiers", |m, s, _| {
        let class = m.core_type(s, "System.Type")?;
        m.object_array(s, class, &[]).map(|array| Some(Value::address(array)))
    }),
    native("System.Reflection.RuntimeParameterInfo", "GetMetadataToken", |_, _, _| {
        Ok(Some(Value::I32(0x0800_0000)))
    }),
];

fn token(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let info = call.number(m, s, 0)?;
    let method = method_of_info(m, s, info)?;
    let token = m.universe.method(method).token().map_or(0x0600_0000, cil::Token::raw);
    Ok(Some(Value::I32(token.cast_signed())))
}

/// `(method, definition)`: what it overrides, at the root or one step up.
fn base_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let info = call.number(m, s, 0)?;
    let method = method_of_info(m, s, info)?;
    let definition = call.number(m, s, 1)? != 0;
    let owner = m.universe.method(method).owner;
    let slot = m.universe.slot_of(method).map_err(|e| failed(s, e))?;
    let Some(slot) = slot else { return Ok(Some(Value::address(info))) };
    let mut found = method;
    let mut next = m.universe.base(owner).map_err(|e| failed(s, e))?;
    while let Some(base) = next {
        let Some(above) = m.universe.vtable(base).map_err(|e| failed(s, e))?.slots.get(slot).copied() else {
            break;
        };
        found = above.implementation;
        if !definition {
            break;
        }
        found = above.declared;
        next = m.universe.base(base).map_err(|e| failed(s, e))?;
    }
    method_object(m, s, found).map(|object| Some(Value::address(object)))
}

/// `(method, target, object[] arguments, out exception)`.
fn invoke(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let info = call.number(m, s, 0)?;
    let method = method_of_info(m, s, info)?;
    let place = call.number(m, s, 3)?;
    m.store(s, place, Repr::Ref, Value::NULL)?;
    let reflected = Reflected {
        method,
        target: call.number(m, s, 1)?,
        arguments: call.number(m, s, 2)?,
        // The library's own code wraps what the method throws.
        thrown: Thrown::Passes,
        place: 0,
    };
    call_reflected(m, s, call.method, &reflected, after)
}

/// `(handle, out info)`.
fn method_info(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let out = call.number(m, s, 1)?;
    let class = m.core_type(s, INFO)?;
    let sig = m.universe.signature(method).map_err(|e| failed(s, e))?.clone();
    let info = m.universe.method(method);
    let (owner, flags, impl_flags) = (info.owner, i32::from(info.flags), i32::from(info.impl_flags));
    let convention = 1 | if sig.has_this { 0x20 } else { 0 };
    let (parent, result) = (m.type_object(s, owner)?, m.type_object(s, sig.ret)?);
    for (name, repr, value) in [
        ("parent", Repr::Ref, Value::address(parent)),
        ("ret", Repr::Ref, Value::address(result)),
        ("attrs", Repr::I4, Value::I32(flags)),
        ("iattrs", Repr::I4, Value::I32(impl_flags)),
        ("callconv", Repr::I4, Value::I32(convention)),
    ] {
        let at = u64::from(m.offset_of(s, class, &[name])?);
        m.store(s, out + at, repr, value)?;
    }
    Ok(None)
}

/// A row of the table of parameters.
struct Parameter {
    name: String,
    flags: u16,
    default: Option<cil::ConstantValue>,
}

/// `(handle, member)`.
fn parameters(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let sig = m.universe.signature(method).map_err(|e| failed(s, e))?.clone();
    let base = m.core_type(s, "System.Reflection.ParameterInfo")?;
    let class = m.core_type(s, "System.Reflection.RuntimeParameterInfo")?;
    let mut objects = Vec::new();
    for (position, ty) in sig.params.iter().enumerate() {
        let row = parameter_row(m, s, method, position)?;
        let object = m.allocate_instance(s, class)?;
        let (ty, text) = (*ty, m.string(s, &row.name)?);
        let class_object = m.type_object(s, ty)?;
        let default = match row.default {
            Some(value) => default_value(m, s, ty, value)?,
            None => absent(m, s)?,
        };
        for (name, repr, value) in [
            ("AttrsImpl", Repr::I4, Value::I32(i32::from(row.flags))),
            ("ClassImpl", Repr::Ref, Value::address(class_object)),
            ("DefaultValueImpl", Repr::Ref, default),
            ("MemberImpl", Repr::Ref, call.value(s, 1)?),
            ("NameImpl", Repr::Ref, Value::address(text)),
            ("PositionImpl", Repr::I4, Value::I32(position as i32)),
        ] {
            let at = u64::from(m.offset_of(s, base, &[name])?);
            m.store(s, object + at, repr, value)?;
        }
        objects.push(object);
    }
    m.object_array(s, base, &objects).map(|array| Some(Value::address(array)))
}

fn parameter_row(m: &Machine, s: &State, method: types::MethodId, position: usize) -> Step<Parameter> {
    let nothing = Parameter { name: String::new(), flags: 0, default: None };
    let types::MethodKind::Def { assembly, def } = m.universe.method(method).kind else { return Ok(nothing) };
    let module = m.universe.assembly(assembly).module();
    let row = module.method_def(def).map_err(|e| bad(s, &e))?;
    for id in row.params {
        let param = module.param(id).map_err(|e| bad(s, &e))?;
        if usize::from(param.sequence) == position + 1 {
            let default = module.constant_value_of(id.token()).map_err(|e| bad(s, &e))?;
            return Ok(Parameter { name: param.name.to_owned(), flags: param.flags, default });
        }
    }
    Ok(nothing)
}

fn default_value(m: &mut Machine, s: &mut State, ty: TypeId, value: cil::ConstantValue) -> Step<Value> {
    let ty = m.universe.nullable_argument(ty).unwrap_or(ty);
    Ok(boxed_constant(m, s, ty, value)?.unwrap_or(Value::NULL))
}

/// `DBNull.Value` says that there is no default; the library asks the attributes first.
fn absent(m: &mut Machine, s: &mut State) -> Step<Value> {
    let class = m.core_type(s, "System.DBNull")?;
    let value = m.static_reference(s, class, "Value")?;
    Ok(Value::address(value.unwrap_or(0)))
}
