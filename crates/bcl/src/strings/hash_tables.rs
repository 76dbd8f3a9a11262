//! Hash tables of the class library: only whether keys are equal matters, and not where their hash codes put them. For
//! exploration only.
//!
//! Remainders of numbers that are not known would split every path. So keys share a bucket, and are told apart by their
//! equality; [`crate::strings::hashing`] does the same for hash codes that are seeded by chance. Where the order of buckets
//! shows, the path that is run once more has the right one.

use types::TypeId;

use crate::table::{Entry, all, enter_one};
use verdict::Assumption;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

/// Buckets of a small table.
const SMALL_TABLE: i32 = 37;

/// What the names of tables start with that enumerate their entries in the order in which they came. Others show their
/// buckets.
const IN_ORDER: &str = "System.Collections.Generic.";

pub(crate) const TABLE: &[Entry] = &[
    all("System.Collections.HashHelpers", "FastMod", bucket),
    enter_one("System.Collections.Hashtable", "GetHash", "System.Object", hash_of_key),
];

/// Takes note that a path may not show the order of a table as it is.
fn note_order(m: &mut Machine, s: &mut State, table: TypeId) {
    s.path.guessed_text = true;
    let name = m.universe.type_name(table);
    if !name.starts_with(IN_ORDER) {
        m.assume(Assumption::UsualText, |_| "the order of a hash table does not matter".to_owned());
    }
}

/// `value % divisor`, which the class library computes by a multiplication to find the bucket of a key. In a small table
/// all keys share one bucket.
fn bucket(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (value, divisor) = (call.value(s, 0)?, call.value(s, 1)?);
    if matches!(divisor, Value::I32(1..=SMALL_TABLE)) {
        let table = m.universe.definition(m.universe.method(s.top.code.method).owner);
        note_order(m, s, table);
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
    // A class of the program may compare as it likes.
    let class = m.object_type(s, table)?;
    if !m.is_framework(class) {
        return Ok(false);
    }
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
