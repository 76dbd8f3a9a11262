//! Equality. Against a constant it is pushed through everything that can be inverted, which makes mixing functions
//! (multiply by an odd constant, xor with a shift of itself, rotate) trivial; see also `invert` and `linear`.

use crate::bits::{from_signed, inverse_of_odd, mask, signed_max, signed_min, to_signed};
use crate::invert::Solution;
use crate::node::{Binary, Node, Term, Unary};
use crate::sort::Sort;
use crate::store::Terms;

/// How many links of a chain of `ite`s with constant ends are unfolded.
const CHAIN: usize = 64;

enum Step {
    /// The equality became another one.
    Go(Term, u128),
    Done(Term),
    Stuck,
}

impl Terms {
    /// Equality of values; for floats, of their bits.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "equality takes operands of one sort");
        if a == b {
            return self.true_();
        }
        match self.sort(a) {
            Sort::Bool => self.eq_bool(a, b),
            Sort::Bv(_) => self.eq_bv(a, b),
            Sort::Float(_) => {
                let (a, b) = (self.fp_to_bits(a), self.fp_to_bits(b));
                self.eq(a, b)
            }
        }
    }

    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    fn eq_bool(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        match self.as_bool(b) {
            Some(true) => return a,
            Some(false) => return self.not(a),
            None => {}
        }
        if self.are_opposite(a, b) {
            return self.false_();
        }
        let (x, flip) = self.without_not(a);
        let (y, flop) = self.without_not(b);
        if flip || flop {
            let equal = self.eq(x, y);
            return if flip == flop { equal } else { self.not(equal) };
        }
        self.commutative_node(Binary::Eq, a, b)
    }

    fn without_not(&self, a: Term) -> (Term, bool) {
        match *self.node(a) {
            Node::Unary(Unary::Not, inner) => (inner, true),
            _ => (a, false),
        }
    }

    fn eq_bv(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if let Some(folded) = self.fold_binary(Binary::Eq, a, b) {
            return folded;
        }
        if let Some(value) = self.as_bv(b) {
            return self.eq_constant(a, value);
        }
        let (x, y) = (self.range(a), self.range(b));
        if x.max < y.min || y.max < x.min {
            return self.false_();
        }
        match (*self.node(a), *self.node(b)) {
            (Node::Unary(Unary::BvNot, p), Node::Unary(Unary::BvNot, q)) => return self.eq(p, q),
            (Node::Extend { of: p, signed: s, .. }, Node::Extend { of: q, signed: t, .. }) if s == t => {
                let width = self.width(p).max(self.width(q));
                let (p, q) = (self.extend(p, width, s), self.extend(q, width, s));
                return self.eq(p, q);
            }
            (Node::Binary(Binary::Concat, p, q), Node::Binary(Binary::Concat, r, s))
                if self.width(q) == self.width(s) =>
            {
                let (high, low) = (self.eq(p, r), self.eq(q, s));
                return self.and(high, low);
            }
            (Node::Binary(Binary::Mul, p, c), Node::Binary(Binary::Mul, q, d))
                if c == d && self.as_bv(c).is_some_and(|factor| factor & 1 == 1) =>
            {
                return self.eq(p, q);
            }
            _ => {}
        }
        if let Some(simpler) = self.eq_by_cancelling(a, b) {
            return simpler;
        }
        for (whole, part) in [(a, b), (b, a)] {
            if let Some(simpler) = self.eq_with_part(whole, part) {
                return simpler;
            }
        }
        self.commutative_node(Binary::Eq, a, b)
    }

    /// `whole = part` where `part` is an operand of `whole`.
    fn eq_with_part(&mut self, whole: Term, part: Term) -> Option<Term> {
        match *self.node(whole) {
            Node::Binary(Binary::BvXor, p, q) => {
                let rest = match *self.node(part) {
                    _ if p == part => q,
                    _ if q == part => p,
                    Node::Binary(Binary::BvXor, r, s) if p == r => return Some(self.eq(q, s)),
                    Node::Binary(Binary::BvXor, r, s) if p == s => return Some(self.eq(q, r)),
                    Node::Binary(Binary::BvXor, r, s) if q == r => return Some(self.eq(p, s)),
                    Node::Binary(Binary::BvXor, r, s) if q == s => return Some(self.eq(p, r)),
                    _ => return None,
                };
                let zero = self.bv(self.width(rest), 0);
                Some(self.eq(rest, zero))
            }
            Node::Ite(c, p, q) if p == part => {
                let other = self.eq(q, part);
                Some(self.or(c, other))
            }
            Node::Ite(c, p, q) if q == part => {
                let other = self.eq(p, part);
                let not = self.not(c);
                Some(self.or(not, other))
            }
            _ => None,
        }
    }

    fn eq_constant(&mut self, a: Term, value: u128) -> Term {
        let (mut t, mut value) = (a, value);
        loop {
            let range = self.range(t);
            if value < range.min || value > range.max {
                return self.false_();
            }
            if range.min == range.max {
                return self.true_();
            }
            match self.invert_step(t, value) {
                Step::Go(next, inverse) => (t, value) = (next, inverse & mask(self.width(next))),
                Step::Done(answer) => return answer,
                Step::Stuck => break,
            }
        }
        // the one-bit case has one form, `= 1`, so that a bit and its negation share a node
        if self.width(t) == 1 && value == 0 {
            let one = self.bv(1, 1);
            let set = self.commutative_node(Binary::Eq, t, one);
            return self.not(set);
        }
        let constant = self.bv(self.width(t), value);
        self.binary_node(Binary::Eq, t, constant)
    }

    fn invert_step(&mut self, t: Term, value: u128) -> Step {
        let width = self.width(t);
        match *self.node(t) {
            Node::Const(constant) => Step::Done(self.bool(constant.bits() == value)),
            Node::Unary(Unary::Neg, x) => Step::Go(x, value.wrapping_neg()),
            Node::Unary(Unary::BvNot, x) => Step::Go(x, !value),
            Node::Unary(..) | Node::Var(_) | Node::Fma(..) => Step::Stuck,
            Node::Extend { of, signed, .. } => {
                let inner = self.width(of);
                let low = value & mask(inner);
                let back = if signed { from_signed(to_signed(low, inner), width) } else { low };
                if back == value { Step::Go(of, low) } else { Step::Done(self.false_()) }
            }
            Node::Extract { of, hi, lo } => self.invert_extract(of, hi, lo, value),
            Node::Ite(..) => self.invert_ite(t, value),
            Node::Binary(op, x, y) => self.invert_binary(t, op, x, y, value),
        }
    }

    /// Bits that an operand's bounds fix need not be asked for.
    fn invert_extract(&mut self, of: Term, hi: u32, lo: u32, value: u128) -> Step {
        let max = self.range(of).max;
        if lo == 0 && max <= mask(hi + 1) { Step::Go(of, value) } else { Step::Stuck }
    }

    fn invert_binary(&mut self, t: Term, op: Binary, x: Term, y: Term, value: u128) -> Step {
        let constant = self.as_bv(y);
        let width = self.width(t);
        match (op, constant) {
            (Binary::Add, Some(c)) => Step::Go(x, value.wrapping_sub(c)),
            (Binary::BvXor, Some(c)) => Step::Go(x, value ^ c),
            (Binary::Mul, Some(c)) => self.invert_product(x, c, value),
            (Binary::BvXor, None) if value == 0 => Step::Done(self.eq(x, y)),
            (Binary::BvXor, None) => self.invert_bits(t, value),
            (Binary::Concat, _) => match self.invert_bits(t, value) {
                Step::Stuck => {
                    let shift = self.width(y);
                    let high = self.eq_constant(x, value >> shift);
                    let low = self.eq_constant(y, value & mask(shift));
                    Step::Done(self.and(high, low))
                }
                step => step,
            },
            (Binary::BvOr, Some(c)) if value & c != c => Step::Done(self.false_()),
            (Binary::BvAnd, Some(c)) if value & !c != 0 => Step::Done(self.false_()),
            (Binary::BvOr, None) if value == 0 => self.both(x, y, 0),
            (Binary::BvAnd, None) if value == mask(width) => self.both(x, y, value),
            (Binary::Add, None) if value == 0 && matches!(self.node(y), Node::Unary(Unary::Neg, _)) => {
                let opposite = self.neg(y);
                Step::Done(self.eq(x, opposite))
            }
            (Binary::Add, None) if value == 0 && matches!(self.node(x), Node::Unary(Unary::Neg, _)) => {
                let opposite = self.neg(x);
                Step::Done(self.eq(y, opposite))
            }
            (Binary::Udiv, Some(c)) if c > 0 => self.invert_udiv(x, c, value),
            (Binary::Sdiv, Some(c)) if to_signed(c, width) > 0 => {
                self.invert_sdiv(x, to_signed(c, width), to_signed(value, width))
            }
            (Binary::Srem, Some(c)) if c.is_power_of_two() && to_signed(c, width) > 0 => {
                self.invert_srem(x, c, to_signed(value, width))
            }
            _ => Step::Stuck,
        }
    }

    fn both(&mut self, x: Term, y: Term, value: u128) -> Step {
        let (x, y) = (self.eq_constant(x, value), self.eq_constant(y, value));
        Step::Done(self.and(x, y))
    }

    /// An odd factor has an inverse; each factor two says that a low bit is zero and forgets a high one.
    fn invert_product(&mut self, x: Term, factor: u128, value: u128) -> Step {
        let width = self.width(x);
        let twos = factor.trailing_zeros();
        if value & mask(twos) != 0 {
            return Step::Done(self.false_());
        }
        let inverse = inverse_of_odd(factor >> twos);
        let kept = if twos == 0 { x } else { self.extract(x, width - 1 - twos, 0) };
        Step::Go(kept, (value >> twos).wrapping_mul(inverse))
    }

    /// `x / c = value` is `value * c <= x < value * c + c`.
    fn invert_udiv(&mut self, x: Term, divisor: u128, value: u128) -> Step {
        let all = mask(self.width(x));
        let Some(first) = value.checked_mul(divisor).filter(|&first| first <= all) else {
            return Step::Done(self.false_());
        };
        let below = self.ult_limit(x, first);
        let not_below = self.not(below);
        let within = match first.checked_add(divisor).filter(|&end| end <= all) {
            Some(end) => self.ult_limit(x, end),
            None => self.true_(),
        };
        Step::Done(self.and(not_below, within))
    }

    /// As [`Terms::invert_udiv`], rounding towards zero.
    fn invert_sdiv(&mut self, x: Term, divisor: i128, value: i128) -> Step {
        let width = self.width(x);
        let (least, greatest) = (signed_min(width), signed_max(width));
        let Some(middle) = value.checked_mul(divisor).filter(|m| (least..=greatest).contains(m)) else {
            return Step::Done(self.false_());
        };
        let first = if value <= 0 { middle.saturating_sub(divisor - 1).max(least) } else { middle };
        let last = if value >= 0 { middle.saturating_add(divisor - 1).min(greatest) } else { middle };
        let (first, last) =
            (self.bv(width, from_signed(first, width)), self.bv(width, from_signed(last, width)));
        let (from, to) = (self.sle(first, x), self.sle(x, last));
        Step::Done(self.and(from, to))
    }

    /// `x % 2^k = value` asks the low bits, and the sign unless the remainder is zero.
    fn invert_srem(&mut self, x: Term, divisor: u128, value: i128) -> Step {
        if value.unsigned_abs() >= divisor {
            return Step::Done(self.false_());
        }
        let low = self.extract(x, divisor.trailing_zeros() - 1, 0);
        let bits = self.eq_constant(low, value as u128 & (divisor - 1));
        let negative = self.slt_limit(x, 0);
        Step::Done(match value.signum() {
            0 => bits,
            1 => {
                let sign = self.not(negative);
                self.and(sign, bits)
            }
            _ => self.and(negative, bits),
        })
    }

    /// Unfolds a chain of `ite`s that have a constant on one side.
    fn invert_ite(&mut self, t: Term, value: u128) -> Step {
        let mut links = Vec::new();
        let mut rest = t;
        while links.len() < CHAIN {
            let Node::Ite(c, x, y) = *self.node(rest) else { break };
            match (self.as_bv(x), self.as_bv(y)) {
                (Some(constant), _) => {
                    links.push((c, constant == value));
                    rest = y;
                }
                (None, Some(constant)) => {
                    let not = self.not(c);
                    links.push((not, constant == value));
                    rest = x;
                }
                _ => break,
            }
        }
        if links.is_empty() {
            return Step::Stuck;
        }
        let constant = self.bv(self.width(t), value);
        let mut answer = match *self.node(rest) {
            Node::Ite(..) => self.commutative_node(Binary::Eq, rest, constant),
            _ => self.eq(rest, constant),
        };
        for (condition, equal) in links.into_iter().rev() {
            answer = if equal {
                self.or(condition, answer)
            } else {
                let not = self.not(condition);
                self.and(not, answer)
            };
        }
        Step::Done(answer)
    }

    /// Solves for the one unknown of a word made of its bits (see `invert`).
    fn invert_bits(&mut self, t: Term, value: u128) -> Step {
        match self.solve_bits(t, value) {
            Solution::Unique(x, value) => Step::Go(x, value),
            Solution::None => Step::Done(self.false_()),
            Solution::Unknown => Step::Stuck,
        }
    }
}
