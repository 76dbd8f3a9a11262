//! Shifts. A shift by a constant is a slice and needs no operator of its own.

use crate::node::{Binary, Node, Term};
use crate::store::Terms;

impl Terms {
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        let width = self.width(a);
        self.shift(Binary::Shl, a, by, |terms, amount| {
            if amount >= width { terms.bv(width, 0) } else { terms.placed(a, 0, width - amount, amount) }
        })
    }

    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        let width = self.width(a);
        self.shift(Binary::Lshr, a, by, |terms, amount| {
            if amount >= width { terms.bv(width, 0) } else { terms.placed(a, amount, width - amount, 0) }
        })
    }

    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        if self.is_non_negative(a) {
            return self.lshr(a, by);
        }
        let width = self.width(a);
        self.shift(Binary::Ashr, a, by, |terms, amount| {
            let high = terms.extract(a, width - 1, amount.min(width - 1));
            terms.sext(high, width)
        })
    }

    fn shift(
        &mut self,
        op: Binary,
        a: Term,
        by: Term,
        constant: impl FnOnce(&mut Terms, u32) -> Term,
    ) -> Term {
        assert_eq!(self.width(a), self.width(by), "a shift amount is as wide as what is shifted");
        if let Some(amount) = self.as_bv(by) {
            let amount = amount.min(128) as u32;
            return if amount == 0 { a } else { constant(self, amount) };
        }
        if let Some(folded) = self.fold_binary(op, a, by) {
            return folded;
        }
        if self.as_bv(a) == Some(0) {
            return a;
        }
        // a choice between two constant amounts is a choice between two slices
        if let Node::Ite(c, x, y) = *self.node(by)
            && self.as_bv(x).is_some()
            && self.as_bv(y).is_some()
        {
            let (x, y) = (self.binary(op, a, x), self.binary(op, a, y));
            return self.ite(c, x, y);
        }
        self.binary_node(op, a, by)
    }
}
