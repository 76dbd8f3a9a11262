//! Paths run once more with the values of their model: so text is made that was put off, and a path that exploration cannot
//! follow to its end still becomes a test.

use term::{Evaluator, Model};
use vm::{Machine, PathEnd, State, Stop};

/// Steps of one path; one that takes more stays as it was explored.
const MAX_STEPS: u64 = 500_000;

/// The end of the path that a model leads along, and the state there; `end` is where exploration left it.
pub(crate) fn run(
    machine: &mut Machine,
    start: &State,
    end: &State,
    model: &Model,
) -> Option<(PathEnd, State)> {
    attempt(machine, start, end, model).0
}

/// The same with the steps that it took, wherever it led.
pub(crate) fn attempt(
    machine: &mut Machine,
    start: &State,
    end: &State,
    model: &Model,
) -> (Option<(PathEnd, State)>, u64) {
    let limits = machine.inputs.limits.len();
    let mut state = machine.follow(start, end, model);
    let ended = to_the_end(machine, &mut state, model);
    let closed = machine.close_classes(&mut state).is_ok();
    machine.stop_following();
    // What this one run leaves out is no limit of the exploration.
    machine.inputs.limits.truncate(limits);
    let steps = state.steps;
    (ended.filter(|_| closed).map(|end| (end, state)), steps)
}

fn to_the_end(machine: &mut Machine, state: &mut State, model: &Model) -> Option<PathEnd> {
    let mut evaluator = Evaluator::new(model.clone());
    let mut stop = None;
    loop {
        let left = MAX_STEPS.saturating_sub(state.steps);
        match stop.take().unwrap_or_else(|| machine.run(state, left)) {
            Stop::End(end @ (PathEnd::Returned(_) | PathEnd::Threw { .. })) => return Some(end),
            Stop::End(_) | Stop::OutOfSteps => return None,
            Stop::Concretize { term, depth } => {
                if machine.ambient_source(term).is_some() {
                    return None;
                }
                let value = evaluator.eval(&machine.terms, term).bits();
                let width = machine.terms.width(term);
                machine.concretize(state, depth, value as u64, width);
            }
            Stop::Fork(choices) => {
                // Another day it may be another way.
                if choices.iter().any(|choice| machine.ambient_source(choice.guard).is_some()) {
                    return None;
                }
                let holds = |choice: &vm::Choice| evaluator.eval(&machine.terms, choice.guard).is_true();
                let choice = choices.into_iter().find(holds)?;
                stop = machine.take(state, choice.action);
            }
        }
    }
}
