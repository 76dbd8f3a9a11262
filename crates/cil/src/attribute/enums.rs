//! The integer types behind enums that are defined in the same module as the attribute.

use super::EnumRef;
use crate::error::Result;
use crate::metadata::Metadata;
use crate::scalar::ScalarType;
use crate::schema::{RowRef, TypeDefId};

impl Metadata {
    /// The type of the one instance field of an enum; `None` if the type does not look like an enum.
    pub fn enum_underlying(&self, id: TypeDefId) -> Result<Option<ScalarType>> {
        for field in self.type_def(id)?.fields {
            if !self.field(field)?.is_static() {
                return Ok(ScalarType::from_sig(&self.field_sig(field)?).filter(ScalarType::is_integer));
            }
        }
        Ok(None)
    }

    /// The same for an enum as an attribute names it, if it is defined in this module.
    pub(super) fn local_enum_underlying(&self, ty: EnumRef<'_>) -> Result<Option<ScalarType>> {
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
