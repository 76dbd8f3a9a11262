//! Fields by their handles: what reflection asks about them, and how it reads and writes them.

use types::{FieldId, MethodId, TypeId};

use crate::answers::{null, zero};
use crate::reflection::call_code::{Reflected, Thrown, call_reflected};
use crate::reflection::invocation::give_back;
use crate::table::{Entry, failed, native, native_enter};
use vm::code::FieldSite;
use vm::decode::repr_of;
use vm::machine::{Flow, Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{InitStatus, OnReturn, State};
use vm::value::{Repr, Value};

const TYPE: &str = "System.RuntimeTypeHandle";
const FIELD: &str = "System.RuntimeFieldHandle";

pub(crate) const TABLE: &[Entry] = &[
    native(TYPE, "<GetFields>g____PInvoke|", fields),
    native(FIELD, "GetUtf8NameInternal", field_name),
    native(FIELD, "GetAttributes", field_attributes),
    native(FIELD, "GetApproxDeclaringMethodTable", field_owner),
    native(FIELD, "GetToken", field_token),
    native(FIELD, "IsFastPathSupported", |_, _, _| Ok(Some(Value::I32(1)))),
    native(FIELD, "GetInstanceFieldOffset", field_offset),
    native_enter(FIELD, "GetStaticFieldAddress", static_address),
    native_enter(FIELD, "<GetValue>g____PInvoke|", get_value),
    native_enter(FIELD, "<SetValue>g____PInvoke|", set_value),
    native(FIELD, "GetValueDirect", get_value_direct),
    native(FIELD, "SetValueDirect", set_value_direct),
    native(FIELD, "AcquiresContextFromThis", zero),
    native(FIELD, "GetLoaderAllocatorInternal", null),
    native(FIELD, "GetStaticFieldForGenericType", |_, s, c| c.value(s, 0).map(Some)),
];

/// `(type, IntPtr* handles, int* count)`: false if there is no room. Instance fields come first, as on CoreCLR.
pub(crate) fn fields(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
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

/// The address of a static field; `None` if the call is made again after a static constructor. CoreCLR wraps what that
/// throws, Mono does not.
fn place_of_static(m: &mut Machine, s: &mut State, call: &Call, field: FieldId) -> Step<Option<u64>> {
    let site = FieldSite::of(&m.universe, field).map_err(|gap| give_up(s, gap))?;
    let depth = s.depth;
    let is_open = matches!(s.statics.get(site.owner).status, InitStatus::NotStarted | InitStatus::Failed(_));
    if site.init && is_open && m.flavor() != vm::Flavor::Mono {
        initialize_wrapped(m, s, call.method, site.owner)?;
        give_back(s, call, depth);
        return Ok(None);
    }
    let place = m.static_address(s, site)?;
    if place.is_none() {
        give_back(s, call, depth);
    }
    Ok(place)
}

/// Runs a static constructor; what it throws becomes the inner exception of a `TargetInvocationException`.
fn initialize_wrapped(m: &mut Machine, s: &mut State, made_by: MethodId, ty: TypeId) -> Step {
    let class = m.core_type(s, "System.Runtime.CompilerServices.RuntimeHelpers")?;
    let handle = m.core_type(s, TYPE)?;
    let method = m.universe.find_method(class, "RunClassConstructor", &[handle]);
    let Some(method) = method.map_err(|e| failed(s, e))? else {
        return Err(unsupported(s, "a runtime without RunClassConstructor"));
    };
    let repr = repr_of(&m.universe, handle).map_err(|gap| give_up(s, gap))?;
    let value = m.type_object(s, ty)?;
    let boxed = m.box_value(s, handle, repr, repr.zero())?;
    m.store(s, boxed, Repr::Ref, Value::address(value))?;
    let object = m.universe.well_known().map_err(|e| failed(s, e))?.object;
    let Some(arguments) = m.allocate_array(s, object, 1)? else {
        return Err(unsupported(s, "reflection without memory"));
    };
    m.store(s, arguments + u64::from(ELEMENTS), Repr::Ref, Value::address(boxed))?;
    let call = Reflected { method, target: 0, arguments, thrown: Thrown::Wrapped, place: 0 };
    call_reflected(m, s, made_by, &call, OnReturn::Again)
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
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = m.load(s, place, repr)?;
    let result = call.word(m, s, 5, 0)?;
    m.store_result(s, result, ty, Some(value))?;
    m.returned(s, after, None)
}

/// `(field, object, value, type, declaring type, int* initialized)`.
fn set_value(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let field = call.field_handle(m, s, 0)?;
    let Some(place) = place_of(m, s, call, field)? else { return Ok(Flow::Reload) };
    let slot = call.word(m, s, 2, 0)?;
    let object = m.load_word(s, slot)?;
    store_in_field(m, s, place, field, object)?;
    m.returned(s, after, None)
}

/// What an object holds goes to the place of a field; null is its zero.
fn store_in_field(m: &mut Machine, s: &mut State, place: u64, field: FieldId, object: u64) -> Step<()> {
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = match (m.universe.is_value_type(ty), object) {
        (false, object) => Value::address(object),
        (true, 0) => repr.zero(),
        (true, object) => m.load(s, object, repr)?,
    };
    m.store(s, place, repr, value)
}

/// The same field in the object of argument 1, for runtimes that pass objects themselves. None if a static constructor
/// runs first and the call is made again.
fn place_in_argument(m: &mut Machine, s: &mut State, call: &Call, field: FieldId) -> Step<Option<u64>> {
    if m.universe.field(field).is_static() {
        return place_of_static(m, s, call, field);
    }
    let object = call.number(m, s, 1)?;
    let offset = m.universe.field_offset(field).map_err(|e| failed(s, e))?;
    Ok(Some(object + u64::from(offset)))
}

/// `(…, object)` gives the value as an object.
pub(crate) fn get_boxed(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    field: FieldId,
    after: OnReturn,
) -> Step {
    let Some(place) = place_in_argument(m, s, call, field)? else { return Ok(Flow::Reload) };
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = m.load(s, place, repr)?;
    let boxed = m.boxed(s, ty, value)?;
    m.returned(s, after, Some(boxed))
}

/// `(…, object, value)`.
pub(crate) fn set_boxed(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    field: FieldId,
    after: OnReturn,
) -> Step {
    let Some(place) = place_in_argument(m, s, call, field)? else { return Ok(Flow::Reload) };
    let object = call.number(m, s, 2)?;
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    if m.universe.nullable_argument(ty).is_some() {
        return Err(unsupported(s, "a nullable set by reflection"));
    }
    store_in_field(m, s, place, field, object)?;
    m.returned(s, after, None)
}

/// The place of a field in what a `TypedReference` refers to.
fn place_in_reference(m: &mut Machine, s: &State, call: &Call, field: FieldId) -> Step<u64> {
    let reference = call.number(m, s, 1)?;
    let mut target = m.load_word(s, reference)?;
    if !m.universe.is_value_type(m.universe.field(field).owner) {
        target = m.load_word(s, target)?;
    }
    let offset = m.universe.field_offset(field).map_err(|e| failed(s, e))?;
    Ok(target + u64::from(offset))
}

/// `(field, typed reference, field type, declaring type, result)`.
fn get_value_direct(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = call.field_handle(m, s, 0)?;
    let place = place_in_reference(m, s, call, field)?;
    let ty = m.universe.field_type(field).map_err(|e| failed(s, e))?;
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let value = m.load(s, place, repr)?;
    let result = call.word(m, s, 4, 0)?;
    m.store_result(s, result, ty, Some(value))?;
    Ok(None)
}

/// `(field, typed reference, value, field type, declaring type)`.
fn set_value_direct(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = call.field_handle(m, s, 0)?;
    let place = place_in_reference(m, s, call, field)?;
    let slot = call.word(m, s, 2, 0)?;
    let object = m.load_word(s, slot)?;
    store_in_field(m, s, place, field, object)?;
    Ok(None)
}
