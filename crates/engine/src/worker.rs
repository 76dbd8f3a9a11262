//! Explores methods with a machine and a solver of its own, and writes their paths down as test cases.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use budget::Budget;
use budget::interrupt::interruptible;
use cil::MethodDefId;
use explore::generics::{self, Called, Failure, Instances, Instantiations, Shown, Together};
use explore::loops::{Bounds, Certificate, Cut};
use explore::sequences::Prepared;
use explore::{Blamed, Explorer, Finding, Progress, Strategy};
use report::{Assumed, Incomplete, LoopFacts};
use rustc_hash::FxHashSet;
use solver::Solver;
use testgen::EndedPath;
use types::{AssemblyId, MethodId, MethodKind, Universe};
use verdict::{Assumption, FindingKind, Gap, Stats};
use vm::coverage::Goal;
use vm::host::{ExploringHost, Zones};
use vm::program::ABORTED;
use vm::{BitSet, Machine, PathEnd};

use crate::TARGET;
use crate::explanation::Explanation;
use crate::findings::Sites;
use crate::sequences::{Proposing, met_by, prepared_case, propose, unmet};
use crate::session::backend::{BugSite, Explored, FoundCase, Safety, Worker};
use crate::session::gauge::Gauge;
use crate::subject::instruments::Measured;
use crate::subject::sources::Sources;
use crate::subject::target::{Edge, Target};
use crate::type_facts::Metadata;
use crate::world::World;

/// Steps of an exploration in any world: so many, and so many times those of the exploration before.
const OPEN_STEPS: u64 = 2_000;
const OPEN_FACTOR: u64 = 2;

/// What writing paths down may take after the end of an exploration, before it is given up.
const WRITING_DOWN: Duration = Duration::from_secs(2);
/// In the place of an exception: the process is ended instead.
pub(crate) const PROCESS_ENDED: &str = "the end of the process";

/// How methods are explored.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub machine: vm::Config,
    pub strategy: Strategy,
    pub seed: u64,
    /// The part of the effort that goes into sequences of calls for objects, in percent.
    pub sequences: u32,
    /// Whether loops are bounded by proofs.
    pub loops: bool,
}

pub struct MethodWorker {
    pub(crate) explorer: Explorer,
    pub(crate) universe: Rc<Universe>,
    pub(crate) assembly: AssemblyId,
    sources: Sources,
    types: Metadata,
    sequences: u32,
    loops: bool,
    /// Paths on which the process is ended are cases as well: somebody asks whether there are any.
    pub(crate) shows_ends: bool,
    /// Something was ended in its middle.
    is_spoilt: bool,
    /// Bodies that the last method was explored with, as others know them and as the machine does.
    inner: Option<Inner>,
}

/// Tokens of bodies that are covered through a method.
struct Inner {
    known: Arc<BTreeSet<u32>>,
    hidden: Rc<FxHashSet<u32>>,
}

impl MethodWorker {
    pub fn new(
        universe: Universe,
        assembly: AssemblyId,
        solver: Solver,
        settings: Settings,
        world: &World,
    ) -> MethodWorker {
        let sources = Sources::of(universe.assembly(assembly).module(), universe.assembly(assembly).path());
        let universe = Rc::new(universe);
        let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, settings.machine);
        machine.host = Box::new(ExploringHost { zones: Zones::of_system() });
        world.cultures().attach(&mut machine);
        machine.recording.zone.set_assembly(assembly);
        let explorer = Explorer::new(machine, solver, settings.strategy, settings.seed);
        let types = Metadata::new(Rc::clone(&universe), assembly);
        let Settings { sequences, loops, .. } = settings;
        MethodWorker {
            explorer,
            universe,
            assembly,
            sources,
            types,
            sequences,
            loops,
            shows_ends: false,
            is_spoilt: false,
            inner: None,
        }
    }

    pub(crate) fn try_explore(
        &mut self,
        target: &Target,
        budget: &Budget,
        gauge: &Gauge,
    ) -> Result<Explored, Gap> {
        let def = MethodDefId::from_token(cil::Token::from_raw(target.token))
            .ok_or_else(|| Gap::internal_error("the target is no method"))?;
        let method = self.universe.method_of_token(self.assembly, def)?;
        self.look_inside(target);
        let mut progress = Ticker { gauge, seen: (0, 0, 0) };
        if generics::is_generic(&self.universe, method) {
            return self.explore_generic(def, method, budget, &mut progress);
        }
        let bounds = self.bounds(method, false, budget);
        let kept = budget.keeping(self.sequences);
        let found = match &bounds {
            Some(bounds) => self.explorer.explore_within(method, bounds, &kept, &mut progress)?,
            None => self.explorer.explore(method, &kept, &mut progress)?,
        };
        let mut explored = self.describe(def, method, &found, self.sequences, budget)?;
        let shown = self.shown_failures(&found, &explored);
        if self.is_spoilt() {
            return Ok(explored);
        }
        match &bounds {
            Some(bounds) if found.certificate.is_some() || shown.is_some() => {
                self.leave_loops_open(method, &found, (bounds, shown), budget, &mut explored);
            }
            _ => self.leave_open(method, None, &found, budget, &mut progress, &mut explored),
        }
        Ok(explored)
    }

    /// The exceptions that cases show; none if nobody asks for them.
    fn shown_failures(
        &mut self,
        found: &explore::Exploration,
        explored: &Explored,
    ) -> Option<BTreeSet<Blamed>> {
        if !self.explorer.tells_blame {
            return None;
        }
        let written = found.paths.iter().zip(&explored.written).filter(|(_, is_written)| **is_written);
        // What is no finding is judged by nobody.
        let judged = written.zip(&explored.cases).filter(|(_, found)| found.bug.is_some());
        Some(judged.filter_map(|((path, _), _)| self.explorer.blamed(path)).collect())
    }

    /// The same for the sake of some goals alone.
    pub(crate) fn explore_for(
        &mut self,
        def: MethodDefId,
        method: MethodId,
        goals: &BitSet,
        budget: &Budget,
        gauge: &Gauge,
    ) -> Result<Explored, Gap> {
        let mut progress = Ticker { gauge, seen: (0, 0, 0) };
        let found = self.explorer.explore_for(method, goals, budget, &mut progress)?;
        let mut explored = self.describe(def, method, &found, self.sequences, budget)?;
        self.leave_open(method, Some(goals), &found, budget, &mut progress, &mut explored);
        Ok(explored)
    }

    /// What can happen at all in a method that loops, if that can be found out with a part of the budget.
    fn bounds(&mut self, method: MethodId, any_world: bool, budget: &Budget) -> Option<Bounds> {
        if !self.loops || !self.explorer.has_loops(method) {
            return None;
        }
        let half = budget.part(0, false, false)?;
        // Where proofs are asked for, they have more of it.
        let part = if self.explorer.tells_blame { half } else { half.part(0, false, false)? };
        let _loops = tracing::debug_span!(target: TARGET, "loops", any_world).entered();
        let bounds = self.explorer.bound_loops(method, any_world, &part);
        if let Err(gap) = &bounds {
            tracing::debug!(name: "no_bounds", target: TARGET, reason = gap.reason.name(), detail = gap.detail);
        }
        bounds.ok()
    }

    /// The same for what rests on bounds of loops.
    fn leave_loops_open(
        &mut self,
        method: MethodId,
        found: &explore::Exploration,
        (bounds, shown): (&Bounds, Option<BTreeSet<Blamed>>),
        budget: &Budget,
        explored: &mut Explored,
    ) {
        let is_safe = |bounds: &Bounds| shown.as_ref().is_some_and(|shown| bounds.blamed.is_subset(shown));
        if is_safe(bounds) {
            let certificate = self.loop_facts(&bounds.certificate);
            explored.safety = Some(Safety { assumptions: assumptions(&bounds.assumed), certificate });
        }
        if let Some(certificate) = &found.certificate {
            explored.certificate = self.loop_facts(certificate);
        }
        let assumes = explored.safety.as_ref().is_some_and(|safety| !safety.assumptions.is_empty());
        if found.assumed.is_empty() && !assumes {
            return;
        }
        let Some(open) = self.bounds(method, true, budget) else { return };
        if let Some(safety) = explored.safety.as_mut().filter(|_| assumes && is_safe(&open)) {
            safety.assumptions = assumptions(&open.assumed);
        }
        if found.certificate.is_some() {
            let in_any_world = found.within_any_world(&open);
            explored.assumptions = assumptions(&in_any_world.assumed);
            explored.certainly_unreachable = self.edges(&in_any_world.unreachable);
        }
    }

    /// What is known about loops, as it is reported.
    fn loop_facts(&self, certificate: &Certificate) -> Vec<LoopFacts> {
        let facts = |cut: &Cut| LoopFacts {
            method: self.universe.method_id(cut.at.method),
            at: report::place(cut.at.il_offset),
            source: self.definition(cut.at).and_then(|def| self.sources.line(def, cut.at.il_offset)),
            changes: cut.changes.clone(),
            facts: cut.facts.clone(),
        };
        certificate.cuts.iter().map(facts).collect()
    }

    /// What is covered through a method are goals of its exploration.
    fn look_inside(&mut self, target: &Target) {
        let known = self.inner.as_ref().filter(|inner| Arc::ptr_eq(&inner.known, &target.inner));
        let hidden = match known {
            Some(inner) => Rc::clone(&inner.hidden),
            None => Rc::new(target.inner.iter().copied().collect()),
        };
        self.explorer.machine.recording.zone.set_hidden(&self.universe, &hidden);
        self.inner = Some(Inner { known: Arc::clone(&target.inner), hidden });
    }

    /// What rests on assumptions is explored once more in any world, as far as the budget goes.
    fn leave_open(
        &mut self,
        method: MethodId,
        goals: Option<&BitSet>,
        found: &explore::Exploration,
        budget: &Budget,
        progress: &mut Ticker<'_>,
        explored: &mut Explored,
    ) {
        if !found.rests_on_assumptions() || self.is_spoilt() {
            return;
        }
        let Some(rest) = budget.part(found.stats.steps, false, true) else { return };
        let most = OPEN_STEPS + OPEN_FACTOR * found.stats.steps;
        let budget = Budget { max_steps: Some(rest.max_steps.map_or(most, |rest| rest.min(most))), ..rest };
        let _any_world = tracing::debug_span!(target: TARGET, "any world").entered();
        progress.seen = (0, 0, progress.seen.2);
        let open = match goals {
            Some(goals) => self.explorer.explore_for_in_any_world(method, goals, &budget, progress),
            None => self.explorer.explore_in_any_world(method, &budget, progress),
        };
        let Ok(open) = open else { return };
        let in_any_world = found.in_any_world(&open);
        explored.stats += open.stats;
        explored.assumptions = assumptions(&in_any_world.assumed);
        explored.certainly_unreachable = self.edges(&in_any_world.unreachable);
        explored.certain_instructions = self.instructions(&in_any_world.unreachable);
    }

    /// A definition with type parameters, over one list of arguments after another.
    fn explore_generic(
        &mut self,
        def: MethodDefId,
        definition: MethodId,
        budget: &Budget,
        progress: &mut Ticker<'_>,
    ) -> Result<Explored, Gap> {
        let universe = Rc::clone(&self.universe);
        let types = self.explorer.machine.type_solver().clone();
        let mut choices = Instantiations::of(&universe, &types, definition);
        let mut instances = Instances::default();
        let mut sum = Explored::default();
        let mut may_refuse = false;
        while let Some(part) = instances.next_budget(&choices, budget) {
            let is_extra = choices.has_both_kinds();
            let Some(method) = choices.next(&universe)? else { break };
            progress.seen = (0, 0, progress.seen.2);
            let instance = universe.method_id(method);
            let _instance = tracing::debug_span!(target: TARGET, "instance", instance).entered();
            self.explorer.machine.recording.is_on = true;
            let kept = part.keeping(self.sequences);
            let found = self.explorer.explore_further(method, &kept, instances.covered(), progress);
            self.explorer.machine.recording.is_on = false;
            match found {
                Ok(found) => {
                    // Further lists of type arguments are many: their objects are made as well as constructors can.
                    let share = if is_extra { 0 } else { self.sequences };
                    let mut described = self.describe(def, method, &found, share, &part)?;
                    let shown = shown(&found, &described);
                    let Called { dependence, stores } = generics::called(&self.explorer.machine, method);
                    may_refuse |= stores;
                    self.leave_open(method, None, &found, &part, progress, &mut described);
                    sum.stats += described.stats;
                    sum.assumptions.extend(described.assumptions.iter().cloned());
                    if instances.add(&universe, method, &found, &shown, dependence, is_extra) {
                        sum.cases.extend(described.cases);
                        sum.meets.extend(described.meets);
                        sum.incomplete.extend(described.incomplete);
                    }
                }
                Err(gap) => instances.refuse(gap, is_extra),
            }
            if self.is_spoilt() {
                // Nothing is concluded with it any more.
                sum.incomplete.push(Incomplete::new(Gap::bound("the exploration was ended in a step"), None));
                settle(&mut sum.incomplete);
                return Ok(sum);
            }
        }
        match instances.finish(&universe, &choices)? {
            Together::Unreachable(open) => {
                sum.proven_unreachable = self.edges(&open);
                sum.unreachable_instructions = self.instructions(&open);
            }
            Together::Open(gap) => sum.incomplete.push(Incomplete::new(gap, None)),
        }
        if may_refuse {
            let detail =
                "arrays of a subclass of a type argument, which refuse what is stored, are not tried";
            sum.incomplete.push(Incomplete::new(Gap::bound(detail), None));
        }
        settle(&mut sum.incomplete);
        sum.assumptions.sort();
        sum.assumptions.dedup_by_key(|assumed| assumed.assumption);
        Ok(sum)
    }

    fn describe(
        &mut self,
        def: MethodDefId,
        method: MethodId,
        found: &explore::Exploration,
        share: u32,
        budget: &Budget,
    ) -> Result<Explored, Gap> {
        let method_ref = testgen::method_ref(&self.universe, method)?;
        let told = found.incomplete.iter();
        let mut incomplete: Vec<Incomplete> =
            told.map(|(gap, at)| Incomplete::new(gap.clone(), at.map(|place| place.il_offset))).collect();
        let (mut cases, mut written) = (Vec::new(), Vec::new());
        let (mut paths, mut meets) = (Vec::new(), Vec::new());
        // Of a process that is gone it does not matter what would be returned.
        let returned = PathEnd::Returned(None);
        let mut explanation = Explanation::new(&self.explorer.machine, method);
        for (number, path) in found.paths.iter().enumerate() {
            let is_shown_end = self.shows_ends && matches!(path.end, PathEnd::Exited(ABORTED));
            let ended = EndedPath {
                machine: &self.explorer.machine,
                end: if is_shown_end { &returned } else { &path.end },
                model: &path.model,
                state: &path.state,
                footprint: path.footprint.as_deref(),
                vague: path.vague || is_shown_end,
                prepared: None,
            };
            let case = testgen::case_of(ended, &method_ref);
            written.push(case.is_ok());
            match case {
                Ok(case) => {
                    tracing::debug!(name: "case", target: TARGET, path = path.number, case = cases.len());
                    paths.push(number);
                    meets.push(self.instructions(path.state.coverage.goals()));
                    cases.push(FoundCase {
                        case,
                        taken: self.taken(path.state.coverage.goals()),
                        once: self.taken(&path.state.coverage.once()),
                        bug: self.bug(def, method, path),
                        path: explanation.record(path),
                    });
                }
                Err(gap) => {
                    let reason = gap.reason.name();
                    tracing::debug!(name: "no_case", target: TARGET, path = path.number, reason, detail = gap.detail);
                    incomplete.push(Incomplete::new(gap, None));
                }
            }
        }
        drop(explanation);
        if !self.is_spoilt() {
            let made = self.on_made_objects(found, &cases, &paths, share, budget);
            let met = met_by(&made);
            let proposing = Proposing { types: &self.types, method: &method_ref, share, budget, met: &met };
            let explorer = &mut self.explorer;
            let searched =
                interruptible(budget.watch(), || propose(explorer, &proposing, found, &mut cases, &paths));
            // What was found before stays; nothing else is asked of this machine.
            self.is_spoilt |= searched.is_err();
            for made in made {
                let goals = made.path.state.coverage.goals();
                let case = prepared_case(&self.explorer.machine, &made, &method_ref);
                match case {
                    Ok(case) => {
                        meets.push(self.instructions(goals));
                        cases.push(FoundCase {
                            case,
                            taken: self.taken(goals),
                            once: self.taken(&made.path.state.coverage.once()),
                            bug: self.bug(def, method, &made.path),
                            path: Explanation::new(&self.explorer.machine, method).record(&made.path),
                        });
                    }
                    Err(gap) => {
                        let reason = gap.reason.name();
                        tracing::debug!(name: "no_case", target: TARGET, reason, detail = gap.detail);
                    }
                }
            }
        }
        settle(&mut incomplete);
        let proven_unreachable = self.edges(&found.unreachable);
        Ok(Explored {
            cases,
            written,
            proven_unreachable,
            certainly_unreachable: Vec::new(),
            assumptions: assumptions(&found.assumed),
            incomplete,
            meets,
            unreachable_instructions: self.instructions(&found.unreachable),
            certain_instructions: Vec::new(),
            certificate: Vec::new(),
            safety: None,
            stats: found.stats,
        })
    }

    /// Paths on objects that public calls have made, to what would take reflection otherwise.
    fn on_made_objects(
        &mut self,
        found: &explore::Exploration,
        cases: &[FoundCase],
        paths: &[usize],
        share: u32,
        budget: &Budget,
    ) -> Vec<Prepared> {
        let inner = self.explorer.machine.recording.zone.inner().clone();
        let unmet = unmet(found, &inner, cases, paths, &self.types);
        let explorer = &mut self.explorer;
        let made = interruptible(budget.watch(), || explorer.prepared(found, &unmet, share, budget));
        self.is_spoilt |= made.is_err();
        made.unwrap_or_default()
    }

    /// Goals as the branches of methods.
    fn edges(&self, goals: &BitSet) -> Vec<(u32, Edge)> {
        goals.iter().filter_map(|goal| self.edge(goal)).collect()
    }

    /// Goals as instructions that somebody asks about.
    fn instructions(&self, goals: &BitSet) -> Vec<(u32, u32)> {
        let zone = &self.explorer.machine.recording.zone;
        let instruction = |goal: u32| match zone.goal(goal)? {
            (method, Goal::Instruction(at)) => Some((self.universe.method(method).token()?.raw(), at)),
            _ => None,
        };
        goals.iter().filter_map(instruction).collect()
    }

    fn edge(&self, goal: u32) -> Option<(u32, Edge)> {
        let (method, goal) = self.explorer.machine.recording.zone.goal(goal)?;
        let Goal::Edge(from, to) = goal else { return None };
        Some((self.universe.method(method).token()?.raw(), Edge { from, to }))
    }

    /// What a path went through, method by method.
    fn taken(&self, goals: &BitSet) -> Measured {
        let mut taken = Measured::default();
        for goal in goals.iter() {
            let Some((method, goal)) = self.explorer.machine.recording.zone.goal(goal) else { continue };
            let Some(token) = self.universe.method(method).token() else { continue };
            let of_method = taken.methods.entry(token.raw()).or_default();
            match goal {
                Goal::Entry => of_method.starts.push(0),
                Goal::Handler(at) => of_method.starts.push(at),
                Goal::Edge(from, to) => of_method.branches.push(Edge { from, to }),
                // Who asked for it looks for it elsewhere.
                Goal::Instruction(_) => {}
            }
        }
        taken
    }

    /// The row of the method that a place is in, if it is of the assembly under test.
    fn definition(&self, place: vm::Place) -> Option<MethodDefId> {
        match self.universe.method(place.method).kind {
            MethodKind::Def { assembly, def, .. } if assembly == self.assembly => Some(def),
            _ => None,
        }
    }

    /// Where the process is ended: by a failed assertion or by `Environment.FailFast`.
    fn ended(&self, def: MethodDefId, path: &explore::Path) -> BugSite {
        let place = path.state.base_place();
        BugSite {
            exception: PROCESS_ENDED.to_owned(),
            message: String::new(),
            at: Some(place.il_offset),
            source: self.sources.line(self.definition(place).unwrap_or(def), place.il_offset),
            kind: FindingKind::Crash,
            cause: None,
        }
    }

    fn bug(&self, def: MethodDefId, method: MethodId, path: &explore::Path) -> Option<BugSite> {
        if self.shows_ends && matches!(path.end, PathEnd::Exited(ABORTED)) {
            return Some(self.ended(def, path));
        }
        let PathEnd::Threw { exception, ty, thrown_at } = &path.end else { return None };
        // What a mock throws is passed on, not found.
        if path.state.path.origins.asked.has_thrown(*exception) {
            return None;
        }
        let exception = self.universe.type_name(*ty);
        let finding = Finding::of(&self.explorer.machine, method, path)?;
        let sites = Sites { universe: &self.universe, sources: &self.sources, method };
        Some(BugSite {
            kind: finding.kind,
            cause: sites.cause(&finding, &exception),
            exception,
            message: String::new(),
            at: Some(thrown_at.il_offset),
            source: self.sources.line(self.definition(*thrown_at).unwrap_or(def), thrown_at.il_offset),
        })
    }
}

impl MethodWorker {
    /// Explores in whatever way, and ends what does not end by itself.
    pub(crate) fn watched(
        &mut self,
        budget: &Budget,
        explore: impl FnOnce(&mut MethodWorker) -> Result<Explored, Gap>,
    ) -> Explored {
        let explored = interruptible(budget.wrapping_up(WRITING_DOWN), || explore(self));
        let explored = explored.unwrap_or_else(|gap| {
            self.is_spoilt = true;
            Err(gap)
        });
        explored.unwrap_or_else(|gap| Explored {
            incomplete: vec![Incomplete::new(gap, None)],
            ..Explored::default()
        })
    }
}

impl Worker for MethodWorker {
    fn explore(&mut self, target: &Target, budget: &Budget, gauge: &Gauge) -> Explored {
        self.watched(budget, |worker| worker.try_explore(target, budget, gauge))
    }

    fn is_spoilt(&self) -> bool {
        self.is_spoilt || self.explorer.is_spoilt()
    }
}

fn assumptions(assumed: &BTreeMap<Assumption, String>) -> Vec<Assumed> {
    assumed.iter().map(|(kind, detail)| Assumed::new(*kind, detail)).collect()
}

/// What cases show: of the kept paths, those that could be written down.
fn shown(found: &explore::Exploration, explored: &Explored) -> Shown {
    let mut shown = Shown::default();
    for path in
        found.paths.iter().zip(&explored.written).filter_map(|(path, written)| written.then_some(path))
    {
        shown.goals.union_with(path.state.coverage.goals());
    }
    for case in &explored.cases {
        let failure = |site: &BugSite| -> Failure { (site.at.unwrap_or(u32::MAX), site.exception.clone()) };
        shown.failures.extend(case.bug.as_ref().map(failure));
    }
    shown
}

fn settle(incomplete: &mut Vec<Incomplete>) {
    incomplete.sort_by(|a, b| (a.reason, &a.at, &a.detail).cmp(&(b.reason, &b.at, &b.detail)));
    incomplete.dedup();
}

/// Passes the figures of one exploration on to the live display.
struct Ticker<'a> {
    gauge: &'a Gauge,
    seen: (u64, u64, u64),
}

impl Progress for Ticker<'_> {
    fn tick(&mut self, stats: &Stats, covered_edges: usize, _: usize) {
        let now = (stats.states, stats.queries, covered_edges as u64);
        self.gauge.add_states(now.0.saturating_sub(self.seen.0));
        self.gauge.add_queries(now.1.saturating_sub(self.seen.1));
        self.gauge.add_covered_branches(now.2.saturating_sub(self.seen.2));
        self.seen = now;
    }
}
