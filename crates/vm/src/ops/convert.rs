//! Conversions (ECMA-335 III.1.5 table 8 and III.3.27-3.29).

use term::{Const, FloatWidth, Sort, Term};

use super::truncate::truncating;
use crate::code::{Checked, Num, Op};
use crate::machine::{Machine, Step, pop, push, truncate, unsupported};
use crate::state::State;
use crate::stop::RuntimeException;
use crate::value::Value;

impl Num {
    /// Bits and signedness of an integer target.
    fn integer(self) -> Option<(u32, bool)> {
        Some(match self {
            Num::I1 => (8, true),
            Num::U1 => (8, false),
            Num::I2 => (16, true),
            Num::U2 => (16, false),
            Num::I4 => (32, true),
            Num::U4 => (32, false),
            Num::I8 | Num::I => (64, true),
            Num::U8 | Num::U => (64, false),
            Num::R4 | Num::R8 => return None,
        })
    }
}

impl Machine {
    pub fn convert(&mut self, s: &mut State, to: Num, checked: Checked) -> Step {
        let value = pop(s)?;
        let Some((bits, signed)) = to.integer() else { return self.convert_to_float(s, value, to) };
        match value {
            Value::I32(v) => self.convert_integer(s, i64::from(v), 32, (bits, signed), checked),
            Value::I64(v) => self.convert_integer(s, v, 64, (bits, signed), checked),
            Value::F32(v) => self.convert_float(s, f64::from(v), (bits, signed), checked),
            Value::F64(v) => self.convert_float(s, v, (bits, signed), checked),
            Value::Term(term) if self.width(term) > 0 => self.convert_term(s, term, (bits, signed), checked),
            Value::Term(term) => self.convert_float_term(s, term, (bits, signed), checked),
            Value::Struct(_) => Err(unsupported(s, "a conversion of a value type")),
        }
    }

    fn convert_float_term(
        &mut self,
        s: &mut State,
        term: Term,
        (bits, signed): (u32, bool),
        checked: Checked,
    ) -> Step {
        let saturates = self.flavor().saturates();
        let t = &mut self.terms;
        let value = match (bits, signed) {
            _ if !saturates => self.truncating_float_term(term, bits, signed),
            (64, true) => t.fp_to_signed(term, 64),
            (64, false) => t.fp_to_unsigned(term, 64),
            (32, false) => t.fp_to_unsigned(term, 32),
            _ => t.fp_to_signed(term, 32),
        };
        let value =
            if bits < 32 { self.truncate_term(value, bits, signed, 32) } else { self.value_of(value) };
        if checked == Checked::No {
            return push(s, value);
        }
        let fits = self.float_fits(term, bits, signed);
        let overflow = self.terms.not(fits);
        self.unless(overflow, RuntimeException::Overflow, Some(value))
    }

    /// Whether a float, its fraction cut off, is representable in the target. NaN compares false with every bound.
    pub(super) fn float_fits(&mut self, term: Term, bits: u32, signed: bool) -> Term {
        let t = &mut self.terms;
        let wide = t.fp_to_fp(term, FloatWidth::F64);
        let exponent = (bits - u32::from(signed)).cast_signed();
        let upper = t.constant(Const::F64(2f64.powi(exponent).to_bits()));
        let below = t.fp_lt(wide, upper);
        let above = if !signed || bits < 64 {
            let lowest = if signed { -(2f64.powi(exponent)) - 1.0 } else { -1.0 };
            let lower = t.constant(Const::F64(lowest.to_bits()));
            t.fp_lt(lower, wide)
        } else {
            let lower = t.constant(Const::F64((-(2f64.powi(exponent))).to_bits()));
            t.fp_le(lower, wide)
        };
        t.and(above, below)
    }

    fn convert_integer(
        &mut self,
        s: &mut State,
        value: i64,
        from: u32,
        (bits, signed): (u32, bool),
        checked: Checked,
    ) -> Step {
        // The number the source stands for.
        let unsigned_source = checked == Checked::Unsigned || (checked == Checked::No && !signed);
        let number = if unsigned_source && from == 32 {
            i128::from(value as u32)
        } else if unsigned_source {
            i128::from(value.cast_unsigned())
        } else {
            i128::from(value)
        };
        if checked != Checked::No && !in_range(number, bits, signed) {
            return self.throw_new(s, RuntimeException::Overflow);
        }
        push(s, integer(number as i64, bits, signed))
    }

    fn convert_term(
        &mut self,
        s: &mut State,
        term: Term,
        (bits, signed): (u32, bool),
        checked: Checked,
    ) -> Step {
        let from = self.width(term);
        let unsigned_source = checked == Checked::Unsigned || (checked == Checked::No && !signed);
        let stack = if bits == 64 { 64 } else { 32 };
        let value = if bits > from {
            let wide =
                if unsigned_source { self.terms.zext(term, bits) } else { self.terms.sext(term, bits) };
            self.value_of(wide)
        } else if bits == 32 || bits == from {
            let low = self.terms.extract(term, bits - 1, 0);
            self.value_of(low)
        } else {
            self.truncate_term(term, bits, signed, stack)
        };
        match checked {
            Checked::No => push(s, value),
            _ => {
                let fits = self.fits(term, checked == Checked::Unsigned, bits, signed);
                let overflow = self.terms.not(fits);
                self.unless(overflow, RuntimeException::Overflow, Some(value))
            }
        }
    }

    /// Whether the number in `term` is representable in the target.
    fn fits(&mut self, term: Term, unsigned_source: bool, bits: u32, signed: bool) -> Term {
        let width = self.width(term);
        let t = &mut self.terms;
        let max = (1u128 << (bits - u32::from(signed))) - 1;
        let source_max = (1u128 << (width - u32::from(!unsigned_source))) - 1;
        let upper = if max >= source_max {
            t.true_()
        } else {
            let bound = t.bv(width, max);
            if unsigned_source { t.ule(term, bound) } else { t.sle(term, bound) }
        };
        let lower = if unsigned_source {
            t.true_()
        } else if !signed {
            let zero = t.bv(width, 0);
            t.sge(term, zero)
        } else if bits >= width {
            t.true_()
        } else {
            let mask = (1u128 << width) - 1;
            let bound = t.bv(width, (1u128 << (bits - 1)).wrapping_neg() & mask);
            t.sge(term, bound)
        };
        t.and(lower, upper)
    }

    /// Conversions without a check saturate and turn NaN into 0, as .NET does from version 9 on. Before, they did what the
    /// processor does.
    fn convert_float(
        &mut self,
        s: &mut State,
        value: f64,
        (bits, signed): (u32, bool),
        checked: Checked,
    ) -> Step {
        if checked != Checked::No {
            let whole = value.trunc();
            let fits = !whole.is_nan() && in_range_float(whole, bits, signed);
            if !fits {
                return self.throw_new(s, RuntimeException::Overflow);
            }
        }
        let number = match (bits, signed) {
            _ if !self.flavor().saturates() => truncating(value, bits, signed),
            (64, true) => value as i64,
            (64, false) => (value as u64).cast_signed(),
            (32, false) => i64::from(value as u32),
            _ => i64::from(value as i32),
        };
        push(s, integer(number, bits, signed))
    }

    fn convert_to_float(&mut self, s: &mut State, value: Value, to: Num) -> Step {
        let value = match (value, to) {
            (Value::I32(v), Num::R4) => Value::F32(v as f32),
            (Value::I32(v), _) => Value::F64(f64::from(v)),
            (Value::I64(v), Num::R4) => Value::F32(v as f32),
            (Value::I64(v), _) => Value::F64(v as f64),
            (Value::F32(v), Num::R4) => Value::F32(v),
            (Value::F32(v), _) => Value::F64(f64::from(v)),
            (Value::F64(v), Num::R4) => Value::F32(v as f32),
            (Value::F64(v), _) => Value::F64(v),
            (Value::Term(term), to) => {
                let width = if to == Num::R4 { FloatWidth::F32 } else { FloatWidth::F64 };
                let result = match self.terms.sort(term) {
                    Sort::Float(_) => self.terms.fp_to_fp(term, width),
                    _ => self.terms.signed_to_fp(term, width),
                };
                self.float_value(result)
            }
            (Value::Struct(_), _) => return Err(unsupported(s, "a conversion of a value type")),
        };
        push(s, value)
    }

    /// A number without a sign. Followed by a conversion to `float` the two are one for the JIT, which rounds once.
    pub(crate) fn convert_r_un(&mut self, s: &mut State) -> Step {
        let next = s.top.code.ops.get(s.top.pc as usize + 1);
        let to_single = matches!(next, Some(Op::Convert(Num::R4, _)));
        let value = match pop(s)? {
            Value::I32(v) => Value::F64(f64::from(v.cast_unsigned())),
            Value::I64(v) if to_single => Value::F32(v.cast_unsigned() as f32),
            Value::I64(v) => Value::F64(v.cast_unsigned() as f64),
            value @ (Value::F32(_) | Value::F64(_)) => value,
            Value::Term(term) if self.width(term) > 0 => {
                let width = if to_single { FloatWidth::F32 } else { FloatWidth::F64 };
                let result = self.terms.unsigned_to_fp(term, width);
                self.float_value(result)
            }
            value @ Value::Term(_) => value,
            Value::Struct(_) => return Err(unsupported(s, "a conversion of a value type")),
        };
        push(s, value)
    }
}

fn integer(number: i64, bits: u32, signed: bool) -> Value {
    if bits == 64 {
        Value::I64(number)
    } else if bits == 32 {
        Value::I32(number as i32)
    } else {
        Value::I32(truncate(number, bits, signed) as i32)
    }
}

fn in_range(number: i128, bits: u32, signed: bool) -> bool {
    let (low, high) = if signed { (-(1i128 << (bits - 1)), 1i128 << (bits - 1)) } else { (0, 1i128 << bits) };
    low <= number && number < high
}

fn in_range_float(whole: f64, bits: u32, signed: bool) -> bool {
    let power = |exponent: u32| 2f64.powi(exponent.cast_signed());
    if signed {
        whole >= -power(bits - 1) && whole < power(bits - 1)
    } else {
        whole > -1.0 && whole < power(bits)
    }
}
