//! Questions to the solver about one path.

use std::time::{Duration, Instant};

use solver::{Answer, Limits};
use term::{Symbol, Term};

use super::{Node, Run};
use crate::readable;

/// The first try of a query. Measured in the solver's own effort and not in time, so that a busy machine explores in the same
/// order.
const FIRST_TRY_CONFLICTS: u64 = 2_000;
const FIRST_TRY_GATES: usize = 300_000;
/// Of one question where steps are limited: the others want their part of the work.
const MOST_CONFLICTS: u64 = 50_000;
/// Lengths of arrays and strings that are tried first, and those that are tried when these are too short.
const SHORT: u128 = 4;
const LONGER: [u128; 5] = [1 << 20, 1 << 14, 1 << 10, 100, 20];

impl Run<'_> {
    /// A question about a path. An answer with short arrays and strings is wanted first: a path that runs through one of a
    /// million elements never ends. `None`: there is no such answer, and the question can wait.
    pub(super) fn ask(
        &mut self,
        node: &Node,
        promising: bool,
        conjuncts: &[Term],
        guard: Term,
        limits: &Limits,
    ) -> Option<Answer> {
        let terms = &mut self.machine.terms;
        let lengths = self.machine.inputs.open_lengths(&node.state);
        if lengths.is_empty() {
            return Some(self.solver.check_with_hint(terms, conjuncts, &[guard], Some(&node.model), limits));
        }
        if !node.long
            && let Some(answer) = self.ask_for_short(node, conjuncts, guard, &lengths, limits)
        {
            return Some(answer);
        }
        if !node.long && !promising {
            return None;
        }
        let terms = &mut self.machine.terms;
        let answer = self.solver.check_with_hint(terms, conjuncts, &[guard], Some(&node.model), limits);
        let Answer::Sat(model) = answer else { return Some(answer) };
        let mut hard = conjuncts.to_vec();
        hard.push(guard);
        let soft = LONGER.map(|most| readable::all_at_most(terms, &lengths, most));
        Some(Answer::Sat(self.solver.prefer(terms, &hard, &model, &soft, limits)))
    }

    /// The answer, if it does not depend on how long arrays and strings may be.
    fn ask_for_short(
        &mut self,
        node: &Node,
        conjuncts: &[Term],
        guard: Term,
        lengths: &[Symbol],
        limits: &Limits,
    ) -> Option<Answer> {
        let terms = &mut self.machine.terms;
        let short = readable::all_at_most(terms, lengths, SHORT);
        let answer =
            self.solver.check_with_hint(terms, conjuncts, &[guard, short], Some(&node.model), limits);
        match &answer {
            Answer::Sat(_) => Some(answer),
            Answer::Unsat(core) if !core.contains(&short) => Some(answer),
            _ => None,
        }
    }

    /// What a question may take before it waits until the easier ones are done.
    pub(super) fn first_try(&self) -> Limits {
        let limits = self.limits(self.budget.solver_timeout);
        Limits { conflicts: Some(FIRST_TRY_CONFLICTS), gates: Some(FIRST_TRY_GATES), ..limits }
    }

    pub(super) fn limits(&self, time: Duration) -> Limits {
        let mut deadline = Instant::now() + time;
        if let Some(end) = self.budget.deadline {
            deadline = deadline.min(end);
        }
        Limits {
            deadline: Some(deadline),
            cancel: Some(self.budget.signals.cancelled.clone()),
            conflicts: self.effort.as_ref().map(|_| MOST_CONFLICTS),
            effort: self.effort.clone(),
            ..Limits::default()
        }
    }
}
