//! `Math` and `MathF` functions that the runtime implements and IEEE 754 defines exactly; they are terms as well.

use term::Rounding;

use crate::table::{Entry, all, one};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const MATH: &str = "System.Math";
const MATHF: &str = "System.MathF";
const D: &str = "System.Double";
const F: &str = "System.Single";

pub(crate) const TABLE: &[Entry] = &[
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
];

/// Whether an estimate is fused depends on the processor: today's processors do it.
pub(crate) const PROGRAMS: &[Entry] =
    &[all("System.Double", "MultiplyAddEstimate", fma), all("System.Single", "MultiplyAddEstimate", fma)];

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
