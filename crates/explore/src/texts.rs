//! Text that a path put off is made at its end, for the one model that becomes its test: every question has its answer.

use term::{Evaluator, Model};
use vm::heap::BlockId;
use vm::{Machine, PathEnd, State, Stop};

use crate::outcome::Path;

/// Texts of one path, and steps for each; what takes more stays unknown.
const MAX_TEXTS: usize = 64;
const MAX_STEPS: u64 = 100_000;
const MAX_ROUNDS: u32 = 8;

/// Makes the texts that a returned value or a changed object may hold.
pub(crate) fn make(machine: &mut Machine, path: &mut Path) {
    if !matches!(path.end, PathEnd::Returned(_)) {
        return;
    }
    let mut blocks: Vec<BlockId> = path.state.deferred.keys().copied().collect();
    blocks.sort_unstable();
    // The latest first: it may be made of the others, which are then there already.
    for block in blocks.into_iter().rev().take(MAX_TEXTS) {
        // What is made may be put off again, as a shorter text.
        for _ in 0..MAX_ROUNDS {
            if !path.state.deferred.contains_key(&block) || !make_one(machine, path, block) {
                break;
            }
        }
    }
}

fn make_one(machine: &mut Machine, path: &mut Path, block: BlockId) -> bool {
    let mut state = path.state.clone();
    let made = machine.force_at_end(&mut state, block) && follow(machine, &mut state, &path.model);
    if made {
        path.state.heap = state.heap;
        path.state.deferred = state.deferred;
        path.state.origins = state.origins;
    }
    made
}

/// Runs to the end with the values of the model.
fn follow(machine: &mut Machine, state: &mut State, model: &Model) -> bool {
    let mut evaluator = Evaluator::new(model.clone());
    let mut stop = None;
    loop {
        match stop.take().unwrap_or_else(|| machine.run(state, MAX_STEPS)) {
            Stop::End(end) => return matches!(end, PathEnd::Returned(None)),
            Stop::OutOfSteps => return false,
            Stop::Concretize { term, depth } => {
                if machine.outside_of(term).is_some() {
                    return false;
                }
                let value = evaluator.eval(&machine.terms, term).bits();
                let width = machine.terms.width(term);
                machine.concretize(state, depth, value as u64, width);
            }
            Stop::Fork(choices) => {
                // Another day it may be another text.
                if choices.iter().any(|choice| machine.outside_of(choice.guard).is_some()) {
                    return false;
                }
                let holds = |choice: &vm::Choice| evaluator.eval(&machine.terms, choice.guard).is_true();
                let Some(choice) = choices.into_iter().find(holds) else { return false };
                stop = machine.take(state, choice.action);
            }
        }
    }
}
