//! Searches and comparisons of known bytes, which CoreCLR does in vectorized code: for programs.
//!
//! What is not known, or not where it should be, is left to the class library's own loops. Exploration has terms in the
//! place of these loops ([`crate::strings::comparison`], [`crate::strings::search`]).

use crate::table::{Entry, enter_one};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const SPANS: &str = "System.SpanHelpers";
const BYTES: &str = "System.Byte&,System.Byte&,System.UIntPtr";
const ONE: &str = "T&,T,System.Int32";
const TWO: &str = "T&,T,T,System.Int32";
const THREE: &str = "T&,T,T,T,System.Int32";
const FOUR: &str = "T&,T,T,T,T,System.Int32";
const FIVE: &str = "T&,T,T,T,T,T,System.Int32";
const TEXTS: &str = "System.Char&,System.Int32,System.Char&,System.Int32";

pub(crate) const TABLE: &[Entry] = &[
    enter_one(SPANS, "SequenceEqual", BYTES, |m, s, c, a| or_code(m, s, c, a, equal)),
    enter_one(SPANS, "SequenceCompareTo", TEXTS, |m, s, c, a| or_code(m, s, c, a, compare)),
    enter_one(SPANS, "IndexOf", TEXTS, |m, s, c, a| or_code(m, s, c, a, first_text)),
    enter_one(SPANS, "LastIndexOf", TEXTS, |m, s, c, a| or_code(m, s, c, a, last_text)),
    enter_one(SPANS, "IndexOfValueType", ONE, |m, s, c, a| or_code(m, s, c, a, first_any)),
    enter_one(SPANS, "LastIndexOfValueType", ONE, |m, s, c, a| or_code(m, s, c, a, last_any)),
    enter_one(SPANS, "ContainsValueType", ONE, |m, s, c, a| or_code(m, s, c, a, contains)),
    enter_one(SPANS, "CountValueType", ONE, |m, s, c, a| or_code(m, s, c, a, count)),
    enter_one(SPANS, "IndexOfAnyValueType", TWO, |m, s, c, a| or_code(m, s, c, a, first_any)),
    enter_one(SPANS, "IndexOfAnyValueType", THREE, |m, s, c, a| or_code(m, s, c, a, first_any)),
    enter_one(SPANS, "IndexOfAnyValueType", FOUR, |m, s, c, a| or_code(m, s, c, a, first_any)),
    enter_one(SPANS, "IndexOfAnyValueType", FIVE, |m, s, c, a| or_code(m, s, c, a, first_any)),
    enter_one(SPANS, "LastIndexOfAnyValueType", TWO, |m, s, c, a| or_code(m, s, c, a, last_any)),
    enter_one(SPANS, "LastIndexOfAnyValueType", THREE, |m, s, c, a| or_code(m, s, c, a, last_any)),
    enter_one(SPANS, "LastIndexOfAnyValueType", FOUR, |m, s, c, a| or_code(m, s, c, a, last_any)),
    enter_one(SPANS, "LastIndexOfAnyValueType", FIVE, |m, s, c, a| or_code(m, s, c, a, last_any)),
    enter_one(SPANS, "IndexOfAnyExceptValueType", ONE, |m, s, c, a| or_code(m, s, c, a, first_other)),
    enter_one(SPANS, "IndexOfAnyExceptValueType", TWO, |m, s, c, a| or_code(m, s, c, a, first_other)),
    enter_one(SPANS, "IndexOfAnyExceptValueType", THREE, |m, s, c, a| or_code(m, s, c, a, first_other)),
    enter_one(SPANS, "IndexOfAnyInRangeUnsignedNumber", TWO, |m, s, c, a| or_code(m, s, c, a, first_within)),
    enter_one(SPANS, "IndexOfAnyExceptInRangeUnsignedNumber", TWO, |m, s, c, a| {
        or_code(m, s, c, a, first_beyond)
    }),
];

/// The answer where everything is known, else what the method's code does.
fn or_code(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    after: OnReturn,
    answer: fn(&Machine, &State, &Call) -> Option<Value>,
) -> Step {
    match answer(m, s, call) {
        Some(value) => m.returned(s, after, Some(value)),
        None => m.enter_body(s, call, after),
    }
}

/// Two places and a number of bytes.
fn equal(_: &Machine, s: &State, call: &Call) -> Option<Value> {
    let len = number(call, 2)?;
    let (left, right) =
        (s.heap.known_bytes(number(call, 0)?, len)?, s.heap.known_bytes(number(call, 1)?, len)?);
    Some(Value::bool(left == right))
}

/// The difference of the first characters that differ, else of the lengths.
fn compare(_: &Machine, s: &State, call: &Call) -> Option<Value> {
    let (left, right) = texts(s, call)?;
    let differ = characters(left).zip(characters(right)).find(|(x, y)| x != y);
    let order = match differ {
        Some((x, y)) => i32::from(x) - i32::from(y),
        None => (left.len() / 2) as i32 - (right.len() / 2) as i32,
    };
    Some(Value::I32(order))
}

fn first_text(_: &Machine, s: &State, call: &Call) -> Option<Value> {
    let (text, wanted) = texts(s, call)?;
    Some(index(places(text, wanted).find(|at| begins(text, wanted, *at))))
}

fn last_text(_: &Machine, s: &State, call: &Call) -> Option<Value> {
    let (text, wanted) = texts(s, call)?;
    Some(index(places(text, wanted).rev().find(|at| begins(text, wanted, *at))))
}

/// Where the second text may begin in the first one.
fn places(text: &[u8], wanted: &[u8]) -> std::ops::Range<usize> {
    0..text.len().checked_sub(wanted.len()).map_or(0, |rest| rest / 2 + 1)
}

fn begins(text: &[u8], wanted: &[u8], at: usize) -> bool {
    text.get(2 * at..).is_some_and(|rest| rest.starts_with(wanted))
}

fn first_any(m: &Machine, s: &State, call: &Call) -> Option<Value> {
    Searched::of(m, s, call)?.first(|values, unit| values.contains(&unit))
}

fn last_any(m: &Machine, s: &State, call: &Call) -> Option<Value> {
    Searched::of(m, s, call)?.last(|values, unit| values.contains(&unit))
}

fn first_other(m: &Machine, s: &State, call: &Call) -> Option<Value> {
    Searched::of(m, s, call)?.first(|values, unit| !values.contains(&unit))
}

fn first_within(m: &Machine, s: &State, call: &Call) -> Option<Value> {
    let searched = Searched::of(m, s, call)?;
    searched.first(|values, unit| searched.is_within(values, unit))
}

fn first_beyond(m: &Machine, s: &State, call: &Call) -> Option<Value> {
    let searched = Searched::of(m, s, call)?;
    searched.first(|values, unit| !searched.is_within(values, unit))
}

fn contains(m: &Machine, s: &State, call: &Call) -> Option<Value> {
    let found = Searched::of(m, s, call)?.first(|values, unit| values.contains(&unit))?;
    Some(Value::bool(!matches!(found, Value::I32(-1))))
}

fn count(m: &Machine, s: &State, call: &Call) -> Option<Value> {
    let Searched { bytes, size, values } = Searched::of(m, s, call)?;
    let hits = bytes.chunks_exact(size).filter(|unit| values.contains(&little_endian(unit))).count();
    Some(Value::I32(i32::try_from(hits).ok()?))
}

/// Elements, and values that they are compared with: `(start, value…, length)`.
struct Searched<'a> {
    bytes: &'a [u8],
    size: usize,
    values: smallvec::SmallVec<[u64; 5]>,
}

impl<'a> Searched<'a> {
    fn of(m: &Machine, s: &'a State, call: &Call) -> Option<Searched<'a>> {
        let repr = call.generic_repr(m, s, 0).ok()?;
        let size = match repr {
            Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4 | Repr::I8 => repr.size() as usize,
            Repr::R4 | Repr::R8 | Repr::Ref | Repr::Struct { .. } => return None,
        };
        let last = call.args.len().checked_sub(1)?;
        let bytes = s.heap.known_bytes(number(call, 0)?, number(call, last)?.checked_mul(size as u64)?)?;
        let mask = u64::MAX >> (64 - 8 * size);
        let values = (1..last).map(|i| Some(number(call, i)? & mask)).collect::<Option<_>>()?;
        Some(Searched { bytes, size, values })
    }

    /// Whether it is no further above the low end than the high end is: a range may go round at zero.
    fn is_within(&self, values: &[u64], unit: u64) -> bool {
        let above = |number: u64, low: u64| number.wrapping_sub(low) & self.mask();
        matches!(values, [low, high, ..] if above(unit, *low) <= above(*high, *low))
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.size)
    }

    fn first(&self, is_hit: impl Fn(&[u64], u64) -> bool) -> Option<Value> {
        let is_hit = |unit: u64| is_hit(&self.values, unit);
        Some(index(match self.size {
            1 => self.bytes.iter().position(|unit| is_hit(u64::from(*unit))),
            2 => characters(self.bytes).position(|unit| is_hit(u64::from(unit))),
            size => self.bytes.chunks_exact(size).position(|unit| is_hit(little_endian(unit))),
        }))
    }

    fn last(&self, is_hit: impl Fn(&[u64], u64) -> bool) -> Option<Value> {
        let mut units = self.bytes.chunks_exact(self.size);
        Some(index(units.rposition(|unit| is_hit(&self.values, little_endian(unit)))))
    }
}

/// Two texts, each with its length.
fn texts<'a>(s: &'a State, call: &Call) -> Option<(&'a [u8], &'a [u8])> {
    let text = |at: usize| s.heap.known_bytes(number(call, at)?, number(call, at + 1)?.checked_mul(2)?);
    Some((text(0)?, text(2)?))
}

fn characters(bytes: &[u8]) -> impl ExactSizeIterator<Item = u16> + '_ {
    bytes.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]))
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn index(found: Option<usize>) -> Value {
    Value::I32(found.map_or(-1, |at| at as i32))
}

/// A number that is known; one of 32 bits has a sign.
fn number(call: &Call, index: usize) -> Option<u64> {
    match call.args.get(index)? {
        Value::I32(value) => Some(i64::from(*value).cast_unsigned()),
        Value::I64(value) => Some(value.cast_unsigned()),
        _ => None,
    }
}
