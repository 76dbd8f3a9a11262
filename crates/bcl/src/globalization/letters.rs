//! The other case of characters that are not known: tables of the runtime as decision diagrams. For exploration.
//!
//! In invariant mode the class library has tables of its own ([`crate::strings::characters`]).

use std::rc::Rc;

use culture::{Casing, Globalization};

use super::cultures::{Cultures, ask};
use crate::strings::characters::{Case, differences};
use term::Term;
use vm::diagram::Diagram;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;

/// Whose idea of case it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// The invariant culture's.
    Invariant,
    /// That of comparisons by number that do not see case. It knows upper case only.
    Ordinal,
}

/// What was asked for already.
#[derive(Clone, Default)]
pub(crate) struct LetterTables(Vec<(Letters, Case, Rc<Diagram>)>);

/// Characters of 16 bits in another case.
pub(crate) fn in_case(
    m: &mut Machine,
    s: &State,
    call: &Call,
    letters: Letters,
    case: Case,
    units: &[Term],
) -> Step<Vec<Term>> {
    if m.attached.get::<Cultures>().is_invariant() {
        return Ok(units.iter().map(|&unit| case.of(&mut m.terms, unit)).collect());
    }
    let table = table(m, s, call, letters, case)?;
    let change = |m: &mut Machine, unit| {
        let difference = table.at(&mut m.terms, unit, 16);
        m.terms.bvxor(unit, difference)
    };
    Ok(units.iter().map(|&unit| change(m, unit)).collect())
}

fn table(m: &mut Machine, s: &State, call: &Call, letters: Letters, case: Case) -> Step<Rc<Diagram>> {
    let known = m.attached.get::<LetterTables>();
    let found = known.0.iter().find(|(of, way, _)| (*of, *way) == (letters, case));
    if let Some((_, _, table)) = found {
        return Ok(Rc::clone(table));
    }
    let changed = match letters {
        Letters::Ordinal => ask(m, s, call, all_pages)?,
        Letters::Invariant => {
            let maps = ask(m, s, call, |runtime| runtime.case_maps(Casing::Invariant))?;
            let of = |unit| if case == Case::Upper { maps.upper(unit) } else { maps.lower(unit) };
            (0..=u16::MAX).map(of).collect()
        }
    };
    let table = Rc::new(differences((0..=u16::MAX).zip(changed)));
    m.attached.get_mut::<LetterTables>().0.push((letters, case, Rc::clone(&table)));
    Ok(table)
}

fn all_pages(runtime: &Globalization) -> Result<Vec<u16>, culture::Error> {
    let mut all = Vec::with_capacity(1 << 16);
    for page in 0..=u8::MAX {
        all.extend(runtime.ordinal_casing_page(page)?);
    }
    Ok(all)
}
