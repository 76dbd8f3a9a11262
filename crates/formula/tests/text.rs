//! Conditions as they come out of compiled code, and how they read.

#![allow(clippy::unwrap_used)]

mod inputs;

use expect_test::{Expect, expect};
use formula::Formula;
use inputs::Inputs;
use term::{Const, FloatWidth, Term};

struct Writer(Inputs, Vec<Term>);

impl Writer {
    fn add(&mut self, make: impl FnOnce(&mut Inputs) -> Term) {
        let term = make(&mut self.0);
        self.1.push(term);
    }
}

fn check(fill: impl FnOnce(&mut Writer), expected: Expect) {
    let mut writer = Writer(Inputs::new(), Vec::new());
    fill(&mut writer);
    let Writer(inputs, terms) = writer;
    let names = inputs.names();
    let formula = Formula::new(&inputs.terms, &names);
    let lines: Vec<String> = terms.iter().map(|term| formula.text(*term) + "\n").collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn comparisons() {
    check(
        |w| {
            w.add(|t| {
                let (a, b) = (t.var("i"), t.var("j"));
                t.terms.eq(a, b)
            });
            for limit in [1u128, 0, 100, 101, 1000, 7] {
                w.add(|t| {
                    let (a, b) = (t.var("i"), t.terms.bv(32, limit));
                    t.terms.sge(a, b)
                });
            }
            w.add(|t| {
                let (a, b) = (t.var("i"), t.terms.bv(32, -5i32 as u32 as u128));
                t.terms.slt(a, b)
            });
            w.add(|t| {
                let (a, b) = (t.var("u"), t.terms.bv(32, 3_000_000_000));
                t.terms.ugt(a, b)
            });
            // The check of an index.
            w.add(|t| {
                let (a, n) = (t.var("i"), t.var("n"));
                let n = t.terms.zext(n, 32);
                t.terms.ult(a, n)
            });
        },
        expect![[r#"
            i == j
            i > 0
            i >= 0
            i >= 100
            i > 100
            i >= 1000
            i >= 7
            i < -5
            u > 3000000000
            (uint)i < n
        "#]],
    );
}

#[test]
fn characters_flags_and_enums() {
    check(
        |w| {
            w.add(|t| {
                let (a, b) = (t.var("c"), t.terms.bv(16, u128::from(b'x')));
                t.terms.ne(a, b)
            });
            w.add(|t| {
                let c = t.var("c");
                let (low, high) = (t.terms.bv(16, u128::from(b'0')), t.terms.bv(16, u128::from(b'9')));
                let (above, below) = (t.terms.uge(c, low), t.terms.ule(c, high));
                t.terms.and(above, below)
            });
            w.add(|t| {
                let c = t.var("c");
                let c = t.terms.zext(c, 32);
                let (zero, limit) = (t.terms.bv(32, u128::from(b'0')), t.terms.bv(32, 10));
                let digit = t.terms.sub(c, zero);
                t.terms.ult(digit, limit)
            });
            w.add(|t| {
                let (f, one) = (t.var("f"), t.terms.bv(1, 1));
                let is = t.terms.eq(f, one);
                t.terms.not(is)
            });
            for value in [2, 7] {
                w.add(|t| {
                    let (a, b) = (t.var("e"), t.terms.bv(32, value));
                    t.terms.eq(a, b)
                });
            }
        },
        expect![[r#"
            c != 'x'
            c >= '0' && c <= '9'
            (uint)(c - '0') < 10
            !f
            e == Tier.Gold
            e == (Tier)7
        "#]],
    );
}

/// White space below 256, as a table over the bits.
fn white_space(t: &mut Inputs) -> Term {
    let c = t.var("c");
    let (zero, one) = (t.terms.bv(1, 0), t.terms.bv(1, 1));
    let is_space = |unit: u32| matches!(unit, 9..=13 | 32 | 0x85 | 0xa0);
    let mut level: Vec<Term> = (0..256).map(|unit| if is_space(unit) { one } else { zero }).collect();
    for bit in 0..8 {
        let test = t.terms.extract(c, bit, bit);
        let test = t.terms.eq(test, one);
        level = level.chunks_exact(2).map(|pair| t.terms.ite(test, pair[1], pair[0])).collect();
    }
    let high = t.terms.extract(c, 15, 8);
    let nothing = t.terms.bv(8, 0);
    let (is_low, found) = (t.terms.eq(high, nothing), t.terms.eq(level[0], one));
    t.terms.and(is_low, found)
}

#[test]
fn classes_of_characters() {
    check(
        |w| {
            w.add(white_space);
            w.add(|t| {
                let is = white_space(t);
                t.terms.not(is)
            });
            w.add(|t| {
                let (is, i, zero) = (white_space(t), t.var("i"), t.terms.bv(32, 0));
                let below = t.terms.slt(i, zero);
                t.terms.and(below, is)
            });
        },
        expect![[r#"
            c is (>= '\t' and <= '\r') or ' ' or '\u0085' or '\u00a0'
            c is not ((>= '\t' and <= '\r') or ' ' or '\u0085' or '\u00a0')
            c is (>= '\t' and <= '\r') or ' ' or '\u0085' or '\u00a0' && i < 0
        "#]],
    );
}

#[test]
fn arithmetic() {
    check(
        |w| {
            w.add(|t| {
                let (i, j, zero) = (t.var("i"), t.var("j"), t.terms.bv(32, 0));
                let difference = t.terms.sub(i, j);
                t.terms.slt(difference, zero)
            });
            w.add(|t| {
                let (i, j) = (t.var("i"), t.var("j"));
                let (three, limit) = (t.terms.bv(32, 3), t.terms.bv(32, 22));
                let product = t.terms.mul(i, three);
                let sum = t.terms.add(product, j);
                t.terms.eq(sum, limit)
            });
            w.add(|t| {
                let (i, j) = (t.var("i"), t.var("j"));
                let (i, j) = (t.terms.sext(i, 64), t.terms.sext(j, 64));
                let (product, l) = (t.terms.mul(i, j), t.var("l"));
                t.terms.slt(product, l)
            });
            w.add(|t| {
                let (u, seven, nine) = (t.var("u"), t.terms.bv(32, 7), t.terms.bv(32, 9));
                let quotient = t.terms.udiv(u, seven);
                t.terms.eq(quotient, nine)
            });
            w.add(|t| {
                let (i, three) = (t.var("i"), t.terms.bv(32, 3));
                let masked = t.terms.bvand(i, three);
                t.terms.eq(masked, three)
            });
            w.add(|t| {
                let (i, four, zero) = (t.var("i"), t.terms.bv(32, 4), t.terms.bv(32, 0));
                let masked = t.terms.bvand(i, four);
                t.terms.ne(masked, zero)
            });
            w.add(|t| {
                let i = t.var("i");
                let low = t.terms.extract(i, 7, 0);
                let low = t.terms.zext(low, 32);
                t.terms.eq(low, i)
            });
            w.add(|t| {
                let (i, j, by) = (t.var("i"), t.var("j"), t.terms.bv(32, 4));
                let shifted = t.terms.ashr(i, by);
                t.terms.slt(j, shifted)
            });
            w.add(|t| {
                let (i, j, by) = (t.var("i"), t.var("j"), t.terms.bv(32, 4));
                let (up, down) = (t.terms.shl(i, by), t.terms.lshr(i, by));
                let both = t.terms.bvor(up, down);
                t.terms.eq(both, j)
            });
        },
        expect![[r#"
            i - j < 0
            j + i * 3 == 22
            (long)i * j < l
            u >= 63 && u < 70
            (i & 3) == 3
            (i & 4) != 0
            i == (byte)i
            j < i >> 4
            j == (i << 4 | i >>> 4)
        "#]],
    );
}

#[test]
fn overflows() {
    check(
        |w| {
            for signed in [true, false] {
                w.add(|t| {
                    let (i, j) = (t.var("i"), t.var("j"));
                    t.terms.add_overflows(i, j, signed)
                });
                w.add(|t| {
                    let (i, j) = (t.var("i"), t.var("j"));
                    t.terms.sub_overflows(i, j, signed)
                });
                w.add(|t| {
                    let (i, j) = (t.var("i"), t.var("j"));
                    let overflows = t.terms.mul_overflows(i, j, signed);
                    t.terms.not(overflows)
                });
            }
            w.add(|t| {
                let (i, one) = (t.var("i"), t.terms.bv(32, 1));
                t.terms.add_overflows(i, one, true)
            });
        },
        expect![[r#"
            i + j overflows
            i - j overflows
            i * j does not overflow
            (uint)i + (uint)j overflows
            (uint)i < (uint)j
            (uint)i * (uint)j does not overflow
            i == int.MaxValue
        "#]],
    );
}

#[test]
fn logic_and_choices() {
    check(
        |w| {
            w.add(|t| {
                let (i, j, five) = (t.var("i"), t.var("j"), t.terms.bv(32, 5));
                let (a, b) = (t.terms.slt(i, five), t.terms.eq(j, five));
                let (f, one) = (t.var("f"), t.terms.bv(1, 1));
                let c = t.terms.eq(f, one);
                let either = t.terms.or(a, b);
                t.terms.and(either, c)
            });
            w.add(|t| {
                let (i, j, l, zero) = (t.var("i"), t.var("j"), t.var("l"), t.terms.bv(32, 0));
                let c = t.terms.slt(i, zero);
                let larger = t.terms.ite(c, j, i);
                let larger = t.terms.sext(larger, 64);
                t.terms.slt(larger, l)
            });
        },
        expect![[r#"
            f && (i < 5 || j == 5)
            (i < 0 ? j : i) < l
        "#]],
    );
}

#[test]
fn floats() {
    check(
        |w| {
            w.add(|t| {
                let (d, limit) = (t.var("d"), t.terms.constant(Const::F64(0.1f64.to_bits())));
                let product = t.terms.fp_mul(d, d);
                let less = t.terms.fp_lt(product, limit);
                t.terms.not(less)
            });
            w.add(|t| {
                let d = t.var("d");
                t.terms.fp_is_nan(d)
            });
            w.add(|t| {
                let (g, d) = (t.var("g"), t.var("d"));
                let (wide, i) = (t.terms.fp_to_fp(g, FloatWidth::F64), t.var("i"));
                let number = t.terms.signed_to_fp(i, FloatWidth::F64);
                let root = t.terms.fp_sqrt(wide);
                let sum = t.terms.fp_add(root, number);
                t.terms.fp_eq(sum, d)
            });
            w.add(|t| {
                let (d, i) = (t.var("d"), t.var("i"));
                let number = t.terms.fp_to_signed(d, 32);
                t.terms.slt(number, i)
            });
            w.add(|t| {
                let (g, least) = (t.var("g"), t.terms.constant(Const::F32((-1e-7f32).to_bits())));
                let size = t.terms.fp_abs(g);
                t.terms.fp_le(size, least)
            });
        },
        expect![[r#"
            !(d * d < 0.1)
            double.IsNaN(d)
            d == Math.Sqrt((double)g) + (double)i
            (int)d < i
            MathF.Abs(g) <= -1e-7f
        "#]],
    );
}
