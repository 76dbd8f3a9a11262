//! Terms a million deep: nothing may recurse.

use rustc_hash::FxHashMap;
use term::{Const, Model, Sort, Term, Terms};

const DEPTH: u32 = 1_000_000;

/// A tower in which nothing simplifies: alternating operators over fresh bits of one symbol.
fn tower(terms: &mut Terms, x: Term, y: Term) -> Term {
    let mut t = x;
    for i in 0..DEPTH {
        t = match i % 3 {
            0 => terms.mul(t, y),
            1 => terms.bvand(t, y),
            _ => terms.add(t, x),
        };
    }
    t
}

#[test]
fn deep_terms_are_evaluated_substituted_measured_and_printed() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Bv(32)), terms.symbol("y", Sort::Bv(32)));
    let (vx, vy) = (terms.var(x), terms.var(y));
    let t = tower(&mut terms, vx, vy);
    assert!(terms.size(t) > DEPTH as usize);
    assert_eq!(*terms.symbols_of(t), [x, y]);

    let bv = |value| Const::Bv { width: 32, value };
    let model: Model = [(x, bv(3)), (y, bv(0xffff_fff7))].into_iter().collect();
    let mut expected = 3u32;
    for i in 0..DEPTH {
        expected = match i % 3 {
            0 => expected.wrapping_mul(0xffff_fff7),
            1 => expected & 0xffff_fff7,
            _ => expected.wrapping_add(3),
        };
    }
    assert_eq!(terms.eval(t, &model), bv(expected as u128));

    let three = terms.bv(32, 3);
    let map: FxHashMap<_, _> = [(x, three)].into_iter().collect();
    let half = terms.substitute(t, &map);
    assert_eq!(terms.eval(half, &model), bv(expected as u128));
    assert!(terms.display(t).len() > DEPTH as usize);
}

#[test]
fn deep_conditions_and_chains_are_built_without_recursion() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bv(64));
    let mut chain = terms.bv(64, 0);
    let mut all = terms.true_();
    for i in 0..200_000u32 {
        let key = terms.bv(64, i as u128 * 7);
        let hit = terms.eq(x, key);
        let value = terms.bv(64, i as u128);
        chain = terms.ite(hit, value, chain);
        let miss = terms.not(hit);
        all = terms.and(all, miss);
    }
    let five = terms.bv(64, 5);
    let is_five = terms.eq(chain, five);
    let both = terms.and(all, is_five);
    let symbol = terms.symbols_of(x)[0];
    let model: Model = [(symbol, Const::Bv { width: 64, value: 35 })].into_iter().collect();
    assert!(terms.eval(is_five, &model).is_true());
    assert!(!terms.eval(both, &model).is_true());
}
