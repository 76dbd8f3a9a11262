//! Each layer alone, and the whole chain on sessions that look like paths.

#[path = "../../term/tests/reference/mod.rs"]
mod reference;

use reference::{Expr, Random, Shape};
use solver::{Answer, Config, Limits, Solver};
use term::{Const, Model, Sort, Term, Terms};

fn limits() -> Limits {
    Limits::default()
}

fn bare() -> Config {
    Config {
        recent_models: false,
        independence: false,
        cache: false,
        narrowing: false,
        small_first: false,
        enumeration: false,
        minimise_cores: false,
        second_configuration: false,
        ..Config::default()
    }
}

fn all_hold(terms: &Terms, constraints: &[&[Term]], model: &Model) -> bool {
    constraints.iter().copied().flatten().all(|&constraint| terms.eval(constraint, model).is_true())
}

/// Walks a random tree of decisions as an explorer does and returns the verdicts; every model and core is checked.
fn walk(seed: u64, config: Config) -> (Vec<bool>, Solver) {
    let mut r = Random::new(seed);
    let mut terms = Terms::new();
    let shape = Shape { widths: vec![8, 8, 16, 16, 0] };
    let symbols = shape.symbols(&mut terms);
    let conditions: Vec<Term> =
        (0..10).map(|_| Expr::random(&mut r, &shape, 0, 3).build(&mut terms, &symbols)).collect();
    let mut solver = Solver::new(config);
    let mut verdicts = Vec::new();
    let mut states: Vec<(Vec<Term>, Model, usize)> = vec![(Vec::new(), Model::new(), 0)];
    while let Some((path, model, depth)) = states.pop() {
        let Some(&condition) = conditions.get(depth).filter(|_| verdicts.len() < 60) else { continue };
        for guard in [condition, terms.not(condition)] {
            match solver.check_with_hint(&mut terms, &path, &[guard], Some(&model), &limits()) {
                Answer::Sat(found) => {
                    assert!(all_hold(&terms, &[&path, &[guard]], &found));
                    verdicts.push(true);
                    let mut longer = path.clone();
                    longer.push(guard);
                    states.push((longer, found, depth + 1));
                }
                Answer::Unsat(core) => {
                    assert!(core.iter().all(|term| path.contains(term) || *term == guard));
                    let alone = Solver::new(bare()).check(&mut terms, &[], &core, &limits());
                    assert!(alone.is_unsat(), "the core is satisfiable");
                    verdicts.push(false);
                }
                Answer::Unknown(why) => panic!("{why}"),
            }
        }
    }
    (verdicts, solver)
}

#[test]
fn switching_any_layer_off_changes_no_verdict() {
    for seed in 0..12 {
        let (expected, _) = walk(seed, bare());
        let full = Config::default();
        let variants = [
            Config { recent_models: false, ..full.clone() },
            Config { independence: false, ..full.clone() },
            Config { cache: false, ..full.clone() },
            Config { narrowing: false, ..full.clone() },
            Config { small_first: false, ..full.clone() },
            Config { enumeration: false, ..full.clone() },
            Config { minimise_cores: false, ..full.clone() },
            Config { second_configuration: false, ..full.clone() },
            full,
        ];
        for config in variants {
            // the order in which models are found steers the walk, so only its set of answers is compared
            let described = format!("{config:?}");
            let (mut verdicts, _) = walk(seed, config);
            let mut expected = expected.clone();
            verdicts.sort_unstable();
            expected.sort_unstable();
            assert_eq!(verdicts, expected, "seed {seed}, {described}");
        }
    }
}

#[test]
fn the_same_queries_have_the_same_answers_and_models() {
    let transcript = |seed| {
        let mut r = Random::new(seed);
        let mut terms = Terms::new();
        let shape = Shape { widths: vec![32, 32, 8, 0] };
        let symbols = shape.symbols(&mut terms);
        let mut solver = Solver::new(Config::default());
        let mut answers = Vec::new();
        for _ in 0..30 {
            let question = Expr::random(&mut r, &shape, 0, 3).build(&mut terms, &symbols);
            let limits = Limits { conflicts: Some(3000), ..Limits::default() };
            answers.push(solver.check(&mut terms, &[], &[question], &limits));
        }
        answers
    };
    for seed in 0..6 {
        assert_eq!(transcript(seed), transcript(seed));
    }
}

struct Scene {
    terms: Terms,
    x: Term,
    y: Term,
    z: Term,
}

fn scene() -> Scene {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.fresh(name, Sort::Bv(32)));
    Scene { terms, x, y, z }
}

impl Scene {
    fn below(&mut self, a: Term, limit: u128) -> Term {
        let limit = self.terms.bv(32, limit);
        self.terms.ult(a, limit)
    }

    fn product_is(&mut self, a: Term, b: Term, value: u128) -> Term {
        let product = self.terms.mul(a, b);
        let value = self.terms.bv(32, value);
        self.terms.eq(product, value)
    }
}

#[test]
fn constants_are_decided_at_once() {
    let mut s = scene();
    let (yes, no) = (s.terms.true_(), s.terms.false_());
    let mut solver = Solver::new(Config::default());
    assert_eq!(solver.check(&mut s.terms, &[], &[yes], &limits()), Answer::Sat(Model::new()));
    assert_eq!(solver.check(&mut s.terms, &[yes], &[no], &limits()), Answer::Unsat(vec![no]));
    assert_eq!(solver.stats().by_constant, 2);
    assert_eq!(solver.stats().core_calls, 0);
}

#[test]
fn a_model_of_the_path_answers_one_side_of_a_branch() {
    let mut s = scene();
    let mut solver = Solver::new(Config::default());
    let path = [s.product_is(s.x, s.y, 77)];
    let Answer::Sat(model) = solver.check(&mut s.terms, &[], &path, &limits()) else { panic!() };
    let guard = s.below(s.x, 50);
    let not = s.terms.not(guard);
    let side = if s.terms.eval(guard, &model).is_true() { guard } else { not };
    let before = solver.stats().core_calls;
    let answer = solver.check_with_hint(&mut s.terms, &path, &[side], Some(&model), &limits());
    assert_eq!(answer, Answer::Sat(model));
    assert_eq!((solver.stats().core_calls, solver.stats().by_model), (before, 1));
}

#[test]
fn unrelated_constraints_keep_the_values_of_the_hint() {
    let mut s = scene();
    let mut solver = Solver::new(Config::default());
    let far = s.product_is(s.y, s.z, 35);
    let near = s.below(s.x, 100);
    let symbol = |s: &Scene, t| s.terms.symbols_of(t)[0];
    let bv = |value| Const::Bv { width: 32, value };
    let hint: Model =
        [(symbol(&s, s.x), bv(3)), (symbol(&s, s.y), bv(5)), (symbol(&s, s.z), bv(7))].into_iter().collect();
    let fifty = s.terms.bv(32, 50);
    let query = s.terms.ugt(s.x, fifty);
    let answer = solver.check_with_hint(&mut s.terms, &[far, near], &[query], Some(&hint), &limits());
    let Answer::Sat(model) = answer else { panic!("{answer:?}") };
    assert!(all_hold(&s.terms, &[&[far, near, query]], &model));
    assert_eq!(model.get(symbol(&s, s.y)), Some(bv(5)));
    assert_eq!(solver.stats().sliced_away, 1);
}

#[test]
fn a_wrong_hint_does_no_harm() {
    let mut s = scene();
    let mut solver = Solver::new(Config::default());
    let path = [s.product_is(s.y, s.z, 35)];
    let query = s.below(s.x, 10);
    let hint = Model::new();
    let answer = solver.check_with_hint(&mut s.terms, &path, &[query], Some(&hint), &limits());
    assert!(all_hold(&s.terms, &[&path, &[query]], answer.model().unwrap()));
}

#[test]
fn contradictions_and_satisfiable_sets_are_remembered() {
    let mut s = scene();
    let mut solver = Solver::new(Config { recent_models: false, ..Config::default() });
    let even = {
        let one = s.terms.bv(32, 1);
        let bit = s.terms.bvand(s.x, one);
        let zero = s.terms.bv(32, 0);
        s.terms.eq(bit, zero)
    };
    let square = s.product_is(s.x, s.x, 9);
    let small = s.below(s.x, 1000);
    let both = s.product_is(s.x, s.y, 30);
    let first = solver.check(&mut s.terms, &[], &[even, square], &limits());
    assert!(first.is_unsat());
    let calls = solver.stats().core_calls;
    // a superset of a contradiction
    let again = solver.check(&mut s.terms, &[], &[small, square, both, even], &limits());
    assert!(again.is_unsat());
    assert_eq!((solver.stats().core_calls, solver.stats().by_known_core), (calls, 1));
    // a subset of a satisfiable set
    assert!(solver.check(&mut s.terms, &[], &[small, both, even], &limits()).is_sat());
    let calls = solver.stats().core_calls;
    assert!(solver.check(&mut s.terms, &[], &[both, even], &limits()).is_sat());
    assert_eq!((solver.stats().core_calls, solver.stats().by_known_superset), (calls, 1));
    // the same again
    assert!(solver.check(&mut s.terms, &[], &[small, even, both], &limits()).is_sat());
    assert_eq!(solver.stats().by_exact_cache, 1);
}

#[test]
fn cores_leave_out_what_does_not_matter() {
    let mut s = scene();
    let mut solver = Solver::new(Config::default());
    let mut path: Vec<Term> = (0..12).map(|i| s.product_is(s.y, s.z, 1 << i)).take(1).collect();
    for i in 0..10 {
        let sum = s.terms.add(s.x, s.y);
        let sum = s.terms.mul(sum, s.z);
        let limit = s.terms.bv(32, u32::MAX as u128 - i);
        path.push(s.terms.ne(sum, limit));
    }
    let low = s.below(s.x, 10);
    let ten = s.terms.bv(32, 10);
    let big = s.product_is(s.x, s.x, 121);
    let squares_need_eleven = s.terms.ult(s.x, ten);
    path.push(low);
    let answer = solver.check(&mut s.terms, &path, &[big, squares_need_eleven], &limits());
    let Answer::Unsat(core) = answer else { panic!("{answer:?}") };
    assert!(core.len() <= 2 && core.contains(&big), "{core:?}");
}
