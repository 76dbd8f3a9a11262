//! Sums and products as polynomials over opaque atoms. Equal polynomials are equal terms, and polynomials that differ by a
//! constant are never equal: many equalities over products are decided without a multiplier.

use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use term::{Binary, Const, Node, Sort, Term, Terms, Unary, mask};

/// Longer polynomials are treated as atoms.
const MONOMIALS: usize = 16;
const DEGREE: usize = 4;

/// Factors (sorted) → coefficient.
type Polynomial = BTreeMap<Vec<Term>, u128>;

#[derive(Default)]
pub(crate) struct Polynomials {
    known: FxHashMap<Term, Rc<Polynomial>>,
}

impl Polynomials {
    /// Whether two words are equal, if their polynomials tell.
    pub(crate) fn decide(&mut self, terms: &Terms, a: Term, b: Term) -> Option<bool> {
        let Sort::Bv(width) = terms.sort(a) else { return None };
        if !is_arithmetic(terms, a) && !is_arithmetic(terms, b) {
            return None;
        }
        let (a, b) = (self.of(terms, a), self.of(terms, b));
        let mut difference = (*a).clone();
        for (factors, &coefficient) in b.iter() {
            add(&mut difference, factors.clone(), coefficient.wrapping_neg(), mask(width));
        }
        difference.retain(|_, coefficient| *coefficient != 0);
        match difference.len() {
            0 => Some(true),
            1 if difference.contains_key(&Vec::new()) => Some(false),
            _ => None,
        }
    }

    fn of(&mut self, terms: &Terms, term: Term) -> Rc<Polynomial> {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if is_arithmetic(terms, top) {
                stack.extend(terms.node(top).children().filter(|child| !self.known.contains_key(child)));
            }
            if stack.len() == before {
                let polynomial = self.combine(terms, top);
                self.known.insert(top, Rc::new(polynomial));
                stack.pop();
            }
        }
        self.known.get(&term).cloned().unwrap_or_default()
    }

    /// The polynomial of a term whose operands' are known.
    fn combine(&self, terms: &Terms, term: Term) -> Polynomial {
        let all = mask(terms.width(term));
        let of = |t: Term| self.known.get(&t).cloned().unwrap_or_default();
        let mut sum = Polynomial::new();
        match *terms.node(term) {
            Node::Const(Const::Bv { value, .. }) => add(&mut sum, Vec::new(), value, all),
            Node::Unary(Unary::Neg, a) => {
                of(a).iter().for_each(|(factors, &c)| add(&mut sum, factors.clone(), c.wrapping_neg(), all));
            }
            Node::Binary(Binary::Add, a, b) => {
                for part in [of(a), of(b)] {
                    part.iter().for_each(|(factors, &c)| add(&mut sum, factors.clone(), c, all));
                }
            }
            Node::Binary(Binary::Mul, a, b) => {
                for (left, &c) in of(a).iter() {
                    for (right, &d) in of(b).iter() {
                        let mut factors = [left.as_slice(), right.as_slice()].concat();
                        factors.sort_unstable();
                        add(&mut sum, factors, c.wrapping_mul(d), all);
                    }
                }
            }
            _ => add(&mut sum, vec![term], 1, all),
        }
        sum.retain(|_, coefficient| *coefficient != 0);
        if sum.len() > MONOMIALS || sum.keys().any(|factors| factors.len() > DEGREE) {
            return Polynomial::from([(vec![term], 1)]);
        }
        sum
    }
}

fn add(sum: &mut Polynomial, factors: Vec<Term>, coefficient: u128, all: u128) {
    let entry = sum.entry(factors).or_insert(0);
    *entry = entry.wrapping_add(coefficient) & all;
}

fn is_arithmetic(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::Binary(Binary::Add | Binary::Mul, _, _) | Node::Unary(Unary::Neg, _))
}
