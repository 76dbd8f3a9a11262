//! Polished models: wishes are granted in order, constraints always kept.

use solver::{Config, Limits, Solver};
use term::{Sort, Term, Terms};

fn below(terms: &mut Terms, word: Term, limit: u128) -> Term {
    let limit = terms.bv(32, limit);
    terms.ult(word, limit)
}

#[test]
fn small_values_are_preferred_where_possible() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", Sort::Bv(32)), terms.fresh("y", Sort::Bv(32)));
    let product = terms.mul(x, y);
    let value = terms.bv(32, 391);
    let hard = [terms.eq(product, value), {
        let one = terms.bv(32, 1);
        terms.ugt(x, one)
    }];
    let mut solver = Solver::new(Config::default());
    let limits = Limits::default();
    let answer = solver.check(&mut terms, &[], &hard, &limits);
    let model = answer.model().unwrap().clone();
    let (small_x, small_y) = (below(&mut terms, x, 100), below(&mut terms, y, 100));
    let impossible = below(&mut terms, x, 3);
    let soft = [small_x, impossible, small_y];
    let better = solver.prefer(&mut terms, &hard, &model, &soft, &limits);
    for constraint in hard {
        assert!(terms.eval(constraint, &better).is_true());
    }
    assert!(terms.eval(small_x, &better).is_true());
    assert!(terms.eval(small_y, &better).is_true());
    assert!(!terms.eval(impossible, &better).is_true());
    let values: Vec<u128> = [x, y].map(|word| terms.eval(word, &better).bits()).to_vec();
    assert!(values == [17, 23] || values == [23, 17], "{values:?}");
}

#[test]
fn without_time_the_model_stays_as_it_is() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bv(32));
    let hard = [below(&mut terms, x, 1000)];
    let mut solver = Solver::new(Config::default());
    let answer = solver.check(&mut terms, &[], &hard, &Limits::default());
    let model = answer.model().unwrap().clone();
    let ten = terms.bv(32, 10);
    let soft = [terms.eq(x, ten)];
    let now = Limits::until(std::time::Instant::now());
    assert_eq!(solver.prefer(&mut terms, &hard, &model, &soft, &now), model);
}
