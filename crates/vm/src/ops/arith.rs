//! Arithmetic, logic and shifts (ECMA-335 III.1.5), concrete or symbolic.

use term::{Const, FloatWidth, Sort, Term};

use crate::code::{Arith, Shift};
use crate::machine::{Flow, Machine, Step, fork, pop, push, unsupported};
use crate::state::State;
use crate::stop::{Action, Choice, RuntimeException};
use crate::value::Value;

/// Two operands of one type.
pub enum Pair {
    I32(i32, i32),
    I64(i64, i64),
    F32(f32, f32),
    F64(f64, f64),
    /// Bit-vectors of the same width, at least one of them not constant.
    Bv(Term, Term),
    /// Floats of the same width, at least one of them not constant.
    Fp(Term, Term),
    Other,
}

impl Machine {
    pub fn arith(&mut self, s: &mut State, kind: Arith) -> Step {
        let mut b = pop(s)?;
        let mut a = pop(s)?;
        if matches!(kind, Arith::AddOvfUn | Arith::SubOvfUn | Arith::MulOvfUn) {
            self.extend_unsigned(&mut a, &mut b);
        }
        self.note_truth(&a, &b);
        if !matches!(kind, Arith::Add | Arith::AddOvf | Arith::AddOvfUn) {
            self.note_address_operands(s, &a, &b);
        }
        match self.pair(&a, &b) {
            Pair::I32(x, y) => self.settle_integer(s, kind, arith32(kind, x, y).map(Value::I32)),
            Pair::I64(x, y) => self.settle_integer(s, kind, arith64(kind, x, y).map(Value::I64)),
            Pair::F32(x, y) => match arith_f32(kind, x, y) {
                Some(value) => push(s, Value::F32(value)),
                None => Err(unsupported(s, "bitwise arithmetic on floating point")),
            },
            Pair::F64(x, y) => match arith_f64(kind, x, y) {
                Some(value) => push(s, Value::F64(value)),
                None => Err(unsupported(s, "bitwise arithmetic on floating point")),
            },
            Pair::Bv(x, y) => self.arith_term(s, kind, x, y),
            Pair::Fp(x, y) => self.arith_float_term(s, kind, x, y),
            Pair::Other => Err(unsupported(s, "arithmetic on operands of different kinds")),
        }
    }

    fn settle_integer(
        &mut self,
        s: &mut State,
        kind: Arith,
        result: Result<Value, RuntimeException>,
    ) -> Step {
        match result {
            Err(RuntimeException::Overflow) if matches!(kind, Arith::Div | Arith::Rem) => {
                let exception = self.division_overflow();
                self.throw_new(s, exception)
            }
            Ok(value) => push(s, value),
            Err(exception) => self.throw_new(s, exception),
        }
    }

    fn arith_term(&mut self, s: &mut State, kind: Arith, x: Term, y: Term) -> Step {
        let t = &mut self.terms;
        let result = match kind {
            Arith::Add => t.add(x, y),
            Arith::Sub => t.sub(x, y),
            Arith::Mul => t.mul(x, y),
            Arith::And => t.bvand(x, y),
            Arith::Or => t.bvor(x, y),
            Arith::Xor => t.bvxor(x, y),
            Arith::Div | Arith::Rem | Arith::DivUn | Arith::RemUn => return self.divide(kind, x, y),
            _ => {
                let (result, overflow) = match kind {
                    Arith::AddOvf => (t.add(x, y), t.add_overflows(x, y, true)),
                    Arith::AddOvfUn => (t.add(x, y), t.add_overflows(x, y, false)),
                    Arith::SubOvf => (t.sub(x, y), t.sub_overflows(x, y, true)),
                    Arith::SubOvfUn => (t.sub(x, y), t.sub_overflows(x, y, false)),
                    Arith::MulOvf => (t.mul(x, y), t.mul_overflows(x, y, true)),
                    _ => (t.mul(x, y), t.mul_overflows(x, y, false)),
                };
                let value = self.value_of(result);
                return self.unless(overflow, RuntimeException::Overflow, Some(value));
            }
        };
        let value = self.value_of(result);
        push(s, value)
    }

    fn arith_float_term(&mut self, s: &mut State, kind: Arith, x: Term, y: Term) -> Step {
        let t = &mut self.terms;
        let result = match kind {
            Arith::Add => t.fp_add(x, y),
            Arith::Sub => t.fp_sub(x, y),
            Arith::Mul => t.fp_mul(x, y),
            Arith::Div => t.fp_div(x, y),
            Arith::Rem => t.fp_rem(x, y),
            _ => return Err(unsupported(s, "bitwise arithmetic on floating point")),
        };
        let value = self.float_value(result);
        push(s, value)
    }

    /// The value of a float term: inline if it turned out constant.
    pub fn float_value(&self, term: Term) -> Value {
        match self.terms.as_const(term) {
            Some(Const::F32(bits)) => Value::F32(f32::from_bits(bits)),
            Some(Const::F64(bits)) => Value::F64(f64::from_bits(bits)),
            _ => Value::Term(term),
        }
    }

    /// The least number divided by -1: the processor traps as it does for zero, and Mono does not look why.
    fn division_overflow(&self) -> RuntimeException {
        match self.flavor() {
            crate::Flavor::Mono => RuntimeException::DivideByZero,
            crate::Flavor::CoreClr { .. } => RuntimeException::Overflow,
        }
    }

    fn divide(&mut self, kind: Arith, x: Term, y: Term) -> Step {
        let width = self.width(x);
        let t = &mut self.terms;
        let zero = t.bv(width, 0);
        let by_zero = t.eq(y, zero);
        let (result, overflow) = match kind {
            Arith::DivUn => (t.udiv(x, y), t.false_()),
            Arith::RemUn => (t.urem(x, y), t.false_()),
            _ => {
                let min = t.bv(width, 1 << (width - 1));
                let minus_one = t.bv(width, u128::MAX >> (128 - width));
                let least = t.eq(x, min);
                let negated = t.eq(y, minus_one);
                let overflow = t.and(least, negated);
                // On x64 the remainder of the least number by -1 overflows like the quotient.
                (if kind == Arith::Div { t.sdiv(x, y) } else { t.srem(x, y) }, overflow)
            }
        };
        let fails = t.or(by_zero, overflow);
        let fine = t.not(fails);
        let value = self.value_of(result);
        let exception = self.division_overflow();
        Err(fork(vec![
            Choice { guard: by_zero, action: Action::Throw(RuntimeException::DivideByZero) },
            Choice { guard: overflow, action: Action::Throw(exception) },
            Choice { guard: fine, action: Action::Continue(Some(value)) },
        ]))
    }

    pub fn shift(&mut self, s: &mut State, kind: Shift) -> Step {
        let amount = pop(s)?;
        let value = pop(s)?;
        let result = match (&value, &amount) {
            (Value::I32(v), Value::I32(n)) => Value::I32(shift32(kind, *v, *n)),
            (Value::I32(v), Value::I64(n)) => Value::I32(shift32(kind, *v, *n as i32)),
            (Value::I64(v), Value::I32(n)) => Value::I64(shift64(kind, *v, *n)),
            (Value::I64(v), Value::I64(n)) => Value::I64(shift64(kind, *v, *n as i32)),
            _ => match self.shift_term(&value, &amount, kind) {
                Some(value) => value,
                None => return Err(unsupported(s, "a shift of floating point")),
            },
        };
        push(s, result)
    }

    /// The count is taken modulo the width: C# masks it itself, and x64 and Arm64 do it in hardware.
    fn shift_term(&mut self, value: &Value, amount: &Value, kind: Shift) -> Option<Value> {
        let v = self.integer_term(value)?;
        let n = self.integer_term(amount)?;
        let width = self.width(v);
        let n = self.resize(n, width);
        let t = &mut self.terms;
        let mask = t.bv(width, u128::from(width - 1));
        let n = t.bvand(n, mask);
        let result = match kind {
            Shift::Left => t.shl(v, n),
            Shift::Right => t.ashr(v, n),
            Shift::RightUn => t.lshr(v, n),
        };
        Some(self.value_of(result))
    }

    pub fn neg(&mut self, s: &mut State) -> Step {
        let value = match pop(s)? {
            Value::I32(v) => Value::I32(v.wrapping_neg()),
            Value::I64(v) => Value::I64(v.wrapping_neg()),
            Value::F32(v) => Value::F32(-v),
            Value::F64(v) => Value::F64(-v),
            Value::Term(t) if self.width(t) > 0 => {
                let result = self.terms.neg(t);
                self.value_of(result)
            }
            Value::Term(t) => {
                let result = self.terms.fp_neg(t);
                self.float_value(result)
            }
            Value::Struct(_) => return Err(unsupported(s, "negation of a value type")),
        };
        push(s, value)
    }

    pub fn not(&mut self, s: &mut State) -> Step {
        let value = match pop(s)? {
            Value::I32(v) => Value::I32(!v),
            Value::I64(v) => Value::I64(!v),
            Value::Term(t) if self.width(t) > 0 => {
                let result = self.terms.bvnot(t);
                self.value_of(result)
            }
            _ => return Err(unsupported(s, "complement of something that is not an integer")),
        };
        push(s, value)
    }

    /// Brings two operands to one type: `int32` widens to native integers, `float32` to `float64`.
    pub fn pair(&mut self, a: &Value, b: &Value) -> Pair {
        match (a, b) {
            (Value::I32(x), Value::I32(y)) => Pair::I32(*x, *y),
            (Value::I64(x), Value::I64(y)) => Pair::I64(*x, *y),
            (Value::I32(x), Value::I64(y)) => Pair::I64(i64::from(*x), *y),
            (Value::I64(x), Value::I32(y)) => Pair::I64(*x, i64::from(*y)),
            (Value::F32(x), Value::F32(y)) => Pair::F32(*x, *y),
            (Value::F64(x), Value::F64(y)) => Pair::F64(*x, *y),
            (Value::F32(x), Value::F64(y)) => Pair::F64(f64::from(*x), *y),
            (Value::F64(x), Value::F32(y)) => Pair::F64(*x, f64::from(*y)),
            _ => match (self.integer_term(a), self.integer_term(b)) {
                (Some(x), Some(y)) => {
                    let width = self.width(x).max(self.width(y));
                    let (x, y) = (self.resize(x, width), self.resize(y, width));
                    Pair::Bv(x, y)
                }
                _ => self.float_pair(a, b),
            },
        }
    }

    /// An `int32` beside a native integer, where the instruction takes both as unsigned.
    pub(crate) fn extend_unsigned(&mut self, a: &mut Value, b: &mut Value) {
        let wide = |m: &Machine, value: &Value| match value {
            Value::I64(_) => true,
            Value::Term(term) => m.width(*term) == 64,
            _ => false,
        };
        let (wide_a, wide_b) = (wide(self, a), wide(self, b));
        let narrow = match (wide_a, wide_b) {
            (true, false) => b,
            (false, true) => a,
            _ => return,
        };
        match narrow {
            Value::I32(v) => *narrow = Value::I64(i64::from(v.cast_unsigned())),
            Value::Term(term) if self.width(*term) == 32 => *narrow = Value::Term(self.terms.zext(*term, 64)),
            _ => {}
        }
    }

    fn float_pair(&mut self, a: &Value, b: &Value) -> Pair {
        let (Some(x), Some(y)) = (self.float_term(a), self.float_term(b)) else { return Pair::Other };
        if self.terms.sort(x) == self.terms.sort(y) {
            return Pair::Fp(x, y);
        }
        let x = self.terms.fp_to_fp(x, FloatWidth::F64);
        let y = self.terms.fp_to_fp(y, FloatWidth::F64);
        Pair::Fp(x, y)
    }

    /// A float as a term of its own width.
    pub fn float_term(&mut self, value: &Value) -> Option<Term> {
        match value {
            Value::F32(v) => Some(self.terms.constant(Const::F32(v.to_bits()))),
            Value::F64(v) => Some(self.terms.constant(Const::F64(v.to_bits()))),
            Value::Term(t) if matches!(self.terms.sort(*t), Sort::Float(_)) => Some(*t),
            _ => None,
        }
    }

    /// An integer as a bit-vector of its stack width.
    pub fn integer_term(&mut self, value: &Value) -> Option<Term> {
        match value {
            Value::I32(v) => Some(self.terms.bv(32, u128::from(v.cast_unsigned()))),
            Value::I64(v) => Some(self.terms.bv(64, u128::from(v.cast_unsigned()))),
            Value::Term(t) if self.width(*t) > 0 => Some(*t),
            _ => None,
        }
    }

    /// Truncates or sign-extends.
    pub fn resize(&mut self, term: Term, width: u32) -> Term {
        let from = self.width(term);
        match from.cmp(&width) {
            std::cmp::Ordering::Less => self.terms.sext(term, width),
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Greater => self.terms.extract(term, width - 1, 0),
        }
    }

    pub fn ckfinite(&mut self, s: &mut State) -> Step {
        let finite = match crate::machine::peek(s, 0)? {
            Value::F32(v) => v.is_finite(),
            Value::F64(v) => v.is_finite(),
            _ => return Err(unsupported(s, "ckfinite on symbolic floating point")),
        };
        if finite { Ok(Flow::Next) } else { self.throw_new(s, RuntimeException::Overflow) }
    }
}

macro_rules! integer_arith {
    ($name:ident, $signed:ty, $unsigned:ty) => {
        fn $name(kind: Arith, x: $signed, y: $signed) -> Result<$signed, RuntimeException> {
            let (ux, uy) = (x.cast_unsigned(), y.cast_unsigned());
            let checked = |value: Option<$signed>| value.ok_or(RuntimeException::Overflow);
            let checked_un = |value: Option<$unsigned>| {
                value.map(<$unsigned>::cast_signed).ok_or(RuntimeException::Overflow)
            };
            match kind {
                Arith::Add => Ok(x.wrapping_add(y)),
                Arith::Sub => Ok(x.wrapping_sub(y)),
                Arith::Mul => Ok(x.wrapping_mul(y)),
                Arith::And => Ok(x & y),
                Arith::Or => Ok(x | y),
                Arith::Xor => Ok(x ^ y),
                Arith::Div | Arith::DivUn | Arith::Rem | Arith::RemUn if y == 0 => {
                    Err(RuntimeException::DivideByZero)
                }
                Arith::Div => checked(x.checked_div(y)),
                Arith::Rem => checked(x.checked_rem(y)),
                Arith::DivUn => Ok((ux / uy).cast_signed()),
                Arith::RemUn => Ok((ux % uy).cast_signed()),
                Arith::AddOvf => checked(x.checked_add(y)),
                Arith::SubOvf => checked(x.checked_sub(y)),
                Arith::MulOvf => checked(x.checked_mul(y)),
                Arith::AddOvfUn => checked_un(ux.checked_add(uy)),
                Arith::SubOvfUn => checked_un(ux.checked_sub(uy)),
                Arith::MulOvfUn => checked_un(ux.checked_mul(uy)),
            }
        }
    };
}

integer_arith!(arith32, i32, u32);
integer_arith!(arith64, i64, u64);

macro_rules! float_arith {
    ($name:ident, $float:ty) => {
        fn $name(kind: Arith, x: $float, y: $float) -> Option<$float> {
            Some(match kind {
                Arith::Add => x + y,
                Arith::Sub => x - y,
                Arith::Mul => x * y,
                Arith::Div => x / y,
                Arith::Rem => x % y,
                _ => return None,
            })
        }
    };
}

float_arith!(arith_f32, f32);
float_arith!(arith_f64, f64);

fn shift32(kind: Shift, value: i32, amount: i32) -> i32 {
    let amount = amount.cast_unsigned() & 31;
    match kind {
        Shift::Left => value << amount,
        Shift::Right => value >> amount,
        Shift::RightUn => (value.cast_unsigned() >> amount).cast_signed(),
    }
}

fn shift64(kind: Shift, value: i64, amount: i32) -> i64 {
    let amount = amount.cast_unsigned() & 63;
    match kind {
        Shift::Left => value << amount,
        Shift::Right => value >> amount,
        Shift::RightUn => (value.cast_unsigned() >> amount).cast_signed(),
    }
}
