//! A state that waits to be run.

use term::{Model, Term};
use vm::coverage::NO_GOAL;
use vm::inputs::references::Resolution;
use vm::{Action, BitSet, Choice, PathEnd, State};

use crate::condition::Condition;
use crate::outcome::Path;

/// A state, the condition of the path that led there, and a model of it.
pub(crate) struct Node {
    /// The number of the path that it is on, and of the one that this left.
    pub number: u64,
    pub parent: u64,
    pub state: State,
    pub condition: Condition,
    /// Satisfies `condition`, but not yet `pending`.
    pub model: Model,
    /// A choice whose feasibility nobody has decided yet.
    pub pending: Option<Pending>,
    /// Some by-ref inputs are the same location. No test can be made of such a path.
    pub aliased: bool,
    /// A short query was not enough.
    pub hard: bool,
    /// Short arrays and strings were not enough.
    pub long: bool,
    /// A mock stands where a real object could.
    pub mocked: bool,
}

impl Node {
    /// Where a method starts.
    pub fn start(number: u64, state: State, aliased: bool) -> Node {
        Node {
            number,
            parent: 0,
            state,
            condition: Condition::default(),
            model: Model::default(),
            pending: None,
            aliased,
            hard: false,
            long: false,
            mocked: false,
        }
    }

    /// Whether the node is about to meet a goal that nobody has met: a wanted one, or one of a method that is covered
    /// through its callers.
    pub fn is_new(&self, wanted: &BitSet, inner: &BitSet, reached: &BitSet) -> bool {
        match &self.pending {
            Some(Pending::Choice(Choice { action: Action::Jump { goal, .. }, .. })) => {
                let is_wanted = |goal: u32| wanted.contains(goal) || inner.contains(goal);
                *goal != NO_GOAL && is_wanted(*goal) && !reached.contains(*goal)
            }
            _ => false,
        }
    }

    /// A successor that waits for a decision.
    pub fn waiting(&self, number: u64, pending: Pending) -> Node {
        Node {
            number,
            parent: self.number,
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

impl Path {
    /// Where a node ended.
    pub(crate) fn of(node: Node, end: PathEnd) -> Path {
        let Node { number, condition, model, state, .. } = node;
        Path {
            number,
            condition,
            end,
            model,
            state,
            footprint: None,
            explored: None,
            followed: None,
            vague: false,
            as_found: None,
            roomy: None,
        }
    }
}

pub(crate) enum Pending {
    Choice(Choice),
    /// The operand is something else than the values already followed.
    Differs(Term),
}

/// Whether a mock is to stand where a real object could.
pub(crate) fn is_mock(action: &Action) -> bool {
    matches!(action, Action::Resolve { to: Resolution::Mock(_), .. })
}
