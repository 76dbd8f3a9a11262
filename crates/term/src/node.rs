//! Terms and the nodes they stand for.

use crate::constant::Const;
use crate::sort::FloatWidth;
use std::num::NonZeroU32;

/// An interned expression; ids are ordered by creation, so operands come before what is built of them.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Term(pub(crate) NonZeroU32);

/// A free variable.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub struct Symbol(pub(crate) u32);

impl Term {
    /// A dense number, from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl Symbol {
    /// A dense number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a term is made of.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Node {
    Const(Const),
    Var(Symbol),
    Unary(Unary, Term),
    Binary(Binary, Term, Term),
    Ite(Term, Term, Term),
    Fma(Term, Term, Term),
    /// Bits `hi` down to `lo`.
    Extract {
        of: Term,
        hi: u32,
        lo: u32,
    },
    /// Zero or sign extension to the width `to`.
    Extend {
        of: Term,
        to: u32,
        signed: bool,
    },
}

#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Unary {
    Not,
    BvNot,
    Neg,
    BitsToFp,
    FpToBits,
    FpSqrt,
    FpRound(Rounding),
    /// Between the float widths.
    FpToFp(FloatWidth),
    SignedToFp(FloatWidth),
    UnsignedToFp(FloatWidth),
    /// Towards zero, saturating, NaN gives zero.
    FpToSigned(u32),
    FpToUnsigned(u32),
}

#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Binary {
    And,
    Eq,
    Add,
    Mul,
    Udiv,
    Urem,
    Sdiv,
    Srem,
    BvAnd,
    BvOr,
    BvXor,
    Shl,
    Lshr,
    Ashr,
    Ult,
    Slt,
    UmulOverflows,
    SmulOverflows,
    Concat,
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    /// The remainder of truncated division (C's `fmod`, .NET's `%`).
    FpRem,
    FpEq,
    FpLt,
    FpLe,
}

/// How a float is rounded to an integral float.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Rounding {
    NearestEven,
    NearestAway,
    TowardZero,
    Down,
    Up,
}

impl Node {
    /// The operands, in order.
    pub fn children(&self) -> impl Iterator<Item = Term> + use<> {
        let (a, b, c) = match *self {
            Node::Const(_) | Node::Var(_) => (None, None, None),
            Node::Unary(_, a) | Node::Extract { of: a, .. } | Node::Extend { of: a, .. } => {
                (Some(a), None, None)
            }
            Node::Binary(_, a, b) => (Some(a), Some(b), None),
            Node::Ite(a, b, c) | Node::Fma(a, b, c) => (Some(a), Some(b), Some(c)),
        };
        a.into_iter().chain(b).chain(c)
    }
}
