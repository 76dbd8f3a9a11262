//! Searches and comparisons of spans as one term instead of one path for each element: for exploration only.
//!
//! The class library's loops would fork at every character. Once the length is a number, the answer is an expression over
//! the elements, and a path forks only where the program asks for it.

use term::Term;

use crate::table::{Entry, one};
use verdict::Gap;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const SPANS: &str = "System.SpanHelpers";
const BYTES: &str = "System.Byte&,System.Byte&,System.UIntPtr";
const ELEMENTS: &str = "T&,T,System.Int32";
/// Elements that are searched or compared.
const MAX_ELEMENTS: u64 = 1 << 16;

pub(crate) const TABLE: &[Entry] = &[
    one(SPANS, "SequenceEqual", BYTES, sequence_equal),
    one(SPANS, "IndexOfValueType", ELEMENTS, index_of),
    one(SPANS, "LastIndexOfValueType", ELEMENTS, last_index_of),
    one(SPANS, "ContainsValueType", ELEMENTS, contains),
    one(SPANS, "SequenceCompareTo", "System.Char&,System.Int32,System.Char&,System.Int32", compare),
];

/// Two pointers and a number of bytes.
fn sequence_equal(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let len = call.number(m, s, 2)?;
    if len == 0 {
        return Ok(Some(Value::bool(true)));
    }
    let (left, right) = (m.load_bytes(s, a, len as usize)?, m.load_bytes(s, b, len as usize)?);
    if let (Some(left), Some(right)) = (left.concrete(), right.concrete()) {
        return Ok(Some(Value::bool(left == right)));
    }
    few(s, len)?;
    let mut equal = m.terms.true_();
    let mut at = 0;
    while at < len {
        // Characters where both sides have them: the two halves of a word would not meet again.
        let repr = if len - at >= 2 { Repr::U2 } else { Repr::U1 };
        let x = element(m, s, a + at, repr)?;
        let y = element(m, s, b + at, repr)?;
        let same = m.terms.eq(x, y);
        equal = m.terms.and(equal, same);
        if m.terms.as_bool(equal) == Some(false) {
            break;
        }
        at += u64::from(repr.size());
    }
    Ok(Some(truth(m, equal)))
}

fn index_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (hits, none) = hits(m, s, call)?;
    let found = first_of(m, hits.into_iter().enumerate().rev(), none);
    Ok(Some(m.value_of(found)))
}

fn last_index_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (hits, none) = hits(m, s, call)?;
    let found = first_of(m, hits.into_iter().enumerate(), none);
    Ok(Some(m.value_of(found)))
}

fn contains(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (hits, _) = hits(m, s, call)?;
    let any = m.terms.or_all(hits);
    Ok(Some(truth(m, any)))
}

/// For each element whether it is the value, and what stands for "not found".
fn hits(m: &mut Machine, s: &mut State, call: &Call) -> Step<(Vec<Term>, Term)> {
    let repr = call.generic_repr(m, s, 0)?;
    let start = call.number(m, s, 0)?;
    let value = call.value(s, 1)?;
    let value = m.narrow(value, repr)?;
    let Some(value) = m.integer_term(&value) else {
        return Err(unsupported(s, "a search for something that is no integer"));
    };
    let len = few(s, call.number(m, s, 2)?)?;
    let mut hits = Vec::new();
    for i in 0..len {
        let element = element(m, s, start + u64::from(i) * u64::from(repr.size()), repr)?;
        hits.push(m.terms.eq(element, value));
    }
    let none = m.terms.bv(32, u128::from(u32::MAX));
    Ok((hits, none))
}

/// The number of the last hit in the order given.
pub(crate) fn first_of(m: &mut Machine, hits: impl Iterator<Item = (usize, Term)>, none: Term) -> Term {
    let mut found = none;
    for (i, hit) in hits {
        let number = m.terms.bv(32, i as u128);
        found = m.terms.ite(hit, number, found);
    }
    found
}

/// Two texts and their lengths: the difference of the first characters that differ, else of the lengths.
fn compare(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 2)?);
    let (a_len, b_len) = (few(s, call.number(m, s, 1)?)?, few(s, call.number(m, s, 3)?)?);
    let mut order = m.terms.bv(32, u128::from(a_len.wrapping_sub(b_len)));
    for i in (0..a_len.min(b_len)).rev() {
        let x = element(m, s, a + 2 * u64::from(i), Repr::U2)?;
        let y = element(m, s, b + 2 * u64::from(i), Repr::U2)?;
        let same = m.terms.eq(x, y);
        let difference = m.terms.sub(x, y);
        order = m.terms.ite(same, order, difference);
    }
    Ok(Some(m.value_of(order)))
}

/// An element as it is on the evaluation stack.
pub(crate) fn element(m: &mut Machine, s: &State, address: u64, repr: Repr) -> Step<Term> {
    let value = m.load(s, address, repr)?;
    match m.integer_term(&value) {
        Some(term) => Ok(term),
        None => Err(unsupported(s, "a search among something that is no integer")),
    }
}

/// A number of elements that a term can be made of.
pub(crate) fn few(s: &State, len: u64) -> Step<u32> {
    if len > MAX_ELEMENTS {
        let detail = format!("a search among {len} elements");
        return Err(give_up(s, Gap::bound(detail)));
    }
    Ok(len as u32)
}

fn truth(m: &mut Machine, term: Term) -> Value {
    let bits = m.terms.bool_to_bv(term, 32);
    m.value_of(bits)
}
