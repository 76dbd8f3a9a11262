//! Why a method's answer is incomplete: a closed list, each with its sentence.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A reason for `Incomplete`. The order is the order in which reports group them: limits of the run first, then limits
/// of the engine, then what is wrong with the input, then defects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The time for the method or for the whole command was used up.
    Timeout,
    /// `--max-steps` was reached.
    StepLimit,
    /// `--max-memory` was reached.
    MemoryLimit,
    /// A structural bound of the engine (recursion depth, number of switch targets, …) was reached.
    Bound,
    /// All threads of a program wait, and nothing will wake them.
    Deadlock,
    /// The user stopped the run.
    Cancelled,
    /// The solver could not decide whether a path is feasible.
    SolverUnknown,
    /// The engine does not execute this instruction yet.
    UnsupportedInstruction,
    /// The engine cannot make symbolic values of a parameter's type yet.
    UnsupportedInput,
    /// The code calls into the runtime or a native library and there is no model of the callee.
    NativeCall,
    /// An assembly, type or member that the code refers to was not found.
    MissingReference,
    /// The metadata or the method body breaks the rules of ECMA-335.
    InvalidCode,
    /// A test did something else on the real runtime than the engine predicted; it was dropped.
    ReplayMismatch,
    /// A test could not be run on the real runtime.
    ReplayUnavailable,
    /// A test was found and confirmed, but there is no C# for it that holds.
    NotWritten,
    /// A defect in Cilantro itself.
    InternalError,
}

impl Reason {
    /// Every reason, in report order.
    pub const ALL: [Reason; 16] = [
        Reason::Timeout,
        Reason::StepLimit,
        Reason::MemoryLimit,
        Reason::Bound,
        Reason::Deadlock,
        Reason::Cancelled,
        Reason::SolverUnknown,
        Reason::UnsupportedInstruction,
        Reason::UnsupportedInput,
        Reason::NativeCall,
        Reason::MissingReference,
        Reason::InvalidCode,
        Reason::ReplayMismatch,
        Reason::ReplayUnavailable,
        Reason::NotWritten,
        Reason::InternalError,
    ];

    /// The two or three words used in tables and headings.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::StepLimit => "step limit",
            Reason::MemoryLimit => "memory limit",
            Reason::Bound => "bound",
            Reason::Deadlock => "deadlock",
            Reason::Cancelled => "cancelled",
            Reason::SolverUnknown => "solver unknown",
            Reason::UnsupportedInstruction => "unsupported instruction",
            Reason::UnsupportedInput => "unsupported input type",
            Reason::NativeCall => "native call",
            Reason::MissingReference => "missing reference",
            Reason::InvalidCode => "invalid code",
            Reason::ReplayMismatch => "replay mismatch",
            Reason::ReplayUnavailable => "replay unavailable",
            Reason::NotWritten => "not written",
            Reason::InternalError => "internal error",
        }
    }

    /// One sentence for someone who meets the reason for the first time.
    pub fn sentence(self) -> &'static str {
        match self {
            Reason::Timeout => "The time ran out; --timeout gives more.",
            Reason::StepLimit => "The step limit was reached; --max-steps gives more.",
            Reason::MemoryLimit => "The memory limit was reached; --max-memory gives more.",
            Reason::Bound => "A bound of the engine was reached.",
            Reason::Deadlock => "All threads wait, and nothing will wake them.",
            Reason::Cancelled => "The run was stopped before this was finished.",
            Reason::SolverUnknown => {
                "The solver could not decide a condition in time; --solver-timeout gives it more."
            }
            Reason::UnsupportedInstruction => {
                "The code uses instructions that Cilantro does not execute yet."
            }
            Reason::UnsupportedInput => "The method takes inputs of a type that Cilantro cannot vary yet.",
            Reason::NativeCall => {
                "The code calls into the runtime or native code that Cilantro has no model of."
            }
            Reason::MissingReference => "An assembly, type or member that the code needs was not found.",
            Reason::InvalidCode => "The metadata or the method body is not valid CIL.",
            Reason::ReplayMismatch => {
                "The real runtime did something else than predicted; such tests are dropped."
            }
            Reason::ReplayUnavailable => "Tests could not be confirmed on the real runtime.",
            Reason::NotWritten => {
                "Tests were confirmed, but could not be written as C# that compiles and passes."
            }
            Reason::InternalError => "Cilantro itself failed here; this is a defect worth reporting.",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
