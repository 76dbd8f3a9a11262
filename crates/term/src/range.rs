//! Unsigned bounds of bit-vector terms, computed once per node from its operands' bounds.
//!
//! Only bounds that say more than the width are stored. They let comparisons and overflow checks vanish at
//! construction (`x % 10 < 16`, a byte that cannot be negative).

use crate::bits::{bit_length, mask, sign_bit, to_signed};
use crate::constant::Const;
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;

/// `min <= value <= max`, unsigned.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Range {
    pub min: u128,
    pub max: u128,
}

impl Range {
    fn full(width: u32) -> Range {
        Range { min: 0, max: mask(width) }
    }
}

impl Terms {
    /// Unsigned bounds of a bit-vector term.
    pub fn range(&self, term: Term) -> Range {
        match self.node(term) {
            Node::Const(Const::Bv { value, .. }) => Range { min: *value, max: *value },
            _ => self.ranges.get(&term).copied().unwrap_or_else(|| Range::full(self.width(term))),
        }
    }

    /// Known not to be negative when read as signed.
    pub(crate) fn is_non_negative(&self, term: Term) -> bool {
        self.range(term).max < sign_bit(self.width(term))
    }

    /// Known to be negative when read as signed.
    pub(crate) fn is_negative(&self, term: Term) -> bool {
        self.range(term).min >= sign_bit(self.width(term))
    }

    /// The smallest known width at which the term's signed value can be written.
    pub(crate) fn signed_width(&self, term: Term) -> u32 {
        let width = self.width(term);
        match *self.node(term) {
            Node::Extend { of, signed: true, .. } => self.width(of),
            Node::Const(Const::Bv { value, .. }) => {
                let signed = to_signed(value, width);
                bit_length(if signed < 0 { !signed as u128 } else { signed as u128 }) + 1
            }
            _ => (bit_length(self.range(term).max) + 1).min(width),
        }
    }

    pub(crate) fn record_range(&mut self, term: Term, node: &Node, width: u32) {
        if let Some(range) = self.range_of_node(node, width) {
            debug_assert!(range.min <= range.max && range.max <= mask(width), "{node:?} {range:?}");
            if range != Range::full(width) {
                self.ranges.insert(term, range);
            }
        }
    }

    fn range_of_node(&self, node: &Node, width: u32) -> Option<Range> {
        match *node {
            Node::Ite(_, a, b) => {
                let (a, b) = (self.range(a), self.range(b));
                Some(Range { min: a.min.min(b.min), max: a.max.max(b.max) })
            }
            Node::Extend { of, signed, .. } => {
                let inner = self.range(of);
                (!signed || self.is_non_negative(of)).then_some(inner)
            }
            Node::Extract { of, hi, lo } => {
                let inner = self.range(of);
                let fits = bit_length(inner.max) <= hi + 1;
                fits.then(|| Range { min: inner.min >> lo, max: inner.max >> lo })
            }
            Node::Unary(Unary::BvNot, a) => {
                let a = self.range(a);
                Some(Range { min: mask(width) - a.max, max: mask(width) - a.min })
            }
            Node::Unary(Unary::Neg, a) => {
                let a = self.range(a);
                (a.min > 0).then(|| Range { min: mask(width) - a.max + 1, max: mask(width) - a.min + 1 })
            }
            Node::Binary(op, a, b) => self.range_of_binary(op, a, b, width),
            _ => None,
        }
    }

    fn range_of_binary(&self, op: Binary, left: Term, right: Term, width: u32) -> Option<Range> {
        let (a, b) = (self.range(left), self.range(right));
        let all = mask(width);
        match op {
            Binary::Add => {
                let max = a.max.checked_add(b.max).filter(|&max| max <= all)?;
                Some(Range { min: a.min + b.min, max })
            }
            Binary::Mul => {
                let max = a.max.checked_mul(b.max).filter(|&max| max <= all)?;
                Some(Range { min: a.min * b.min, max })
            }
            Binary::Udiv if b.min > 0 => Some(Range { min: a.min / b.max, max: a.max / b.min }),
            Binary::Urem if b.min > 0 => Some(Range { min: 0, max: a.max.min(b.max - 1) }),
            Binary::Urem => Some(Range { min: 0, max: a.max }),
            Binary::BvAnd => Some(Range { min: 0, max: a.max.min(b.max) }),
            Binary::BvOr => Some(Range { min: a.min.max(b.min), max: mask(bit_length(a.max | b.max)) }),
            Binary::BvXor => Some(Range { min: 0, max: mask(bit_length(a.max | b.max)) }),
            Binary::Lshr => Some(Range { min: 0, max: a.max }),
            Binary::Concat => {
                let low = self.width(right);
                Some(Range { min: (a.min << low) | b.min, max: (a.max << low) | b.max })
            }
            _ => None,
        }
    }
}
