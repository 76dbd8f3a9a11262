//! Replacing symbols by terms, and rebuilding terms over new operands.

use crate::fold;
use crate::fold_float;
use crate::node::Binary;
use crate::node::{Node, Symbol, Term, Unary};
use crate::store::Terms;
use rustc_hash::FxHashMap;

impl Terms {
    /// The term with every symbol of `map` replaced, simplified anew.
    pub fn substitute(&mut self, term: Term, map: &FxHashMap<Symbol, Term>) -> Term {
        self.substitute_all(&[term], map)[0]
    }

    /// As [`Terms::substitute`], sharing the work between several terms.
    pub fn substitute_all(&mut self, terms: &[Term], map: &FxHashMap<Symbol, Term>) -> Vec<Term> {
        let mut done = FxHashMap::default();
        for &term in terms {
            self.substitute_into(term, map, &mut done);
        }
        terms.iter().map(|term| done[term]).collect()
    }

    fn substitute_into(
        &mut self,
        term: Term,
        map: &FxHashMap<Symbol, Term>,
        done: &mut FxHashMap<Term, Term>,
    ) {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            budget::interrupt::beat();
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = *self.node(top);
            stack.extend(node.children().filter(|child| !done.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let new = match node {
                Node::Const(_) => top,
                Node::Var(symbol) => map.get(&symbol).copied().unwrap_or(top),
                _ if node.children().all(|child| done[&child] == child) => top,
                _ => self.rebuild(&node, |child| done[&child]),
            };
            assert_eq!(self.sort(new), self.sort(top), "a symbol is replaced by a term of its sort");
            done.insert(top, new);
        }
    }

    /// The node built anew, through the constructors, over other operands.
    pub(crate) fn rebuild(&mut self, node: &Node, mut operand: impl FnMut(Term) -> Term) -> Term {
        match *node {
            Node::Const(value) => self.constant(value),
            Node::Var(symbol) => self.var(symbol),
            Node::Unary(op, a) => {
                let a = operand(a);
                self.unary(op, a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (operand(a), operand(b));
                self.binary(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (operand(c), operand(a), operand(b));
                self.ite(c, a, b)
            }
            Node::Fma(a, b, c) => {
                let (a, b, c) = (operand(a), operand(b), operand(c));
                self.fp_fma(a, b, c)
            }
            Node::Extract { of, hi, lo } => {
                let of = operand(of);
                self.extract(of, hi, lo)
            }
            Node::Extend { of, to, signed } => {
                let of = operand(of);
                if signed { self.sext(of, to) } else { self.zext(of, to) }
            }
        }
    }

    /// The constructor of a unary operator.
    pub fn unary(&mut self, op: Unary, a: Term) -> Term {
        match op {
            Unary::Not => self.not(a),
            Unary::BvNot => self.bvnot(a),
            Unary::Neg => self.neg(a),
            Unary::BitsToFp => self.bits_to_fp(a),
            Unary::FpToBits => self.fp_to_bits(a),
            _ => self.fp_unary(op, a),
        }
    }

    /// The constructor of a binary operator.
    pub fn binary(&mut self, op: Binary, a: Term, b: Term) -> Term {
        match op {
            Binary::And => self.and(a, b),
            Binary::Eq => self.eq(a, b),
            Binary::Add => self.add(a, b),
            Binary::Mul => self.mul(a, b),
            Binary::Udiv => self.udiv(a, b),
            Binary::Urem => self.urem(a, b),
            Binary::Sdiv => self.sdiv(a, b),
            Binary::Srem => self.srem(a, b),
            Binary::BvAnd => self.bvand(a, b),
            Binary::BvOr => self.bvor(a, b),
            Binary::BvXor => self.bvxor(a, b),
            Binary::Shl => self.shl(a, b),
            Binary::Lshr => self.lshr(a, b),
            Binary::Ashr => self.ashr(a, b),
            Binary::Ult => self.ult(a, b),
            Binary::Slt => self.slt(a, b),
            Binary::UmulOverflows => self.mul_overflows(a, b, false),
            Binary::SmulOverflows => self.mul_overflows(a, b, true),
            Binary::Concat => self.concat(a, b),
            _ => self.fp_binary(op, a, b),
        }
    }

    /// Folds a unary operator over a constant, or over an `ite` of two constants.
    pub(crate) fn fold_unary(&mut self, op: Unary, a: Term) -> Option<Term> {
        match *self.node(a) {
            Node::Const(value) => Some(self.constant(fold::unary(op, value))),
            Node::Ite(c, x, y) => {
                let (x, y) = (self.as_const(x)?, self.as_const(y)?);
                let (x, y) = (self.constant(fold::unary(op, x)), self.constant(fold::unary(op, y)));
                Some(self.ite(c, x, y))
            }
            _ => None,
        }
    }

    /// Folds a binary operator over constants; a choice between constants is folded on both sides, which makes
    /// the round trip from a boolean to a number and back vanish.
    pub(crate) fn fold_binary(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let (c, x, y) = match (*self.node(a), *self.node(b)) {
            (Node::Const(x), Node::Const(y)) => return Some(self.constant(fold::binary(op, x, y))),
            (Node::Ite(c, x, y), Node::Const(k)) => {
                let (x, y) = (self.as_const(x)?, self.as_const(y)?);
                (c, fold::binary(op, x, k), fold::binary(op, y, k))
            }
            (Node::Const(k), Node::Ite(c, x, y)) => {
                let (x, y) = (self.as_const(x)?, self.as_const(y)?);
                (c, fold::binary(op, k, x), fold::binary(op, k, y))
            }
            (Node::Ite(c, x, y), Node::Ite(d, z, w)) if c == d => {
                let (x, y) = (self.as_const(x)?, self.as_const(y)?);
                let (z, w) = (self.as_const(z)?, self.as_const(w)?);
                (c, fold::binary(op, x, z), fold::binary(op, y, w))
            }
            _ => return None,
        };
        let (x, y) = (self.constant(x), self.constant(y));
        Some(self.ite(c, x, y))
    }

    pub(crate) fn fold_fma(&mut self, a: Term, b: Term, c: Term) -> Option<Term> {
        let value = fold_float::fma(self.as_const(a)?, self.as_const(b)?, self.as_const(c)?);
        Some(self.constant(value))
    }
}
