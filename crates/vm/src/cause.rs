//! Where an exception comes from: which code of the assembly under test was running when it was thrown, and who threw it.
//!
//! An exception is known by where it leaves the method under test; why it is there shows only at the moment it is thrown.

use crate::state::{Frame, State};
use crate::stop::Place;
use types::MethodId;

/// The origin of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    pub exception: u64,
    /// The innermost place in the code under test.
    pub place: Place,
    pub by: Thrower,
}

/// Who threw an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thrower {
    /// A `throw` in the code under test.
    Code,
    /// The runtime, while it executed an instruction of the code under test.
    Runtime,
    /// Other code, or a model of it, which this method of it leads to.
    Callee(MethodId),
}

impl State {
    /// The origin of an exception that the top frame throws now: by an instruction that says so, or because the runtime
    /// does. An exception without a frame of the code under test has none.
    pub(crate) fn cause_of(&self, exception: u64, is_thrown_by_code: bool) -> Option<Cause> {
        let mut above: Option<&Frame> = None;
        for frame in self.frames() {
            if frame.code.goals.is_none() || is_made_to_throw(frame) {
                above = Some(frame);
                continue;
            }
            let by = match above {
                Some(callee) if !is_made_to_throw(callee) => Thrower::Callee(callee.place().method),
                // What the compiler writes where nothing fits is nobody's decision.
                Some(_) => Thrower::Runtime,
                None if is_thrown_by_code => Thrower::Code,
                None => Thrower::Runtime,
            };
            return Some(Cause { exception, place: frame.place(), by });
        }
        None
    }
}

/// A method that the compiler adds to throw for a `switch` that fits nothing.
fn is_made_to_throw(frame: &Frame) -> bool {
    frame.code.goals.is_some() && frame.code.name.starts_with("<PrivateImplementationDetails>")
}
