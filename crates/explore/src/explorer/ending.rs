//! The end of a path, and the end of the whole exploration.

use std::rc::Rc;

use budget::interrupt::interruptible;
use solver::Limits;
use verdict::{Gap, Reason};
use vm::{BitSet, MOST_ITEMS, PathEnd, State};

use super::Run;
use super::node::Node;
use super::values::TIME_AGAIN;
use crate::findings::Finding;
use crate::outcome::{Exploration, Path};
use crate::readable;
use crate::shrink::shrink;

impl Run<'_> {
    pub(super) fn end(&mut self, mut node: Node, end: PathEnd) {
        self.work.ended += 1;
        if matches!(end, PathEnd::Impossible) {
            return;
        }
        if self.machine.inputs.any_world {
            self.end_in_any_world(node, end);
            return;
        }
        if matches!(end, PathEnd::Exited(_)) && !self.tells_blame && self.is_about_wanted(&node) {
            // No test can show it.
            let gap = Gap::native_call("the process is ended: a failed assertion, or Environment.FailFast");
            self.leave_out(gap, Some(node.state.base_place()));
            return;
        }
        if let PathEnd::Incomplete { gap, at } = end {
            if !self.can_arrive(&node) {
                return;
            }
            let unknown = matches!(gap.reason, Reason::UnsupportedInstruction | Reason::NativeCall);
            self.leave_out(gap.clone(), at);
            if unknown && !node.aliased {
                self.rescue(node, gap);
            }
            return;
        }
        if !self.is_about_wanted(&node) {
            return;
        }
        if node.state.left_early() {
            let detail = format!("only the first {MOST_ITEMS} items of a sequence are taken");
            self.leave_out(Gap::bound(detail), None);
        }
        if node.aliased {
            if let PathEnd::Threw { ty, thrown_at, .. } = end {
                self.aliased.failures.insert((ty, thrown_at));
            }
            return;
        }
        match self.in_laboratory(&node.condition, &node.model) {
            Ok(model) => node.model = model,
            Err(gap) => {
                self.note_unshown(gap, Some(node.state.base_place()));
                return;
            }
        }
        match self.for_all_ambient(&node.condition, &node.model) {
            Ok(model) => node.model = model,
            Err(gap) => {
                self.note_doubtful(node, end, gap);
                return;
            }
        }
        self.progress.ended(self.machine, &end, &node.model);
        let is_kept = self.is_worth_a_test(&node.state, &end);
        self.tell_end(&node, &end, is_kept);
        if !is_kept {
            return;
        }
        if let Err(gap) = self.machine.close_classes(&mut node.state) {
            self.leave_out(gap, Some(node.state.base_place()));
            return;
        }
        let mut footprint = self.machine.footprint(&node.state, &node.condition.conjuncts(), &end);
        self.machine.add_location(&node.state, &mut footprint, self.code.method, &end);
        let footprint = Some(Rc::new(footprint));
        self.kept.paths.push(Path { footprint, ..Path::of(node, end) });
    }

    /// In any world it matters only what can happen: there are no tests.
    fn end_in_any_world(&mut self, node: Node, end: PathEnd) {
        let blamed = self.blamed(&node.state, &end);
        self.kept.blamed.extend(blamed);
        match end {
            PathEnd::Incomplete { .. } if !self.can_arrive(&node) => {}
            PathEnd::Incomplete { gap, at } => self.leave_out(gap, at),
            PathEnd::Exited(_) if !self.tells_blame && self.is_about_wanted(&node) => {
                self.leave_out(Gap::native_call("the process is ended"), Some(node.state.base_place()));
            }
            PathEnd::Threw { ty, thrown_at, .. } if !self.only_wanted => {
                self.kept.failures.insert((ty, thrown_at));
            }
            _ => {}
        }
        if node.state.left_early() && self.is_about_wanted(&node) {
            self.leave_out(Gap::bound("only the first items of a sequence are taken"), None);
        }
    }

    /// Whether a path shows something that the kept ones do not.
    pub(super) fn is_worth_a_test(&mut self, state: &State, end: &PathEnd) -> bool {
        let finding = Finding::of_end(self.machine, self.code.method, state, end);
        let blamed = self.blamed(state, end);
        let inner = self.machine.recording.zone.inner();
        let worth = self.kept.note(&self.wanted.goals, inner, state, end, finding, blamed);
        if worth.is_new_failure {
            self.work.note_news();
        }
        if worth.is_lost {
            self.leave_out(Gap::bound("more paths are worth a test than can be kept"), None);
        }
        worth.is_kept
    }

    pub(super) fn finish(mut self) -> Exploration {
        let limits = std::mem::take(&mut self.machine.inputs.limits);
        limits.into_iter().for_each(|gap| self.leave_out(gap, None));
        if self.machine.inputs.any_world {
            self.reached.union_with(&self.aliased.goals);
        } else {
            let watch = self.budget.wrapping_up(TIME_AGAIN);
            if let Err(gap) = interruptible(watch, || self.make_tests()) {
                self.interrupted(gap, None);
            }
            self.judge_aliasing();
        }
        self.judge_caches();
        let missing = self.wanted.goals.without(&self.reached).without(&self.aliased.goals);
        if !missing.is_subset(&self.wanted.provable) && !self.only_wanted {
            let is_initializer = self.machine.universe.method(self.code.method).is_static_constructor();
            let detail = match is_initializer {
                true => "not all of a static constructor is covered, which runs only once",
                false => "not all of the code is covered that runs later: lambdas, iterators, async methods",
            };
            self.unshown.insert((Gap::bound(detail), None));
        }
        let is_exhausted = self.incomplete.is_empty() && self.frontier.is_empty();
        let unreachable =
            if is_exhausted { missing.intersection(&self.wanted.provable) } else { BitSet::default() };
        let cut_short = self
            .stopped
            .take()
            .filter(|gap| self.incomplete.len() == 1 && self.incomplete.contains(&(gap.clone(), None)));
        self.incomplete.append(&mut self.unshown);
        let stats = self.stats();
        Exploration {
            code: self.code,
            start: self.start,
            paths: self.kept.paths,
            incomplete: self.incomplete,
            exhausted: is_exhausted,
            cut_short,
            certificate: None,
            assumed: std::mem::take(&mut self.machine.inputs.assumed),
            unreachable,
            reached: self.reached,
            failures: self.kept.failures,
            blamed: self.kept.blamed,
            wanted: self.wanted,
            stats,
        }
    }

    /// Makes the kept paths fit for tests.
    fn make_tests(&mut self) {
        self.make_readable();
        self.settle_doubtful();
        self.make_texts();
    }

    /// What only aliased inputs can do is said, since no test shows it.
    fn judge_aliasing(&mut self) {
        let new_edges = !self.aliased.goals.intersection(&self.wanted.goals).is_subset(&self.reached);
        if new_edges || !self.aliased.failures.is_subset(&self.kept.failures) {
            let detail = "more happens when by-ref arguments point to the same place, which no test can show";
            self.note_unshown(Gap::bound(detail), None);
        }
    }

    /// The branch around a cache of the compiler goes one way at the first call and the other way later.
    fn judge_caches(&mut self) {
        if self.machine.inputs.cache_read && !self.is_covered() {
            let detail = "the compiler keeps a value in a static field, which was explored unset only";
            self.leave_out(Gap::bound(detail), None);
        }
    }

    /// Replaces the models of the kept paths by more readable ones: first what the solver grants, as time allows, then what
    /// needs no question.
    fn make_readable(&mut self) {
        let soft = readable::preferences(self.machine);
        // One by one: what is not done yet stays as it is when this is ended.
        for index in 0..self.kept.paths.len() {
            let Some(mut path) = self.kept.paths.get(index).cloned() else { break };
            let mut conjuncts = path.condition.conjuncts();
            conjuncts.extend(self.laboratory(&conjuncts));
            let mut readable = path.model.clone();
            // What the path does not depend on needs no question.
            let soft = readable::about(&self.machine.terms, &soft, &conjuncts);
            if !soft.is_empty() && self.budget.spent(0).is_none() {
                let _asking = self.asking("readable values", path.number, &path.state);
                // Bounded by the solver's own effort: a busy machine writes the same values.
                let limits = Limits { effort: None, ..self.first_try() };
                readable = self.solver.prefer(&mut self.machine.terms, &conjuncts, &readable, &soft, &limits);
            }
            let small = shrink(self.machine, &conjuncts, &readable, &[&path.state]);
            if self.holds_for_all_ambient(&path.condition, &small) {
                path.as_found = Some(std::mem::replace(&mut path.model, small));
                path.roomy = Some(readable);
            }
            self.kept.replace(index, path);
        }
    }
}
