//! Runs one call on symbolic arguments: all ways in which it returns, as far as a small allowance goes.

use std::collections::VecDeque;

use solver::{Answer, Limits, Solver};
use term::{Evaluator, Model, Symbol, Term};
use vm::inputs::references::Resolution;
use vm::{Action, Choice, Machine, PathEnd, State, Stop, Value};

use super::Effort;
use crate::explorer::Pending;
use crate::readable;

/// Steps between looks at the allowance, and steps that one path may take.
const QUANTUM: u64 = 2_000;
const MAX_STEPS: u64 = 50_000;
/// Paths of one call that are followed to their end.
const MAX_ENDS: usize = 6;
/// What one call may cost, in steps.
const MAX_EFFORT: u64 = 40_000;
/// Other ways of the class library that are tried once the call has returned.
const MAX_LIBRARY: usize = 4;
/// Paths that wait.
const MAX_OPEN: usize = 24;
/// Arrays and texts that calls are run with have this length at most, and sizes that must be known are not greater than this.
const LONGEST: u128 = 12;
const LARGEST_SIZE: u128 = 4_096;

/// Where a call has returned.
#[derive(Clone)]
pub(super) struct Ended {
    pub state: State,
    pub condition: Vec<Term>,
    pub model: Model,
    /// The object that it gives.
    pub object: u64,
}

struct Open {
    state: State,
    condition: Vec<Term>,
    model: Model,
    pending: Option<Pending>,
    /// It left another path in code of the class library.
    in_library: bool,
}

/// The paths on which a call returns an object.
pub(super) fn run(
    machine: &mut Machine,
    solver: &mut Solver,
    effort: &mut Effort<'_>,
    start: State,
    condition: Vec<Term>,
    model: Model,
) -> Vec<Ended> {
    let mut open =
        VecDeque::from([Open { state: start, condition, model, pending: None, in_library: false }]);
    let (mut ended, mut in_library) = (Vec::new(), 0);
    let end = effort.used + MAX_EFFORT;
    while let Some(mut node) = open.pop_front() {
        if effort.is_spent() || effort.used > end || ended.len() >= MAX_ENDS {
            break;
        }
        if node.in_library && !ended.is_empty() {
            in_library += 1;
            if in_library > MAX_LIBRARY {
                break;
            }
        }
        let mut stop = None;
        if let Some(pending) = node.pending.take() {
            let guard = match &pending {
                Pending::Choice(choice) => choice.guard,
                Pending::Differs(guard) => *guard,
            };
            effort.ask(node.condition.len());
            let limits = effort.limits();
            let hint = Some(&node.model);
            // Nobody makes an object from a text of millions.
            let lengths: Vec<Symbol> = machine.inputs.lengths.keys().copied().collect();
            let terms = &mut machine.terms;
            let short = readable::all_at_most(terms, &lengths, LONGEST);
            let wanted = [guard, short];
            let Answer::Sat(model) = solver.check_with_hint(terms, &node.condition, &wanted, hint, &limits)
            else {
                continue;
            };
            node.model = model;
            node.condition.push(guard);
            machine.learn(&mut node.state, guard);
            if let Pending::Choice(choice) = pending {
                stop = machine.take(&mut node.state, choice.action);
            }
        }
        ended.extend(follow(machine, effort, node, stop, &mut open));
    }
    ended
}

/// Follows the model to the end; other ways wait.
fn follow(
    machine: &mut Machine,
    effort: &mut Effort<'_>,
    mut node: Open,
    mut stop: Option<Stop>,
    open: &mut VecDeque<Open>,
) -> Option<Ended> {
    let mut evaluator = Evaluator::new(node.model.clone());
    let first = node.state.steps;
    loop {
        if node.state.steps - first > MAX_STEPS || effort.is_spent() {
            return None;
        }
        let before = node.state.steps;
        let reached = stop.take().unwrap_or_else(|| machine.run(&mut node.state, QUANTUM));
        effort.steps(node.state.steps - before);
        match reached {
            Stop::OutOfSteps => {}
            Stop::End(PathEnd::Returned(Some(Value::I64(address)))) if address != 0 => {
                machine.close_classes(&mut node.state).ok()?;
                let Open { state, condition, model, .. } = node;
                return Some(Ended { state, condition, model, object: address.cast_unsigned() });
            }
            Stop::End(_) => return None,
            Stop::Concretize { term, depth } => {
                let value = evaluator.eval(&machine.terms, term).bits();
                let width = machine.terms.width(term);
                // What is wider is an address.
                if width <= 32 && value > LARGEST_SIZE {
                    return None;
                }
                let constant = machine.terms.bv(width, value);
                let same = machine.terms.eq(term, constant);
                if width <= 32 {
                    let other = machine.terms.not(same);
                    wait(machine, open, &node, Pending::Differs(other));
                }
                node.condition.push(same);
                machine.learn(&mut node.state, same);
                machine.concretize(&mut node.state, depth, value as u64, width);
            }
            Stop::Fork(choices) => {
                let (taken, others) = split(machine, &mut evaluator, choices)?;
                for choice in others.into_iter().filter(|choice| !is_mock(&choice.action)) {
                    wait(machine, open, &node, Pending::Choice(choice));
                }
                if is_mock(&taken.action) {
                    return None;
                }
                node.condition.push(taken.guard);
                machine.learn(&mut node.state, taken.guard);
                stop = machine.take(&mut node.state, taken.action);
            }
        }
    }
}

/// Another way for later. What the class library does differently is hardly ever another object, so that comes last.
fn wait(machine: &Machine, open: &mut VecDeque<Open>, node: &Open, pending: Pending) {
    if open.len() >= MAX_OPEN {
        return;
    }
    let (state, condition, model) = (node.state.clone(), node.condition.clone(), node.model.clone());
    let in_library = machine.is_framework(machine.universe.method(state.top.code.method).owner);
    let other = Open { state, condition, model, pending: Some(pending), in_library };
    match in_library {
        true => open.push_back(other),
        false => open.push_front(other),
    }
}

fn split(
    machine: &Machine,
    evaluator: &mut Evaluator,
    mut choices: Vec<Choice>,
) -> Option<(Choice, Vec<Choice>)> {
    let holds = |choice: &Choice| evaluator.eval(&machine.terms, choice.guard).is_true();
    let at = choices.iter().position(holds)?;
    let taken = choices.remove(at);
    Some((taken, choices))
}

fn is_mock(action: &Action) -> bool {
    matches!(action, Action::Resolve { to: Resolution::Mock(_), .. } | Action::GiveUp(_))
}

/// What a question may take.
pub(super) fn limits(deadline: Option<std::time::Instant>, budget: &budget::Budget) -> Limits {
    Limits {
        deadline,
        cancel: Some(budget.signals.cancelled.clone()),
        conflicts: Some(2_000),
        gates: Some(300_000),
        ..Limits::default()
    }
}
