//! Transcendental functions of `Math` and `MathF`. CoreCLR calls the platform's C library, and so does this file, so that
//! both give the same bits. Of a number that is not known some values are tried: no solver knows these functions, so all
//! others end the path.

use std::f64::consts::{FRAC_PI_2, PI};

use term::{Const, FloatWidth, Sort};
use verdict::Gap;

use crate::table::{Entry, native, one};
use vm::machine::{Machine, Step, fork, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::stop::{Action, Choice, Stop};
use vm::value::{Repr, Value};

const MATH: &str = "System.Math";
const MATHF: &str = "System.MathF";
const D: &str = "System.Double";
const F: &str = "System.Single";
const DD: &str = "System.Double,System.Double";
const FF: &str = "System.Single,System.Single";

pub(crate) const TABLE: &[Entry] = &[
    one(MATH, "Acos", D, |m, s, c| double(m, s, c, f64::acos)),
    one(MATH, "Acosh", D, |m, s, c| double(m, s, c, |x| platform::acosh(x))),
    one(MATH, "Asin", D, |m, s, c| double(m, s, c, f64::asin)),
    one(MATH, "Asinh", D, |m, s, c| double(m, s, c, |x| platform::asinh(x))),
    one(MATH, "Atan", D, |m, s, c| double(m, s, c, f64::atan)),
    one(MATH, "Atanh", D, |m, s, c| double(m, s, c, |x| platform::atanh(x))),
    one(MATH, "Cbrt", D, |m, s, c| double(m, s, c, platform::cbrt)),
    one(MATH, "Cos", D, |m, s, c| double(m, s, c, f64::cos)),
    one(MATH, "Cosh", D, |m, s, c| double(m, s, c, f64::cosh)),
    one(MATH, "Exp", D, |m, s, c| double(m, s, c, f64::exp)),
    one(MATH, "Log", D, |m, s, c| double(m, s, c, logarithm(f64::ln))),
    one(MATH, "Log10", D, |m, s, c| double(m, s, c, f64::log10)),
    one(MATH, "Log2", D, |m, s, c| double(m, s, c, logarithm(f64::log2))),
    one(MATH, "Sin", D, |m, s, c| double(m, s, c, f64::sin)),
    one(MATH, "Sinh", D, |m, s, c| double(m, s, c, f64::sinh)),
    one(MATH, "Tan", D, |m, s, c| double(m, s, c, f64::tan)),
    one(MATH, "Tanh", D, |m, s, c| double(m, s, c, f64::tanh)),
    one(MATH, "Atan2", DD, |m, s, c| two_doubles(m, s, c, f64::atan2)),
    one(MATH, "Pow", DD, |m, s, c| two_doubles(m, s, c, f64::powf)),
    native(MATH, "FMod", |m, s, c| two_doubles(m, s, c, |x, y| x % y)),
    native(MATH, "SinCos", sin_cos),
    native(MATH, "ModF", integral_part),
    one(MATHF, "Acos", F, |m, s, c| single(m, s, c, f32::acos)),
    one(MATHF, "Acosh", F, |m, s, c| single(m, s, c, |x| platform::acoshf(x))),
    one(MATHF, "Asin", F, |m, s, c| single(m, s, c, f32::asin)),
    one(MATHF, "Asinh", F, |m, s, c| single(m, s, c, |x| platform::asinhf(x))),
    one(MATHF, "Atan", F, |m, s, c| single(m, s, c, f32::atan)),
    one(MATHF, "Atanh", F, |m, s, c| single(m, s, c, |x| platform::atanhf(x))),
    one(MATHF, "Cbrt", F, |m, s, c| single(m, s, c, platform::cbrtf)),
    one(MATHF, "Cos", F, |m, s, c| single(m, s, c, f32::cos)),
    one(MATHF, "Cosh", F, |m, s, c| single(m, s, c, f32::cosh)),
    one(MATHF, "Exp", F, |m, s, c| single(m, s, c, f32::exp)),
    one(MATHF, "Log", F, |m, s, c| single(m, s, c, f32::ln)),
    one(MATHF, "Log10", F, |m, s, c| single(m, s, c, f32::log10)),
    one(MATHF, "Log2", F, |m, s, c| single(m, s, c, f32::log2)),
    one(MATHF, "Sin", F, |m, s, c| single(m, s, c, f32::sin)),
    one(MATHF, "Sinh", F, |m, s, c| single(m, s, c, f32::sinh)),
    one(MATHF, "Tan", F, |m, s, c| single(m, s, c, f32::tan)),
    one(MATHF, "Tanh", F, |m, s, c| single(m, s, c, f32::tanh)),
    one(MATHF, "Atan2", FF, |m, s, c| two_singles(m, s, c, f32::atan2)),
    one(MATHF, "Pow", FF, |m, s, c| two_singles(m, s, c, f32::powf)),
    native(MATHF, "FMod", |m, s, c| two_singles(m, s, c, |x, y| x % y)),
    native(MATHF, "SinCos", sin_cos),
    native(MATHF, "ModF", integral_part),
];

/// What Rust's own library computes by formulas of its own.
#[allow(unsafe_code)]
mod platform {
    use std::sync::OnceLock;

    // SAFETY: C's mathematical functions take any number, have these signatures everywhere and touch no memory of ours.
    unsafe extern "C" {
        pub(crate) safe fn acosh(x: f64) -> f64;
        pub(crate) safe fn asinh(x: f64) -> f64;
        pub(crate) safe fn atanh(x: f64) -> f64;
        pub(crate) safe fn acoshf(x: f32) -> f32;
        pub(crate) safe fn asinhf(x: f32) -> f32;
        pub(crate) safe fn atanhf(x: f32) -> f32;
    }

    /// Rust brings a `cbrt` of its own under C's name, which the linker prefers: C's is asked for at run time.
    pub(crate) fn cbrt(x: f64) -> f64 {
        type Function = extern "C" fn(f64) -> f64;
        static C: OnceLock<Option<Function>> = OnceLock::new();
        // SAFETY: the C library's `cbrt` has this signature.
        let of_c = C.get_or_init(|| of_c(c"cbrt").map(|f| unsafe { std::mem::transmute::<_, Function>(f) }));
        of_c.map_or_else(|| x.cbrt(), |cbrt| cbrt(x))
    }

    pub(crate) fn cbrtf(x: f32) -> f32 {
        type Function = extern "C" fn(f32) -> f32;
        static C: OnceLock<Option<Function>> = OnceLock::new();
        // SAFETY: the C library's `cbrtf` has this signature.
        let of_c = C.get_or_init(|| of_c(c"cbrtf").map(|f| unsafe { std::mem::transmute::<_, Function>(f) }));
        of_c.map_or_else(|| x.cbrt(), |cbrt| cbrt(x))
    }

    #[cfg(unix)]
    fn of_c(name: &std::ffi::CStr) -> Option<std::ptr::NonNull<libc::c_void>> {
        // SAFETY: the name ends with a zero; nothing is called here.
        std::ptr::NonNull::new(unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) })
    }

    #[cfg(not(unix))]
    fn of_c(_: &std::ffi::CStr) -> Option<std::ptr::NonNull<std::ffi::c_void>> {
        None
    }
}

/// The logarithm of a negative number is the positive NaN in the entry of the C library that CoreCLR is linked to.
fn logarithm(function: fn(f64) -> f64) -> impl Fn(f64) -> f64 {
    move |x| if x < 0.0 { f64::NAN } else { function(x) }
}

fn double(m: &mut Machine, s: &State, call: &Call, function: impl Fn(f64) -> f64) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F64(x) => Ok(Some(Value::F64(function(x)))),
        other => Err(sampled(m, s, call, 0, &other)),
    }
}

fn single(m: &mut Machine, s: &State, call: &Call, function: impl Fn(f32) -> f32) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F32(x) => Ok(Some(Value::F32(function(x)))),
        other => Err(sampled(m, s, call, 0, &other)),
    }
}

fn two_doubles(
    m: &mut Machine,
    s: &State,
    call: &Call,
    function: impl Fn(f64, f64) -> f64,
) -> Step<Option<Value>> {
    match (call.value(s, 0)?, call.value(s, 1)?) {
        (Value::F64(x), Value::F64(y)) => Ok(Some(Value::F64(function(x, y)))),
        (Value::F64(_), other) => Err(sampled(m, s, call, 1, &other)),
        (other, _) => Err(sampled(m, s, call, 0, &other)),
    }
}

fn two_singles(
    m: &mut Machine,
    s: &State,
    call: &Call,
    function: impl Fn(f32, f32) -> f32,
) -> Step<Option<Value>> {
    match (call.value(s, 0)?, call.value(s, 1)?) {
        (Value::F32(x), Value::F32(y)) => Ok(Some(Value::F32(function(x, y)))),
        (Value::F32(_), other) => Err(sampled(m, s, call, 1, &other)),
        (other, _) => Err(sampled(m, s, call, 0, &other)),
    }
}

/// The number, where the sine goes, where the cosine goes.
fn sin_cos(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (sine, cosine) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    let (repr, [sin, cos]) = match call.value(s, 0)? {
        Value::F64(x) => (Repr::R8, [x.sin(), x.cos()].map(Value::F64)),
        Value::F32(x) => (Repr::R4, [x.sin(), x.cos()].map(Value::F32)),
        other => return Err(sampled(m, s, call, 0, &other)),
    };
    m.store(s, sine, repr, sin)?;
    m.store(s, cosine, repr, cos)?;
    Ok(None)
}

/// The number and where its integral part goes; the rest is the result.
fn integral_part(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let whole = call.number(m, s, 1)?;
    let (repr, part, rest) = match call.value(s, 0)? {
        Value::F64(x) => {
            let rest = if x.is_infinite() { 0.0 } else { x - x.trunc() };
            (Repr::R8, Value::F64(x.trunc()), Value::F64(rest.copysign(x)))
        }
        Value::F32(x) => {
            let rest = if x.is_infinite() { 0.0 } else { x - x.trunc() };
            (Repr::R4, Value::F32(x.trunc()), Value::F32(rest.copysign(x)))
        }
        other => return Err(sampled(m, s, call, 0, &other)),
    };
    m.store(s, whole, repr, part)?;
    Ok(Some(rest))
}

/// What is tried for a number that is not known: where these functions cross zero or one, turn or grow, and some sizes.
const SAMPLES: &[f64] = &[
    0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 10.0, FRAC_PI_2, PI, -FRAC_PI_2, 4.0, 30.0, 45.0, 100.0, 1_000.0, 1e6,
    1e9, 0.1, -0.1, -2.0, -10.0, -100.0,
];

/// The fork over the samples; every other number ends the path.
fn sampled(m: &mut Machine, s: &State, call: &Call, index: usize, number: &Value) -> Box<Stop> {
    let lost = "a transcendental function of a symbolic number";
    let Value::Term(term) = *number else { return unsupported(s, lost) };
    let sort = m.terms.sort(term);
    let depth = call.args.len() - 1 - index;
    let (mut choices, mut guards) = (Vec::new(), Vec::new());
    for &sample in SAMPLES {
        let sample = match sort {
            Sort::Float(FloatWidth::F64) => Const::F64(sample.to_bits()),
            Sort::Float(FloatWidth::F32) => Const::F32((sample as f32).to_bits()),
            _ => return unsupported(s, lost),
        };
        let sample = m.terms.constant(sample);
        let guard = m.terms.eq(term, sample);
        guards.push(guard);
        choices.push(Choice { guard, action: Action::Operand { depth, value: m.float_value(sample) } });
    }
    let any = m.terms.or_all(guards);
    let guard = m.terms.not(any);
    choices.push(Choice { guard, action: Action::GiveUp(Gap::unsupported_instruction(lost)) });
    fork(choices)
}
