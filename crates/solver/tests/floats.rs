//! Floats through the whole solver: what can be, what cannot, and values that must be found.

use solver::{Answer, Config, Limits, Solver};
use std::time::{Duration, Instant};
use term::{Const, FloatWidth, Rounding, Sort, Term, Terms};

struct Scene {
    t: Terms,
    x: Term,
    y: Term,
}

fn scene(width: FloatWidth) -> Scene {
    let mut t = Terms::new();
    let (x, y) = (t.fresh("x", Sort::Float(width)), t.fresh("y", Sort::Float(width)));
    Scene { t, x, y }
}

fn double(t: &mut Terms, value: f64) -> Term {
    t.constant(Const::F64(value.to_bits()))
}

fn single(t: &mut Terms, value: f32) -> Term {
    t.constant(Const::F32(value.to_bits()))
}

fn check(t: &mut Terms, question: &[Term]) -> Answer {
    let limits = Limits::until(Instant::now() + Duration::from_secs(60));
    let answer = Solver::new(Config::default()).check(t, &[], question, &limits);
    assert!(!matches!(answer, Answer::Unknown(_)), "{answer:?}");
    answer
}

#[test]
fn a_sum_is_found() {
    let Scene { mut t, x, y } = scene(FloatWidth::F64);
    let sum = t.fp_add(x, y);
    let (target, one) = (double(&mut t, 10.25), double(&mut t, 1.0));
    let question = [t.fp_eq(sum, target), t.fp_lt(one, x), t.fp_lt(x, y)];
    assert!(check(&mut t, &question).is_sat());
}

#[test]
fn addition_is_not_associative() {
    let Scene { mut t, x, y } = scene(FloatWidth::F64);
    let z = t.fresh("z", Sort::Float(FloatWidth::F64));
    let (a, b) = (t.fp_add(x, y), t.fp_add(y, z));
    let (left, right) = (t.fp_add(a, z), t.fp_add(x, b));
    let equal = t.fp_eq(left, right);
    let mut question = vec![t.not(equal)];
    let (low, high) = (double(&mut t, 1.0), double(&mut t, 1000.0));
    for word in [x, y, z] {
        question.push(t.fp_le(low, word));
        question.push(t.fp_le(word, high));
    }
    assert!(check(&mut t, &question).is_sat());
}

#[test]
fn addition_commutes_except_for_nan_bits() {
    let Scene { mut t, x, y } = scene(FloatWidth::F64);
    let (a, b) = (t.fp_add(x, y), t.fp_add(y, x));
    let differ = t.ne(a, b);
    let (nan_x, nan_y) = (t.fp_is_nan(x), t.fp_is_nan(y));
    let (ok_x, ok_y) = (t.not(nan_x), t.not(nan_y));
    assert!(check(&mut t, &[differ, ok_x, ok_y]).is_unsat());
    assert!(check(&mut t, &[differ]).is_sat());
}

#[test]
fn ints_survive_doubles_but_not_singles() {
    let mut t = Terms::new();
    let n = t.fresh("n", Sort::Bv(32));
    let wide = t.signed_to_fp(n, FloatWidth::F64);
    let back = t.fp_to_signed(wide, 32);
    let lost = t.ne(back, n);
    assert!(check(&mut t, &[lost]).is_unsat());
    let narrow = t.signed_to_fp(n, FloatWidth::F32);
    let back = t.fp_to_signed(narrow, 32);
    let lost = t.ne(back, n);
    assert!(check(&mut t, &[lost]).is_sat());
}

#[test]
fn square_roots_are_not_negative() {
    let Scene { mut t, x, .. } = scene(FloatWidth::F32);
    let root = t.fp_sqrt(x);
    let zero = single(&mut t, 0.0);
    let negative = t.fp_lt(root, zero);
    assert!(check(&mut t, &[negative]).is_unsat());
    let four = single(&mut t, 4.0);
    let two = single(&mut t, 2.0);
    let question = [t.fp_eq(root, two), t.fp_eq(x, four)];
    assert!(check(&mut t, &question).is_sat());
}

#[test]
fn a_quotient_can_be_nan_only_for_zeros_and_infinities() {
    let Scene { mut t, x, y } = scene(FloatWidth::F32);
    let quotient = t.fp_div(x, y);
    let nan = t.fp_is_nan(quotient);
    let mut question = vec![nan];
    let (zero, infinity) = (single(&mut t, 0.0), single(&mut t, f32::INFINITY));
    for word in [x, y] {
        let nan = t.fp_is_nan(word);
        question.push(t.not(nan));
    }
    assert!(check(&mut t, &question).is_sat());
    let magnitude = t.fp_abs(y);
    let (is_zero, is_infinite) = (t.fp_eq(y, zero), t.fp_eq(magnitude, infinity));
    question.push(t.not(is_zero));
    question.push(t.not(is_infinite));
    assert!(check(&mut t, &question).is_unsat());
}

#[test]
fn rounding_and_remainder_are_solved_for() {
    let Scene { mut t, x, .. } = scene(FloatWidth::F32);
    let floor = t.fp_round(Rounding::Down, x);
    let (minus_two, hundred) = (single(&mut t, -2.0), single(&mut t, 100.0));
    let different = t.fp_eq(floor, x);
    let question = [t.fp_eq(floor, minus_two), t.not(different)];
    assert!(check(&mut t, &question).is_sat());
    let (ten, three) = (single(&mut t, 10.0), single(&mut t, 3.5));
    let remainder = t.fp_rem(x, ten);
    let question = [t.fp_eq(remainder, three), t.fp_lt(x, hundred)];
    assert!(check(&mut t, &question).is_sat());
}
