//! How far it is to a place inside of a method.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::ControlFlow;

/// Distances to the nearest of some nodes, in operations.
#[derive(Clone, Debug)]
pub struct Distances {
    by_node: Vec<Option<u32>>,
}

impl Distances {
    /// From this node; none if there is no way at all.
    pub fn from(&self, node: u32) -> Option<u32> {
        self.by_node.get(node as usize).copied().flatten()
    }
}

pub(super) fn to(flow: &ControlFlow, targets: impl IntoIterator<Item = (u32, u32)>) -> Distances {
    let mut by_node: Vec<Option<u32>> = vec![None; flow.exit() as usize + 1];
    let mut open: BinaryHeap<Reverse<(u32, u32)>> =
        targets.into_iter().map(|(target, cost)| Reverse((cost, target))).collect();
    while let Some(Reverse((cost, node))) = open.pop() {
        let Some(known @ None) = by_node.get_mut(node as usize) else { continue };
        *known = Some(cost);
        let next = cost.saturating_add(1);
        open.extend(flow.predecessors(node).iter().map(|from| Reverse((next, *from))));
    }
    Distances { by_node }
}

#[cfg(test)]
mod tests {
    use crate::flow::tests::graph;

    #[test]
    fn the_shortest_way_to_the_nearest() {
        let flow = graph(5, &[(0, 1), (0, 2), (1, 3), (2, 4), (4, 3), (3, 5)]);
        let to_three = flow.distances_to([3]);
        assert_eq!(
            (0..6).map(|node| to_three.from(node)).collect::<Vec<_>>(),
            [Some(2), Some(1), Some(2), Some(0), Some(1), None]
        );
        assert_eq!(flow.distances_to([3, 2]).from(0), Some(1));
        assert_eq!(flow.distances_to([]).from(0), None);
    }
}
