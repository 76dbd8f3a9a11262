//! `System.Signature`: the types in the signature of a method, field or property.

use types::TypeId;

use crate::reflection::types::{array_of_types, type_array};
use crate::table::{Entry, failed, native, one};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

pub(crate) const TABLE: &[Entry] = &[
    one("System.Signature", "Init", QCALL_SIGNATURE, signature),
    one("System.Signature", "AreEqual", QCALL_EQUAL, are_equal),
    native("System.Signature", "GetParameterOffsetInternal", parameter_number),
    native("System.Signature", "GetCustomModifiersAtOffset", modifiers),
];

const QCALL_EQUAL: &str = "System.Void*,System.Int32,System.Runtime.CompilerServices.QCallTypeHandle,System.Void*,System.Int32,System.Runtime.CompilerServices.QCallTypeHandle";

const QCALL_SIGNATURE: &str = "System.Runtime.CompilerServices.ObjectHandleOnStack,System.Void*,System.Int32,System.RuntimeFieldHandleInternal,System.RuntimeMethodHandleInternal";

/// How signatures of fields begin (ECMA-335 II.23.2.4).
const FIELD: u8 = 6;

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
        return signature_of_bytes(m, s, call, object);
    };
    store_signature(m, s, object, ret, &params, convention)?;
    if let Some(field) = m.field_of_handle(field).filter(|_| field != 0) {
        let blob = m.universe.field_blob(field).map_err(|e| failed(s, e))?.to_vec();
        let length = Value::I32(blob.len() as i32);
        let data = m.runtime_data(s, blob);
        m.store_field(s, object, "_sig", Repr::I8, Value::address(data))?;
        m.store_field(s, object, "_csig", Repr::I4, length)?;
    }
    let at = u64::from(m.offset_of(s, class, &["_pMethod", "m_pMethod"])?);
    m.store(s, object + at, Repr::I8, Value::address(method))?;
    Ok(None)
}

pub(crate) fn store_signature(
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

/// A signature given by its bytes: that of a property or of a constant field, in the context of the declaring type.
pub(crate) fn signature_of_bytes(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    object: u64,
) -> Step<Option<Value>> {
    let class = m.core_type(s, "System.Signature")?;
    let at = u64::from(m.offset_of(s, class, &["_declaringType", "m_declaringType"])?);
    let declaring = m.load_word(s, object + at)?;
    let owner = m.type_of_object(s, declaring)?;
    let bytes = blob(m, s, call, 1)?;
    for (names, index, repr) in [(["_sig", "m_sig"], 1, Repr::I8), (["_csig", "m_csig"], 2, Repr::I4)] {
        let value = call.value(s, index)?;
        let at = u64::from(m.offset_of(s, class, &names)?);
        m.store(s, object + at, repr, value)?;
    }
    if bytes.first() == Some(&FIELD) {
        let ty = m.universe.field_signature(owner, &bytes).map_err(|e| failed(s, e))?;
        store_signature(m, s, object, ty, &[], 1)?;
        return Ok(None);
    }
    let sig = m.universe.property_signature(owner, &bytes).map_err(|e| failed(s, e))?;
    let convention = if sig.has_this { 0x21 } else { 1 };
    store_signature(m, s, object, sig.ty, &sig.params, convention)?;
    Ok(None)
}

/// The bytes that a pointer and a length, this argument and the next, refer to.
fn blob(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<Vec<u8>> {
    let pointer = call.number(m, s, index)?;
    let len = call.number(m, s, index + 1)? as usize;
    let bytes = m.load_bytes(s, pointer, len)?;
    bytes.concrete().map(<[u8]>::to_vec).ok_or_else(|| unsupported(s, "a symbolic signature"))
}

/// `(bytes, length, type, bytes, length, type)`: signatures of properties, each in the context of its type.
fn are_equal(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let mut read = |index: usize| {
        let owner = call.type_handle(m, s, index + 2)?;
        let bytes = blob(m, s, call, index)?;
        m.universe.property_signature(owner, &bytes).map_err(|e| failed(s, e))
    };
    let (a, b) = (read(0)?, read(3)?);
    Ok(Some(Value::bool(a == b)))
}

/// `(bytes, length, number)`: what only [`modifiers`] is given back, so the number itself serves.
fn parameter_number(_: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    call.value(s, 2).map(Some)
}

/// `(signature, number, required, out types)`: the custom modifiers of a parameter, of the result (0) or of a field.
fn modifiers(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.word(m, s, 0, 0)?;
    let object = m.load_word(s, place)?;
    let number = call.number(m, s, 1)? as u16;
    let required = call.number(m, s, 2)? != 0;
    let class = m.core_type(s, "System.Signature")?;
    let at = u64::from(m.offset_of(s, class, &["_pMethod", "m_pMethod"])?);
    let handle = m.load_word(s, object + at)?;
    let found = if let Some(method) = m.function_at(handle).filter(|_| handle != 0) {
        m.universe.signature(method).map_err(|e| failed(s, e))?.modifiers.to_vec()
    } else {
        modifiers_of_blob(m, s, object, class)?
    };
    // The modifier nearest to the type comes last in the signature and first in reflection.
    let chosen: Vec<TypeId> = found
        .iter()
        .rev()
        .filter(|modifier| modifier.path.as_slice() == [number] && modifier.is_required == required)
        .map(|modifier| modifier.ty)
        .collect();
    let class = m.core_type(s, "System.Type")?;
    let array = array_of_types(m, s, class, &chosen)?;
    call.give(m, s, 3, array)?;
    Ok(None)
}

/// The modifiers of a field or property, whose signature is kept as bytes.
fn modifiers_of_blob(m: &mut Machine, s: &State, object: u64, class: TypeId) -> Step<Vec<types::Modifier>> {
    let at = u64::from(m.offset_of(s, class, &["_declaringType", "m_declaringType"])?);
    let declaring = m.load_word(s, object + at)?;
    let owner = m.type_of_object(s, declaring)?;
    let pointer = m.load_field(s, object, "_sig", Repr::I8)?;
    let length = m.load_field(s, object, "_csig", Repr::I4)?;
    let (Value::I64(pointer), Value::I32(length)) = (pointer, length) else {
        return Err(unsupported(s, "a symbolic signature"));
    };
    if pointer == 0 {
        return Err(unsupported(s, "the custom modifiers of such a signature"));
    }
    let bytes = m.load_bytes(s, pointer.cast_unsigned(), length.max(0) as usize)?;
    let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "a symbolic signature")) };
    m.universe.modifiers_in_signature(owner, bytes).map_err(|e| failed(s, e))
}
