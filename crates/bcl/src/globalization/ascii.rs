//! Texts that are not known, compared and searched as a locale does it: terms over their characters. For exploration.
//!
//! As long as every character is one of ASCII that counts, and no pair or triple has weights of its own, the order of two
//! texts is that of the weights of their characters, level by level, and a search goes character by character. The tables
//! are `culture::AsciiOrder`, taken from the runtime and tried against it.

use std::rc::Rc;

use culture::AsciiOrder;

use super::cultures::{Cultures, ask};
use term::Term;
use vm::diagram::Diagram;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;

/// Tables by locale and options; none where a locale has no such table.
pub type Orders = Vec<(String, i32, Option<Rc<AsciiTerms>>)>;

pub struct AsciiTerms {
    /// Whether a character counts and the tables say how.
    counts: Diagram,
    levels: Vec<Diagram>,
    /// The same number for characters that a search takes for the same; none if searches are not so simple.
    classes: Option<Diagram>,
    /// Pairs and triples that are more than their characters.
    contractions: Vec<Vec<u8>>,
}

/// ASCII has seven bits.
const BITS: u32 = 7;
const CHARACTERS: u16 = 1 << BITS;
const LEVELS: usize = 3;
/// With a line feed behind it, it is one character for searches.
const CARRIAGE_RETURN: u16 = 13;

/// The tables of a locale, if there are any.
pub fn terms_of(
    m: &mut Machine,
    s: &State,
    call: &Call,
    locale: &str,
    options: i32,
) -> Step<Option<Rc<AsciiTerms>>> {
    let known = m.attached.get::<Cultures>();
    let found = known.orders.iter().find(|(name, of, _)| name == locale && *of == options);
    if let Some((_, _, terms)) = found {
        return Ok(terms.clone());
    }
    let order = ask(m, s, call, |runtime| runtime.ascii_order(locale, options))?;
    let terms = order.map(|order| Rc::new(AsciiTerms::of(&order)));
    m.attached.get_mut::<Cultures>().orders.push((locale.to_owned(), options, terms.clone()));
    Ok(terms)
}

impl AsciiTerms {
    fn of(order: &AsciiOrder) -> AsciiTerms {
        let table = |of: &dyn Fn(u16) -> u64| Diagram::of(&(0..CHARACTERS).map(of).collect::<Vec<u64>>());
        let level = |level: usize| {
            table(&|unit| order.ranks(unit).and_then(|ranks| ranks.get(level).copied()).map_or(0, u64::from))
        };
        let class =
            |classes: &[u8]| table(&|unit| classes.get(usize::from(unit)).copied().map_or(0, u64::from));
        AsciiTerms {
            counts: table(&|unit| u64::from(order.ranks(unit).is_some() && unit != CARRIAGE_RETURN)),
            levels: (0..LEVELS).map(level).collect(),
            classes: order.search_classes().map(class),
            contractions: order.contractions().map(<[u8]>::to_vec).collect(),
        }
    }

    /// Whether the tables say all about this text: characters of 16 bits.
    pub fn covers(&self, m: &mut Machine, text: &[Term]) -> Term {
        let mut covered = m.terms.true_();
        let beyond = m.terms.bv(16 - BITS, 0);
        let counted = m.terms.bv(1, 1);
        for &unit in text {
            let top = m.terms.extract(unit, 15, BITS);
            let is_ascii = m.terms.eq(top, beyond);
            let counts = self.counts.at(&mut m.terms, unit, 1);
            let counts = m.terms.eq(counts, counted);
            covered = m.terms.and(covered, is_ascii);
            covered = m.terms.and(covered, counts);
        }
        for part in &self.contractions {
            for place in text.windows(part.len()) {
                let same = are(m, place, part);
                let other = m.terms.not(same);
                covered = m.terms.and(covered, other);
            }
        }
        covered
    }

    /// -1, 0 or 1 in 32 bits, for covered texts.
    pub fn order(&self, m: &mut Machine, a: &[Term], b: &[Term]) -> Term {
        let zero = m.terms.bv(32, 0);
        let mut order = zero;
        for level in self.levels.iter().rev() {
            let here = order_at(m, level, a, b);
            let equal = m.terms.eq(here, zero);
            order = m.terms.ite(equal, order, here);
        }
        order
    }

    /// For each place of the source whether the target is there, for covered texts. None if searches are not so simple.
    pub fn hits(&self, m: &mut Machine, target: &[Term], source: &[Term]) -> Option<Vec<Term>> {
        let classes = self.classes.as_ref()?;
        let of = |m: &mut Machine, text: &[Term]| -> Vec<Term> {
            text.iter().map(|&unit| classes.at(&mut m.terms, unit, 8)).collect()
        };
        let (target, source) = (of(m, target), of(m, source));
        let mut hits = Vec::new();
        for place in source.windows(target.len().max(1)) {
            let mut here = m.terms.true_();
            for (&x, &y) in place.iter().zip(&target) {
                let same = m.terms.eq(x, y);
                here = m.terms.and(here, same);
            }
            hits.push(here);
        }
        Some(hits)
    }
}

/// The first ranks that differ decide, else the lengths.
fn order_at(m: &mut Machine, level: &Diagram, a: &[Term], b: &[Term]) -> Term {
    let (less, more) = (m.terms.bv(32, u128::from(u32::MAX)), m.terms.bv(32, 1));
    let mut order = match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => less,
        std::cmp::Ordering::Equal => m.terms.bv(32, 0),
        std::cmp::Ordering::Greater => more,
    };
    for (&x, &y) in a.iter().zip(b).rev() {
        let (x, y) = (level.at(&mut m.terms, x, 8), level.at(&mut m.terms, y, 8));
        let (same, below) = (m.terms.eq(x, y), m.terms.ult(x, y));
        let different = m.terms.ite(below, less, more);
        order = m.terms.ite(same, order, different);
    }
    order
}

fn are(m: &mut Machine, text: &[Term], part: &[u8]) -> Term {
    let mut all = m.terms.true_();
    for (&unit, &byte) in text.iter().zip(part) {
        let known = m.terms.bv(16, u128::from(byte));
        let same = m.terms.eq(unit, known);
        all = m.terms.and(all, same);
    }
    all
}
