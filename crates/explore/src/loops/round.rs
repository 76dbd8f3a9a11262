//! When a path arrives at the head of a loop.

use std::rc::Rc;

use vm::State;
use vm::code::Code;

/// Where a state was before a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    depth: u32,
    pc: u32,
    caller: Option<u32>,
}

impl Mark {
    pub fn of(state: &State) -> Mark {
        Mark { depth: state.depth, pc: state.top.pc, caller: state.frames().nth(1).map(|frame| frame.pc) }
    }

    /// Whether the step has brought the state to the head of a loop. Only real moves of the frame count: an instruction
    /// that is interrupted and runs again has done nothing, and a path that ended there would prove anything.
    pub fn arrives(self, state: &State) -> bool {
        let pc = state.top.pc;
        let before = match self.depth {
            depth if depth == state.depth => Some(self.pc),
            depth if depth == state.depth + 1 => self.caller,
            _ => None,
        };
        before.is_some_and(|before| before != pc) && state.top.code.flow().is_loop_head(pc)
    }

    /// Whether the step has entered a method.
    pub fn has_called(self, state: &State) -> bool {
        state.depth > self.depth && state.top.pc == 0
    }

    pub fn has_returned(self, state: &State) -> bool {
        state.depth < self.depth
    }
}

/// How often a path has come to a head, and how much it had decided when it last did.
#[derive(Clone, Debug)]
pub(super) struct Rounds(Vec<Round>);

#[derive(Clone, Debug)]
struct Round {
    depth: u32,
    code: Rc<Code>,
    pc: u32,
    arrivals: u32,
    forks: u32,
}

impl Rounds {
    pub fn new() -> Rounds {
        Rounds(Vec::new())
    }

    /// Counts an arrival: how many there were before, and whether something was decided since the last one.
    pub fn arrive(&mut self, state: &State, forks: u32) -> (u32, bool) {
        let (depth, pc, code) = (state.depth, state.top.pc, &state.top.code);
        let is_it =
            |round: &&mut Round| round.depth == depth && round.pc == pc && Rc::ptr_eq(&round.code, code);
        match self.0.iter_mut().find(is_it) {
            Some(round) => {
                let before = (round.arrivals, forks > round.forks);
                round.arrivals += 1;
                round.forks = forks;
                before
            }
            None => {
                self.0.push(Round { depth, code: Rc::clone(code), pc, arrivals: 1, forks });
                (0, false)
            }
        }
    }

    /// Frames have returned: their loops are over.
    pub fn leave(&mut self, depth: u32) {
        self.0.retain(|round| round.depth <= depth);
    }
}
