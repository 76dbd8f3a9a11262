//! The ways a run can stop: closed lists, one per concept.

use std::rc::Rc;

use term::{Symbol, Term};
use types::{MethodId, TypeId};
use verdict::Gap;

use crate::heap::BlockId;
use crate::inputs::mocks::MockException;
use crate::inputs::references::Resolution;
use crate::value::Value;

/// Why [`crate::Machine::run`] returned.
#[derive(Debug)]
pub enum Stop {
    /// The next step depends on symbolic values. The guards exclude each other and cover every case.
    Fork(Vec<Choice>),
    /// The instruction needs a concrete number: fix the operand `depth` places below the top of the stack to a value
    /// of the caller's choice, and remember the rest of the cases.
    Concretize { term: Term, depth: usize },
    /// The path is over.
    End(PathEnd),
    /// The step allowance of this call is used up; the state can be run on.
    OutOfSteps,
}

impl Stop {
    /// Whether the instruction will run again, with the operands it has now.
    pub(crate) fn runs_again(&self) -> bool {
        let again = |choice: &Choice| {
            matches!(
                choice.action,
                Action::Resolve { .. }
                    | Action::AskClass(_)
                    | Action::Narrow { .. }
                    | Action::Operand { .. }
                    | Action::Refine { .. }
                    | Action::Mocked { .. }
                    | Action::Force(_)
            )
        };
        match self {
            Stop::Concretize { .. } | Stop::OutOfSteps => true,
            Stop::Fork(choices) => choices.iter().any(again),
            _ => false,
        }
    }
}

/// One guarded successor.
#[derive(Debug)]
pub struct Choice {
    pub guard: Term,
    pub action: Action,
}

/// What happens when a choice is taken. The operands have been popped already.
#[derive(Clone, Debug)]
pub enum Action {
    Jump {
        target: u32,
        /// The goal that is met, or [`crate::coverage::NO_GOAL`].
        goal: u32,
    },
    /// Push the result, if any, and go on with the next instruction.
    Continue(Option<Value>),
    /// Push the value and run the same instruction again.
    Retry(Value),
    Throw(RuntimeException),
    /// An input reference is this; run the same instruction again. Nothing has been popped.
    Resolve {
        symbol: Symbol,
        to: Resolution,
    },
    /// The very class of this open input object is wanted: fork over those it can have. Nothing has been popped.
    AskClass(BlockId),
    /// An open input object is of one of these classes; run the same instruction again. Nothing has been popped.
    Narrow {
        block: BlockId,
        classes: Rc<[TypeId]>,
        /// The type that every class it can have is known to be, those of other assemblies included.
        bound: Option<TypeId>,
    },
    /// The operand `depth` places below the top is this; run the same instruction again. Nothing has been popped.
    Operand {
        depth: usize,
        value: Value,
    },
    /// The reference at this address is known to be this one; run the same instruction again.
    Refine {
        address: u64,
        value: Value,
    },
    /// The mocked method that is called throws this new exception, or gives its answer; run the same
    /// instruction again. Nothing has been popped.
    Mocked {
        throws: Option<MockException>,
    },
    /// Make the contents of this string first; then run the same instruction again. Nothing has been popped.
    Force(BlockId),
    /// Run the code of the method that is called instead of its model, with these operands pushed again.
    Interpret {
        arguments: Vec<Value>,
    },
    /// The machine cannot follow this case.
    GiveUp(Gap),
}

/// How a path ended.
#[derive(Clone, Debug)]
pub enum PathEnd {
    Returned(Option<Value>),
    /// An exception left the method under test.
    Threw {
        exception: u64,
        ty: TypeId,
        thrown_at: Place,
    },
    /// The process was told to exit.
    Exited(i32),
    Incomplete {
        gap: Gap,
        at: Option<Place>,
    },
    /// No caller can make the inputs of this path.
    Impossible,
}

/// A place in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub method: MethodId,
    pub il_offset: u32,
}

/// Exceptions that the runtime itself raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeException {
    DivideByZero,
    Overflow,
    Arithmetic,
    NullReference,
    IndexOutOfRange,
    InvalidCast,
    ArrayTypeMismatch,
    OutOfMemory,
    InvalidProgram,
    SynchronizationLock,
    Argument,
    ThreadInterrupted,
    ThreadState,
    PlatformNotSupported,
    ArgumentNull,
}

impl RuntimeException {
    pub fn type_name(self) -> &'static str {
        match self {
            RuntimeException::DivideByZero => "System.DivideByZeroException",
            RuntimeException::Overflow => "System.OverflowException",
            RuntimeException::Arithmetic => "System.ArithmeticException",
            RuntimeException::NullReference => "System.NullReferenceException",
            RuntimeException::IndexOutOfRange => "System.IndexOutOfRangeException",
            RuntimeException::InvalidCast => "System.InvalidCastException",
            RuntimeException::ArrayTypeMismatch => "System.ArrayTypeMismatchException",
            RuntimeException::OutOfMemory => "System.OutOfMemoryException",
            RuntimeException::InvalidProgram => "System.InvalidProgramException",
            RuntimeException::SynchronizationLock => "System.Threading.SynchronizationLockException",
            RuntimeException::Argument => "System.ArgumentException",
            RuntimeException::ArgumentNull => "System.ArgumentNullException",
            RuntimeException::PlatformNotSupported => "System.PlatformNotSupportedException",
            RuntimeException::ThreadState => "System.Threading.ThreadStateException",
            RuntimeException::ThreadInterrupted => "System.Threading.ThreadInterruptedException",
        }
    }
}
