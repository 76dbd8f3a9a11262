//! The meaning of the float operators, NaN bits included, as x64 SSE gives them: an operation on NaN returns the
//! first NaN operand, made quiet; an invalid operation returns the default NaN, which is negative on x64.
//! Rust leaves NaN bits of its own operators open, hence every NaN is made here by hand.

use crate::bits::{from_signed, mask, signed_max, signed_min, to_signed};
use crate::constant::Const;
use crate::node::{Binary, Rounding, Unary};
use crate::sort::{FloatWidth, Sort};

pub(crate) fn unary(op: Unary, a: Const) -> Const {
    let sort = a.sort();
    match op {
        Unary::FpSqrt => first_nan(&[a]).unwrap_or_else(|| match a {
            Const::F32(bits) => f32_result(f32::from_bits(bits).sqrt()),
            _ => f64_result(as_f64(a).sqrt()),
        }),
        Unary::FpRound(rounding) => first_nan(&[a]).unwrap_or_else(|| round(rounding, a)),
        Unary::FpToFp(to) => convert(a, to),
        Unary::SignedToFp(to) => {
            let value = to_signed(a.bits(), sort.bits());
            match to {
                FloatWidth::F32 => f32_result(value as f32),
                FloatWidth::F64 => f64_result(value as f64),
            }
        }
        Unary::UnsignedToFp(FloatWidth::F32) => f32_result(a.bits() as f32),
        Unary::UnsignedToFp(FloatWidth::F64) => f64_result(a.bits() as f64),
        // `as` saturates and maps NaN to zero, and f32 to f64 is exact
        Unary::FpToSigned(width) => {
            let value = (as_f64(a) as i128).clamp(signed_min(width), signed_max(width));
            Const::Bv { width, value: from_signed(value, width) }
        }
        Unary::FpToUnsigned(width) => Const::Bv { width, value: (as_f64(a) as u128).min(mask(width)) },
        Unary::Not | Unary::BvNot | Unary::Neg | Unary::BitsToFp | Unary::FpToBits => {
            unreachable!("{op:?} is no float operator")
        }
    }
}

pub(crate) fn binary(op: Binary, a: Const, b: Const) -> Const {
    match op {
        Binary::FpEq => return Const::Bool(as_f64(a) == as_f64(b)),
        Binary::FpLt => return Const::Bool(as_f64(a) < as_f64(b)),
        Binary::FpLe => return Const::Bool(as_f64(a) <= as_f64(b)),
        _ => {}
    }
    if let Some(nan) = first_nan(&[a, b]) {
        return nan;
    }
    match (a, b) {
        (Const::F32(x), Const::F32(y)) => {
            let (x, y) = (f32::from_bits(x), f32::from_bits(y));
            f32_result(match op {
                Binary::FpAdd => x + y,
                Binary::FpSub => x - y,
                Binary::FpMul => x * y,
                Binary::FpDiv => x / y,
                _ => x % y,
            })
        }
        _ => {
            let (x, y) = (as_f64(a), as_f64(b));
            f64_result(match op {
                Binary::FpAdd => x + y,
                Binary::FpSub => x - y,
                Binary::FpMul => x * y,
                Binary::FpDiv => x / y,
                _ => x % y,
            })
        }
    }
}

pub(crate) fn fma(a: Const, b: Const, c: Const) -> Const {
    if let Some(nan) = first_nan(&[a, b, c]) {
        return nan;
    }
    match (a, b, c) {
        (Const::F32(x), Const::F32(y), Const::F32(z)) => {
            f32_result(f32::from_bits(x).mul_add(f32::from_bits(y), f32::from_bits(z)))
        }
        _ => f64_result(as_f64(a).mul_add(as_f64(b), as_f64(c))),
    }
}

/// The default NaN of the given width.
pub(crate) fn default_nan(width: FloatWidth) -> Const {
    match width {
        FloatWidth::F32 => Const::F32(0xffc0_0000),
        FloatWidth::F64 => Const::F64(0xfff8_0000_0000_0000),
    }
}

fn as_f64(a: Const) -> f64 {
    match a {
        Const::F32(bits) => f32::from_bits(bits) as f64,
        other => f64::from_bits(other.bits() as u64),
    }
}

fn is_nan(a: Const) -> bool {
    as_f64(a).is_nan()
}

fn first_nan(operands: &[Const]) -> Option<Const> {
    let nan = operands.iter().copied().find(|&a| is_nan(a))?;
    Some(match nan {
        Const::F32(bits) => Const::F32(bits | 0x0040_0000),
        other => Const::F64(other.bits() as u64 | 0x0008_0000_0000_0000),
    })
}

fn f32_result(value: f32) -> Const {
    if value.is_nan() { default_nan(FloatWidth::F32) } else { Const::F32(value.to_bits()) }
}

fn f64_result(value: f64) -> Const {
    if value.is_nan() { default_nan(FloatWidth::F64) } else { Const::F64(value.to_bits()) }
}

fn round(rounding: Rounding, a: Const) -> Const {
    let x = as_f64(a);
    let rounded = match rounding {
        Rounding::NearestEven => x.round_ties_even(),
        Rounding::NearestAway => x.round(),
        Rounding::TowardZero => x.trunc(),
        Rounding::Down => x.floor(),
        Rounding::Up => x.ceil(),
    };
    match a {
        // an integral value near an f32 is an f32
        Const::F32(_) => f32_result(rounded as f32),
        _ => f64_result(rounded),
    }
}

fn convert(a: Const, to: FloatWidth) -> Const {
    match (a, to) {
        (Const::F32(bits), FloatWidth::F64) if is_nan(a) => {
            let (sign, payload) = ((bits >> 31) as u64, (bits & 0x007f_ffff) as u64);
            Const::F64((sign << 63) | 0x7ff8_0000_0000_0000 | (payload << 29))
        }
        (Const::F64(bits), FloatWidth::F32) if is_nan(a) => {
            let (sign, payload) = ((bits >> 63) as u32, ((bits >> 29) & 0x007f_ffff) as u32);
            Const::F32((sign << 31) | 0x7fc0_0000 | payload)
        }
        (Const::F32(_), FloatWidth::F64) => f64_result(as_f64(a)),
        (Const::F64(_), FloatWidth::F32) => f32_result(as_f64(a) as f32),
        _ => Const::from_bits(Sort::Float(to), a.bits()),
    }
}
