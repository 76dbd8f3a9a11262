//! Which probes belong to which instruction of one body.

use crate::code::Code;
use crate::error::{Error, Result};
use crate::probe::{Edge, Place, Probe};

/// The probes of one body, as numbers of the whole list, in the order of the instructions.
pub(crate) struct Placement {
    /// Instruction and probe.
    reached: Vec<(usize, usize)>,
    edges: Vec<(Edge, usize)>,
}

impl Placement {
    /// `numbers` are those of `probes` that are for this body.
    pub fn of(code: &Code<'_>, numbers: impl Iterator<Item = usize>, probes: &[Probe]) -> Result<Placement> {
        let mut placement = Placement { reached: Vec::new(), edges: Vec::new() };
        for number in numbers {
            match probes.get(number).map(|probe| probe.place) {
                Some(Place::Reached(offset)) => {
                    let Some(index) = code.index_of(offset) else {
                        return Err(Error::NoInstruction { method: code.method, offset });
                    };
                    placement.reached.push((code.start_of_unit(index), number));
                }
                Some(Place::Edge(edge)) => {
                    if !has_edge(code, edge) {
                        return Err(Error::NoEdge { method: code.method, from: edge.from, to: edge.to });
                    }
                    placement.edges.push((edge, number));
                }
                None => {}
            }
        }
        placement.reached.sort_unstable();
        placement.edges.sort_unstable();
        Ok(placement)
    }

    /// Probes to fire before instruction `index`.
    pub fn reached(&self, index: usize) -> impl Iterator<Item = usize> + Clone {
        let first = self.reached.partition_point(|(other, _)| *other < index);
        let rest = self.reached.get(first..).unwrap_or_default().iter();
        rest.take_while(move |(other, _)| *other == index).map(|(_, probe)| *probe)
    }

    /// Probes to fire when the jump at offset `from` goes to offset `to`.
    pub fn taken(&self, from: u32, to: u32) -> impl Iterator<Item = usize> + Clone {
        let edge = Edge { from, to };
        let first = self.edges.partition_point(|(other, _)| *other < edge);
        let rest = self.edges.get(first..).unwrap_or_default().iter();
        rest.take_while(move |(other, _)| *other == edge).map(|(_, probe)| *probe)
    }
}

fn has_edge(code: &Code<'_>, edge: Edge) -> bool {
    let instruction = code.index_of(edge.from).and_then(|index| code.instructions.get(index));
    let Some(instruction) = instruction else { return false };
    if instruction.opcode.flow() != cil::opcode::Flow::ConditionalBranch {
        return false;
    }
    let to_target = match instruction.operand {
        cil::Operand::Target(target) => target == edge.to,
        cil::Operand::Switch(targets) => targets.iter().any(|target| target == edge.to),
        _ => false,
    };
    to_target || instruction.next_offset() == edge.to
}
