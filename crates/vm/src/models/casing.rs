//! Upper and lower case of whole strings, and comparisons that do not see it: for exploration only.
//!
//! Without surrogates each character stands for itself, and the answer is a term over all of them. With surrogates the
//! class library's own code runs.

use super::characters::Case;
use super::{Call, Entry, enter_one};
use crate::bytes::{Bits, Bytes};
use crate::machine::{Machine, Step, fork, unsupported};
use crate::state::{OnReturn, State};
use crate::stop::{Action, Choice, Stop};
use crate::value::{Repr, Value};
use term::Term;

const CASING: &str = "System.Globalization.InvariantModeCasing";
const ORDINAL: &str = "System.Globalization.Ordinal";

pub(super) const TABLE: &[Entry] = &[
    enter_one(CASING, "ToLower", "System.String", to_lower),
    enter_one(CASING, "ToUpper", "System.String", to_upper),
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

fn to_lower(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    changed(m, s, call, after, Case::Lower)
}

fn to_upper(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    changed(m, s, call, after, Case::Upper)
}

fn changed(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn, case: Case) -> Step {
    let text = call.number(m, s, 0)?;
    if text == 0 || !m.knows_characters() || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let len = match m.load(s, text, Repr::I4)? {
        Value::I32(len) => len.cast_unsigned(),
        Value::Term(len) if m.is_input_length(len) => return Err(by_length(m, len, call)),
        Value::Term(_) => return m.enter_body(s, call, after),
        _ => return Err(unsupported(s, "a string without a length")),
    };
    let units = m.units(s, text + 4, len)?;
    if m.are_known(&units) {
        return m.enter_body(s, call, after);
    }
    let mut bytes = Bytes::zeroed(2 * units.len() + 6);
    let mut written = bytes.write(0, 4, Bits::Concrete(u64::from(len)), &mut m.terms);
    for (i, &unit) in units.iter().enumerate() {
        let unit = case.of(&mut m.terms, unit);
        written = written.and_then(|()| bytes.write(4 + 2 * i, 2, Bits::Symbolic(unit), &mut m.terms));
    }
    if written.is_err() {
        return Err(unsupported(s, "a string of this length"));
    }
    let text = m.string_object(s, bytes)?;
    s.guessed_text = true;
    Err(m.if_plain(&units, Value::address(text), call))
}

/// Two pointers and a number of characters.
fn equal(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let len = call.number(m, s, 2)? as u32;
    let (x, y) = (m.units(s, a, len)?, m.units(s, b, len)?);
    let all = [&x[..], &y].concat();
    if m.are_known(&all) || !m.knows_characters() || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let mut equal = m.terms.true_();
    for (&x, &y) in x.iter().zip(&y) {
        let (x, y) = (Case::Upper.of(&mut m.terms, x), Case::Upper.of(&mut m.terms, y));
        let same = m.terms.eq(x, y);
        equal = m.terms.and(equal, same);
    }
    s.guessed_text = true;
    let equal = m.terms.bool_to_bv(equal, 32);
    let equal = m.value_of(equal);
    Err(m.if_plain(&all, equal, call))
}

/// Two texts and their lengths.
fn compare(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 2)?);
    let (a_len, b_len) = (call.number(m, s, 1)? as u32, call.number(m, s, 3)? as u32);
    let common = a_len.min(b_len);
    let (x, y) = (m.units(s, a, common)?, m.units(s, b, common)?);
    let all = [&x[..], &y].concat();
    if m.are_known(&all) || !m.knows_characters() || !matches!(after, OnReturn::Push) {
        return m.enter_body(s, call, after);
    }
    let mut order = m.terms.bv(32, u128::from(a_len.wrapping_sub(b_len)));
    for (&x, &y) in x.iter().zip(&y).rev() {
        let (x, y) = (Case::Upper.of(&mut m.terms, x), Case::Upper.of(&mut m.terms, y));
        let same = m.terms.eq(x, y);
        let (x, y) = (m.terms.zext(x, 32), m.terms.zext(y, 32));
        let difference = m.terms.sub(x, y);
        order = m.terms.ite(same, order, difference);
    }
    s.guessed_text = true;
    let order = m.value_of(order);
    Err(m.if_plain(&all, order, call))
}

/// One choice for each short length of a string, and one for all others.
fn by_length(m: &mut Machine, len: Term, call: &Call) -> Box<Stop> {
    let depth = call.args.len() - 1;
    let text = call.args[0].clone();
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

impl Machine {
    /// Characters as terms of 16 bits; none if there are too many.
    fn units(&mut self, s: &State, first: u64, len: u32) -> Step<Vec<Term>> {
        let mut units = Vec::new();
        for i in 0..(if len > MAX_LENGTH { 0 } else { len }) {
            let unit = self.load(s, first + 2 * u64::from(i), Repr::U2)?;
            match self.integer_term(&unit) {
                Some(term) => units.push(self.terms.extract(term, 15, 0)),
                None => return Err(unsupported(s, "a character that is none")),
            }
        }
        Ok(units)
    }

    fn are_known(&self, units: &[Term]) -> bool {
        units.iter().all(|unit| self.terms.as_bv(*unit).is_some())
    }

    fn without_surrogates(&mut self, units: &[Term]) -> Term {
        let mut plain = self.terms.true_();
        let high = self.terms.bv(5, 0b11011);
        for &unit in units {
            let top = self.terms.extract(unit, 15, 11);
            let surrogate = self.terms.eq(top, high);
            let other = self.terms.not(surrogate);
            plain = self.terms.and(plain, other);
        }
        plain
    }

    /// The value if there are no surrogates, else the method's own code.
    fn if_plain(&mut self, units: &[Term], value: Value, call: &Call) -> Box<Stop> {
        let plain = self.without_surrogates(units);
        let otherwise = self.terms.not(plain);
        fork(vec![
            Choice { guard: plain, action: Action::Continue(Some(value)) },
            Choice { guard: otherwise, action: Action::Interpret { arguments: call.args.clone() } },
        ])
    }
}
