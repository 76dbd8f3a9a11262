//! What can be recorded.

use cil::opcode::Flow;
use cil::{MethodBody, MethodDefId, Operand};

/// One thing to record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probe {
    pub method: MethodDefId,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The instruction at this offset is about to be executed. A prefix and its instruction count as one, and so do `box` and
    /// the test of what was boxed. A `ret` after a `tail.` call is reached by jumps only: the call has left the method.
    Reached(u32),
    /// A conditional jump or switch goes somewhere.
    Edge(Edge),
}

/// A way out of a conditional jump or switch, as offsets of instructions. Outcomes with the same target are one edge: the
/// cases of a switch that share it, and both outcomes of a jump to the instruction after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
}

impl Probe {
    pub fn reached(method: MethodDefId, offset: u32) -> Probe {
        Probe { method, place: Place::Reached(offset) }
    }

    pub fn edge(method: MethodDefId, edge: Edge) -> Probe {
        Probe { method, place: Place::Edge(edge) }
    }
}

/// All edges of a body in the order of its jumps; of a jump first the one to the instruction after it, of a switch the
/// cases and then the instruction after it.
pub fn edges(body: &MethodBody<'_>) -> cil::Result<Vec<Edge>> {
    let mut edges = Vec::new();
    for instruction in body.instructions() {
        let instruction = instruction?;
        if instruction.opcode.flow() != Flow::ConditionalBranch {
            continue;
        }
        let (from, next) = (instruction.offset, instruction.next_offset());
        let first = edges.len();
        let mut add = |to: u32| {
            let edge = Edge { from, to };
            if !edges.get(first..).is_some_and(|known| known.contains(&edge)) {
                edges.push(edge);
            }
        };
        match instruction.operand {
            Operand::Target(target) => [next, target].into_iter().for_each(&mut add),
            Operand::Switch(targets) => targets.iter().chain([next]).for_each(&mut add),
            _ => {}
        }
    }
    Ok(edges)
}
