//! Methods by their handles: what reflection asks about them.

use crate::answers::{null, zero};
use types::{MethodId, TypeId};

use crate::reflection::type_names;
use crate::reflection::types::array_of_types;
use crate::table::{Entry, failed, native, native_enter, one};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const TYPE: &str = "System.RuntimeTypeHandle";
const METHOD: &str = "System.RuntimeMethodHandle";

pub(crate) const TABLE: &[Entry] = &[
    native(TYPE, "GetFirstIntroducedMethod", first_method),
    native(TYPE, "GetNextIntroducedMethod", next_method),
    native(METHOD, "GetAttributes", method_attributes),
    native(METHOD, "GetImplAttributes", impl_attributes),
    native(METHOD, "GetMethodTable", method_owner),
    native(METHOD, "GetSlot", slot),
    native(METHOD, "GetMethodDef", method_token),
    native(METHOD, "GetUtf8NameInternal", method_name),
    native(METHOD, "HasMethodInstantiation", has_instantiation),
    native(METHOD, "IsGenericMethodDefinition", is_generic_definition),
    native(METHOD, "GetGenericParameterCount", generic_count),
    native(METHOD, "IsConstructor", is_constructor),
    native(METHOD, "IsDynamicMethod", zero),
    native(METHOD, "GetLoaderAllocatorInternal", null),
    native(METHOD, "GetResolver", null),
    native(METHOD, "IsCAVisibleFromDecoratedType", |_, _, _| Ok(Some(Value::I32(1)))),
    native(METHOD, "GetIsCollectible", zero),
    native(METHOD, "StripMethodInstantiation", generic_definition),
    native(METHOD, "GetFunctionPointer", function_pointer),
    native(METHOD, "GetStubIfNeededInternal", on_type),
    native_enter(METHOD, "GetStubIfNeededSlow", with_arguments),
    native(METHOD, "GetMethodFromCanonical", on_type),
    native(METHOD, "ConstructInstantiation", instantiation_text),
    native(METHOD, "IsTypicalMethodDefinition", is_typical),
    native(METHOD, "GetTypicalMethodDefinition", typical),
    native(TYPE, "GetMethodAt", method_at),
    native(TYPE, "GetNumVirtuals", virtuals),
    native(TYPE, "GetNumVirtualsAndStaticVirtuals", virtuals),
    native(TYPE, "GetInterfaceMethodImplementation", implementation),
    native("System.Delegate", "GetInvokeMethod", invoke_of_delegate),
    one(METHOD, "GetMethodInstantiation", QCALL_INSTANTIATION, instantiation),
];

const QCALL_INSTANTIATION: &str =
    "System.RuntimeMethodHandleInternal,System.Runtime.CompilerServices.ObjectHandleOnStack,Interop+BOOL";

fn first_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let first = m.universe.methods(ty).map_err(|e| failed(s, e))?.first().copied();
    Ok(Some(handle_of(m, first)))
}

pub(crate) fn handle_of(m: &mut Machine, method: Option<MethodId>) -> Value {
    match method {
        Some(method) => word_struct(&m.method_handle(method)),
        None => word_struct(&Value::NULL),
    }
}

fn next_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.number(m, s, 0)?;
    let handle = m.load_word(s, place)?;
    let Some(method) = m.function_at(handle) else {
        return Err(unsupported(s, "a method handle that is none"));
    };
    let all = m.universe.methods(m.universe.method(method).owner).map_err(|e| failed(s, e))?;
    let next = position(m, all, method).and_then(|at| all.get(at + 1)).copied();
    let next = match next {
        Some(method) => m.method_handle(method),
        None => Value::NULL,
    };
    m.store(s, place, Repr::I8, next)?;
    Ok(None)
}

/// Where a method is among others of its type, whatever it is instantiated over.
fn position(m: &Machine, all: &[MethodId], method: MethodId) -> Option<usize> {
    let kind = m.universe.method(method).kind;
    all.iter().position(|other| m.universe.method(*other).kind == kind)
}

fn method_attributes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    Ok(Some(Value::I32(i32::from(m.universe.method(method).flags))))
}

/// The method of an `IRuntimeMethodInfo`: a stub, a method or a constructor.
pub(crate) fn method_of_object(m: &mut Machine, s: &State, object: u64) -> Step<MethodId> {
    let class = m.object_type(s, object)?;
    let offset = m.offset_of(s, class, &["m_handle", "m_value"])?;
    let handle = m.load_word(s, object + u64::from(offset))?;
    m.function_at(handle).ok_or_else(|| unsupported(s, "a method handle that is none"))
}

fn impl_attributes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let method = method_of_object(m, s, object)?;
    Ok(Some(Value::I32(i32::from(m.universe.method(method).impl_flags))))
}

fn method_owner(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let owner = m.universe.method(method).owner;
    Ok(Some(Value::address(m.type_handle(s, owner)?)))
}

fn slot(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let owner = m.universe.method(method).owner;
    let slot = if m.universe.is_interface(owner) {
        position(m, &virtual_methods(m, s, owner)?, method)
    } else {
        m.universe.slot_of(method).map_err(|e| failed(s, e))?
    };
    let slot = match slot {
        Some(slot) => slot,
        None => {
            let virtuals = m.universe.vtable(owner).map_err(|e| failed(s, e))?.slots.len();
            let all = m.universe.methods(owner).map_err(|e| failed(s, e))?;
            virtuals + position(m, all, method).unwrap_or(0)
        }
    };
    Ok(Some(Value::I32(slot as i32)))
}

/// The methods behind the slots of a type; an interface has those it declares.
fn virtual_methods(m: &Machine, s: &State, ty: TypeId) -> Step<Vec<MethodId>> {
    if m.universe.is_interface(ty) {
        let all = m.universe.methods(ty).map_err(|e| failed(s, e))?;
        return Ok(all.iter().copied().filter(|method| m.universe.method(*method).is_virtual()).collect());
    }
    let table = m.universe.vtable(ty).map_err(|e| failed(s, e))?;
    Ok(table.slots.iter().map(|slot| slot.implementation).collect())
}

fn virtuals(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = match call.args.first() {
        Some(Value::Struct(_)) => call.type_handle(m, s, 0)?,
        _ => call.type_object(m, s, 0)?,
    };
    Ok(Some(Value::I32(virtual_methods(m, s, ty)?.len() as i32)))
}

fn method_at(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let slot = call.number(m, s, 1)? as usize;
    let found = virtual_methods(m, s, ty)?.get(slot).copied();
    Ok(Some(answer(m, call, found)))
}

/// `(type, interface, method of the interface)`.
fn implementation(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let method = call.method_handle(m, s, 2)?;
    let found = if m.universe.method(method).is_static() {
        m.universe.resolve_static_virtual(ty, method)
    } else {
        m.universe.resolve_virtual(ty, method)
    };
    Ok(Some(answer(m, call, found.ok())))
}

fn invoke_of_delegate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let invoke = m.universe.methods_named(ty, "Invoke").map_err(|e| failed(s, e))?.first().copied();
    Ok(Some(answer(m, call, invoke)))
}

/// A method handle in the form that the native method returns: a structure or a bare pointer.
fn answer(m: &mut Machine, call: &Call, method: Option<MethodId>) -> Value {
    let bare = m
        .universe
        .signature(call.method)
        .is_ok_and(|sig| !m.universe.is_value_type(sig.ret) || m.universe.primitive(sig.ret).is_some());
    match method {
        Some(method) if bare => m.method_handle(method),
        None if bare => Value::NULL,
        method => handle_of(m, method),
    }
}

/// `(method, format, out text)`: the arguments in brackets.
fn instantiation_text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let flags = call.number(m, s, 1)? as u32;
    let args = m.universe.method(method).args.clone();
    let names: Vec<String> = args.iter().map(|arg| type_names::format(&m.universe, *arg, flags)).collect();
    let text = m.string(s, &format!("[{}]", names.join(",")))?;
    call.give(m, s, 2, text)?;
    Ok(None)
}

/// The method as its definition has it, type and method over their own parameters.
fn typical_of(m: &Machine, s: &State, method: MethodId) -> Step<MethodId> {
    let definition = m.universe.method_definition(method).and_then(|d| m.universe.reflected_method(d));
    definition.map_err(|e| failed(s, e))
}

fn is_typical(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let method = method_of_object(m, s, object)?;
    Ok(Some(Value::bool(typical_of(m, s, method)? == method)))
}

fn typical(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let method = typical_of(m, s, method)?;
    give_method(m, s, call, method)
}

fn give_method(m: &mut Machine, s: &mut State, call: &Call, method: MethodId) -> Step<Option<Value>> {
    let stub = m.method_stub(s, method)?;
    call.give(m, s, 1, stub)?;
    Ok(None)
}

fn method_token(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let token = m.universe.method(method).token().map_or(0x0600_0000, cil::Token::raw);
    Ok(Some(Value::I32(token.cast_signed())))
}

fn method_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let name = m.universe.method(method).name.clone();
    Ok(Some(Value::address(m.utf8(s, &name))))
}

fn has_instantiation(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    Ok(Some(Value::bool(!m.universe.method(method).args.is_empty())))
}

fn is_generic_definition(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let args = &m.universe.method(method).args;
    let declared = m.universe.generic_parameters_of_method(method);
    let own = args.iter().zip(&declared).all(|(arg, parameter)| match m.universe.ty(*arg) {
        types::Type::MVar(_) => true,
        types::Type::Param { id, .. } => *id == parameter.id,
        _ => false,
    });
    Ok(Some(Value::bool(!args.is_empty() && own)))
}

fn generic_count(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    Ok(Some(Value::I32(m.universe.method(method).args.len() as i32)))
}

fn is_constructor(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let info = m.universe.method(method);
    Ok(Some(Value::bool(info.is_constructor() || info.is_static_constructor())))
}

fn function_pointer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    Ok(Some(m.function_pointer(method)))
}

/// The same method of an instantiated type.
fn on_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let ty = call.type_object(m, s, 1)?;
    let found = instantiated(m, s, method, ty, &[])?;
    Ok(Some(handle_of(m, Some(found))))
}

pub(crate) fn instantiated(
    m: &Machine,
    s: &State,
    method: MethodId,
    ty: TypeId,
    args: &[TypeId],
) -> Step<MethodId> {
    let info = m.universe.method(method);
    let same = m.universe.definition(info.owner) == m.universe.definition(ty);
    let owner = if same { ty } else { info.owner };
    if args.is_empty() && owner == info.owner {
        return Ok(method);
    }
    let args = if args.is_empty() { info.args.to_vec() } else { args.to_vec() };
    m.universe.instantiate_method(method, owner, &args).map_err(|e| failed(s, e))
}

fn with_arguments(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let method = call.method_handle(m, s, 0)?;
    let ty = call.type_handle(m, s, 1)?;
    let place = call.word(m, s, 2, 0)?;
    let list = m.load_word(s, place)?;
    let mut args = Vec::new();
    if list != 0 {
        for i in 0..m.array_len(s, list)? {
            let object = m.load_word(s, list + u64::from(vm::ops::ELEMENTS) + 8 * u64::from(i))?;
            args.push(m.type_of_object(s, object)?);
        }
    }
    let found = instantiated(m, s, method, ty, &args)?;
    if let Some(text) = m.universe.method_load_failure(found).filter(|_| !args.is_empty()) {
        return m.throw_strings(s, "System.Security.VerificationException", &[&text]);
    }
    let handle = handle_of(m, Some(found));
    m.returned(s, after, Some(handle))
}

fn instantiation(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let args = m.universe.method(method).args.to_vec();
    if args.is_empty() {
        return Ok(None);
    }
    let class = if call.number(m, s, 2)? == 0 { "System.Type" } else { "System.RuntimeType" };
    let class = m.core_type(s, class)?;
    let array = array_of_types(m, s, class, &args)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

/// The generic method that this is an instance of, on the same type.
fn generic_definition(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let owner = m.universe.method(method).owner;
    let all = m.universe.methods(owner).map_err(|e| failed(s, e))?;
    let token = m.universe.method(method).token();
    let definition = all.iter().copied().find(|other| m.universe.method(*other).token() == token);
    let stub = m.method_stub(s, definition.unwrap_or(method))?;
    call.give(m, s, 1, stub)?;
    Ok(None)
}

/// `RuntimeMethodHandleInternal` and the like: a structure of one word.
pub(crate) fn word_struct(word: &Value) -> Value {
    match word {
        Value::I64(word) => vm::ops::handle(word.cast_unsigned()),
        other => other.clone(),
    }
}
