//! IEEE 754 circuits over packed bits, rounding to nearest even: unpack, compute exactly, normalise, round, pack.
//!
//! NaN bits follow x64 (as the evaluator does): the first NaN operand made quiet, or the negative default NaN.

mod arith;
mod convert;
mod fused;
mod remainder;
#[cfg(test)]
mod tests;

use super::gates::{Gates, Lit};
use super::words::{Word, constant, resized, sign};
use term::FloatWidth;

/// Field sizes of a float.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Format {
    exponent: usize,
    /// The hidden bit included.
    significand: usize,
}

impl Format {
    pub(crate) fn of(width: FloatWidth) -> Format {
        Format { exponent: width.exponent() as usize, significand: width.significand() as usize }
    }

    fn of_bits(bits: usize) -> Format {
        Format::of(if bits == 32 { FloatWidth::F32 } else { FloatWidth::F64 })
    }

    fn bits(self) -> usize {
        self.exponent + self.significand
    }

    fn bias(self) -> i128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Width in which sums of exponents are computed, signed.
    fn wide_exponent(self) -> usize {
        self.exponent + 3
    }

    fn default_nan(self) -> Word {
        let mut bits = vec![Lit::FALSE; self.significand - 2];
        bits.resize(self.bits(), Lit::TRUE);
        bits
    }

    fn infinity(self, sign: Lit) -> Word {
        let mut bits = vec![Lit::FALSE; self.significand - 1];
        bits.resize(self.bits() - 1, Lit::TRUE);
        bits.push(sign);
        bits
    }

    fn zero(self, sign: Lit) -> Word {
        let mut bits = vec![Lit::FALSE; self.bits() - 1];
        bits.push(sign);
        bits
    }
}

/// A float taken apart.
struct Unpacked {
    sign: Lit,
    /// Biased; a subnormal has 1, as the smallest normal numbers do.
    exponent: Word,
    /// With the hidden bit on top, which is zero for subnormals.
    significand: Word,
    nan: Lit,
    infinite: Lit,
    zero: Lit,
}

/// A number `significand * 2^exponent` (the top bit has the weight of the biased exponent) on its way to being rounded.
struct Unrounded {
    sign: Lit,
    exponent: Word,
    significand: Word,
}

fn signed_constant(value: i128, width: usize) -> Word {
    (0..width).map(|bit| Lit::from_bool(value >> bit.min(127) & 1 == 1)).collect()
}

/// The word moved up by one bit, its width kept.
fn doubled(word: &[Lit]) -> Word {
    let mut result = vec![Lit::FALSE];
    result.extend_from_slice(&word[..word.len() - 1]);
    result
}

impl Gates {
    pub(crate) fn float_less(&mut self, a: &[Lit], b: &[Lit], or_equal: bool) -> Lit {
        let format = Format::of_bits(a.len());
        let (x, y) = (self.unpack(a, format), self.unpack(b, format));
        let top = a.len() - 1;
        let less = self.ult(&a[..top], &b[..top], Lit::FALSE);
        let greater = self.ult(&b[..top], &a[..top], Lit::FALSE);
        let same_sign = self.mux(x.sign, greater, less);
        let opposite = self.xor(x.sign, y.sign);
        let below = self.mux(opposite, x.sign, same_sign);
        let zeros = self.and(x.zero, y.zero);
        let mut result = self.and(below, !zeros);
        if or_equal {
            let equal = self.equal(a, b);
            let equal = self.or(equal, zeros);
            result = self.or(result, equal);
        }
        let unordered = self.or(x.nan, y.nan);
        self.and(result, !unordered)
    }

    pub(crate) fn float_equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let format = Format::of_bits(a.len());
        let (x, y) = (self.unpack(a, format), self.unpack(b, format));
        let (same, zeros) = (self.equal(a, b), self.and(x.zero, y.zero));
        let equal = self.or(same, zeros);
        let unordered = self.or(x.nan, y.nan);
        self.and(equal, !unordered)
    }

    fn unpack(&mut self, bits: &[Lit], format: Format) -> Unpacked {
        let (fraction, rest) = bits.split_at(format.significand - 1);
        let field = &rest[..format.exponent];
        let greatest = self.all(field.to_vec());
        let least = self.is_zero(field);
        let no_fraction = self.is_zero(fraction);
        let mut exponent = field.to_vec();
        exponent[0] = self.or(exponent[0], least);
        let mut significand = fraction.to_vec();
        significand.push(!least);
        Unpacked {
            sign: sign(bits),
            exponent,
            significand,
            nan: self.and(greatest, !no_fraction),
            infinite: self.and(greatest, no_fraction),
            zero: self.and(least, no_fraction),
        }
    }

    /// Significand with its top bit set (unless zero), and the exponent in the wide form.
    fn normalised(&mut self, x: &Unpacked, format: Format) -> (Word, Word) {
        let exponent = resized(&x.exponent, format.wide_exponent(), Lit::FALSE);
        self.normalise(&x.significand, &exponent, false)
    }

    /// Moves the top set bit to the top; with `down_to_one`, only as far as the exponent stays positive.
    fn normalise(&mut self, significand: &[Lit], exponent: &[Lit], down_to_one: bool) -> (Word, Word) {
        let width = significand.len();
        let (mut m, mut e) = (significand.to_vec(), exponent.to_vec());
        let stages = width.next_power_of_two().trailing_zeros();
        for distance in (0..stages).rev().map(|stage| 1usize << stage).filter(|&distance| distance < width) {
            let mut empty = self.is_zero(&m[width - distance..]);
            let amount = constant(distance as u128, e.len());
            if down_to_one {
                if e.len() < 127 && distance as u128 >= 1 << e.len() {
                    continue;
                }
                let room = self.ult(&amount, &e, Lit::FALSE);
                empty = self.and(empty, room);
            }
            let mut shifted = vec![Lit::FALSE; distance];
            shifted.extend_from_slice(&m[..width - distance]);
            m = self.mux_word(empty, &shifted, &m);
            let lower = self.sub(&e, &amount);
            e = self.mux_word(empty, &lower, &e);
        }
        (m, e)
    }

    /// Shifts towards lower bits; the lowest bit remembers whether anything fell out.
    fn shift_right_sticky(&mut self, word: &[Lit], by: &[Lit]) -> Word {
        let width = word.len();
        let mut word = word.to_vec();
        for (stage, &bit) in by.iter().enumerate() {
            let distance = if stage < 16 { 1usize << stage } else { width };
            let lost = self.any(word[..distance.min(width)].to_vec());
            let mut shifted: Word =
                (0..width).map(|i| word.get(i + distance).copied().unwrap_or(Lit::FALSE)).collect();
            shifted[0] = self.or(shifted[0], lost);
            word = self.mux_word(bit, &shifted, &word);
        }
        word
    }

    /// Rounds a normalised number, which may be too small or too great for the format.
    fn round(&mut self, number: Unrounded, format: Format) -> Word {
        let number = self.denormalise(number);
        self.pack(number, format)
    }

    /// Makes the exponent at least one, at the price of leading zeros.
    fn denormalise(&mut self, number: Unrounded) -> Unrounded {
        let one = constant(1, number.exponent.len());
        let small = self.slt(&number.exponent, &one, Lit::FALSE);
        let missing = self.sub(&one, &number.exponent);
        let amount = self.and_word(small, &missing);
        Unrounded {
            sign: number.sign,
            significand: self.shift_right_sticky(&number.significand, &amount),
            exponent: self.mux_word(small, &one, &number.exponent),
        }
    }

    /// Rounds to nearest even and joins the fields; the exponent is at least one. A carry out of the significand goes
    /// into the exponent by itself.
    fn pack(&mut self, number: Unrounded, format: Format) -> Word {
        let size = format.significand;
        let mut m = number.significand;
        if m.len() < size + 2 {
            let mut padded = vec![Lit::FALSE; size + 2 - m.len()];
            padded.extend(m);
            m = padded;
        }
        let (rest, kept) = m.split_at(m.len() - size);
        let (guard, sticky) = (rest[rest.len() - 1], self.any(rest[..rest.len() - 1].to_vec()));
        let odd_or_more = self.or(sticky, kept[0]);
        let up = self.and(guard, odd_or_more);
        let one = constant(1, number.exponent.len());
        let below = self.sub(&number.exponent, &one);
        let mut fields = vec![Lit::FALSE; size - 1];
        fields.extend(below);
        fields.push(Lit::FALSE);
        let kept = resized(kept, fields.len(), Lit::FALSE);
        let fields = self.add(&fields, &kept, up);
        let field = &fields[size - 1..];
        let limit = constant((1 << format.exponent) - 1, field.len());
        let overflow = !self.ult(field, &limit, Lit::FALSE);
        let finite = resized(&fields, format.bits() - 1, Lit::FALSE);
        let mut finite = finite;
        finite.push(number.sign);
        let infinity = format.infinity(number.sign);
        self.mux_word(overflow, &infinity, &finite)
    }

    /// The operand with its quiet bit set.
    fn quieted(&self, bits: &[Lit], format: Format) -> Word {
        let mut bits = bits.to_vec();
        bits[format.significand - 2] = Lit::TRUE;
        bits
    }

    /// The result, unless an operand is NaN or the operation is invalid.
    fn with_nan(&mut self, operands: &[(&[Lit], Lit)], invalid: Lit, result: &[Lit], format: Format) -> Word {
        let mut word = self.mux_word(invalid, &format.default_nan(), result);
        for (bits, nan) in operands.iter().rev() {
            let quiet = self.quieted(bits, format);
            word = self.mux_word(*nan, &quiet, &word);
        }
        word
    }
}

/// Both words at the greater of their widths, as signed numbers.
fn same_width(a: &[Lit], b: &[Lit]) -> (Word, Word) {
    let width = a.len().max(b.len());
    (resized(a, width, sign(a)), resized(b, width, sign(b)))
}
