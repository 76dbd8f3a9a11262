//! Arguments for the parameters of a generic type or method: the code under test itself, made concrete.

use std::cell::RefCell;
use std::rc::Rc;

use types::{MethodId, Result, TypeId, Universe};

use crate::declaration::Declaration;
use crate::needs::Need;
use crate::product::{Product, Search};
use crate::solver::Shared;
use crate::{Bound, Kinds, Query, TypeSolver};

/// A generic definition; what is not open in it stays as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Generic {
    Type(TypeId),
    /// The parameters of its type as well.
    Method(MethodId),
}

/// What is asked of the arguments, beyond the constraints that the definition declares.
#[derive(Debug, Clone)]
pub struct ArgumentQuery {
    pub of: Generic,
    /// For each parameter, those of the type first; missing ones ask for nothing. (Use [`Query::argument`] to start with,
    /// since the default is objects.)
    pub parameters: Vec<Query>,
    /// Types that every parameter tries first, such as those the code compares `typeof(T)` with.
    pub prefer: Vec<TypeId>,
}

/// One choice of arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArgumentList {
    /// Arguments of the type.
    pub types: Box<[TypeId]>,
    /// Arguments of the method.
    pub methods: Box<[TypeId]>,
}

/// Lists of arguments, lazily, simple ones first.
#[derive(Clone)]
pub struct Arguments {
    shared: Rc<Shared>,
    of: Generic,
    state: Rc<RefCell<State>>,
}

struct State {
    known: Vec<Rc<ArgumentList>>,
    product: Product,
    types: usize,
    work: usize,
    bound: Option<Bound>,
    is_over: bool,
}

impl ArgumentQuery {
    pub fn new(of: Generic) -> ArgumentQuery {
        ArgumentQuery { of, parameters: Vec::new(), prefer: Vec::new() }
    }
}

impl ArgumentList {
    /// All arguments, those of the type first.
    pub fn iter(&self) -> impl Iterator<Item = TypeId> + '_ {
        self.types.iter().chain(&self.methods).copied()
    }

    /// The definition with these arguments.
    pub fn apply_to_type(&self, universe: &Universe, definition: TypeId) -> Result<TypeId> {
        if self.types.is_empty() { Ok(definition) } else { universe.make_instance(definition, &self.types) }
    }

    /// The method, on its type, with these arguments.
    pub fn apply_to_method(&self, universe: &Universe, method: MethodId) -> Result<MethodId> {
        let owner = self.apply_to_type(universe, universe.method(method).owner)?;
        universe.instantiate_method(method, owner, &self.methods)
    }
}

impl TypeSolver {
    /// Arguments that satisfy the constraints of a generic definition. For what is not generic: one empty list.
    pub fn arguments(&self, universe: &Universe, query: &ArgumentQuery) -> Result<Arguments> {
        let declaration = match query.of {
            Generic::Type(t) => Declaration::of_type(universe, t)?,
            Generic::Method(m) => Declaration::of_method(universe, m)?,
        };
        let (count, types) = (declaration.args.len(), declaration.types);
        let preferred = Query {
            prefer: query.prefer.clone(),
            kinds: Kinds::ARGUMENT.or(Kinds::REF_STRUCTS),
            ..Query::argument()
        };
        let mut asked = query.parameters.clone();
        asked.resize(count.max(asked.len()), preferred.clone());
        let asked = asked.into_iter().map(|q| q.and(&preferred)).collect();
        let product =
            Product::new(declaration, asked, vec![vec![Need::default(); count]], self.shared.bounds.depth);
        let state = State {
            known: Vec::new(),
            product,
            types,
            work: self.shared.bounds.work,
            bound: None,
            is_over: false,
        };
        Ok(Arguments { shared: Rc::clone(&self.shared), of: query.of, state: Rc::new(RefCell::new(state)) })
    }
}

impl Arguments {
    /// List number `n`; `None` when there are no more (see [`Arguments::bound`]).
    pub fn get(&self, universe: &Universe, n: usize) -> Result<Option<Rc<ArgumentList>>> {
        let mut state = self.state.borrow_mut();
        while state.known.len() <= n && !state.is_over {
            self.search(&mut state, universe)?;
        }
        Ok(state.known.get(n).cloned())
    }

    /// The bound that the search has met so far.
    pub fn bound(&self) -> Option<Bound> {
        self.state.borrow().bound
    }

    fn search(&self, state: &mut State, universe: &Universe) -> Result<()> {
        let bounds = &self.shared.bounds;
        if state.known.len() >= bounds.candidates {
            state.bound = Some(Bound::Candidates(bounds.candidates));
            state.is_over = true;
            return Ok(());
        }
        let mut search = Search { shared: &self.shared, universe, work: &mut state.work };
        let next = state.product.next(&mut search)?;
        state.bound = state.bound.max(state.product.bound());
        match next {
            Some(args) => {
                let (types, methods) = args.split_at(state.types);
                let list = ArgumentList { types: types.into(), methods: methods.into() };
                // A type that cannot be loaded is no argument.
                if self.is_accepted(universe, &list).unwrap_or(false) {
                    state.known.push(Rc::new(list));
                }
            }
            None => {
                if state.work == 0 {
                    state.bound = Some(Bound::Work(bounds.work));
                }
                state.is_over = true;
            }
        }
        Ok(())
    }

    fn is_accepted(&self, u: &Universe, list: &ArgumentList) -> Result<bool> {
        match self.of {
            Generic::Type(t) => u.satisfies_constraints(list.apply_to_type(u, t)?),
            Generic::Method(m) => {
                let method = list.apply_to_method(u, m)?;
                Ok(u.satisfies_constraints(u.method(method).owner)?
                    && u.method_satisfies_constraints(method)?)
            }
        }
    }
}
