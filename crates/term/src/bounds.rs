//! Conjunctions of two bounds on one term: `x < 5 and x < 10` is `x < 5`, `x < 5 and x = 7` is false.

use crate::bits::{mask, sign_bit};
use crate::node::{Binary, Node, Term, Unary};
use crate::store::Terms;

#[derive(Copy, Clone, Eq, PartialEq)]
enum Order {
    Unsigned,
    Signed,
    /// Equality: fits either order.
    Any,
}

/// The values a bound allows, as positions in the order of the comparison.
#[derive(Copy, Clone)]
struct Bound {
    of: Term,
    order: Order,
    constant: u128,
    /// The atom itself or its negation.
    holds: bool,
}

enum Set {
    Interval(u128, u128),
    AllBut(u128),
}

impl Terms {
    pub(crate) fn and_of_bounds(&mut self, a: Term, b: Term) -> Option<Term> {
        let (p, q) = (self.bound(a)?, self.bound(b)?);
        if p.of != q.of {
            return None;
        }
        let order = match (p.order, q.order) {
            (Order::Any, order) | (order, Order::Any) => order,
            (x, y) if x == y => x,
            _ => return None,
        };
        let width = self.width(p.of);
        match (p.set(order, width), q.set(order, width)) {
            (Set::Interval(lo, hi), Set::Interval(from, to)) => {
                let (min, max) = (lo.max(from), hi.min(to));
                if min > max {
                    Some(self.false_())
                } else if (min, max) == (lo, hi) {
                    Some(a)
                } else if (min, max) == (from, to) {
                    Some(b)
                } else if min == max {
                    let value = self.bv(width, place(min, order, width));
                    Some(self.eq(p.of, value))
                } else {
                    None
                }
            }
            (Set::Interval(lo, hi), Set::AllBut(hole)) => self.punch(a, p.of, order, (lo, hi), hole),
            (Set::AllBut(hole), Set::Interval(lo, hi)) => self.punch(b, p.of, order, (lo, hi), hole),
            (Set::AllBut(_), Set::AllBut(_)) => None,
        }
    }

    fn punch(
        &mut self,
        bound: Term,
        of: Term,
        order: Order,
        (lo, hi): (u128, u128),
        hole: u128,
    ) -> Option<Term> {
        if hole < lo || hole > hi {
            return Some(bound);
        }
        let width = self.width(of);
        if lo == hi {
            Some(self.false_())
        } else if lo == hole && hi == mask(width) {
            let limit = self.bv(width, place(lo, order, width));
            Some(self.less(order, limit, of))
        } else if hi == hole && lo == 0 {
            let limit = self.bv(width, place(hi, order, width));
            Some(self.less(order, of, limit))
        } else {
            None
        }
    }

    fn less(&mut self, order: Order, a: Term, b: Term) -> Term {
        if order == Order::Signed { self.slt(a, b) } else { self.ult(a, b) }
    }

    fn bound(&self, term: Term) -> Option<Bound> {
        let (atom, holds) = match *self.node(term) {
            Node::Unary(Unary::Not, inner) => (inner, false),
            _ => (term, true),
        };
        let Node::Binary(op, of, limit) = *self.node(atom) else { return None };
        let order = match op {
            Binary::Eq => Order::Any,
            Binary::Ult => Order::Unsigned,
            Binary::Slt => Order::Signed,
            _ => return None,
        };
        Some(Bound { of, order, constant: self.as_bv(limit)?, holds })
    }
}

impl Bound {
    fn set(&self, order: Order, width: u32) -> Set {
        let position = place(self.constant, order, width);
        match (self.order, self.holds) {
            (Order::Any, true) => Set::Interval(position, position),
            (Order::Any, false) => Set::AllBut(position),
            // a comparison with the least value has been folded away, so there is something below
            (_, true) => Set::Interval(0, position.wrapping_sub(1) & mask(width)),
            (_, false) => Set::Interval(position, mask(width)),
        }
    }
}

/// The position of a value in an order, and back: flipping the sign bit makes signed order unsigned.
fn place(value: u128, order: Order, width: u32) -> u128 {
    if order == Order::Signed { value ^ sign_bit(width) } else { value }
}
