//! The main loop.

mod ambient;
mod questions;
mod values;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

use budget::{Budget, READABLE_TIME};
use solver::{Answer, Solver, Why};
use term::{Evaluator, Model, Term};
use types::{MethodId, TypeId};
use verdict::{Gap, Reason, Stats};
use vm::code::Code;
use vm::inputs::references::Resolution;
use vm::{Action, BitSet, Choice, Machine, PathEnd, Place, State, Stop};

use crate::condition::Condition;
use crate::frontier::{Frontier, Strategy};
use crate::outcome::{Exploration, Path, Reached};
use crate::readable;

/// Steps between looks at the budget.
const QUANTUM: u64 = 5_000;
/// Forks that a path is followed through before others get their turn.
const FORKS_IN_A_ROW: usize = 300;
/// Paths kept for each edge: a second one serves if the first does not replay.
const PATHS_PER_EDGE: u32 = 2;
/// Paths kept in all.
const MAX_PATHS: usize = 2_000;
/// The first try of a query; what takes more waits until the easier ones are done. Measured in the solver's own effort
/// and not in time, so that a busy machine explores in the same order.
const FIRST_TRY_CONFLICTS: u64 = 2_000;
const FIRST_TRY_GATES: usize = 300_000;
/// What a query counts in the same currency as steps, for patience: in itself, and for each constraint.
const STEPS_PER_QUERY: u64 = 500;
const STEPS_PER_CONSTRAINT: u64 = 10;
/// A number that must be known and is so large is made small if it can be; still larger ones are addresses.
const LARGE_SIZES: std::ops::Range<u128> = 1_000..1 << 32;

/// A state that waits to be run.
pub(crate) struct Node {
    state: State,
    condition: Condition,
    /// Satisfies `condition`, but not yet `pending`.
    model: Model,
    /// A choice whose feasibility nobody has decided yet.
    pending: Option<Pending>,
    /// Some by-ref inputs are the same location. No test can be made of such a path.
    aliased: bool,
    /// A short query was not enough.
    hard: bool,
    /// Short arrays and strings were not enough.
    long: bool,
    /// A mock stands where a real object could.
    pub(crate) mocked: bool,
}

impl Node {
    /// A successor that waits for a decision.
    fn waiting(&self, pending: Pending) -> Node {
        Node {
            state: self.state.clone(),
            condition: self.condition.clone(),
            model: self.model.clone(),
            pending: Some(pending),
            aliased: self.aliased,
            hard: false,
            long: false,
            mocked: self.mocked,
        }
    }
}

enum Pending {
    Choice(Choice),
    /// The operand is something else than the values already followed.
    Differs(Term),
}

/// Somebody who watches an exploration.
pub trait Progress {
    /// Called now and then with the figures so far.
    fn tick(&mut self, stats: &Stats, covered_edges: usize, edges: usize);

    /// Called for every path that came to an end, also for those that are not worth a test.
    fn ended(&mut self, _machine: &Machine, _end: &PathEnd, _model: &Model) {}
}

impl Progress for () {
    fn tick(&mut self, _: &Stats, _: usize, _: usize) {}
}

/// Explores methods one after another; decoded code is kept between them.
pub struct Explorer {
    pub machine: Machine,
    solver: Solver,
    strategy: Strategy,
    seed: u64,
}

impl Explorer {
    pub fn new(machine: Machine, solver: Solver, strategy: Strategy, seed: u64) -> Explorer {
        Explorer { machine, solver, strategy, seed }
    }

    /// Explores a method from its entry over all inputs. `Err` if there is nothing to explore at all.
    pub fn explore(
        &mut self,
        method: MethodId,
        budget: &Budget,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        self.explore_further(method, budget, &Reached::default(), progress)
    }

    /// The same when explorations of the same code have reached something before.
    pub fn explore_further(
        &mut self,
        method: MethodId,
        budget: &Budget,
        reached: &Reached,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        self.machine.reset();
        self.solver.new_exploration();
        let starts = self.machine.start(method)?;
        let code = self.machine.code(method)?;
        let run = Run::new(self, code, budget, reached, progress);
        Ok(run.explore(starts))
    }
}

/// One exploration.
struct Run<'a> {
    machine: &'a mut Machine,
    solver: &'a mut Solver,
    code: Rc<Code>,
    budget: &'a Budget,
    progress: &'a mut dyn Progress,
    frontier: Frontier,
    /// Of the running node's model: what was evaluated on a path is not evaluated again.
    evaluator: Evaluator,
    started: Instant,
    base: solver::Stats,
    steps: u64,
    /// The effort of queries.
    asked: u64,
    states: u64,
    ended: u64,
    /// Edges and instructions reached by any state.
    reached_edges: BitSet,
    reached_ops: BitSet,
    kept_per_edge: Vec<u32>,
    kept_ops: BitSet,
    failures: BTreeSet<(TypeId, Place)>,
    /// The same for starts with aliased inputs, from which no test can be made.
    aliased_edges: BitSet,
    aliased_failures: BTreeSet<(TypeId, Place)>,
    paths: Vec<(Path, Condition)>,
    /// Paths that something outside decides, each with what that is.
    doubtful: Vec<(Path, Condition, Gap)>,
    incomplete: BTreeSet<(Gap, Option<Place>)>,
    /// The step at which something new was last seen.
    news: u64,
    /// Where the method starts, all inputs apart.
    start: Option<State>,
    rescued: u32,
}

impl<'a> Run<'a> {
    fn new(
        explorer: &'a mut Explorer,
        code: Rc<Code>,
        budget: &'a Budget,
        reached: &Reached,
        progress: &'a mut dyn Progress,
    ) -> Run<'a> {
        Run {
            kept_per_edge: vec![0; code.edges.len()],
            base: explorer.solver.stats().clone(),
            machine: &mut explorer.machine,
            solver: &mut explorer.solver,
            code,
            budget,
            progress,
            frontier: Frontier::new(explorer.strategy, explorer.seed),
            evaluator: Evaluator::new(Model::default()),
            started: Instant::now(),
            steps: 0,
            asked: 0,
            states: 1,
            ended: 0,
            reached_edges: reached.edges.clone(),
            reached_ops: reached.ops.clone(),
            kept_ops: BitSet::default(),
            failures: BTreeSet::new(),
            aliased_edges: BitSet::default(),
            aliased_failures: BTreeSet::new(),
            paths: Vec::new(),
            doubtful: Vec::new(),
            incomplete: BTreeSet::new(),
            news: 0,
            start: None,
            rescued: 0,
        }
    }

    fn explore(mut self, starts: Vec<State>) -> Exploration {
        self.start = starts.first().cloned();
        // The first start has all inputs apart; the others are its aliased variants.
        for (index, state) in starts.into_iter().enumerate().rev() {
            let node = Node {
                state,
                condition: Condition::default(),
                model: Model::default(),
                pending: None,
                aliased: index > 0,
                hard: false,
                long: false,
                mocked: false,
            };
            self.frontier.add(node, false);
        }
        let mut picks = 0u64;
        loop {
            if self.is_covered() {
                self.frontier.drop_mocked();
            }
            let reached = &self.reached_edges;
            let Some(node) = self.frontier.pick(|node| is_new(node, reached)) else { break };
            picks += 1;
            if let Some(gap) = self.stop_reason() {
                self.frontier.add(node, false);
                self.incomplete.insert((gap, None));
                break;
            }
            let mut running = self.decide(node);
            // A path is followed to its end before another is picked, unless it is a long one: tests come first.
            for _ in 0..FORKS_IN_A_ROW {
                let Some(node) = running.take() else { break };
                running = self.run(node);
            }
            if let Some(node) = running {
                self.frontier.add(node, false);
            }
            if picks.is_multiple_of(64) {
                let stats = self.stats();
                self.progress.tick(&stats, self.reached_edges.len(), self.code.edges.len());
            }
        }
        self.finish()
    }

    fn stop_reason(&self) -> Option<Gap> {
        if let Some(gap) = self.budget.spent(self.steps) {
            return Some(gap);
        }
        if self.is_covered() && self.work() - self.news > self.budget.patience {
            let detail = format!(
                "every branch was covered and {} more steps brought nothing new",
                self.budget.patience
            );
            return Some(Gap::bound(detail));
        }
        None
    }

    fn is_covered(&self) -> bool {
        self.reached_edges.len() == self.code.edges.len()
    }

    /// Effort so far, in steps.
    fn work(&self) -> u64 {
        self.steps + self.asked
    }

    /// Asks whether a waiting choice is feasible; the node as it goes on if it is.
    fn decide(&mut self, mut node: Node) -> Option<Node> {
        let promising = is_new(&node, &self.reached_edges);
        let Some(pending) = node.pending.take() else {
            self.evaluator = Evaluator::new(node.model.clone());
            return Some(node);
        };
        let guard = match &pending {
            Pending::Choice(choice) => choice.guard,
            Pending::Differs(guard) => *guard,
        };
        let conjuncts = node.condition.conjuncts();
        self.asked += STEPS_PER_QUERY + STEPS_PER_CONSTRAINT * conjuncts.len() as u64;
        let mut limits = self.limits(self.budget.solver_timeout);
        if !node.hard {
            limits.conflicts = Some(FIRST_TRY_CONFLICTS);
            limits.gates = Some(FIRST_TRY_GATES);
        }
        let Some(answer) = self.ask(&node, promising, &conjuncts, guard, &limits) else {
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
                let gap = match self.budget.spent(self.steps) {
                    Some(gap) => gap,
                    None => Gap::solver_unknown(why.to_string()),
                };
                self.incomplete.insert((gap, Some(node.state.base_place())));
                None
            }
            Answer::Sat(model) => {
                self.evaluator = Evaluator::new(model.clone());
                node.model = model;
                node.condition = node.condition.and(guard);
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
    fn run(&mut self, mut node: Node) -> Option<Node> {
        let before = node.state.steps;
        let stop = self.machine.run(&mut node.state, QUANTUM);
        self.steps += node.state.steps - before;
        self.note_reached(&node.state, node.aliased);
        self.stopped(node, stop)
    }

    fn stopped(&mut self, node: Node, stop: Stop) -> Option<Node> {
        match stop {
            Stop::OutOfSteps => {
                self.frontier.add(node, false);
                None
            }
            Stop::End(end) => {
                self.end(node, end);
                None
            }
            Stop::Fork(choices) => self.fork(node, choices),
            Stop::Concretize { term, depth } => Some(self.concretize(node, term, depth)),
        }
    }

    /// The model satisfies one guard: that successor needs no query. The others wait.
    fn fork(&mut self, node: Node, choices: Vec<Choice>) -> Option<Node> {
        let mut taken = None;
        for choice in choices {
            if taken.is_none() && self.evaluator.eval(&self.machine.terms, choice.guard).is_true() {
                taken = Some(choice);
                continue;
            }
            let mocked = node.mocked || is_mock(&choice.action);
            let waiting = Node { mocked, ..node.waiting(Pending::Choice(choice)) };
            self.states += 1;
            let promising = is_new(&waiting, &self.reached_edges);
            self.frontier.add(waiting, promising);
        }
        let Some(choice) = taken else {
            let gap = Gap::internal_error("no guard of a fork holds in the state's own model");
            self.incomplete.insert((gap, Some(node.state.base_place())));
            return None;
        };
        let mocked = node.mocked || is_mock(&choice.action);
        let mut node = Node { condition: node.condition.and(choice.guard), mocked, ..node };
        self.machine.learn(&mut node.state, choice.guard);
        self.apply(node, choice.action)
    }

    /// Follows the operand's value in the model; all other values wait in a second state.
    fn concretize(&mut self, mut node: Node, term: Term, depth: usize) -> Node {
        let mut value = self.evaluator.eval(&self.machine.terms, term).bits();
        if LARGE_SIZES.contains(&value) {
            self.prefer_small(&mut node, term);
            value = self.evaluator.eval(&self.machine.terms, term).bits();
        }
        let width = self.machine.terms.width(term);
        let constant = self.machine.terms.bv(width, value);
        let same = self.machine.terms.eq(term, constant);
        let differs = self.machine.terms.not(same);
        self.states += 1;
        self.frontier.add(node.waiting(Pending::Differs(differs)), false);
        let mut node = Node { condition: node.condition.and(same), ..node };
        self.machine.learn(&mut node.state, same);
        self.machine.concretize(&mut node.state, depth, value as u64, width);
        node
    }

    fn note_reached(&mut self, state: &State, aliased: bool) {
        let coverage = &state.coverage;
        if aliased {
            self.aliased_edges.union_with(coverage.edges());
            return;
        }
        if !coverage.edges().is_subset(&self.reached_edges) || !coverage.ops().is_subset(&self.reached_ops) {
            self.reached_edges.union_with(coverage.edges());
            self.reached_ops.union_with(coverage.ops());
            self.news = self.work();
        }
    }

    fn end(&mut self, mut node: Node, end: PathEnd) {
        self.ended += 1;
        if matches!(end, PathEnd::Impossible) {
            return;
        }
        if let PathEnd::Incomplete { gap, at } = end {
            let unknown = matches!(gap.reason, Reason::UnsupportedInstruction | Reason::NativeCall);
            self.incomplete.insert((gap, at));
            if unknown && !node.aliased {
                self.rescue(node);
            }
            return;
        }
        if node.aliased {
            if let PathEnd::Threw { ty, thrown_at, .. } = end {
                self.aliased_failures.insert((ty, thrown_at));
            }
            return;
        }
        match self.for_all_ambient(&node.condition, &node.model) {
            Ok(model) => node.model = model,
            Err(gap) => {
                self.note_doubtful(node, end, gap);
                return;
            }
        }
        self.progress.ended(self.machine, &end, &node.model);
        if !self.is_worth_a_test(&node.state, &end) || self.paths.len() >= MAX_PATHS {
            return;
        }
        if let Err(gap) = self.machine.close_classes(&mut node.state) {
            self.incomplete.insert((gap, Some(node.state.base_place())));
            return;
        }
        let path = Path { end, model: node.model, state: node.state, vague: false };
        self.paths.push((path, node.condition));
    }

    fn is_worth_a_test(&mut self, state: &State, end: &PathEnd) -> bool {
        let mut worth = !state.coverage.ops().is_subset(&self.kept_ops);
        if let PathEnd::Threw { ty, thrown_at, .. } = end
            && self.failures.insert((*ty, *thrown_at))
        {
            self.news = self.work();
            worth = true;
        }
        let rare = |edge: u32| self.kept_per_edge.get(edge as usize).is_some_and(|n| *n < PATHS_PER_EDGE);
        worth |= state.coverage.edges().iter().any(rare);
        if worth {
            self.kept_ops.union_with(state.coverage.ops());
            for edge in state.coverage.edges().iter() {
                if let Some(count) = self.kept_per_edge.get_mut(edge as usize) {
                    *count += 1;
                }
            }
        }
        worth
    }

    fn finish(mut self) -> Exploration {
        let limits = std::mem::take(&mut self.machine.inputs.limits);
        self.incomplete.extend(limits.into_iter().map(|gap| (gap, None)));
        self.make_readable();
        self.settle_doubtful();
        self.make_texts();
        self.judge_aliasing();
        self.judge_caches();
        let mut unreachable_edges = BitSet::default();
        if self.incomplete.is_empty() && self.frontier.is_empty() {
            for edge in 0..self.code.edges.len() as u32 {
                if !self.reached_edges.contains(edge) {
                    unreachable_edges.insert(edge);
                }
            }
        }
        let stats = self.stats();
        Exploration {
            code: self.code,
            paths: self.paths.into_iter().map(|(path, _)| path).collect(),
            incomplete: self.incomplete,
            unreachable_edges,
            reached_edges: self.reached_edges,
            stats,
        }
    }

    /// What only aliased inputs can do is said, since no test shows it.
    fn judge_aliasing(&mut self) {
        let new_edges = !self.aliased_edges.is_subset(&self.reached_edges);
        if new_edges || !self.aliased_failures.is_subset(&self.failures) {
            let detail = "more happens when by-ref arguments point to the same place, which no test can show";
            self.incomplete.insert((Gap::bound(detail), None));
        }
    }

    /// The branch around a cache of the compiler goes one way at the first call and the other way later.
    fn judge_caches(&mut self) {
        if self.machine.inputs.cache_read && self.reached_edges.len() < self.code.edges.len() {
            let detail = "the compiler keeps a value in a static field, which was explored unset only";
            self.incomplete.insert((Gap::bound(detail), None));
        }
    }

    /// Replaces the models of the kept paths by more readable ones, as time allows.
    fn make_readable(&mut self) {
        let soft = readable::preferences(self.machine);
        if soft.is_empty() {
            return;
        }
        let mut paths = std::mem::take(&mut self.paths);
        for (path, condition) in &mut paths {
            if self.budget.spent(0).is_some() {
                break;
            }
            let limits = self.limits(READABLE_TIME);
            let conjuncts = condition.conjuncts();
            let readable =
                self.solver.prefer(&mut self.machine.terms, &conjuncts, &path.model, &soft, &limits);
            if self.holds_for_all_ambient(condition, &readable) {
                path.model = readable;
            }
        }
        self.paths = paths;
    }

    fn stats(&self) -> Stats {
        let now = self.solver.stats();
        Stats {
            steps: self.steps,
            states: self.states,
            paths: self.ended,
            queries: now.queries - self.base.queries,
            cache_hits: now.cache_hits() - self.base.cache_hits(),
            core_calls: now.core_calls - self.base.core_calls,
            solver_time: now.core_time.saturating_sub(self.base.core_time),
            elapsed: self.started.elapsed(),
        }
    }
}

/// Whether a mock is to stand where a real object could.
fn is_mock(action: &Action) -> bool {
    matches!(action, Action::Resolve { to: Resolution::Mock(_), .. })
}

/// Whether the node is about to take an edge of the method under test that nobody has taken.
fn is_new(node: &Node, reached: &BitSet) -> bool {
    match &node.pending {
        Some(Pending::Choice(Choice { action: Action::Jump { edge, .. }, .. })) => {
            node.state.top.tracked && *edge != u32::MAX && !reached.contains(*edge)
        }
        _ => false,
    }
}
