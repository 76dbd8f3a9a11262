//! What there is to cover in a body: its instructions and the outgoing edges of its conditional jumps and switches, without
//! those that the compiler added.

use cil::opcode::Flow;
use cil::{Instruction, MethodBody, Module, Operand};

use crate::subject::target::{Edge, Goals, Span, Then};

/// The goals of a body, up to the first instruction that cannot be decoded.
pub fn of(module: &Module, body: &MethodBody<'_>) -> Goals {
    let span = |instruction: Instruction<'_>| Span {
        offset: instruction.offset,
        size: instruction.size,
        then: then(&instruction),
    };
    let places = vm::decode::goal_places(module, body);
    Goals {
        instructions: body.instructions().map_while(Result::ok).map(span).collect(),
        branches: places.edges.into_iter().map(|(from, to)| Edge { from, to }).collect(),
    }
}

fn then(instruction: &Instruction<'_>) -> Then {
    match (instruction.opcode.flow(), instruction.operand) {
        (Flow::Branch, Operand::Target(target)) => Then::Jump(target),
        (Flow::Branch | Flow::ConditionalBranch | Flow::Return | Flow::Throw, _) => Then::Elsewhere,
        (Flow::Next | Flow::Call | Flow::Prefix | Flow::Break, _) => Then::Next,
    }
}
