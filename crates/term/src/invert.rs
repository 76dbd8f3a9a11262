//! Words whose bits are sums (xor) of another word's bits: `x ^ (x >> 7)`, rotations, byte swaps, masks, and whatever is
//! composed of them. Such a function is a matrix over GF(2); if it has full rank, an equality with a constant has one solution.

use crate::constant::Const;
use crate::fold;
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;
use rustc_hash::FxHashMap;

/// How many nodes such a function may have.
const NODES: usize = 96;

pub(crate) enum Solution {
    /// The unknown has exactly this value.
    Unique(Term, u128),
    None,
    Unknown,
}

impl Terms {
    /// Solves `t = value` for the one word that `t` is a bit-linear function of.
    pub(crate) fn solve_bits(&self, t: Term, value: u128) -> Solution {
        let Some((order, unknown)) = self.bit_linear(t) else { return Solution::Unknown };
        let width = self.width(unknown);
        if width > self.width(t) {
            return Solution::Unknown;
        }
        let offset = self.apply(&order, unknown, 0);
        let columns: Vec<u128> =
            (0..width).map(|bit| self.apply(&order, unknown, 1 << bit) ^ offset).collect();
        solve(&columns, value ^ offset).map_or(Solution::None, |solution| match solution {
            Some(x) => Solution::Unique(unknown, x),
            None => Solution::Unknown,
        })
    }

    /// The nodes of `t` down to its only unknown, operands first.
    fn bit_linear(&self, t: Term) -> Option<(Vec<Term>, Term)> {
        let (mut order, mut unknown) = (Vec::new(), None);
        let mut stack = vec![(t, false)];
        while let Some((t, ready)) = stack.pop() {
            if order.contains(&t) {
                continue;
            }
            if ready {
                order.push(t);
                continue;
            }
            if order.len() + stack.len() > NODES {
                return None;
            }
            match *self.node(t) {
                Node::Const(_) => order.push(t),
                Node::Binary(Binary::BvXor | Binary::Concat, a, b) => {
                    stack.extend([(t, true), (a, false), (b, false)]);
                }
                Node::Binary(Binary::BvAnd | Binary::BvOr, a, b) if self.as_bv(b).is_some() => {
                    stack.extend([(t, true), (a, false), (b, false)]);
                }
                Node::Unary(Unary::BvNot, a) | Node::Extract { of: a, .. } | Node::Extend { of: a, .. } => {
                    stack.extend([(t, true), (a, false)]);
                }
                _ => {
                    if unknown.is_some_and(|known| known != t) {
                        return None;
                    }
                    unknown = Some(t);
                    order.push(t);
                }
            }
        }
        Some((order, unknown?))
    }

    fn apply(&self, order: &[Term], unknown: Term, value: u128) -> u128 {
        let mut values: FxHashMap<Term, Const> = FxHashMap::default();
        let mut last = 0;
        for &t in order {
            let result = match *self.node(t) {
                _ if t == unknown => Const::from_bits(self.sort(t), value),
                Node::Unary(op, a) => fold::unary(op, values[&a]),
                Node::Binary(op, a, b) => fold::binary(op, values[&a], values[&b]),
                Node::Extract { of, hi, lo } => fold::extract(values[&of], hi, lo),
                Node::Extend { of, to, signed } => fold::extend(values[&of], to, signed),
                Node::Const(constant) => constant,
                ref other => unreachable!("{other:?} is not linear in bits"),
            };
            values.insert(t, result);
            last = result.bits();
        }
        last
    }
}

/// Solves `sum of columns[i] * x[i] = target` over GF(2): `None` without solution, `Some(None)` with several.
fn solve(columns: &[u128], target: u128) -> Option<Option<u128>> {
    // reduced columns, each with its leading bit and the combination of original columns it is
    let mut basis: Vec<(u32, u128, u128)> = Vec::new();
    let reduce = |basis: &[(u32, u128, u128)], mut vector: u128, mut combination: u128| {
        for &(lead, column, of) in basis {
            if vector >> lead & 1 == 1 {
                vector ^= column;
                combination ^= of;
            }
        }
        (vector, combination)
    };
    for (i, &column) in columns.iter().enumerate() {
        let (rest, combination) = reduce(&basis, column, 1 << i);
        if rest != 0 {
            basis.push((127 - rest.leading_zeros(), rest, combination));
        }
    }
    let (rest, solution) = reduce(&basis, target, 0);
    if rest != 0 {
        return None;
    }
    Some((basis.len() == columns.len()).then_some(solution))
}
