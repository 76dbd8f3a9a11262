//! Upper and lower case of whole strings, and comparisons that do not see it: for exploration only.
//!
//! Without surrogates each character stands for itself, and the answer is a term over all of them. With surrogates the
//! class library's own code runs.

use crate::globalization::letters::{Letters, in_case};
use crate::strings::characters::{Case, is_of_invariant_culture, knows_characters};
use crate::table::{Entry, enter_one};
use term::Term;
use vm::bytes::{Bits, Bytes};
use vm::machine::{Machine, Step, fork, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::{Action, Choice, Stop};
use vm::value::{Repr, Value};

const CASING: &str = "System.Globalization.InvariantModeCasing";
const TEXTS: &str = "System.Globalization.TextInfo";
const ORDINAL: &str = "System.Globalization.Ordinal";

pub(crate) const TABLE: &[Entry] = &[
    enter_one(CASING, "ToLower", "System.String", |m, s, c, after| changed(m, s, c, after, 0, Case::Lower)),
    enter_one(CASING, "ToUpper", "System.String", |m, s, c, after| changed(m, s, c, after, 0, Case::Upper)),
    enter_one(TEXTS, "ToLower", "System.String", |m, s, c, after| of_culture(m, s, c, after, Case::Lower)),
    enter_one(TEXTS, "ToUpper", "System.String", |m, s, c, after| of_culture(m, s, c, after, Case::Upper)),
    enter_one(ORDINAL, "EqualsIgnoreCase", "System.Char&,System.Char&,System.Int32", equal),
    enter_one(
        ORDINAL,
        "CompareStringIgnoreCase",
        "System.Char&,System.Int32,System.Char&,System.Int32",
        compare,
    ),
];

/// Lengths that are told apart, and characters of which a term is made.
const SHORT: u32 = 8;
const MAX_LENGTH: u32 = 256;

/// `(this, text)`: the invariant culture is known, others are left to the class library.
fn of_culture(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn, case: Case) -> Step {
    if knows_characters(m) && is_of_invariant_culture(m, s, call)? {
        return changed(m, s, call, after, 1, case);
    }
    m.enter_body(s, call, after)
}

/// The text is the argument of this number.
fn changed(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn, index: usize, case: Case) -> Step {
    let text = call.number(m, s, index)?;
    if text == 0 || !knows_characters(m) || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let len = match m.load(s, text, Repr::I4)? {
        Value::I32(len) => len.cast_unsigned(),
        Value::Term(len) if m.is_input_length(len) => return Err(by_length(m, len, call, index)),
        Value::Term(_) => return m.enter_body(s, call, after),
        _ => return Err(unsupported(s, "a string without a length")),
    };
    let units = units(m, s, text + 4, len)?;
    if are_known(m, &units) {
        return m.enter_body(s, call, after);
    }
    let mut bytes = Bytes::zeroed(2 * units.len() + 6);
    let mut written = bytes.write(0, 4, Bits::Concrete(u64::from(len)), &mut m.terms);
    let cased = in_case(m, s, call, Letters::Invariant, case, &units)?;
    for (i, unit) in cased.into_iter().enumerate() {
        written = written.and_then(|()| bytes.write(4 + 2 * i, 2, Bits::Symbolic(unit), &mut m.terms));
    }
    if written.is_err() {
        return Err(unsupported(s, "a string of this length"));
    }
    let text = m.string_object(s, bytes)?;
    s.path.guessed_text = true;
    Err(if_plain(m, &units, Value::address(text), call))
}

/// Two pointers and a number of characters.
fn equal(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let len = call.number(m, s, 2)? as u32;
    let (x, y) = (units(m, s, a, len)?, units(m, s, b, len)?);
    let all = [&x[..], &y].concat();
    if are_known(m, &all) || !knows_characters(m) || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let mut equal = m.terms.true_();
    let (x, y) = (upper(m, s, call, &x)?, upper(m, s, call, &y)?);
    for (x, y) in x.into_iter().zip(y) {
        let same = m.terms.eq(x, y);
        equal = m.terms.and(equal, same);
    }
    s.path.guessed_text = true;
    let equal = m.terms.bool_to_bv(equal, 32);
    let equal = m.value_of(equal);
    Err(if_plain(m, &all, equal, call))
}

/// Two texts and their lengths.
fn compare(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 2)?);
    let (a_len, b_len) = (call.number(m, s, 1)? as u32, call.number(m, s, 3)? as u32);
    let common = a_len.min(b_len);
    let (x, y) = (units(m, s, a, common)?, units(m, s, b, common)?);
    let all = [&x[..], &y].concat();
    if are_known(m, &all) || !knows_characters(m) || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let mut order = m.terms.bv(32, u128::from(a_len.wrapping_sub(b_len)));
    let (x, y) = (upper(m, s, call, &x)?, upper(m, s, call, &y)?);
    for (x, y) in x.into_iter().zip(y).rev() {
        let same = m.terms.eq(x, y);
        let (x, y) = (m.terms.zext(x, 32), m.terms.zext(y, 32));
        let difference = m.terms.sub(x, y);
        order = m.terms.ite(same, order, difference);
    }
    s.path.guessed_text = true;
    let order = m.value_of(order);
    Err(if_plain(m, &all, order, call))
}

fn upper(m: &mut Machine, s: &State, call: &Call, units: &[Term]) -> Step<Vec<Term>> {
    in_case(m, s, call, Letters::Ordinal, Case::Upper, units)
}

/// One choice for each short length of a string, and one for all others.
fn by_length(m: &mut Machine, len: Term, call: &Call, index: usize) -> Box<Stop> {
    let depth = call.args.len() - 1 - index;
    let text = call.args[index].clone();
    let mut choices = Vec::new();
    for known in 0..=SHORT {
        let number = m.terms.bv(32, u128::from(known));
        let guard = m.terms.eq(len, number);
        choices.push(Choice { guard, action: Action::Operand { depth, value: text.clone() } });
    }
    let most = m.terms.bv(32, u128::from(SHORT));
    let guard = m.terms.ugt(len, most);
    // Nothing has been popped.
    choices.push(Choice { guard, action: Action::Interpret { arguments: Vec::new() } });
    fork(choices)
}

/// Characters as terms of 16 bits; none if there are too many.
fn units(m: &mut Machine, s: &State, first: u64, len: u32) -> Step<Vec<Term>> {
    let mut units = Vec::new();
    for i in 0..(if len > MAX_LENGTH { 0 } else { len }) {
        let unit = m.load(s, first + 2 * u64::from(i), Repr::U2)?;
        match m.integer_term(&unit) {
            Some(term) => units.push(m.terms.extract(term, 15, 0)),
            None => return Err(unsupported(s, "a character that is none")),
        }
    }
    Ok(units)
}

fn are_known(m: &Machine, units: &[Term]) -> bool {
    units.iter().all(|unit| m.terms.as_bv(*unit).is_some())
}

fn without_surrogates(m: &mut Machine, units: &[Term]) -> Term {
    let mut plain = m.terms.true_();
    let high = m.terms.bv(5, 0b11011);
    for &unit in units {
        let top = m.terms.extract(unit, 15, 11);
        let surrogate = m.terms.eq(top, high);
        let other = m.terms.not(surrogate);
        plain = m.terms.and(plain, other);
    }
    plain
}

/// The value if there are no surrogates, else the method's own code.
fn if_plain(m: &mut Machine, units: &[Term], value: Value, call: &Call) -> Box<Stop> {
    let plain = without_surrogates(m, units);
    let otherwise = m.terms.not(plain);
    fork(vec![
        Choice { guard: plain, action: Action::Continue(Some(value)) },
        Choice { guard: otherwise, action: Action::Interpret { arguments: call.args.clone() } },
    ])
}
