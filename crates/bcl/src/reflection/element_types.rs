//! `CorElementType` (ECMA-335 II.23.1.16): the one-byte kinds of types.

use types::{Primitive, Type, TypeId, Universe};

pub(crate) const VOID: i32 = 0x01;
const TYPE_PARAMETER: i32 = 0x13;
const METHOD_PARAMETER: i32 = 0x1e;

/// As signatures and reflection have it: an enum is a value type.
pub(crate) fn of_signature(u: &Universe, ty: TypeId) -> i32 {
    match u.ty(ty) {
        Type::Pointer(_) => 0x0f,
        Type::ByRef(_) => 0x10,
        Type::Var(_) => TYPE_PARAMETER,
        Type::Array { .. } => 0x14,
        Type::FnPtr(_) => 0x1b,
        Type::SzArray(_) => 0x1d,
        Type::Mock { .. } => 0x12,
        Type::MVar(_) => METHOD_PARAMETER,
        Type::Param { assembly, id } => match u.parameter_owner(*assembly, *id) {
            Ok(types::ParameterOwner::Method(_)) => METHOD_PARAMETER,
            _ => TYPE_PARAMETER,
        },
        Type::Def { .. } => match u.primitive(ty) {
            Some(primitive) => of_primitive(primitive),
            None if u.is_value_type(ty) => 0x11,
            None => 0x12,
        },
    }
}

/// As values are stored: an enum counts as what it is made of.
pub(crate) fn of_storage(u: &Universe, ty: TypeId) -> i32 {
    of_signature(u, u.enum_underlying(ty).ok().flatten().unwrap_or(ty))
}

fn of_primitive(primitive: Primitive) -> i32 {
    match primitive {
        Primitive::Void => VOID,
        Primitive::Boolean => 0x02,
        Primitive::Char => 0x03,
        Primitive::I1 => 0x04,
        Primitive::U1 => 0x05,
        Primitive::I2 => 0x06,
        Primitive::U2 => 0x07,
        Primitive::I4 => 0x08,
        Primitive::U4 => 0x09,
        Primitive::I8 => 0x0a,
        Primitive::U8 => 0x0b,
        Primitive::R4 => 0x0c,
        Primitive::R8 => 0x0d,
        Primitive::I => 0x18,
        Primitive::U => 0x19,
    }
}
