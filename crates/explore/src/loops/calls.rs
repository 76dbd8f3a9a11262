//! Methods that call themselves, directly or through others.
//!
//! The entry of such a method is a cut like the head of a loop, and its state there an *activation*: numbers that an inner
//! call changes are forgotten, and facts hold of them whenever the method is entered. An inner call is not followed: its
//! entry must be an instance of the activation, and then it returns any result of which the *promises* of the method are
//! true, facts about its arguments and its result. These are assumed of inner calls and must hold at every return of the
//! activation: an induction over the number of steps, so nothing is said of calls that never return.
//!
//! What returns to the outermost caller is the outermost call: there the forgotten numbers are what they were at first.
//! An exception may come out of an inner call as well, so it leaves with any of them; handlers on its way are beyond this.
//! Only methods that change no memory and return a number or nothing are understood.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{Symbol, Term};
use verdict::Gap;
use vm::State;
use vm::code::Op;
use vm::generalise::Spot;

use super::plan::{AnchorId, Change, ENTRY, Head};
use super::walk::{Anchor, Next, Node, Return, Walker, conjuncts, values_at};

/// A recursive method that a path is in.
pub(super) struct Activation {
    pub anchor: Anchor,
    /// What stood at its entry where symbols stand now.
    first: FxHashMap<Symbol, Term>,
}

/// A return of an activation.
pub(super) struct Returned {
    pub value: Term,
    /// What was decided since the entry.
    pub decided: Vec<Term>,
}

impl Activation {
    /// Whether it is its own frame that is on top.
    fn is_on_top(&self, state: &State) -> bool {
        let own = &self.anchor.state;
        own.depth == state.depth && Rc::ptr_eq(&own.top.code, &state.top.code)
    }
}

impl Walker<'_, '_> {
    /// A method was entered.
    pub(super) fn enter(&mut self, mut node: Node) -> Result<Next, Gap> {
        let (depth, code) = (node.state.depth, Rc::clone(&node.state.top.code));
        let head: Head = (code.method, ENTRY);
        let again = |activation: &&Rc<Activation>| Rc::ptr_eq(&activation.anchor.state.top.code, &code);
        if let Some(activation) = node.activations.iter().rev().find(again).cloned() {
            return self.call_again(&activation, node);
        }
        let callers = node.state.frames().enumerate().skip(1);
        let running: Vec<u32> = callers
            .filter(|(_, frame)| Rc::ptr_eq(&frame.code, &code))
            .map(|(below, _)| depth.saturating_sub(below as u32))
            .collect();
        let entered = |at: u32| node.entered.iter().rev().find(|(depth, _)| *depth == at);
        let forks_before = running.first().and_then(|at| entered(*at)).map(|(_, forks)| *forks);
        let has_decided = forks_before.is_some_and(|before| node.forks > before);
        node.entered.push((depth, node.forks));
        match self.walk.plan.cuts.get(&head) {
            Some(after) if running.len() as u32 >= *after => {
                self.activate(node, head).map(|node| Next::On(Box::new(node)))
            }
            None if has_decided => {
                self.seen.changes.push(Change::Cut { head, after: 0 });
                Ok(Next::Over)
            }
            _ => Ok(Next::On(Box::new(node))),
        }
    }

    fn activate(&mut self, node: Node, head: Head) -> Result<Node, Gap> {
        let (mut node, anchor, first) = self.generalise(node, head)?;
        node.activations.push(Rc::new(Activation { anchor, first }));
        Ok(node)
    }

    /// A method is called while it runs: any result that it promises.
    fn call_again(&mut self, activation: &Activation, mut node: Node) -> Result<Next, Gap> {
        let anchor = &activation.anchor;
        self.seen.reached.union_with(node.state.coverage.goals());
        let annotation = self.walk.plan.anchors.get(&anchor.id).cloned().unwrap_or_default();
        if self.must_settle(anchor, &node) {
            return Ok(Next::Over);
        }
        let machine = &mut *self.walk.machine;
        let spots = machine.entries_differ(&anchor.state, &node.state, self.walk.alive);
        let Some(spots) = self.settled(anchor, spots)? else { return Ok(Next::Over) };
        if self.must_forget(anchor, &annotation, spots)? {
            return Ok(Next::Over);
        }
        let mut values = values_at(self.walk.machine, &node.state, &annotation);
        self.holding(&node, &anchor.id, &annotation, &annotation.facts, &values, None)?;
        let decided = node.condition.values().into_iter().skip(anchor.conditions).copied().collect();
        let again = Return { values: values.clone(), decided, read: Vec::new(), left: Vec::new() };
        self.seen.returns.entry(anchor.id.clone()).or_default().push(again);
        if self.passes_handlers(anchor, &node.state) {
            self.guarded.insert(anchor.id.clone());
        }
        for spot in &annotation.effects {
            if !self.walk.machine.forget(&mut node.state, *spot, None) {
                return Err(Gap::internal_error("an effect of a call could not be repeated"));
            }
        }
        let result = self.any_result(&mut node)?;
        if let (Some(promised), Some(result)) = (annotation.result, result) {
            let result = self.walk.machine.terms.var(result);
            values.insert(promised, result);
        }
        let terms = &mut self.walk.machine.terms;
        let promises: Vec<Term> =
            annotation.promises.iter().map(|promise| terms.substitute(*promise, &values)).collect();
        let promised = terms.and_all(promises);
        if !self.narrow(&mut node, promised)? || !self.walk.machine.skip_call(&mut node.state, result) {
            // It does not return.
            return Ok(Next::Over);
        }
        Ok(Next::On(Box::new(node)))
    }

    /// A symbol for the result of the call that a path has just made.
    fn any_result(&mut self, node: &mut Node) -> Result<Option<Symbol>, Gap> {
        let sort = self.walk.machine.returned_number(&node.state.top.code).map_err(changes)?;
        let Some(sort) = sort else { return Ok(None) };
        let key = (node.made.clone(), node.skipped);
        node.skipped += 1;
        let terms = &mut self.walk.machine.terms;
        let known = self.walk.results.get(&key).copied().filter(|symbol| terms.symbol_sort(*symbol) == sort);
        let symbol = known.unwrap_or_else(|| terms.symbol("result", sort));
        self.walk.results.insert(key, symbol);
        Ok(Some(symbol))
    }

    /// Before a step: if it returns from an activation, what that promises must hold. None: the path ends.
    pub(super) fn before_return(&mut self, mut node: Node) -> Result<Option<Node>, Gap> {
        let Some(activation) = node.activations.last().cloned() else { return Ok(Some(node)) };
        let anchor = &activation.anchor;
        if anchor.state.depth != node.state.depth {
            return Ok(Some(node));
        }
        if !activation.is_on_top(&node.state) {
            return Err(Gap::bound("a recursive method ends in another one"));
        }
        let code = Rc::clone(&node.state.top.code);
        if !matches!(code.ops.get(node.state.top.pc as usize), Some(Op::Ret)) {
            return Ok(Some(node));
        }
        // Inner calls end here as well: what they have met counts, also if the outermost one never comes this way.
        self.seen.reached.union_with(node.state.coverage.goals());
        let annotation = self.walk.plan.anchors.get(&anchor.id).cloned().unwrap_or_default();
        if self.must_settle(anchor, &node) {
            return Ok(None);
        }
        let effects = self.walk.machine.effects_since(&anchor.state, &node.state);
        let Some(effects) = self.settled(anchor, effects)? else { return Ok(None) };
        let is_noted =
            |spot: &Spot| matches!(spot, Spot::Seen { .. } | Spot::WroteShared | Spot::Overwritten);
        if effects.iter().any(|spot| !is_noted(spot)) {
            return Err(Gap::bound("a recursive method changes memory"));
        }
        let new: Vec<Spot> = effects.into_iter().filter(|spot| !annotation.effects.contains(spot)).collect();
        if !new.is_empty() {
            self.seen.changes.push(Change::Repeat { anchor: anchor.id.clone(), effects: new });
            return Ok(None);
        }
        let sort = self.walk.machine.returned_number(&code).map_err(changes)?;
        if let Some(sort) = sort {
            let value = self.walk.machine.number_returned(&node.state);
            let Some(value) = value.filter(|value| self.walk.machine.terms.sort(*value) == sort) else {
                return Err(Gap::bound("a recursive method returns no number"));
            };
            let Some(promised) = annotation.result else {
                self.seen.changes.push(Change::Promise { anchor: anchor.id.clone(), sort });
                return Ok(None);
            };
            let mut values: FxHashMap<Symbol, Term> = FxHashMap::default();
            for own in activation.first.keys() {
                values.insert(*own, self.walk.machine.terms.var(*own));
            }
            values.insert(promised, value);
            self.holding(&node, &anchor.id, &annotation, &annotation.promises, &values, None)?;
            let decided = node.condition.values().into_iter().skip(anchor.conditions).copied().collect();
            self.seen.results.entry(anchor.id.clone()).or_default().push(Returned { value, decided });
        }
        node.activations.pop();
        let terms = &mut self.walk.machine.terms;
        let mut first: Vec<(Symbol, Term)> =
            activation.first.iter().map(|(own, value)| (*own, *value)).collect();
        first.sort_unstable_by_key(|(own, _)| *own);
        let mut same = Vec::new();
        for (own, value) in first {
            let own = terms.var(own);
            if terms.sort(own) == terms.sort(value) {
                same.push(terms.eq(own, value));
            }
        }
        let outermost = terms.and_all(same);
        Ok(self.narrow(&mut node, outermost)?.then_some(node))
    }

    /// Frames have gone, by an exception if their activations are still there.
    pub(super) fn after_unwinding(&mut self, node: &mut Node) {
        let depth = node.state.depth;
        node.entered.retain(|(at, _)| *at <= depth);
        while let Some(activation) = node.activations.pop_if(|a| a.anchor.state.depth > depth) {
            self.thrown.insert(activation.anchor.id.clone());
        }
    }

    /// An exception of which handlers inside of a recursive method might know.
    pub(super) fn judge_exceptions(&self) -> Result<(), Gap> {
        match self.thrown.is_disjoint(&self.guarded) {
            true => Ok(()),
            false => Err(Gap::bound("exceptions pass handlers of a recursive method")),
        }
    }

    /// Whether a frame between an activation and its inner call handles exceptions.
    fn passes_handlers(&self, anchor: &Anchor, state: &State) -> bool {
        let between = state.depth.saturating_sub(anchor.state.depth) as usize;
        state.frames().skip(1).take(between).any(|frame| !frame.code.clauses.is_empty())
    }

    /// One more condition of a path; false if it contradicts the others.
    pub(super) fn narrow(&mut self, node: &mut Node, condition: Term) -> Result<bool, Gap> {
        if self.walk.machine.terms.as_bool(condition) == Some(true) {
            return Ok(true);
        }
        let Some(model) = self.model_of(&conjuncts(&node.condition), condition, &node.model)? else {
            return Ok(false);
        };
        node.model = model;
        node.condition = node.condition.and(condition);
        Ok(true)
    }
}

pub(super) fn changes(unlike: vm::generalise::Unlike) -> Gap {
    Gap::bound(format!("a loop changes {}", unlike.what))
}

/// Symbols for the results of calls that are not followed, by the anchors and such calls before them.
pub(super) type Results = std::collections::BTreeMap<(AnchorId, u32), Symbol>;
