//! What a path has settled on its way, and where: the answer to "why did it go here?".

use std::rc::Rc;

use term::{Symbol, Term};
use types::{AssemblyId, MethodId, MethodKind, TypeId, Universe};
use vm::inputs::grids::Shape;
use vm::inputs::references::Resolution;
use vm::{Action, Place, RuntimeException, State};

/// Frames that are looked through for one of the assembly under test.
const MOST_FRAMES: usize = 64;

/// One step of a path that more than one successor was possible for.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What holds from here on.
    pub guard: Term,
    /// The innermost place in the assembly under test.
    pub at: Place,
    /// The method of another assembly that was running then.
    pub inside: Option<MethodId>,
    pub settled: Settled,
}

/// What a decision is about.
#[derive(Clone, Debug)]
pub enum Settled {
    /// A condition of the code, which holds or not.
    Condition,
    /// What calls have decided before the method began.
    Before,
    /// The runtime raises an exception.
    Exception(RuntimeException),
    /// What an input reference is.
    Reference { symbol: Symbol, to: Settlement },
    /// The classes that an input object can still have.
    Classes { owner: Symbol, classes: Rc<[TypeId]> },
    /// A mocked call throws, or gives its answer.
    Mocked { throws: Option<TypeId> },
    /// A number that had to be known.
    Value { term: Term, value: u64 },
    /// A number that had to be known is another one than those that were tried before.
    OtherValue,
}

/// What an input reference turned out to be.
#[derive(Clone, Debug)]
pub enum Settlement {
    Null,
    /// The object of this earlier reference.
    Same(Symbol),
    New(TypeId),
    /// An array of several dimensions.
    Shaped(TypeId, Shape),
    /// A new object of one of these classes.
    OneOf(Rc<[TypeId]>),
    /// A collection with so many items.
    Filled(TypeId, u32),
    /// An object that the framework makes, in this of its ways.
    Made(TypeId, u32),
    /// Of a made-up class.
    Mock(Rc<[TypeId]>),
}

impl Decision {
    /// The decision for one of the successors of a state.
    pub(crate) fn of(
        universe: &Universe,
        state: &State,
        home: Option<AssemblyId>,
        guard: Term,
        action: &Action,
    ) -> Decision {
        Decision::new(universe, state, home, guard, settled(state, action))
    }

    pub(crate) fn new(
        universe: &Universe,
        state: &State,
        home: Option<AssemblyId>,
        guard: Term,
        settled: Settled,
    ) -> Decision {
        let is_home = |method: MethodId| home.is_some() && assembly_of(universe, method) == home;
        let own = state.frames().take(MOST_FRAMES).find(|frame| is_home(frame.code.method));
        let at = own.map_or_else(|| state.place(), |frame| frame.place());
        let running = state.top.code.method;
        Decision { guard, at, inside: (running != at.method).then_some(running), settled }
    }
}

pub(crate) fn assembly_of(universe: &Universe, method: MethodId) -> Option<AssemblyId> {
    match universe.method(method).kind {
        MethodKind::Def { assembly, .. } => Some(assembly),
        _ => None,
    }
}

fn settled(state: &State, action: &Action) -> Settled {
    let owner = |block| state.path.origins.owner(block);
    match action {
        Action::Throw(exception) => Settled::Exception(*exception),
        Action::Resolve { symbol, to } => {
            let to = match to {
                Resolution::Null => Settlement::Null,
                Resolution::Same(block) => match owner(*block) {
                    Some(symbol) => Settlement::Same(symbol),
                    None => return Settled::Condition,
                },
                Resolution::New(ty) => Settlement::New(*ty),
                Resolution::Shaped(ty, shape) => Settlement::Shaped(*ty, *shape),
                Resolution::Open(classes) => Settlement::OneOf(Rc::clone(classes)),
                Resolution::Filled(ty, count) => Settlement::Filled(*ty, *count),
                Resolution::Made(ty, way) => Settlement::Made(*ty, *way),
                Resolution::Mock(classes) => Settlement::Mock(Rc::clone(classes)),
            };
            Settled::Reference { symbol: *symbol, to }
        }
        Action::Narrow { block, classes, bound: _ } => match owner(*block) {
            Some(owner) => Settled::Classes { owner, classes: Rc::clone(classes) },
            None => Settled::Condition,
        },
        Action::Mocked { throws } => Settled::Mocked { throws: throws.map(|exception| exception.ty) },
        _ => Settled::Condition,
    }
}
