//! Fused multiply-add: the exact product and the addend in one frame, rounded once.

use super::{Format, Unrounded, same_width, signed_constant};
use crate::core::gates::{Gates, Lit};
use crate::core::words::{Word, resized, sign};

impl Gates {
    pub(crate) fn float_fma(&mut self, a: &[Lit], b: &[Lit], c: &[Lit]) -> Word {
        let format = Format::of_bits(a.len());
        let [x, y, z] = [a, b, c].map(|bits| self.unpack(bits, format));
        let sign = self.xor(x.sign, y.sign);
        let product = self.exact_product(&x, &y, sign, format);
        let product_zero = self.or(x.zero, y.zero);
        let product_infinite = self.or(x.infinite, y.infinite);
        let (addend, exponent) = self.normalised(&z, format);
        let addend = Unrounded { sign: z.sign, exponent, significand: addend };

        let (number, zero) = self.exact_sum(product, addend, z.zero, format);
        let opposite = self.xor(sign, z.sign);
        let rounded = self.round(number, format);
        // an exact zero is positive unless both sides were negative
        let both = self.and(sign, z.sign);
        let result = self.mux_word(zero, &format.zero(both), &rounded);
        // nothing to add to: the addend itself, where 0 + -0 follows the rule for zeros
        let bare_sign = self.mux(z.zero, both, z.sign);
        let mut bare = c.to_vec();
        bare[c.len() - 1] = bare_sign;
        let result = self.mux_word(product_zero, &bare, &result);
        let result = self.mux_word(z.infinite, &format.infinity(z.sign), &result);
        let result = self.mux_word(product_infinite, &format.infinity(sign), &result);

        let (first, second) = (self.and(x.infinite, y.zero), self.and(x.zero, y.infinite));
        let no_product = self.or(first, second);
        let infinities = self.and(product_infinite, z.infinite);
        let cancelled = self.and(infinities, opposite);
        let invalid = self.or(no_product, cancelled);
        self.with_nan(&[(a, x.nan), (b, y.nan), (c, z.nan)], invalid, &result, format)
    }

    /// The sum of two normalised numbers, exact but for a sticky bit far below, and whether it is zero.
    fn exact_sum(&mut self, p: Unrounded, q: Unrounded, q_zero: Lit, format: Format) -> (Unrounded, Lit) {
        let width = 3 * format.significand + 6;
        let framed = |significand: &[Lit]| {
            // room for a carry and a sign on top
            let mut word = vec![Lit::FALSE; width - 2 - significand.len()];
            word.extend_from_slice(significand);
            word.extend([Lit::FALSE; 2]);
            word
        };
        let bits = format.exponent + 5;
        let extend = |word: &[Lit]| resized(word, bits, sign(word));
        let (e, f) = (extend(&p.exponent), extend(&q.exponent));
        // a zero addend must not shift the product away
        let f = self.mux_word(q_zero, &e, &f);
        let behind = self.slt(&e, &f, Lit::FALSE);
        let exponent = self.mux_word(behind, &f, &e);
        let (p_lag, q_lag) = (self.sub(&exponent, &e), self.sub(&exponent, &f));
        let left = self.shift_right_sticky(&framed(&p.significand), &p_lag);
        let right = self.shift_right_sticky(&framed(&q.significand), &q_lag);
        let subtract = self.xor(p.sign, q.sign);
        let right: Word = right.iter().map(|&bit| self.xor(bit, subtract)).collect();
        let sum = self.add(&left, &right, subtract);
        let negative = self.and(sign(&sum), subtract);
        let magnitude = self.abs(&sum);
        let magnitude = self.mux_word(negative, &magnitude, &sum);
        let zero = self.is_zero(&magnitude);
        // the frame's top bit is two above where the numbers had theirs
        let (exponent, two) = same_width(&exponent, &signed_constant(2, bits));
        let exponent = self.add(&exponent, &two, Lit::FALSE);
        let (significand, exponent) = self.normalise(&magnitude, &exponent, false);
        let sign = self.xor(p.sign, negative);
        (Unrounded { sign, exponent, significand }, zero)
    }
}
