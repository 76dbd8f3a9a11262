//! Bitwise operators. Masks with one run of ones are slices; words whose set bits cannot overlap are joined by
//! concatenation, so that assembling a number from bytes leaves no operator at all.

use crate::bits::{bit_length, mask};
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;

impl Terms {
    pub fn bvnot(&mut self, a: Term) -> Term {
        if let Some(folded) = self.fold_unary(Unary::BvNot, a) {
            return folded;
        }
        match *self.node(a) {
            Node::Unary(Unary::BvNot, inner) => inner,
            // ~(-x) = x - 1 and ~(x + c) = -x - c - 1 keep sums in one form
            Node::Unary(Unary::Neg, inner) => {
                let ones = self.bv(self.width(a), u128::MAX);
                self.add(inner, ones)
            }
            _ => self.unary_node(Unary::BvNot, a),
        }
    }

    pub fn bvand(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.bitwise_operands(a, b);
        if let Some(folded) = self.fold_binary(Binary::BvAnd, a, b) {
            return folded;
        }
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.are_complements(a, b) {
            return self.bv(width, 0);
        }
        if let Some(value) = self.as_bv(b) {
            return self.bvand_constant(a, b, value);
        }
        if self.contains_operand(Binary::BvAnd, a, b) {
            return a;
        }
        if self.contains_operand(Binary::BvAnd, b, a) {
            return b;
        }
        // a & (a | y) = a
        if self.contains_operand(Binary::BvOr, a, b) {
            return b;
        }
        if self.contains_operand(Binary::BvOr, b, a) {
            return a;
        }
        if let Some((inner, narrow)) = self.narrower(a, b) {
            let other = if narrow == a { b } else { a };
            let low = self.width(inner);
            let other = self.extract(other, low - 1, 0);
            let meet = self.bvand(inner, other);
            return self.zext(meet, width);
        }
        self.commutative_node(Binary::BvAnd, a, b)
    }

    pub fn bvor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.bitwise_operands(a, b);
        if let Some(folded) = self.fold_binary(Binary::BvOr, a, b) {
            return folded;
        }
        let width = self.width(a);
        if a == b {
            return a;
        }
        if self.are_complements(a, b) {
            return self.bv(width, u128::MAX);
        }
        match self.as_bv(b) {
            Some(0) => return a,
            Some(value) if value == mask(width) => return b,
            Some(value) => {
                if let Some(chain) = self.constant_chain(Binary::BvOr, a, value) {
                    return chain;
                }
            }
            None => {}
        }
        if self.contains_operand(Binary::BvOr, a, b) || self.contains_operand(Binary::BvAnd, b, a) {
            return a;
        }
        if self.contains_operand(Binary::BvOr, b, a) || self.contains_operand(Binary::BvAnd, a, b) {
            return b;
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.commutative_node(Binary::BvOr, a, b)
    }

    pub fn bvxor(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.bitwise_operands(a, b);
        if let Some(folded) = self.fold_binary(Binary::BvXor, a, b) {
            return folded;
        }
        let width = self.width(a);
        if a == b {
            return self.bv(width, 0);
        }
        if self.are_complements(a, b) {
            return self.bv(width, u128::MAX);
        }
        match self.as_bv(b) {
            Some(0) => return a,
            Some(value) if value == mask(width) => return self.bvnot(a),
            Some(value) => {
                if let Some(chain) = self.constant_chain(Binary::BvXor, a, value) {
                    return chain;
                }
            }
            None => {}
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Node::Binary(Binary::BvXor, p, q) = *self.node(x) {
                if p == y {
                    return q;
                }
                if q == y {
                    return p;
                }
            }
            // complements move outwards, where two of them meet
            if let Node::Unary(Unary::BvNot, inner) = *self.node(x) {
                let inner = self.bvxor(inner, y);
                return self.bvnot(inner);
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return joined;
        }
        self.commutative_node(Binary::BvXor, a, b)
    }

    /// The sum, union or symmetric difference of words that cannot have a common bit: their concatenation.
    pub(crate) fn join_disjoint(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        for (high, low) in [(a, b), (b, a)] {
            let zeros = self.trailing_zeros(high);
            let used = bit_length(self.range(low).max);
            if zeros > 0 && zeros < width && used <= zeros && used > 0 {
                let high = self.extract(high, width - 1, zeros);
                let low = self.extract(low, zeros - 1, 0);
                return Some(self.concat(high, low));
            }
        }
        None
    }

    /// Low bits known to be zero.
    pub(crate) fn trailing_zeros(&self, t: Term) -> u32 {
        let (mut t, width) = (t, self.width(t));
        loop {
            match *self.node(t) {
                Node::Extend { of, .. } => t = of,
                Node::Binary(Binary::Concat, high, low) => match self.as_bv(low) {
                    Some(0) if self.as_bv(high).is_none() => return self.width(low),
                    Some(value) if value != 0 => return value.trailing_zeros(),
                    None => t = low,
                    _ => return self.width(low),
                },
                Node::Const(value) => return value.bits().trailing_zeros().min(width),
                _ => return 0,
            }
        }
    }

    fn bitwise_operands(&self, a: Term, b: Term) -> (Term, Term) {
        assert_eq!(self.sort(a), self.sort(b), "bitwise operators take operands of one width");
        self.ordered(a, b)
    }

    fn bvand_constant(&mut self, a: Term, b: Term, value: u128) -> Term {
        let width = self.width(a);
        if value == 0 {
            return b;
        }
        if value == mask(width) {
            return a;
        }
        if let Some(chain) = self.constant_chain(Binary::BvAnd, a, value) {
            return chain;
        }
        if let Some((low, length)) = Terms::run_of_ones(value) {
            return self.placed(a, low, length, low);
        }
        // the mask reaches above the operand's highest possible bit, or has zeros of its own on top
        let used = bit_length(value).min(bit_length(self.range(a).max));
        if used < width && used > 0 {
            let (inner, value) = (self.extract(a, used - 1, 0), self.bv(used, value));
            let meet = self.bvand(inner, value);
            return self.zext(meet, width);
        }
        self.commutative_node(Binary::BvAnd, a, b)
    }

    /// `(x op c) op d` is `x op (c op d)`.
    fn constant_chain(&mut self, op: Binary, a: Term, value: u128) -> Option<Term> {
        let Node::Binary(inner, x, y) = *self.node(a) else { return None };
        let other = self.as_bv(y).filter(|_| inner == op)?;
        let value = match op {
            Binary::BvAnd => value & other,
            Binary::BvOr => value | other,
            _ => value ^ other,
        };
        let constant = self.bv(self.width(a), value);
        Some(self.binary(op, x, constant))
    }

    fn are_complements(&self, a: Term, b: Term) -> bool {
        *self.node(a) == Node::Unary(Unary::BvNot, b) || *self.node(b) == Node::Unary(Unary::BvNot, a)
    }

    fn contains_operand(&self, op: Binary, whole: Term, part: Term) -> bool {
        matches!(*self.node(whole), Node::Binary(o, p, q) if o == op && (p == part || q == part))
    }

    /// The zero-extended operand with the narrowest inside: what it is made of, and the operand.
    fn narrower(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        let inside = |t: Term| match *self.node(t) {
            Node::Extend { of, signed: false, .. } => Some((self.width(of), of, t)),
            _ => None,
        };
        let (_, inner, operand) = inside(a).into_iter().chain(inside(b)).min_by_key(|(width, ..)| *width)?;
        Some((inner, operand))
    }
}
