//! The core against z3 on thousands of random formulas over words of 1 to 128 bits.

#[path = "../../term/tests/reference/mod.rs"]
mod reference;

use reference::{Expr, Random, Shape};
use solver::{Answer, Config, CrossCheck, External, Limits, OnMismatch, Solver, Verdict};
use std::path::PathBuf;
use std::time::Duration;
use term::{Term, Terms};

const FORMULAS: usize = 500;
const BATCH: usize = 100;

fn z3() -> PathBuf {
    match testkit::Toolchain::locate().and_then(|toolchain| toolchain.z3()) {
        Ok(path) => path,
        Err(error) => panic!("this test needs z3 (cargo xtask setup): {error}"),
    }
}

fn random_question(r: &mut Random, terms: &mut Terms) -> Vec<Term> {
    let common = [1, 7, 8, 8, 16, 16, 32, 32, 33, 64, 64, 128];
    let a = if r.below(4) == 0 { 1 + r.below(128) as u32 } else { common[r.below(common.len())] };
    let b = common[r.below(common.len())];
    let shape = Shape { widths: vec![a, b, a, 0] };
    let symbols = shape.symbols(terms);
    let count = 1 + r.below(4);
    let mut conjuncts = Vec::new();
    for _ in 0..count {
        let depth = 1 + r.below(4) as u32;
        let constraint = Expr::random(r, &shape, 0, depth);
        conjuncts.push(constraint.build(terms, &symbols));
    }
    // a value that the expression takes, else most equalities with constants are trivially false
    if r.below(2) == 0 {
        let word = Expr::random(r, &shape, a, 3);
        let inputs: Vec<u128> = shape.widths.iter().map(|&width| r.value(width.max(1))).collect();
        let value = Expr::Const(a, word.value(&shape, &inputs));
        let equality = Expr::Bin("eq", Box::new(word), Box::new(value));
        conjuncts.push(equality.build(terms, &symbols));
    }
    conjuncts
}

/// Compares `FORMULAS` answers; the seeds of the tests below differ, so that together they see thousands.
fn compare(seed: u64) {
    let external = External::new(&z3()).with_time_per_question(Duration::from_millis(100));
    let mut r = Random::new(seed);
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    for _ in 0..FORMULAS / BATCH {
        let mut terms = Terms::new();
        let mut solver = Solver::new(Config::default());
        let questions: Vec<Vec<Term>> = (0..BATCH).map(|_| random_question(&mut r, &mut terms)).collect();
        let verdicts = match external.check_many(&terms, &questions, None) {
            Ok(verdicts) => verdicts,
            Err(error) => panic!("{error}"),
        };
        for (question, verdict) in questions.iter().zip(verdicts) {
            solver.new_exploration();
            let limits = Limits { conflicts: Some(1000), ..Limits::default() };
            let claim = match solver.check(&mut terms, &[], question, &limits) {
                Answer::Sat(_) => Verdict::Sat,
                Answer::Unsat(_) => Verdict::Unsat,
                Answer::Unknown(why) => {
                    assert_eq!(why, solver::Why::ConflictLimit);
                    unknown += 1;
                    continue;
                }
            };
            match verdict {
                Verdict::Unknown => continue,
                Verdict::Sat => sat += 1,
                Verdict::Unsat => unsat += 1,
            }
            assert_eq!(
                claim,
                verdict,
                "{}",
                terms.script(question).map_or(String::new(), |script| script.text)
            );
        }
        assert_eq!(solver.stats().invalid_models, 0);
    }
    assert!(sat > FORMULAS / 5 && unsat > FORMULAS / 10, "{sat} sat, {unsat} unsat");
    assert!(unknown < FORMULAS / 50, "{unknown} unknown");
}

#[test]
fn z3_agrees_on_random_formulas_a() {
    compare(1);
}

#[test]
fn z3_agrees_on_random_formulas_b() {
    compare(2);
}

#[test]
fn z3_agrees_on_random_formulas_c() {
    compare(3);
}

#[test]
fn z3_agrees_on_random_formulas_d() {
    compare(4);
}

/// z3 gets the expression as it stands and what the constructors made of it, and looks for an input where they differ.
#[test]
fn z3_finds_no_input_on_which_simplification_matters() {
    let external = External::new(&z3()).with_time_per_question(Duration::from_millis(150));
    let mut text = String::from("(set-logic QF_BV)\n");
    let questions = 500;
    for seed in 0..questions {
        let mut r = Random::new(seed + 1000);
        let width = [3, 5, 8, 16, 32][r.below(5)];
        let shape = Shape { widths: vec![width, width, 0] };
        let mut terms = Terms::new();
        let symbols = shape.symbols(&mut terms);
        let depth = 2 + r.below(3) as u32;
        let expr = Expr::random(&mut r, &shape, 0, depth);
        let simplified = expr.build(&mut terms, &symbols);
        let names: Vec<String> = symbols.iter().map(|&symbol| terms.smt_name(symbol)).collect();
        text.push_str("(push 1)\n");
        for (name, &symbol) in names.iter().zip(&symbols) {
            text.push_str(&format!("(declare-fun {name} () {})\n", terms.symbol_sort(symbol)));
        }
        let (plain, simplified) = (expr.smt(&shape, &names), terms.display(simplified));
        text.push_str(&format!("(assert (xor {plain} {simplified}))\n(check-sat)\n(pop 1)\n"));
    }
    let output = external.ask(&text, None).unwrap();
    let verdicts: Vec<&str> = output.lines().collect();
    assert_eq!(verdicts.len(), questions as usize, "{output}");
    for (seed, verdict) in verdicts.iter().enumerate() {
        assert!(["unsat", "unknown"].contains(verdict), "seed {seed}: {verdict}");
    }
    assert!(verdicts.iter().filter(|&&verdict| verdict == "unsat").count() > questions as usize * 8 / 10);
}

#[test]
fn cross_check_mode_compares_every_answer_of_the_core() {
    let cross_check = CrossCheck { solver: z3(), on_mismatch: OnMismatch::Panic };
    let config = Config { cross_check: Some(cross_check), ..Config::default() };
    let mut solver = Solver::new(config);
    let mut terms = Terms::new();
    let mut r = Random::new(11);
    for _ in 0..40 {
        let question = random_question(&mut r, &mut terms);
        let limits = Limits { conflicts: Some(2000), ..Limits::default() };
        solver.check(&mut terms, &[], &question, &limits);
    }
    assert!(solver.stats().cross_checked > 5);
    assert_eq!(solver.stats().mismatches, 0);
}

#[test]
fn a_contradicting_solver_makes_the_answer_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let liar = folder.path().join("liar");
    std::fs::write(&liar, "#!/bin/sh\ncat > /dev/null\necho unsat\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&liar, std::fs::Permissions::from_mode(0o755)).unwrap();
        let config = Config {
            cross_check: Some(CrossCheck { solver: liar, on_mismatch: OnMismatch::Unknown }),
            ..Config::default()
        };
        let mut solver = Solver::new(config);
        let mut terms = Terms::new();
        let (x, y) = (terms.fresh("x", term::Sort::Bv(32)), terms.fresh("y", term::Sort::Bv(32)));
        let product = terms.mul(x, y);
        let seven = terms.bv(32, 7);
        let question = terms.eq(product, seven);
        let answer = solver.check(&mut terms, &[], &[question], &Limits::default());
        assert!(matches!(answer, Answer::Unknown(solver::Why::Internal(_))), "{answer:?}");
        assert_eq!(solver.stats().mismatches, 1);
    }
}

#[test]
fn the_external_solver_gives_models_too() {
    let mut terms = Terms::new();
    let (x, c) = (terms.fresh("x", term::Sort::Bv(20)), terms.fresh("c", term::Sort::Bool));
    let product = terms.mul(x, x);
    let value = terms.bv(20, 49);
    let square = terms.eq(product, value);
    let (verdict, model) = External::new(&z3()).model(&terms, &[square, c], None).unwrap();
    assert_eq!(verdict, Verdict::Sat);
    let model = model.unwrap();
    assert!(terms.eval(square, &model).is_true() && terms.eval(c, &model).is_true(), "{model:?}");
}
