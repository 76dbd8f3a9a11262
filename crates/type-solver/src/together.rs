//! Several symbolic types at once, with facts between them: the same type, different types, one below the other.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use types::{Result, TypeId, Universe};

use crate::{Bound, Query, TypeSolver};

/// A fact about two of the types, by their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    Same(usize, usize),
    Different(usize, usize),
    /// The first is assignable to the second.
    Below(usize, usize),
    NotBelow(usize, usize),
}

/// Choices of one type for each query such that all relations hold, lazily: those whose types come early first.
#[derive(Clone)]
pub struct Assignments {
    solver: TypeSolver,
    state: Rc<RefCell<State>>,
}

struct State {
    queries: Vec<Query>,
    relations: Vec<Relation>,
    known: Vec<Rc<[TypeId]>>,
    ready: VecDeque<Rc<[TypeId]>>,
    /// Choices of this sum of places are next.
    cost: usize,
    work: usize,
    bound: Option<Bound>,
    is_over: bool,
}

impl TypeSolver {
    /// Types for several queries at once.
    pub fn together(&self, queries: &[Query], relations: &[Relation]) -> Assignments {
        let state = State {
            queries: queries.to_vec(),
            relations: relations.to_vec(),
            known: Vec::new(),
            ready: VecDeque::new(),
            cost: 0,
            work: self.shared.bounds.work,
            bound: None,
            is_over: false,
        };
        Assignments { solver: self.clone(), state: Rc::new(RefCell::new(state)) }
    }
}

impl Assignments {
    /// Choice number `n`: a type for each query. `None` when there are no more (see [`Assignments::bound`]).
    pub fn get(&self, universe: &Universe, n: usize) -> Result<Option<Rc<[TypeId]>>> {
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
        let bounds = self.solver.bounds();
        if state.known.len() >= bounds.candidates {
            state.bound = Some(Bound::Candidates(bounds.candidates));
            state.is_over = true;
            return Ok(());
        }
        if let Some(next) = state.ready.pop_front() {
            state.known.push(next);
            return Ok(());
        }
        let is_more = self.extend(state, universe, state.cost, &mut Vec::new())?;
        state.cost += 1;
        if state.work == 0 {
            state.bound = Some(Bound::Work(bounds.work));
        }
        state.is_over = (!is_more || state.work == 0) && state.ready.is_empty();
        Ok(())
    }

    /// Chooses the next type, spending exactly `cost` on it and those after it. Says whether more could find more.
    fn extend(
        &self,
        state: &mut State,
        universe: &Universe,
        cost: usize,
        chosen: &mut Vec<TypeId>,
    ) -> Result<bool> {
        let n = chosen.len();
        let Some(own) = state.queries.get(n) else {
            if cost == 0 {
                state.ready.push_back(chosen.as_slice().into());
            }
            return Ok(false);
        };
        let query = own.and(&told(state, n, chosen));
        let candidates = self.solver.narrow(universe, &self.solver.candidates(universe, own), &query);
        let is_last = n + 1 == state.queries.len();
        let mut is_more = false;
        for place in if is_last { cost..=cost } else { 0..=cost } {
            if state.work == 0 {
                break;
            }
            state.work -= 1;
            let Some(t) = candidates.get(universe, place)? else {
                state.bound = state.bound.max(candidates.bound());
                return Ok(is_more);
            };
            is_more |= place == cost;
            chosen.push(t);
            is_more |= self.extend(state, universe, cost - place, chosen)?;
            chosen.pop();
        }
        Ok(is_more)
    }
}

/// What the types chosen so far say about number `n`. Its kinds stay its own.
fn told(state: &State, n: usize, chosen: &[TypeId]) -> Query {
    let kinds = state.queries.get(n).map(|query| query.kinds).unwrap_or_default();
    let mut told = Query { kinds, ..Query::default() };
    for relation in &state.relations {
        let (Relation::Same(a, b)
        | Relation::Different(a, b)
        | Relation::Below(a, b)
        | Relation::NotBelow(a, b)) = *relation;
        let is_first = a == n;
        let Some(&other) = chosen.get(if is_first { b } else { a }).filter(|_| is_first || b == n) else {
            continue;
        };
        match relation {
            Relation::Same(..) => told = told.and(&Query { kinds, ..Query::exactly(other) }),
            Relation::Different(..) => told.not_exactly.push(other),
            Relation::Below(..) if is_first => told.must_be.push(other),
            Relation::Below(..) => told.must_contain.push(other),
            Relation::NotBelow(..) if is_first => told.must_not_be.push(other),
            Relation::NotBelow(..) => told.must_not_contain.push(other),
        }
    }
    told
}
