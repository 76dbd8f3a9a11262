//! Does an operation leave its type? Against a constant the answer is a comparison, without the operation itself.

use crate::bits::{from_signed, mask, sign_bit, signed_max, signed_min, to_signed};
use crate::node::{Binary, Term};
use crate::store::Terms;

impl Terms {
    pub fn add_overflows(&mut self, a: Term, b: Term, signed: bool) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if !signed {
            // b > max - a
            let room = self.bvnot(b);
            return self.ult(room, a);
        }
        if self.signed_width(a).max(self.signed_width(b)) < width {
            return self.false_();
        }
        if let Some(addend) = self.as_bv(b) {
            let addend = to_signed(addend, width);
            return if addend >= 0 {
                self.greater_than(a, signed_max(width) - addend)
            } else {
                self.slt_limit(a, signed_min(width) - addend)
            };
        }
        let sum = self.add(a, b);
        let (a, b, sum) = (self.is_below_zero(a), self.is_below_zero(b), self.is_below_zero(sum));
        let (same, flipped) = (self.eq(a, b), self.xor(a, sum));
        self.and(same, flipped)
    }

    pub fn sub_overflows(&mut self, a: Term, b: Term, signed: bool) -> Term {
        if !signed {
            return self.ult(a, b);
        }
        let width = self.width(a);
        if self.signed_width(a).max(self.signed_width(b)) < width {
            return self.false_();
        }
        if let Some(subtrahend) = self.as_bv(b) {
            let subtrahend = to_signed(subtrahend, width);
            return if subtrahend >= 0 {
                self.slt_limit(a, signed_min(width) + subtrahend)
            } else {
                self.greater_than(a, signed_max(width) + subtrahend)
            };
        }
        if let Some(minuend) = self.as_bv(a) {
            let minuend = to_signed(minuend, width);
            return if minuend >= 0 {
                self.slt_limit(b, minuend - signed_max(width))
            } else {
                self.greater_than(b, minuend - signed_min(width))
            };
        }
        let difference = self.sub(a, b);
        let (a, b, difference) =
            (self.is_below_zero(a), self.is_below_zero(b), self.is_below_zero(difference));
        let (apart, flipped) = (self.xor(a, b), self.xor(a, difference));
        self.and(apart, flipped)
    }

    pub fn neg_overflows(&mut self, a: Term, signed: bool) -> Term {
        let width = self.width(a);
        if signed {
            let least = self.bv(width, sign_bit(width));
            self.eq(a, least)
        } else {
            let zero = self.bv(width, 0);
            self.ne(a, zero)
        }
    }

    pub fn mul_overflows(&mut self, a: Term, b: Term, signed: bool) -> Term {
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        let op = if signed { Binary::SmulOverflows } else { Binary::UmulOverflows };
        if let Some(folded) = self.fold_binary(op, a, b) {
            return folded;
        }
        match (self.as_bv(b), signed) {
            (Some(factor), false) => return self.umul_constant_overflows(a, factor),
            (Some(factor), true) => return self.smul_constant_overflows(a, to_signed(factor, width)),
            _ => {}
        }
        let fits = if signed {
            self.signed_width(a) + self.signed_width(b) <= width
        } else {
            self.range(a).max.checked_mul(self.range(b).max).is_some_and(|max| max <= mask(width))
        };
        if fits {
            return self.false_();
        }
        self.commutative_node(op, a, b)
    }

    fn umul_constant_overflows(&mut self, a: Term, factor: u128) -> Term {
        match mask(self.width(a)).checked_div(factor) {
            None => self.false_(),
            Some(limit) => {
                let limit = self.bv(self.width(a), limit);
                self.ult(limit, a)
            }
        }
    }

    fn smul_constant_overflows(&mut self, a: Term, factor: i128) -> Term {
        let width = self.width(a);
        let (least, greatest) = (signed_min(width), signed_max(width));
        match factor {
            0 | 1 => self.false_(),
            -1 => self.neg_overflows(a, true),
            // rounding towards zero is rounding inwards at both ends
            _ => {
                let (low, high) = (least / factor, greatest / factor);
                let (low, high) = (low.min(high), low.max(high));
                let (below, above) = (self.slt_limit(a, low), self.greater_than(a, high));
                self.or(below, above)
            }
        }
    }

    fn greater_than(&mut self, a: Term, limit: i128) -> Term {
        let width = self.width(a);
        let limit = self.bv(width, from_signed(limit, width));
        self.slt(limit, a)
    }

    fn is_below_zero(&mut self, a: Term) -> Term {
        self.slt_limit(a, 0)
    }
}
