//! The few custom attributes that change what a type or method is, found by name.

use cil::{RowRef, Token};

use crate::assembly::Assembly;
use crate::{AssemblyId, FieldId, MethodId, MethodKind, Universe};

impl Assembly {
    pub(crate) fn has_attribute(&self, parent: Token, namespace: &str, name: &str) -> cil::Result<bool> {
        Ok(self.find_attribute(parent, namespace, name)?.is_some())
    }

    /// The length of `[InlineArray(n)]`: its value is a prolog, one 32-bit number, and no named arguments.
    pub(crate) fn inline_array_length(&self, parent: Token) -> cil::Result<Option<i32>> {
        const NAMESPACE: &str = "System.Runtime.CompilerServices";
        let Some(id) = self.find_attribute(parent, NAMESPACE, "InlineArrayAttribute")? else {
            return Ok(None);
        };
        let value = self.module().custom_attribute(id)?.value;
        let length = value.bytes.get(2..6).and_then(|bytes| bytes.try_into().ok()).map(i32::from_le_bytes);
        Ok(Some(length.unwrap_or(0)))
    }

    /// The values of all attributes of a class.
    pub(crate) fn attribute_values(
        &self,
        parent: Token,
        namespace: &str,
        name: &str,
    ) -> cil::Result<Vec<&[u8]>> {
        let mut values = Vec::new();
        for id in self.module().custom_attributes(parent) {
            let row = self.module().custom_attribute(id)?;
            if self.attribute_name(row.constructor)? == Some((namespace, name)) {
                values.push(row.value.bytes);
            }
        }
        Ok(values)
    }

    fn find_attribute(
        &self,
        parent: Token,
        namespace: &str,
        name: &str,
    ) -> cil::Result<Option<cil::CustomAttributeId>> {
        for id in self.module().custom_attributes(parent) {
            let row = self.module().custom_attribute(id)?;
            if self.attribute_name(row.constructor)? == Some((namespace, name)) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The type of an attribute by its constructor.
    fn attribute_name(&self, constructor: Token) -> cil::Result<Option<(&str, &str)>> {
        let owner = match constructor.row_ref() {
            Some(RowRef::MemberRef(id)) => Some(self.module().member_ref(id)?.class),
            Some(RowRef::MethodDef(id)) => {
                self.module().declaring_type_of_method(id)?.map(|owner| owner.token())
            }
            _ => None,
        };
        self.token_name(owner)
    }
}

impl Universe {
    /// Does the method carry an attribute with this name?
    pub fn method_has_attribute(&self, m: MethodId, namespace: &str, name: &str) -> bool {
        match self.method(m).kind {
            MethodKind::Def { assembly, def } => {
                self.assembly(assembly).has_attribute(def.token(), namespace, name).unwrap_or(false)
            }
            MethodKind::Array(_) => false,
        }
    }

    /// The encoded arguments of an attribute of the method.
    pub fn method_attribute(&self, m: MethodId, namespace: &str, name: &str) -> Option<&[u8]> {
        let MethodKind::Def { assembly, def } = self.method(m).kind else { return None };
        let assembly = self.assembly(assembly);
        let id = assembly.find_attribute(def.token(), namespace, name).ok()??;
        Some(assembly.module().custom_attribute(id).ok()?.value.bytes)
    }

    /// Does the field carry an attribute with this name?
    pub fn field_has_attribute(&self, field: FieldId, namespace: &str, name: &str) -> bool {
        let info = self.field(field);
        self.assembly(info.assembly).has_attribute(info.def.token(), namespace, name).unwrap_or(false)
    }

    /// The encoded arguments of an attribute of a generic parameter.
    pub fn parameter_attribute(
        &self,
        a: AssemblyId,
        parameter: cil::GenericParamId,
        namespace: &str,
        name: &str,
    ) -> Option<&[u8]> {
        let assembly = self.assembly(a);
        let id = assembly.find_attribute(parameter.token(), namespace, name).ok()??;
        Some(assembly.module().custom_attribute(id).ok()?.value.bytes)
    }

    /// `[Intrinsic]`: the runtime may replace its body.
    pub fn is_intrinsic(&self, m: MethodId) -> bool {
        self.method_has_attribute(m, "System.Runtime.CompilerServices", "IntrinsicAttribute")
    }

    pub(crate) fn preserves_base_overrides(&self, m: MethodId) -> bool {
        self.method_has_attribute(m, "System.Runtime.CompilerServices", "PreserveBaseOverridesAttribute")
    }
}
