//! Circuits on constants against the evaluator, which uses the machine's own floats.

use super::*;
use crate::core::words::as_constant;
use random::Random;
use term::{Binary, Const, Rounding, Sort, Term, Terms, Unary};

struct Floats(Random);

impl Floats {
    fn new(seed: u64) -> Floats {
        Floats(Random::new(seed))
    }

    fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// Bits of a float, often special, often near another one.
    fn float(&mut self, width: FloatWidth, near: u64) -> u64 {
        let (bits, size) = (width.bits(), width.significand());
        let exponent = ((1u64 << width.exponent()) - 1) << (size - 1);
        let sign = (self.next() & 1) << (bits - 1);
        let all = if bits == 64 { u64::MAX } else { u32::MAX as u64 };
        let value = match self.next() % 12 {
            0 => sign,
            1 => sign | exponent,
            2 => sign | exponent | (self.next() & ((1 << (size - 1)) - 1)),
            3 => sign | (self.next() & ((1 << (size - 1)) - 1)),
            4 => sign | 1,
            5 => sign | (exponent - 1),
            6 => near ^ sign,
            7 => near.wrapping_add(self.next() % 5),
            8 => match width {
                FloatWidth::F32 => (((self.next() % 2001) as f32 - 1000.0) / 4.0).to_bits() as u64,
                FloatWidth::F64 => (((self.next() % 2001) as f64 - 1000.0) / 4.0).to_bits(),
            },
            // near in exponent
            9 => {
                (near & !((1 << (size - 1)) - 1)).wrapping_add((self.next() % 8) << (size - 1))
                    ^ (self.next() % 64)
            }
            _ => self.next(),
        };
        value & all
    }
}

fn word(bits: u64, width: usize) -> Word {
    constant(bits as u128, width)
}

fn value(terms: &mut Terms, bits: u64, width: FloatWidth) -> Term {
    terms.constant(Const::from_bits(Sort::Float(width), bits as u128))
}

type Circuit2 = fn(&mut Gates, &[Lit], &[Lit]) -> Word;

fn check_binary(op: Binary, circuit: Circuit2, count: u32, widths: &[FloatWidth]) {
    let mut r = Floats::new(op as u64 + 1);
    let mut terms = Terms::new();
    for &width in widths {
        for _ in 0..count {
            let near = r.next();
            let (a, b) = (r.float(width, near), r.float(width, near));
            let (x, y) = (value(&mut terms, a, width), value(&mut terms, b, width));
            let result = terms.binary(op, x, y);
            let expected = terms.as_const(result).map(Const::bits);
            let mut gates = Gates::new();
            let bits = width.bits() as usize;
            let actual = as_constant(&circuit(&mut gates, &word(a, bits), &word(b, bits)));
            assert_eq!(actual, expected, "{op:?} {width:?} {a:#x} {b:#x}");
        }
    }
}

const BOTH: [FloatWidth; 2] = [FloatWidth::F32, FloatWidth::F64];

#[test]
fn sums_and_differences() {
    check_binary(Binary::FpAdd, Gates::float_add, 3000, &BOTH);
    check_binary(Binary::FpSub, Gates::float_sub, 3000, &BOTH);
}

#[test]
fn products_and_quotients() {
    check_binary(Binary::FpMul, Gates::float_mul, 1500, &BOTH);
    check_binary(Binary::FpDiv, Gates::float_div, 1000, &BOTH);
}

#[test]
fn remainders() {
    check_binary(Binary::FpRem, Gates::float_rem, 300, &[FloatWidth::F32]);
    check_binary(Binary::FpRem, Gates::float_rem, 40, &[FloatWidth::F64]);
}

#[test]
fn comparisons() {
    check_binary(Binary::FpEq, |g, a, b| vec![g.float_equal(a, b)], 1500, &BOTH);
    check_binary(Binary::FpLt, |g, a, b| vec![g.float_less(a, b, false)], 3000, &BOTH);
    check_binary(Binary::FpLe, |g, a, b| vec![g.float_less(a, b, true)], 3000, &BOTH);
}

fn check_unary(op: Unary, circuit: impl Fn(&mut Gates, &[Lit]) -> Word, count: u32, widths: &[FloatWidth]) {
    let mut r = Floats::new(17);
    let mut terms = Terms::new();
    for &width in widths {
        for _ in 0..count {
            let near = r.next();
            let a = r.float(width, near);
            let x = value(&mut terms, a, width);
            let result = terms.unary(op, x);
            let expected = terms.as_const(result).map(Const::bits);
            let mut gates = Gates::new();
            let actual = as_constant(&circuit(&mut gates, &word(a, width.bits() as usize)));
            assert_eq!(actual, expected, "{op:?} {width:?} {a:#x}");
        }
    }
}

#[test]
fn square_roots() {
    check_unary(Unary::FpSqrt, |g, a| g.float_sqrt(a), 1000, &BOTH);
}

#[test]
fn roundings() {
    use Rounding::*;
    for rounding in [NearestEven, NearestAway, TowardZero, Down, Up] {
        check_unary(Unary::FpRound(rounding), |g, a| g.float_round(a, rounding), 1500, &BOTH);
    }
}

#[test]
fn conversions_to_integers_saturate() {
    for width in [8u32, 16, 32, 64, 128] {
        check_unary(
            Unary::FpToSigned(width),
            |g, a| g.float_to_integer(a, width as usize, true),
            1000,
            &BOTH,
        );
        check_unary(
            Unary::FpToUnsigned(width),
            |g, a| g.float_to_integer(a, width as usize, false),
            1000,
            &BOTH,
        );
    }
}

#[test]
fn conversions_between_floats() {
    check_unary(
        Unary::FpToFp(FloatWidth::F64),
        |g, a| g.float_to_float(a, FloatWidth::F64),
        300,
        &[FloatWidth::F32],
    );
    check_unary(
        Unary::FpToFp(FloatWidth::F32),
        |g, a| g.float_to_float(a, FloatWidth::F32),
        5000,
        &[FloatWidth::F64],
    );
}

#[test]
fn conversions_from_integers() {
    let mut r = Floats::new(23);
    let mut terms = Terms::new();
    for to in BOTH {
        for width in [1u32, 8, 16, 32, 64, 128] {
            for _ in 0..400 {
                let wide = (r.next() as u128) << 64 | r.next() as u128;
                let value = term::mask(width) & (wide >> (r.next() % 128));
                let value = if r.next().is_multiple_of(4) { term::mask(width) - value } else { value };
                let x = terms.bv(width, value);
                for signed in [false, true] {
                    let expected =
                        if signed { terms.signed_to_fp(x, to) } else { terms.unsigned_to_fp(x, to) };
                    let expected = terms.as_const(expected).map(Const::bits);
                    let mut gates = Gates::new();
                    let actual =
                        as_constant(&gates.integer_to_float(&constant(value, width as usize), to, signed));
                    assert_eq!(actual, expected, "{to:?} {width} {value:#x} {signed}");
                }
            }
        }
    }
}

#[test]
fn fused_multiply_add() {
    let mut r = Floats::new(29);
    let mut terms = Terms::new();
    for width in BOTH {
        for _ in 0..1500 {
            let near = r.next();
            let [a, b] = [0; 2].map(|_| r.float(width, near));
            let (x, y) = (value(&mut terms, a, width), value(&mut terms, b, width));
            // an addend near the product, where everything cancels
            let product = terms.fp_mul(x, y);
            let near = terms.as_const(product).map_or(0, Const::bits) as u64;
            let c = r.float(width, near);
            let z = value(&mut terms, c, width);
            let result = terms.fp_fma(x, y, z);
            let expected = terms.as_const(result).map(Const::bits);
            let mut gates = Gates::new();
            let bits = width.bits() as usize;
            let actual = as_constant(&gates.float_fma(&word(a, bits), &word(b, bits), &word(c, bits)));
            assert_eq!(actual, expected, "{width:?} {a:#x} {b:#x} {c:#x}");
        }
    }
}
