//! Which types the runtime refuses to load, and what it says: code that mentions one is not compiled.
//!
//! The types of the framework are taken to be right; of these only the arguments are looked at.

use std::sync::Arc;

use crate::type_def::Kind;
use crate::{Error, MethodId, Result, Type, TypeId, Universe};

/// Bits of the flags of a type (II.23.1.15).
const LAYOUT: u32 = 0x18;
const EXPLICIT_LAYOUT: u32 = 0x10;

impl Universe {
    /// The message of the `TypeLoadException` for a type; nothing for one that can be loaded.
    pub fn load_failure(&self, t: TypeId) -> Option<Arc<str>> {
        if let Some(known) = self.load_failures.borrow().get(&t) {
            return known.clone();
        }
        // While it is looked at it counts as loaded: a class may mention itself.
        self.load_failures.borrow_mut().insert(t, None);
        let failure = self.find_load_failure(t).map(Arc::from);
        self.load_failures.borrow_mut().insert(t, failure.clone());
        failure
    }

    /// The message of the `VerificationException` for a generic method over arguments that it does not allow.
    pub fn method_load_failure(&self, m: MethodId) -> Option<String> {
        let method = self.method(m);
        if method.args.is_empty() || self.method_satisfies_constraints(m).unwrap_or(true) {
            return None;
        }
        let parameters = self.generic_parameters_of_method(m);
        let (parameter, arg) = parameters.iter().zip(&method.args).find(|(parameter, arg)| {
            let one = std::slice::from_ref(*parameter);
            !self.arguments_fit(m, one, std::slice::from_ref(*arg)).unwrap_or(true)
        })?;
        let owner = self.type_name_over_variables(method.owner);
        Some(format!(
            "Method {owner}.{}: type argument '{}' violates the constraint of type parameter '{}'.",
            method.name,
            self.type_name_over_variables(*arg),
            parameter.name
        ))
    }

    fn find_load_failure(&self, t: TypeId) -> Option<String> {
        match self.ty(t) {
            Type::SzArray(inner) | Type::Array { elem: inner, .. } | Type::ByRef(inner) => {
                self.load_failure(*inner).map(|text| text.to_string())
            }
            Type::Def { args, assembly, .. } => {
                if let Some(text) = args.iter().find_map(|arg| self.load_failure(*arg)) {
                    return Some(text.to_string());
                }
                if !args.is_empty()
                    && !self.is_open(t)
                    && let Some(text) = self.violated_constraint(t)
                {
                    return Some(text);
                }
                if self.is_framework(*assembly) { None } else { self.failure_of_definition(t) }
            }
            _ => None,
        }
    }

    pub(crate) fn violated_constraint(&self, t: TypeId) -> Option<String> {
        if self.satisfies_constraints(t).unwrap_or(true) {
            return None;
        }
        let info = self.def_info(t)?;
        let args = self.type_args(t);
        let (index, parameter) = info.generic_parameters.iter().enumerate().find(|(index, parameter)| {
            let one = std::slice::from_ref(*parameter);
            let arg = args.get(*index..*index + 1).unwrap_or(&[]);
            !self.type_arguments_fit(t, one, arg).unwrap_or(true)
        })?;
        let names: Vec<&str> = info.generic_parameters.iter().map(|parameter| &*parameter.name).collect();
        Some(format!(
            "GenericArguments[{index}], '{}', on '{}[{}]' violates the constraint of type parameter '{}'.",
            args.get(index).map(|arg| self.type_name_over_variables(*arg)).unwrap_or_default(),
            self.def_name(info),
            names.join(","),
            parameter.name
        ))
    }

    fn failure_of_definition(&self, t: TypeId) -> Option<String> {
        let info = self.def_info(t)?;
        match self.base(t) {
            Ok(Some(base)) => {
                if let Some(text) = self.load_failure(base) {
                    return Some(text.to_string());
                }
                if self.is_sealed(base) {
                    return Some(self.not_loaded(t, " because the parent type is sealed"));
                }
            }
            Ok(None) => {}
            Err(Error::TypeLoad { why, .. }) if why.contains("interface") => {
                return Some(self.not_loaded(t, " because the parent type is an interface"));
            }
            Err(Error::TypeLoad { .. } | Error::Cycle { .. } | Error::Expansion { .. }) => {
                return Some(self.not_loaded(t, ""));
            }
            Err(_) => return None,
        }
        if self.contracts(t).unwrap_or(false) {
            return Some(format!(
                "The type '{}' in assembly '{}' has a contracting interface set for some instantiations",
                self.def_name(info),
                self.assembly_name(info.assembly)
            ));
        }
        if info.kind != Kind::Interface
            && let Some(text) = self.failure_of_methods(t)
        {
            return Some(text);
        }
        if let Some(text) = self.failure_of_generic_layout(t) {
            return Some(text);
        }
        if self.is_open(t) { None } else { self.failure_of_fields(t).or_else(|| self.failure_of_layout(t)) }
    }

    /// Structures in fields, static ones too, are loaded with the type that has them.
    fn failure_of_fields(&self, t: TypeId) -> Option<String> {
        let types = self.fields(t).ok()?.iter().filter_map(|field| self.field_type(*field).ok());
        let mut structures =
            types.filter(|ty| *ty != t && self.def_info(*ty).is_some() && self.is_value_type(*ty));
        structures.find_map(|ty| self.load_failure(ty)).map(|text| text.to_string())
    }

    fn failure_of_generic_layout(&self, t: TypeId) -> Option<String> {
        let is_explicit = self.def_info(t).is_some_and(|info| info.flags & LAYOUT == EXPLICIT_LAYOUT);
        let is_refused = is_explicit && !self.type_args(t).is_empty();
        is_refused.then(|| self.not_loaded(t, " because generic types cannot have explicit layout"))
    }

    /// Do two interfaces that it lists become the same one?
    fn contracts(&self, t: TypeId) -> Result<bool> {
        let open = self.definition(t);
        if open == t {
            return Ok(false);
        }
        let mut own: Vec<TypeId> = Vec::new();
        for declared in self.declared_interfaces(open)? {
            for interface in std::iter::once(declared).chain(self.interfaces(*declared)?) {
                if !own.contains(interface) {
                    own.push(*interface);
                }
            }
        }
        let mut closed = Vec::new();
        for interface in own {
            let interface = self.substitute(interface, self.type_args(t), &[])?;
            if closed.contains(&interface) {
                return Ok(true);
            }
            closed.push(interface);
        }
        Ok(false)
    }

    fn failure_of_methods(&self, t: TypeId) -> Option<String> {
        let place = |t: TypeId| {
            let info = self.def_info(t)?;
            Some((self.def_name(info), self.assembly_name(info.assembly)))
        };
        let (name, assembly) = place(t)?;
        if let Some(m) = self.reduces_access(t).ok()? {
            let method = &self.method(m).name;
            return Some(format!(
                "Derived method '{method}' in type '{name}' from assembly '{assembly}' cannot reduce access."
            ));
        }
        match self.vtable(t) {
            Err(Error::TypeLoad { why, .. }) if why.contains("which is final") => Some(format!(
                "Declaration referenced in a method implementation cannot be a final method.  Type: '{name}'.  Assembly: '{assembly}'."
            )),
            Err(_) => None,
            Ok(_) if self.is_abstract(t) => None,
            Ok(_) => {
                let missing = self.unimplemented(t).ok()??;
                let method = &self.method(missing).name;
                Some(format!(
                    "Method '{method}' in type '{name}' from assembly '{assembly}' does not have an implementation."
                ))
            }
        }
    }

    /// A method that hides more than the one that it overrides.
    fn reduces_access(&self, t: TypeId) -> Result<Option<MethodId>> {
        const FAMILY: u16 = 4;
        const FAMILY_OR_ASSEMBLY: u16 = 5;
        for &m in self.methods(t)? {
            let method = self.method(m);
            if !method.is_virtual() || method.is_static() || method.is_new_slot() {
                continue;
            }
            let Some(above) = self.overridden(t, m)? else { continue };
            let (own, theirs) = (method.flags & 7, self.method(above).flags & 7);
            // Elsewhere, what is protected or internal is protected.
            let elsewhere = own == FAMILY && theirs == FAMILY_OR_ASSEMBLY;
            if own < theirs && !elsewhere {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// A method of a class that must have one and has none.
    fn unimplemented(&self, t: TypeId) -> Result<Option<MethodId>> {
        for slot in &self.vtable(t)?.slots {
            if self.method(slot.implementation).is_abstract() {
                return Ok(Some(slot.implementation));
            }
        }
        for &interface in self.interfaces(t)? {
            for &declaration in self.methods(interface)? {
                let method = self.method(declaration);
                let is_body = self.vtable(interface)?.overrides.iter().any(|(_, body)| *body == declaration);
                if !method.is_abstract() || !method.is_virtual() || is_body {
                    continue;
                }
                let found = match method.is_static() {
                    true => self.resolve_static_virtual(t, declaration),
                    false => self.resolve_virtual(t, declaration),
                };
                if matches!(found, Err(Error::NotImplemented { .. }))
                    && !self.is_overridden(t, declaration)?
                {
                    return Ok(Some(declaration));
                }
            }
        }
        Ok(None)
    }

    /// Does some interface say something about another one's method, if only that it has no body?
    fn is_overridden(&self, t: TypeId, declaration: MethodId) -> Result<bool> {
        for &interface in self.interfaces(t)? {
            if self.vtable(interface)?.overrides.iter().any(|(declared, _)| *declared == declaration) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn failure_of_layout(&self, t: TypeId) -> Option<String> {
        match self.layout(t) {
            Ok(_) => None,
            Err(Error::TypeLoad { why, .. }) if why.contains("object reference") => {
                let offset = self.conflicting_offset(t).unwrap_or(0);
                Some(self.not_loaded(t, &format!(
                    " because it contains an object field at offset {offset} that is incorrectly aligned or overlapped by a non-object field"
                )))
            }
            Err(Error::TypeLoad { .. } | Error::Cycle { .. } | Error::Expansion { .. }) => {
                Some(self.not_loaded(t, ""))
            }
            Err(_) => None,
        }
    }

    fn not_loaded(&self, t: TypeId, because: &str) -> String {
        let Some(info) = self.def_info(t) else { return String::new() };
        let assembly = self.assembly_name(info.assembly);
        format!("Could not load type '{}' from assembly '{assembly}'{because}.", self.def_name(info))
    }
}
