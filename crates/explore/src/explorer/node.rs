//! A state that waits to be run.

use term::{Model, Term};
use vm::coverage::NO_GOAL;
use vm::inputs::references::Resolution;
use vm::{Action, BitSet, Choice, State};

use crate::condition::Condition;

/// A state, the condition of the path that led there, and a model of it.
pub(crate) struct Node {
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
    pub fn start(state: State, aliased: bool) -> Node {
        Node {
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

    /// Whether the node is about to meet a wanted goal that nobody has met.
    pub fn is_new(&self, wanted: &BitSet, reached: &BitSet) -> bool {
        match &self.pending {
            Some(Pending::Choice(Choice { action: Action::Jump { goal, .. }, .. })) => {
                *goal != NO_GOAL && wanted.contains(*goal) && !reached.contains(*goal)
            }
            _ => false,
        }
    }

    /// A successor that waits for a decision.
    pub fn waiting(&self, pending: Pending) -> Node {
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

pub(crate) enum Pending {
    Choice(Choice),
    /// The operand is something else than the values already followed.
    Differs(Term),
}

/// Whether a mock is to stand where a real object could.
pub(crate) fn is_mock(action: &Action) -> bool {
    matches!(action, Action::Resolve { to: Resolution::Mock(_), .. })
}
