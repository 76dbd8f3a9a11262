//! Searches and comparisons of spans as one term instead of one path for each element: for exploration only.
//!
//! The class library's loops would fork at every character. Once the length is a number, the answer is an expression over
//! the elements, and a path forks only where the program asks for it.

use term::Term;

use crate::table::{Entry, all, enter_one, one};
use verdict::{Assumption, Gap};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const SPANS: &str = "System.SpanHelpers";
const BYTES: &str = "System.Byte&,System.Byte&,System.UIntPtr";
const ELEMENTS: &str = "T&,T,System.Int32";
/// Elements that are searched or compared.
const MAX_ELEMENTS: u64 = 1 << 16;
/// Buckets of a small table.
const SMALL_TABLE: i32 = 37;

pub(crate) const TABLE: &[Entry] = &[
    one(SPANS, "SequenceEqual", BYTES, sequence_equal),
    one(SPANS, "IndexOfValueType", ELEMENTS, index_of),
    one(SPANS, "LastIndexOfValueType", ELEMENTS, last_index_of),
    one(SPANS, "ContainsValueType", ELEMENTS, contains),
    one(SPANS, "SequenceCompareTo", "System.Char&,System.Int32,System.Char&,System.Int32", compare),
    all("System.Collections.HashHelpers", "FastMod", bucket),
    enter_one("System.Collections.Hashtable", "GetHash", "System.Object", hash_of_key),
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

/// `value % divisor`, which the class library computes by a multiplication to find the bucket of a key. In a small table
/// all keys share one bucket: only their equality matters then, and not the remainders of numbers that are not known. Where
/// the order of buckets shows, the path that is run once more has the right one.
fn bucket(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (value, divisor) = (call.value(s, 0)?, call.value(s, 1)?);
    if matches!(divisor, Value::I32(1..=SMALL_TABLE)) {
        s.path.guessed_text = true;
        if !keeps_order(m, s) {
            m.assume(Assumption::UsualText, |_| "the order of a hash table does not matter".to_owned());
        }
        return Ok(Some(Value::I32(0)));
    }
    match (m.integer_term(&value), m.integer_term(&divisor)) {
        (Some(value), Some(divisor)) => {
            let remainder = m.terms.urem(value, divisor);
            Ok(Some(m.value_of(remainder)))
        }
        _ => Err(unsupported(s, "a remainder of something that is no integer")),
    }
}

/// `(this, key)` in the older table, which takes the remainder by an instruction. The hash codes of strings are seeded by
/// chance; with one for all of them they are told apart by their equality. Other keys have code of their own.
fn hash_of_key(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (table, key) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    if table == 0 || key == 0 || !is_text(m, s, key)? || !compares_text(m, s, table)? {
        return m.enter_body(s, call, after);
    }
    s.path.guessed_text = true;
    m.assume(Assumption::UsualText, |_| "the order of a hash table does not matter".to_owned());
    m.returned(s, after, Some(Value::I32(0)))
}

fn is_text(m: &mut Machine, s: &State, object: u64) -> Step<bool> {
    let class = m.object_type(s, object)?;
    Ok(m.universe.well_known().map_err(|error| give_up(s, error.into()))?.string == class)
}

/// Whether the keys of a table are compared by themselves, or by a comparer of strings that the class library has.
fn compares_text(m: &mut Machine, s: &State, table: u64) -> Step<bool> {
    let comparer = match m.load_field(s, table, "_keycomparer", Repr::Ref)? {
        Value::I64(0) => return Ok(true),
        Value::I64(comparer) => comparer.cast_unsigned(),
        _ => return Ok(false),
    };
    let class = m.object_type(s, comparer)?;
    let base = m.universe.base(class).map_err(|error| give_up(s, error.into()))?;
    let extends = |base| &*m.universe.type_name(base) == "System.StringComparer";
    Ok(m.is_framework(class) && base.is_some_and(extends))
}

/// Whether the table that asks enumerates its entries in the order in which they came. Others show their buckets.
fn keeps_order(m: &Machine, s: &State) -> bool {
    let owner = m.universe.type_name(m.universe.definition(m.universe.method(s.top.code.method).owner));
    owner.starts_with("System.Collections.Generic.")
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
