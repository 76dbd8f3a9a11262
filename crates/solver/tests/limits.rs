//! Queries end when they must, also while the circuit is still being built.

use solver::{Answer, Config, Effort, Limits, Solver, Why};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use term::{Sort, Term, Terms};

/// A product of two primes of 31 bits is asked for its factors.
fn factoring(terms: &mut Terms) -> Vec<Term> {
    let (x, y) = (terms.fresh("x", Sort::Bv(128)), terms.fresh("y", Sort::Bv(128)));
    let product = terms.mul(x, y);
    // Primes without a pattern: those near a power of two are found by luck.
    let value = terms.bv(128, 0x610a_a2e6_3d64_474d * 0x5b24_ade8_9c58_7b4b);
    let limit = terms.bv(128, 1 << 64);
    let one = terms.bv(128, 1);
    let equal = terms.eq(product, value);
    let mut question = vec![equal];
    for word in [x, y] {
        question.push(terms.ult(word, limit));
        question.push(terms.ult(one, word));
    }
    question
}

#[test]
fn a_deadline_is_kept() {
    let mut terms = Terms::new();
    let question = factoring(&mut terms);
    let mut solver = Solver::new(Config::default());
    for milliseconds in [50, 400] {
        let started = Instant::now();
        let limits = Limits::until(started + Duration::from_millis(milliseconds));
        let answer = solver.check(&mut terms, &[], &question, &limits);
        assert_eq!(answer, Answer::Unknown(Why::Timeout));
        let late = started.elapsed().saturating_sub(Duration::from_millis(milliseconds));
        assert!(late < Duration::from_millis(500), "{late:?} late");
    }
}

#[test]
fn a_deadline_in_the_past_costs_nothing() {
    let mut terms = Terms::new();
    let question = factoring(&mut terms);
    let mut solver = Solver::new(Config::default());
    let started = Instant::now();
    let answer = solver.check(&mut terms, &[], &question, &Limits::until(started));
    assert_eq!(answer, Answer::Unknown(Why::Timeout));
    assert!(started.elapsed() < Duration::from_millis(100));
}

#[test]
fn conflicts_are_limited() {
    let mut terms = Terms::new();
    let question = factoring(&mut terms);
    let mut solver = Solver::new(Config::default());
    let limits = Limits { conflicts: Some(50), ..Limits::default() };
    assert_eq!(solver.check(&mut terms, &[], &question, &limits), Answer::Unknown(Why::ConflictLimit));
}

#[test]
fn gates_are_limited() {
    let mut terms = Terms::new();
    let question = factoring(&mut terms);
    let mut solver = Solver::new(Config::default());
    let limits = Limits { gates: Some(500), ..Limits::default() };
    assert_eq!(solver.check(&mut terms, &[], &question, &limits), Answer::Unknown(Why::GateLimit));
}

#[test]
fn a_query_can_be_cancelled_from_outside() {
    let mut terms = Terms::new();
    let question = factoring(&mut terms);
    let mut solver = Solver::new(Config::default());
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancel: Some(cancel.clone()), ..Limits::default() };
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(150));
        cancel.store(true, Ordering::Relaxed);
    });
    let started = Instant::now();
    assert_eq!(solver.check(&mut terms, &[], &question, &limits), Answer::Unknown(Why::Cancelled));
    assert!(started.elapsed() < Duration::from_secs(2));
    canceller.join().unwrap();
}

#[test]
fn building_the_circuit_is_interrupted_too() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", Sort::Bv(128)), terms.fresh("y", Sort::Bv(128)));
    let mut tower = x;
    for _ in 0..2000 {
        tower = terms.mul(tower, y);
        tower = terms.bvxor(tower, x);
    }
    let value = terms.bv(128, 12345);
    let question = terms.eq(tower, value);
    let mut solver = Solver::new(Config::default());
    let started = Instant::now();
    let limits = Limits { gates: Some(usize::MAX), ..Limits::until(started + Duration::from_millis(300)) };
    assert_eq!(solver.check(&mut terms, &[], &[question], &limits), Answer::Unknown(Why::Timeout));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

#[test]
fn after_a_timeout_the_solver_still_works() {
    let mut terms = Terms::new();
    let hard = factoring(&mut terms);
    let mut solver = Solver::new(Config::default());
    let limits = Limits::until(Instant::now() + Duration::from_millis(30));
    assert_eq!(solver.check(&mut terms, &[], &hard, &limits), Answer::Unknown(Why::Timeout));
    let x = terms.fresh("z", Sort::Bv(16));
    let square = terms.mul(x, x);
    let value = terms.bv(16, 144);
    let easy = terms.eq(square, value);
    assert!(solver.check(&mut terms, &[], &[easy], &Limits::default()).is_sat());
}

#[test]
fn deep_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh("x", Sort::Bv(2)), terms.fresh("y", Sort::Bv(2)));
    let mut t = x;
    for i in 0..1_000_000u32 {
        t = match i % 3 {
            0 => terms.bvand(t, y),
            1 => terms.bvor(t, x),
            _ => terms.bvnot(t),
        };
    }
    let value = terms.bv(2, 2);
    let question = terms.eq(t, value);
    let mut solver = Solver::new(Config::default());
    let answer = solver.check(&mut terms, &[], &[question], &Limits::default());
    assert!(!matches!(answer, Answer::Unknown(_)), "{answer:?}");
}

/// Several questions share it, the same work is counted in every run, and little is done beyond it.
#[test]
fn effort_is_limited_for_all_questions_together() {
    let spent = |most: u64| {
        let mut terms = Terms::new();
        let question = factoring(&mut terms);
        let mut solver = Solver::new(Config::default());
        let effort = Effort::new(most);
        let limits = Limits { effort: Some(effort.clone()), ..Limits::default() };
        for _ in 0..2 {
            let answer = solver.check(&mut terms, &[], &question, &limits);
            assert_eq!(answer, Answer::Unknown(Why::EffortLimit));
        }
        effort.spent()
    };
    let first = spent(3_000);
    assert!((3_000..3_500).contains(&first), "{first}");
    assert_eq!(first, spent(3_000));
}
