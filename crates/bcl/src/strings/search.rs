//! Searches for one of several values, for a range or for a text, as one term: for exploration only, as
//! [`crate::strings::comparison`].

use term::Term;

use crate::strings::comparison::{element, few, first_of};
use crate::table::{Entry, one};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const SPANS: &str = "System.SpanHelpers";
const TWO: &str = "T&,T,T,System.Int32";
const THREE: &str = "T&,T,T,T,System.Int32";
const FOUR: &str = "T&,T,T,T,T,System.Int32";
const FIVE: &str = "T&,T,T,T,T,T,System.Int32";
const TEXTS: &str = "System.Char&,System.Int32,System.Char&,System.Int32";

pub(crate) const TABLE: &[Entry] = &[
    one(SPANS, "IndexOfAnyValueType", TWO, first_any),
    one(SPANS, "IndexOfAnyValueType", THREE, first_any),
    one(SPANS, "IndexOfAnyValueType", FOUR, first_any),
    one(SPANS, "IndexOfAnyValueType", FIVE, first_any),
    one(SPANS, "LastIndexOfAnyValueType", TWO, last_any),
    one(SPANS, "LastIndexOfAnyValueType", THREE, last_any),
    one(SPANS, "LastIndexOfAnyValueType", FOUR, last_any),
    one(SPANS, "LastIndexOfAnyValueType", FIVE, last_any),
    one(SPANS, "IndexOfAnyExceptValueType", "T&,T,System.Int32", first_other),
    one(SPANS, "IndexOfAnyExceptValueType", TWO, first_other),
    one(SPANS, "IndexOfAnyExceptValueType", THREE, first_other),
    one(SPANS, "IndexOfAnyInRangeUnsignedNumber", TWO, first_in_range),
    one(SPANS, "IndexOfAnyExceptInRangeUnsignedNumber", TWO, first_beyond_range),
    one(SPANS, "CountValueType", "T&,T,System.Int32", count),
    one(SPANS, "ReplaceValueType", "T&,T&,T,T,System.UIntPtr", replace),
    one(SPANS, "IndexOf", TEXTS, index_of_text),
    one(SPANS, "LastIndexOf", TEXTS, last_index_of_text),
];

fn first_any(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = any(m, s, call)?;
    Ok(Some(first(m, hits)))
}

fn last_any(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = any(m, s, call)?;
    Ok(Some(last(m, hits)))
}

fn first_other(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = any(m, s, call)?;
    let others = hits.into_iter().map(|hit| m.terms.not(hit)).collect();
    Ok(Some(first(m, others)))
}

fn first_in_range(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = in_range(m, s, call)?;
    Ok(Some(first(m, hits)))
}

fn first_beyond_range(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = in_range(m, s, call)?;
    let others = hits.into_iter().map(|hit| m.terms.not(hit)).collect();
    Ok(Some(first(m, others)))
}

fn count(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = any(m, s, call)?;
    let mut count = m.terms.bv(32, 0);
    for hit in hits {
        let one = m.terms.bool_to_bv(hit, 32);
        count = m.terms.add(count, one);
    }
    Ok(Some(m.value_of(count)))
}

/// `(from, to, old, new, count)`.
fn replace(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = call.generic_repr(m, s, 0)?;
    let (from, to, len) = (call.number(m, s, 0)?, call.number(m, s, 1)?, call.number(m, s, 4)?);
    let (old, new) = (value(m, s, call, 2, repr)?, value(m, s, call, 3, repr)?);
    for i in 0..len {
        let step = i * u64::from(repr.size());
        let unit = element(m, s, from + step, repr)?;
        let same = m.terms.eq(unit, old);
        let unit = m.terms.ite(same, new, unit);
        let unit = m.value_of(unit);
        m.store(s, to + step, repr, unit)?;
    }
    Ok(None)
}

fn index_of_text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = text_hits(m, s, call)?;
    Ok(Some(first(m, hits)))
}

fn last_index_of_text(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let hits = text_hits(m, s, call)?;
    Ok(Some(last(m, hits)))
}

/// For each place whether the second text begins there.
fn text_hits(m: &mut Machine, s: &mut State, call: &Call) -> Step<Vec<Term>> {
    let (text, wanted) = (call.number(m, s, 0)?, call.number(m, s, 2)?);
    let (len, wanted_len) = (few(s, call.number(m, s, 1)?)?, few(s, call.number(m, s, 3)?)?);
    let mut hits = Vec::new();
    let Some(last) = len.checked_sub(wanted_len) else { return Ok(hits) };
    for start in 0..=last {
        let mut here = m.terms.true_();
        for i in 0..wanted_len {
            let x = element(m, s, text + 2 * u64::from(start + i), Repr::U2)?;
            let y = element(m, s, wanted + 2 * u64::from(i), Repr::U2)?;
            let same = m.terms.eq(x, y);
            here = m.terms.and(here, same);
            if m.terms.as_bool(here) == Some(false) {
                break;
            }
        }
        hits.push(here);
    }
    Ok(hits)
}

/// For each element whether it is one of the values; the length comes last.
fn any(m: &mut Machine, s: &mut State, call: &Call) -> Step<Vec<Term>> {
    let repr = call.generic_repr(m, s, 0)?;
    let last = call.args.len() - 1;
    let (start, len) = (call.number(m, s, 0)?, few(s, call.number(m, s, last)?)?);
    let values = (1..last).map(|i| value(m, s, call, i, repr)).collect::<Step<Vec<Term>>>()?;
    let mut hits = Vec::new();
    for i in 0..len {
        let element = element(m, s, start + u64::from(i) * u64::from(repr.size()), repr)?;
        let equal: Vec<Term> = values.iter().map(|value| m.terms.eq(element, *value)).collect();
        hits.push(m.terms.or_all(equal));
    }
    Ok(hits)
}

/// For each element whether it lies between two values, without a sign.
fn in_range(m: &mut Machine, s: &mut State, call: &Call) -> Step<Vec<Term>> {
    let repr = call.generic_repr(m, s, 0)?;
    let (start, len) = (call.number(m, s, 0)?, few(s, call.number(m, s, 3)?)?);
    let (low, high) = (value(m, s, call, 1, repr)?, value(m, s, call, 2, repr)?);
    let mut hits = Vec::new();
    for i in 0..len {
        let element = element(m, s, start + u64::from(i) * u64::from(repr.size()), repr)?;
        let above = m.terms.uge(element, low);
        let below = m.terms.ule(element, high);
        hits.push(m.terms.and(above, below));
    }
    Ok(hits)
}

fn value(m: &mut Machine, s: &State, call: &Call, index: usize, repr: Repr) -> Step<Term> {
    let value = call.value(s, index)?;
    let value = m.narrow(value, repr)?;
    m.integer_term(&value).ok_or_else(|| unsupported(s, "a search for something that is no integer"))
}

fn first(m: &mut Machine, hits: Vec<Term>) -> Value {
    let none = m.terms.bv(32, u128::from(u32::MAX));
    let found = first_of(m, hits.into_iter().enumerate().rev(), none);
    m.value_of(found)
}

fn last(m: &mut Machine, hits: Vec<Term>) -> Value {
    let none = m.terms.bv(32, u128::from(u32::MAX));
    let found = first_of(m, hits.into_iter().enumerate(), none);
    m.value_of(found)
}
