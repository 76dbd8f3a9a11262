//! Whole numbers read from text of unknown characters, as one term: for exploration only.
//!
//! The class library's loop forks at every character. Here an automaton runs over the characters, with a term for each of
//! its states, and a path forks only where the program asks whether the text was a number.

use term::Term;
use types::Primitive;

use crate::table::{Entry, enter_one, failed};
use vm::bytes::Bits;
use vm::machine::{Machine, Step, fork, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::{Action, Choice};
use vm::value::{Repr, Value};

pub(crate) const TABLE: &[Entry] = &[enter_one(
    "System.Number",
    "TryParseBinaryIntegerStyle",
    "System.ReadOnlySpan`1[TChar],System.Globalization.NumberStyles,System.Globalization.NumberFormatInfo,TInteger&",
    parse,
)];

/// Lengths that are told apart; longer texts are left to the class library.
const MAX_LENGTH: u32 = 12;
const LEADING_WHITE: u64 = 1;
const TRAILING_WHITE: u64 = 2;
const LEADING_SIGN: u64 = 4;

/// What a text is: the class library's own numbers.
const FAILED: u128 = 1;
const OVERFLOW: u128 = 2;

/// Conditions under which the automaton is in each of its states.
struct States {
    white: Term,
    sign: Term,
    digits: Term,
    trailing: Term,
    zeros: Term,
    negative: Term,
    number: Term,
}

fn parse(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (text, number) = (call.generic_repr(m, s, 0)?, call.generic(m, s, 1)?);
    let Some((bits, signed)) = m.universe.primitive(number).and_then(shape) else {
        return m.enter_body(s, call, after);
    };
    let Value::Struct(span) = call.value(s, 0)? else { return m.enter_body(s, call, after) };
    let (Ok(Bits::Concrete(first)), Ok(len)) = (span.read(0, 8, &mut m.terms), span.read(8, 4, &mut m.terms))
    else {
        return m.enter_body(s, call, after);
    };
    if text != Repr::U2 || !has_plain_signs(m, s, call)? {
        return m.enter_body(s, call, after);
    }
    let len = match len {
        Bits::Concrete(len) => len as u32,
        Bits::Symbolic(len) => return Err(by_length(m, &span, len, call.args.len() - 1)),
    };
    let style = call.number(m, s, 1)?;
    if len == 0 || len > MAX_LENGTH || style & !(LEADING_WHITE | TRAILING_WHITE | LEADING_SIGN) != 0 {
        return m.enter_body(s, call, after);
    }
    let mut units = Vec::new();
    for i in 0..len {
        let unit = m.load(s, first + 2 * u64::from(i), Repr::U2)?;
        units.push(m.integer_term(&unit).ok_or_else(|| unsupported(s, "a character that is none"))?);
    }
    if units.iter().all(|unit| m.terms.as_bv(*unit).is_some()) {
        return m.enter_body(s, call, after);
    }
    // So many bits hold every number of so many digits.
    let width = len * 10 / 3 + 2;
    let states = read_number(m, &units, style, width);
    let (status, value) = judge_number(m, &states, bits, signed);
    let place = call.number(m, s, 3)?;
    let repr = vm::decode::repr_of(&m.universe, number).map_err(|gap| vm::machine::give_up(s, gap))?;
    let value = m.widen(Bits::Symbolic(value), repr);
    m.store(s, place, repr, value)?;
    s.path.guessed_text = true;
    let status = m.value_of(status);
    m.returned(s, after, Some(status))
}

/// One choice for each short length of the span, and one for all others.
fn by_length(m: &mut Machine, span: &vm::bytes::Bytes, len: Term, depth: usize) -> Box<vm::stop::Stop> {
    let mut choices = Vec::new();
    for known in 0..=MAX_LENGTH {
        let number = m.terms.bv(32, u128::from(known));
        let guard = m.terms.eq(len, number);
        let mut span = span.clone();
        // The length has its place in every span.
        let _ = span.write(8, 4, Bits::Concrete(u64::from(known)), &mut m.terms);
        let value = Value::Struct(std::rc::Rc::new(span));
        choices.push(Choice { guard, action: Action::Operand { depth, value } });
    }
    let most = m.terms.bv(32, u128::from(MAX_LENGTH));
    let guard = m.terms.ugt(len, most);
    // Nothing has been popped.
    choices.push(Choice { guard, action: Action::Interpret { arguments: Vec::new() } });
    fork(choices)
}

/// Bits, and whether there is a sign.
fn shape(primitive: Primitive) -> Option<(u32, bool)> {
    Some(match primitive {
        Primitive::I1 => (8, true),
        Primitive::U1 => (8, false),
        Primitive::I2 => (16, true),
        Primitive::U2 => (16, false),
        Primitive::I4 => (32, true),
        Primitive::U4 => (32, false),
        Primitive::I8 | Primitive::I => (64, true),
        Primitive::U8 | Primitive::U => (64, false),
        _ => return None,
    })
}

/// Whether `-` and `+` are the signs.
fn has_plain_signs(m: &mut Machine, s: &State, call: &Call) -> Step<bool> {
    let info = call.number(m, s, 2)?;
    let ty = m.object_type(s, info)?;
    let field = m.universe.find_field(ty, "_hasInvariantNumberSigns").map_err(|error| failed(s, error))?;
    let Some(field) = field else { return Ok(false) };
    let offset = m.universe.field_offset(field).map_err(|error| failed(s, error))?;
    Ok(matches!(m.load(s, info + u64::from(offset), Repr::U1)?, Value::I32(1)))
}

fn read_number(m: &mut Machine, units: &[Term], style: u64, width: u32) -> States {
    let t = &mut m.terms;
    let (yes, no) = (t.true_(), t.false_());
    let allowed = |flag: u64| if style & flag == 0 { no } else { yes };
    let (leading, ending, signs) = (allowed(LEADING_WHITE), allowed(TRAILING_WHITE), allowed(LEADING_SIGN));
    let number = t.bv(width, 0);
    let mut now = States { white: yes, sign: no, digits: no, trailing: no, zeros: no, negative: no, number };
    for &unit in units {
        let is = |t: &mut term::Terms, code: u128| {
            let code = t.bv(32, code);
            t.eq(unit, code)
        };
        let (space, minus, plus, nul) = (is(t, 0x20), is(t, 0x2d), is(t, 0x2b), is(t, 0));
        let control = between(t, unit, 9, 13);
        let blank = t.or(space, control);
        let digit = between(t, unit, 0x30, 0x39);
        let sign = t.or(minus, plus);
        let sign = t.and(sign, signs);
        let before = t.or(now.white, now.sign);
        let before = t.or(before, now.digits);
        let after = t.or(now.digits, now.trailing);
        let ended = t.or(after, now.zeros);
        let blank_before = t.and(blank, leading);
        let blank_after = t.and(blank, ending);
        let digits = t.and(before, digit);
        let turned = t.and(now.white, minus);
        let turned = t.and(turned, signs);
        let zero = t.bv(32, 0x30);
        let value = t.sub(unit, zero);
        let value = t.extract(value, 3, 0);
        let value = t.zext(value, width);
        let ten = t.bv(width, 10);
        let shifted = t.mul(now.number, ten);
        let more = t.add(shifted, value);
        now = States {
            white: t.and(now.white, blank_before),
            sign: t.and(now.white, sign),
            digits,
            trailing: t.and(after, blank_after),
            zeros: t.and(ended, nul),
            negative: t.or(now.negative, turned),
            number: t.ite(digits, more, now.number),
        };
    }
    now
}

/// What the text was, and its number if it was one.
fn judge_number(m: &mut Machine, states: &States, bits: u32, signed: bool) -> (Term, Term) {
    let t = &mut m.terms;
    let number = t.zext(states.number, 64);
    let most = if signed { (1u128 << (bits - 1)) - 1 } else { (1u128 << bits) - 1 };
    let least = if signed { 1u128 << (bits - 1) } else { 0 };
    let (most, least) = (t.bv(64, most), t.bv(64, least));
    let too_high = t.ugt(number, most);
    let too_low = t.ugt(number, least);
    let overflow = t.ite(states.negative, too_low, too_high);
    let accepted = t.or(states.digits, states.trailing);
    let accepted = t.or(accepted, states.zeros);
    let [ok, failed, beyond] = [0, FAILED, OVERFLOW].map(|status| t.bv(32, status));
    let status = t.ite(overflow, beyond, ok);
    let status = t.ite(accepted, status, failed);
    let below = t.neg(number);
    let value = t.ite(states.negative, below, number);
    let value = t.extract(value, bits - 1, 0);
    let fits = t.not(overflow);
    let good = t.and(accepted, fits);
    let zero = t.bv(bits, 0);
    (status, t.ite(good, value, zero))
}

fn between(t: &mut term::Terms, unit: Term, low: u128, high: u128) -> Term {
    let (low, high) = (t.bv(32, low), t.bv(32, high));
    let above = t.uge(unit, low);
    let below = t.ule(unit, high);
    t.and(above, below)
}
