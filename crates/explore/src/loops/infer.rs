//! Finds a plan that a walk accepts, and has it checked.

use budget::Budget;
use solver::{Limits, Solver};
use std::time::Instant;
use types::MethodId;
use verdict::{Gap, Stats};
use vm::State;
use vm::generalise::LivenessCache;

use super::calls::Results;
use super::certificate::Certificate;
use super::plan::Plan;
use super::walk::{Seen, Walk};
use super::{Bounds, candidates};
use crate::Explorer;

/// Walks until a plan is found, and steps of one and of all of them.
const MOST_WALKS: usize = 60;
const MOST_STEPS: u64 = 30_000;
const MOST_STEPS_IN_ALL: u64 = 200_000;
/// What a question may cost, when a plan is looked for and when it is checked.
const CONFLICTS: u64 = 3_000;
const CHECKED_CONFLICTS: u64 = 100_000;
const GATES: usize = 400_000;

pub(super) fn bound(
    explorer: &mut Explorer,
    method: MethodId,
    any_world: bool,
    budget: &Budget,
) -> Result<Bounds, Gap> {
    let started = Instant::now();
    explorer.machine.reset();
    explorer.machine.inputs.any_world = any_world;
    explorer.machine.inputs.keeps_lengths = true;
    explorer.solver.new_exploration();
    let starts = explorer.machine.start(method)?;
    let mut search = Search::new(explorer, budget);
    let plan = search.infer(&starts)?;
    let seen = search.check(&plan, starts)?;
    let Search { explorer, mut stats, .. } = search;
    stats.elapsed = started.elapsed();
    let inputs = &explorer.machine.inputs;
    if let Some(gap) = inputs.limits.first() {
        return Err(gap.clone());
    }
    if inputs.cache_read {
        return Err(Gap::bound(
            "the compiler keeps a value in a static field, which was explored unset only",
        ));
    }
    let certificate = Certificate::of(&explorer.machine, method, &plan, &seen);
    Ok(Bounds {
        reached: seen.reached,
        failures: seen.failures,
        blamed: seen.blamed,
        assumed: explorer.machine.inputs.assumed.clone(),
        certificate,
        stats,
    })
}

pub(super) struct Search<'a> {
    pub explorer: &'a mut Explorer,
    budget: &'a Budget,
    alive: LivenessCache,
    results: Results,
    stats: Stats,
}

impl<'a> Search<'a> {
    pub fn new(explorer: &'a mut Explorer, budget: &'a Budget) -> Search<'a> {
        Search {
            explorer,
            budget,
            alive: LivenessCache::default(),
            results: Results::new(),
            stats: Stats::default(),
        }
    }
}

impl Search<'_> {
    pub fn infer(&mut self, starts: &[State]) -> Result<Plan, Gap> {
        let mut plan = Plan::default();
        let limits = self.limits(CONFLICTS);
        let most = self.budget.max_steps.map_or(MOST_STEPS_IN_ALL, |most| most.min(MOST_STEPS_IN_ALL));
        for _ in 0..MOST_WALKS {
            let explorer = &mut *self.explorer;
            let walk = Walk {
                machine: &mut explorer.machine,
                solver: &mut explorer.solver,
                plan: &plan,
                budget: self.budget,
                most_steps: MOST_STEPS.min(most.saturating_sub(self.stats.steps)),
                limits: limits.clone(),
                alive: &mut self.alive,
                results: &mut self.results,
                tells_blame: explorer.tells_blame,
            };
            let seen = walk.run(starts.to_vec())?;
            self.note(&seen);
            let machine = &mut self.explorer.machine;
            tracing::debug!(changes = ?seen.changes, "a walk along a plan");
            if seen.changes.is_empty() && !candidates::propose(machine, &mut plan, &seen) {
                return Ok(plan);
            }
            for change in seen.changes {
                plan.apply(machine, change);
            }
        }
        Err(Gap::bound("no facts about the loops were found to hold together"))
    }

    /// Accepts a plan, or there is no proof. A new solver, that remembers nothing and is told everything.
    pub fn check(&mut self, plan: &Plan, starts: Vec<State>) -> Result<Seen, Gap> {
        let plain = solver::Config {
            recent_models: false,
            independence: false,
            cache: false,
            enumeration: false,
            ..self.explorer.solver.config().clone()
        };
        let mut fresh = Solver::new(plain);
        let walk = Walk {
            limits: self.limits(CHECKED_CONFLICTS),
            machine: &mut self.explorer.machine,
            solver: &mut fresh,
            plan,
            budget: self.budget,
            most_steps: 2 * MOST_STEPS,
            alive: &mut self.alive,
            results: &mut self.results,
            tells_blame: self.explorer.tells_blame,
        };
        let seen = walk.run(starts)?;
        self.note(&seen);
        match seen.changes.is_empty() {
            true => Ok(seen),
            false => Err(Gap::bound("the facts about the loops are not accepted by their check")),
        }
    }

    fn limits(&self, conflicts: u64) -> Limits {
        Limits {
            deadline: self.budget.deadline,
            conflicts: Some(conflicts),
            gates: Some(GATES),
            effort: None,
            cancel: Some(self.budget.signals.cancelled.clone()),
        }
    }

    fn note(&mut self, seen: &Seen) {
        self.stats.steps += seen.steps;
        self.stats.queries += seen.questions;
        self.stats.paths += seen.paths;
    }
}
