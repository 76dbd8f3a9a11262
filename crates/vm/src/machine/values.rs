//! Values in locations: narrowed to a location's width, and terms that turned out constant.

use term::{FloatWidth, Term};

use crate::machine::{Machine, Step};
use crate::value::{Repr, Value};

impl Machine {
    /// Truncates to the width of a location narrower than the stack's 32 bits.
    #[inline]
    pub fn narrow(&mut self, value: Value, repr: Repr) -> Step<Value> {
        if let (Value::I32(_), Repr::I4) | (Value::I64(_), Repr::I8 | Repr::Ref) = (&value, repr) {
            return Ok(value);
        }
        let Some((bits, signed)) = repr.small() else {
            return Ok(self.fit(value, repr));
        };
        Ok(match value {
            Value::I32(v) => Value::I32(truncate(i64::from(v), bits, signed) as i32),
            Value::I64(v) => Value::I32(truncate(v, bits, signed) as i32),
            Value::Term(term) => self.truncate_term(term, bits, signed, 32),
            other => other,
        })
    }

    /// Locations of 64 bits may be given 32-bit values and the other way round (native integers).
    fn fit(&mut self, value: Value, repr: Repr) -> Value {
        match (repr, value) {
            (Repr::I8 | Repr::Ref, Value::I32(v)) => Value::I64(i64::from(v)),
            (Repr::I4, Value::I64(v)) => Value::I32(v as i32),
            (Repr::I8 | Repr::Ref, Value::Term(t)) if self.width(t) == 32 => {
                self.wrap(|m| m.terms.sext(t, 64))
            }
            (Repr::I4, Value::Term(t)) if self.width(t) == 64 => self.wrap(|m| m.terms.extract(t, 31, 0)),
            (Repr::R4, Value::F64(v)) => Value::F32(v as f32),
            (Repr::R8, Value::F32(v)) => Value::F64(f64::from(v)),
            (Repr::R4, Value::Term(t)) if self.width(t) == 0 => {
                let narrow = self.terms.fp_to_fp(t, FloatWidth::F32);
                self.float_value(narrow)
            }
            (Repr::R8, Value::Term(t)) if self.width(t) == 0 => {
                let wide = self.terms.fp_to_fp(t, FloatWidth::F64);
                self.float_value(wide)
            }
            (_, value) => value,
        }
    }

    fn wrap(&mut self, make: impl FnOnce(&mut Machine) -> Term) -> Value {
        let term = make(self);
        self.value_of(term)
    }

    /// The value a term stands for: inline if it turned out constant.
    pub fn value_of(&self, term: Term) -> Value {
        match self.terms.as_bv(term) {
            Some(bits) if self.width(term) == 32 => Value::I32(bits as u32 as i32),
            Some(bits) if self.width(term) == 64 => Value::I64(bits as u64 as i64),
            _ => Value::Term(term),
        }
    }

    /// Bits of a bit-vector term; 0 for other sorts.
    pub fn width(&self, term: Term) -> u32 {
        match self.terms.sort(term) {
            term::Sort::Bv(width) => width,
            _ => 0,
        }
    }

    pub(crate) fn truncate_term(&mut self, term: Term, bits: u32, signed: bool, to: u32) -> Value {
        let low = self.terms.extract(term, bits - 1, 0);
        let wide = if signed { self.terms.sext(low, to) } else { self.terms.zext(low, to) };
        self.value_of(wide)
    }
}

pub fn truncate(value: i64, bits: u32, signed: bool) -> i64 {
    let shift = 64 - bits;
    let up = value << shift;
    if signed { up >> shift } else { (up.cast_unsigned() >> shift).cast_signed() }
}
