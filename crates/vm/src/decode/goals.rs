//! Where the goals of a body are: its handlers, and the edges of its conditional jumps and switches without those that the
//! compiler added.

use cil::opcode::Flow;
use cil::{ClauseKind, MethodBody, Module, Operand};

use super::compilers::{compilers_branches, hands_on};
use crate::coverage::{GoalPlaces, HandlerPlace};

/// The goals of a body, up to the first instruction that cannot be decoded.
pub fn goal_places(module: &Module, body: &MethodBody<'_>) -> GoalPlaces {
    let compilers = compilers_branches(module, body);
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for instruction in body.instructions().map_while(Result::ok) {
        if instruction.opcode.flow() != Flow::ConditionalBranch || compilers.contains(&instruction.offset) {
            continue;
        }
        let (from, next) = (instruction.offset, instruction.next_offset());
        match instruction.operand {
            Operand::Target(target) => edges.extend([(from, next), (from, target)]),
            Operand::Switch(targets) => edges.extend(targets.iter().chain([next]).map(|to| (from, to))),
            _ => {}
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let handler = |clause: &cil::ExceptionClause| HandlerPlace {
        start: clause.handler.start,
        catches: matches!(clause.kind, ClauseKind::Catch(_) | ClauseKind::Filter(_))
            && !hands_on(module, body, clause.handler),
    };
    let watched = Vec::new();
    GoalPlaces { handlers: body.clauses.iter().map(handler).collect(), edges, watched }
}
