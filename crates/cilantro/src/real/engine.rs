//! The engine: explores a method with a machine and a solver of its own, and writes its paths down as test cases.

use std::rc::Rc;
use std::sync::Arc;

use cil::MethodDefId;
use explore::generics::{self, Instantiations};
use explore::{Explorer, Progress, Strategy};
use report::{Incomplete, Stats};
use solver::Solver;
use testgen::EndedPath;
use types::{AssemblyId, MethodId, Universe};
use vm::code::Code;
use vm::{BitSet, Machine, PathEnd, Place, Reason};

use super::instances::Instances;
use super::sources::Sources;
use crate::driver::{Budget, BugSite, Edge, Engine, Exploration, FoundCase, Gauge, Target};

pub(super) struct RealEngine {
    explorer: Explorer,
    universe: Rc<Universe>,
    assembly: AssemblyId,
    sources: Sources,
}

impl RealEngine {
    pub fn new(
        universe: Universe,
        assembly: AssemblyId,
        solver: Solver,
        config: vm::Config,
        strategy: Strategy,
        seed: u64,
    ) -> RealEngine {
        let sources = Sources::of(universe.assembly(assembly).module(), universe.assembly(assembly).path());
        let universe = Rc::new(universe);
        let machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, config);
        RealEngine { explorer: Explorer::new(machine, solver, strategy, seed), universe, assembly, sources }
    }

    fn try_explore(
        &mut self,
        target: &Target,
        budget: &Budget,
        gauge: &Gauge,
    ) -> Result<Exploration, Reason> {
        let def = MethodDefId::from_token(cil::Token::from_raw(target.token))
            .ok_or_else(|| Reason::InternalError("the target is no method".into()))?;
        let method = self.universe.method_of_token(self.assembly, def)?;
        let mut progress = Ticker { gauge, seen: (0, 0, 0) };
        if generics::is_generic(&self.universe, method) {
            return self.explore_generic(def, method, budget, &mut progress);
        }
        let found = self.explorer.explore(method, &limits(budget), &mut progress)?;
        self.describe(def, method, found)
    }

    /// A definition with type parameters, over one list of arguments after another.
    fn explore_generic(
        &mut self,
        def: MethodDefId,
        definition: MethodId,
        budget: &Budget,
        progress: &mut Ticker<'_>,
    ) -> Result<Exploration, Reason> {
        let universe = Rc::clone(&self.universe);
        let types = self.explorer.machine.type_solver().clone();
        let mut choices = Instantiations::of(&universe, &types, definition);
        let mut instances = Instances::default();
        while let Some(share) = instances.next_share(&choices, budget) {
            let is_extra = choices.has_both_kinds();
            let Some(method) = choices.next(&universe)? else { break };
            let limits = explore::Budget {
                deadline: Some(share.deadline),
                max_steps: share.max_steps,
                patience: share.patience,
                reached: instances.covered.clone(),
                ..limits(budget)
            };
            progress.seen = (0, 0, progress.seen.2);
            self.explorer.machine.records_calls = true;
            let found = self.explorer.explore(method, &limits, progress);
            self.explorer.machine.records_calls = false;
            match found {
                Ok(found) => {
                    let (code, reached) = (Rc::clone(&found.code), found.reached_edges.clone());
                    let part = self.describe(def, method, found)?;
                    let dependence = generics::dependence(&self.explorer.machine);
                    instances.add(method, (code, &reached), part, dependence, is_extra);
                }
                Err(reason) => instances.refuse(reason, is_extra),
            }
        }
        instances.finish(&universe, &choices)
    }

    fn describe(
        &self,
        def: MethodDefId,
        method: MethodId,
        found: explore::Exploration,
    ) -> Result<Exploration, Reason> {
        let code = &found.code;
        let method_ref = testgen::method_ref(&self.universe, method)?;
        let mut incomplete: Vec<Incomplete> =
            found.incomplete.iter().map(|(reason, at)| describe_reason(reason, at.as_ref())).collect();
        let mut cases = Vec::new();
        for path in &found.paths {
            let ended = EndedPath {
                machine: &self.explorer.machine,
                end: &path.end,
                model: &path.model,
                state: &path.state,
                vague: path.vague,
            };
            match testgen::case_of(ended, &method_ref) {
                Ok(case) => cases.push(FoundCase {
                    case,
                    instructions: offsets(code, path.state.coverage.ops()),
                    branches: edges(code, path.state.coverage.edges()),
                    bug: self.bug(def, path),
                }),
                Err(reason) => incomplete.push(describe_reason(&reason, None)),
            }
        }
        incomplete.sort_by(|a, b| (a.reason, &a.at, &a.detail).cmp(&(b.reason, &b.at, &b.detail)));
        incomplete.dedup();
        Ok(Exploration {
            cases,
            proven_unreachable: edges(code, &found.unreachable_edges),
            incomplete,
            stats: stats(&found.stats),
        })
    }

    fn bug(&self, def: MethodDefId, path: &explore::Path) -> Option<BugSite> {
        let PathEnd::Threw { ty, thrown_at, .. } = &path.end else { return None };
        // What a mock throws is passed on, not found.
        if path.state.origins.asked.calls.iter().any(|call| call.throws == Some(*ty)) {
            return None;
        }
        Some(BugSite {
            exception: self.universe.type_name(*ty),
            message: String::new(),
            at: Some(thrown_at.il_offset),
            source: self.sources.line(def, thrown_at.il_offset),
        })
    }
}

impl Engine for RealEngine {
    fn explore(&mut self, target: &Target, budget: &Budget, gauge: &Gauge) -> Exploration {
        self.try_explore(target, budget, gauge).unwrap_or_else(|reason| Exploration {
            incomplete: vec![describe_reason(&reason, None)],
            ..Exploration::default()
        })
    }
}

fn limits(budget: &Budget) -> explore::Budget<'_> {
    explore::Budget {
        deadline: Some(budget.deadline),
        max_steps: budget.max_steps,
        solver_timeout: budget.solver_timeout,
        cancel: Arc::clone(&budget.signals.cancelled),
        interrupt: Box::new(|| budget.stop().map(|stop| stop_reason(stop.reason()))),
        ..explore::Budget::default()
    }
}

/// Passes the figures of one exploration on to the live display.
struct Ticker<'a> {
    gauge: &'a Gauge,
    seen: (u64, u64, u64),
}

impl Progress for Ticker<'_> {
    fn tick(&mut self, stats: &explore::Stats, covered_edges: usize, _: usize) {
        let now = (stats.states, stats.queries, covered_edges as u64);
        self.gauge.add_states(now.0.saturating_sub(self.seen.0));
        self.gauge.add_queries(now.1.saturating_sub(self.seen.1));
        self.gauge.add_covered_branches(now.2.saturating_sub(self.seen.2));
        self.seen = now;
    }
}

fn offsets(code: &Code, ops: &BitSet) -> Vec<u32> {
    ops.iter().filter_map(|op| code.il_offsets.get(op as usize).copied()).collect()
}

pub(super) fn edges(code: &Code, edges: &BitSet) -> Vec<Edge> {
    let offset = |op: u32| code.il_offsets.get(op as usize).copied();
    let edges = edges.iter().filter_map(|edge| code.edges.get(edge as usize));
    edges.filter_map(|edge| Some(Edge { from: offset(edge.from)?, to: offset(edge.to)? })).collect()
}

fn stats(stats: &explore::Stats) -> Stats {
    Stats {
        steps: stats.steps,
        states: stats.states,
        queries: stats.queries,
        cache_hits: stats.cache_hits,
        core_calls: stats.core_calls,
        solver_ms: stats.solver_time.as_millis() as u64,
        elapsed_ms: stats.elapsed.as_millis() as u64,
    }
}

pub(super) fn describe_reason(reason: &Reason, at: Option<&Place>) -> Incomplete {
    Incomplete {
        reason: reported(reason),
        detail: reason.to_string(),
        at: at.map(|place| format!("IL_{:04x}", place.il_offset)),
    }
}

fn reported(reason: &Reason) -> report::Reason {
    match reason {
        Reason::Timeout => report::Reason::Timeout,
        Reason::Cancelled => report::Reason::Cancelled,
        Reason::StepLimit => report::Reason::StepLimit,
        Reason::MemoryLimit => report::Reason::MemoryLimit,
        Reason::Bound(_) | Reason::Deadlock(_) => report::Reason::Bound,
        Reason::SolverUnknown(_) => report::Reason::SolverUnknown,
        Reason::UnsupportedInstruction(_) => report::Reason::UnsupportedInstruction,
        Reason::UnsupportedInput(_) => report::Reason::UnsupportedInput,
        Reason::NativeCall(_) => report::Reason::NativeCall,
        Reason::MissingReference(_) => report::Reason::MissingReference,
        Reason::BadImage(_) => report::Reason::InvalidCode,
        Reason::InternalError(_) => report::Reason::InternalError,
    }
}

/// The driver's own reasons to stop, as the machine names them.
fn stop_reason(reason: report::Reason) -> Reason {
    match reason {
        report::Reason::Cancelled => Reason::Cancelled,
        report::Reason::MemoryLimit => Reason::MemoryLimit,
        _ => Reason::Timeout,
    }
}
