//! Comparisons. All are written with `<`; a constant stands on the right, where its limits are known; operands that
//! were extended are compared at their own width.

use crate::bits::{from_signed, mask, sign_bit, signed_max, signed_min, to_signed};
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;

impl Terms {
    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "comparisons take operands of one width");
        if a == b {
            return self.false_();
        }
        let (x, y) = (self.range(a), self.range(b));
        if x.max < y.min {
            return self.true_();
        }
        if x.min >= y.max {
            return self.false_();
        }
        if let Some(folded) = self.fold_binary(Binary::Ult, a, b) {
            return folded;
        }
        if let Some(limit) = self.as_bv(b) {
            return self.ult_constant(a, limit);
        }
        if let Some(limit) = self.as_bv(a) {
            // limit < b, and limit is not the greatest value, or the bounds would have decided
            let least = self.ult_limit(b, limit + 1);
            return self.not(least);
        }
        match (*self.node(a), *self.node(b)) {
            (Node::Unary(Unary::BvNot, p), Node::Unary(Unary::BvNot, q)) => return self.ult(q, p),
            (Node::Extend { of: p, signed: s, .. }, Node::Extend { of: q, signed: t, .. }) if s == t => {
                // extension keeps the unsigned order: negative values stay the greatest
                let width = self.width(p).max(self.width(q));
                let (p, q) = (self.extend(p, width, s), self.extend(q, width, s));
                return self.ult(p, q);
            }
            _ => {}
        }
        self.binary_node(Binary::Ult, a, b)
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "comparisons take operands of one width");
        if a == b {
            return self.false_();
        }
        match (self.known_sign(a), self.known_sign(b)) {
            (Some(x), Some(y)) if x == y => return self.ult(a, b),
            (Some(negative), Some(_)) => return self.bool(negative),
            _ => {}
        }
        if let Some(folded) = self.fold_binary(Binary::Slt, a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(limit) = self.as_bv(b) {
            return self.slt_constant(a, to_signed(limit, width));
        }
        if let Some(limit) = self.as_bv(a) {
            let limit = to_signed(limit, width);
            if limit == signed_max(width) {
                return self.false_();
            }
            let next = self.bv(width, from_signed(limit + 1, width));
            let least = self.slt(b, next);
            return self.not(least);
        }
        if let (Node::Extend { of: p, signed: s, .. }, Node::Extend { of: q, signed: t, .. }) =
            (*self.node(a), *self.node(b))
        {
            let needed = |terms: &Terms, t: Term, signed: bool| terms.width(t) + !signed as u32;
            let narrow = needed(self, p, s).max(needed(self, q, t));
            if narrow < width {
                let (p, q) = (self.extend(p, narrow, s), self.extend(q, narrow, t));
                return self.slt(p, q);
            }
        }
        self.binary_node(Binary::Slt, a, b)
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.ult(b, a);
        self.not(greater)
    }

    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.slt(b, a);
        self.not(greater)
    }

    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    fn known_sign(&self, t: Term) -> Option<bool> {
        if self.is_negative(t) { Some(true) } else { self.is_non_negative(t).then_some(false) }
    }

    pub(crate) fn ult_limit(&mut self, a: Term, limit: u128) -> Term {
        let limit = self.bv(self.width(a), limit);
        self.ult(a, limit)
    }

    pub(crate) fn slt_limit(&mut self, a: Term, limit: i128) -> Term {
        let width = self.width(a);
        let limit = self.bv(width, from_signed(limit, width));
        self.slt(a, limit)
    }

    /// `a < limit` where the bounds of `a` leave both answers open.
    fn ult_constant(&mut self, a: Term, limit: u128) -> Term {
        let width = self.width(a);
        let range = self.range(a);
        if limit == range.min + 1 {
            let least = self.bv(width, range.min);
            return self.eq(a, least);
        }
        if limit == range.max {
            let greatest = self.bv(width, range.max);
            return self.ne(a, greatest);
        }
        match *self.node(a) {
            Node::Extend { of, signed: false, .. } => return self.ult_limit(of, limit),
            Node::Extend { of, signed: true, .. } => {
                let half = sign_bit(self.width(of));
                return if limit <= half || limit > mask(width) - half {
                    self.ult_limit(of, limit & mask(self.width(of)))
                } else {
                    let negative = self.slt_limit(of, 0);
                    self.not(negative)
                };
            }
            Node::Binary(Binary::Udiv, x, c) => {
                if let Some(divisor) = self.as_bv(c).filter(|&divisor| divisor > 0) {
                    return match limit.checked_mul(divisor).filter(|&product| product <= mask(width)) {
                        Some(product) => self.ult_limit(x, product),
                        None => self.true_(),
                    };
                }
            }
            Node::Binary(Binary::Add, x, c) => {
                if let Some(addend) = self.as_bv(c)
                    && self.range(x).max.checked_add(addend).is_some_and(|max| max <= mask(width))
                {
                    return self.ult_limit(x, limit - addend);
                }
            }
            Node::Binary(Binary::Concat, high, low) => {
                let shift = self.width(low);
                if limit & mask(shift) == 0 {
                    return self.ult_limit(high, limit >> shift);
                }
            }
            _ => {}
        }
        let limit = self.bv(width, limit);
        self.binary_node(Binary::Ult, a, limit)
    }

    /// `a < limit`, signed, where the sign of `a` is not known.
    fn slt_constant(&mut self, a: Term, limit: i128) -> Term {
        let width = self.width(a);
        let constant = self.bv(width, from_signed(limit, width));
        if constant == self.bv(width, sign_bit(width)) {
            return self.false_();
        }
        if from_signed(limit - 1, width) == sign_bit(width) {
            let least = self.bv(width, sign_bit(width));
            return self.eq(a, least);
        }
        if limit == signed_max(width) {
            return self.ne(a, constant);
        }
        match *self.node(a) {
            Node::Extend { of, signed: true, .. } => {
                let inner = self.width(of);
                let half = sign_bit(inner) as i128;
                return if limit >= half {
                    self.true_()
                } else if limit <= -half {
                    self.false_()
                } else {
                    self.slt_limit(of, limit)
                };
            }
            Node::Binary(Binary::Add, x, c) => {
                if let Some(addend) = self.as_bv(c)
                    && self.add_stays_signed(x, to_signed(addend, width))
                {
                    let limit = limit.saturating_sub(to_signed(addend, width));
                    return self.slt_or_known(x, limit);
                }
            }
            Node::Binary(Binary::Concat, high, low) if limit & mask(self.width(low)) as i128 == 0 => {
                return self.slt_limit(high, limit >> self.width(low));
            }
            Node::Binary(Binary::Sdiv, x, c) => {
                if let Some(answer) = self.quotient_below(x, c, limit) {
                    return answer;
                }
            }
            _ => {}
        }
        self.binary_node(Binary::Slt, a, constant)
    }

    /// Bounds of the signed value.
    pub(crate) fn signed_range(&self, t: Term) -> (i128, i128) {
        let (range, width) = (self.range(t), self.width(t));
        if self.is_non_negative(t) || self.is_negative(t) {
            return (to_signed(range.min, width), to_signed(range.max, width));
        }
        let needed = self.signed_width(t);
        (signed_min(needed), signed_max(needed))
    }

    /// Whether `x + addend` cannot leave the signed range.
    fn add_stays_signed(&self, x: Term, addend: i128) -> bool {
        let width = self.width(x);
        let (min, max) = self.signed_range(x);
        let within =
            |sum: Option<i128>| sum.is_some_and(|sum| (signed_min(width)..=signed_max(width)).contains(&sum));
        within(min.checked_add(addend)) && within(max.checked_add(addend))
    }

    /// `x < limit`, signed, where the limit may lie outside the width.
    fn slt_or_known(&mut self, x: Term, limit: i128) -> Term {
        let width = self.width(x);
        if limit > signed_max(width) {
            self.true_()
        } else if limit <= signed_min(width) {
            self.false_()
        } else {
            self.slt_limit(x, limit)
        }
    }

    /// `x / c < limit` for a positive constant: division rounds towards zero, so for positive limits it is
    /// `x < limit * c`, else `x <= (limit - 1) * c`.
    fn quotient_below(&mut self, x: Term, c: Term, limit: i128) -> Option<Term> {
        let width = self.width(x);
        let divisor = to_signed(self.as_bv(c)?, width);
        if divisor <= 0 {
            return None;
        }
        if limit > 0 {
            return Some(match limit.checked_mul(divisor).filter(|&bound| bound <= signed_max(width)) {
                Some(bound) => self.slt_limit(x, bound),
                None => self.true_(),
            });
        }
        let bound = (limit - 1).checked_mul(divisor).filter(|&bound| bound >= -signed_max(width) - 1);
        Some(match bound {
            Some(bound) => {
                let bound = self.bv(width, from_signed(bound, width));
                self.sle(x, bound)
            }
            None => self.false_(),
        })
    }
}
