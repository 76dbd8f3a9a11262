//! What the class library knows of a character, as one term: for exploration only.
//!
//! Its tables would be read at a symbolic index, with one path for each character. Here the answers for all characters,
//! taken from the runtime itself (`characters/*.bin`, compared with it by a test), are decision diagrams. The runtime's
//! version decides about Unicode's: with any other one the class library's own code runs.

use std::sync::LazyLock;

use term::{Term, Terms};

use crate::table::{Entry, enter_one};
use vm::Flavor;
use vm::diagram::Diagram;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

const CHAR: &str = "System.Char";
const UNICODE: &str = "System.Globalization.CharUnicodeInfo";
const INVARIANT: &str = "System.Globalization.InvariantModeCasing";

pub(crate) const TABLE: &[Entry] = &[
    enter_one(CHAR, "IsControl", CHAR, kind::<0>),
    enter_one(CHAR, "IsDigit", CHAR, kind::<1>),
    enter_one(CHAR, "IsLetter", CHAR, kind::<2>),
    enter_one(CHAR, "IsLetterOrDigit", CHAR, kind::<3>),
    enter_one(CHAR, "IsLower", CHAR, kind::<4>),
    enter_one(CHAR, "IsNumber", CHAR, kind::<5>),
    enter_one(CHAR, "IsPunctuation", CHAR, kind::<6>),
    enter_one(CHAR, "IsSeparator", CHAR, kind::<7>),
    enter_one(CHAR, "IsSymbol", CHAR, kind::<8>),
    enter_one(CHAR, "IsUpper", CHAR, kind::<9>),
    enter_one(CHAR, "IsWhiteSpace", CHAR, kind::<10>),
    enter_one(CHAR, "GetUnicodeCategory", CHAR, kind::<CATEGORY>),
    enter_one(UNICODE, "GetUnicodeCategory", CHAR, kind::<CATEGORY>),
    enter_one(CHAR, "ToLower", CHAR, lower),
    enter_one(CHAR, "ToLowerInvariant", CHAR, lower),
    enter_one(INVARIANT, "ToLower", CHAR, lower),
    enter_one(CHAR, "ToUpper", CHAR, upper),
    enter_one(CHAR, "ToUpperInvariant", CHAR, upper),
    enter_one(INVARIANT, "ToUpper", CHAR, upper),
];

/// The version of .NET that the tables come from.
const MAJOR: u16 = 10;
/// The number of the first bit of the category; the bits before it are answers of yes and no.
const CATEGORY: usize = 11;
const CHARACTERS: usize = 1 << 16;

/// Runs of equal answers: the first character and the bits, two little-endian numbers of 16 bits each.
static KINDS: &[u8] = include_bytes!("characters/kinds.bin");
/// Characters that change, and what to.
static LOWER: &[u8] = include_bytes!("characters/lower.bin");
static UPPER: &[u8] = include_bytes!("characters/upper.bin");

static KIND_DIAGRAMS: LazyLock<Vec<Diagram>> = LazyLock::new(|| {
    let mut bits = vec![0u16; CHARACTERS];
    for [first, run] in pairs(KINDS) {
        bits[usize::from(first)..].fill(run);
    }
    let of = |shift: usize, mask: u16| {
        let values: Vec<u64> = bits.iter().map(|bits| u64::from(bits >> shift & mask)).collect();
        Diagram::of(&values)
    };
    (0..CATEGORY).map(|kind| of(kind, 1)).chain([of(CATEGORY, 0x1f)]).collect()
});
static LOWER_DIAGRAM: LazyLock<Diagram> = LazyLock::new(|| changes(LOWER));
static UPPER_DIAGRAM: LazyLock<Diagram> = LazyLock::new(|| changes(UPPER));

/// Which way a character changes.
#[derive(Clone, Copy)]
pub(crate) enum Case {
    Lower,
    Upper,
}

impl Case {
    /// What a character of 16 bits becomes.
    pub fn of(self, terms: &mut Terms, c: Term) -> Term {
        let diagram = match self {
            Case::Lower => &*LOWER_DIAGRAM,
            Case::Upper => &*UPPER_DIAGRAM,
        };
        let difference = diagram.at(terms, c, 16);
        terms.bvxor(c, difference)
    }
}

/// The bits that differ, which are few.
fn changes(table: &[u8]) -> Diagram {
    let mut values = vec![0; CHARACTERS];
    for [from, to] in pairs(table) {
        values[usize::from(from)] = u64::from(from ^ to);
    }
    Diagram::of(&values)
}

fn pairs(table: &[u8]) -> impl Iterator<Item = [u16; 2]> {
    let numbers = table.chunks_exact(4);
    numbers.map(|n| [u16::from_le_bytes([n[0], n[1]]), u16::from_le_bytes([n[2], n[3]])])
}

/// A truth value or a category.
fn kind<const KIND: usize>(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let Some(c) = symbolic(m, s, call)? else { return m.enter_body(s, call, after) };
    let answer = KIND_DIAGRAMS[KIND].at(&mut m.terms, c, 32);
    let answer = m.value_of(answer);
    m.returned(s, after, Some(answer))
}

fn lower(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    changed(m, s, call, after, Case::Lower)
}

fn upper(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    changed(m, s, call, after, Case::Upper)
}

fn changed(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn, case: Case) -> Step {
    let Some(c) = symbolic(m, s, call)? else { return m.enter_body(s, call, after) };
    let changed = case.of(&mut m.terms, c);
    let wide = m.terms.zext(changed, 32);
    let value = m.value_of(wide);
    m.returned(s, after, Some(value))
}

/// The character as a term of 16 bits, if it is not known and the tables speak of this runtime.
fn symbolic(m: &mut Machine, s: &State, call: &Call) -> Step<Option<Term>> {
    match call.value(s, 0)? {
        Value::Term(c) if knows_characters(m) => Ok(Some(m.terms.extract(c, 15, 0))),
        _ => Ok(None),
    }
}

pub(crate) fn knows_characters(m: &Machine) -> bool {
    m.flavor() == Flavor::CoreClr { major: MAJOR }
}
