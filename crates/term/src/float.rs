//! Float constructors. A float is its bits, so whatever only moves bits (negation, absolute value, NaN tests) is
//! written with bit-vector operators, and only arithmetic, ordering, rounding and conversion have nodes.

use crate::bits::mask;
use crate::node::{Binary, Node, Rounding, Term, Unary};
use crate::sort::{FloatWidth, Sort};
use crate::store::Terms;

impl Terms {
    /// The float with the given 32 or 64 bits.
    pub fn bits_to_fp(&mut self, a: Term) -> Term {
        assert!(matches!(self.sort(a), Sort::Bv(32 | 64)), "floats have 32 or 64 bits");
        match *self.node(a) {
            Node::Unary(Unary::FpToBits, inner) => inner,
            _ => self.fp_unary(Unary::BitsToFp, a),
        }
    }

    pub fn fp_to_bits(&mut self, a: Term) -> Term {
        match *self.node(a) {
            Node::Unary(Unary::BitsToFp, inner) => inner,
            Node::Ite(c, x, y) => {
                let (x, y) = (self.bits_of_branch(x), self.bits_of_branch(y));
                self.ite(c, x, y)
            }
            _ => self.fp_unary(Unary::FpToBits, a),
        }
    }

    pub fn fp_add(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpAdd, a, b)
    }

    pub fn fp_sub(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpSub, a, b)
    }

    pub fn fp_mul(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpMul, a, b)
    }

    pub fn fp_div(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpDiv, a, b)
    }

    /// The remainder of truncated division, as .NET's `%`.
    pub fn fp_rem(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpRem, a, b)
    }

    pub fn fp_sqrt(&mut self, a: Term) -> Term {
        self.fp_unary(Unary::FpSqrt, a)
    }

    pub fn fp_round(&mut self, rounding: Rounding, a: Term) -> Term {
        self.fp_unary(Unary::FpRound(rounding), a)
    }

    pub fn fp_fma(&mut self, a: Term, b: Term, c: Term) -> Term {
        if let Some(folded) = self.fold_fma(a, b, c) {
            return folded;
        }
        self.intern(Node::Fma(a, b, c))
    }

    pub fn fp_neg(&mut self, a: Term) -> Term {
        let (bits, width) = (self.fp_to_bits(a), self.width(a));
        let sign = self.bv(width, 1 << (width - 1));
        let flipped = self.bvxor(bits, sign);
        self.bits_to_fp(flipped)
    }

    pub fn fp_abs(&mut self, a: Term) -> Term {
        let magnitude = self.magnitude(a);
        let bits = self.zext(magnitude, self.width(a));
        self.bits_to_fp(bits)
    }

    pub fn fp_is_nan(&mut self, a: Term) -> Term {
        let float = self.float_width(a);
        let magnitude = self.magnitude(a);
        let infinity = mask(float.exponent()) << (float.significand() - 1);
        let infinity = self.bv(float.bits() - 1, infinity);
        self.ult(infinity, magnitude)
    }

    /// IEEE equality: NaN differs from everything, the zeros are equal.
    pub fn fp_eq(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpEq, a, b)
    }

    pub fn fp_lt(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpLt, a, b)
    }

    pub fn fp_le(&mut self, a: Term, b: Term) -> Term {
        self.fp_binary(Binary::FpLe, a, b)
    }

    /// To another float width, rounding to nearest even.
    pub fn fp_to_fp(&mut self, a: Term, to: FloatWidth) -> Term {
        if self.float_width(a) == to { a } else { self.fp_unary(Unary::FpToFp(to), a) }
    }

    pub fn signed_to_fp(&mut self, a: Term, to: FloatWidth) -> Term {
        self.fp_unary(Unary::SignedToFp(to), a)
    }

    pub fn unsigned_to_fp(&mut self, a: Term, to: FloatWidth) -> Term {
        self.fp_unary(Unary::UnsignedToFp(to), a)
    }

    /// Towards zero, saturating, NaN gives zero.
    pub fn fp_to_signed(&mut self, a: Term, width: u32) -> Term {
        self.fp_unary(Unary::FpToSigned(width), a)
    }

    pub fn fp_to_unsigned(&mut self, a: Term, width: u32) -> Term {
        self.fp_unary(Unary::FpToUnsigned(width), a)
    }

    pub(crate) fn fp_unary(&mut self, op: Unary, a: Term) -> Term {
        match self.fold_unary(op, a) {
            Some(folded) => folded,
            None => self.unary_node(op, a),
        }
    }

    pub(crate) fn fp_binary(&mut self, op: Binary, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "float operators take operands of one width");
        if let Some(folded) = self.fold_binary(op, a, b) {
            return folded;
        }
        if a == b {
            match op {
                Binary::FpLt => return self.false_(),
                Binary::FpEq | Binary::FpLe => {
                    let nan = self.fp_is_nan(a);
                    return self.not(nan);
                }
                _ => {}
            }
        }
        if op == Binary::FpEq {
            return self.commutative_node(op, a, b);
        }
        self.binary_node(op, a, b)
    }

    fn float_width(&self, a: Term) -> FloatWidth {
        match self.sort(a) {
            Sort::Float(width) => width,
            other => panic!("{other:?} is no float"),
        }
    }

    /// All bits but the sign.
    fn magnitude(&mut self, a: Term) -> Term {
        let bits = self.fp_to_bits(a);
        let width = self.width(a);
        self.extract(bits, width - 2, 0)
    }

    /// One level only: `ite`s of floats nest, and each level asks for itself.
    fn bits_of_branch(&mut self, a: Term) -> Term {
        match *self.node(a) {
            Node::Unary(Unary::BitsToFp, inner) => inner,
            _ => self.fp_unary(Unary::FpToBits, a),
        }
    }
}
