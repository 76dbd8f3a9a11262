//! Exploration with a goal: which states are nearest to it, which cannot get there any more, when it is reached.

use std::rc::Rc;

use term::{Model, Term};
use types::MethodId;
use verdict::Gap;
use vm::code::Code;
use vm::{BitSet, State};

use super::node::Node;
use super::{Explorer, Progress, Run, Settings};
use crate::decision::{Decision, Settled};
use crate::guide::{self, Guide};
use crate::outcome::{Exploration, Wanted};
use budget::Budget;

/// Where a path begins that goes on from what calls have done, with a model of what holds there.
pub(crate) struct Start {
    pub state: State,
    pub condition: Vec<Term>,
    pub model: Model,
}

/// Paths to every goal after which an exploration with a goal ends: a second one serves if the first does not replay.
const PATHS_ENOUGH: u32 = 2;

impl Explorer {
    /// Explores a method for the sake of some goals alone (see [`vm::coverage::Zone`]): the nearest states go first, and the
    /// exploration ends when all goals are met. States that cannot meet them are dropped, which is no gap in the answer.
    ///
    /// What is not met by an exhausted exploration is unreachable only if it lies in the method's own body: then
    /// [`Exploration::unreachable`] has it. What lies elsewhere others may reach.
    pub fn explore_for(
        &mut self,
        method: MethodId,
        goals: &BitSet,
        budget: &Budget,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        let wanted = self.asked(method, goals);
        let settings = Settings { any_world: false, targeted: true };
        self.explore_in(method, wanted, settings, budget, &BitSet::default(), progress)
    }

    /// The same without taking for granted what can be left open (see [`Explorer::explore_in_any_world`]).
    pub fn explore_for_in_any_world(
        &mut self,
        method: MethodId,
        goals: &BitSet,
        budget: &Budget,
        progress: &mut dyn Progress,
    ) -> Result<Exploration, Gap> {
        let wanted = self.asked(method, goals);
        let settings = Settings { any_world: true, targeted: true };
        self.explore_in(method, wanted, settings, budget, &BitSet::default(), progress)
    }

    /// Explores a method from a state in which calls have made one of its objects, for the sake of some goals alone. It
    /// brings tests and proves nothing.
    pub(crate) fn explore_prepared(
        &mut self,
        code: &Rc<Code>,
        start: Start,
        goals: &BitSet,
        budget: &Budget,
        effort: u64,
    ) -> Exploration {
        let wanted = Wanted { goals: goals.clone(), ..Wanted::default() };
        let (progress, nothing) = (&mut (), BitSet::default());
        let mut run = Run::new(self, Rc::clone(code), wanted, budget, &nothing, progress);
        (run.bounds, run.most_effort) = (None, Some(effort));
        run.aim(true);
        run.explore_from(start)
    }

    fn asked(&self, method: MethodId, goals: &BitSet) -> Wanted {
        let universe = &self.machine.universe;
        let definition = universe.method_definition(method).unwrap_or(method);
        let is_initializer = universe.method(method).is_static_constructor();
        let provable = match is_initializer {
            true => BitSet::default(),
            false => guide::those_in(&self.machine, goals, definition),
        };
        Wanted { goals: goals.clone(), edges: BitSet::default(), provable }
    }
}

impl Run<'_> {
    fn explore_from(mut self, start: Start) -> Exploration {
        let Start { state, condition, model } = start;
        self.start = Some(state.clone());
        let at = state.base_place();
        let mut node = Node { model, ..Node::start(self.work.next_path(), state, false) };
        for guard in condition {
            node.condition =
                node.condition.and(Decision { guard, at, inside: None, settled: Settled::Before });
        }
        self.wait(node, false);
        self.all()
    }

    /// Looks for the way to what is wanted, if that is the order.
    pub(super) fn aim(&mut self, only_what_is_wanted: bool) {
        self.only_wanted = only_what_is_wanted;
        self.guide = self.new_guide();
    }

    fn new_guide(&self) -> Option<Guide> {
        let graph = self.graph.clone()?;
        let missing = self.wanted.goals.without(&self.reached);
        let mut guide = Guide::new(self.machine, graph, missing);
        // The start of a static constructor is made up, and what consumes a result runs after the method.
        let is_plain = !self.machine.universe.method(self.code.method).is_static_constructor();
        if self.only_wanted && is_plain && self.wanted.goals.is_subset(&self.wanted.provable) {
            guide.keep_inside(&self.code);
        }
        Some(guide)
    }

    /// Puts a state where it waits for its turn; one that cannot get anywhere any more is dropped.
    pub(super) fn wait(&mut self, node: Node, promising: bool) {
        if !self.can_arrive(&node) {
            return;
        }
        match &mut self.guide {
            Some(guide) => {
                let distance = guide.distance(&node);
                self.frontier.add_at(node, distance);
            }
            None => self.frontier.add(node, promising),
        }
    }

    /// What was met meanwhile is no goal any more.
    pub(super) fn look_around(&mut self) {
        let Some(guide) = &self.guide else { return };
        let missing = self.wanted.goals.without(&self.reached);
        // With nothing left to aim at the old order is as good as any.
        if missing.is_empty() || guide.is_for(&missing) {
            return;
        }
        self.guide = self.new_guide();
        for node in self.frontier.take_near() {
            self.wait(node, false);
        }
    }

    /// Whether a state is of use: it can still meet what is wanted, or has met it and comes to an end as a test.
    pub(super) fn can_arrive(&self, node: &Node) -> bool {
        let Some(guide) = &self.guide else { return true };
        let is_rare = |goal| self.wanted.goals.contains(goal) && !self.kept.has_enough(goal, PATHS_ENOUGH);
        node.state.coverage.goals().iter().any(is_rare) || guide.can_arrive(node)
    }

    /// Whether the end of a path says something about what is wanted.
    pub(super) fn is_about_wanted(&self, node: &Node) -> bool {
        !self.only_wanted || node.state.coverage.goals().intersects(&self.wanted.goals)
    }

    /// Whether every goal was met often enough by paths that ended.
    pub(super) fn has_what_was_asked(&self) -> bool {
        self.only_wanted && self.wanted.goals.iter().all(|goal| self.kept.has_enough(goal, PATHS_ENOUGH))
    }
}
