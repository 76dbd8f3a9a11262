//! The layer that tries out small domains, against the core on the same questions.

use proptest::prelude::*;
use solver::{Answer, Config, Limits, Solver};
use term::{Sort, Term, Terms};

#[derive(Clone, Copy, Debug)]
enum Relation {
    Below,
    Above,
    SignedBelow,
    SignedAbove,
    Is,
    IsNot,
    WindowBelow,
}

fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        Just(Relation::Below),
        Just(Relation::Above),
        Just(Relation::SignedBelow),
        Just(Relation::SignedAbove),
        Just(Relation::Is),
        Just(Relation::IsNot),
        Just(Relation::WindowBelow),
    ]
}

fn constraint(terms: &mut Terms, subject: Term, relation: Relation, value: u128, offset: u128) -> Term {
    let width = terms.width(subject);
    let mask = term::mask(width);
    let constant = terms.bv(width, value & mask);
    match relation {
        Relation::Below => terms.ult(subject, constant),
        Relation::Above => terms.ugt(subject, constant),
        Relation::SignedBelow => terms.sle(subject, constant),
        Relation::SignedAbove => terms.sge(subject, constant),
        Relation::Is => terms.eq(subject, constant),
        Relation::IsNot => terms.ne(subject, constant),
        Relation::WindowBelow => {
            let offset = terms.bv(width, offset & mask);
            let moved = terms.add(subject, offset);
            terms.ult(moved, constant)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Bounds of every form around small and extreme numbers, on the symbols and on what is computed from them.
    #[test]
    fn decides_as_the_core_does(
        width in prop_oneof![Just(3u32), Just(8), Just(32), Just(64)],
        parts in prop::collection::vec((0usize..5, relation(), 0u128..40, any::<bool>(), 0u128..60), 1..6),
    ) {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bv(width)));
        let sum = terms.add(x, y);
        let product = terms.mul(x, y);
        let seven = terms.bv(width, 7 & term::mask(width));
        let quotient = terms.udiv(product, seven);
        let subjects = [x, y, x, sum, quotient];
        let mut conjuncts = Vec::new();
        for (subject, relation, value, negative, offset) in parts {
            let value = if negative { value.wrapping_neg() } else { value };
            conjuncts.push(constraint(&mut terms, subjects[subject], relation, value, offset));
        }
        let ask = |terms: &mut Terms, query: &[Term], enumeration: bool| {
            let config = Config { enumeration, recent_models: false, cache: false, ..Config::default() };
            let mut solver = Solver::new(config);
            let limits = Limits { conflicts: Some(20_000), ..Limits::default() };
            let answer = solver.check(terms, &[], query, &limits);
            (answer, solver.stats().clone())
        };
        let (with, stats) = ask(&mut terms, &conjuncts, true);
        let (without, _) = ask(&mut terms, &conjuncts, false);
        prop_assert_eq!(stats.invalid_models, 0);
        match (&with, &without) {
            (Answer::Sat(_), Answer::Sat(_)) | (_, Answer::Unknown(_)) => {}
            (Answer::Unsat(core), Answer::Unsat(_)) => {
                prop_assert!(core.iter().all(|term| conjuncts.contains(term)));
                let (again, _) = ask(&mut terms, core, false);
                prop_assert!(!again.is_sat(), "the core must be contradictory by itself");
            }
            _ => prop_assert!(false, "{:?} against {:?}", with, without),
        }
    }
}

#[test]
fn a_long_computation_on_a_small_domain_needs_no_core() {
    let mut terms = Terms::new();
    let n = terms.fresh("n", Sort::Bv(32));
    let [one, two, three, thirty] = [1, 2, 3, 30].map(|v| terms.bv(32, v));
    let low = terms.sge(n, one);
    let high = terms.sle(n, thirty);
    // Twenty rounds of the Collatz function.
    let mut value = n;
    for _ in 0..20 {
        let bit = terms.bvand(value, one);
        let odd = terms.eq(bit, one);
        let half = terms.sdiv(value, two);
        let triple = terms.mul(value, three);
        let next = terms.add(triple, one);
        value = terms.ite(odd, next, half);
    }
    let eight = terms.bv(32, 8);
    let query = terms.eq(value, eight);
    let mut solver = Solver::new(Config::default());
    let answer = solver.check(&mut terms, &[low, high], &[query], &Limits::default());
    assert!(answer.is_sat(), "{answer:?}");
    assert_eq!((solver.stats().by_enumeration, solver.stats().core_calls), (1, 0));
}
