//! What the writer of tests asks about types and methods, answered from metadata and from the shape of small bodies.

mod contract;
mod plain_members;
#[cfg(test)]
mod tests;
mod types_of;
mod usage;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use case::contract::Contract;
use case::type_facts::{Constructor, MethodInfo, MethodKind, TypeFacts, TypeInfo};
use case::type_name::{Suffix, TypeName};
use case::{MethodRef, Value};
use cil::flags::method_semantics_attributes::{GETTER, SETTER};
use cil::{MethodDefId, RowRef, Token};
use types::{AssemblyId, MethodId, TypeId, Universe};

/// The assembly under test and all that it refers to.
pub struct Metadata {
    universe: Rc<Universe>,
    assembly: AssemblyId,
    /// Where types are looked for, in order.
    places: OnceCell<Vec<AssemblyId>>,
    namespaces: OnceCell<BTreeSet<String>>,
    known: RefCell<BTreeMap<String, Option<TypeInfo>>>,
}

impl Metadata {
    pub fn new(universe: impl Into<Rc<Universe>>, assembly: AssemblyId) -> Metadata {
        Metadata {
            universe: universe.into(),
            assembly,
            places: OnceCell::new(),
            namespaces: OnceCell::new(),
            known: RefCell::default(),
        }
    }

    fn places(&self) -> &[AssemblyId] {
        self.places.get_or_init(|| {
            let references = self.universe.references(self.assembly).unwrap_or_default();
            let mut places = vec![self.assembly];
            places.extend(references.into_iter().filter_map(|reference| reference.target));
            places.extend(self.universe.corelib().ok());
            places
        })
    }

    fn find(&self, definition: &str) -> Option<TypeId> {
        self.places().iter().find_map(|place| self.universe.find_type(*place, definition).ok().flatten())
    }

    /// An instantiated type.
    fn instance(&self, name: &TypeName) -> Option<TypeId> {
        let mut ty = self.find(&name.definition())?;
        if !name.arguments.is_empty() {
            let arguments: Vec<TypeId> =
                name.arguments.iter().map(|argument| self.instance(argument)).collect::<Option<_>>()?;
            ty = self.universe.make_instance(ty, &arguments).ok()?;
        }
        for suffix in &name.suffixes {
            ty = match suffix {
                Suffix::Array { rank: 1 } => self.universe.make_sz_array(ty),
                Suffix::Array { rank } => self.universe.make_array(ty, u32::try_from(*rank).ok()?),
                Suffix::Pointer => self.universe.make_pointer(ty),
                Suffix::ByRef => self.universe.make_byref(ty),
            }
            .ok()?;
        }
        Some(ty)
    }

    fn namespaces(&self) -> &BTreeSet<String> {
        self.namespaces.get_or_init(|| {
            self.places();
            let mut found = BTreeSet::new();
            for assembly in self.universe.assemblies() {
                let module = self.universe.assembly(assembly).module();
                for row in module.type_defs().filter_map(|id| module.type_def(id).ok()) {
                    if !row.namespace.is_empty() && !found.contains(row.namespace) {
                        found.extend(with_outer(row.namespace));
                    }
                }
            }
            found
        })
    }

    fn method(&self, method: &MethodRef) -> Option<(MethodId, MethodDefId)> {
        let id = MethodDefId::from_token(Token::from_raw(method.token))?;
        Some((self.universe.method_of_token(self.assembly, id).ok()?, id))
    }

    /// A method of the assembly by the name of its type, perhaps instantiated, and its own: the first of that name.
    pub fn method_named(&self, ty: &str, name: &str) -> Option<MethodRef> {
        let definition = ty.split('[').next().unwrap_or(ty);
        let found = self.find(definition)?;
        let method = self.universe.methods_named(found, name).ok()?.first().copied()?;
        let mut described = testgen::method_ref(&self.universe, method).ok()?;
        let inside = ty.split_once('[').and_then(|(_, rest)| rest.strip_suffix(']'));
        let arguments: Vec<&str> = inside.map(|inside| inside.split(',').collect()).unwrap_or_default();
        let filled = |text: &str| {
            let numbered = arguments.iter().enumerate();
            numbered.fold(text.to_owned(), |text, (n, argument)| text.replace(&format!("!{n}"), argument))
        };
        described.ty = ty.to_owned();
        described.returns = filled(&described.returns);
        described.parameters.iter_mut().for_each(|parameter| parameter.ty = filled(&parameter.ty));
        Some(described)
    }

    fn method_kind(&self, m: MethodId, id: MethodDefId) -> Option<MethodKind> {
        let method = self.universe.method(m);
        let module = self.universe.assembly(self.assembly).module();
        let Some(semantics) = module.semantics_of_method(id).next() else {
            let operator = method.is_special_name() && method.name.starts_with("op_");
            return Some(if operator { MethodKind::Operator } else { MethodKind::Ordinary });
        };
        let row = module.method_semantics(semantics).ok()?;
        let Some(RowRef::Property(property)) = row.association.row_ref() else {
            return Some(MethodKind::EventAccessor);
        };
        let indexer = !module.property_sig(property).ok()?.params.is_empty();
        let property = module.property(property).ok()?.name.to_owned();
        match row.flags {
            GETTER => Some(MethodKind::Getter { property, indexer }),
            SETTER => {
                let init = plain_members::is_init(&self.universe, m);
                Some(MethodKind::Setter { property, indexer, init })
            }
            _ => None,
        }
    }

    fn is_overloaded(&self, m: MethodId) -> bool {
        let arity = self.universe.signature(m).map_or(0, |sig| sig.params.len());
        let method = self.universe.method(m);
        let same_name = types_of::ancestry(&self.universe, method.owner)
            .flat_map(|t| self.universe.methods_named(t, &method.name).unwrap_or_default());
        let mut others = same_name.filter(|other| *other != m && !self.is_same_slot(*other, m));
        others.any(|other| plain_members::can_take(&self.universe, other, arity))
    }

    /// A method that overrides another one, and that one.
    fn is_same_slot(&self, a: MethodId, b: MethodId) -> bool {
        let (one, other) = (self.universe.method(a), self.universe.method(b));
        let parameters = |m| self.universe.signature(m).map(|sig| sig.params.clone()).ok();
        one.is_virtual() && other.is_virtual() && parameters(a) == parameters(b)
    }
}

impl TypeFacts for Metadata {
    fn type_info(&self, definition: &str) -> Option<TypeInfo> {
        if let Some(known) = self.known.borrow().get(definition) {
            return known.clone();
        }
        let info = self.find(definition).and_then(|t| types_of::info(&self.universe, t));
        self.known.borrow_mut().insert(definition.to_owned(), info.clone());
        info
    }

    fn method_info(&self, method: &MethodRef) -> Option<MethodInfo> {
        let (m, id) = self.method(method)?;
        let row = self.universe.method(m);
        let usage = usage::of_method(&self.universe, m);
        let usable = usage != usage::Usage::Refused;
        Some(MethodInfo {
            public: row.is_public() && types_of::is_public(&self.universe, row.owner) && usable,
            kind: self.method_kind(m, id)?,
            overloaded: self.is_overloaded(m),
            diagnostics: usage.diagnostics(),
        })
    }

    fn assembly_of(&self, definition: &str) -> Option<String> {
        let info = self.universe.def_info(self.find(definition)?)?;
        Some(self.universe.assembly(info.assembly).name().to_owned())
    }

    fn is_namespace(&self, name: &str) -> bool {
        self.namespaces().contains(name)
    }

    fn contract(&self, ty: &str, interfaces: &[String]) -> Option<Contract> {
        let instance = |name: &str| self.instance(&TypeName::parse(name)?);
        let interfaces: Vec<TypeId> = interfaces.iter().map(|name| instance(name)).collect::<Option<_>>()?;
        contract::contract(&self.universe, instance(ty)?, &interfaces)
    }

    fn hides(&self, definition: &str, method: &MethodRef) -> bool {
        let (Some(seen), Some((m, _))) = (self.find(definition), self.method(method)) else { return false };
        let owner = self.universe.method(m).owner;
        let below = types_of::ancestry(&self.universe, seen)
            .take_while(|t| self.universe.definition(*t) != self.universe.definition(owner));
        let mut same_name =
            below.flat_map(|t| self.universe.methods_named(t, &method.name).unwrap_or_default());
        same_name.any(|other| !self.is_same_slot(other, m))
    }

    fn accepts(&self, definition: &str, constructor: &Constructor, arguments: &[Value]) -> bool {
        let parameters: Vec<&str> = constructor.parameters.iter().map(|p| p.ty.as_str()).collect();
        let ty = self.find(definition);
        ty.is_some_and(|ty| plain_members::accepts(&self.universe, ty, &parameters, arguments))
    }
}

/// `A.B.C` → `A`, `A.B`, `A.B.C`.
fn with_outer(namespace: &str) -> impl Iterator<Item = String> + '_ {
    let dots = namespace.match_indices('.').map(|(at, _)| at).chain([namespace.len()]);
    dots.filter_map(|end| namespace.get(..end).map(str::to_owned))
}
