//! Decimal digits in exploration: text of a whole number that is not known has one path for each number of digits, and its
//! digits are terms.

use term::Term;
use types::MethodId;

use crate::table::{Entry, enter, enter_one, failed};
use vm::MadeCode;
use vm::bytes::{Bits, Bytes};
use vm::code::{Code, Op};
use vm::decode::repr_of;
use vm::machine::{Flow, Machine, Step, fork, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::{Action, Choice};
use vm::value::{Repr, Value};

const NUMBER: &str = "System.Number";

pub(crate) const TABLE: &[Entry] = &[
    enter_one(NUMBER, "UInt32ToDecStr", "System.UInt32", positive),
    enter_one(NUMBER, "UInt64ToDecStr", "System.UInt64", positive),
    enter_one(NUMBER, "NegativeInt32ToDecStr", "System.Int32,System.Int32,System.String", negative),
    enter_one(NUMBER, "NegativeInt64ToDecStr", "System.Int64,System.Int32,System.String", negative),
    enter("System.Text.StringBuilder", "AppendSpanFormattable", append),
    enter("System.Text.ValueStringBuilder", "AppendSpanFormattable", append),
    enter_one(
        "System.Text.StringBuilder+AppendInterpolatedStringHandler",
        "AppendFormatted",
        "T",
        append_part,
    ),
];

fn positive(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    match call.value(s, 0)? {
        Value::Term(number) if matches!(after, OnReturn::Push) => by_digits(m, s, number, &[]),
        _ => m.enter_body(s, call, after),
    }
}

/// `(value, digits, sign)`: the value is below zero, and gets as many digits as it needs.
fn negative(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let Value::Term(number) = call.value(s, 0)? else { return m.enter_body(s, call, after) };
    let digits = call.number(m, s, 1)? as i32;
    if digits > 1 || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let sign = call.number(m, s, 2)?;
    let sign = m.text(s, sign)?;
    let magnitude = m.terms.neg(number);
    by_digits(m, s, magnitude, &sign)
}

/// One choice for each number of digits.
fn by_digits(m: &mut Machine, s: &mut State, number: Term, sign: &[u16]) -> Step {
    let width = m.width(number);
    let most = if width == 32 { 10 } else { 20 };
    let mut choices = Vec::new();
    let mut low = 1u128;
    for count in 1..=most {
        let high = low * 10;
        let guard = range(m, number, if count == 1 { 0 } else { low }, high);
        if m.terms.as_bool(guard) != Some(false) {
            let text = digits(m, s, number, count, sign)?;
            choices.push(Choice { guard, action: Action::Continue(Some(Value::address(text))) });
        }
        low = high;
    }
    Err(fork(choices))
}

/// The text of a number that has so many digits.
fn digits(m: &mut Machine, s: &mut State, number: Term, count: u32, sign: &[u16]) -> Step<u64> {
    let len = sign.len() + count as usize;
    let mut bytes = Bytes::zeroed(2 * len + 6);
    let t = &mut m.terms;
    let mut units: Vec<Bits> = sign.iter().map(|unit| Bits::Concrete(u64::from(*unit))).collect();
    // So many bits hold every number of so many digits.
    let width = t.width(number).min(128 - 10u128.pow(count).leading_zeros() + 1).max(16);
    let number = t.extract(number, width - 1, 0);
    let ten = t.bv(width, 10);
    for place in (0..count).rev() {
        let power = t.bv(width, 10u128.pow(place));
        let above = t.udiv(number, power);
        let digit = if place + 1 == count { above } else { t.urem(above, ten) };
        let digit = t.extract(digit, 15, 0);
        let zero = t.bv(16, 0x30);
        units.push(Bits::Symbolic(t.add(digit, zero)));
    }
    let mut written = bytes.write(0, 4, Bits::Concrete(len as u64), t);
    for (i, unit) in units.into_iter().enumerate() {
        written = written.and_then(|()| bytes.write(4 + 2 * i, 2, unit, t));
    }
    if written.is_err() {
        return Err(unsupported(s, "the digits of a number"));
    }
    m.string_object(s, bytes)
}

/// `low <= number < high`, without a sign; a bound beyond the width is none.
fn range(m: &mut Machine, number: Term, low: u128, high: u128) -> Term {
    let width = m.width(number);
    if low >> width != 0 {
        return m.terms.false_();
    }
    let t = &mut m.terms;
    let lower = t.bv(width, low);
    let above = t.uge(number, lower);
    if high >> width != 0 {
        return above;
    }
    let upper = t.bv(width, high);
    let below = t.ult(number, upper);
    t.and(above, below)
}

/// `Append(value.ToString())`: the number is not written into the buffer digit by digit.
fn append(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let plain = match call.value(s, 1)? {
        Value::Term(_) => true,
        Value::Struct(bytes) => !bytes.patches().is_empty(),
        _ => false,
    };
    let formatted = call.args.len() > 2 && call.number(m, s, 2)? != 0;
    if !plain || formatted {
        return m.enter_body(s, call, after);
    }
    let owner = m.universe.method(call.method).owner;
    let code = append_code(m, s, call, owner)?;
    let mut arguments = call.args.clone();
    arguments.truncate(2);
    let frame = m.frame(s, std::rc::Rc::new(code), arguments, after)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}

/// The same for a part of an interpolated string that is appended to a builder.
fn append_part(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.generic(m, s, 0)?;
    let plain = m.universe.primitive(ty).is_some() && matches!(call.value(s, 1)?, Value::Term(_));
    if !plain || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let handler = m.universe.method(call.method).owner;
    let field = m.universe.find_field(handler, "_stringBuilder").map_err(|error| failed(s, error))?;
    let Some(field) = field else { return m.enter_body(s, call, after) };
    let offset = m.universe.field_offset(field).map_err(|error| failed(s, error))?;
    let place = call.number(m, s, 0)? + u64::from(offset);
    let builder = m.load(s, place, Repr::Ref)?;
    let owner = m.core_type(s, "System.Text.StringBuilder")?;
    let code = append_code(m, s, call, owner)?;
    let frame = m.frame(s, std::rc::Rc::new(code), vec![builder, call.value(s, 1)?], OnReturn::Discard)?;
    s.push_frame(frame);
    Ok(Flow::Reload)
}

fn append_code(m: &mut Machine, s: &State, call: &Call, owner: types::TypeId) -> Step<Code> {
    let ty = call.generic(m, s, 0)?;
    let string = m.core_type(s, "System.String")?;
    let find = |m: &Machine, owner, name, parameters: &[types::TypeId]| -> Step<MethodId> {
        match m.universe.find_method(owner, name, parameters) {
            Ok(Some(method)) => Ok(method),
            Ok(None) => Err(unsupported(s, "text of this value")),
            Err(error) => Err(failed(s, error)),
        }
    };
    let to_string = find(m, ty, "ToString", &[])?;
    let add = find(m, owner, "Append", &[string])?;
    let returns = m.universe.signature(add).map_err(|error| failed(s, error))?.ret;
    let returns = m.universe.primitive(returns) != Some(types::Primitive::Void);
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let mut made = MadeCode::new(&m.universe, call.method, returns.then_some(Repr::Ref));
    let (this, value) = (made.argument(owner, Repr::Ref), made.argument(ty, repr));
    made.keep_in_memory(value);
    let to_string = made.call(&m.universe, to_string).map_err(|gap| give_up(s, gap))?;
    let add = made.call(&m.universe, add).map_err(|gap| give_up(s, gap))?;
    made.ops.extend([Op::LdVar(this), Op::LdVarAddr(value), Op::Call(to_string), Op::Call(add), Op::Ret]);
    Ok(made.finish())
}
