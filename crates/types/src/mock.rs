//! Made-up classes: a class that extends `base` and implements `interfaces`, and of which nothing else is known.
//!
//! What the base class or a default method of an interface implements stays as it is; an abstract member that nothing
//! implements resolves to its own declaration.

use crate::{Error, Result, Type, TypeId, Universe};

impl Universe {
    /// The made-up class over a base class (`System.Object` or an abstract one) and interfaces. Interfaces that the
    /// others or the base bring along are left out, and their order does not matter.
    pub fn make_mock(&self, base: TypeId, interfaces: &[TypeId]) -> Result<TypeId> {
        let refuse =
            |ty: TypeId, why: &str| Error::TypeLoad { ty: self.type_name(ty).into(), why: why.into() };
        let is_class = matches!(self.ty(base), Type::Def { .. })
            && !self.is_interface(base)
            && !self.is_value_type(base)
            && !self.is_delegate(base);
        if !is_class || self.is_sealed(base) || self.is_open(base) {
            return Err(refuse(base, "no class can be made up that extends it"));
        }
        for &interface in interfaces {
            if !self.is_interface(interface) || self.is_open(interface) {
                return Err(refuse(interface, "no class can be made up that implements it"));
            }
        }
        let mut own: Vec<TypeId> = Vec::new();
        for (index, &interface) in interfaces.iter().enumerate() {
            let mut implied = self.interfaces(base)?.contains(&interface);
            for (other, &by) in interfaces.iter().enumerate() {
                implied |= other != index && self.interfaces(by)?.contains(&interface);
            }
            if !implied && !own.contains(&interface) {
                own.push(interface);
            }
        }
        own.sort_by_cached_key(|interface| self.type_name(*interface));
        self.intern(Type::Mock { base, interfaces: own.into() })
    }

    /// The base class and the interfaces of a made-up class.
    pub fn mock(&self, t: TypeId) -> Option<(TypeId, &[TypeId])> {
        match self.ty(t) {
            Type::Mock { base, interfaces } => Some((*base, interfaces)),
            _ => None,
        }
    }

    pub fn is_mock(&self, t: TypeId) -> bool {
        matches!(self.ty(t), Type::Mock { .. })
    }

    /// `mock of IClock`, `mock of Shape & IDisposable`.
    pub(crate) fn mock_name(&self, base: TypeId, interfaces: &[TypeId]) -> String {
        let is_object = self.well_known().is_ok_and(|known| known.object == base);
        let base = (!is_object || interfaces.is_empty()).then_some(base);
        let names: Vec<String> =
            base.into_iter().chain(interfaces.iter().copied()).map(|t| self.type_name(t)).collect();
        format!("mock of {}", names.join(" & "))
    }
}
