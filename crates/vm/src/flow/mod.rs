//! Control flow as data: where execution can go from every operation of a body, exceptional ways included.
//!
//! [`Code::flow`](crate::code::Code::flow) has it for any body. It over-approximates: a way too many costs time, a way too
//! few would be a false proof. So exceptions are matched with handlers by place alone, never by type.
//!
//! Nodes are the numbers of operations, which are those of the IL's instructions; one more, [`ControlFlow::exit`], stands
//! for whatever is outside: the method has returned, or an exception has left it.

mod calls;
mod distance;
mod dominators;
mod order;
mod outside;
mod ways;

use crate::code::Code;
use crate::coverage::BitSet;

pub use calls::{Away, CallGraph};
pub use distance::Distances;
pub use dominators::PostDominators;

/// The control-flow graph of one body.
#[derive(Debug)]
pub struct ControlFlow {
    /// By operation; none go out of the exit.
    successors: Vec<Vec<Way>>,
    predecessors: Vec<Vec<u32>>,
    /// Reachable nodes in reverse post-order of a depth-first search from the entry.
    order: Vec<u32>,
    /// The place of each node in that order.
    position: Vec<Option<u32>>,
    loop_heads: BitSet,
}

/// A way out of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Way {
    pub to: u32,
    pub kind: WayKind,
}

/// Why execution goes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WayKind {
    /// To the operation after it, or an unconditional jump.
    Next,
    /// The jump of a condition is taken.
    Taken,
    /// The jump of a condition is not taken, or no case of a switch fits.
    Else,
    /// Case of a switch.
    Case(u32),
    /// `leave`: to its target, or to the finally handler that comes first.
    Leave,
    /// After a finally handler, on the way to the target of a `leave`.
    Resume,
    /// Out of the method, to its caller.
    Return,
    /// Something is thrown here or comes out of a call: to a filter, a handler, or out of the method. The end of a
    /// filter, finally or fault handler goes on in the same way.
    Exception,
}

impl WayKind {
    /// Whether it is there only because something is thrown.
    pub fn is_exceptional(self) -> bool {
        self == WayKind::Exception
    }
}

impl ControlFlow {
    pub(crate) fn of(code: &Code) -> ControlFlow {
        ControlFlow::from_successors(ways::of(code))
    }

    fn from_successors(successors: Vec<Vec<Way>>) -> ControlFlow {
        let mut predecessors = vec![Vec::new(); successors.len() + 1];
        for (from, ways) in successors.iter().enumerate() {
            for way in ways {
                let into: &mut Vec<u32> = &mut predecessors[way.to as usize];
                if into.last() != Some(&(from as u32)) {
                    into.push(from as u32);
                }
            }
        }
        let (order, position) = order::reverse_post_order(&successors);
        let loop_heads = order::loop_heads(&successors, &position);
        ControlFlow { successors, predecessors, order, position, loop_heads }
    }

    /// The node outside of the body.
    pub fn exit(&self) -> u32 {
        self.successors.len() as u32
    }

    /// Where execution can go from an operation: sorted, each way once.
    pub fn successors(&self, op: u32) -> &[Way] {
        self.successors.get(op as usize).map_or(&[], Vec::as_slice)
    }

    /// The operations from which execution can come to a node: sorted, each once.
    pub fn predecessors(&self, node: u32) -> &[u32] {
        self.predecessors.get(node as usize).map_or(&[], Vec::as_slice)
    }

    /// Whether execution can go from one operation to another in one step.
    pub fn has_way(&self, from: u32, to: u32) -> bool {
        self.successors(from).iter().any(|way| way.to == to)
    }

    /// Whether there is a way from the entry.
    pub fn is_reachable(&self, node: u32) -> bool {
        self.place_in_order(node).is_some()
    }

    /// Reachable nodes in reverse post-order: along the graph but for what goes back.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of a node in [`ControlFlow::order`].
    pub fn place_in_order(&self, node: u32) -> Option<u32> {
        self.position.get(node as usize).copied().flatten()
    }

    /// Whether the way from one operation to another goes back in [`ControlFlow::order`]: every cycle has such a way.
    pub fn goes_back(&self, from: u32, to: u32) -> bool {
        match (self.place_in_order(from), self.place_in_order(to)) {
            (Some(from), Some(to)) => to <= from,
            _ => false,
        }
    }

    /// Whether some way that goes back leads here: every cycle has such an operation, also one with several entries.
    pub fn is_loop_head(&self, op: u32) -> bool {
        self.loop_heads.contains(op)
    }

    pub fn loop_heads(&self) -> &BitSet {
        &self.loop_heads
    }

    /// The operations of all cycles through a loop head that pass no node before it in the order, the head included.
    pub fn loop_body(&self, head: u32) -> BitSet {
        order::loop_body(self, head)
    }

    /// How far it is from each operation to the nearest of these.
    pub fn distances_to(&self, targets: impl IntoIterator<Item = u32>) -> Distances {
        self.costs_to(targets.into_iter().map(|target| (target, 0)))
    }

    /// The same where something else is to be added at each target: how far it is from inside of what is called there.
    pub fn costs_to(&self, targets: impl IntoIterator<Item = (u32, u32)>) -> Distances {
        distance::to(self, targets)
    }

    /// What every way out of the method passes; `exceptional`: also the ways of exceptions.
    pub fn post_dominators(&self, exceptional: bool) -> PostDominators {
        dominators::post_dominators(self, exceptional)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A graph given by its edges; the exit is the last node.
    pub(crate) fn graph(nodes: u32, edges: &[(u32, u32)]) -> ControlFlow {
        let mut successors = vec![Vec::new(); nodes as usize];
        for &(from, to) in edges {
            successors[from as usize].push(Way { to, kind: WayKind::Next });
        }
        ControlFlow::from_successors(successors)
    }
}
