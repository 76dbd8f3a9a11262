//! How a locale orders texts of ASCII, as tables: what a symbolic comparison needs, since it cannot ask about texts that
//! it does not know.
//!
//! A text is compared level by level (letters, accents, case); at each level its characters have weights that are
//! compared from left to right. That is all there is to it as long as no sequence of characters has weights of its
//! own (a contraction, such as `ch` in Czech). Everything comes from the runtime's sort keys:
//!
//! 1. the keys of single characters give the ranks; a character whose key is that of the empty text is ignored;
//! 2. the keys of all pairs tell which of them are contractions: the weights of a pair must be those of its characters,
//!    one after the other, as ICU writes them (it leaves a first byte out where it repeats itself);
//! 3. so do the keys of long texts that hold all triples of printable characters without such a pair (`c'h` in Breton);
//! 4. the tables are tried on thousands of texts against the runtime's own comparison. If one answer differs, there is
//!    no table for this locale;
//! 5. the runtime's search tells which characters it takes for the same, and that is tried as well.

mod keys;
mod searching;
mod trial;

use std::{cmp::Ordering, collections::BTreeSet};

use crate::{Error, Globalization};
use keys::{Key, Pairs};

/// Characters of the tables: ASCII.
pub const CHARACTERS: usize = 128;
const LEVELS: usize = 3;
/// Those under which the class library searches: not `NumericOrdering`, not `StringSort`.
const SEARCH_OPTIONS: i32 = 31;

/// The order of texts whose characters are all ASCII and that contain no contraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsciiOrder {
    /// For each character its ranks on the levels, the first one most important. Characters of one rank are equal there.
    ranks: Vec<[u8; LEVELS]>,
    /// Characters that do not count.
    ignored: Vec<bool>,
    /// Pairs and triples that are more than their characters.
    contractions: BTreeSet<Vec<u8>>,
    search_classes: Option<Vec<u8>>,
}

impl AsciiOrder {
    /// None for a text that the tables say nothing about.
    pub fn compare(&self, a: &[u16], b: &[u16]) -> Option<Ordering> {
        let (a, b) = (self.weights(a)?, self.weights(b)?);
        let level =
            |level: usize| a.iter().filter_map(|w| w.get(level)).cmp(b.iter().filter_map(|w| w.get(level)));
        Some((0..LEVELS).map(level).find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    }

    /// All places of the source where a search finds the target, each with as many units as the target has. None if the
    /// tables say nothing, also where a character is ignored: then a match may be longer.
    pub fn places(&self, target: &[u16], source: &[u16]) -> Option<Vec<usize>> {
        let counts = |text: &[u16]| self.covers(text) && !text.iter().any(|&unit| self.is_ignored(unit));
        let classes = self.search_classes.as_ref().filter(|_| counts(target) && counts(source))?;
        searching::places(classes, target, source)
    }

    /// For each character the first one that a search takes for the same; none if searches are not so simple.
    pub fn search_classes(&self) -> Option<&[u8]> {
        self.search_classes.as_deref()
    }

    /// The ranks of a character on all levels; none if it is ignored or not ASCII.
    pub fn ranks(&self, unit: u16) -> Option<[u8; LEVELS]> {
        let at = usize::from(unit);
        self.ranks.get(at).copied().filter(|_| !self.is_ignored(unit))
    }

    /// Whether texts are compared as if the character was not there.
    pub fn is_ignored(&self, unit: u16) -> bool {
        self.ignored.get(usize::from(unit)).copied().unwrap_or_default()
    }

    /// Two or three characters each. A text that contains one is not covered.
    pub fn contractions(&self) -> impl Iterator<Item = &[u8]> {
        self.contractions.iter().map(Vec::as_slice)
    }

    /// Whether the tables say how this text compares.
    pub fn covers(&self, text: &[u16]) -> bool {
        let bytes: Option<Vec<u8>> =
            text.iter().map(|&unit| u8::try_from(unit).ok().filter(u8::is_ascii)).collect();
        let Some(bytes) = bytes else { return false };
        self.contractions.is_empty()
            || (2..=3).all(|length| bytes.windows(length).all(|part| !self.contractions.contains(part)))
    }

    fn weights(&self, text: &[u16]) -> Option<Vec<[u8; LEVELS]>> {
        self.covers(text).then(|| text.iter().filter_map(|&unit| self.ranks(unit)).collect())
    }
}

impl Globalization {
    /// The tables of a locale, if it has such. Takes some tenths of a second; the caller keeps them.
    pub fn ascii_order(&self, locale: &str, options: i32) -> Result<Option<AsciiOrder>, Error> {
        let Some(singles) = single_keys(self, locale, options)? else { return Ok(None) };
        let pairs = Pairs::ask(self, locale, options, &singles)?;
        let mut contractions = pairs.contractions();
        let Some(triples) = pairs.triples(self, locale, options, &contractions)? else { return Ok(None) };
        contractions.extend(triples);
        let ignored = singles.iter().map(Key::is_empty).collect();
        let mut order = AsciiOrder { ranks: ranks(&singles), ignored, contractions, search_classes: None };
        if !trial::holds(&order, self, locale, options)? {
            return Ok(None);
        }
        if options & !SEARCH_OPTIONS == 0 {
            order.search_classes = searching::classes(&order, self, locale, options)?;
        }
        Ok(Some(order))
    }
}

/// None: a character has only weights of the lower levels, which could stand with another's, or there are more levels.
fn single_keys(asked: &Globalization, locale: &str, options: i32) -> Result<Option<Vec<Key>>, Error> {
    let texts: Vec<[u16; 1]> = (0..CHARACTERS as u16).map(|unit| [unit]).collect();
    let texts: Vec<&[u16]> = texts.iter().map(<[u16; 1]>::as_slice).collect();
    let keys: Vec<Key> = asked.sort_keys(locale, &texts, options)?.iter().map(|key| Key::read(key)).collect();
    let plain =
        keys.iter().all(|key| !key.has_more_than(LEVELS) && (key.is_empty() || !key.level(0).is_empty()));
    Ok(plain.then_some(keys))
}

/// On each level the rank of a character's weights among all that occur.
fn ranks(singles: &[Key]) -> Vec<[u8; LEVELS]> {
    let levels: [BTreeSet<&[u8]>; LEVELS] =
        std::array::from_fn(|level| singles.iter().map(|key| key.level(level)).collect());
    let rank = |key: &Key, level: usize| {
        let below = levels.get(level).map_or(0, |all| all.range(..key.level(level)).count());
        u8::try_from(below).unwrap_or(u8::MAX)
    };
    singles.iter().map(|key| std::array::from_fn(|level| rank(key, level))).collect()
}
