//! Operands that name a method or a field.

use types::{FieldId, MethodId, Primitive, TypeId, Universe};

use super::repr_of;
use crate::code::{CallSite, FieldSite};
use verdict::Gap;

impl CallSite {
    /// A call of a method as its signature says.
    pub fn of(u: &Universe, method: MethodId) -> Result<CallSite, Gap> {
        let signature = u.signature(method)?;
        Ok(CallSite {
            method,
            arg_count: signature.params.len() + usize::from(signature.has_this),
            has_this: signature.has_this,
            returns: u.primitive(signature.ret) != Some(Primitive::Void),
            constrained: None,
        })
    }
}

impl FieldSite {
    pub fn of(u: &Universe, field: FieldId) -> Result<FieldSite, Gap> {
        let info = u.field(field);
        let (owner, is_static) = (info.owner, info.is_static());
        Ok(FieldSite {
            field,
            owner,
            owner_is_value_type: u.is_value_type(owner),
            offset: if is_static { 0 } else { u.field_offset(field)? },
            repr: repr_of(u, u.field_type(field)?)?,
            init: is_static && (u.static_constructor(owner)?.is_some() || starts_module(u, owner)),
            changeable: is_static && !info.is_init_only() && !info.has_rva(),
            readonly: info.is_init_only(),
            compilers_cache: is_compilers_cache(u, owner),
        })
    }
}

/// `<>c` and `<>O` keep the delegates of lambdas and method groups: whether one was made before makes no difference.
fn is_compilers_cache(u: &Universe, owner: TypeId) -> bool {
    let name = u.type_name(owner);
    name.split(['+', '`', '[']).any(|part| part == "<>c" || part == "<>O" || part.starts_with("<>c__"))
}

/// Does the first use of a type start its module?
fn starts_module(u: &Universe, ty: TypeId) -> bool {
    u.def_info(ty).is_some_and(|info| u.module_initializer(info.assembly).is_some())
}
