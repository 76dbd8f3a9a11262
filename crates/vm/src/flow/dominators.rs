//! Post-dominators: what every way out of a method passes (Cooper, Harvey and Kennedy's algorithm on the reversed graph).

use super::ControlFlow;

/// The nearest node that every way from a node to the exit passes.
#[derive(Clone, Debug)]
pub struct PostDominators {
    immediate: Vec<Option<u32>>,
}

impl PostDominators {
    /// The nearest one of a node. None of the exit, and of a node from which there is no way out.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        self.immediate.get(node as usize).copied().flatten()
    }

    /// Whether every way out from `node` passes `by`. A node passes itself.
    pub fn passes(&self, node: u32, by: u32) -> bool {
        std::iter::successors(Some(node), |node| self.immediate(*node)).any(|passed| passed == by)
    }
}

pub(super) fn post_dominators(flow: &ControlFlow, exceptional: bool) -> PostDominators {
    let exit = flow.exit();
    let count = exit as usize + 1;
    let ways = |node: u32| {
        let all = flow.successors(node).iter();
        all.filter(move |way| exceptional || !way.kind.is_exceptional()).map(|way| way.to)
    };
    let order = backward_order(flow, exceptional);
    let mut place = vec![usize::MAX; count];
    order.iter().enumerate().for_each(|(index, node)| place[*node as usize] = index);
    let mut immediate: Vec<Option<u32>> = vec![None; count];
    immediate[exit as usize] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().skip(1) {
            let settled = ways(node).filter(|to| immediate[*to as usize].is_some());
            let nearest = settled.reduce(|a, b| common(&immediate, &place, a, b));
            if immediate[node as usize] != nearest {
                immediate[node as usize] = nearest;
                changed = true;
            }
        }
    }
    immediate[exit as usize] = None;
    PostDominators { immediate }
}

/// The nearest node that both pass.
fn common(immediate: &[Option<u32>], place: &[usize], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        let behind = if place[a as usize] > place[b as usize] { &mut a } else { &mut b };
        match immediate[*behind as usize] {
            Some(next) => *behind = next,
            None => return *behind,
        }
    }
    a
}

/// From the exit backwards, in reverse post-order.
fn backward_order(flow: &ControlFlow, exceptional: bool) -> Vec<u32> {
    let exit = flow.exit();
    let mut seen = vec![false; exit as usize + 1];
    let mut order = Vec::new();
    let mut stack = vec![(exit, 0)];
    seen[exit as usize] = true;
    while let Some((node, visited)) = stack.last_mut() {
        let node = *node;
        let from = flow.predecessors(node).get(*visited).copied();
        *visited += 1;
        let Some(from) = from else {
            order.push(node);
            stack.pop();
            continue;
        };
        let leads = |from: u32| {
            let mut ways = flow.successors(from).iter();
            ways.any(|way| way.to == node && (exceptional || !way.kind.is_exceptional()))
        };
        if !seen[from as usize] && leads(from) {
            seen[from as usize] = true;
            stack.push((from, 0));
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use crate::flow::tests::graph;

    #[test]
    fn both_arms_meet_again() {
        // 0 → 1, 2 → 3 → exit
        let flow = graph(4, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)]);
        let after = flow.post_dominators(true);
        assert_eq!(
            (0..5).map(|node| after.immediate(node)).collect::<Vec<_>>(),
            [Some(3), Some(3), Some(3), Some(4), None]
        );
        assert!(after.passes(0, 3) && after.passes(0, 4) && !after.passes(0, 1));
    }

    #[test]
    fn a_loop_is_left_through_its_head() {
        let flow = graph(4, &[(0, 1), (1, 2), (2, 1), (1, 3), (3, 4)]);
        let after = flow.post_dominators(true);
        assert_eq!((after.immediate(2), after.immediate(1)), (Some(1), Some(3)));
    }

    #[test]
    fn no_way_out_no_post_dominator() {
        let flow = graph(3, &[(0, 1), (0, 2), (1, 1), (2, 3)]);
        let after = flow.post_dominators(true);
        assert_eq!((after.immediate(1), after.immediate(0)), (None, Some(2)));
    }
}
