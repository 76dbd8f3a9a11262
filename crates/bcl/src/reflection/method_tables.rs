//! Method tables: what CoreCLR keeps at the head of every object, as memory that the class library reads by itself.
//!
//! A type's table is a block laid out as `System.Runtime.CompilerServices.MethodTable` says; `RuntimeType.m_handle` is its
//! address. Types without a table of their own (pointers, generic parameters) have the bit that marks a type descriptor.

use crate::reflection::element_types;
use crate::table::{Entry, all, enter, one};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";
const TABLE_OF: &str = "System.Runtime.CompilerServices.MethodTable";
const HANDLE: &str = "System.Runtime.CompilerServices.TypeHandle";
const CASTS: &str = "System.Runtime.CompilerServices.CastHelpers";
const RUNTIME_HANDLE: &str = "System.RuntimeTypeHandle";

pub(crate) const TABLE: &[Entry] = &[
    all(HELPERS, "GetMethodTable", method_table_of_object),
    all(TABLE_OF, "GetNumInstanceFieldBytes", instance_bytes),
    all(TABLE_OF, "GetPrimitiveCorElementType", element_type),
    all(HANDLE, "TryCanCastTo", can_cast),
    all(HANDLE, "CanCastToWorker", can_cast),
    all(HANDLE, "CanCastTo_NoCacheLookup", can_cast),
    all(CASTS, "IsInstanceOfAny", is_instance_of),
    all(CASTS, "Unbox_Nullable", unbox_nullable),
    all(CASTS, "ReboxFromNullable", rebox_from_nullable),
    enter(CASTS, "ChkCastAny", cast),
    enter(CASTS, "ChkCastClass", cast),
    enter(CASTS, "ChkCastInterface", cast),
    all(CASTS, "IsInstanceOfClass", is_instance_of),
    all(CASTS, "IsInstanceOfInterface", is_instance_of),
    one(RUNTIME_HANDLE, "GetRuntimeTypeFromHandle", "System.IntPtr", type_object_of_handle),
    one(RUNTIME_HANDLE, "GetRuntimeTypeFromHandleMaybeNull", "System.IntPtr", type_object_of_handle),
    all(RUNTIME_HANDLE, "GetRuntimeType", type_object_of_table),
    one(RUNTIME_HANDLE, "InternalAlloc", "System.Runtime.CompilerServices.MethodTable*", allocate),
    one(RUNTIME_HANDLE, "InternalAllocNoChecks", "System.Runtime.CompilerServices.MethodTable*", allocate),
    all(RUNTIME_HANDLE, "InternalAllocNoChecks_FastPath", allocate),
    all("System.Array", "GetCorElementTypeOfElementType", element_type_of_array),
];

fn method_table_of_object(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.object_type(m, s, 0)?;
    Ok(Some(Value::address(m.method_table(s, ty)?)))
}

fn instance_bytes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    match m.universe.layout(ty) {
        Ok(layout) => Ok(Some(Value::I32(layout.size.cast_signed()))),
        Err(error) => Err(give_up(s, error.into())),
    }
}

fn element_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    Ok(Some(Value::I32(element_types::of_storage(&m.universe, ty))))
}

fn element_type_of_array(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.object_type(m, s, 0)?;
    match m.universe.array_element(array) {
        Some(element) => Ok(Some(Value::I32(element_types::of_storage(&m.universe, element)))),
        None => Err(unsupported(s, "an array that is none")),
    }
}

/// Both arguments are handles, as structures or as bare addresses.
fn can_cast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let from = call.word(m, s, 0, 0)?;
    let to = call.word(m, s, 1, 0)?;
    let (from, to) = (m.type_of_handle(s, from)?, m.type_of_handle(s, to)?);
    match m.universe.is_assignable(from, to) {
        Ok(yes) => Ok(Some(Value::bool(yes))),
        Err(error) => Err(give_up(s, error.into())),
    }
}

fn is_instance_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let object = call.number(m, s, 1)?;
    if object == 0 {
        return Ok(Some(Value::NULL));
    }
    let to = m.type_of_handle(s, handle)?;
    let from = m.object_type(s, object)?;
    match m.universe.is_assignable(from, to) {
        Ok(yes) => Ok(Some(if yes { Value::address(object) } else { Value::NULL })),
        Err(error) => Err(give_up(s, error.into())),
    }
}

fn cast(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 1)?;
    match is_instance_of(m, s, call)? {
        Some(Value::I64(0)) if object != 0 => {
            let handle = call.number(m, s, 0)?;
            let to = m.type_of_handle(s, handle)?;
            m.bad_cast(s, object, to)
        }
        object => m.returned(s, after, object),
    }
}

fn type_object_of_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    if handle == 0 {
        return Ok(Some(Value::NULL));
    }
    let ty = m.type_of_handle(s, handle)?;
    Ok(Some(Value::address(m.type_object(s, ty)?)))
}

/// `GetRuntimeType(MethodTable*)`, and the instance method of a handle, which is a structure with the type's object.
fn type_object_of_table(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let address = call.number(m, s, 0)?;
    if m.universe.method(call.method).is_static() {
        return type_object_of_handle(m, s, call);
    }
    m.load(s, address, Repr::Ref).map(Some)
}

fn allocate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    m.allocate_instance(s, ty).map(|object| Some(Value::address(object)))
}

/// Where the nullable is, its type, an object or null.
fn unbox_nullable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (to, handle, object) = (call.number(m, s, 0)?, call.number(m, s, 1)?, call.number(m, s, 2)?);
    let ty = m.type_of_handle(s, handle)?;
    let nullable = m.nullable_of(s, ty, (object != 0).then_some(object))?;
    m.store_bytes(s, to, &nullable)?;
    Ok(None)
}

/// `(type, box of a nullable)`, which only the runtime has: null, or a box of the value.
fn rebox_from_nullable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (handle, object) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let ty = m.type_of_handle(s, handle)?;
    m.boxed_from_nullable(s, ty, object).map(|boxed| Some(Value::address(boxed.unwrap_or(0))))
}
