//! `Type`, `RuntimeType` and `RuntimeTypeHandle`.

use crate::answers::{no, null, yes, zero};
use crate::reflection::call_code::call_reflected;
use types::{Type, TypeId, Universe};

use crate::reflection::call_code::{Reflected, Thrown};
use crate::reflection::element_types::of_signature;
use crate::reflection::type_names;
use crate::reflection::types::{
    answer, array_of_types, ask, base, castable, declaring, element, interfaces_as_types, is_instance,
    refuse_variables, type_list,
};
use crate::table::{Entry, all, native, native_enter};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

const TYPE: &str = "System.RuntimeType";
const HANDLE: &str = "System.RuntimeTypeHandle";
const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";

pub(crate) const TABLE: &[Entry] = &[
    all("System.Type", "GetTypeFromHandle", from_handle),
    native("System.Type", "internal_from_handle", from_handle),
    native(HANDLE, "IsInstanceOfType", is_instance),
    native(HANDLE, "type_is_assignable_from", |m, s, c| {
        let (to, from) = (c.type_object(m, s, 0)?, c.type_object(m, s, 1)?);
        castable(m, s, from, to)
    }),
    native(HANDLE, "is_subclass_of", |m, s, c| {
        let (child, base) = (c.type_handle(m, s, 0)?, c.type_handle(m, s, 1)?);
        if child == base {
            return Ok(Some(Value::bool(false)));
        }
        castable(m, s, child, base)
    }),
    native(HANDLE, "GetMetadataToken", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        let token = m.universe.def_info(ty).map_or(0x0200_0000, |info| info.id.token().raw());
        Ok(Some(Value::I32(token.cast_signed())))
    }),
    native(HANDLE, "GetGenericTypeDefinition_impl", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        if m.universe.type_args(ty).is_empty() {
            return Ok(Some(Value::NULL));
        }
        let definition = m.universe.definition(ty);
        answer(m, s, Some(definition))
    }),
    native(HANDLE, "GetCorElementType", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        Ok(Some(Value::I32(of_signature(&m.universe, ty))))
    }),
    native(HANDLE, "HasInstantiation", |m, s, c| ask(m, s, c, |m, ty| !m.universe.type_args(ty).is_empty())),
    native(HANDLE, "IsComObject", no),
    native(HANDLE, "HasReferences", |m, s, c| {
        ask(m, s, c, |m, ty| !m.universe.is_value_type(ty) || m.universe.contains_refs(ty).unwrap_or(true))
    }),
    native(HANDLE, "GetElementType", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        let inner = element(&m.universe, ty);
        answer(m, s, inner)
    }),
    native(HANDLE, "GetBaseType", base),
    native(HANDLE, "IsGenericTypeDefinition", |m, s, c| {
        ask(m, s, c, |m, ty| !m.universe.type_args(ty).is_empty() && m.universe.is_definition(ty))
    }),
    native(HANDLE, "IsByRefLike", |m, s, c| ask(m, s, c, |m, ty| m.universe.is_byref_like(ty))),
    native(HANDLE, "internal_from_name", by_name),
    native(TYPE, "make_array_type", make_array),
    native(TYPE, "make_byref_type", |m, s, c| made(m, s, c, Universe::make_byref)),
    native(TYPE, "MakePointerType", |m, s, c| made(m, s, c, Universe::make_pointer)),
    native(TYPE, "MakeGenericType", make_generic),
    native(TYPE, "GetTypeCodeImplInternal", type_code),
    native_enter(TYPE, "CreateInstanceInternal", create),
    native(TYPE, "getFullName", full_name),
    native(TYPE, "get_Name", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        refuse_variables(m, s, ty)?;
        let name = type_names::format(&m.universe, ty, 0);
        m.string(s, &name).map(|text| Some(Value::address(text)))
    }),
    native(TYPE, "get_Namespace", |m, s, c| {
        let mut ty = c.type_object(m, s, 0)?;
        while let Some(inner) = element(&m.universe, ty) {
            ty = inner;
        }
        match m.universe.namespace(ty) {
            name if name.is_empty() => Ok(Some(Value::NULL)),
            name => m.string(s, &name).map(|text| Some(Value::address(text))),
        }
    }),
    native(TYPE, "get_DeclaringType", declaring),
    native(TYPE, "get_DeclaringMethod", null),
    native(TYPE, "GetGenericArgumentsInternal", generic_arguments),
    native(TYPE, "GetGenericParameterPosition", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        match m.universe.ty(ty) {
            Type::Var(n) | Type::MVar(n) => Ok(Some(Value::I32(n.cast_signed()))),
            _ => Ok(Some(Value::I32(-1))),
        }
    }),
    native(TYPE, "GetInterfaces", interfaces_as_types),
    native(TYPE, "IsWindowsRuntimeObjectType", no),
    native(TYPE, "IsTypeExportedToWindowsRuntime", no),
    native(TYPE, "get_core_clr_security_level", zero),
    native(HELPERS, "SufficientExecutionStack", yes),
    native_enter(HELPERS, "RunClassConstructor", run_class_constructor),
];

fn from_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.word(m, s, 0, 0)?;
    if handle == 0 {
        return Ok(Some(Value::NULL));
    }
    let ty = m.type_of_handle(s, handle)?;
    answer(m, s, Some(ty))
}

fn make_array(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let rank = call.number(m, s, 1)? as u32;
    let made = if rank == 0 { m.universe.make_sz_array(ty) } else { m.universe.make_array(ty, rank) };
    let made = made.map_err(|error| give_up(s, error.into()))?;
    answer(m, s, Some(made))
}

fn made(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    make: fn(&Universe, TypeId) -> types::Result<TypeId>,
) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let made = make(&m.universe, ty).map_err(|error| give_up(s, error.into()))?;
    answer(m, s, Some(made))
}

/// `(definition, Type[] arguments)`.
fn make_generic(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let list = call.number(m, s, 1)?;
    let args = type_list(m, s, list)?;
    let made = m.universe.make_instance(m.universe.definition(ty), &args);
    let made = made.map_err(|error| give_up(s, error.into()))?;
    answer(m, s, Some(made))
}

/// `TypeCode`.
fn type_code(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let plain = m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
    let name = m.universe.type_name(plain);
    let code = match name.as_str() {
        "System.DBNull" => 2,
        "System.Boolean" => 3,
        "System.Char" => 4,
        "System.SByte" => 5,
        "System.Byte" => 6,
        "System.Int16" => 7,
        "System.UInt16" => 8,
        "System.Int32" => 9,
        "System.UInt32" => 10,
        "System.Int64" => 11,
        "System.UInt64" => 12,
        "System.Single" => 13,
        "System.Double" => 14,
        "System.Decimal" => 15,
        "System.DateTime" => 16,
        "System.String" => 18,
        _ => 1,
    };
    Ok(Some(Value::I32(code)))
}

/// By the constructor without parameters; its exceptions pass.
fn create(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_object(m, s, 0)?;
    let constructor = m.universe.find_method(ty, ".ctor", &[]).map_err(|error| give_up(s, error.into()))?;
    match constructor {
        Some(method) => {
            let reflected = Reflected { method, target: 0, arguments: 0, thrown: Thrown::Passes, place: 0 };
            call_reflected(m, s, call.method, &reflected, after)
        }
        None => {
            let object = m.allocate_instance(s, ty)?;
            m.returned(s, after, Some(Value::address(object)))
        }
    }
}

/// Bits of CoreCLR's `TypeNameFormatFlags`, which the names are made by.
const NAMESPACE: u32 = 1;
const FULL: u32 = 2;
const ASSEMBLY: u32 = 4;

/// `(this, full name, with assembly)`: `ToString`, `FullName` or `AssemblyQualifiedName`.
fn full_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    if matches!(m.universe.ty(ty), Type::Var(_) | Type::MVar(_)) {
        return Err(unsupported(s, "generic parameters as types"));
    }
    let full = call.number(m, s, 1)? != 0;
    let assembly = call.number(m, s, 2)? != 0;
    if full && m.universe.is_open(ty) && !m.universe.is_definition(ty) {
        return Ok(Some(Value::NULL));
    }
    let mut flags = NAMESPACE;
    if full {
        flags |= FULL;
    }
    if assembly {
        flags |= FULL | ASSEMBLY;
    }
    let name = type_names::format(&m.universe, ty, flags);
    m.string(s, &name).map(|text| Some(Value::address(text)))
}

/// `(this, asRuntimeTypes)`.
fn generic_arguments(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let args = m.universe.type_args(ty).to_vec();
    let class = if call.number(m, s, 1)? != 0 { TYPE } else { "System.Type" };
    let class = m.core_type(s, class)?;
    array_of_types(m, s, class, &args).map(|array| Some(Value::address(array)))
}

/// `(name, stack mark, caller's assembly, throwOnError, ignoreCase, reflectionOnly)`: plain names.
fn by_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let name = call.number(m, s, 0)?;
    let name = m.string_at(s, name)?;
    if name.contains(['[', '*', '&']) {
        return Err(unsupported(s, "a type by such a name"));
    }
    if let Some(ty) = type_names::find_plain(m, s, &name) {
        return answer(m, s, Some(ty));
    }
    if call.number(m, s, 3)? != 0 {
        return Err(unsupported(s, "the exception for a type that is not there"));
    }
    Ok(Some(Value::NULL))
}

fn run_class_constructor(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_handle(m, s, 0)?;
    let depth = s.depth;
    if m.ensure_initialized(s, ty)? {
        return m.returned(s, after, None);
    }
    crate::reflection::invocation::give_back(s, call, depth);
    Ok(vm::machine::Flow::Reload)
}
