//! `CompareInfo` on texts that are not known: for exploration only.
//!
//! The class library's own ways for ASCII would fork at every character, and its native part takes no terms. Where the
//! tables of the locale say all about both texts ([`super::ascii`]) the answer is one term; elsewhere the class library's
//! code runs, and a native call with text that is not known ends the path.

use super::ascii::{AsciiTerms, terms_of};
use crate::table::{Entry, enter};
use std::rc::Rc;
use term::Term;
use verdict::Gap;
use vm::bytes::{Bits, Bytes};
use vm::machine::{Machine, Step, fork, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::stop::{Action, Choice, Stop};
use vm::value::{Repr, Value};

const COMPARE: &str = "System.Globalization.CompareInfo";

pub(crate) const TABLE: &[Entry] = &[
    enter(COMPARE, "IcuCompareString", compare),
    enter(COMPARE, "IcuStartsWith", starts_with),
    enter(COMPARE, "IcuEndsWith", ends_with),
    enter(COMPARE, "IcuIndexOfCore", index_of),
];

/// Lengths that are told apart, and characters of which a term is made.
const SHORT: u32 = 8;
const MAX_LENGTH: u32 = 64;

/// Two texts that are not both known, and what is known of their locale.
struct Question {
    a: Vec<Term>,
    b: Vec<Term>,
    terms: Rc<AsciiTerms>,
    covered: Term,
}

/// `(this, a, b, options)`
fn compare(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let Some(question) = question(m, s, call, &after)? else { return m.enter_body(s, call, after) };
    let order = question.terms.order(m, &question.a, &question.b);
    let order = m.value_of(order);
    s.path.guessed_text = true;
    let gap = Gap::native_call("a comparison by culture of characters beyond plain ASCII");
    Err(either(m, question.covered, order, Action::GiveUp(gap)))
}

/// `(this, source, prefix, options, where to say how much matched)`
fn starts_with(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    search(m, s, call, after, |m, hits| {
        let first = hits.first().copied().unwrap_or_else(|| m.terms.false_());
        m.terms.bool_to_bv(first, 32)
    })
}

fn ends_with(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    search(m, s, call, after, |m, hits| {
        let last = hits.last().copied().unwrap_or_else(|| m.terms.false_());
        m.terms.bool_to_bv(last, 32)
    })
}

/// `(this, source, target, options, where to say how much matched, from the beginning?)`
fn index_of(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let from_beginning = call.number(m, s, 5)? != 0;
    search(m, s, call, after, move |m, hits| {
        let mut found = m.terms.bv(32, u128::from(u32::MAX));
        let mut places: Vec<(usize, Term)> = hits.into_iter().enumerate().collect();
        if from_beginning {
            places.reverse();
        }
        for (place, hit) in places {
            let number = m.terms.bv(32, place as u128);
            found = m.terms.ite(hit, number, found);
        }
        found
    })
}

fn search(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    after: OnReturn,
    answer: impl FnOnce(&mut Machine, Vec<Term>) -> Term,
) -> Step {
    let wants_length = call.number(m, s, 4)? != 0;
    let question = if wants_length { None } else { question(m, s, call, &after)? };
    let Some(question) = question.filter(|question| !question.b.is_empty()) else {
        return m.enter_body(s, call, after);
    };
    let Some(hits) = question.terms.hits(m, &question.b, &question.a) else {
        return m.enter_body(s, call, after);
    };
    let found = answer(m, hits);
    let found = m.value_of(found);
    s.path.guessed_text = true;
    let otherwise = Action::Interpret { arguments: call.args.clone() };
    Err(either(m, question.covered, found, otherwise))
}

/// The value where the tables say all, else what is given.
fn either(m: &mut Machine, covered: Term, value: Value, otherwise: Action) -> Box<Stop> {
    let beyond = m.terms.not(covered);
    fork(vec![
        Choice { guard: covered, action: Action::Continue(Some(value)) },
        Choice { guard: beyond, action: otherwise },
    ])
}

/// None if both texts are known, or nothing can be said of them.
fn question(m: &mut Machine, s: &mut State, call: &Call, after: &OnReturn) -> Step<Option<Question>> {
    if !matches!(after, OnReturn::Push) {
        return Ok(None);
    }
    let (Some(a), Some(b)) = (span(m, s, call, 1)?, span(m, s, call, 2)?) else { return Ok(None) };
    let are_known = a.iter().chain(&b).all(|unit| m.terms.as_bv(*unit).is_some());
    if are_known {
        return Ok(None);
    }
    let options = call.number(m, s, 3)? as i32;
    let this = call.number(m, s, 0)?;
    let Value::I64(name) = m.load_field(s, this, "_sortName", Repr::Ref)? else { return Ok(None) };
    let locale = String::from_utf16_lossy(&m.text(s, name.cast_unsigned())?);
    let Some(terms) = terms_of(m, s, call, &locale, options)? else { return Ok(None) };
    let (of_a, of_b) = (terms.covers(m, &a), terms.covers(m, &b));
    let covered = m.terms.and(of_a, of_b);
    if m.terms.as_bool(covered) == Some(false) {
        return Ok(None);
    }
    Ok(Some(Question { a, b, terms, covered }))
}

/// The characters of a span, as terms of 16 bits. Its length is settled first; none if it is long.
fn span(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<Option<Vec<Term>>> {
    let Value::Struct(span) = call.value(s, index)? else { return Ok(None) };
    let (Ok(Bits::Concrete(first)), Ok(len)) = (span.read(0, 8, &mut m.terms), span.read(8, 4, &mut m.terms))
    else {
        return Ok(None);
    };
    let len = match len {
        Bits::Concrete(len) => len as u32,
        Bits::Symbolic(len) => return Err(by_length(m, &span, len, call.args.len() - 1 - index)),
    };
    if len > MAX_LENGTH {
        return Ok(None);
    }
    let mut units = Vec::new();
    for i in 0..len {
        let unit = m.load(s, first + 2 * u64::from(i), Repr::U2)?;
        match m.integer_term(&unit) {
            Some(term) => units.push(m.terms.extract(term, 15, 0)),
            None => return Err(unsupported(s, "a character that is none")),
        }
    }
    Ok(Some(units))
}

/// One choice for each short length of the span, and one for all others.
fn by_length(m: &mut Machine, span: &Bytes, len: Term, depth: usize) -> Box<Stop> {
    let mut choices = Vec::new();
    for known in 0..=SHORT {
        let number = m.terms.bv(32, u128::from(known));
        let guard = m.terms.eq(len, number);
        let mut span = span.clone();
        // The length has its place in every span.
        let _ = span.write(8, 4, Bits::Concrete(u64::from(known)), &mut m.terms);
        let value = Value::Struct(Rc::new(span));
        choices.push(Choice { guard, action: Action::Operand { depth, value } });
    }
    let most = m.terms.bv(32, u128::from(SHORT));
    let guard = m.terms.ugt(len, most);
    // Nothing has been popped.
    choices.push(Choice { guard, action: Action::Interpret { arguments: Vec::new() } });
    fork(choices)
}
