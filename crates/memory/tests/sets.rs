//! Sets of indexes and of index tuples against brute force.

use memory::{Points, Region};
use proptest::prelude::*;

/// Elements that are looked at; sets are over fewer, so some element is in no finite set.
const UNIVERSE: u32 = 7;

fn points() -> impl Strategy<Value = Points> {
    (any::<bool>(), prop::collection::vec(0..UNIVERSE - 1, 0..6)).prop_map(|(finite, set)| match finite {
        true => Points::only(set),
        false => Points::all_but(set),
    })
}

fn region(rank: usize) -> impl Strategy<Value = Region> {
    prop::collection::vec(points(), rank).prop_map(Region::product)
}

fn tuples(rank: usize) -> Vec<Vec<u32>> {
    (0..rank).fold(vec![vec![]], |tuples, _| {
        let longer = |tuple: &Vec<u32>| {
            let tuple = tuple.clone();
            (0..UNIVERSE).map(move |last| [tuple.as_slice(), &[last]].concat())
        };
        tuples.iter().flat_map(longer).collect()
    })
}

fn check_regions(rank: usize, a: &Region, b: &Region) {
    let (both, parts) = (a.intersection(b), a.difference(b));
    let tuples = tuples(rank);
    for tuple in &tuples {
        let (in_a, in_b) = (a.contains(tuple), b.contains(tuple));
        assert_eq!(both.contains(tuple), in_a && in_b);
        let holders = parts.iter().filter(|part| part.contains(tuple)).count();
        assert_eq!(holders, usize::from(in_a && !in_b), "{tuple:?} in {a:?} without {b:?}: {parts:?}");
    }
    assert_eq!(a.intersects(b), tuples.iter().any(|t| a.contains(t) && b.contains(t)));
    assert_eq!(a.is_subset(b), tuples.iter().all(|t| !a.contains(t) || b.contains(t)));
    assert_eq!(a.is_empty(), !tuples.iter().any(|t| a.contains(t)));
    assert_eq!(a.is_all(), tuples.iter().all(|t| a.contains(t)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn points_are_sets(a in points(), b in points()) {
        let (union, both, only_a, not_a) = (a.union(&b), a.intersection(&b), a.difference(&b), a.complement());
        for p in 0..UNIVERSE {
            let (in_a, in_b) = (a.contains(p), b.contains(p));
            assert_eq!(union.contains(p), in_a || in_b);
            assert_eq!(both.contains(p), in_a && in_b);
            assert_eq!(only_a.contains(p), in_a && !in_b);
            assert_eq!(not_a.contains(p), !in_a);
        }
        let any = |wanted: &dyn Fn(u32) -> bool| (0..UNIVERSE).any(wanted);
        assert_eq!(a.is_empty(), !any(&|p| a.contains(p)));
        assert_eq!(a.is_all(), !any(&|p| !a.contains(p)));
        assert_eq!(a.intersects(&b), any(&|p| a.contains(p) && b.contains(p)));
        assert_eq!(a.is_subset(&b), !any(&|p| a.contains(p) && !b.contains(p)));
        assert_eq!(a == b, !any(&|p| a.contains(p) != b.contains(p)), "equal sets are equal values");
    }

    #[test]
    fn regions_of_rank_one(a in region(1), b in region(1)) {
        check_regions(1, &a, &b);
    }

    #[test]
    fn regions_of_rank_two(a in region(2), b in region(2)) {
        check_regions(2, &a, &b);
    }

    #[test]
    fn regions_of_rank_three(a in region(3), b in region(3)) {
        check_regions(3, &a, &b);
    }
}

#[test]
fn of_no_dimensions_there_is_one_tuple() {
    let all = Region::all(0);
    assert!(all.contains(&[]) && all.is_all() && !all.is_empty());
    assert_eq!(all.difference(&all), []);
}
