//! Hash codes of text that every process makes anew, from random numbers.
//!
//! A table of the class library only finds the bucket of a key with them, and whatever they are, the table holds the same:
//! so all keys share a bucket, and only their equality matters. The order in which some tables enumerate their keys depends
//! on them; where a path asks for it after that, it ends. What the program itself does with a hash code is not touched.

use crate::table::{Entry, enter};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

const MARVIN: &str = "System.Marvin";
const TABLE_CLASS: &str = "System.Collections.Hashtable";
const CONCURRENT: &str = "System.Collections.Concurrent.ConcurrentDictionary`2";

pub(crate) const TABLE: &[Entry] = &[
    enter(MARVIN, "ComputeHash32", hash),
    enter(MARVIN, "ComputeHash32OrdinalIgnoreCase", hash),
    enter("System.Collections.Hashtable+HashtableEnumerator", "MoveNext", in_order),
    enter(TABLE_CLASS, "CopyKeys", in_order),
    enter(TABLE_CLASS, "CopyValues", in_order),
    enter(TABLE_CLASS, "CopyEntries", in_order),
    enter(TABLE_CLASS, "ToKeyValuePairsArray", in_order),
    enter(CONCURRENT, "GetEnumerator", in_order),
    enter(CONCURRENT, "ToArray", in_order),
    enter(CONCURRENT, "CopyToPairs", in_order),
    enter(CONCURRENT, "CopyToEntries", in_order),
    enter(CONCURRENT, "CopyToObjects", in_order),
    enter(CONCURRENT, "GetKeys", in_order),
    enter(CONCURRENT, "GetValues", in_order),
];

/// Tables in which such hash codes say nothing but where a key lies.
const TABLES: &[&str] = &[
    TABLE_CLASS,
    CONCURRENT,
    "System.Collections.Generic.Dictionary`2",
    "System.Collections.Generic.HashSet`1",
    "System.Linq.Lookup`2",
];

/// Classes that make hash codes of texts and compare the texts themselves.
const COMPARERS: &[&str] = &[
    MARVIN,
    "System.String",
    "System.StringComparer",
    "System.OrdinalComparer",
    "System.OrdinalCaseSensitiveComparer",
    "System.OrdinalIgnoreCaseComparer",
    "System.CultureAwareComparer",
    "System.Globalization.CompareInfo",
    "System.Collections.Generic.NonRandomizedStringEqualityComparer",
    "System.Collections.Generic.RandomizedStringEqualityComparer",
    "System.Collections.Generic.StringEqualityComparer",
    "System.Collections.Generic.GenericEqualityComparer`1",
    "System.Text.RegularExpressions.RegexCache",
];

/// A key of this path has a bucket that depends on chance.
#[derive(Clone, Default)]
struct IsRandom(bool);

fn hash(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let Some(table) = asking_table(m, s) else { return m.enter_body(s, call, after) };
    if (table == TABLE_CLASS || table == CONCURRENT) && !s.attached.get::<IsRandom>().0 {
        s.attached.get_mut::<IsRandom>().0 = true;
    }
    m.returned(s, after, Some(Value::I32(0)))
}

/// The table of the class library that wants to know, if only its own comparers of texts stand between: where anybody else
/// makes the hash code or says what is equal, keys that are equal may lie in different buckets, and the number matters.
fn asking_table(m: &Machine, s: &State) -> Option<&'static str> {
    for frame in s.frames() {
        let owner = m.universe.definition(m.universe.method(frame.code.method).owner);
        if !m.is_framework(owner) {
            return None;
        }
        let name = m.universe.type_name(owner);
        if let Some(table) = TABLES.iter().copied().find(|table| *table == name) {
            // A class of the program that extends it may compare as it likes.
            let this = match frame.vars.first() {
                Some(Value::I64(this)) if *this != 0 => m.object_type(s, this.cast_unsigned()).ok()?,
                _ => return None,
            };
            return m.is_framework(m.universe.definition(this)).then_some(table);
        }
        if !COMPARERS.iter().any(|comparer| name == **comparer || name.starts_with(&format!("{comparer}+"))) {
            return None;
        }
    }
    None
}

fn in_order(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    if s.attached.get::<IsRandom>().0 {
        return Err(unsupported(s, "the order of a hash table, which every run makes anew"));
    }
    m.enter_body(s, call, after)
}
