//! `extract`, `concat`, zero and sign extension, fused so that at most one of each is left: padding with zeros is
//! outermost, concatenations nest to the right, an extraction reaches only into what cannot be cut at the term level.

use crate::bits::mask;
use crate::fold;
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;

impl Terms {
    /// Bits `hi` down to `lo`.
    pub fn extract(&mut self, t: Term, hi: u32, lo: u32) -> Term {
        let (mut of, mut hi, mut lo) = (t, hi, lo);
        assert!(lo <= hi && hi < self.width(t), "extract within the width");
        loop {
            if lo == 0 && hi + 1 == self.width(of) {
                return of;
            }
            match *self.node(of) {
                Node::Const(value) => return self.constant(fold::extract(value, hi, lo)),
                Node::Extract { of: inner, lo: base, .. } => (of, hi, lo) = (inner, hi + base, lo + base),
                Node::Extend { of: inner, signed, .. } => {
                    let width = self.width(inner);
                    if hi < width {
                        of = inner;
                    } else if !signed && lo >= width {
                        return self.bv(hi - lo + 1, 0);
                    } else if lo < width {
                        let low = self.extract(inner, width - 1, lo);
                        return self.extend(low, hi - lo + 1, signed);
                    } else {
                        // only copies of the sign
                        let sign = self.extract(inner, width - 1, width - 1);
                        return self.extend(sign, hi - lo + 1, true);
                    }
                }
                Node::Binary(Binary::Concat, high, low) => {
                    let width = self.width(low);
                    if hi < width {
                        of = low;
                    } else if lo >= width {
                        (of, hi, lo) = (high, hi - width, lo - width);
                    } else {
                        let high = self.extract(high, hi - width, 0);
                        let low = self.extract(low, width - 1, lo);
                        return self.concat(high, low);
                    }
                }
                node => return self.extract_from(of, node, hi, lo),
            }
        }
    }

    /// `a` above `b`.
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a) + self.width(b);
        assert!(width <= 128, "bit-vectors have at most 128 bits");
        if let Some(folded) = self.fold_binary(Binary::Concat, a, b) {
            return folded;
        }
        if self.as_bv(a) == Some(0) {
            return self.zext(b, width);
        }
        match *self.node(a) {
            Node::Extend { of, signed: false, .. } => {
                let inner = self.concat(of, b);
                return self.zext(inner, width);
            }
            Node::Binary(Binary::Concat, high, low) => {
                let low = self.concat(low, b);
                return self.concat(high, low);
            }
            _ => {}
        }
        let (next, rest) = match *self.node(b) {
            Node::Binary(Binary::Concat, next, rest) => (next, Some(rest)),
            _ => (b, None),
        };
        if let Some(joined) = self.join(a, next) {
            return match rest {
                Some(rest) => self.concat(joined, rest),
                None => joined,
            };
        }
        self.binary_node(Binary::Concat, a, b)
    }

    /// Zero extension to the width `to`.
    pub fn zext(&mut self, t: Term, to: u32) -> Term {
        self.extend(t, to, false)
    }

    /// Sign extension to the width `to`.
    pub fn sext(&mut self, t: Term, to: u32) -> Term {
        self.extend(t, to, true)
    }

    pub(crate) fn extend(&mut self, t: Term, to: u32, signed: bool) -> Term {
        let width = self.width(t);
        assert!(width <= to && to <= 128, "extension widens");
        if width == to {
            return t;
        }
        match *self.node(t) {
            Node::Const(value) => return self.constant(fold::extend(value, to, signed)),
            Node::Ite(c, x, y) => {
                if let (Some(x), Some(y)) = (self.as_const(x), self.as_const(y)) {
                    let x = self.constant(fold::extend(x, to, signed));
                    let y = self.constant(fold::extend(y, to, signed));
                    return self.ite(c, x, y);
                }
            }
            // a zero extension has a zero sign
            Node::Extend { of, signed: false, .. } => return self.extend(of, to, false),
            Node::Extend { of, signed: true, .. } if signed => return self.extend(of, to, true),
            _ => {}
        }
        let signed = signed && !self.is_non_negative(t);
        self.intern(Node::Extend { of: t, to, signed })
    }

    /// Two neighbours that are one slice: constants, or adjacent parts of one term.
    fn join(&mut self, high: Term, low: Term) -> Option<Term> {
        match (*self.node(high), *self.node(low)) {
            (Node::Const(x), Node::Const(y)) => Some(self.constant(fold::binary(Binary::Concat, x, y))),
            (Node::Extract { of: a, hi, lo }, Node::Extract { of: b, hi: top, lo: bottom })
                if a == b && lo == top + 1 =>
            {
                Some(self.extract(a, hi, bottom))
            }
            _ => None,
        }
    }

    fn extract_from(&mut self, of: Term, node: Node, hi: u32, lo: u32) -> Term {
        match node {
            Node::Ite(c, x, y) => {
                if let (Some(x), Some(y)) = (self.as_const(x), self.as_const(y)) {
                    let x = self.constant(fold::extract(x, hi, lo));
                    let y = self.constant(fold::extract(y, hi, lo));
                    return self.ite(c, x, y);
                }
            }
            Node::Unary(Unary::BvNot, a) if self.is_cut_for_free(a, hi, lo) => {
                let a = self.extract(a, hi, lo);
                return self.bvnot(a);
            }
            Node::Binary(op @ (Binary::BvAnd | Binary::BvOr | Binary::BvXor), a, b)
                if self.is_cut_for_free(a, hi, lo) || self.is_cut_for_free(b, hi, lo) =>
            {
                let (a, b) = (self.extract(a, hi, lo), self.extract(b, hi, lo));
                return self.binary(op, a, b);
            }
            // the low bits of sums and products depend on low bits only
            Node::Binary(op @ (Binary::Add | Binary::Mul), a, b)
                if lo == 0 && self.is_cut_for_free(a, hi, 0) && self.is_cut_for_free(b, hi, 0) =>
            {
                let (a, b) = (self.extract(a, hi, 0), self.extract(b, hi, 0));
                return self.binary(op, a, b);
            }
            Node::Unary(Unary::Neg, a) if lo == 0 && self.is_cut_for_free(a, hi, 0) => {
                let a = self.extract(a, hi, 0);
                return self.neg(a);
            }
            _ => {}
        }
        // bits above the greatest possible value are zero
        if self.range(of).max >> lo == 0 {
            return self.bv(hi - lo + 1, 0);
        }
        self.intern(Node::Extract { of, hi, lo })
    }

    /// Whether extracting makes no new node around `t`, so that pushing an extraction inwards cannot blow up.
    fn is_cut_for_free(&self, t: Term, hi: u32, lo: u32) -> bool {
        match *self.node(t) {
            Node::Const(_) => true,
            Node::Extend { of, .. } => hi < self.width(of) && lo == 0,
            Node::Binary(Binary::Concat, _, low) => {
                hi < self.width(low) && hi + 1 == self.width(low) && lo == 0
            }
            Node::Ite(_, x, y) => self.as_const(x).is_some() && self.as_const(y).is_some(),
            _ => false,
        }
    }

    /// The `width` bits of `t` from bit `lo` put at bit `at` of a zero word as wide as `t`.
    pub(crate) fn placed(&mut self, t: Term, lo: u32, width: u32, at: u32) -> Term {
        let whole = self.width(t);
        debug_assert!(width >= 1 && lo + width <= whole && at + width <= whole);
        let slice = self.extract(t, lo + width - 1, lo);
        let low = if at == 0 {
            slice
        } else {
            let zeros = self.bv(at, 0);
            self.concat(slice, zeros)
        };
        self.zext(low, whole)
    }

    /// A mask of one run of ones: its lowest bit and its length.
    pub(crate) fn run_of_ones(value: u128) -> Option<(u32, u32)> {
        if value == 0 {
            return None;
        }
        let (low, length) = (value.trailing_zeros(), value.count_ones());
        (value == mask(length) << low).then_some((low, length))
    }
}
