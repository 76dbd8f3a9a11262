//! Float folding against the machine, NaN bits included.
#![cfg(target_arch = "x86_64")]

use core::arch::x86_64::{
    _mm_add_sd, _mm_add_ss, _mm_cvtsd_f64, _mm_cvtss_f32, _mm_div_sd, _mm_div_ss, _mm_mul_sd, _mm_mul_ss,
    _mm_set_sd, _mm_set_ss, _mm_sqrt_sd, _mm_sub_sd, _mm_sub_ss,
};
use proptest::prelude::*;
use std::hint::black_box;
use term::{Binary, Const, FloatWidth, Rounding, Terms, Unary};

/// The operation as one machine instruction.
#[allow(unused_unsafe, unsafe_code)]
fn machine64(op: Binary, a: u64, b: u64) -> u64 {
    // SAFETY: every x86-64 processor has SSE2
    unsafe {
        let (x, y) = (_mm_set_sd(f64::from_bits(black_box(a))), _mm_set_sd(f64::from_bits(black_box(b))));
        let result = match op {
            Binary::FpAdd => _mm_add_sd(x, y),
            Binary::FpSub => _mm_sub_sd(x, y),
            Binary::FpMul => _mm_mul_sd(x, y),
            _ => _mm_div_sd(x, y),
        };
        _mm_cvtsd_f64(result).to_bits()
    }
}

#[allow(unused_unsafe, unsafe_code)]
fn machine32(op: Binary, a: u32, b: u32) -> u32 {
    // SAFETY: every x86-64 processor has SSE2
    unsafe {
        let (x, y) = (_mm_set_ss(f32::from_bits(black_box(a))), _mm_set_ss(f32::from_bits(black_box(b))));
        let result = match op {
            Binary::FpAdd => _mm_add_ss(x, y),
            Binary::FpSub => _mm_sub_ss(x, y),
            Binary::FpMul => _mm_mul_ss(x, y),
            _ => _mm_div_ss(x, y),
        };
        _mm_cvtss_f32(result).to_bits()
    }
}

#[allow(unused_unsafe, unsafe_code)]
fn machine_sqrt(a: u64) -> u64 {
    // SAFETY: every x86-64 processor has SSE2
    unsafe {
        let x = _mm_set_sd(f64::from_bits(black_box(a)));
        _mm_cvtsd_f64(_mm_sqrt_sd(x, x)).to_bits()
    }
}

fn special() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        any::<f64>().prop_map(f64::to_bits),
        (-1000i32..1000).prop_map(|n| (n as f64 / 8.0).to_bits()),
        prop::sample::select(vec![
            0,
            1,
            1 << 63,
            0x7ff0_0000_0000_0000,
            0xfff0_0000_0000_0000,
            0x7ff0_0000_0000_0001,
            0x7ff8_0000_0000_1234,
            0xfff8_0000_0000_0000,
            0x7fef_ffff_ffff_ffff
        ]),
    ]
}

const OPERATORS: [Binary; 4] = [Binary::FpAdd, Binary::FpSub, Binary::FpMul, Binary::FpDiv];

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arithmetic_is_the_machines(a in special(), b in special()) {
        let mut terms = Terms::new();
        for op in OPERATORS {
            let (x, y) = (terms.constant(Const::F64(a)), terms.constant(Const::F64(b)));
            let result = terms.binary(op, x, y);
            prop_assert_eq!(terms.as_const(result), Some(Const::F64(machine64(op, a, b))), "{:?} {:#x} {:#x}", op, a, b);
            let (c, d) = ((a >> 32) as u32, (b >> 32) as u32);
            let (x, y) = (terms.constant(Const::F32(c)), terms.constant(Const::F32(d)));
            let result = terms.binary(op, x, y);
            prop_assert_eq!(terms.as_const(result), Some(Const::F32(machine32(op, c, d))), "{:?} {:#x} {:#x}", op, c, d);
        }
        let x = terms.constant(Const::F64(a));
        let root = terms.fp_sqrt(x);
        prop_assert_eq!(terms.as_const(root), Some(Const::F64(machine_sqrt(a))));
    }

    /// What is written with bit operators means what it says.
    #[test]
    fn signs_and_nan_tests(a in special()) {
        let mut terms = Terms::new();
        let x = terms.constant(Const::F64(a));
        let (negated, absolute, nan) = (terms.fp_neg(x), terms.fp_abs(x), terms.fp_is_nan(x));
        prop_assert_eq!(terms.as_const(negated), Some(Const::F64(a ^ (1 << 63))));
        prop_assert_eq!(terms.as_const(absolute), Some(Const::F64(a & !(1 << 63))));
        prop_assert_eq!(terms.as_bool(nan), Some(f64::from_bits(a).is_nan()));
    }
}

#[test]
fn conversions_saturate_as_in_dotnet() {
    let mut terms = Terms::new();
    let mut convert = |value: f64, op: Unary| {
        let x = terms.constant(Const::F64(value.to_bits()));
        let result = terms.unary(op, x);
        terms.as_const(result).map(Const::bits)
    };
    assert_eq!(convert(f64::NAN, Unary::FpToSigned(32)), Some(0));
    assert_eq!(convert(1e300, Unary::FpToSigned(32)), Some(0x7fff_ffff));
    assert_eq!(convert(-1e300, Unary::FpToSigned(32)), Some(0x8000_0000));
    assert_eq!(convert(-2147483648.9, Unary::FpToSigned(32)), Some(0x8000_0000));
    assert_eq!(convert(-3.99, Unary::FpToSigned(64)), Some(-3i64 as u64 as u128));
    assert_eq!(convert(-3.99, Unary::FpToUnsigned(64)), Some(0));
    assert_eq!(convert(f64::INFINITY, Unary::FpToUnsigned(64)), Some(u64::MAX as u128));
    assert_eq!(convert(2.5, Unary::FpRound(Rounding::NearestEven)), Some(2.0f64.to_bits() as u128));
    assert_eq!(convert(2.5, Unary::FpRound(Rounding::NearestAway)), Some(3.0f64.to_bits() as u128));
    assert_eq!(convert(-0.5, Unary::FpRound(Rounding::Up)), Some((-0.0f64).to_bits() as u128));
    assert_eq!(convert(1e300, Unary::FpToFp(FloatWidth::F32)), Some(f32::INFINITY.to_bits() as u128));
}
