//! All ways to choose the arguments of a declaration, lazily: parameter by parameter, each from a sequence that depends
//! on what was chosen before.
//!
//! Tuples come by the sum of their places in the sequences, so that no parameter starves another and simple arguments
//! come first.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use types::{Result, TypeId, Universe};

use crate::check;
use crate::declaration::{Declaration, Parameter};
use crate::needs::{Need, Needs};
use crate::sequence::Sequence;
use crate::solver::Shared;
use crate::{Bound, Query};

pub(crate) struct Product {
    declaration: Declaration,
    /// What is asked of each parameter from outside, by slot.
    asked: Vec<Query>,
    alternatives: Vec<Needs>,
    depth: u32,
    /// Tuples of this sum of places are next.
    cost: usize,
    ready: VecDeque<Vec<TypeId>>,
    /// What was found: another order or another alternative can find it again.
    seen: FxHashSet<Vec<TypeId>>,
    is_over: bool,
    bound: Option<Bound>,
}

/// How many places the second order of choice lies behind the first.
const LAG: usize = 8;

/// How far the choice has come.
#[derive(Clone, Copy)]
struct Chosen<'a> {
    order: &'a [Parameter],
    /// So many of them are chosen.
    count: usize,
    needs: &'a Needs,
}

/// Where the arguments of a parameter come from.
enum Choice {
    Exactly(TypeId),
    Among(Rc<Sequence>),
}

/// What a search uses and may use up.
pub(crate) struct Search<'a> {
    pub shared: &'a Shared,
    pub universe: &'a Universe,
    pub work: &'a mut usize,
}

impl Search<'_> {
    /// Does something and pays for the steps of other sequences that it takes.
    fn charged<T>(&mut self, what: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.shared.steps.get();
        let done = what(self);
        *self.work = self.work.saturating_sub(self.shared.steps.get() - before);
        done
    }
}

impl Product {
    /// `alternatives` say what the parameters must be (one entry without needs: nothing special).
    pub fn new(declaration: Declaration, asked: Vec<Query>, alternatives: Vec<Needs>, depth: u32) -> Product {
        let is_over = alternatives.is_empty();
        Product {
            declaration,
            asked,
            alternatives,
            depth,
            cost: 0,
            ready: VecDeque::new(),
            seen: FxHashSet::default(),
            is_over,
            bound: None,
        }
    }

    pub fn bound(&self) -> Option<Bound> {
        self.bound
    }

    /// Is everything said by the needs, so that nothing must be made up?
    pub fn is_determined(&self) -> bool {
        let is_said = |needs: &Needs| {
            let mut slots = self.declaration.free_slots().into_iter();
            slots.all(|slot| needs.get(slot).is_some_and(|need| need.exactly.is_some()))
        };
        self.alternatives.iter().all(is_said)
    }

    /// The next tuple; `None` at the end, or when the work is used up.
    pub fn next(&mut self, search: &mut Search<'_>) -> Result<Option<Vec<TypeId>>> {
        while self.ready.is_empty() && !self.is_over && *search.work > 0 {
            let mut is_more = false;
            for alternative in std::mem::take(&mut self.alternatives) {
                let mut args = self.declaration.args.clone();
                // What is certain helps to choose the others.
                for (arg, need) in args.iter_mut().zip(&alternative) {
                    *arg = need.exactly.unwrap_or(*arg);
                }
                for (n, order) in self.declaration.orders.clone().iter().enumerate() {
                    let chosen = Chosen { order, count: 0, needs: &alternative };
                    is_more |= match self.cost.checked_sub(n * LAG) {
                        Some(cost) => self.extend(search, chosen, cost, &mut args)?,
                        None => true,
                    };
                }
                self.alternatives.push(alternative);
            }
            self.cost += 1;
            self.is_over = !is_more;
        }
        Ok(self.ready.pop_front())
    }

    /// Chooses the next parameters, spending exactly `cost`. Says whether a greater cost could find more.
    fn extend(
        &mut self,
        search: &mut Search<'_>,
        chosen: Chosen<'_>,
        cost: usize,
        args: &mut Vec<TypeId>,
    ) -> Result<bool> {
        let Some(parameter) = chosen.order.get(chosen.count) else {
            if cost == 0 && self.seen.insert(args.clone()) {
                self.ready.push_back(args.clone());
            }
            return Ok(false);
        };
        let choices = search.charged(|search| self.choices(search, chosen, parameter, args))?;
        let next = Chosen { count: chosen.count + 1, ..chosen };
        let is_last = next.count == chosen.order.len();
        let Some(variable) = args.get(parameter.slot).copied() else { return Ok(false) };
        let mut is_more = false;
        for place in if is_last { cost..=cost } else { 0..=cost } {
            if *search.work == 0 {
                break;
            }
            *search.work -= 1;
            let found = search.charged(|search| self.at(search, &choices, place))?;
            let Some(arg) = found else { return Ok(is_more) };
            is_more |= place == cost;
            if let Some(slot) = args.get_mut(parameter.slot) {
                *slot = arg;
            }
            if self.is_accepted(search.universe, next, args)? {
                is_more |= self.extend(search, next, cost - place, args)?;
            }
            if let Some(slot) = args.get_mut(parameter.slot) {
                *slot = variable;
            }
        }
        Ok(is_more)
    }

    fn at(&mut self, search: &Search<'_>, choices: &[Choice], mut place: usize) -> Result<Option<TypeId>> {
        for choice in choices {
            match choice {
                Choice::Exactly(t) if place == 0 => return Ok(Some(*t)),
                Choice::Exactly(_) => place -= 1,
                Choice::Among(sequence) => {
                    if let Some(t) = sequence.get(search.shared, search.universe, place)? {
                        return Ok(Some(t));
                    }
                    self.bound = self.bound.max(sequence.bound());
                    place -= sequence.known().min(place);
                }
            }
        }
        Ok(None)
    }

    /// Constraints of the parameters chosen so far in which everything is known now.
    fn is_accepted(&self, u: &Universe, chosen: Chosen<'_>, args: &[TypeId]) -> Result<bool> {
        for parameter in chosen.order.iter().take(chosen.count) {
            let Some(&arg) = args.get(parameter.slot) else { continue };
            for constraint in self.declaration.constraints(u, parameter, args)? {
                if !u.is_open(constraint) && !u.is_assignable(arg, constraint)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn choices(
        &mut self,
        search: &mut Search<'_>,
        chosen: Chosen<'_>,
        parameter: &Parameter,
        args: &[TypeId],
    ) -> Result<Vec<Choice>> {
        let u = search.universe;
        let mut query = parameter.query();
        if let Some(asked) = self.asked.get(parameter.slot) {
            query = query.and(asked);
        }
        for constraint in self.declaration.constraints(u, parameter, args)? {
            // A bare variable says nothing until it is chosen.
            if self.declaration.matcher(u).slot(constraint).is_none() {
                query.must_be.push(constraint);
            }
        }
        let own = chosen.needs.get(parameter.slot).cloned().unwrap_or_default();
        let mut choices = Vec::new();
        for need in self.learnt(u, chosen, parameter, own, args)? {
            choices.extend(self.choice(search, &query, need));
        }
        Ok(choices)
    }

    fn choice(&mut self, search: &mut Search<'_>, query: &Query, need: Need) -> Option<Choice> {
        let mut query = query.clone();
        for (constraints, needed) in
            [(&mut query.must_be, &need.below), (&mut query.must_contain, &need.above)]
        {
            constraints.extend(needed.iter().copied());
            constraints.dedup();
        }
        if need.is_reference {
            query.kinds = query.kinds.and(crate::Kinds::REFERENCES);
        }
        if let Some(exactly) = need.exactly.or(query.exactly) {
            return check::satisfies(search.universe, exactly, &query).then_some(Choice::Exactly(exactly));
        }
        query.prefer.extend(need.below.iter().chain(&need.above).filter(|t| !search.universe.is_open(**t)));
        let Some(depth) = self.depth.checked_sub(1) else {
            self.bound = self.bound.max(Some(Bound::Depth(search.shared.bounds.depth)));
            return None;
        };
        Some(Choice::Among(search.shared.sequence(search.universe, &query, depth)))
    }

    /// What the parameters chosen before tell about this one: `T : IEntity<K>` with `T` known.
    fn learnt(
        &self,
        u: &Universe,
        chosen: Chosen<'_>,
        parameter: &Parameter,
        own: Need,
        args: &[TypeId],
    ) -> Result<Vec<Need>> {
        let mut alternatives = vec![own];
        for earlier in chosen.order.iter().take(chosen.count) {
            let Some(&given) = args.get(earlier.slot) else { continue };
            for constraint in self.declaration.constraints(u, earlier, args)? {
                let mut mentioned = Vec::new();
                self.declaration.mentions(u, constraint, &mut mentioned);
                if !mentioned.contains(&parameter.slot) {
                    continue;
                }
                let blank = vec![Need::default(); args.len()];
                let found = self.declaration.matcher(u).above(constraint, given, blank)?;
                let found: Vec<&Need> = found.iter().filter_map(|needs| needs.get(parameter.slot)).collect();
                let mut next: Vec<Need> = Vec::new();
                for need in alternatives.iter().flat_map(|a| found.iter().map(|f| a.clone().and(f))) {
                    next.extend(need.filter(|need| !next.contains(need)));
                }
                alternatives = next;
            }
        }
        Ok(alternatives)
    }
}
