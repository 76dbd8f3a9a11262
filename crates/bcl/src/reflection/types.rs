//! What the class library asks the runtime about types: `Object.GetType`, `RuntimeTypeHandle`, method tables.

use crate::answers::{nothing, null, zero};
use types::{Type, TypeId, Universe};

use crate::reflection::element_types;
use crate::reflection::type_names;
use crate::table::{Entry, all, enter_one, native, native_enter, one, throws};
use verdict::Gap;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::value::{Repr, Value};

const HANDLE: &str = "System.RuntimeTypeHandle";
const TABLE_CLASS: &str = "System.Runtime.CompilerServices.MethodTable";
const TYPE_HANDLE: &str = "System.Runtime.CompilerServices.TypeHandle";

pub(crate) const TABLE: &[Entry] = &[
    all("System.Object", "GetType", get_type),
    native(HANDLE, "GetRuntimeTypeFromHandleSlow", from_handle_slow),
    native(HANDLE, "GetAttributes", attributes),
    native(HANDLE, "GetElementTypeHandle", element_handle),
    native(HANDLE, "CompareCanonicalHandles", same_definition),
    native(HANDLE, "GetArrayRank", rank),
    native(HANDLE, "GetToken", token),
    native(HANDLE, "GetInterfaces", interfaces),
    native(HANDLE, "GetGCHandle", gc_handle),
    one(HANDLE, "ConstructName", QCALL_NAME, construct_name),
    native(HANDLE, "GetUtf8NameInternal", utf8_name),
    native(HANDLE, "GetDeclaringTypeHandle", declaring_type),
    enter_one(HANDLE, "Instantiate", QCALL_INSTANTIATE, instantiate),
    native(HANDLE, "GetConstraints", constraints),
    native(HANDLE, "GetDeclaringTypeHandleForGenericVariable", declaring_type_of_parameter),
    native(HANDLE, "GetDeclaringMethodForGenericParameter", declaring_method_of_parameter),
    enter_one(HANDLE, "MakeSZArray", QCALL_MAKE, |m, s, c, after| {
        make_checked(m, s, c, after, |u, t| u.array_refusal(t, "[]"), Universe::make_sz_array)
    }),
    enter_one(HANDLE, "MakeByRef", QCALL_MAKE, |m, s, c, after| {
        make_checked(m, s, c, after, |u, t| u.reference_refusal(t, "a ByRef of"), Universe::make_byref)
    }),
    enter_one(HANDLE, "MakePointer", QCALL_MAKE, |m, s, c, after| {
        make_checked(m, s, c, after, |u, t| u.reference_refusal(t, "a pointer to"), Universe::make_pointer)
    }),
    native_enter(HANDLE, "MakeArray", make_array),
    one(HANDLE, "GetGenericTypeDefinition", QCALL_MAKE, |m, s, c| make(m, s, c, |u, t| Ok(u.definition(t)))),
    one(HANDLE, "GetInstantiation", QCALL_INSTANTIATION, instantiation),
    native(HANDLE, "IsGenericVariable", is_variable),
    native(HANDLE, "GetGenericVariableIndex", variable_index),
    native(HANDLE, "ContainsGenericVariables", is_open),
    native(HANDLE, "IsUnmanagedFunctionPointer", is_unmanaged_pointer),
    native(HANDLE, "GetArgumentTypesFromFunctionPointer", function_pointer_types),
    native(HANDLE, "IsCollectible", zero),
    native(HANDLE, "RegisterCollectibleTypeDependency", nothing),
    native(HANDLE, "SatisfiesConstraints", satisfies_constraints),
    native(HANDLE, "VerifyInterfaceIsImplemented", nothing),
    native(HANDLE, "<_IsVisible>g____PInvoke|", is_visible),
    all(HANDLE, "IsInstanceOfType", is_instance),
    all(HANDLE, "CanCastTo", can_cast_objects),
    one(TYPE_HANDLE, "GetCorElementType", "System.Void*", element_type),
    one(TYPE_HANDLE, "CanCastTo", "System.Runtime.CompilerServices.TypeHandle", can_cast),
    native(TABLE_CLASS, "InstantiationArg0", first_argument),
    native(TABLE_CLASS, "GetLoaderAllocatorHandle", null),
    all("System.RuntimeType", "GetUnderlyingNativeHandle", native_handle),
];

const QCALL_NAME: &str = "System.Runtime.CompilerServices.QCallTypeHandle,System.TypeNameFormatFlags,System.Runtime.CompilerServices.StringHandleOnStack";
const QCALL_MAKE: &str =
    "System.Runtime.CompilerServices.QCallTypeHandle,System.Runtime.CompilerServices.ObjectHandleOnStack";
const QCALL_INSTANTIATE: &str = "System.Runtime.CompilerServices.QCallTypeHandle,System.IntPtr*,System.Int32,System.Runtime.CompilerServices.ObjectHandleOnStack";
const QCALL_INSTANTIATION: &str = "System.Runtime.CompilerServices.QCallTypeHandle,System.Runtime.CompilerServices.ObjectHandleOnStack,Interop+BOOL";

fn get_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    if object == 0 {
        return throws(m, RuntimeException::NullReference);
    }
    let ty = m.object_type(s, object)?;
    m.note_exact_class(s, object);
    answer_type(m, s, ty)
}

fn from_handle_slow(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    give_type(m, s, call, 1, ty)
}

fn native_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    Ok(Some(Value::address(m.type_handle(s, ty)?)))
}

fn attributes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let flags = match m.universe.ty(ty) {
        // Public, sealed, serializable: what CoreCLR gives to arrays.
        Type::SzArray(_) | Type::Array { .. } => 0x2101,
        Type::Pointer(_) | Type::ByRef(_) if m.flavor().is_core_3() => 0,
        Type::Pointer(_) | Type::ByRef(_) | Type::Param { .. } => 1,
        _ => m.universe.def_info(ty).map_or(0, |info| info.flags),
    };
    Ok(Some(Value::I32(flags.cast_signed())))
}

fn element_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    match element(&m.universe, ty) {
        Some(element) => Ok(Some(Value::address(m.type_handle(s, element)?))),
        None => Ok(Some(Value::NULL)),
    }
}

pub(crate) fn element(u: &Universe, ty: TypeId) -> Option<TypeId> {
    match u.ty(ty) {
        Type::SzArray(inner)
        | Type::Array { elem: inner, .. }
        | Type::ByRef(inner)
        | Type::Pointer(inner) => Some(*inner),
        _ => None,
    }
}

fn same_definition(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (a, b) = (call.type_object(m, s, 0)?, call.type_object(m, s, 1)?);
    Ok(Some(Value::bool(m.universe.definition(a) == m.universe.definition(b))))
}

fn rank(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let rank = match m.universe.ty(ty) {
        Type::Array { rank, .. } => *rank,
        _ => 1,
    };
    Ok(Some(Value::I32(rank.cast_signed())))
}

fn token(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let token = match m.universe.parameter(ty) {
        Some((_, id)) => id.token().raw(),
        None => m.universe.def_info(ty).map_or(0x0200_0000, |info| info.id.token().raw()),
    };
    Ok(Some(Value::I32(token.cast_signed())))
}

fn interfaces(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let mut ty = call.type_handle(m, s, 0)?;
    // The class library itself adds the generic interfaces of vectors.
    if m.universe.array_element(ty).is_some() {
        ty = m.universe.well_known().map_err(|error| give_up(s, error.into()))?.array;
    }
    let list = m.universe.interfaces(ty).map_err(|error| give_up(s, error.into()))?.to_vec();
    let array = type_array(m, s, &list)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

/// A handle is memory that holds a reference.
fn gc_handle(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::address(m.runtime_data(s, vec![0; 8]))))
}

fn construct_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let flags = call.number(m, s, 1)? as u32;
    if m.universe.is_mock(ty) {
        return Err(unsupported(s, "the name of a made-up class"));
    }
    let name = type_names::format(&m.universe, ty, flags);
    let text = m.string(s, &name)?;
    call.give(m, s, 2, text)?;
    Ok(None)
}

fn utf8_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let name = m.universe.def_info(ty).map(|info| info.name.to_string()).unwrap_or_default();
    Ok(Some(Value::address(m.utf8(s, &name))))
}

fn declaring_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    match enclosing(m, s, ty)? {
        Some(outer) => Ok(Some(Value::address(m.type_handle(s, outer)?))),
        None => Ok(Some(Value::NULL)),
    }
}

fn enclosing(m: &Machine, s: &State, ty: TypeId) -> Step<Option<TypeId>> {
    let outer = m.universe.def_info(ty).and_then(|info| Some((info.assembly, info.enclosing?)));
    let outer = outer.map(|(assembly, def)| m.universe.type_of_def(assembly, def)).transpose();
    outer.map_err(|error| give_up(s, error.into()))
}

fn instantiate(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let definition = call.type_handle(m, s, 0)?;
    let args = handle_list(m, s, call, 1, 2)?;
    let made = m.universe.make_instance(m.universe.definition(definition), &args);
    let Ok(made) = made else { return m.throw_strings(s, "System.TypeLoadException", &[""]) };
    if let Some(text) = m.universe.instance_refusal(made) {
        return m.throw_strings(s, "System.TypeLoadException", &[&text]);
    }
    give_type(m, s, call, 3, made)?;
    m.returned(s, after, None)
}

/// `(parameter, type, method, argument)`: the type and method are instantiated over all the arguments.
fn satisfies_constraints(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let parameter = call.type_handle(m, s, 0)?;
    let argument = call.type_handle(m, s, 3)?;
    let types = match call.word(m, s, 1, 8)? {
        0 => Vec::new(),
        handle => {
            let ty = m.type_of_handle(s, handle)?;
            m.universe.type_args(ty).to_vec()
        }
    };
    let methods = match call.word(m, s, 2, 0)? {
        0 => Vec::new(),
        _ => {
            let method = call.method_handle(m, s, 2)?;
            m.universe.method(method).args.to_vec()
        }
    };
    let fits = m.universe.parameter_accepts(parameter, argument, &types, &methods);
    Ok(Some(Value::bool(fits.map_err(|error| give_up(s, error.into()))?)))
}

fn constraints(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let Some((assembly, id)) = m.universe.parameter(ty) else {
        return Err(unsupported(s, "constraints of a type that is no parameter"));
    };
    let list = m.universe.parameter_constraints(assembly, id).map_err(|error| give_up(s, error.into()))?;
    let class = m.core_type(s, "System.Type")?;
    let array = array_of_types(m, s, class, &list)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

fn owner_of(m: &Machine, s: &State, ty: TypeId) -> Step<types::ParameterOwner> {
    let Some((assembly, id)) = m.universe.parameter(ty) else {
        return Err(unsupported(s, "what declares a type that is no parameter"));
    };
    m.universe.parameter_owner(assembly, id).map_err(|error| give_up(s, error.into()))
}

fn declaring_type_of_parameter(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let owner = match owner_of(m, s, ty)? {
        types::ParameterOwner::Type(owner) => owner,
        types::ParameterOwner::Method(method) => m.universe.method(method).owner,
    };
    Ok(Some(Value::address(m.type_handle(s, owner)?)))
}

fn declaring_method_of_parameter(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    if let types::ParameterOwner::Method(method) = owner_of(m, s, ty)? {
        let stub = m.method_stub(s, method)?;
        call.give(m, s, 1, stub)?;
    }
    Ok(None)
}

/// Types of a native array of handles.
pub(crate) fn handle_list(
    m: &mut Machine,
    s: &State,
    call: &Call,
    pointer: usize,
    count: usize,
) -> Step<Vec<TypeId>> {
    let pointer = call.number(m, s, pointer)?;
    let count = call.number(m, s, count)?;
    let mut types = Vec::new();
    for i in 0..count {
        let handle = m.load_word(s, pointer + 8 * i)?;
        types.push(m.type_of_handle(s, handle)?);
    }
    Ok(types)
}

fn make(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    make: fn(&Universe, TypeId) -> types::Result<TypeId>,
) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let made = make(&m.universe, ty).map_err(|error| give_up(s, error.into()))?;
    give_type(m, s, call, 1, made)
}

/// The same for what cannot be made of every type.
fn make_checked(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    after: OnReturn,
    refusal: fn(&Universe, TypeId) -> Option<String>,
    made: fn(&Universe, TypeId) -> types::Result<TypeId>,
) -> Step {
    let ty = call.type_handle(m, s, 0)?;
    if let Some(text) = refusal(&m.universe, ty) {
        return m.throw_strings(s, "System.TypeLoadException", &[&text]);
    }
    make(m, s, call, made)?;
    m.returned(s, after, None)
}

fn make_array(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_handle(m, s, 0)?;
    let rank = call.number(m, s, 1)? as u32;
    let suffix = if rank == 1 { "[*]".to_owned() } else { format!("[{}]", ",".repeat(rank as usize - 1)) };
    let u = &m.universe;
    if let Some(text) = u.dimensions_refusal(ty, rank).or_else(|| u.array_refusal(ty, &suffix)) {
        return m.throw_strings(s, "System.TypeLoadException", &[&text]);
    }
    let made = m.universe.make_array(ty, rank).map_err(|error| give_up(s, error.into()))?;
    give_type(m, s, call, 2, made)?;
    m.returned(s, after, None)
}

fn is_unmanaged_pointer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let is_unmanaged = matches!(m.universe.ty(ty), Type::FnPtr(sig) if sig.convention.is_unmanaged());
    Ok(Some(Value::bool(is_unmanaged)))
}

/// What a function pointer returns, and then what it takes.
fn function_pointer_types(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let Type::FnPtr(signature) = m.universe.ty(ty).clone() else {
        return Err(unsupported(s, "the signature of a type that is no function pointer"));
    };
    let list: Vec<TypeId> = std::iter::once(signature.ret).chain(signature.params.iter().copied()).collect();
    let class = m.core_type(s, "System.Type")?;
    let array = array_of_types(m, s, class, &list)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

fn instantiation(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let args = m.universe.type_args(ty).to_vec();
    if args.is_empty() {
        return Ok(None);
    }
    let array = if call.number(m, s, 2)? == 0 {
        let class = m.core_type(s, "System.Type")?;
        array_of_types(m, s, class, &args)?
    } else {
        type_array(m, s, &args)?
    };
    call.give(m, s, 1, array)?;
    Ok(None)
}

fn is_variable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    Ok(Some(Value::bool(m.universe.parameter(ty).is_some())))
}

fn variable_index(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let Some((assembly, id)) = m.universe.parameter(ty) else {
        return Err(unsupported(s, "the position of a type that is no parameter"));
    };
    let row = m.universe.assembly(assembly).module().generic_param(id);
    match row.map(|row| row.number) {
        Ok(number) => Ok(Some(Value::I32(i32::from(number)))),
        Err(error) => Err(give_up(s, Gap::invalid_code(error.to_string()))),
    }
}

fn is_open(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    Ok(Some(Value::bool(m.universe.mentions_parameters(ty))))
}

fn is_visible(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    Ok(Some(Value::bool(m.universe.is_visible(ty))))
}

pub(crate) fn is_instance(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let object = call.number(m, s, 1)?;
    if object == 0 {
        return Ok(Some(Value::bool(false)));
    }
    let from = m.object_type(s, object)?;
    castable(m, s, from, ty)
}

fn can_cast_objects(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (from, to) = (call.type_object(m, s, 0)?, call.type_object(m, s, 1)?);
    castable(m, s, from, to)
}

/// The first argument is a type handle, or the address of one (`this` of the structure).
fn can_cast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let first = call.word(m, s, 0, 0)?;
    let from = match m.type_of_handle(s, first) {
        Ok(ty) => ty,
        Err(_) => {
            let handle = m.load_word(s, first)?;
            m.type_of_handle(s, handle)?
        }
    };
    let to = call.type_handle(m, s, 1)?;
    castable(m, s, from, to)
}

pub(crate) fn castable(m: &Machine, s: &State, from: TypeId, to: TypeId) -> Step<Option<Value>> {
    let u = &m.universe;
    // A nullable takes the values of its argument.
    let to = u.nullable_argument(to).filter(|inner| *inner == from).unwrap_or(to);
    let fits = u.is_assignable(from, to).map_err(|error| give_up(s, error.into()))?;
    Ok(Some(Value::bool(fits)))
}

fn element_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    Ok(Some(Value::I32(element_types::of_signature(&m.universe, ty))))
}

fn first_argument(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    match m.universe.type_args(ty).first().copied() {
        Some(argument) => Ok(Some(Value::address(m.type_handle(s, argument)?))),
        None => Err(unsupported(s, "the argument of a type without any")),
    }
}

fn answer_type(m: &mut Machine, s: &mut State, ty: TypeId) -> Step<Option<Value>> {
    Ok(Some(Value::address(m.type_object(s, ty)?)))
}

fn give_type(m: &mut Machine, s: &mut State, call: &Call, index: usize, ty: TypeId) -> Step<Option<Value>> {
    let object = m.type_object(s, ty)?;
    call.give(m, s, index, object)?;
    Ok(None)
}

/// The types in a `Type[]`.
pub(crate) fn type_list(m: &mut Machine, s: &State, list: u64) -> Step<Vec<TypeId>> {
    let mut types = Vec::new();
    if list != 0 {
        for i in 0..u64::from(m.array_len(s, list)?) {
            let object = match m.load(s, list + u64::from(ELEMENTS) + 8 * i, Repr::Ref)? {
                Value::I64(object) => object.cast_unsigned(),
                _ => return Err(unsupported(s, "a symbolic type")),
            };
            types.push(m.type_of_object(s, object)?);
        }
    }
    Ok(types)
}

/// `RuntimeType[]`.
pub(crate) fn type_array(m: &mut Machine, s: &mut State, types: &[TypeId]) -> Step<u64> {
    let class = m.core_type(s, "System.RuntimeType")?;
    array_of_types(m, s, class, types)
}

/// An array of this class with the objects of the types.
pub(crate) fn array_of_types(m: &mut Machine, s: &mut State, class: TypeId, types: &[TypeId]) -> Step<u64> {
    let mut objects = Vec::with_capacity(types.len());
    for ty in types {
        objects.push(m.type_object(s, *ty)?);
    }
    m.object_array(s, class, &objects)
}

/// Answers a question about the type whose object is the first argument.
pub(crate) fn ask(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    question: fn(&Machine, TypeId) -> bool,
) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    Ok(Some(Value::bool(question(m, ty))))
}

/// The object of a type, or null.
pub(crate) fn answer(m: &mut Machine, s: &mut State, ty: Option<TypeId>) -> Step<Option<Value>> {
    match ty {
        Some(ty) => answer_type(m, s, ty),
        None => Ok(Some(Value::NULL)),
    }
}

/// Older runtimes have no objects for variables.
pub(crate) fn refuse_variables(m: &Machine, s: &State, ty: TypeId) -> Step<()> {
    match m.universe.ty(ty) {
        Type::Var(_) | Type::MVar(_) => Err(unsupported(s, "generic parameters as types")),
        _ => Ok(()),
    }
}

pub(crate) fn base(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    refuse_variables(m, s, ty)?;
    let base = m.universe.base(ty).map_err(|error| give_up(s, error.into()))?;
    answer(m, s, base)
}

pub(crate) fn declaring(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let outer = enclosing(m, s, ty)?;
    answer(m, s, outer)
}

/// As a `Type[]`.
pub(crate) fn interfaces_as_types(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let list = m.universe.interfaces(ty).map_err(|error| give_up(s, error.into()))?.to_vec();
    let class = m.core_type(s, "System.Type")?;
    array_of_types(m, s, class, &list).map(|array| Some(Value::address(array)))
}
