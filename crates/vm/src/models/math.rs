//! `Math` and `MathF` functions that the runtime implements. Those that IEEE 754 defines exactly are terms as well; the
//! others are computed for concrete arguments only.

use term::Rounding;

use super::{Call, Entry, all, one};
use crate::machine::{Machine, Step, unsupported};
use crate::state::State;
use crate::value::{Repr, Value};

const MATH: &str = "System.Math";
const MATHF: &str = "System.MathF";
const D: &str = "System.Double";
const F: &str = "System.Single";

pub(super) const TABLE: &[Entry] = &[
    one(MATH, "Sqrt", D, sqrt),
    one(MATHF, "Sqrt", F, sqrt),
    one(MATH, "Floor", D, floor),
    one(MATHF, "Floor", F, floor),
    one(MATH, "Ceiling", D, ceiling),
    one(MATHF, "Ceiling", F, ceiling),
    one(MATH, "Truncate", D, truncate),
    one(MATHF, "Truncate", F, truncate),
    one(MATH, "Round", D, round),
    one(MATHF, "Round", F, round),
    one(MATH, "Abs", D, abs),
    one(MATH, "Abs", F, abs),
    all("System.Double", "ConvertToIntegerNative", to_integer),
    all("System.Single", "ConvertToIntegerNative", to_integer),
    all(MATH, "FusedMultiplyAdd", fma),
    all(MATHF, "FusedMultiplyAdd", fma),
    one(MATH, "Pow", "System.Double,System.Double", pow),
    one(MATH, "Asin", D, |m, s, c| unary(m, s, c, f64::asin)),
    one(MATH, "Acos", D, |m, s, c| unary(m, s, c, f64::acos)),
    one(MATH, "Atan", D, |m, s, c| unary(m, s, c, f64::atan)),
    one(MATH, "Sinh", D, |m, s, c| unary(m, s, c, f64::sinh)),
    one(MATH, "Cosh", D, |m, s, c| unary(m, s, c, f64::cosh)),
    one(MATH, "Tanh", D, |m, s, c| unary(m, s, c, f64::tanh)),
    one(MATH, "Cbrt", D, |m, s, c| unary(m, s, c, f64::cbrt)),
    one(MATH, "Sin", D, |m, s, c| unary(m, s, c, f64::sin)),
    one(MATH, "Cos", D, |m, s, c| unary(m, s, c, f64::cos)),
    one(MATH, "Tan", D, |m, s, c| unary(m, s, c, f64::tan)),
    one(MATH, "Exp", D, |m, s, c| unary(m, s, c, f64::exp)),
    one(MATH, "Log", D, |m, s, c| unary(m, s, c, f64::ln)),
    one(MATH, "Log2", D, |m, s, c| unary(m, s, c, f64::log2)),
    one(MATH, "Log10", D, |m, s, c| unary(m, s, c, f64::log10)),
];

/// The conversion of the processor, which agrees with all others for numbers that fit.
fn to_integer(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = call.generic_repr(m, s, 0)?;
    let number = match call.value(s, 0)? {
        Value::F32(v) => f64::from(v),
        Value::F64(v) => v,
        _ => return Err(unsupported(s, "a symbolic number as an integer of the processor")),
    };
    match repr {
        Repr::I4 if number > -2_147_483_649.0 && number < 2_147_483_648.0 => {
            Ok(Some(Value::I32(number as i32)))
        }
        Repr::I8 if number.abs() < 9_223_372_036_854_775_808.0 => Ok(Some(Value::I64(number as i64))),
        _ => Err(unsupported(s, "a number that does not fit the processor's integer")),
    }
}

fn sqrt(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F32(v) => Ok(Some(Value::F32(v.sqrt()))),
        Value::F64(v) => Ok(Some(Value::F64(v.sqrt()))),
        value => symbolic(m, s, &value, |m, x| m.terms.fp_sqrt(x)),
    }
}

fn abs(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F32(v) => Ok(Some(Value::F32(v.abs()))),
        Value::F64(v) => Ok(Some(Value::F64(v.abs()))),
        value => symbolic(m, s, &value, |m, x| m.terms.fp_abs(x)),
    }
}

fn floor(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    rounded(m, s, call, Rounding::Down, f32::floor, f64::floor)
}

fn ceiling(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    rounded(m, s, call, Rounding::Up, f32::ceil, f64::ceil)
}

fn truncate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    rounded(m, s, call, Rounding::TowardZero, f32::trunc, f64::trunc)
}

fn round(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    rounded(m, s, call, Rounding::NearestEven, f32::round_ties_even, f64::round_ties_even)
}

fn rounded(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    rounding: Rounding,
    single: fn(f32) -> f32,
    double: fn(f64) -> f64,
) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F32(v) => Ok(Some(Value::F32(single(v)))),
        Value::F64(v) => Ok(Some(Value::F64(double(v)))),
        value => symbolic(m, s, &value, |m, x| m.terms.fp_round(rounding, x)),
    }
}

fn fma(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let [a, b, c] = [call.value(s, 0)?, call.value(s, 1)?, call.value(s, 2)?];
    match (&a, &b, &c) {
        (Value::F32(a), Value::F32(b), Value::F32(c)) => Ok(Some(Value::F32(a.mul_add(*b, *c)))),
        (Value::F64(a), Value::F64(b), Value::F64(c)) => Ok(Some(Value::F64(a.mul_add(*b, *c)))),
        _ => match (m.float_term(&a), m.float_term(&b), m.float_term(&c)) {
            (Some(a), Some(b), Some(c)) => {
                let result = m.terms.fp_fma(a, b, c);
                Ok(Some(m.float_value(result)))
            }
            _ => Err(unsupported(s, "a fused multiplication of something else than floats")),
        },
    }
}

fn pow(_: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    match (call.value(s, 0)?, call.value(s, 1)?) {
        (Value::F64(x), Value::F64(y)) => Ok(Some(Value::F64(x.powf(y)))),
        _ => Err(unsupported(s, "Math.Pow of a symbolic number")),
    }
}

fn unary(_: &mut Machine, s: &mut State, call: &Call, function: fn(f64) -> f64) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F64(v) => Ok(Some(Value::F64(function(v)))),
        _ => Err(unsupported(s, "a transcendental function of a symbolic number")),
    }
}

fn symbolic(
    m: &mut Machine,
    s: &State,
    value: &Value,
    make: impl FnOnce(&mut Machine, term::Term) -> term::Term,
) -> Step<Option<Value>> {
    match m.float_term(value) {
        Some(term) => {
            let result = make(m, term);
            Ok(Some(m.float_value(result)))
        }
        None => Err(unsupported(s, "a floating-point function of something else")),
    }
}
