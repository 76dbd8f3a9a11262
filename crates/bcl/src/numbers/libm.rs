//! Transcendental functions of `Math` and `MathF`. CoreCLR calls the platform's C library, and so does this file, so that
//! both give the same bits; concrete arguments only.

use crate::table::{Entry, native, one};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const MATH: &str = "System.Math";
const MATHF: &str = "System.MathF";
const D: &str = "System.Double";
const F: &str = "System.Single";
const DD: &str = "System.Double,System.Double";
const FF: &str = "System.Single,System.Single";

pub(crate) const TABLE: &[Entry] = &[
    one(MATH, "Acos", D, |_, s, c| double(s, c, f64::acos)),
    one(MATH, "Acosh", D, |_, s, c| double(s, c, |x| platform::acosh(x))),
    one(MATH, "Asin", D, |_, s, c| double(s, c, f64::asin)),
    one(MATH, "Asinh", D, |_, s, c| double(s, c, |x| platform::asinh(x))),
    one(MATH, "Atan", D, |_, s, c| double(s, c, f64::atan)),
    one(MATH, "Atanh", D, |_, s, c| double(s, c, |x| platform::atanh(x))),
    one(MATH, "Cbrt", D, |_, s, c| double(s, c, platform::cbrt)),
    one(MATH, "Cos", D, |_, s, c| double(s, c, f64::cos)),
    one(MATH, "Cosh", D, |_, s, c| double(s, c, f64::cosh)),
    one(MATH, "Exp", D, |_, s, c| double(s, c, f64::exp)),
    one(MATH, "Log", D, |_, s, c| double(s, c, logarithm(f64::ln))),
    one(MATH, "Log10", D, |_, s, c| double(s, c, f64::log10)),
    one(MATH, "Log2", D, |_, s, c| double(s, c, logarithm(f64::log2))),
    one(MATH, "Sin", D, |_, s, c| double(s, c, f64::sin)),
    one(MATH, "Sinh", D, |_, s, c| double(s, c, f64::sinh)),
    one(MATH, "Tan", D, |_, s, c| double(s, c, f64::tan)),
    one(MATH, "Tanh", D, |_, s, c| double(s, c, f64::tanh)),
    one(MATH, "Atan2", DD, |_, s, c| two_doubles(s, c, f64::atan2)),
    one(MATH, "Pow", DD, |_, s, c| two_doubles(s, c, f64::powf)),
    native(MATH, "FMod", |_, s, c| two_doubles(s, c, |x, y| x % y)),
    native(MATH, "SinCos", sin_cos),
    native(MATH, "ModF", integral_part),
    one(MATHF, "Acos", F, |_, s, c| single(s, c, f32::acos)),
    one(MATHF, "Acosh", F, |_, s, c| single(s, c, |x| platform::acoshf(x))),
    one(MATHF, "Asin", F, |_, s, c| single(s, c, f32::asin)),
    one(MATHF, "Asinh", F, |_, s, c| single(s, c, |x| platform::asinhf(x))),
    one(MATHF, "Atan", F, |_, s, c| single(s, c, f32::atan)),
    one(MATHF, "Atanh", F, |_, s, c| single(s, c, |x| platform::atanhf(x))),
    one(MATHF, "Cbrt", F, |_, s, c| single(s, c, platform::cbrtf)),
    one(MATHF, "Cos", F, |_, s, c| single(s, c, f32::cos)),
    one(MATHF, "Cosh", F, |_, s, c| single(s, c, f32::cosh)),
    one(MATHF, "Exp", F, |_, s, c| single(s, c, f32::exp)),
    one(MATHF, "Log", F, |_, s, c| single(s, c, f32::ln)),
    one(MATHF, "Log10", F, |_, s, c| single(s, c, f32::log10)),
    one(MATHF, "Log2", F, |_, s, c| single(s, c, f32::log2)),
    one(MATHF, "Sin", F, |_, s, c| single(s, c, f32::sin)),
    one(MATHF, "Sinh", F, |_, s, c| single(s, c, f32::sinh)),
    one(MATHF, "Tan", F, |_, s, c| single(s, c, f32::tan)),
    one(MATHF, "Tanh", F, |_, s, c| single(s, c, f32::tanh)),
    one(MATHF, "Atan2", FF, |_, s, c| two_singles(s, c, f32::atan2)),
    one(MATHF, "Pow", FF, |_, s, c| two_singles(s, c, f32::powf)),
    native(MATHF, "FMod", |_, s, c| two_singles(s, c, |x, y| x % y)),
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

fn double(s: &State, call: &Call, function: impl Fn(f64) -> f64) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F64(x) => Ok(Some(Value::F64(function(x)))),
        _ => Err(symbolic(s)),
    }
}

fn single(s: &State, call: &Call, function: impl Fn(f32) -> f32) -> Step<Option<Value>> {
    match call.value(s, 0)? {
        Value::F32(x) => Ok(Some(Value::F32(function(x)))),
        _ => Err(symbolic(s)),
    }
}

fn two_doubles(s: &State, call: &Call, function: impl Fn(f64, f64) -> f64) -> Step<Option<Value>> {
    match (call.value(s, 0)?, call.value(s, 1)?) {
        (Value::F64(x), Value::F64(y)) => Ok(Some(Value::F64(function(x, y)))),
        _ => Err(symbolic(s)),
    }
}

fn two_singles(s: &State, call: &Call, function: impl Fn(f32, f32) -> f32) -> Step<Option<Value>> {
    match (call.value(s, 0)?, call.value(s, 1)?) {
        (Value::F32(x), Value::F32(y)) => Ok(Some(Value::F32(function(x, y)))),
        _ => Err(symbolic(s)),
    }
}

/// The number, where the sine goes, where the cosine goes.
fn sin_cos(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (sine, cosine) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    let (repr, [sin, cos]) = match call.value(s, 0)? {
        Value::F64(x) => (Repr::R8, [x.sin(), x.cos()].map(Value::F64)),
        Value::F32(x) => (Repr::R4, [x.sin(), x.cos()].map(Value::F32)),
        _ => return Err(symbolic(s)),
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
        _ => return Err(symbolic(s)),
    };
    m.store(s, whole, repr, part)?;
    Ok(Some(rest))
}

fn symbolic(s: &State) -> Box<vm::stop::Stop> {
    unsupported(s, "a transcendental function of a symbolic number")
}
