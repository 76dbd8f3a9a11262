//! Intervals of terms under bounds of their symbols: what products, sums and quotients can be at most decides many
//! comparisons and overflow checks without a search.

use rustc_hash::FxHashMap;
use term::{Binary, Const, Node, Sort, Symbol, Term, Terms, Unary, mask, to_signed};

/// Wider words than this are not followed: corners of products must fit into `i128`.
const WIDEST: u32 = 64;

/// `min <= value <= max`, signed; a boolean is 0 or 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) min: i128,
    pub(crate) max: i128,
}

/// Intervals of the terms of one store under given bounds.
pub(crate) struct Intervals<'a, F> {
    terms: &'a Terms,
    bounds: F,
    memo: FxHashMap<Term, Interval>,
}

impl<'a, F: Fn(Symbol) -> Option<Interval>> Intervals<'a, F> {
    pub(crate) fn new(terms: &'a Terms, bounds: F) -> Intervals<'a, F> {
        Intervals { terms, bounds, memo: FxHashMap::default() }
    }

    /// What a boolean term must be, if it can be only one.
    pub(crate) fn decide(&mut self, term: Term) -> Option<bool> {
        let interval = self.of(term);
        (interval.min == interval.max).then_some(interval.min == 1)
    }

    fn of(&mut self, term: Term) -> Interval {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(self.terms.node(top).children().filter(|child| !self.memo.contains_key(child)));
            if stack.len() == before {
                let all = full(self.terms.sort(top));
                let interval = self.node(top).filter(|found| all.min <= found.min && found.max <= all.max);
                self.memo.insert(top, interval.unwrap_or(all));
                stack.pop();
            }
        }
        self.memo[&term]
    }

    /// The interval of a node whose operands' are known; one that leaves the width is not one.
    fn node(&self, term: Term) -> Option<Interval> {
        let width = self.terms.width(term);
        match *self.terms.node(term) {
            Node::Const(Const::Bool(value)) => Some(exactly(value as i128)),
            Node::Const(Const::Bv { value, width }) => Some(exactly(to_signed(value, width))),
            Node::Var(symbol) => (self.bounds)(symbol),
            Node::Unary(Unary::Not, a) => {
                let a = self.memo[&a];
                Some(Interval { min: 1 - a.max, max: 1 - a.min })
            }
            Node::Unary(Unary::Neg, a) if width <= WIDEST => {
                let a = self.memo[&a];
                Some(Interval { min: -a.max, max: -a.min })
            }
            Node::Ite(c, a, b) => self.choice(c, a, b),
            Node::Extend { of, signed, .. } => {
                let inner = self.memo[&of];
                if signed || inner.min >= 0 {
                    return Some(inner);
                }
                (self.terms.width(of) < 127)
                    .then(|| Interval { min: 0, max: mask(self.terms.width(of)) as i128 })
            }
            Node::Extract { of, hi, lo } => {
                let inner = self.memo[&of];
                let kept =
                    if lo == 0 { inner } else { Interval { min: inner.min >> lo, max: inner.max >> lo } };
                // what is cut off must be copies of the sign
                let fits = inner.min >= 0 && inner.max <= mask(hi + 1) as i128 || lo == 0;
                (fits && hi < 127).then_some(kept)
            }
            Node::Binary(op, a, b) => self.binary(op, a, b, width),
            _ => None,
        }
    }

    fn choice(&self, c: Term, a: Term, b: Term) -> Option<Interval> {
        let (c, a, b) = (self.memo[&c], self.memo[&a], self.memo[&b]);
        Some(match (c.min, c.max) {
            (1, _) => a,
            (_, 0) => b,
            _ => Interval { min: a.min.min(b.min), max: a.max.max(b.max) },
        })
    }

    fn binary(&self, op: Binary, left: Term, right: Term, width: u32) -> Option<Interval> {
        let (a, b) = (self.memo[&left], self.memo[&right]);
        let operand = self.terms.width(left);
        let unsigned = a.min >= 0 && b.min >= 0;
        if operand > WIDEST {
            return None;
        }
        match op {
            Binary::And => Some(Interval { min: a.min.min(b.min), max: a.max.min(b.max) }),
            Binary::Eq if a.max < b.min || b.max < a.min => Some(exactly(0)),
            Binary::Eq if a == b && a.min == a.max => Some(exactly(1)),
            Binary::Slt => less(a, b),
            Binary::Ult if unsigned => less(a, b),
            Binary::Ult if b.min >= 0 && a.max < 0 => Some(exactly(0)),
            Binary::Ult if a.min >= 0 && b.max < 0 => Some(exactly(1)),
            Binary::Add => Some(Interval { min: a.min + b.min, max: a.max + b.max }),
            Binary::Mul => Some(product(left == right, a, b)),
            Binary::SmulOverflows => {
                let (product, all) = (product(left == right, a, b), full(Sort::Bv(operand)));
                if all.min <= product.min && product.max <= all.max {
                    return Some(exactly(0));
                }
                (product.max < all.min || product.min > all.max).then(|| exactly(1))
            }
            Binary::UmulOverflows if unsigned => {
                let (product, most) = (product(left == right, a, b), mask(operand) as i128);
                if product.max <= most {
                    return Some(exactly(0));
                }
                (product.min > most).then(|| exactly(1))
            }
            Binary::Sdiv if b.min > 0 || b.max < 0 => Some(quotient(a, b)),
            Binary::Udiv if unsigned && b.min > 0 => Some(quotient(a, b)),
            Binary::Srem if b.min > 0 || b.max < 0 => Some(remainder(a, b)),
            Binary::Urem if unsigned && b.min > 0 => Some(remainder(a, b)),
            Binary::BvAnd if a.min >= 0 || b.min >= 0 => {
                let most = [a, b].iter().filter(|side| side.min >= 0).map(|side| side.max).min()?;
                Some(Interval { min: 0, max: most })
            }
            Binary::BvOr | Binary::BvXor if unsigned => {
                let bits = 128 - (a.max | b.max).leading_zeros();
                Some(Interval { min: 0, max: mask(bits) as i128 })
            }
            Binary::Concat if a.min >= 0 && width <= WIDEST => {
                let low = self.terms.width(right);
                let (from, to) = if b.min >= 0 { (b.min, b.max) } else { (0, mask(low) as i128) };
                Some(Interval { min: (a.min << low) + from, max: (a.max << low) + to })
            }
            _ => None,
        }
    }
}

fn exactly(value: i128) -> Interval {
    Interval { min: value, max: value }
}

fn full(sort: Sort) -> Interval {
    match sort {
        Sort::Bool => Interval { min: 0, max: 1 },
        other => {
            let max = (mask(other.bits()) >> 1) as i128;
            Interval { min: -max - 1, max }
        }
    }
}

fn less(a: Interval, b: Interval) -> Option<Interval> {
    if a.max < b.min { Some(exactly(1)) } else { (a.min >= b.max).then(|| exactly(0)) }
}

fn corners(values: [i128; 4]) -> Interval {
    let (min, max) =
        values.iter().fold((i128::MAX, i128::MIN), |(min, max), &value| (min.min(value), max.max(value)));
    Interval { min, max }
}

fn product(square: bool, a: Interval, b: Interval) -> Interval {
    let mut all = corners([a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max]);
    if square {
        // the least square is that of the number nearest to zero
        let nearest = if a.min > 0 { a.min } else { a.max.min(0) };
        all.min = nearest * nearest;
    }
    all
}

fn quotient(a: Interval, b: Interval) -> Interval {
    corners([a.min / b.min, a.min / b.max, a.max / b.min, a.max / b.max])
}

/// The sign is the dividend's, the size less than the divisor's.
fn remainder(a: Interval, b: Interval) -> Interval {
    let most = b.min.abs().max(b.max.abs()) - 1;
    Interval {
        min: if a.min >= 0 { 0 } else { a.min.max(-most) },
        max: if a.max <= 0 { 0 } else { a.max.min(most) },
    }
}
