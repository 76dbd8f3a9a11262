//! Text that exploration does not make, such as the messages of the runtime's exceptions, stays unknown or has a stand-in.
//! It may be carried about, but a proof must not rest on what it says. Whoever wants to know that has to ask the class
//! library: so once there is such text, code of the program may make and throw exceptions, and call nothing else of it.

use verdict::Gap;
use vm::code::Op;
use vm::{Machine, State};

/// What was before a step.
pub(super) struct Text {
    was_guessed: bool,
    /// The step is one of the program's own code, and calls something.
    is_call: bool,
    /// The step is one of the class library, which the program has called for something else than an exception.
    is_called: bool,
    depth: u32,
    /// Where the caller goes on.
    next: Option<u32>,
}

impl Text {
    pub fn before(machine: &Machine, state: &State) -> Result<Text, Gap> {
        let is_program = !is_library(machine, &state.top);
        let call = called(machine, &state.top);
        if state.path.guessed_text && is_program && call == Some(Call::Other) {
            return Err(looked_at());
        }
        let caller = state.frames().nth(1);
        let is_called = !is_program
            && caller.is_some_and(|caller| {
                !is_library(machine, caller) && called(machine, caller) != Some(Call::Exception)
            });
        Ok(Text {
            was_guessed: state.path.guessed_text,
            is_call: is_program && call == Some(Call::Other),
            is_called,
            depth: state.depth,
            next: caller.map(|caller| caller.pc + 1),
        })
    }

    pub fn after(&self, state: &State) -> Result<(), Gap> {
        if !state.path.guessed_text {
            return Ok(());
        }
        // An exception that comes out of a call is no answer: the program goes on elsewhere.
        let goes_on = state.depth + 1 == self.depth && self.next == Some(state.top.pc);
        let has_answered = self.is_called && goes_on;
        match !self.was_guessed && self.is_call || has_answered {
            true => Err(looked_at()),
            false => Ok(()),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    /// The constructor of an exception.
    Exception,
    /// Something else of the class library.
    Other,
}

/// What of the class library a frame calls, if it stands at a call.
fn called(machine: &Machine, frame: &vm::Frame) -> Option<Call> {
    let site = match frame.code.ops.get(frame.pc as usize)? {
        Op::Call(site)
        | Op::CallVirt(site)
        | Op::TailCall(site)
        | Op::TailCallVirt(site)
        | Op::NewObj(site)
        | Op::Jmp(site) => *site,
        Op::CallI(_) | Op::TailCallI(_) => return Some(Call::Other),
        _ => return None,
    };
    let Some(call) = frame.code.calls.get(site as usize) else { return Some(Call::Other) };
    let method = machine.universe.method(call.method);
    if !machine.is_framework(method.owner) {
        return None;
    }
    let known = machine.universe.well_known().ok()?;
    let is_exception = machine.universe.is_assignable(method.owner, known.exception).unwrap_or(false);
    Some(if is_exception && method.is_constructor() { Call::Exception } else { Call::Other })
}

fn is_library(machine: &Machine, frame: &vm::Frame) -> bool {
    machine.is_framework(machine.universe.method(frame.code.method).owner)
}

fn looked_at() -> Gap {
    Gap::bound("a proof about loops would rest on text that is not made")
}
