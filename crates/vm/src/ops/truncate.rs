//! Conversions of floats to integers as the x64 instruction `cvttsd2si` makes them, which runtimes before .NET 9 use: a
//! number that does not fit becomes the smallest integer of the instruction's width.

use term::{Const, FloatWidth, Term};

use crate::machine::Machine;

const TWO_63: f64 = 9_223_372_036_854_775_808.0;

/// The integer of `bits`, in the low bits of the result.
pub(crate) fn truncating(value: f64, bits: u32, signed: bool) -> i64 {
    match (bits, signed) {
        (64, true) | (32, false) => to_64(value),
        (64, false) => {
            // The halves of the range go through the signed instruction; NaN is in the upper one.
            if value < TWO_63 { to_64(value) } else { to_64(value - TWO_63).wrapping_add(i64::MIN) }
        }
        _ => i64::from(to_32(value)),
    }
}

fn to_64(value: f64) -> i64 {
    if (-TWO_63..TWO_63).contains(&value) { value as i64 } else { i64::MIN }
}

fn to_32(value: f64) -> i32 {
    if value > -2_147_483_649.0 && value < 2_147_483_648.0 { value as i32 } else { i32::MIN }
}

impl Machine {
    /// As [`truncating`], for a term: 64 bits wide for 64-bit targets, else 32.
    pub(crate) fn truncating_float_term(&mut self, term: Term, bits: u32, signed: bool) -> Term {
        match (bits, signed) {
            (64, true) => self.signed_64_term(term),
            (64, false) => {
                let wide = self.terms.fp_to_fp(term, FloatWidth::F64);
                let half = self.terms.constant(Const::F64(TWO_63.to_bits()));
                let is_low = self.terms.fp_lt(wide, half);
                let low = self.signed_64_term(wide);
                let rest = self.terms.fp_sub(wide, half);
                let rest = self.signed_64_term(rest);
                let offset = self.terms.bv(64, 1 << 63);
                let high = self.terms.add(rest, offset);
                self.terms.ite(is_low, low, high)
            }
            (32, false) => {
                let wide = self.signed_64_term(term);
                self.terms.extract(wide, 31, 0)
            }
            _ => {
                let fits = self.float_fits(term, 32, true);
                let value = self.terms.fp_to_signed(term, 32);
                let smallest = self.terms.bv(32, 1 << 31);
                self.terms.ite(fits, value, smallest)
            }
        }
    }

    fn signed_64_term(&mut self, term: Term) -> Term {
        let fits = self.float_fits(term, 64, true);
        let value = self.terms.fp_to_signed(term, 64);
        let smallest = self.terms.bv(64, 1 << 63);
        self.terms.ite(fits, value, smallest)
    }
}
