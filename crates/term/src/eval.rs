//! Evaluation under a model, without recursion.

use crate::constant::Const;
use crate::fold;
use crate::fold_float;
use crate::model::Model;
use crate::node::{Binary, Node, Term};
use crate::store::Terms;
use rustc_hash::FxHashMap;

/// Evaluates terms of one store under one model and remembers what it has seen.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    model: Model,
    memo: FxHashMap<Term, Const>,
    stack: Vec<Term>,
}

impl Terms {
    /// The value of a term under a model. To evaluate many terms under one model, keep an [`Evaluator`].
    pub fn eval(&self, term: Term, model: &Model) -> Const {
        match *self.node(term) {
            Node::Const(value) => value,
            Node::Var(symbol) => self.value_of_symbol(symbol, model),
            _ => Evaluator::new(model.clone()).eval(self, term),
        }
    }

    fn value_of_symbol(&self, symbol: crate::Symbol, model: &Model) -> Const {
        let sort = self.symbol_sort(symbol);
        match model.get(symbol) {
            Some(value) if value.sort() == sort => value,
            // a model made for something else must not make evaluation ill-sorted
            Some(value) => Const::from_bits(sort, value.bits()),
            None => Const::zero(sort),
        }
    }
}

impl Evaluator {
    pub fn new(model: Model) -> Evaluator {
        Evaluator { model, ..Evaluator::default() }
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How many values are remembered.
    pub fn remembered(&self) -> usize {
        self.memo.len()
    }

    pub fn eval(&mut self, terms: &Terms, term: Term) -> Const {
        if let Some(value) = self.known(terms, term) {
            return value;
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(term);
        let mut last = Const::Bool(false);
        while let Some(&top) = stack.last() {
            budget::interrupt::beat();
            match self.step(terms, top) {
                Ok(value) => {
                    self.memo.insert(top, value);
                    last = value;
                    stack.pop();
                }
                Err(operand) => stack.push(operand),
            }
        }
        self.stack = stack;
        last
    }

    /// The value of a node, or an operand that must be evaluated first. Only the branch of an `ite` that is
    /// taken is looked at, and a false conjunct spares the other one.
    fn step(&self, terms: &Terms, term: Term) -> Result<Const, Term> {
        let value = |t: Term| self.known(terms, t).ok_or(t);
        Ok(match *terms.node(term) {
            Node::Const(constant) => constant,
            Node::Var(symbol) => terms.value_of_symbol(symbol, &self.model),
            Node::Unary(op, a) => fold::unary(op, value(a)?),
            Node::Binary(Binary::And, a, b) => Const::Bool(value(a)?.is_true() && value(b)?.is_true()),
            Node::Binary(op, a, b) => fold::binary(op, value(a)?, value(b)?),
            Node::Ite(c, a, b) => value(if value(c)?.is_true() { a } else { b })?,
            Node::Fma(a, b, c) => fold_float::fma(value(a)?, value(b)?, value(c)?),
            Node::Extract { of, hi, lo } => fold::extract(value(of)?, hi, lo),
            Node::Extend { of, to, signed } => fold::extend(value(of)?, to, signed),
        })
    }

    fn known(&self, terms: &Terms, term: Term) -> Option<Const> {
        match *terms.node(term) {
            Node::Const(value) => Some(value),
            Node::Var(symbol) => Some(terms.value_of_symbol(symbol, &self.model)),
            _ => self.memo.get(&term).copied(),
        }
    }
}
