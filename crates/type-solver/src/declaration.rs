//! The parameters of a generic type or method, with their constraints and the order in which they are chosen.

use std::rc::Rc;

use types::{AssemblyId, GenericParameter, MethodId, MethodKind, Result, Type, TypeId, Universe};

use crate::needs::Matcher;
use crate::{Kinds, Purpose, Query};

/// The parameters of a type, or of a method and its type.
#[derive(Debug, Clone)]
pub(crate) struct Declaration {
    /// Arguments of the type, then of the method; those to be chosen are variables.
    pub args: Vec<TypeId>,
    /// How many belong to the type.
    pub types: usize,
    /// The parameters to be chosen, in the orders of choice: one, or two if the parameters depend on each other.
    pub orders: Vec<Rc<[Parameter]>>,
}

#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    /// Its place among the arguments.
    pub slot: usize,
    assembly: AssemblyId,
    facts: GenericParameter,
    is_unmanaged: bool,
    is_not_null: bool,
}

impl Declaration {
    /// The parameters of a definition (none if `open` is closed).
    pub fn of_type(u: &Universe, open: TypeId) -> Result<Declaration> {
        let args = u.type_args(open).to_vec();
        let types = args.len();
        Declaration { args, types, orders: Vec::new() }.ordered(u, type_parameters(u, open))
    }

    /// The parameters of a method and of its type that are still open.
    pub fn of_method(u: &Universe, m: MethodId) -> Result<Declaration> {
        let method = u.method(m);
        let mut args = u.type_args(method.owner).to_vec();
        let types = args.len();
        args.extend(&method.args);
        let mut parameters = type_parameters(u, method.owner);
        if let MethodKind::Def { assembly, .. } = method.kind {
            for (i, facts) in u.generic_parameters_of_method(m).iter().enumerate() {
                let slot = types + i;
                if args.get(slot).is_some_and(|arg| matches!(u.ty(*arg), Type::MVar(_))) {
                    parameters.push(Parameter::new(u, slot, assembly, facts));
                }
            }
        }
        Declaration { args, types, orders: Vec::new() }.ordered(u, parameters)
    }

    /// The places of the arguments to be chosen.
    pub fn free_slots(&self) -> Vec<usize> {
        let mut slots: Vec<usize> =
            self.orders.first().iter().flat_map(|order| order.iter()).map(|p| p.slot).collect();
        slots.sort_unstable();
        slots
    }

    pub fn matcher<'a>(&self, universe: &'a Universe) -> Matcher<'a> {
        Matcher { universe, types: self.types }
    }

    /// The types that a parameter is constrained to, given the arguments chosen so far.
    pub fn constraints(&self, u: &Universe, parameter: &Parameter, args: &[TypeId]) -> Result<Vec<TypeId>> {
        let (types, methods) = args.split_at(self.types.min(args.len()));
        u.constraints_with(parameter.assembly, parameter.facts.id, types, methods)
    }

    /// A parameter whose constraints mention another inside of a type (`T : IEntity<K>`) goes before it: what is chosen
    /// for it tells what the other can be. One that is constrained to another itself (`T : U`) goes after it. Cycles are
    /// broken at the first parameter: constraints are checked as soon as all in them is chosen.
    ///
    /// Where few arguments of `T` have a `K` that fits its own constraints, the other order finds them sooner.
    fn ordered(mut self, u: &Universe, parameters: Vec<Parameter>) -> Result<Declaration> {
        let (mut telling, mut layered): (Edges, Edges) = (Vec::new(), Vec::new());
        for parameter in &parameters {
            for constraint in self.constraints(u, parameter, &self.args)? {
                let mut mentioned = Vec::new();
                self.mentions(u, constraint, &mut mentioned);
                let is_bare = self.matcher(u).slot(constraint).is_some();
                for other in mentioned.into_iter().filter(|other| *other != parameter.slot) {
                    telling.push(if is_bare { (other, parameter.slot) } else { (parameter.slot, other) });
                    layered.push((other, parameter.slot));
                }
            }
        }
        if telling != layered {
            self.orders.push(sorted(parameters.clone(), &telling));
        }
        self.orders.push(sorted(parameters, &layered));
        Ok(self)
    }

    /// The slots of the variables in a type.
    pub fn mentions(&self, u: &Universe, t: TypeId, found: &mut Vec<usize>) {
        if !u.is_open(t) {
            return;
        }
        match u.ty(t) {
            Type::Def { args, .. } => args.iter().for_each(|arg| self.mentions(u, *arg, found)),
            Type::SzArray(t) | Type::Array { elem: t, .. } | Type::ByRef(t) | Type::Pointer(t) => {
                self.mentions(u, *t, found);
            }
            _ => found.extend(self.matcher(u).slot(t)),
        }
    }
}

/// Slots of which the first goes before the second.
type Edges = Vec<(usize, usize)>;

fn sorted(mut waiting: Vec<Parameter>, before: &Edges) -> Rc<[Parameter]> {
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let is_free =
            |p: &Parameter| !before.iter().any(|(a, b)| *b == p.slot && waiting.iter().any(|w| w.slot == *a));
        let next = waiting.iter().position(is_free).unwrap_or(0);
        order.push(waiting.remove(next));
    }
    order.into()
}

impl Parameter {
    fn new(u: &Universe, slot: usize, assembly: AssemblyId, facts: &GenericParameter) -> Parameter {
        let attribute =
            |name| u.parameter_attribute(assembly, facts.id, "System.Runtime.CompilerServices", name);
        Parameter {
            slot,
            assembly,
            is_unmanaged: attribute("IsUnmanagedAttribute").is_some(),
            // The value is a prolog and one byte: 1 says "not null".
            is_not_null: attribute("NullableAttribute").is_some_and(|value| value.get(2) == Some(&1)),
            facts: facts.clone(),
        }
    }

    /// The query for its arguments: kinds and special constraints only.
    pub fn query(&self) -> Query {
        let mut kinds = Kinds::ARGUMENT;
        if self.facts.must_be_reference() {
            kinds = kinds.and(Kinds::REFERENCES);
        }
        if self.facts.must_be_value() {
            kinds = kinds.and(Kinds::VALUES);
        }
        if self.facts.allows_byref_like() {
            kinds = kinds.or(Kinds::REF_STRUCTS);
        }
        if self.is_not_null {
            kinds = kinds.without(Kinds::NULLABLES);
        }
        Query {
            kinds,
            purpose: Purpose::Argument,
            with_default_constructor: self.facts.must_have_constructor(),
            unmanaged: self.is_unmanaged,
            ..Query::default()
        }
    }
}

fn type_parameters(u: &Universe, open: TypeId) -> Vec<Parameter> {
    let Some(info) = u.def_info(open).filter(|_| u.is_open(open)) else { return Vec::new() };
    let parameters = info.generic_parameters.iter().enumerate();
    let is_variable =
        |slot: usize| u.type_args(open).get(slot).is_some_and(|arg| matches!(u.ty(*arg), Type::Var(_)));
    parameters
        .filter(|(slot, _)| is_variable(*slot))
        .map(|(slot, facts)| Parameter::new(u, slot, info.assembly, facts))
        .collect()
}
