//! Structures in native memory. Those whose bytes are the same on both sides are copied; all others are refused by name.

use types::{Primitive, Type, TypeId};

use crate::table::{Entry, native};
use verdict::Gap;
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const MARSHAL: &str = "System.Runtime.InteropServices.Marshal";

pub(crate) const TABLE: &[Entry] = &[
    native(MARSHAL, "<SizeOfHelper>g____PInvoke|", size),
    native(MARSHAL, "OffsetOf", offset),
    native(MARSHAL, "<TryGetStructMarshalStub>g____PInvoke|", stub),
];

/// `(type, whether to throw)`
fn size(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let size = native_size(m, s, ty)?;
    Ok(Some(Value::I32(size.cast_signed())))
}

fn offset(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let field = call.field_handle(m, s, 0)?;
    let owner = m.universe.field(field).owner;
    native_size(m, s, owner)?;
    let offset = m.universe.field_offset(field).map_err(|error| give_up(s, error.into()))?;
    Ok(Some(Value::I64(i64::from(offset))))
}

/// `(type, where the stub goes, where the size goes)`: no stub means that the bytes are copied.
fn stub(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let size = native_size(m, s, ty)?;
    let (stub, place) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    m.store(s, stub, Repr::I8, Value::NULL)?;
    m.store(s, place, Repr::I8, Value::I64(i64::from(size)))?;
    Ok(Some(Value::I32(1)))
}

fn native_size(m: &Machine, s: &State, ty: TypeId) -> Step<u32> {
    let size = match m.universe.primitive(ty) {
        Some(Primitive::Boolean) => Ok(Some(4)),
        Some(Primitive::Char) => Ok(Some(1)),
        _ => is_blittable(m, ty).and_then(|blittable| blittable.then(|| m.universe.size_of(ty)).transpose()),
    };
    match size {
        Ok(Some(size)) => Ok(size),
        Ok(None) => {
            let name = m.universe.type_name(ty);
            Err(give_up(s, Gap::native_call(format!("marshalling of {name}, which is not only copied"))))
        }
        Err(error) => Err(give_up(s, error.into())),
    }
}

/// Are the bytes of a value the same in native code?
fn is_blittable(m: &Machine, ty: TypeId) -> types::Result<bool> {
    let u = &m.universe;
    if let Some(primitive) = u.underlying_primitive(ty)? {
        return Ok(!matches!(primitive, Primitive::Boolean | Primitive::Char));
    }
    if matches!(u.ty(ty), Type::Pointer(_) | Type::FnPtr(_)) {
        return Ok(true);
    }
    if !u.is_value_type(ty) || u.layout(ty)?.kind == types::LayoutKind::Auto {
        return Ok(false);
    }
    for field in u.instance_fields(ty)? {
        if !is_blittable(m, u.field_type(field)?)? {
            return Ok(false);
        }
    }
    Ok(true)
}
