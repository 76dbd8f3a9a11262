//! What there is to cover in a method: its instructions and the outgoing edges of its conditional jumps and switches,
//! without those that the compiler added.

use cil::opcode::Flow;
use cil::{Instruction, MethodBody, Module, Operand};

use crate::subject::target::{Edge, Goals, Span};

/// The goals of a body, up to the first instruction that cannot be decoded.
pub fn of(module: &Module, body: &MethodBody<'_>) -> Goals {
    let mut goals = Goals::default();
    let compilers = vm::compilers_branches(module, body);
    for instruction in body.instructions().map_while(Result::ok) {
        goals.instructions.push(Span { offset: instruction.offset, size: instruction.size });
        if !compilers.contains(&instruction.offset) {
            add_edges(&instruction, &mut goals.branches);
        }
    }
    goals.branches.sort();
    goals.branches.dedup();
    goals
}

fn add_edges(instruction: &Instruction<'_>, edges: &mut Vec<Edge>) {
    let mut edge = |to| edges.push(Edge { from: instruction.offset, to });
    match instruction.operand {
        Operand::Target(target) if instruction.opcode.flow() == Flow::ConditionalBranch => {
            edge(instruction.next_offset());
            edge(target);
        }
        Operand::Switch(targets) => {
            edge(instruction.next_offset());
            (0..targets.len()).filter_map(|i| targets.get(i)).for_each(edge);
        }
        _ => {}
    }
}
