//! Division and remainder, SMT-LIB semantics (see `fold`). Signed division of what cannot be negative is unsigned;
//! operands whose high bits are known are divided at a smaller width, for a divider is quadratic.

use crate::bits::{bit_length, from_signed, mask, sign_bit, to_signed};
use crate::node::{Binary, Node, Term};
use crate::store::Terms;

impl Terms {
    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(Binary::Udiv, a, b) {
            return folded;
        }
        let width = self.width(a);
        match self.as_bv(b) {
            Some(0) => return self.bv(width, u128::MAX),
            Some(1) => return a,
            Some(divisor) if divisor.is_power_of_two() => {
                let shift = divisor.trailing_zeros();
                return self.placed(a, shift, width - shift, 0);
            }
            Some(divisor) => {
                if let Node::Binary(Binary::Udiv, x, c) = *self.node(a)
                    && let Some(inner) = self.as_bv(c)
                {
                    return match inner.checked_mul(divisor).filter(|&product| product <= mask(width)) {
                        Some(product) => {
                            let product = self.bv(width, product);
                            self.udiv(x, product)
                        }
                        None => self.bv(width, 0),
                    };
                }
            }
            None => {}
        }
        if self.range(a).max < self.range(b).min {
            return self.bv(width, 0);
        }
        self.divide_narrow(Binary::Udiv, a, b).unwrap_or_else(|| self.binary_node(Binary::Udiv, a, b))
    }

    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(Binary::Urem, a, b) {
            return folded;
        }
        let width = self.width(a);
        match self.as_bv(b) {
            Some(0) => return a,
            Some(1) => return self.bv(width, 0),
            Some(divisor) if divisor.is_power_of_two() => {
                return self.placed(a, 0, divisor.trailing_zeros(), 0);
            }
            _ => {}
        }
        if a == b {
            return self.bv(width, 0);
        }
        if self.range(a).max < self.range(b).min {
            return a;
        }
        self.divide_narrow(Binary::Urem, a, b).unwrap_or_else(|| self.binary_node(Binary::Urem, a, b))
    }

    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(Binary::Sdiv, a, b) {
            return folded;
        }
        let width = self.width(a);
        if self.is_non_negative(a) && self.is_non_negative(b) && self.range(b).min > 0 {
            return self.udiv(a, b);
        }
        if let Some(divisor) = self.as_bv(b) {
            let signed = to_signed(divisor, width);
            if signed == 1 {
                return a;
            }
            if divisor == sign_bit(width) {
                let least = self.eq(a, b);
                return self.bool_to_bv(least, width);
            }
            if signed < 0 {
                let positive = self.bv(width, from_signed(-signed, width));
                let quotient = self.sdiv(a, positive);
                return self.neg(quotient);
            }
        }
        self.divide_narrow_signed(Binary::Sdiv, a, b).unwrap_or_else(|| self.binary_node(Binary::Sdiv, a, b))
    }

    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        if let Some(folded) = self.fold_division(Binary::Srem, a, b) {
            return folded;
        }
        let width = self.width(a);
        if self.is_non_negative(a) && self.is_non_negative(b) {
            return self.urem(a, b);
        }
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(divisor) = self.as_bv(b) {
            let signed = to_signed(divisor, width);
            if signed == 1 {
                return self.bv(width, 0);
            }
            if signed == 0 {
                return a;
            }
            if signed < 0 && divisor != sign_bit(width) {
                let positive = self.bv(width, from_signed(-signed, width));
                return self.srem(a, positive);
            }
        }
        self.divide_narrow_signed(Binary::Srem, a, b).unwrap_or_else(|| self.binary_node(Binary::Srem, a, b))
    }

    fn fold_division(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        assert_eq!(self.sort(a), self.sort(b), "division takes operands of one width");
        self.fold_binary(op, a, b)
    }

    /// Divides at the width both operands need. A quotient by zero depends on the width, so the divisor must not be zero.
    fn divide_narrow(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let (x, y, width) = (self.range(a), self.range(b), self.width(a));
        let needed = bit_length(x.max.max(y.max)).max(1);
        if needed >= width || (op == Binary::Udiv && y.min == 0) {
            return None;
        }
        let (a, b) = (self.extract(a, needed - 1, 0), self.extract(b, needed - 1, 0));
        let result = self.binary(op, a, b);
        Some(self.zext(result, width))
    }

    /// One bit more than the operands need holds the one quotient that is wider than both (least by minus one).
    fn divide_narrow_signed(&mut self, op: Binary, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let needed = self.signed_width(a).max(self.signed_width(b)) + 1;
        if needed >= width {
            return None;
        }
        let (a, b) = (self.extract(a, needed - 1, 0), self.extract(b, needed - 1, 0));
        let result = self.binary(op, a, b);
        Some(self.sext(result, width))
    }
}
