//! The main loop.

mod ambient;
pub(crate) mod blame;
mod ending;
mod kept;
mod node;
mod questions;
mod step;
mod targeted;
mod trace;
mod trials;
mod values;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Instant;

use budget::Budget;
use budget::interrupt::interruptible;
use solver::{Effort, Solver};
use term::{Evaluator, Model};
use types::{AssemblyId, MethodId, TypeId};
use verdict::{Gap, Stats};
use vm::code::Code;
use vm::flow::CallGraph;
use vm::{BitSet, Machine, PathEnd, Place, State};

use crate::decision;
use crate::frontier::{Frontier, Strategy};
use crate::guide::{Graphs, Guide};
use crate::loops::Bounds;
use crate::names::NameTable;
use crate::outcome::{Exploration, Wanted};
use crate::parts;
use crate::sequences::Members;
use kept::Kept;
pub(crate) use node::{Node, Pending};
pub(crate) use targeted::Start;

/// Forks that a path is followed through before others get their turn.
const FORKS_IN_A_ROW: usize = 300;
/// The same where a failure is looked for that may need any number of rounds: each has its turn.
const FORKS_FOR_FAILURES: usize = 4;
/// Steps without anything new after which an exploration stops that has seen everything that can happen.
const BOUNDED_PATIENCE: u64 = 50_000;
/// What a query counts in the same currency as steps, for patience: in itself, and for each constraint.
const STEPS_PER_QUERY: u64 = 500;
const STEPS_PER_CONSTRAINT: u64 = 10;

/// Somebody who watches an exploration.
pub trait Progress {
    /// Called now and then with the figures so far, and how many of the wanted goals are met.
    fn tick(&mut self, stats: &Stats, met: usize, wanted: usize);

    /// Called for every path that came to an end, also for those that are not worth a test.
    fn ended(&mut self, _machine: &Machine, _end: &PathEnd, _model: &Model) {}
}

impl Progress for () {
    fn tick(&mut self, _: &Stats, _: usize, _: usize) {}
}

/// Explores methods one after another; decoded code is kept between them.
pub struct Explorer {
    pub machine: Machine,
    pub(crate) solver: Solver,
    strategy: Strategy,
    seed: u64,
    /// What can happen at all in the method that is explored next.
    pub(crate) bounds: Option<Bounds>,
    /// A step was ended in its middle: what the machine keeps between explorations is not to be relied on.
    is_spoilt: bool,
    graphs: Graphs,
    pub(crate) members: Members,
    /// Exceptions about different parameters are different ones, also if they leave the method at the same place; and so are
    /// ends of the process.
    pub tells_blame: bool,
}

impl Explorer {
    pub fn new(machine: Machine, solver: Solver, strategy: Strategy, seed: u64) -> Explorer {
        Explorer {
            machine,
            solver,
            strategy,
            seed,
            bounds: None,
            is_spoilt: false,
            graphs: Graphs::default(),
            members: Members::default(),
            tells_blame: false,
        }
    }

    /// Whether another one must take its place: a step was ended in its middle.
    pub fn is_spoilt(&self) -> bool {
        self.is_spoilt
    }

    /// Explores a method from its entry over all inputs. `Err` if there is nothing to explore at all.
    pub fn explore(
        &mut self,
        method: MethodId,
        budget: &Budget,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        self.explore_further(method, budget, &BitSet::default(), progress)
    }

    /// The same when explorations of the same code have reached something before.
    pub fn explore_further(
        &mut self,
        method: MethodId,
        budget: &Budget,
        reached: &BitSet,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        let wanted = self.wanted(method);
        self.explore_in(
            method,
            wanted,
            Settings { any_world: false, targeted: false },
            budget,
            reached,
            progress,
        )
    }

    /// Explores a method once more, without taking for granted what can be left open. It brings no tests: it says what
    /// happens in no world. What the first exploration left in the machine is gone.
    pub fn explore_in_any_world(
        &mut self,
        method: MethodId,
        budget: &Budget,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        let wanted = self.wanted(method);
        let nothing = BitSet::default();
        self.explore_in(
            method,
            wanted,
            Settings { any_world: true, targeted: false },
            budget,
            &nothing,
            progress,
        )
    }

    fn explore_in(
        &mut self,
        method: MethodId,
        wanted: Wanted,
        settings: Settings,
        budget: &Budget,
        reached: &BitSet,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        self.machine.reset();
        self.machine.inputs.any_world = settings.any_world;
        self.solver.new_exploration();
        let starts = self.machine.start(method)?;
        let code = self.machine.code(method)?;
        let mut run = Run::new(self, code, wanted, budget, reached, progress);
        run.aim(settings.targeted);
        Ok(run.explore(starts))
    }
}

impl Explorer {
    /// For whoever works with all of them.
    pub(crate) fn parts(&mut self) -> (&mut Machine, &mut Solver, &mut Members) {
        (&mut self.machine, &mut self.solver, &mut self.members)
    }

    /// What there is to cover in a method and in the bodies that the compiler made of its parts.
    fn wanted(&mut self, method: MethodId) -> Wanted {
        let universe = Rc::clone(&self.machine.universe);
        let mut wanted = Wanted::default();
        let mut add = |method: MethodId, is_provable: bool| {
            let Some(goals) = self.machine.recording.zone.goals_of(&universe, method) else { return };
            let watched = || goals.watched().map(|(_, number)| number);
            wanted.goals.extend(goals.wanted().chain(watched()));
            wanted.edges.extend(goals.edges());
            if is_provable {
                wanted.provable.extend(goals.wanted().chain(watched()));
            }
        };
        // It runs once, in whatever state others have left what it looks at: nothing is proven of it.
        let is_initializer = universe.method(method).is_static_constructor();
        add(universe.method_definition(method).unwrap_or(method), !is_initializer);
        for part in parts::parts_of(&universe, method) {
            add(part.method, part.runs_inside && !is_initializer);
        }
        wanted
    }
}

/// How a method is explored.
#[derive(Clone, Copy)]
struct Settings {
    any_world: bool,
    /// Only what was asked for matters, nothing else that the method does.
    targeted: bool,
}

/// One exploration.
struct Run<'a> {
    machine: &'a mut Machine,
    solver: &'a mut Solver,
    is_spoilt: &'a mut bool,
    code: Rc<Code>,
    budget: &'a Budget,
    /// What all questions may cost together.
    effort: Option<Effort>,
    /// What steps and questions may cost together, in steps.
    most_effort: Option<u64>,
    progress: &'a mut dyn Progress,
    frontier: Frontier,
    /// Of the running node's model: what was evaluated on a path is not evaluated again.
    evaluator: Evaluator,
    work: Work,
    /// The goals that it is for.
    wanted: Wanted,
    /// Goals met by any state.
    reached: BitSet,
    kept: Kept,
    /// What starts with aliased inputs reach, from which no test can be made.
    aliased: Aliased,
    incomplete: BTreeSet<(Gap, Option<Place>)>,
    /// Paths that were followed to their end and that no test can show.
    unshown: BTreeSet<(Gap, Option<Place>)>,
    /// Where the method starts, all inputs apart.
    start: Option<State>,
    /// What can happen at all, if that is known: nothing else is looked for.
    bounds: Option<Bounds>,
    /// Why it ended before all paths were followed.
    stopped: Option<Gap>,
    /// The assembly under test.
    home: Option<AssemblyId>,
    /// Names of the inputs, for whoever watches.
    names: Option<Rc<NameTable>>,
    /// The way to what is wanted, if that is the order.
    guide: Option<Guide>,
    /// Nothing counts but what is wanted.
    only_wanted: bool,
    tells_blame: bool,
    /// The call graph of the assembly under test, for the guide.
    graph: Option<Rc<CallGraph>>,
}

/// What the exploration has done so far.
struct Work {
    started: Instant,
    /// The solver's counters before.
    base: solver::Stats,
    steps: u64,
    /// The effort of queries.
    asked: u64,
    states: u64,
    ended: u64,
    /// The effort after which something new was last seen.
    news: u64,
    /// Paths that were given up and run with known values instead.
    rescued: u32,
    /// Paths that were begun.
    paths: u64,
    /// Texts were tried that no solver finds.
    tried_texts: bool,
}

impl Work {
    /// Effort so far, in steps.
    fn effort(&self) -> u64 {
        self.steps + self.asked
    }

    /// A question was asked about so many constraints.
    fn note_question(&mut self, constraints: usize) {
        self.asked += STEPS_PER_QUERY + STEPS_PER_CONSTRAINT * constraints as u64;
    }

    /// The number of a new path, from 1.
    fn next_path(&mut self) -> u64 {
        self.paths += 1;
        self.paths
    }

    fn note_news(&mut self) {
        self.news = self.effort();
    }
}

/// What only aliased inputs reach.
#[derive(Default)]
struct Aliased {
    goals: BitSet,
    failures: BTreeSet<(TypeId, Place)>,
}

impl<'a> Run<'a> {
    fn new(
        explorer: &'a mut Explorer,
        code: Rc<Code>,
        wanted: Wanted,
        budget: &'a Budget,
        reached: &BitSet,
        progress: &'a mut dyn Progress,
    ) -> Run<'a> {
        Run {
            kept: Kept::default(),
            work: Work {
                started: Instant::now(),
                base: explorer.solver.stats().clone(),
                steps: 0,
                asked: 0,
                states: 1,
                ended: 0,
                news: 0,
                rescued: 0,
                paths: 0,
                tried_texts: false,
            },
            bounds: explorer.bounds.clone(),
            stopped: None,
            home: decision::assembly_of(&explorer.machine.universe, code.method),
            names: None,
            guide: None,
            only_wanted: false,
            tells_blame: explorer.tells_blame,
            graph: match explorer.strategy {
                Strategy::Targeted => explorer.graphs.of(&explorer.machine.universe, code.method),
                _ => None,
            },
            machine: &mut explorer.machine,
            solver: &mut explorer.solver,
            is_spoilt: &mut explorer.is_spoilt,
            code,
            wanted,
            budget,
            effort: budget.solver_effort().map(Effort::new),
            most_effort: None,
            progress,
            frontier: Frontier::new(explorer.strategy, explorer.seed),
            evaluator: Evaluator::new(Model::default()),
            reached: reached.clone(),
            aliased: Aliased::default(),
            incomplete: BTreeSet::new(),
            unshown: BTreeSet::new(),
            start: None,
        }
    }

    fn explore(mut self, starts: Vec<State>) -> Exploration {
        self.start = starts.first().cloned();
        // The first start has all inputs apart; the others are its aliased variants.
        for (index, state) in starts.into_iter().enumerate().rev() {
            let number = self.work.next_path();
            self.wait(Node::start(number, state, index > 0), false);
        }
        self.all()
    }

    /// Follows everything that waits.
    fn all(mut self) -> Exploration {
        let mut picks = 0u64;
        loop {
            if self.is_covered() {
                self.frontier.drop_mocked();
            }
            self.look_around();
            let (wanted, reached) = (&self.wanted.goals, &self.reached);
            let inner = self.machine.recording.zone.inner();
            let Some(node) = self.frontier.pick(|node| node.is_new(wanted, inner, reached)) else { break };
            picks += 1;
            if let Some(gap) = self.stop_reason() {
                self.frontier.add(node, false);
                self.stopped = Some(gap.clone());
                self.leave_out(gap, None);
                break;
            }
            let place = node.state.base_place();
            if let Err(gap) = interruptible(self.budget.watch(), || self.follow_path(node)) {
                self.interrupted(gap, Some(place));
                break;
            }
            self.try_texts(false);
            if picks.is_multiple_of(64) {
                let stats = self.stats();
                let met = self.wanted.goals.intersection(&self.reached).len();
                self.progress.tick(&stats, met, self.wanted.goals.len());
            }
        }
        self.try_texts(true);
        self.finish()
    }

    fn follow_path(&mut self, node: Node) {
        let _on_path = self.on_path(&node).entered();
        let mut running = self.decide(node);
        // A path is followed to its end before another is picked, unless it is a long one: tests come first.
        let forks = if self.looks_for_failures() { FORKS_FOR_FAILURES } else { FORKS_IN_A_ROW };
        for _ in 0..forks {
            let Some(node) = running.take() else { break };
            running = self.run(node).filter(|node| self.can_arrive(node));
        }
        if let Some(node) = running {
            self.wait(node, false);
        }
    }

    /// A step was ended in its middle: what was found before is kept, what waits is given up with its memory.
    fn interrupted(&mut self, gap: Gap, place: Option<Place>) {
        *self.is_spoilt = true;
        self.machine.stop_following();
        self.evaluator = Evaluator::new(Model::default());
        self.frontier.clear();
        self.leave_out(gap, place);
    }

    fn stop_reason(&self) -> Option<Gap> {
        if let Some(gap) = self.spent() {
            return Some(gap);
        }
        if self.tells_blame && self.bounds.is_some() && !self.looks_for_failures() {
            return Some(Gap::bound("everything was seen that can leave the method"));
        }
        if self.has_what_was_asked() {
            return Some(Gap::bound("what was asked for was found"));
        }
        if self.is_covered() && self.work.effort() - self.work.news > self.patience() {
            let detail =
                format!("every branch was covered and {} more steps brought nothing new", self.patience());
            return Some(Gap::bound(detail));
        }
        None
    }

    /// Why work must stop now: of the machine or of the solver.
    fn spent(&self) -> Option<Gap> {
        let is_worked_out = self.most_effort.is_some_and(|most| self.work.effort() >= most);
        let is_asked_out = is_worked_out || self.effort.as_ref().is_some_and(Effort::is_spent);
        self.budget.spent(self.work.steps).or_else(|| is_asked_out.then(Gap::step_limit))
    }

    fn is_covered(&self) -> bool {
        let excluded = |bounds: &Bounds| self.wanted.provable.without(&bounds.reached);
        match &self.bounds {
            Some(bounds) => self.wanted.goals.without(&excluded(bounds)).is_subset(&self.reached),
            None => self.wanted.goals.is_subset(&self.reached),
        }
    }

    /// Whether exceptions are known that may leave the method, all that do are wanted, and not all were seen.
    fn looks_for_failures(&self) -> bool {
        let has_more = |bounds: &Bounds| !bounds.blamed.is_subset(&self.kept.blamed);
        self.tells_blame && self.bounds.as_ref().is_some_and(has_more)
    }

    /// Steps without anything new: fewer when everything was seen that can happen.
    fn patience(&self) -> u64 {
        let has_all = |bounds: &Bounds| bounds.failures.is_subset(&self.kept.failures);
        match self.bounds.as_ref().is_some_and(has_all) {
            true => self.budget.patience.min(BOUNDED_PATIENCE),
            false if self.looks_for_failures() => self.budget.patience.saturating_mul(4),
            false => self.budget.patience,
        }
    }

    fn stats(&self) -> Stats {
        let now = self.solver.stats();
        Stats {
            steps: self.work.steps,
            states: self.work.states,
            paths: self.work.ended,
            queries: now.queries - self.work.base.queries,
            cache_hits: now.cache_hits() - self.work.base.cache_hits(),
            core_calls: now.core_calls - self.work.base.core_calls,
            solver_time: now.core_time.saturating_sub(self.work.base.core_time),
            elapsed: self.work.started.elapsed(),
        }
    }
}
