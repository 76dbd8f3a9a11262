//! Where the values of a model count: paths that are run once more with them, and numbers that must be known.

use std::rc::Rc;
use std::time::{Duration, Instant};

use solver::Answer;
use term::{Evaluator, Term};
use verdict::Gap;
use vm::{PathEnd, State};

use super::{Node, Run};
use crate::follow;
use crate::outcome::Path;

/// Paths that exploration gives up and that are run with the values of their model instead.
const MAX_RESCUED: u32 = 300;
/// Steps of all paths that are run once more for their text, whatever the time: without it they are no tests.
const MAX_STEPS_AGAIN: u64 = 5_000_000;
/// And for how long at most, where there is a deadline.
pub(super) const TIME_AGAIN: Duration = Duration::from_secs(1);
/// What a size is made small to: the first of these that is possible.
const SMALL_SIZES: [u128; 3] = [20, 1_000, 100_000];

impl Run<'_> {
    /// The inputs of a path that cannot be followed lead somewhere all the same.
    pub(super) fn rescue(&mut self, node: Node, gap: Gap) {
        let Some(start) = self.start.clone() else { return };
        if self.work.rescued >= MAX_RESCUED {
            return;
        }
        self.work.rescued += 1;
        let followed = follow::run(self.machine, &start, &node.state, &node.model);
        self.tell_followed("rescued", node.number, followed.as_ref().map(|(end, _)| end));
        let Some((end, mut state)) = followed else { return };
        // The values may still change to more readable ones.
        state.path.guessed_text = true;
        self.work.asked += state.steps;
        self.note_reached(&state, false);
        if self.is_worth_a_test(&state, &end) {
            let followed = Some(gap);
            self.kept.paths.push(Path { state, followed, ..Path::of(node, end) });
        }
    }

    /// What the method really does where text was put off or left unknown.
    pub(super) fn make_texts(&mut self) {
        let Some(start) = self.start.clone() else { return };
        let mut steps = 0;
        // Whoever waits does so a little longer than the deadline, not for ever.
        let end = self.budget.deadline.map(|deadline| deadline.max(Instant::now()) + TIME_AGAIN);
        for index in 0..self.kept.paths.len() {
            let Some(path) = self.kept.paths.get(index).cloned() else { break };
            if end.is_some_and(|end| Instant::now() > end) {
                break;
            }
            if !path.state.path.guessed_text || path.vague || steps > MAX_STEPS_AGAIN {
                continue;
            }
            let followed = follow::run(self.machine, &start, &path.state, &path.model);
            self.tell_followed("followed", path.number, followed.as_ref().map(|(end, _)| end));
            let Some((end, state)) = followed else { continue };
            steps += state.steps;
            if let Some(path) = self.as_found(&path, &state, &end) {
                // Where the condition does not say all that matters, readable values may lead elsewhere.
                steps += path.state.steps;
                self.kept.replace(index, path);
                continue;
            }
            if !path.state.coverage.goals().is_subset(state.coverage.goals()) {
                let detail = "text that is made from values was not followed where it matters";
                self.leave_out(Gap::bound(detail), None);
            }
            let footprint = path.footprint.clone().map(|mut footprint| {
                self.machine.add_looked_at(&state, Rc::make_mut(&mut footprint));
                footprint
            });
            let explored = Some(Rc::new((path.end.clone(), path.state.clone())));
            self.kept.replace(index, Path { end, state, footprint, explored, vague: false, ..path });
        }
    }

    /// The path with the values that exploration had, if only these show what it is kept for.
    fn as_found(&mut self, path: &Path, state: &State, end: &PathEnd) -> Option<Path> {
        let start = self.start.clone()?;
        let model = path.as_found.clone().filter(|model| *model != path.model)?;
        let wanted = path.state.coverage.goals();
        if wanted.is_subset(state.coverage.goals()) && ends_alike(&path.end, end) {
            return None;
        }
        let (end, state) = follow::run(self.machine, &start, &path.state, &model)?;
        if !wanted.is_subset(state.coverage.goals()) {
            return None;
        }
        let footprint = path.footprint.clone().map(|mut footprint| {
            self.machine.add_looked_at(&state, Rc::make_mut(&mut footprint));
            footprint
        });
        let explored = Some(Rc::new((path.end.clone(), path.state.clone())));
        Some(Path { end, state, footprint, explored, model, as_found: None, vague: false, ..path.clone() })
    }

    /// Changes the model to one with a small value, if there is one: sizes and counts are what is concretized most, and a
    /// large one costs memory and time.
    pub(super) fn prefer_small(&mut self, node: &mut Node, term: Term) {
        let width = self.machine.terms.width(term);
        let conjuncts = node.condition.conjuncts();
        let limits = self.first_try();
        let _asking = self.asking("a small size", node.number, &node.state);
        for size in SMALL_SIZES {
            if self.evaluator.eval(&self.machine.terms, term).bits() <= size {
                return;
            }
            self.work.note_question(conjuncts.len());
            let terms = &mut self.machine.terms;
            let most = terms.bv(width, size);
            let small = terms.ule(term, most);
            let answer = self.solver.check_with_hint(terms, &conjuncts, &[small], Some(&node.model), &limits);
            if let Answer::Sat(model) = answer {
                self.evaluator = Evaluator::new(model.clone());
                node.model = model;
                return;
            }
        }
    }
}

/// Both return, or both throw the same.
fn ends_alike(a: &PathEnd, b: &PathEnd) -> bool {
    match (a, b) {
        (PathEnd::Threw { ty: a, .. }, PathEnd::Threw { ty: b, .. }) => a == b,
        (PathEnd::Returned(_), PathEnd::Returned(_)) => true,
        _ => false,
    }
}
