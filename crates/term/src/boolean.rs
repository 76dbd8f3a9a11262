//! Boolean connectives and `ite`. `or`, `implies` and `xor` are written with `and`, `not` and `eq`, so that a
//! formula and its negation always share their node.

use crate::node::{Binary, Node, Term, Unary};
use crate::sort::Sort;
use crate::store::Terms;

/// How many conjuncts are looked at when a new one is added.
const CONJUNCTS_SEEN: u32 = 24;

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        match *self.node(a) {
            Node::Unary(Unary::Not, inner) => inner,
            Node::Const(value) => self.bool(!value.is_true()),
            _ => self.unary_node(Unary::Not, a),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        if let Some(value) = self.as_bool(b) {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        if self.are_opposite(a, b) {
            return self.false_();
        }
        for (whole, part) in [(a, b), (b, a)] {
            if let Some(simpler) = self.absorb(whole, part) {
                return simpler;
            }
        }
        if let Some(simpler) = self.and_of_bounds(a, b) {
            return simpler;
        }
        if let Some(simpler) = self.resolve(a, b) {
            return simpler;
        }
        self.binary_node(Binary::And, a, b)
    }

    pub fn and_all(&mut self, conjuncts: impl IntoIterator<Item = Term>) -> Term {
        let mut all = self.true_();
        for conjunct in conjuncts {
            all = self.and(all, conjunct);
        }
        all
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.and(a, b);
        self.not(neither)
    }

    pub fn or_all(&mut self, disjuncts: impl IntoIterator<Item = Term>) -> Term {
        let mut none = self.true_();
        for disjunct in disjuncts {
            let not = self.not(disjunct);
            none = self.and(none, not);
        }
        self.not(none)
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let same = self.eq(a, b);
        self.not(same)
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_b = self.not(b);
        let refuted = self.and(a, not_b);
        self.not(refuted)
    }

    /// 1 for true, 0 for false.
    pub fn bool_to_bv(&mut self, b: Term, width: u32) -> Term {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(b, one, zero)
    }

    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "both sides of an ite have one sort");
        if let Some(value) = self.as_bool(c) {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        if let Node::Unary(Unary::Not, inner) = *self.node(c) {
            return self.ite(inner, b, a);
        }
        if self.sort(a) == Sort::Bool {
            return self.ite_bool(c, a, b);
        }
        if let Some(simpler) = self.ite_of_equality(c, a, b) {
            return simpler;
        }
        let (a, b) = self.prune_branches(c, a, b);
        if a == b {
            return a;
        }
        if let Some(simpler) = self.join_branches(c, a, b) {
            return simpler;
        }
        self.intern(Node::Ite(c, a, b))
    }

    pub(crate) fn are_opposite(&self, a: Term, b: Term) -> bool {
        *self.node(a) == Node::Unary(Unary::Not, b) || *self.node(b) == Node::Unary(Unary::Not, a)
    }

    fn ite_bool(&mut self, c: Term, a: Term, b: Term) -> Term {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => return self.or(c, b),
            (Some(false), _) => {
                let not_c = self.not(c);
                return self.and(not_c, b);
            }
            (_, Some(true)) => return self.implies(c, a),
            (_, Some(false)) => return self.and(c, a),
            _ => {}
        }
        if self.are_opposite(a, b) {
            return self.eq(c, a);
        }
        let (a, b) = self.prune_branches(c, a, b);
        if a == c {
            return self.or(c, b);
        }
        if b == c {
            return self.and(c, a);
        }
        if a == b {
            return a;
        }
        if self.as_bool(a).is_some() || self.as_bool(b).is_some() {
            return self.ite(c, a, b);
        }
        if let Node::Unary(Unary::Not, inner) = *self.node(a) {
            let b = self.not(b);
            let positive = self.ite(c, inner, b);
            return self.not(positive);
        }
        self.intern(Node::Ite(c, a, b))
    }

    /// `ite (x = y) x y` is `y`; a one-bit choice is the bit itself.
    fn ite_of_equality(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let Node::Binary(Binary::Eq, x, y) = *self.node(c) else { return None };
        if (a, b) == (x, y) || (a, b) == (y, x) {
            return Some(b);
        }
        if self.sort(x) == Sort::Bv(1) && self.as_bv(y) == Some(1) {
            match (self.as_bv(a), self.as_bv(b)) {
                (Some(1), Some(0)) => return Some(self.zext(x, self.width(a))),
                (Some(0), Some(1)) => {
                    let flipped = self.bvnot(x);
                    return Some(self.zext(flipped, self.width(a)));
                }
                _ => {}
            }
        }
        None
    }

    /// A branch that asks the same condition again knows the answer.
    fn prune_branches(&mut self, c: Term, a: Term, b: Term) -> (Term, Term) {
        let (mut a, mut b) = (a, b);
        while let Node::Ite(inner, yes, _) = *self.node(a)
            && inner == c
        {
            a = yes;
        }
        while let Node::Ite(inner, _, no) = *self.node(b)
            && inner == c
        {
            b = no;
        }
        (a, b)
    }

    /// `ite c x (ite d x y)` is `ite (c or d) x y`, and its mirror images.
    fn join_branches(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if let Node::Ite(d, x, y) = *self.node(b) {
            if x == a {
                let either = self.or(c, d);
                return Some(self.ite(either, a, y));
            }
            if y == a {
                let not_d = self.not(d);
                let either = self.or(c, not_d);
                return Some(self.ite(either, a, x));
            }
        }
        if let Node::Ite(d, x, y) = *self.node(a) {
            if y == b {
                let both = self.and(c, d);
                return Some(self.ite(both, x, b));
            }
            if x == b {
                let not_d = self.not(d);
                let both = self.and(c, not_d);
                return Some(self.ite(both, y, b));
            }
        }
        None
    }

    /// `whole and part` where `part` or its negation occurs inside `whole`.
    fn absorb(&mut self, whole: Term, part: Term) -> Option<Term> {
        match *self.node(whole) {
            Node::Binary(Binary::And, _, _) => match self.find_conjunct(whole, part)? {
                true => Some(whole),
                false => Some(self.false_()),
            },
            Node::Unary(Unary::Not, inner) => {
                let Node::Binary(Binary::And, p, q) = *self.node(inner) else { return None };
                for (one, other) in [(p, q), (q, p)] {
                    if one == part {
                        let not_other = self.not(other);
                        return Some(self.and(part, not_other));
                    }
                    if self.are_opposite(one, part) {
                        return Some(part);
                    }
                }
                // not (p and q and ...) with an opposite of `part` deeper inside
                (self.find_conjunct(inner, part) == Some(false)).then_some(part)
            }
            _ => None,
        }
    }

    /// Looks for `part` among the conjuncts of `whole`: `Some(true)` if there, `Some(false)` if its negation is.
    fn find_conjunct(&self, whole: Term, part: Term) -> Option<bool> {
        let mut stack = vec![whole];
        let mut fuel = CONJUNCTS_SEEN;
        while let Some(next) = stack.pop() {
            if next == part {
                return Some(true);
            }
            if self.are_opposite(next, part) {
                return Some(false);
            }
            if let Node::Binary(Binary::And, p, q) = *self.node(next) {
                fuel = fuel.checked_sub(1)?;
                stack.push(p);
                stack.push(q);
            }
        }
        None
    }

    /// `(not (p and q)) and (not (p and not q))` is `not p`.
    fn resolve(&mut self, a: Term, b: Term) -> Option<Term> {
        let ((p, q), (r, s)) = (self.negated_pair(a)?, self.negated_pair(b)?);
        for ((x, y), (z, w)) in [((p, q), (r, s)), ((p, q), (s, r)), ((q, p), (r, s)), ((q, p), (s, r))] {
            if x == z && self.are_opposite(y, w) {
                return Some(self.not(x));
            }
        }
        None
    }

    fn negated_pair(&self, a: Term) -> Option<(Term, Term)> {
        let Node::Unary(Unary::Not, inner) = *self.node(a) else { return None };
        match *self.node(inner) {
            Node::Binary(Binary::And, p, q) => Some((p, q)),
            _ => None,
        }
    }
}
