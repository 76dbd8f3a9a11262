//! Something that is missing in an answer.

use std::fmt;

use crate::Reason;

/// Why something is missing, and what exactly.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap {
    pub reason: Reason,
    /// A sentence without its full stop.
    pub detail: String,
}

macro_rules! gaps {
    ($($name:ident $reason:ident;)*) => {
        impl Gap {
            $(pub fn $name(detail: impl Into<String>) -> Gap {
                Gap { reason: Reason::$reason, detail: detail.into() }
            })*
        }
    };
}

gaps! {
    bound Bound;
    deadlock Deadlock;
    solver_unknown SolverUnknown;
    unsupported_instruction UnsupportedInstruction;
    unsupported_input UnsupportedInput;
    native_call NativeCall;
    missing_reference MissingReference;
    invalid_code InvalidCode;
    internal_error InternalError;
}

impl Gap {
    pub fn timeout() -> Gap {
        Gap { reason: Reason::Timeout, detail: "the time for this method was used up".to_owned() }
    }

    pub fn cancelled() -> Gap {
        Gap { reason: Reason::Cancelled, detail: "the run was stopped".to_owned() }
    }

    pub fn step_limit() -> Gap {
        Gap { reason: Reason::StepLimit, detail: "the allowed number of steps was used up".to_owned() }
    }

    pub fn memory_limit() -> Gap {
        Gap { reason: Reason::MemoryLimit, detail: "the allowed memory was used up".to_owned() }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}
