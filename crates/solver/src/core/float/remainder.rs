//! The remainder of truncated division (`fmod`): long division of the significands, one step for each binary place between
//! the exponents. For doubles that is some two thousand steps, which only the limits of a query hold back.

use super::{Format, Unrounded};
use crate::core::gates::{Gates, Lit};
use crate::core::words::{Word, constant, resized, sign};

impl Gates {
    pub(crate) fn float_rem(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let format = Format::of_bits(a.len());
        let (x, y) = (self.unpack(a, format), self.unpack(b, format));
        let ((m, e), (n, f)) = (self.normalised(&x, format), self.normalised(&y, format));
        let distance = self.sub(&e, &f);
        let rest = self.long_remainder(&m, &n, &distance, format);
        let zero = self.is_zero(&rest);
        let (significand, exponent) = self.normalise(&rest, &f, false);
        let significand = {
            let mut word = vec![Lit::FALSE; 2];
            word.extend(significand);
            word
        };
        let packed = self.round(Unrounded { sign: x.sign, exponent, significand }, format);
        let packed = self.mux_word(zero, &format.zero(x.sign), &packed);
        // a smaller dividend is its own remainder
        let top = a.len() - 1;
        let smaller = self.ult(&a[..top], &b[..top], Lit::FALSE);
        let itself = self.or(smaller, x.zero);
        let result = self.mux_word(itself, a, &packed);
        let invalid = self.or(x.infinite, y.zero);
        self.with_nan(&[(a, x.nan), (b, y.nan)], invalid, &result, format)
    }

    fn long_remainder(&mut self, m: &[Lit], n: &[Lit], distance: &[Lit], format: Format) -> Word {
        let width = m.len() + 1;
        let divisor = resized(n, width, Lit::FALSE);
        let mut rest = resized(m, width, Lit::FALSE);
        let steps = (1usize << format.exponent) + format.significand;
        for step in 0..steps {
            // steps beyond the distance change nothing
            let place = constant(step as u128, distance.len());
            let beyond = self.slt(distance, &place, Lit::FALSE);
            if beyond == Lit::TRUE {
                break;
            }
            let moved = if step == 0 {
                rest.clone()
            } else {
                let mut word = vec![Lit::FALSE];
                word.extend_from_slice(&rest[..width - 1]);
                word
            };
            let below = self.ult(&moved, &divisor, Lit::FALSE);
            let reduced = self.sub(&moved, &divisor);
            let next = self.mux_word(below, &moved, &reduced);
            rest = self.mux_word(beyond, &rest, &next);
        }
        debug_assert_eq!(sign(&divisor), Lit::FALSE);
        rest.truncate(width - 1);
        rest
    }
}
