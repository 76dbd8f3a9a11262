//! The meaning of every operator on constants: the one definition that constant folding and evaluation share.
//!
//! Division by zero and oversized shifts follow SMT-LIB: `x / 0` is all ones (signed: -1, or 1 for negative `x`),
//! `x % 0` is `x`, shifting by the width or more leaves zeros (or copies of the sign).

use crate::bits::{from_signed, mask, to_signed};
use crate::constant::Const;
use crate::fold_float;
use crate::node::{Binary, Unary};
use crate::sort::{FloatWidth, Sort};

pub(crate) fn unary(op: Unary, a: Const) -> Const {
    let width = a.sort().bits();
    match op {
        Unary::Not => Const::Bool(a.bits() == 0),
        Unary::BvNot => bv(width, !a.bits()),
        Unary::Neg => bv(width, a.bits().wrapping_neg()),
        Unary::BitsToFp if width == 32 => Const::from_bits(Sort::Float(FloatWidth::F32), a.bits()),
        Unary::BitsToFp => Const::from_bits(Sort::Float(FloatWidth::F64), a.bits()),
        Unary::FpToBits => bv(width, a.bits()),
        _ => fold_float::unary(op, a),
    }
}

pub(crate) fn binary(op: Binary, a: Const, b: Const) -> Const {
    let width = a.sort().bits();
    let (x, y) = (a.bits(), b.bits());
    let (sx, sy) = (to_signed(x, width), to_signed(y, width.min(b.sort().bits())));
    match op {
        Binary::And => Const::Bool(x & y == 1),
        Binary::Eq => Const::Bool(x == y),
        Binary::Add => bv(width, x.wrapping_add(y)),
        Binary::Mul => bv(width, x.wrapping_mul(y)),
        Binary::Udiv => bv(width, x.checked_div(y).unwrap_or(u128::MAX)),
        Binary::Urem => bv(width, x.checked_rem(y).unwrap_or(x)),
        Binary::Sdiv if y == 0 => bv(width, from_signed(if sx < 0 { 1 } else { -1 }, width)),
        Binary::Sdiv => bv(width, from_signed(sx.wrapping_div(sy), width)),
        Binary::Srem if y == 0 => a,
        Binary::Srem => bv(width, from_signed(sx.wrapping_rem(sy), width)),
        Binary::BvAnd => bv(width, x & y),
        Binary::BvOr => bv(width, x | y),
        Binary::BvXor => bv(width, x ^ y),
        Binary::Shl => bv(width, if y >= width as u128 { 0 } else { x << y }),
        Binary::Lshr => bv(width, if y >= width as u128 { 0 } else { x >> y }),
        Binary::Ashr => bv(width, from_signed(sx >> y.min(width as u128 - 1), width)),
        Binary::Ult => Const::Bool(x < y),
        Binary::Slt => Const::Bool(sx < sy),
        Binary::UmulOverflows => Const::Bool(x.checked_mul(y).is_none_or(|product| product > mask(width))),
        Binary::SmulOverflows => {
            Const::Bool(sx.checked_mul(sy).is_none_or(|product| product != to_signed(product as u128, width)))
        }
        Binary::Concat => {
            let low = b.sort().bits();
            bv(width + low, (x << low) | y)
        }
        _ => fold_float::binary(op, a, b),
    }
}

pub(crate) fn extract(a: Const, hi: u32, lo: u32) -> Const {
    bv(hi - lo + 1, a.bits() >> lo)
}

pub(crate) fn extend(a: Const, to: u32, signed: bool) -> Const {
    if signed { bv(to, from_signed(to_signed(a.bits(), a.sort().bits()), to)) } else { bv(to, a.bits()) }
}

fn bv(width: u32, value: u128) -> Const {
    Const::Bv { width, value: value & mask(width) }
}
