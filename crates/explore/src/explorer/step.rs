//! One node: whether its choice is feasible, how far it runs, and what it forks into.

use solver::{Answer, Why};
use term::{Evaluator, Term};
use verdict::Gap;
use vm::{Action, Choice, State, Stop};

use super::Run;
use super::node::{Node, Pending, is_mock};
use crate::decision::{Decision, Settled};

/// Steps between looks at the budget.
const QUANTUM: u64 = 5_000;
/// A number that must be known and is so large is made small if it can be; still larger ones are addresses.
const LARGE_SIZES: std::ops::Range<u128> = 1_000..1 << 32;
/// What stays so large is not made: one path would use the time and the memory of all others.
const HUGE_SIZES: std::ops::Range<u128> = 1 << 22..1 << 32;

impl Run<'_> {
    /// Asks whether a waiting choice is feasible; the node as it goes on if it is.
    pub(super) fn decide(&mut self, mut node: Node) -> Option<Node> {
        let promising = node.is_new(&self.wanted.goals, self.machine.recording.zone.inner(), &self.reached);
        let Some(pending) = node.pending.take() else {
            self.evaluator = Evaluator::new(node.model.clone());
            return Some(node);
        };
        let guard = match &pending {
            Pending::Choice(choice) => choice.guard,
            Pending::Differs(guard) => *guard,
        };
        let conjuncts = node.condition.conjuncts();
        self.work.note_question(conjuncts.len());
        let limits = if node.hard { self.limits(self.budget.solver_timeout) } else { self.first_try() };
        let asking = self.asking("a branch", node.number, &node.state);
        let answer = self.ask(&node, promising, &conjuncts, guard, &limits);
        self.tell_decided(guard, answer.as_ref());
        drop(asking);
        let Some(answer) = answer else {
            self.frontier.add_long(Node { pending: Some(pending), long: true, ..node });
            return None;
        };
        match answer {
            Answer::Unsat(_) => None,
            Answer::Unknown(Why::ConflictLimit | Why::GateLimit) if !node.hard => {
                self.frontier.add_hard(Node { pending: Some(pending), hard: true, ..node });
                None
            }
            Answer::Unknown(why) => {
                let gap = match self.spent() {
                    Some(gap) => gap,
                    None => Gap::solver_unknown(why.to_string()),
                };
                self.leave_out(gap, Some(node.state.base_place()));
                None
            }
            Answer::Sat(model) => {
                self.evaluator = Evaluator::new(model.clone());
                node.model = model;
                let decision = match &pending {
                    Pending::Choice(choice) => self.decision(&node.state, guard, &choice.action),
                    Pending::Differs(_) => self.settled(&node.state, guard, Settled::OtherValue),
                };
                node.condition = node.condition.and(decision);
                self.machine.learn(&mut node.state, guard);
                match pending {
                    Pending::Choice(choice) => self.apply(node, choice.action),
                    Pending::Differs(_) => Some(node),
                }
            }
        }
    }

    fn apply(&mut self, mut node: Node, action: Action) -> Option<Node> {
        let stop = self.machine.take(&mut node.state, action);
        self.note_reached(&node.state, node.aliased);
        match stop {
            Some(stop) => self.stopped(node, stop),
            None => Some(node),
        }
    }

    /// Runs a state to its next stop; the node as it goes on, if it does.
    pub(super) fn run(&mut self, mut node: Node) -> Option<Node> {
        let before = node.state.steps;
        let stop = self.machine.run(&mut node.state, QUANTUM);
        self.work.steps += node.state.steps - before;
        if node.state.is_initializing() {
            // The method has not begun: that nothing new comes of it is no reason to give it up.
            self.work.note_news();
        }
        self.note_reached(&node.state, node.aliased);
        self.stopped(node, stop)
    }

    fn stopped(&mut self, node: Node, stop: Stop) -> Option<Node> {
        match stop {
            Stop::OutOfSteps => {
                self.wait(node, false);
                None
            }
            Stop::End(end) => {
                self.end(node, end);
                None
            }
            Stop::Fork(choices) => self.fork(node, choices),
            Stop::Concretize { term, depth } => self.concretize(node, term, depth),
        }
    }

    /// The model satisfies one guard: that successor needs no query. The others wait.
    fn fork(&mut self, node: Node, choices: Vec<Choice>) -> Option<Node> {
        self.tell_fork(&node, &choices);
        let mut taken = None;
        for choice in choices {
            if taken.is_none() && self.evaluator.eval(&self.machine.terms, choice.guard).is_true() {
                taken = Some(choice);
                continue;
            }
            let mocked = node.mocked || is_mock(&choice.action);
            self.work.states += 1;
            let number = self.work.next_path();
            let waiting = Node { mocked, ..node.waiting(number, Pending::Choice(choice)) };
            let promising =
                waiting.is_new(&self.wanted.goals, self.machine.recording.zone.inner(), &self.reached);
            self.wait(waiting, promising);
        }
        let Some(choice) = taken else {
            let gap = Gap::internal_error("no guard of a fork holds in the state's own model");
            self.leave_out(gap, Some(node.state.base_place()));
            return None;
        };
        let mocked = node.mocked || is_mock(&choice.action);
        let decision = self.decision(&node.state, choice.guard, &choice.action);
        let mut node = Node { condition: node.condition.and(decision), mocked, ..node };
        self.machine.learn(&mut node.state, choice.guard);
        self.apply(node, choice.action)
    }

    /// Follows the operand's value in the model; all other values wait in a second state.
    fn concretize(&mut self, mut node: Node, term: Term, depth: usize) -> Option<Node> {
        let mut value = self.evaluator.eval(&self.machine.terms, term).bits();
        if LARGE_SIZES.contains(&value) {
            self.prefer_small(&mut node, term);
            value = self.evaluator.eval(&self.machine.terms, term).bits();
            if HUGE_SIZES.contains(&value) {
                let gap = Gap::bound(format!("something of the size {value} would be needed"));
                self.leave_out(gap, Some(node.state.base_place()));
                return None;
            }
        }
        let width = self.machine.terms.width(term);
        let constant = self.machine.terms.bv(width, value);
        let same = self.machine.terms.eq(term, constant);
        let differs = self.machine.terms.not(same);
        self.tell_concretized(&node, term, value);
        self.work.states += 1;
        let number = self.work.next_path();
        self.wait(node.waiting(number, Pending::Differs(differs)), false);
        let decision = self.settled(&node.state, same, Settled::Value { term, value: value as u64 });
        let mut node = Node { condition: node.condition.and(decision), ..node };
        self.machine.learn(&mut node.state, same);
        self.machine.concretize(&mut node.state, depth, value as u64, width);
        Some(node)
    }

    fn decision(&self, state: &State, guard: Term, action: &Action) -> Decision {
        Decision::of(&self.machine.universe, state, self.home, guard, action)
    }

    fn settled(&self, state: &State, guard: Term, settled: Settled) -> Decision {
        Decision::new(&self.machine.universe, state, self.home, guard, settled)
    }

    pub(super) fn note_reached(&mut self, state: &State, aliased: bool) {
        let goals = state.coverage.goals();
        if aliased {
            self.aliased.goals.union_with(goals);
            return;
        }
        if !goals.is_subset(&self.reached) {
            let fresh = goals.without(&self.reached);
            let inner = self.machine.recording.zone.inner();
            let is_news = fresh.intersects(&self.wanted.goals) || fresh.intersects(inner);
            self.reached.union_with(goals);
            if is_news {
                self.work.note_news();
            }
        }
    }
}
