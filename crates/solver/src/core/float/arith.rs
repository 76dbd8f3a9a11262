//! Sum, product, quotient, square root.

use super::{Format, Unpacked, Unrounded, doubled, signed_constant};
use crate::core::gates::{Gates, Lit};
use crate::core::words::{Word, as_constant, constant};

impl Gates {
    pub(crate) fn float_add(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let format = Format::of_bits(a.len());
        let (a_nan, b_nan) = (self.unpack(a, format).nan, self.unpack(b, format).nan);
        let (sum, invalid) = self.float_sum(a, b, format);
        self.with_nan(&[(a, a_nan), (b, b_nan)], invalid, &sum, format)
    }

    pub(crate) fn float_sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let format = Format::of_bits(a.len());
        let (a_nan, b_nan) = (self.unpack(a, format).nan, self.unpack(b, format).nan);
        let mut negated = b.to_vec();
        if let Some(sign) = negated.last_mut() {
            *sign = !*sign;
        }
        let (difference, invalid) = self.float_sum(a, &negated, format);
        // a NaN keeps its sign
        self.with_nan(&[(a, a_nan), (b, b_nan)], invalid, &difference, format)
    }

    pub(crate) fn float_mul(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let format = Format::of_bits(a.len());
        let (x, y) = (self.unpack(a, format), self.unpack(b, format));
        let sign = self.xor(x.sign, y.sign);
        let product = self.exact_product(&x, &y, sign, format);
        let rounded = self.round(product, format);
        let (zero_times, times_zero) = (self.and(x.infinite, y.zero), self.and(x.zero, y.infinite));
        let invalid = self.or(zero_times, times_zero);
        let (zero, infinite) = (self.or(x.zero, y.zero), self.or(x.infinite, y.infinite));
        let result = self.with_limits(&rounded, sign, zero, infinite, format);
        self.with_nan(&[(a, x.nan), (b, y.nan)], invalid, &result, format)
    }

    pub(crate) fn float_div(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let format = Format::of_bits(a.len());
        let (x, y) = (self.unpack(a, format), self.unpack(b, format));
        let sign = self.xor(x.sign, y.sign);
        let ((m, e), (n, f)) = (self.normalised(&x, format), self.normalised(&y, format));
        let quotient = self.divide_significands(&m, &n, format);
        let difference = self.sub(&e, &f);
        let exponent = self.add(&difference, &signed_constant(format.bias(), e.len()), Lit::FALSE);
        let number = self.lift_top(sign, &exponent, &quotient);
        let rounded = self.round(number, format);
        let (infinities, zeros) = (self.and(x.infinite, y.infinite), self.and(x.zero, y.zero));
        let invalid = self.or(infinities, zeros);
        let (zero, infinite) = (self.or(x.zero, y.infinite), self.or(x.infinite, y.zero));
        let result = self.with_limits(&rounded, sign, zero, infinite, format);
        self.with_nan(&[(a, x.nan), (b, y.nan)], invalid, &result, format)
    }

    pub(crate) fn float_sqrt(&mut self, a: &[Lit]) -> Word {
        let format = Format::of_bits(a.len());
        let x = self.unpack(a, format);
        let (m, e) = self.normalised(&x, format);
        // the bias is odd, so an odd biased exponent is an even one
        let odd = !e[0];
        let mut plain = m.clone();
        plain.push(Lit::FALSE);
        let radicand = self.mux_word(odd, &doubled_wide(&m), &plain);
        let root = self.square_root(&radicand, format);
        let bias = signed_constant(format.bias(), e.len());
        let unbiased = self.sub(&e, &bias);
        let mut halved = unbiased[1..].to_vec();
        halved.push(unbiased[unbiased.len() - 1]);
        let exponent = self.add(&halved, &bias, Lit::FALSE);
        let rounded = self.pack(Unrounded { sign: Lit::FALSE, exponent, significand: root }, format);
        let invalid = self.and(x.sign, !x.zero);
        let result = self.with_limits(&rounded, x.sign, x.zero, x.infinite, format);
        self.with_nan(&[(a, x.nan)], invalid, &result, format)
    }

    /// The product, exact and normalised, of numbers that are neither zero nor infinite.
    pub(super) fn exact_product(
        &mut self,
        x: &Unpacked,
        y: &Unpacked,
        sign: Lit,
        format: Format,
    ) -> Unrounded {
        let ((m, e), (n, f)) = (self.normalised(x, format), self.normalised(y, format));
        // the multiplier runs over the rows of its second operand, better a constant
        let (rows, columns) =
            if as_constant(&m).is_some() || (as_constant(&n).is_none() && m < n) { (m, n) } else { (n, m) };
        let product = self.multiply_unsigned(&columns, &rows, 2 * format.significand);
        let sum = self.add(&e, &f, Lit::FALSE);
        let exponent = self.sub(&sum, &signed_constant(format.bias() - 1, sum.len()));
        self.lift_top(sign, &exponent, &product)
    }

    /// Zero or infinity where the operands say so; infinity wins.
    pub(super) fn with_limits(
        &mut self,
        result: &[Lit],
        sign: Lit,
        zero: Lit,
        infinite: Lit,
        format: Format,
    ) -> Word {
        let result = self.mux_word(zero, &format.zero(sign), result);
        self.mux_word(infinite, &format.infinity(sign), &result)
    }

    /// A number whose top bit is one of the two highest: moved to the top.
    fn lift_top(&mut self, sign: Lit, exponent: &[Lit], significand: &[Lit]) -> Unrounded {
        let top = significand[significand.len() - 1];
        let lower = self.sub(exponent, &constant(1, exponent.len()));
        Unrounded {
            sign,
            exponent: self.mux_word(top, exponent, &lower),
            significand: self.mux_word(top, significand, &doubled(significand)),
        }
    }

    /// The sum and whether it is infinity minus infinity; NaN operands are the caller's.
    fn float_sum(&mut self, a: &[Lit], b: &[Lit], format: Format) -> (Word, Lit) {
        let top = a.len() - 1;
        // one order for both, so that a + b and b + a are one circuit
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let smaller = self.ult(&a[..top], &b[..top], Lit::FALSE);
        let (great, small) = (self.mux_word(smaller, b, a), self.mux_word(smaller, a, b));
        let (x, y) = (self.unpack(&great, format), self.unpack(&small, format));
        let distance = self.sub(&x.exponent, &y.exponent);
        let framed = |significand: &[Lit]| {
            let mut word = vec![Lit::FALSE; 3];
            word.extend_from_slice(significand);
            word.push(Lit::FALSE);
            word
        };
        let aligned = self.shift_right_sticky(&framed(&y.significand), &distance);
        let subtract = self.xor(x.sign, y.sign);
        let aligned: Word = aligned.iter().map(|&bit| self.xor(bit, subtract)).collect();
        let sum = self.add(&framed(&x.significand), &aligned, subtract);
        let zero = self.is_zero(&sum);
        let mut exponent = x.exponent.clone();
        exponent.push(Lit::FALSE);
        let exponent = self.add(&exponent, &constant(1, exponent.len()), Lit::FALSE);
        let (significand, exponent) = self.normalise(&sum, &exponent, true);
        let both_negative = self.and(x.sign, y.sign);
        let sign = self.mux(zero, both_negative, x.sign);
        let rounded = self.pack(Unrounded { sign, exponent, significand }, format);
        let rounded = self.mux_word(zero, &format.zero(sign), &rounded);
        // the greater magnitude is the infinite one, if any
        let result = self.mux_word(x.infinite, &format.infinity(x.sign), &rounded);
        let infinities = self.and(x.infinite, y.infinite);
        (result, self.and(infinities, subtract))
    }

    /// Quotient of normalised significands with two bits more than needed and a sticky bit.
    fn divide_significands(&mut self, m: &[Lit], n: &[Lit], format: Format) -> Word {
        let digits = format.significand + 3;
        let (mut rest, mut divisor) = (m.to_vec(), n.to_vec());
        rest.push(Lit::FALSE);
        divisor.push(Lit::FALSE);
        let mut quotient = vec![Lit::FALSE; digits];
        for digit in quotient.iter_mut().rev() {
            let below = self.ult(&rest, &divisor, Lit::FALSE);
            *digit = !below;
            let reduced = self.sub(&rest, &divisor);
            rest = doubled(&self.mux_word(below, &rest, &reduced));
        }
        let mut word = vec![self.any(rest)];
        word.extend(quotient);
        word
    }

    /// The root, digit by digit, with a sticky bit below.
    fn square_root(&mut self, radicand: &[Lit], format: Format) -> Word {
        let digits = format.significand + 2;
        let mut pairs = vec![Lit::FALSE; 2 * digits - radicand.len()];
        pairs.extend_from_slice(radicand);
        let width = digits + 2;
        let (mut rest, mut root) = (vec![Lit::FALSE; width], vec![Lit::FALSE; width]);
        for i in (0..digits).rev() {
            let mut next = vec![pairs[2 * i], pairs[2 * i + 1]];
            next.extend_from_slice(&rest[..width - 2]);
            let mut trial = vec![Lit::TRUE, Lit::FALSE];
            trial.extend_from_slice(&root[..width - 2]);
            let below = self.ult(&next, &trial, Lit::FALSE);
            let reduced = self.sub(&next, &trial);
            rest = self.mux_word(below, &next, &reduced);
            root = doubled(&root);
            root[0] = !below;
        }
        let mut word = vec![self.any(rest)];
        word.extend_from_slice(&root[..digits]);
        word
    }
}

/// The word times two, one bit wider.
fn doubled_wide(word: &[Lit]) -> Word {
    let mut result = vec![Lit::FALSE];
    result.extend_from_slice(word);
    result
}
