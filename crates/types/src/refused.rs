//! What the runtime says of types that reflection asks for and that cannot be.

use crate::{Primitive, Type, TypeId, Universe};

/// The most dimensions of an array.
pub const MOST_DIMENSIONS: u32 = 32;

impl Universe {
    /// Why there are no arrays of an element; the suffix is what the array's name would end with.
    pub fn array_refusal(&self, element: TypeId, suffix: &str) -> Option<String> {
        let (name, assembly) = (self.type_name(element), self.name_of_assembly_of(element));
        let refused = |name: String, why: &str| {
            Some(format!(
                "Could not create array type '{name}' from assembly '{assembly}' because the element type is {why}."
            ))
        };
        if matches!(self.ty(element), Type::ByRef(_)) {
            return refused(name, "ByRef");
        }
        if self.is_byref_like(element) {
            return refused(name + suffix, "ByRef-like");
        }
        if self.primitive(element) == Some(Primitive::Void) {
            return refused(name + suffix, "System.Void");
        }
        None
    }

    /// Why there are no arrays of so many dimensions.
    pub fn dimensions_refusal(&self, element: TypeId, rank: u32) -> Option<String> {
        let too_many = rank > MOST_DIMENSIONS;
        too_many.then(|| {
            format!(
                "'{}[{}]' from assembly '{}' has too many dimensions.",
                self.type_name(element),
                ",".repeat(rank as usize - 1),
                self.name_of_assembly_of(element)
            )
        })
    }

    /// Why there is no pointer to something, or reference to it: `what` says which.
    pub fn reference_refusal(&self, target: TypeId, what: &str) -> Option<String> {
        matches!(self.ty(target), Type::ByRef(_)).then(|| {
            format!(
                "Could not create {what} a ByRef. Type: '{}'. Assembly: '{}'.",
                self.type_name(target),
                self.name_of_assembly_of(target)
            )
        })
    }

    /// Why a definition cannot be instantiated so.
    pub fn instance_refusal(&self, t: TypeId) -> Option<String> {
        let is_invalid =
            |arg: &TypeId| self.def_info(*arg).is_some_and(|info| info.is_core("System", "TypedReference"));
        if self.type_args(t).iter().any(is_invalid) {
            let info = self.def_info(t)?;
            // Without the types around it.
            let name = match &*info.namespace {
                "" => info.name.to_string(),
                namespace => format!("{namespace}.{}", info.name),
            };
            return Some(format!(
                "The generic type '{}' was used with an invalid instantiation in assembly '{}'.",
                name,
                self.assembly_name(info.assembly)
            ));
        }
        self.refusal_above(t, 0)
    }

    /// What a class is made of is looked at before the class itself.
    fn refusal_above(&self, t: TypeId, depth: u32) -> Option<String> {
        /// More is a cycle, or as good as one.
        const DEEPEST: u32 = 20;
        if depth < DEEPEST && !self.type_args(t).is_empty() {
            let base = self.base(t).ok().flatten();
            let interfaces = self.declared_interfaces(t).unwrap_or_default();
            let above = base.iter().chain(interfaces).find_map(|above| self.refusal_above(*above, depth + 1));
            if above.is_some() {
                return above;
            }
        }
        self.misplaced_field(t).or_else(|| self.violated_constraint(t))
    }

    /// An instance field of a type that lives on the stack only, in one that does not.
    fn misplaced_field(&self, t: TypeId) -> Option<String> {
        let mut fields = self.instance_fields(t).ok()?;
        let is_like = |ty: TypeId| matches!(self.ty(ty), Type::ByRef(_)) || self.is_byref_like(ty);
        let found = fields.any(|field| self.field_type(field).is_ok_and(is_like));
        (found && !self.is_byref_like(t)).then(|| {
            "A ByRef or ByRef-like type cannot be used as the type for an instance field in a non-ByRef-like type.".to_owned()
        })
    }

    fn name_of_assembly_of(&self, t: TypeId) -> String {
        match self.ty(t) {
            Type::Def { assembly, .. } | Type::Param { assembly, .. } => self.assembly_name(*assembly),
            Type::SzArray(inner)
            | Type::Array { elem: inner, .. }
            | Type::ByRef(inner)
            | Type::Pointer(inner) => self.name_of_assembly_of(*inner),
            _ => self.corelib().map(|core| self.assembly_name(core)).unwrap_or_default(),
        }
    }
}
