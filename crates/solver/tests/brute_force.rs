//! Verdicts, models and cores against the enumeration of all inputs.

#[path = "../../term/tests/reference/mod.rs"]
mod reference;

use reference::{Expr, Random, Shape};
use solver::{Answer, Config, Limits, Solver};
use term::{Const, Model, Symbol, Term, Terms};

struct Problem {
    shape: Shape,
    constraints: Vec<Expr>,
}

impl Problem {
    fn random(seed: u64) -> Problem {
        let mut r = Random::new(seed);
        let widths = match r.below(4) {
            0 => vec![3, 3, 0],
            1 => vec![4, 2, 0],
            2 => vec![2, 2, 2],
            _ => vec![5, 3],
        };
        let shape = Shape { widths };
        let count = 1 + r.below(4);
        let constraints = (0..count).map(|_| {
            let depth = 1 + r.below(4) as u32;
            Expr::random(&mut r, &shape, 0, depth)
        });
        let constraints = constraints.collect();
        Problem { shape, constraints }
    }

    /// Bounds on each word and something expensive between them: what narrowing and intervals work on.
    fn bounded(seed: u64) -> Problem {
        let mut r = Random::new(seed ^ 0xb0bd);
        let shape = Shape { widths: vec![6, 5] };
        let mut constraints = Vec::new();
        for (i, &width) in shape.widths.iter().enumerate() {
            for _ in 0..1 + r.below(2) {
                let op = ["slt", "sge", "ult", "uge", "sle", "ne", "slt", "sge"][r.below(8)];
                let limit = Expr::Const(width, r.value(width));
                let word = match r.below(3) {
                    0 => {
                        Expr::Bin("add", Box::new(Expr::Var(i)), Box::new(Expr::Const(width, r.value(width))))
                    }
                    _ => Expr::Var(i),
                };
                constraints.push(Expr::Bin(op, Box::new(word), Box::new(limit)));
            }
        }
        let word = |r: &mut Random, i: usize| {
            let (wide, signed) = (8 + r.below(5) as u32, r.below(2) == 0);
            (wide, Expr::Extend(Box::new(Expr::Var(i)), wide, signed))
        };
        for _ in 0..1 + r.below(2) {
            let (width, a) = word(&mut r, 0);
            let (_, b) = word(&mut r, 1);
            let b = match b {
                Expr::Extend(inner, _, signed) => Expr::Extend(inner, width, signed),
                other => other,
            };
            let other = if r.below(3) == 0 { a.clone() } else { b };
            let op = ["mul", "sdiv", "srem", "udiv", "urem", "mul"][r.below(6)];
            let result = Expr::Bin(op, Box::new(a.clone()), Box::new(other.clone()));
            let compare = ["slt", "ult", "eq", "sge", "ne"][r.below(5)];
            let limit = Expr::Const(width, r.value(width));
            constraints.push(match r.below(4) {
                0 => Expr::Bin(["mul_s", "mul_u"][r.below(2)], Box::new(a), Box::new(other)),
                _ => Expr::Bin(compare, Box::new(result), Box::new(limit)),
            });
        }
        Problem { shape, constraints }
    }

    fn inputs(&self) -> impl Iterator<Item = Vec<u128>> + '_ {
        let bits: u32 = self.shape.widths.iter().map(|&width| width.max(1)).sum();
        (0..1u128 << bits).map(|input| {
            let mut rest = input;
            let take = |&width: &u32| {
                let value = rest & reference::mask(width.max(1));
                rest >>= width.max(1);
                value
            };
            self.shape.widths.iter().map(take).collect()
        })
    }

    fn is_satisfiable(&self, which: &[usize]) -> bool {
        let all =
            |inputs: &Vec<u128>| which.iter().all(|&i| self.constraints[i].value(&self.shape, inputs) == 1);
        self.inputs().any(|inputs| all(&inputs))
    }

    fn values(&self, terms: &Terms, symbols: &[Symbol], model: &Model) -> Vec<u128> {
        let value =
            |&symbol: &Symbol| model.get(symbol).unwrap_or(Const::zero(terms.symbol_sort(symbol))).bits();
        symbols.iter().map(value).collect()
    }
}

/// Asks about a random problem and compares with enumeration.
fn check(seed: u64, config: Config) -> bool {
    check_problem(seed, &Problem::random(seed), config).0
}

fn check_problem(seed: u64, problem: &Problem, config: Config) -> (bool, Solver) {
    let mut terms = Terms::new();
    let symbols = problem.shape.symbols(&mut terms);
    let constraints: Vec<Term> = problem.constraints.iter().map(|c| c.build(&mut terms, &symbols)).collect();
    let mut solver = Solver::new(config);
    let all: Vec<usize> = (0..constraints.len()).collect();
    let satisfiable = match solver.check(&mut terms, &[], &constraints, &Limits::default()) {
        Answer::Sat(model) => {
            let inputs = problem.values(&terms, &symbols, &model);
            for constraint in &problem.constraints {
                assert_eq!(
                    constraint.value(&problem.shape, &inputs),
                    1,
                    "seed {seed}: {constraint:?} on {inputs:?}"
                );
            }
            true
        }
        Answer::Unsat(core) => {
            assert!(!problem.is_satisfiable(&all), "seed {seed}: {:?}", problem.constraints);
            let which: Vec<usize> = all.into_iter().filter(|&i| core.contains(&constraints[i])).collect();
            assert!(!core.is_empty() && core.iter().all(|term| constraints.contains(term)));
            assert!(
                !problem.is_satisfiable(&which),
                "seed {seed}: the core is satisfiable: {:?}",
                problem.constraints
            );
            false
        }
        Answer::Unknown(why) => panic!("seed {seed}: {why}"),
    };
    (satisfiable, solver)
}

#[test]
fn verdicts_models_and_cores_agree_with_enumeration() {
    let satisfiable =
        (0..4000).filter(|&seed| check(seed, Config { enumeration: false, ..Config::default() })).count();
    // both answers must occur often, or the test would say little
    assert!((800..3600).contains(&satisfiable), "{satisfiable}");
}

#[test]
fn narrowing_and_intervals_agree_with_enumeration() {
    let (mut satisfiable, mut narrowed, mut contradictions) = (0, 0, 0);
    for seed in 0..4000 {
        let (sat, solver) =
            check_problem(seed, &Problem::bounded(seed), Config { enumeration: false, ..Config::default() });
        satisfiable += sat as u64;
        narrowed += solver.stats().narrowed;
        contradictions += solver.stats().by_narrowing;
    }
    assert!((800..3600).contains(&satisfiable), "{satisfiable}");
    assert!(narrowed > 300 && contradictions > 100, "{narrowed} narrowed, {contradictions} contradictions");
}

#[test]
fn without_layers_the_answers_are_the_same() {
    let bare = Config {
        recent_models: false,
        independence: false,
        cache: false,
        narrowing: false,
        small_first: false,
        minimise_cores: false,
        second_configuration: false,
        ..Config::default()
    };
    for seed in 0..1500 {
        assert_eq!(check(seed, bare.clone()), check(seed, Config::default()), "seed {seed}");
    }
}

type Build = fn(&mut Terms, Term, Term) -> Term;

/// Every operator with variable operands at the core: no simplifier in between can help.
#[test]
fn every_operator_has_the_right_circuit() {
    let operators: [(&str, Build); 16] = [
        ("add", Terms::add),
        ("sub", Terms::sub),
        ("mul", Terms::mul),
        ("udiv", Terms::udiv),
        ("urem", Terms::urem),
        ("sdiv", Terms::sdiv),
        ("srem", Terms::srem),
        ("bvand", Terms::bvand),
        ("bvor", Terms::bvor),
        ("bvxor", Terms::bvxor),
        ("shl", Terms::shl),
        ("lshr", Terms::lshr),
        ("ashr", Terms::ashr),
        ("concat", |t, a, b| t.concat(a, b)),
        ("umul", |t, a, b| {
            let overflow = t.mul_overflows(a, b, false);
            t.bool_to_bv(overflow, 4)
        }),
        ("smul", |t, a, b| {
            let overflow = t.mul_overflows(a, b, true);
            t.bool_to_bv(overflow, 4)
        }),
    ];
    for (name, build) in operators {
        for width in [1u32, 3, 4, 5] {
            let mut terms = Terms::new();
            let (a, b) = (terms.symbol("a", term::Sort::Bv(width)), terms.symbol("b", term::Sort::Bv(width)));
            let (x, y) = (terms.var(a), terms.var(b));
            let result = build(&mut terms, x, y);
            let r = terms.fresh("r", terms.sort(result));
            let equal = terms.eq(r, result);
            let mut solver = Solver::new(Config { enumeration: false, ..Config::default() });
            for input in 0..1u128 << (2 * width) {
                let (va, vb) = (input & reference::mask(width), input >> width);
                let (ka, kb) = (terms.bv(width, va), terms.bv(width, vb));
                let (is_a, is_b) = (terms.eq(x, ka), terms.eq(y, kb));
                let bv = |value| Const::Bv { width, value };
                let expected = terms.eval(result, &[(a, bv(va)), (b, bv(vb))].into_iter().collect());
                let expected = terms.constant(expected);
                let other = terms.ne(r, expected);
                let refuted = solver.check(&mut terms, &[], &[is_a, is_b, equal, other], &Limits::default());
                assert!(refuted.is_unsat(), "{name}/{width} on {va}, {vb}: {refuted:?}");
                let same = terms.eq(r, expected);
                let found = solver.check(&mut terms, &[], &[is_a, is_b, equal, same], &Limits::default());
                assert!(found.is_sat(), "{name}/{width} on {va}, {vb}: {found:?}");
            }
        }
    }
}
