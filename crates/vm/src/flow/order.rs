//! Reverse post-order, and the loops that it shows.

use super::{ControlFlow, Way};
use crate::coverage::BitSet;

/// The reachable nodes in reverse post-order, and the place of each in it. Entry is 0, the exit the number of operations.
pub(super) fn reverse_post_order(successors: &[Vec<Way>]) -> (Vec<u32>, Vec<Option<u32>>) {
    let count = successors.len() + 1;
    let mut seen = BitSet::default();
    let mut order = Vec::with_capacity(count);
    // A node and how many of its successors were visited: bodies can be deeper than our own stack.
    let mut stack: Vec<(u32, usize)> = Vec::new();
    if !successors.is_empty() {
        seen.insert(0);
        stack.push((0, 0));
    }
    while let Some((node, visited)) = stack.last_mut() {
        let ways = successors.get(*node as usize).map_or(&[][..], Vec::as_slice);
        // The last one first: so what is first in the text is first in the order.
        let way = ways.len().checked_sub(*visited + 1).and_then(|index| ways.get(index));
        *visited += 1;
        match way {
            Some(way) if seen.insert(way.to) => stack.push((way.to, 0)),
            Some(_) => {}
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    let mut position = vec![None; count];
    for (place, node) in (0..).zip(&order) {
        position[*node as usize] = Some(place);
    }
    (order, position)
}

/// Targets of ways that go back.
pub(super) fn loop_heads(successors: &[Vec<Way>], position: &[Option<u32>]) -> BitSet {
    let mut heads = BitSet::default();
    for (from, ways) in successors.iter().enumerate() {
        let Some(from) = position[from] else { continue };
        let back = ways.iter().filter(|way| position[way.to as usize].is_some_and(|to| to <= from));
        heads.extend(back.map(|way| way.to));
    }
    heads
}

/// What lies on cycles through the head without passing a node that comes before it.
pub(super) fn loop_body(flow: &ControlFlow, head: u32) -> BitSet {
    let mut body = BitSet::default();
    if !flow.is_loop_head(head) {
        return body;
    }
    body.insert(head);
    let mut open: Vec<u32> =
        flow.predecessors(head).iter().copied().filter(|from| flow.goes_back(*from, head)).collect();
    while let Some(node) = open.pop() {
        let is_after = flow.place_in_order(node) > flow.place_in_order(head);
        if is_after && body.insert(node) {
            open.extend(flow.predecessors(node));
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use crate::flow::tests::graph;

    #[test]
    fn a_loop_has_its_head_and_body() {
        // 0 → 1 ⇄ 2, 1 → 3 → exit
        let flow = graph(4, &[(0, 1), (1, 2), (2, 1), (1, 3), (3, 4)]);
        assert_eq!(flow.loop_heads().iter().collect::<Vec<_>>(), [1]);
        assert_eq!(flow.loop_body(1).iter().collect::<Vec<_>>(), [1, 2]);
        assert!(flow.goes_back(2, 1) && !flow.goes_back(1, 2));
        assert!(flow.loop_body(3).is_empty());
    }

    #[test]
    fn every_cycle_has_a_head_also_with_two_entries() {
        // 0 → 1 ⇄ 2 ← 0
        let flow = graph(3, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
        assert_eq!(flow.loop_heads().len(), 1);
    }

    #[test]
    fn loops_inside_each_other() {
        // 1 is the outer head, 2 the inner one.
        let flow = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5)]);
        assert_eq!(flow.loop_heads().iter().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(flow.loop_body(2).iter().collect::<Vec<_>>(), [2, 3]);
        assert_eq!(flow.loop_body(1).iter().collect::<Vec<_>>(), [1, 2, 3, 4]);
    }

    #[test]
    fn an_operation_may_jump_to_itself() {
        let flow = graph(1, &[(0, 0)]);
        assert!(flow.is_loop_head(0));
        assert_eq!(flow.loop_body(0).len(), 1);
    }

    #[test]
    fn what_nobody_reaches_has_no_place() {
        let flow = graph(3, &[(0, 3), (1, 2), (2, 1)]);
        assert!(!flow.is_reachable(1) && flow.loop_heads().is_empty());
        assert_eq!(flow.order(), [0, 3]);
    }
}
