//! Methods and fields by their handles: what reflection asks about them, and how it calls and reads them.

use types::{FieldId, MethodId, TypeId};

use super::handles::word_struct;
use super::type_handles::{cor_element_type, type_array};
use super::{Call, Entry, enter, native, native_enter, one};
use crate::code::FieldSite;
use crate::decode::repr_of;
use crate::machine::{Flow, Machine, Step, give_up, unsupported};
use crate::state::{OnReturn, State};
use crate::value::{Repr, Value};

const TYPE: &str = "System.RuntimeTypeHandle";
const METHOD: &str = "System.RuntimeMethodHandle";
const FIELD: &str = "System.RuntimeFieldHandle";

pub(super) const TABLE: &[Entry] = &[
    native(TYPE, "GetFirstIntroducedMethod", first_method),
    native(TYPE, "GetNextIntroducedMethod", next_method),
    native(TYPE, "<GetFields>g____PInvoke|", fields),
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
    native(METHOD, "IsDynamicMethod", |_, _, _| Ok(Some(Value::I32(0)))),
    native(METHOD, "GetLoaderAllocatorInternal", |_, _, _| Ok(Some(Value::NULL))),
    native(METHOD, "GetResolver", |_, _, _| Ok(Some(Value::NULL))),
    native(METHOD, "IsCAVisibleFromDecoratedType", |_, _, _| Ok(Some(Value::I32(1)))),
    native(METHOD, "GetFunctionPointer", function_pointer),
    native(METHOD, "GetStubIfNeededInternal", on_type),
    native(METHOD, "GetStubIfNeededSlow", with_arguments),
    native(METHOD, "GetMethodFromCanonical", on_type),
    one(METHOD, "GetMethodInstantiation", QCALL_INSTANTIATION, instantiation),
    native_enter(METHOD, "InvokeMethod", invoke),
    one("System.Signature", "Init", QCALL_SIGNATURE, signature),
    native(FIELD, "GetUtf8NameInternal", field_name),
    native(FIELD, "GetAttributes", field_attributes),
    native(FIELD, "GetApproxDeclaringMethodTable", field_owner),
    native(FIELD, "GetToken", field_token),
    native(FIELD, "IsFastPathSupported", |_, _, _| Ok(Some(Value::I32(1)))),
    native(FIELD, "GetInstanceFieldOffset", field_offset),
    native_enter(FIELD, "GetStaticFieldAddress", static_address),
    native_enter(FIELD, "<GetValue>g____PInvoke|", get_value),
    native_enter(FIELD, "<SetValue>g____PInvoke|", set_value),
    native(FIELD, "AcquiresContextFromThis", |_, _, _| Ok(Some(Value::I32(0)))),
    native(FIELD, "GetLoaderAllocatorInternal", |_, _, _| Ok(Some(Value::NULL))),
    native(FIELD, "GetStaticFieldForGenericType", |m, s, c| c.value_of_handle(m, s)),
    enter("System.Runtime.CompilerServices.RuntimeHelpers", "RunClassConstructor", run_class_constructor),
];

const QCALL_INSTANTIATION: &str =
    "System.RuntimeMethodHandleInternal,System.Runtime.CompilerServices.ObjectHandleOnStack,Interop+BOOL";
const QCALL_SIGNATURE: &str = "System.Runtime.CompilerServices.ObjectHandleOnStack,System.Void*,System.Int32,System.RuntimeFieldHandleInternal,System.RuntimeMethodHandleInternal";

impl Call {
    fn value_of_handle(&self, _: &mut Machine, s: &mut State) -> Step<Option<Value>> {
        self.value(s, 0).map(Some)
    }
}

fn failed(s: &State, error: types::Error) -> Box<crate::stop::Stop> {
    give_up(s, error.into())
}

fn first_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let first = m.universe.methods(ty).map_err(|e| failed(s, e))?.first().copied();
    Ok(Some(handle_of(m, first)))
}

fn handle_of(m: &mut Machine, method: Option<MethodId>) -> Value {
    match method {
        Some(method) => {
            let handle = m.function_pointer(method);
            word_struct(&handle)
        }
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
    let next = all.iter().position(|other| *other == method).and_then(|at| all.get(at + 1)).copied();
    let next = match next {
        Some(method) => m.function_pointer(method),
        None => Value::NULL,
    };
    m.store(s, place, Repr::I8, next)?;
    Ok(None)
}

/// `(type, IntPtr* handles, int* count)`: false if there is no room. Instance fields come first, as on CoreCLR.
fn fields(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let target = call.number(m, s, 1)?;
    let count = call.number(m, s, 2)?;
    let all = m.universe.fields(ty).map_err(|e| failed(s, e))?.to_vec();
    let is_static = |m: &Machine, field: &FieldId| m.universe.field(*field).is_static();
    let mut ordered: Vec<FieldId> = all.iter().copied().filter(|f| !is_static(m, f)).collect();
    ordered.extend(all.iter().copied().filter(|f| is_static(m, f) && !m.universe.field(*f).is_literal()));
    let room = match m.load(s, count, Repr::I4)? {
        Value::I32(room) => room as usize,
        _ => 0,
    };
    m.store(s, count, Repr::I4, Value::I32(ordered.len() as i32))?;
    if ordered.len() > room {
        return Ok(Some(Value::I32(0)));
    }
    for (i, field) in ordered.into_iter().enumerate() {
        let handle = m.field_handle(field);
        m.store(s, target + 8 * i as u64, Repr::I8, Value::address(handle))?;
    }
    Ok(Some(Value::I32(1)))
}

fn method_attributes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    Ok(Some(Value::I32(i32::from(m.universe.method(method).flags))))
}

/// The method of an `IRuntimeMethodInfo`: a stub, a method or a constructor.
fn method_of_object(m: &mut Machine, s: &State, object: u64) -> Step<MethodId> {
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
    let slot = m.universe.slot_of(method).map_err(|e| failed(s, e))?;
    let slot = match slot {
        Some(slot) => slot,
        None => {
            let virtuals = m.universe.vtable(owner).map_err(|e| failed(s, e))?.slots.len();
            let all = m.universe.methods(owner).map_err(|e| failed(s, e))?;
            virtuals + all.iter().position(|other| *other == method).unwrap_or(0)
        }
    };
    Ok(Some(Value::I32(slot as i32)))
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
    let open = args
        .iter()
        .enumerate()
        .all(|(i, arg)| matches!(m.universe.ty(*arg), types::Type::MVar(n) if *n as usize == i));
    Ok(Some(Value::bool(!args.is_empty() && open)))
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

fn instantiated(m: &Machine, s: &State, method: MethodId, ty: TypeId, args: &[TypeId]) -> Step<MethodId> {
    let info = m.universe.method(method);
    let same = m.universe.definition(info.owner) == m.universe.definition(ty);
    let owner = if same { ty } else { info.owner };
    if args.is_empty() && owner == info.owner {
        return Ok(method);
    }
    let args = if args.is_empty() { info.args.to_vec() } else { args.to_vec() };
    m.universe.instantiate_method(method, owner, &args).map_err(|e| failed(s, e))
}

fn with_arguments(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let ty = call.type_handle(m, s, 1)?;
    let place = call.word(m, s, 2, 0)?;
    let list = m.load_word(s, place)?;
    let mut args = Vec::new();
    if list != 0 {
        for i in 0..m.array_len(s, list)? {
            let object = m.load_word(s, list + u64::from(crate::ops::ELEMENTS) + 8 * u64::from(i))?;
            args.push(m.type_of_object(s, object)?);
        }
    }
    let found = instantiated(m, s, method, ty, &args)?;
    Ok(Some(handle_of(m, Some(found))))
}

fn instantiation(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let method = call.method_handle(m, s, 0)?;
    let args = m.universe.method(method).args.to_vec();
    let array = type_array(m, s, &args)?;
    call.give(m, s, 1, array)?;
    Ok(None)
}

/// Fills a `Signature` with the types of a method or field.
fn signature(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.word(m, s, 0, 0)?;
    let object = m.load_word(s, place)?;
    let field = call.word(m, s, 3, 0)?;
    let method = call.word(m, s, 4, 0)?;
    let class = m.core_type(s, "System.Signature")?;
    let (ret, params, convention) = if let Some(field) = m.field_of_handle(field).filter(|_| field != 0) {
        (m.universe.field_type(field).map_err(|e| failed(s, e))?, Vec::new(), 1)
    } else if let Some(method) = m.function_at(method) {
        let sig = m.universe.signature(method).map_err(|e| failed(s, e))?.clone();
        (sig.ret, sig.params.to_vec(), 1 | if sig.has_this { 0x20 } else { 0 })
    } else {
        return property_signature(m, s, call, object);
    };
    store_signature(m, s, object, ret, &params, convention)?;
    let at = u64::from(m.offset_of(s, class, &["_pMethod", "m_pMethod"])?);
    m.store(s, object + at, Repr::I8, Value::address(method))?;
    Ok(None)
}

fn store_signature(
    m: &mut Machine,
    s: &mut State,
    object: u64,
    ret: TypeId,
    params: &[TypeId],
    convention: i32,
) -> Step<()> {
    let class = m.core_type(s, "System.Signature")?;
    let arguments = type_array(m, s, params)?;
    let result = m.type_object(s, ret)?;
    let at = u64::from(m.offset_of(s, class, &["_arguments", "m_arguments"])?);
    m.store(s, object + at, Repr::Ref, Value::address(arguments))?;
    let at = u64::from(m.offset_of(s, class, &["_returnTypeORfieldType", "m_returnTypeORfieldType"])?);
    m.store(s, object + at, Repr::Ref, Value::address(result))?;
    let names =
        ["_managedCallingConventionAndArgIteratorFlags", "m_managedCallingConventionAndArgIteratorFlags"];
    let at = u64::from(m.offset_of(s, class, &names)?);
    m.store(s, object + at, Repr::I4, Value::I32(convention))
}

/// A signature given by its bytes: that of a property, in the context of the declaring type.
fn property_signature(m: &mut Machine, s: &mut State, call: &Call, object: u64) -> Step<Option<Value>> {
    let class = m.core_type(s, "System.Signature")?;
    let at = u64::from(m.offset_of(s, class, &["_declaringType", "m_declaringType"])?);
    let declaring = m.load_word(s, object + at)?;
    let owner = m.type_of_object(s, declaring)?;
    let pointer = call.number(m, s, 1)?;
    let len = call.number(m, s, 2)? as usize;
    let bytes = m.load_bytes(s, pointer, len)?;
    let Some(bytes) = bytes.concrete().map(<[u8]>::to_vec) else {
        return Err(unsupported(s, "a symbolic signature"));
    };
    let sig = m.universe.property_signature(owner, &bytes).map_err(|e| failed(s, e))?;
    let convention = if sig.has_this { 0x21 } else { 1 };
    store_signature(m, s, object, sig.ty, &sig.params, convention)?;
    Ok(None)
}

/// `(target, void** arguments, signature, isConstructor, result)`: the arguments are addresses of the values.
fn invoke(m: &mut Machine, s: &mut State, call: &Call, _after: OnReturn) -> Step {
    let target = call.word(m, s, 0, 0)?;
    let target = m.load_word(s, target)?;
    let list = call.number(m, s, 1)?;
    let signature = call.word(m, s, 2, 0)?;
    let signature = m.load_word(s, signature)?;
    let is_constructor = call.number(m, s, 3)? != 0;
    let result = call.word(m, s, 4, 0)?;
    let class = m.core_type(s, "System.Signature")?;
    let at = u64::from(m.offset_of(s, class, &["_pMethod", "m_pMethod"])?);
    let handle = m.load_word(s, signature + at)?;
    let Some(mut method) = m.function_at(handle) else {
        return Err(unsupported(s, "a method handle that is none"));
    };
    let sig = m.universe.signature(method).map_err(|e| failed(s, e))?.clone();
    let depth = s.depth;
    if m.callee_needs_init(s, method)? {
        give_back(s, call, depth);
        return Ok(Flow::Reload);
    }
    let owner = m.universe.method(method).owner;
    let mut this = target;
    let mut after = OnReturn::Reflected { place: result, ty: sig.ret };
    if is_constructor && target == 0 {
        this = m.allocate_instance(s, owner)?;
        m.store(s, result, Repr::Ref, Value::address(this))?;
        after = OnReturn::Discard;
    } else if sig.has_this && m.universe.method(method).is_virtual() {
        let receiver = m.object_type(s, target)?;
        method = m.universe.resolve_virtual(receiver, method).map_err(|e| failed(s, e))?;
    }
    if sig.has_this {
        s.top.stack.push(Value::address(this));
    }
    for (i, ty) in sig.params.iter().enumerate() {
        let address = m.load_word(s, list + 8 * i as u64)?;
        let value = if cor_element_type(&m.universe, *ty) == 0x10 {
            Value::address(address)
        } else {
            let repr = repr_of(&m.universe, *ty).map_err(|reason| give_up(s, reason))?;
            m.load(s, address, repr)?
        };
        s.top.stack.push(value);
    }
    m.invoke(s, method, sig.params.len() + usize::from(sig.has_this), after)
}

fn field_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = call.field_handle(m, s, 0)?;
    let name = m.universe.field(field).name.clone();
    Ok(Some(Value::address(m.utf8(s, &name))))
}

fn field_attributes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = call.field_handle(m, s, 0)?;
    Ok(Some(Value::I32(i32::from(m.universe.field(field).flags))))
}

fn field_owner(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = call.field_handle(m, s, 0)?;
    let owner = m.universe.field(field).owner;
    Ok(Some(Value::address(m.type_handle(s, owner)?)))
}

fn field_token(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = call.field_handle(m, s, 0)?;
    Ok(Some(Value::I32(m.universe.field(field).token().raw().cast_signed())))
}

fn field_offset(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    let field = m.field_of_object(s, object)?;
    let offset = m.universe.field_offset(field).map_err(|e| failed(s, e))?;
    Ok(Some(Value::I32(offset.cast_signed())))
}

fn static_address(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 0)?;
    let field = m.field_of_object(s, object)?;
    match place_of_static(m, s, call, field)? {
        Some(address) => m.returned(s, after, Some(Value::address(address))),
        None => Ok(Flow::Reload),
    }
}

/// The address of a static field; `None` if the call is made again after a static constructor.
fn place_of_static(m: &mut Machine, s: &mut State, call: &Call, field: FieldId) -> Step<Option<u64>> {
    let owner = m.universe.field(field).owner;
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    let site = FieldSite {
        field,
        owner,
        owner_is_value_type: m.universe.is_value_type(owner),
        offset: 0,
        repr: repr_of(&m.universe, ty).map_err(|reason| give_up(s, reason))?,
        init: m.universe.static_constructor(owner).map_err(|e| failed(s, e))?.is_some(),
        changeable: !m.universe.field(field).is_init_only(),
        compilers_cache: false,
    };
    let depth = s.depth;
    let place = m.static_address(s, site)?;
    if place.is_none() {
        give_back(s, call, depth);
    }
    Ok(place)
}

/// The place of a field of the object in argument 1, or of a static field.
fn place_of(m: &mut Machine, s: &mut State, call: &Call, field: FieldId) -> Step<Option<u64>> {
    if m.universe.field(field).is_static() {
        return place_of_static(m, s, call, field);
    }
    let slot = call.word(m, s, 1, 0)?;
    let object = m.load_word(s, slot)?;
    let offset = m.universe.field_offset(field).map_err(|e| failed(s, e))?;
    Ok(Some(object + u64::from(offset)))
}

/// `(field, object, type, declaring type, int* initialized, result)`.
fn get_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let field = call.field_handle(m, s, 0)?;
    let Some(place) = place_of(m, s, call, field)? else { return Ok(Flow::Reload) };
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    let repr = repr_of(&m.universe, ty).map_err(|reason| give_up(s, reason))?;
    let value = m.load(s, place, repr)?;
    let result = call.word(m, s, 5, 0)?;
    m.store_result(s, result, ty, Some(value))?;
    m.returned(s, after, None)
}

/// `(field, object, value, type, declaring type, int* initialized)`.
fn set_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let field = call.field_handle(m, s, 0)?;
    let Some(place) = place_of(m, s, call, field)? else { return Ok(Flow::Reload) };
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    let repr = repr_of(&m.universe, ty).map_err(|reason| give_up(s, reason))?;
    let slot = call.word(m, s, 2, 0)?;
    let object = m.load_word(s, slot)?;
    let value = match (m.universe.is_value_type(ty), object) {
        (false, object) => Value::address(object),
        (true, 0) => repr.zero(),
        (true, object) => m.load(s, object, repr)?,
    };
    m.store(s, place, repr, value)?;
    m.returned(s, after, None)
}

fn run_class_constructor(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = match call.args.first() {
        Some(Value::Struct(bytes)) if bytes.len() == 8 => {
            let object = call.word(m, s, 0, 0)?;
            m.type_of_object(s, object)?
        }
        _ => call.type_handle(m, s, 0)?,
    };
    let depth = s.depth;
    if m.ensure_initialized(s, ty)? {
        return m.returned(s, after, None);
    }
    give_back(s, call, depth);
    Ok(Flow::Reload)
}

/// Puts the arguments of a call back under the frame that was pushed, so that the call is made again after it. If an
/// exception was raised instead, there is no call any more.
pub(super) fn give_back(s: &mut State, call: &Call, depth_before: u32) {
    if s.depth == depth_before + 1 {
        s.extend_caller_stack(&call.args);
    }
}

impl Machine {
    /// Whether a static constructor has to run first; its frame has been pushed then.
    fn callee_needs_init(&mut self, s: &mut State, method: MethodId) -> Step<bool> {
        match self.callee(method) {
            crate::machine::Callee::Code(code) => match code.init_type {
                Some(ty) => Ok(!self.ensure_initialized(s, ty)?),
                None => Ok(false),
            },
            _ => Ok(false),
        }
    }
}
