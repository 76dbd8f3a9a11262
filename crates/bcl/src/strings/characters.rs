//! What the class library knows of a character, as one term: for exploration only.
//!
//! Its tables would be read at a symbolic index, with one path for each character. Here the answers for all characters,
//! taken from the runtime itself (`characters/*.bin`, compared with it by a test), are decision diagrams. The runtime's
//! version decides about Unicode's: with any other one the class library's own code runs.

use std::sync::LazyLock;

use term::{Term, Terms};

use crate::globalization::Cultures;
use crate::globalization::letters::{Letters, in_case};
use crate::table::{Entry, enter_one};
use vm::Flavor;
use vm::diagram::Diagram;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const CHAR: &str = "System.Char";
const UNICODE: &str = "System.Globalization.CharUnicodeInfo";
const INVARIANT: &str = "System.Globalization.InvariantModeCasing";
const TEXTS: &str = "System.Globalization.TextInfo";

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
    enter_one(CHAR, "ToLowerInvariant", CHAR, lower),
    enter_one(INVARIANT, "ToLower", CHAR, lower),
    enter_one(TEXTS, "ToLower", CHAR, |m, s, call, after| of_culture(m, s, call, after, Case::Lower)),
    enter_one(CHAR, "ToUpperInvariant", CHAR, upper),
    enter_one(INVARIANT, "ToUpper", CHAR, upper),
    enter_one(TEXTS, "ToUpper", CHAR, |m, s, call, after| of_culture(m, s, call, after, Case::Upper)),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
}

impl Case {
    /// What a character of 16 bits becomes in invariant mode.
    pub fn of(self, terms: &mut Terms, c: Term) -> Term {
        let diagram = match self {
            Case::Lower => &*LOWER_DIAGRAM,
            Case::Upper => &*UPPER_DIAGRAM,
        };
        let difference = diagram.at(terms, c, 16);
        terms.bvxor(c, difference)
    }
}

fn changes(table: &[u8]) -> Diagram {
    differences(pairs(table).map(|[from, to]| (from, to)))
}

/// The bits that differ, which are few, for each character that changes.
pub(crate) fn differences(changes: impl Iterator<Item = (u16, u16)>) -> Diagram {
    let mut values = vec![0; CHARACTERS];
    for (from, to) in changes {
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
    let Some(c) = symbolic(m, s, call, 0)? else { return m.enter_body(s, call, after) };
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
    let Some(c) = symbolic(m, s, call, 0)? else { return m.enter_body(s, call, after) };
    in_case_of(m, s, call, after, case, c)
}

/// `(this, character)`: the invariant culture is known, others are left to the class library.
fn of_culture(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn, case: Case) -> Step {
    match symbolic(m, s, call, 1)? {
        Some(c) if is_of_invariant_culture(m, s, call)? => in_case_of(m, s, call, after, case, c),
        _ => m.enter_body(s, call, after),
    }
}

fn in_case_of(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn, case: Case, c: Term) -> Step {
    let changed = in_case(m, s, call, Letters::Invariant, case, &[c])?;
    let wide = changed.first().map_or(c, |changed| m.terms.zext(*changed, 32));
    let value = m.value_of(wide);
    m.returned(s, after, Some(value))
}

/// Whether `this` is the `TextInfo` of the invariant culture; in invariant mode every one is.
pub(crate) fn is_of_invariant_culture(m: &mut Machine, s: &State, call: &Call) -> Step<bool> {
    if m.attached.get::<Cultures>().is_invariant() {
        return Ok(true);
    }
    let this = call.number(m, s, 0)?;
    let Value::I64(name) = m.load_field(s, this, "_cultureName", Repr::Ref)? else { return Ok(false) };
    Ok(m.text(s, name.cast_unsigned())?.is_empty())
}

/// The character as a term of 16 bits, if it is not known and the tables speak of this runtime.
fn symbolic(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<Option<Term>> {
    match call.value(s, index)? {
        Value::Term(c) if knows_characters(m) => Ok(Some(m.terms.extract(c, 15, 0))),
        _ => Ok(None),
    }
}

pub(crate) fn knows_characters(m: &Machine) -> bool {
    m.flavor() == Flavor::CoreClr { major: MAJOR }
}
