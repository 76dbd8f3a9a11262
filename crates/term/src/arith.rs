//! Sums and products. Sums keep their constant last and outermost, products their constant factor; multiples of one
//! term are merged, so `x + 3*x - 4*x` vanishes.

use crate::bits::mask;
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;

impl Terms {
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "sums take operands of one width");
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold_binary(Binary::Add, a, b) {
            return folded;
        }
        if self.as_bv(b) == Some(0) {
            return a;
        }
        if let Some(moved) = self.add_moving_constant(a, b).or_else(|| self.add_moving_constant(b, a)) {
            return moved;
        }
        if self.as_bv(b).is_some() {
            return self.binary_node(Binary::Add, a, b);
        }
        if let Some(merged) = self.merge_multiples(a, b) {
            return merged;
        }
        for (sum, other) in [(a, b), (b, a)] {
            if let Node::Binary(Binary::Add, p, q) = *self.node(sum) {
                for (one, rest) in [(p, q), (q, p)] {
                    if let Some(merged) = self.merge_multiples(one, other) {
                        return self.add(merged, rest);
                    }
                }
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.commutative_node(Binary::Add, a, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    pub fn neg(&mut self, a: Term) -> Term {
        if let Some(folded) = self.fold_unary(Unary::Neg, a) {
            return folded;
        }
        let width = self.width(a);
        match *self.node(a) {
            Node::Unary(Unary::Neg, inner) => inner,
            Node::Unary(Unary::BvNot, inner) => {
                let one = self.bv(width, 1);
                self.add(inner, one)
            }
            Node::Binary(Binary::Add, x, y) => {
                if self.as_bv(y).is_some() || self.is_negation(x) || self.is_negation(y) {
                    let (x, y) = (self.neg(x), self.neg(y));
                    return self.add(x, y);
                }
                self.unary_node(Unary::Neg, a)
            }
            _ => {
                let (base, factor) = self.scaled(a);
                if base != a {
                    return self.mul_constant(base, factor.wrapping_neg() & mask(width));
                }
                self.unary_node(Unary::Neg, a)
            }
        }
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "products take operands of one width");
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold_binary(Binary::Mul, a, b) {
            return folded;
        }
        if let Some(factor) = self.as_bv(b) {
            return self.mul_constant(a, factor);
        }
        let ((x, p), (y, q)) = (self.scaled(a), self.scaled(b));
        if (x, y) != (a, b) {
            let product = self.mul(x, y);
            return self.mul_constant(product, p.wrapping_mul(q) & mask(self.width(a)));
        }
        self.commutative_node(Binary::Mul, a, b)
    }

    /// `t` as `base * factor`, in all the forms a constant factor takes.
    pub fn scaled(&mut self, t: Term) -> (Term, u128) {
        let width = self.width(t);
        match *self.node(t) {
            Node::Unary(Unary::Neg, x) => (x, mask(width)),
            Node::Binary(Binary::Mul, x, y) => match self.as_bv(y) {
                Some(factor) => (x, factor),
                None => (t, 1),
            },
            Node::Binary(Binary::Concat, high, low) if self.as_bv(low) == Some(0) => {
                let shift = self.width(low);
                (self.unshifted(high, width), 1 << shift)
            }
            Node::Extend { of, signed, .. } => match *self.node(of) {
                Node::Binary(Binary::Concat, high, low) if self.as_bv(low) == Some(0) => {
                    let shift = self.width(low);
                    (self.extend(high, width, signed), 1 << shift)
                }
                _ => (t, 1),
            },
            _ => (t, 1),
        }
    }

    /// A word of the given width with the given low bits; which ones are above does not matter.
    fn unshifted(&mut self, low: Term, width: u32) -> Term {
        match *self.node(low) {
            Node::Extract { of, lo: 0, .. } if self.width(of) == width => of,
            Node::Extend { of, signed, .. } => self.extend(of, width, signed),
            _ => self.zext(low, width),
        }
    }

    pub(crate) fn mul_constant(&mut self, a: Term, factor: u128) -> Term {
        let width = self.width(a);
        let constant = self.bv(width, factor);
        match factor {
            0 => return constant,
            1 => return a,
            _ if factor == mask(width) => return self.neg(a),
            _ if self.as_bv(a).is_some() => return self.mul(a, constant),
            _ => {}
        }
        let (base, inner) = self.scaled(a);
        if base != a {
            return self.mul_constant(base, inner.wrapping_mul(factor) & mask(width));
        }
        if let Node::Binary(Binary::Add, x, y) = *self.node(a)
            && self.as_bv(y).is_some()
        {
            let (x, y) = (self.mul_constant(x, factor), self.mul_constant(y, factor));
            return self.add(x, y);
        }
        if factor.is_power_of_two() {
            let shift = factor.trailing_zeros();
            return self.placed(a, 0, width - shift, shift);
        }
        self.binary_node(Binary::Mul, a, constant)
    }

    /// Pulls the constant of a sum outwards, and writes `~x` as `-x - 1`.
    fn add_moving_constant(&mut self, a: Term, b: Term) -> Option<Term> {
        match *self.node(a) {
            Node::Binary(Binary::Add, x, c) if self.as_bv(c).is_some() => {
                let (rest, constant) =
                    if self.as_bv(b).is_some() { (x, self.add(c, b)) } else { (self.add(x, b), c) };
                Some(self.add(rest, constant))
            }
            Node::Unary(Unary::BvNot, x) => {
                let negated = self.neg(x);
                let ones = self.bv(self.width(a), u128::MAX);
                let rest = if self.as_bv(b).is_some() {
                    let constant = self.add(b, ones);
                    return Some(self.add(negated, constant));
                } else {
                    self.add(negated, b)
                };
                Some(self.add(rest, ones))
            }
            _ => None,
        }
    }

    fn merge_multiples(&mut self, a: Term, b: Term) -> Option<Term> {
        let ((x, p), (y, q)) = (self.scaled(a), self.scaled(b));
        (x == y).then(|| self.mul_constant(x, p.wrapping_add(q) & mask(self.width(a))))
    }

    fn is_negation(&self, t: Term) -> bool {
        matches!(self.node(t), Node::Unary(Unary::Neg, _))
    }
}
