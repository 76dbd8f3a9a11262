//! Conversions between floats, integers and integral floats.

use super::{Format, Unrounded, signed_constant};
use crate::core::gates::{Gates, Lit};
use crate::core::words::{Word, constant, resized, sign};
use term::{FloatWidth, Rounding};

impl Gates {
    pub(crate) fn integer_to_float(&mut self, a: &[Lit], to: FloatWidth, signed: bool) -> Word {
        let format = Format::of(to);
        let (magnitude, negative) = if signed { (self.abs(a), sign(a)) } else { (a.to_vec(), Lit::FALSE) };
        let zero = self.is_zero(&magnitude);
        let number = self.integer(&magnitude, negative, format);
        let packed = self.pack(number, format);
        self.mux_word(zero, &format.zero(Lit::FALSE), &packed)
    }

    /// Towards zero, saturating, NaN gives zero.
    pub(crate) fn float_to_integer(&mut self, a: &[Lit], width: usize, signed: bool) -> Word {
        let format = Format::of_bits(a.len());
        let x = self.unpack(a, format);
        let exponent = resized(&x.exponent, format.exponent + 1, Lit::FALSE);
        let shift = self.sub(&exponent, &signed_constant(format.bias(), exponent.len()));
        let below_one = sign(&shift);
        let limit = constant(width as u128, shift.len());
        let fits = self.ult(&shift, &limit, Lit::FALSE);
        let too_great = self.and(!fits, !below_one);
        // the integer part is what is shifted above the fraction
        let stages = (width + 1).next_power_of_two().trailing_zeros() as usize;
        let wide = resized(&x.significand, format.significand + width, Lit::FALSE);
        let amount = resized(&shift, stages.min(shift.len()), Lit::FALSE);
        let shifted = self.shift_left(&wide, &amount);
        let whole = &shifted[format.significand - 1..format.significand - 1 + width];
        let whole = self.and_word(!below_one, whole);
        let result = if signed {
            let over = self.or(too_great, whole[width - 1]);
            let negated = self.neg(&whole);
            let value = self.mux_word(x.sign, &negated, &whole);
            let mut limit = vec![!x.sign; width - 1];
            limit.push(x.sign);
            self.mux_word(over, &limit, &value)
        } else {
            let value = self.mux_word(too_great, &vec![Lit::TRUE; width], &whole);
            self.and_word(!x.sign, &value)
        };
        self.and_word(!x.nan, &result)
    }

    pub(crate) fn float_to_float(&mut self, a: &[Lit], to: FloatWidth) -> Word {
        let (from, to) = (Format::of_bits(a.len()), Format::of(to));
        let x = self.unpack(a, from);
        let (significand, exponent) = self.normalised(&x, from);
        let width = from.wide_exponent().max(to.wide_exponent());
        let exponent = resized(&exponent, width, sign(&exponent));
        let exponent = self.add(&exponent, &signed_constant(to.bias() - from.bias(), width), Lit::FALSE);
        let significand = padded(&significand, to.significand + 2);
        let rounded = self.round(Unrounded { sign: x.sign, exponent, significand }, to);
        let result = self.with_limits(&rounded, x.sign, x.zero, x.infinite, to);
        let nan = converted_nan(a, from, to);
        self.mux_word(x.nan, &nan, &result)
    }

    /// To an integral float.
    pub(crate) fn float_round(&mut self, a: &[Lit], rounding: Rounding) -> Word {
        let format = Format::of_bits(a.len());
        let size = format.significand;
        let x = self.unpack(a, format);
        let exponent = resized(&x.exponent, format.exponent + 1, Lit::FALSE);
        // how many bits of the significand are below the point
        let point = signed_constant(format.bias() + size as i128 - 1, exponent.len());
        let fraction_bits = self.sub(&point, &exponent);
        let zero = vec![Lit::FALSE; fraction_bits.len()];
        let integral = self.slt(&fraction_bits, &zero, Lit::TRUE);
        let mut guarded = vec![Lit::FALSE; 2];
        guarded.extend_from_slice(&x.significand);
        // with everything below the point, further shifting changes nothing but must not lose the sticky bit
        let most = constant(size as u128 + 1, fraction_bits.len());
        let far = self.slt(&most, &fraction_bits, Lit::FALSE);
        let amount = self.mux_word(far, &most, &fraction_bits);
        let amount = self.and_word(!integral, &amount);
        let shifted = self.shift_right_sticky(&guarded, &amount);
        let (sticky, guard, whole) = (shifted[0], shifted[1], &shifted[2..]);
        let inexact = self.or(guard, sticky);
        let up = match rounding {
            Rounding::NearestEven => {
                let odd_or_more = self.or(sticky, whole[0]);
                self.and(guard, odd_or_more)
            }
            Rounding::NearestAway => guard,
            Rounding::TowardZero => Lit::FALSE,
            Rounding::Down => self.and(x.sign, inexact),
            Rounding::Up => self.and(!x.sign, inexact),
        };
        let whole = resized(whole, size + 1, Lit::FALSE);
        let rounded = self.add(&whole, &vec![Lit::FALSE; size + 1], up);
        let is_zero = self.is_zero(&rounded);
        let number = self.integer(&rounded, x.sign, format);
        let packed = self.pack(number, format);
        let packed = self.mux_word(is_zero, &format.zero(x.sign), &packed);
        let result = self.mux_word(integral, a, &packed);
        self.with_nan(&[(a, x.nan)], Lit::FALSE, &result, format)
    }

    /// A magnitude as a number with its top bit in place.
    fn integer(&mut self, magnitude: &[Lit], sign: Lit, format: Format) -> Unrounded {
        let exponent = constant((format.bias() + magnitude.len() as i128 - 1) as u128, format.exponent + 2);
        let (significand, exponent) = self.normalise(magnitude, &exponent, false);
        Unrounded { sign, exponent, significand }
    }
}

/// Zeros below, until the word has at least the given width.
fn padded(word: &[Lit], width: usize) -> Word {
    let mut result = vec![Lit::FALSE; width.saturating_sub(word.len())];
    result.extend_from_slice(word);
    result
}

/// Sign and payload, quiet, cut or extended at the low end.
fn converted_nan(a: &[Lit], from: Format, to: Format) -> Word {
    let payload = &a[..from.significand - 1];
    let mut fraction = if to.significand >= from.significand {
        padded(payload, to.significand - 1)
    } else {
        payload[from.significand - to.significand..].to_vec()
    };
    fraction[to.significand - 2] = Lit::TRUE;
    fraction.resize(to.bits() - 1, Lit::TRUE);
    fraction.push(sign(a));
    fraction
}
