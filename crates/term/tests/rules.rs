//! What the constructors make of typical expressions, as people read them.

use expect_test::{Expect, expect};
use term::{Sort, Term, Terms};

struct Scene {
    t: Terms,
    x: Term,
    y: Term,
    c: Term,
    b: Term,
}

fn check(build: impl FnOnce(&mut Scene) -> Term, expected: Expect) {
    let mut t = Terms::new();
    let (x, y) = (t.fresh("x", Sort::Bv(32)), t.fresh("y", Sort::Bv(32)));
    let (c, b) = (t.fresh("c", Sort::Bool), t.fresh("b", Sort::Bv(8)));
    let mut scene = Scene { t, x, y, c, b };
    let term = build(&mut scene);
    expected.assert_eq(&scene.t.display(term));
}

#[test]
fn a_boolean_survives_the_trip_through_a_number() {
    check(
        |s| {
            let n = s.t.bool_to_bv(s.c, 32);
            let zero = s.t.bv(32, 0);
            s.t.eq(n, zero)
        },
        expect!["(not |c!2|)"],
    );
    check(
        |s| {
            let n = s.t.bool_to_bv(s.c, 8);
            let wide = s.t.zext(n, 32);
            let zero = s.t.bv(32, 0);
            let set = s.t.ugt(wide, zero);
            let n = s.t.bool_to_bv(set, 32);
            s.t.ne(n, zero)
        },
        expect!["|c!2|"],
    );
}

#[test]
fn sums_cancel() {
    check(
        |s| {
            let (three, five) = (s.t.bv(32, 3), s.t.bv(32, 5));
            let a = s.t.add(s.x, three);
            let a = s.t.add(a, s.y);
            let b = s.t.add(s.y, five);
            s.t.eq(a, b)
        },
        expect!["(= |x!0| #x00000002)"],
    );
    check(
        |s| {
            let three = s.t.bv(32, 3);
            let a = s.t.mul(s.x, three);
            let a = s.t.sub(a, s.x);
            let a = s.t.sub(a, s.x);
            s.t.sub(a, s.x)
        },
        expect!["#x00000000"],
    );
}

#[test]
fn bytes_are_assembled_without_operators() {
    check(
        |s| {
            let mut word = s.t.bv(32, 0);
            for i in 0..4u32 {
                let amount = s.t.bv(32, 8 * i as u128);
                let part = s.t.lshr(s.x, amount);
                let ff = s.t.bv(32, 0xff);
                let part = s.t.bvand(part, ff);
                let part = s.t.shl(part, amount);
                word = s.t.bvor(word, part);
            }
            word
        },
        expect!["|x!0|"],
    );
}

#[test]
fn comparisons_shed_extensions() {
    check(
        |s| {
            let wide = s.t.zext(s.b, 32);
            let limit = s.t.bv(32, 200);
            s.t.slt(wide, limit)
        },
        expect!["(bvult |b!3| #xc8)"],
    );
    check(
        |s| {
            let wide = s.t.zext(s.b, 32);
            let limit = s.t.bv(32, 256);
            s.t.slt(wide, limit)
        },
        expect!["true"],
    );
    check(
        |s| {
            let ten = s.t.bv(32, 10);
            let digit = s.t.urem(s.x, ten);
            s.t.ult(digit, ten)
        },
        expect!["true"],
    );
}

#[test]
fn constant_divisions_are_compared_without_dividing() {
    check(
        |s| {
            let (seven, three) = (s.t.bv(32, 7), s.t.bv(32, 3));
            let quotient = s.t.sdiv(s.x, seven);
            s.t.eq(quotient, three)
        },
        expect!["(and (not (bvslt |x!0| #x00000015)) (bvslt |x!0| #x0000001c))"],
    );
    check(
        |s| {
            let (two, one) = (s.t.bv(32, 2), s.t.bv(32, 1));
            let odd = s.t.srem(s.x, two);
            s.t.eq(odd, one)
        },
        expect!["(and (= ((_ extract 0 0) |x!0|) #b1) (not (bvslt |x!0| #x00000000)))"],
    );
}

#[test]
fn bounds_meet() {
    check(
        |s| {
            let (five, ten) = (s.t.bv(32, 5), s.t.bv(32, 10));
            let (a, b) = (s.t.slt(s.x, five), s.t.slt(s.x, ten));
            s.t.and(a, b)
        },
        expect!["(bvslt |x!0| #x00000005)"],
    );
    check(
        |s| {
            let five = s.t.bv(32, 5);
            let (a, b) = (s.t.sge(s.x, five), s.t.ne(s.x, five));
            s.t.and(a, b)
        },
        expect!["(not (bvslt |x!0| #x00000006))"],
    );
    check(
        |s| {
            let (five, ten) = (s.t.bv(32, 5), s.t.bv(32, 10));
            let (a, b) = (s.t.ult(s.x, five), s.t.eq(s.x, ten));
            s.t.and(a, b)
        },
        expect!["false"],
    );
}

#[test]
fn overflow_with_a_constant_is_a_comparison() {
    check(
        |s| {
            let k = s.t.bv(32, 1000);
            s.t.mul_overflows(s.x, k, true)
        },
        expect!["(not (and (bvslt |x!0| #x0020c49c) (not (bvslt |x!0| #xffdf3b65))))"],
    );
    check(
        |s| {
            let one = s.t.bv(32, 1);
            s.t.add_overflows(s.x, one, true)
        },
        expect!["(= |x!0| #x7fffffff)"],
    );
    check(
        |s| {
            let (a, b) = (s.t.sext(s.x, 64), s.t.sext(s.y, 64));
            s.t.mul_overflows(a, b, true)
        },
        expect!["false"],
    );
}

/// `x` with the murmur finaliser applied.
fn fmix64(t: &mut Terms, x: Term) -> Term {
    let shift = t.bv(64, 33);
    let mut h = x;
    for factor in [0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53] {
        let high = t.lshr(h, shift);
        h = t.bvxor(h, high);
        let factor = t.bv(64, factor);
        h = t.mul(h, factor);
    }
    let high = t.lshr(h, shift);
    t.bvxor(h, high)
}

#[test]
fn mixing_functions_are_inverted() {
    let mut t = Terms::new();
    let x = t.fresh("x", Sort::Bv(64));
    let mixed = fmix64(&mut t, x);
    let target = t.bv(64, 0x1234_5678_9abc_def0);
    let equality = t.eq(mixed, target);
    expect!["(= |x!0| #x497824742b75c509)"].assert_eq(&t.display(equality));
    let value = t.bv(64, 0x4978_2474_2b75_c509);
    let back = fmix64(&mut t, value);
    assert_eq!(back, target);
}

#[test]
fn rotations_and_xorshifts_are_inverted() {
    let mut t = Terms::new();
    let x = t.fresh("x", Sort::Bv(64));
    let mut h = x;
    for (left, amount) in [(true, 13), (false, 7), (true, 17)] {
        let amount = t.bv(64, amount);
        let shifted = if left { t.shl(h, amount) } else { t.lshr(h, amount) };
        h = t.bvxor(h, shifted);
    }
    let (a, b) = (t.bv(64, 23), t.bv(64, 41));
    let (high, low) = (t.shl(h, a), t.lshr(h, b));
    let rotated = t.bvor(high, low);
    let target = t.bv(64, 0xdead_beef);
    let equality = t.eq(rotated, target);
    assert!(t.display(equality).starts_with("(= |x!0| #x"), "{}", t.display(equality));
}
