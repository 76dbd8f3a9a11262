//! The fewest tests: a set cover of edges and bugs, greedy and deterministic.
//!
//! Every edge that some case covers stays covered and every bug keeps a case. Among cases that bring as much, the one
//! that costs less, then the earlier one, is taken; in the end cases that others made superfluous are dropped.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::Hash,
};

/// What a case is good for.
#[derive(Clone, Debug, Default)]
pub struct Merits<Edge, Bug> {
    pub edges: BTreeSet<Edge>,
    /// Such as exception type and the place it is thrown from.
    pub bug: Option<Bug>,
    /// How hard the case is to read: big values, many objects.
    pub cost: u64,
}

/// The indices of the chosen cases, ascending.
pub fn minimize<Edge: Ord + Clone + Hash, Bug: Ord + Clone>(cases: &[Merits<Edge, Bug>]) -> Vec<usize> {
    let goals: Vec<BTreeSet<Goal<Edge, Bug>>> = cases.iter().map(goals).collect();
    let mut open: BTreeSet<&Goal<Edge, Bug>> = goals.iter().flatten().collect();
    let mut chosen: Vec<usize> = Vec::new();
    while !open.is_empty() {
        let gain = |index: usize| {
            goals.get(index).map_or(0, |goals| goals.iter().filter(|g| open.contains(g)).count())
        };
        let cost = |index: usize| cases.get(index).map_or(0, |case| case.cost);
        let best = (0..cases.len())
            .max_by_key(|&index| (gain(index), std::cmp::Reverse(cost(index)), std::cmp::Reverse(index)));
        let Some(best) = best.filter(|best| gain(*best) > 0) else { break };
        for goal in goals.get(best).into_iter().flatten() {
            open.remove(goal);
        }
        chosen.push(best);
    }
    without_superfluous(chosen, &goals)
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Clone)]
enum Goal<Edge, Bug> {
    Edge(Edge),
    Bug(Bug),
    /// A case that covers nothing that can be counted is still the one case of its method.
    Outcome,
}

fn goals<Edge: Ord + Clone, Bug: Ord + Clone>(case: &Merits<Edge, Bug>) -> BTreeSet<Goal<Edge, Bug>> {
    let mut goals: BTreeSet<Goal<Edge, Bug>> = case.edges.iter().cloned().map(Goal::Edge).collect();
    match &case.bug {
        Some(bug) => goals.insert(Goal::Bug(bug.clone())),
        None => goals.insert(Goal::Outcome),
    };
    goals
}

/// Later choices may cover all that an earlier one was taken for.
fn without_superfluous<G: Ord>(mut chosen: Vec<usize>, goals: &[BTreeSet<G>]) -> Vec<usize> {
    let mut count: BTreeMap<&G, usize> = BTreeMap::new();
    for goal in chosen.iter().filter_map(|index| goals.get(*index)).flatten() {
        *count.entry(goal).or_default() += 1;
    }
    // Those that were taken last brought least.
    for position in (0..chosen.len()).rev() {
        let Some(own) = chosen.get(position).and_then(|index| goals.get(*index)) else { continue };
        if own.iter().all(|goal| count.get(goal).copied().unwrap_or_default() > 1) {
            for goal in own {
                if let Some(count) = count.get_mut(goal) {
                    *count -= 1;
                }
            }
            chosen.remove(position);
        }
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn case(edges: &[u32], bug: Option<&'static str>, cost: u64) -> Merits<u32, &'static str> {
        Merits { edges: edges.iter().copied().collect(), bug, cost }
    }

    #[test]
    fn the_fewest_cases_are_taken() {
        let cases =
            [case(&[1], None, 0), case(&[1, 2], None, 5), case(&[2, 3], None, 0), case(&[1, 2, 3], None, 9)];
        assert_eq!(minimize(&cases), [3]);
        let cheap_first = [case(&[1, 2], None, 5), case(&[1, 2], None, 1)];
        assert_eq!(minimize(&cheap_first), [1]);
        let empty: [Merits<u32, &str>; 0] = [];
        assert!(minimize(&empty).is_empty());
        assert_eq!(
            minimize(&[case(&[], None, 3), case(&[], None, 1)]),
            [1],
            "a method without branches has a test"
        );
    }

    #[test]
    fn every_distinct_bug_is_kept() {
        let cases = [
            case(&[1, 2], None, 0),
            case(&[1], Some("DivideByZero@4"), 3),
            case(&[1], Some("DivideByZero@9"), 0),
            case(&[1], Some("DivideByZero@4"), 1),
        ];
        assert_eq!(minimize(&cases), [0, 2, 3]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_superfluous_kept(
            cases in proptest::collection::vec(
                (proptest::collection::btree_set(0u32..12, 0..5), proptest::option::of(0u8..3), 0u64..4), 0..12)
        ) {
            let cases: Vec<Merits<u32, u8>> =
                cases.into_iter().map(|(edges, bug, cost)| Merits { edges, bug, cost }).collect();
            let chosen = minimize(&cases);
            let all = |indices: &[usize]| -> BTreeSet<Goal<u32, u8>> { indices.iter().flat_map(|i| goals(&cases[*i])).collect() };
            let everything: Vec<usize> = (0..cases.len()).collect();
            prop_assert_eq!(all(&chosen).len(), all(&everything).len());
            for dropped in &chosen {
                let rest: Vec<usize> = chosen.iter().copied().filter(|i| i != dropped).collect();
                prop_assert!(all(&rest).len() < all(&chosen).len(), "{} is superfluous", dropped);
            }
        }
    }
}
