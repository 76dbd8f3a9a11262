//! The integer types behind enums that are defined in the same module as the attribute.

use super::{EnumRef, EnumUnderlying};
use crate::error::Result;
use crate::metadata::Metadata;
use crate::schema::{RowRef, TypeDefId};
use crate::sig::TypeSig;

impl EnumUnderlying {
    pub fn from_sig(sig: &TypeSig) -> Option<EnumUnderlying> {
        Some(match sig {
            TypeSig::Boolean => EnumUnderlying::Boolean,
            TypeSig::Char => EnumUnderlying::Char,
            TypeSig::I1 => EnumUnderlying::I1,
            TypeSig::U1 => EnumUnderlying::U1,
            TypeSig::I2 => EnumUnderlying::I2,
            TypeSig::U2 => EnumUnderlying::U2,
            TypeSig::I4 => EnumUnderlying::I4,
            TypeSig::U4 => EnumUnderlying::U4,
            TypeSig::I8 => EnumUnderlying::I8,
            TypeSig::U8 => EnumUnderlying::U8,
            _ => return None,
        })
    }
}

impl Metadata {
    /// The type of the one instance field of an enum; `None` if the type does not look like an enum.
    pub fn enum_underlying(&self, id: TypeDefId) -> Result<Option<EnumUnderlying>> {
        for field in self.type_def(id)?.fields {
            if !self.field(field)?.is_static() {
                return Ok(EnumUnderlying::from_sig(&self.field_sig(field)?));
            }
        }
        Ok(None)
    }

    /// The same for an enum as an attribute names it, if it is defined in this module.
    pub(super) fn local_enum_underlying(&self, ty: EnumRef<'_>) -> Result<Option<EnumUnderlying>> {
        let id = match ty {
            EnumRef::Token(token) => match token.row_ref() {
                Some(RowRef::TypeDef(id)) => Some(id),
                _ => None,
            },
            EnumRef::Name(name) => self.find_local_by_reflection_name(name)?,
        };
        id.map_or(Ok(None), |id| self.enum_underlying(id))
    }

    /// `Ns.Outer+Inner`, if it has no assembly after a comma.
    fn find_local_by_reflection_name(&self, name: &str) -> Result<Option<TypeDefId>> {
        if name.contains([',', '[', '\\']) {
            return Ok(None);
        }
        let mut parts = name.split('+');
        let outer = parts.next().unwrap_or_default();
        let (namespace, outer) = outer.rsplit_once('.').unwrap_or(("", outer));
        let mut found = self.find_type(namespace, outer)?;
        for part in parts {
            let Some(enclosing) = found else { return Ok(None) };
            found = self.find_nested_type(enclosing, part)?;
        }
        Ok(found)
    }
}
