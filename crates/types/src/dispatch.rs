//! Which method a call runs: virtual calls, interface calls with variance and default methods, `constrained.` calls
//! and static virtual members.

use crate::resolve::same_signature;
use crate::{Error, MethodId, MethodKind, Result, Type, TypeId, Universe};

/// How a `constrained.` call goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constrained {
    /// Call this method with the managed pointer as `this` (or: this static method).
    Direct(MethodId),
    /// Box the value; then call this method, which is already the final one.
    Boxed(MethodId),
    /// The type is a reference type: load the reference, then call virtually.
    Dereference(MethodId),
}

impl Universe {
    /// The method that a virtual call of `m` runs on an object of exact type `receiver`.
    pub fn resolve_virtual(&self, receiver: TypeId, m: MethodId) -> Result<MethodId> {
        if let Some(known) = self.dispatched.borrow().get(&(receiver, m)) {
            return Ok(*known);
        }
        let found = self.find_virtual(receiver, m)?;
        self.dispatched.borrow_mut().insert((receiver, m), found);
        Ok(found)
    }

    /// The target of a call with a `constrained.` prefix of type `t`.
    pub fn resolve_constrained(&self, t: TypeId, m: MethodId) -> Result<Constrained> {
        if let Some(known) = self.constrained.borrow().get(&(t, m)) {
            return Ok(*known);
        }
        let found = self.find_constrained(t, m)?;
        self.constrained.borrow_mut().insert((t, m), found);
        Ok(found)
    }

    fn find_constrained(&self, t: TypeId, m: MethodId) -> Result<Constrained> {
        let method = self.method(m);
        if method.is_static() {
            let is_virtual = method.is_virtual() && self.is_interface(method.owner);
            return Ok(Constrained::Direct(if is_virtual { self.resolve_static_virtual(t, m)? } else { m }));
        }
        if !self.is_value_type(t) {
            return Ok(Constrained::Dereference(m));
        }
        let found = self.resolve_virtual(t, m)?;
        match self.definition(self.method(found).owner) == self.definition(t) {
            true => Ok(Constrained::Direct(found)),
            false => Ok(Constrained::Boxed(found)),
        }
    }

    /// The implementation that type `t` has for a static member of an interface.
    pub fn resolve_static_virtual(&self, t: TypeId, m: MethodId) -> Result<MethodId> {
        let args = &self.method(m).args;
        let declaration = self.instantiate_method(m, self.method(m).owner, &[])?;
        let found = self.implement(t, declaration)?;
        self.with_args(found, args)
    }

    fn find_virtual(&self, receiver: TypeId, m: MethodId) -> Result<MethodId> {
        let method = self.method(m);
        if !method.is_virtual() || method.is_static() {
            return Ok(m);
        }
        let open = self.instantiate_method(m, method.owner, &[])?;
        let found = match self.is_interface(method.owner) {
            true => self.implement(receiver, open)?,
            false => self.in_slot(receiver, open)?,
        };
        self.with_args(found, &method.args)
    }

    fn with_args(&self, m: MethodId, args: &[TypeId]) -> Result<MethodId> {
        // A helper of arrays is already instantiated over the element.
        if args.is_empty() { Ok(m) } else { self.instantiate_method(m, self.method(m).owner, args) }
    }

    /// What the slot of a class's virtual method holds in `receiver`.
    fn in_slot(&self, receiver: TypeId, m: MethodId) -> Result<MethodId> {
        let missing = || self.not_implemented(receiver, m);
        let slot = self.slot_of(m)?.ok_or_else(missing)?;
        Ok(self.vtable(receiver)?.slots.get(slot).ok_or_else(missing)?.implementation)
    }

    /// An interface's method (not generic, or open) on an object of type `receiver`.
    fn implement(&self, receiver: TypeId, declaration: MethodId) -> Result<MethodId> {
        if let Some(helper) = self.array_helper(receiver, declaration)? {
            return Ok(helper);
        }
        let wanted = self.method(declaration).owner;
        let interfaces = self.interfaces(receiver)?;
        let itself = (receiver == wanted).then_some(receiver);
        let exact = interfaces.iter().copied().filter(|i| *i == wanted).chain(itself);
        let variant =
            interfaces.iter().copied().filter(|i| *i != wanted && self.is_same_definition(*i, wanted));
        let mut last = None;
        for interface in exact.chain(variant) {
            if interface != wanted && !self.is_assignable(interface, wanted)? {
                continue;
            }
            let declaration = self.instantiate_method(declaration, interface, &[])?;
            if let Some(found) = self.in_classes(receiver, declaration)? {
                return self.final_of(receiver, found);
            }
            match self.default_implementation(receiver, declaration) {
                Ok(found) => return Ok(found),
                // Nothing is known of it but that a made-up class has it.
                Err(Error::NotImplemented { .. })
                    if self.is_mock(receiver) && !self.method(declaration).is_static() =>
                {
                    return Ok(declaration);
                }
                Err(error) => last = last.or(Some(error)),
            }
        }
        Err(last.unwrap_or_else(|| self.not_implemented(receiver, declaration)))
    }

    /// A class's method that implements an interface may itself be overridden further down.
    fn final_of(&self, receiver: TypeId, found: MethodId) -> Result<MethodId> {
        let method = self.method(found);
        let is_slot = method.is_virtual() && !method.is_static() && !self.is_interface(method.owner);
        if is_slot { self.in_slot(receiver, found) } else { Ok(found) }
    }

    /// The implementation of an interface's method by `t` or its nearest ancestor that has one.
    fn in_classes(&self, t: TypeId, declaration: MethodId) -> Result<Option<MethodId>> {
        if self.is_interface(t) {
            return Ok(None);
        }
        self.guarded(t, || self.in_classes_unguarded(t, declaration))
    }

    fn in_classes_unguarded(&self, t: TypeId, declaration: MethodId) -> Result<Option<MethodId>> {
        let definition = self.definition(t);
        if t != definition && self.def_info(t).is_some() {
            return self.in_open_class(t, definition, declaration);
        }
        let overrides = &self.vtable(t)?.overrides;
        // The last row wins, as in the runtime.
        if let Some((_, body)) = overrides.iter().rev().find(|(declared, _)| *declared == declaration) {
            return Ok(Some(*body));
        }
        let wanted = self.method(declaration).owner;
        if !self.method(declaration).is_static()
            && self.lists_interface(t, wanted)?
            && let Some(found) = self.by_name(t, declaration, self.base_implements(t, wanted)?)?
        {
            return Ok(Some(found));
        }
        match self.base(t)? {
            Some(base) if self.interfaces(base)?.contains(&wanted) => self.in_classes(base, declaration),
            _ => Ok(None),
        }
    }

    /// Asks the open definition, where signatures are still distinct, and instantiates the answer.
    fn in_open_class(
        &self,
        t: TypeId,
        definition: TypeId,
        declaration: MethodId,
    ) -> Result<Option<MethodId>> {
        let args = self.type_args(t);
        let wanted = self.method(declaration).owner;
        let mut candidates = Vec::new();
        for &open in self.interfaces(definition)? {
            if self.substitute(open, args, &[])? == wanted {
                candidates.push((!self.lists_interface(definition, open)?, open));
            }
        }
        // Where several become equal, what the class itself implements comes before what its base does.
        candidates.sort_by_key(|(is_of_base, _)| *is_of_base);
        for (_, open) in candidates {
            let declaration = self.instantiate_method(declaration, open, &[])?;
            if let Some(found) = self.in_classes(definition, declaration)? {
                return self.substitute_method(found, args).map(Some);
            }
        }
        Ok(None)
    }

    /// Is the interface among those `t` lists itself, or inherited by those? One that the base has already is implemented
    /// once more only if it is listed itself.
    fn lists_interface(&self, t: TypeId, interface: TypeId) -> Result<bool> {
        let declared = self.declared_interfaces(t)?;
        if !declared.contains(&interface) && self.base_implements(t, interface)? {
            return Ok(false);
        }
        for &declared in self.declared_interfaces(t)? {
            if declared == interface || self.interfaces(declared)?.contains(&interface) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn base_implements(&self, t: TypeId, interface: TypeId) -> Result<bool> {
        match self.base(t)? {
            Some(base) => Ok(self.interfaces(base)?.contains(&interface)),
            None => Ok(false),
        }
    }

    /// A public virtual method of the name and signature, in `t` or the nearest ancestor. If the base implements the
    /// interface as well, only methods of `t` itself will do: all others are inherited as they are.
    fn by_name(&self, t: TypeId, declaration: MethodId, again: bool) -> Result<Option<MethodId>> {
        let wanted = self.signature(declaration)?;
        let name = &self.method(declaration).name;
        let mut current = Some(t);
        while let Some(class) = current {
            for &m in self.methods(class)? {
                let method = self.method(m);
                let candidate =
                    method.name == *name && method.is_virtual() && method.is_public() && !method.is_static();
                if candidate && same_signature(self.signature(m)?, wanted) {
                    return Ok(Some(m));
                }
            }
            current = if again { None } else { self.base(class)? };
        }
        Ok(None)
    }

    /// The most specific body that the interfaces of `receiver` offer for a method of one of them.
    fn default_implementation(&self, receiver: TypeId, declaration: MethodId) -> Result<MethodId> {
        let origin = self.method(declaration).owner;
        // (interface that offers it, body)
        let mut offers: Vec<(TypeId, MethodId)> = Vec::new();
        let itself = self.is_interface(receiver).then_some(receiver);
        for interface in self.interfaces(receiver)?.iter().copied().chain(itself) {
            let body = match interface == origin {
                true => Some(declaration),
                false => self.override_in(interface, declaration)?,
            };
            let Some(body) = body else { continue };
            let mut hidden = false;
            for (other, _) in &offers {
                hidden |= self.interfaces(*other)?.contains(&interface);
            }
            if hidden {
                continue;
            }
            let below = self.interfaces(interface)?;
            offers.retain(|(other, _)| *other != interface && !below.contains(other));
            offers.push((interface, body));
        }
        match offers.as_slice() {
            [(_, body)] if !self.method(*body).is_abstract() => Ok(*body),
            [] | [_] => Err(self.not_implemented(receiver, declaration)),
            [(first, _), (second, _), ..] => Err(Error::Ambiguous {
                ty: self.type_name(receiver).into(),
                method: self.method_id(declaration).into(),
                first: self.type_name(*first).into(),
                second: self.type_name(*second).into(),
            }),
        }
    }

    /// The body by which one interface overrides a method of another.
    fn override_in(&self, interface: TypeId, declaration: MethodId) -> Result<Option<MethodId>> {
        let overrides = &self.vtable(interface)?.overrides;
        Ok(overrides.iter().rev().find(|(declared, _)| *declared == declaration).map(|(_, body)| *body))
    }

    /// The runtime's generic helpers behind `T[]` as `IList<T>` and its relatives.
    fn array_helper(&self, receiver: TypeId, declaration: MethodId) -> Result<Option<MethodId>> {
        let interface = self.method(declaration).owner;
        let (Type::SzArray(_), Some(element)) =
            (self.ty(receiver), self.array_interface_argument(interface)?)
        else {
            return Ok(None);
        };
        if !self.is_assignable(receiver, interface)? {
            return Err(self.not_implemented(receiver, declaration));
        }
        let known = self.well_known()?;
        let name = &self.method(declaration).name;
        let params = self.signature(declaration)?.params.len();
        let (home, names) = match known.sz_array_helper {
            Some(helper) => (helper, vec![name.to_string()]),
            None => {
                let of = self.def_info(interface).map_or("", |i| i.name.trim_end_matches("`1"));
                let names = vec![format!("InternalArray__{of}_{name}"), format!("InternalArray__{name}")];
                (known.array, names)
            }
        };
        for wanted in names {
            for m in self.methods_named(home, &wanted)? {
                if self.signature(m)?.params.len() == params {
                    let args = [element];
                    let args = if self.method(m).args.is_empty() { &[][..] } else { &args };
                    return self.instantiate_method(m, home, args).map(Some);
                }
            }
        }
        Err(self.not_implemented(receiver, declaration))
    }

    fn is_same_definition(&self, a: TypeId, b: TypeId) -> bool {
        match (self.ty(a), self.ty(b)) {
            (Type::Def { assembly: x, def: d, .. }, Type::Def { assembly: y, def: e, .. }) => {
                (x, d) == (y, e)
            }
            _ => false,
        }
    }

    fn not_implemented(&self, t: TypeId, m: MethodId) -> Error {
        let method = match self.method(m).kind {
            MethodKind::Def { .. } | MethodKind::Array(_) => self.method_id(m).into(),
        };
        Error::NotImplemented { ty: self.type_name(t).into(), method }
    }
}
