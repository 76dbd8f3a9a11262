//! Whatever the term, writing it ends, does not panic, and gives a text of bounded length.

#![allow(clippy::unwrap_used)]

mod inputs;

use formula::Formula;
use inputs::{Inputs, Maker};
use proptest::prelude::*;
use random::Random;
use term::Sort;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn texts_are_bounded(seed in any::<u64>(), depth in 0u32..9, longest in 0usize..300) {
        let mut inputs = Inputs::new();
        let mut maker = Maker { inputs: &mut inputs, random: Random::new(seed) };
        let condition = maker.condition(depth);
        let number = maker.number(32, depth);
        let names = inputs.names();
        let formula = Formula::new(&inputs.terms, &names).at_most(longest);
        for term in [condition, number] {
            let text = formula.text(term);
            prop_assert!(!text.is_empty());
            prop_assert!(text.chars().count() <= longest.max(8), "{text}");
        }
    }
}

#[test]
fn a_deep_chain_and_a_shared_one() {
    let mut inputs = Inputs::new();
    let i = inputs.var("i");
    let (mut deep, mut shared) = (i, i);
    for number in 0..100_000u32 {
        let constant = inputs.terms.bv(32, u128::from(number));
        deep = inputs.terms.bvxor(deep, i);
        deep = inputs.terms.add(deep, constant);
    }
    // As a tree it would have more leaves than there are atoms.
    for _ in 0..300 {
        shared = inputs.terms.mul(shared, shared);
    }
    let names = inputs.names();
    let formula = Formula::new(&inputs.terms, &names);
    for term in [deep, shared] {
        let text = formula.text(term);
        assert!(text.contains('…') && text.chars().count() <= 160, "{text}");
    }
}

#[test]
fn long_names_are_cut() {
    let mut inputs = Inputs::new();
    let name = "ä".repeat(500);
    let long = inputs.terms.fresh(&name, Sort::Bool);
    let text = Formula::new(&inputs.terms, &Unnamed).text(long);
    assert_eq!(text.chars().count(), 61);
}

struct Unnamed;

impl formula::Names for Unnamed {
    fn name(&self, _: term::Symbol) -> Option<String> {
        None
    }

    fn kind(&self, _: term::Symbol) -> formula::Kind {
        formula::Kind::Signed
    }
}
