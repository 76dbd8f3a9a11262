//! Sums as linear combinations, so that equalities can cancel what both sides have.

use crate::bits::{mask, sign_bit};
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;

/// How many parts of a sum are looked at.
const PARTS: usize = 32;

/// `constant + sum of factor * atom`.
struct Linear {
    parts: Vec<(Term, u128)>,
    constant: u128,
    steps: usize,
}

impl Terms {
    /// `a = b` with common parts removed; `None` if there are none.
    pub(crate) fn eq_by_cancelling(&mut self, a: Term, b: Term) -> Option<Term> {
        if !self.is_sum(a) && !self.is_sum(b) {
            return None;
        }
        let width = self.width(a);
        let mut sum = Linear { parts: Vec::new(), constant: 0, steps: 0 };
        self.add_linear(&mut sum, a, 1)?;
        let (left, left_constant) = (sum.parts.len(), sum.constant);
        let mut right = Linear { parts: Vec::new(), constant: 0, steps: 0 };
        self.add_linear(&mut right, b, 1)?;
        let before = left + right.parts.len();
        let constants = left_constant & mask(width) != 0 && right.constant & mask(width) != 0;
        for &(atom, factor) in &right.parts {
            sum.push(atom, factor.wrapping_neg());
        }
        sum.constant = sum.constant.wrapping_sub(right.constant);
        sum.parts.iter_mut().for_each(|part| part.1 &= mask(width));
        sum.parts.retain(|part| part.1 != 0);
        if sum.parts.len() == before && !constants {
            return None;
        }
        Some(self.eq_zero(sum, width))
    }

    /// The combination equals zero: positive multiples on the left, negative ones and the constant on the right.
    fn eq_zero(&mut self, sum: Linear, width: u32) -> Term {
        let zero = self.bv(width, 0);
        let (mut left, mut right) = (zero, zero);
        let mut constant = sum.constant.wrapping_neg() & mask(width);
        let all_negative = sum.parts.iter().all(|&(_, factor)| factor & sign_bit(width) != 0);
        if all_negative {
            constant = constant.wrapping_neg() & mask(width);
        }
        for (atom, factor) in sum.parts {
            if factor & sign_bit(width) == 0 || all_negative {
                let factor = if all_negative { factor.wrapping_neg() & mask(width) } else { factor };
                let part = self.mul_constant(atom, factor);
                left = self.add(left, part);
            } else {
                let part = self.mul_constant(atom, factor.wrapping_neg() & mask(width));
                right = self.add(right, part);
            }
        }
        let constant = self.bv(width, constant);
        let right = self.add(right, constant);
        self.eq(left, right)
    }

    fn is_sum(&self, t: Term) -> bool {
        matches!(
            self.node(t),
            Node::Binary(Binary::Add | Binary::Mul, _, _) | Node::Unary(Unary::Neg | Unary::BvNot, _)
        )
    }

    fn add_linear(&mut self, sum: &mut Linear, t: Term, factor: u128) -> Option<()> {
        let mut stack = vec![(t, factor)];
        while let Some((t, factor)) = stack.pop() {
            sum.steps += 1;
            if sum.steps > PARTS {
                return None;
            }
            match *self.node(t) {
                Node::Const(value) => {
                    sum.constant = sum.constant.wrapping_add(factor.wrapping_mul(value.bits()))
                }
                Node::Binary(Binary::Add, x, y) => stack.extend([(y, factor), (x, factor)]),
                Node::Unary(Unary::BvNot, x) => {
                    sum.constant = sum.constant.wrapping_sub(factor);
                    stack.push((x, factor.wrapping_neg()));
                }
                _ => match self.scaled(t) {
                    (base, inner) if base != t => stack.push((base, factor.wrapping_mul(inner))),
                    _ => sum.push(t, factor),
                },
            }
        }
        Some(())
    }
}

impl Linear {
    fn push(&mut self, atom: Term, factor: u128) {
        match self.parts.iter_mut().find(|part| part.0 == atom) {
            Some(part) => part.1 = part.1.wrapping_add(factor),
            None => self.parts.push((atom, factor)),
        }
    }
}
