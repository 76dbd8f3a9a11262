//! Sort keys taken apart: which sequences of characters have weights of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::CHARACTERS;
use crate::{Error, Globalization};

/// Between two levels.
const SEPARATOR: u8 = 1;
/// ICU writes one of these where a first byte that it left out so far changes.
const CHANGES: [u8; 2] = [0x03, 0xff];
const PRINTABLE: std::ops::RangeInclusive<u8> = b' '..=b'~';

/// A key in its levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    levels: Vec<Vec<u8>>,
}

impl Key {
    pub fn read(bytes: &[u8]) -> Key {
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        Key { levels: bytes.split(|&byte| byte == SEPARATOR).map(<[u8]>::to_vec).collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.levels.iter().all(Vec::is_empty)
    }

    pub fn level(&self, level: usize) -> &[u8] {
        self.levels.get(level).map(Vec::as_slice).unwrap_or_default()
    }

    /// Weights below the levels of the tables.
    pub fn has_more_than(&self, levels: usize) -> bool {
        self.levels.get(levels..).is_some_and(|more| !more.is_empty())
    }

    /// The levels below the first one.
    fn lower(&self) -> &[Vec<u8>] {
        self.levels.get(1..).unwrap_or_default()
    }
}

/// What a second character adds to the first one's weights.
pub struct Pairs<'a> {
    singles: &'a [Key],
    /// For each pair the bytes on the first level behind those of its first character. None: a contraction.
    added: Vec<Option<Vec<u8>>>,
    /// The same for contractions when an ignored character stands between the two.
    apart: BTreeMap<usize, Vec<u8>>,
}

impl<'a> Pairs<'a> {
    pub fn ask(
        asked: &Globalization,
        locale: &str,
        options: i32,
        singles: &'a [Key],
    ) -> Result<Pairs<'a>, Error> {
        let keys = keys(asked, locale, options, &all_pairs())?;
        let mut lower_of = BTreeMap::new();
        let sides = singles.iter().flat_map(|first| singles.iter().map(move |second| (first, second)));
        let added = sides
            .zip(&keys)
            .map(|((first, second), key)| {
                let added = added(first, second, key)?;
                // The lower levels of a pair depend on those of its characters alone, and on which of them count.
                let same = lower_of
                    .entry([first, second].map(|side| (side.is_empty(), side.lower().to_vec())))
                    .or_insert_with(|| key.lower().to_vec());
                (same == key.lower()).then_some(added)
            })
            .collect();
        let mut pairs = Pairs { singles, added, apart: BTreeMap::new() };
        pairs.ask_apart(asked, locale, options)?;
        Ok(pairs)
    }

    fn ask_apart(&mut self, asked: &Globalization, locale: &str, options: i32) -> Result<(), Error> {
        let Some(ignored) = self.singles.iter().position(Key::is_empty) else { return Ok(()) };
        let pairs: Vec<Vec<u8>> = self.contractions().into_iter().collect();
        let texts: Vec<Vec<u16>> = pairs
            .iter()
            .map(|pair| pair.iter().flat_map(|&byte| [u16::from(byte), ignored as u16]).collect())
            .collect();
        for (pair, key) in pairs.iter().zip(keys(asked, locale, options, &texts)?) {
            let &[first, second] = pair.as_slice() else { continue };
            let [first, second] = [first, second].map(usize::from);
            let (Some(one), Some(two)) = (self.singles.get(first), self.singles.get(second)) else {
                continue;
            };
            if let Some(bytes) = added(one, two, &key) {
                self.apart.insert(first * CHARACTERS + second, bytes);
            }
        }
        Ok(())
    }

    pub fn contractions(&self) -> BTreeSet<Vec<u8>> {
        let all =
            (0..CHARACTERS as u8).flat_map(|first| (0..CHARACTERS as u8).map(move |second| [first, second]));
        all.zip(&self.added).filter(|(_, added)| added.is_none()).map(|(pair, _)| pair.to_vec()).collect()
    }

    /// The triples of printable characters that are contractions although their pairs are none. None: there is no way to
    /// find out.
    pub fn triples(
        &self,
        asked: &Globalization,
        locale: &str,
        options: i32,
        pairs: &BTreeSet<Vec<u8>>,
    ) -> Result<Option<BTreeSet<Vec<u8>>>, Error> {
        let Some(separator) = self.separator(pairs) else { return Ok(None) };
        let mut found = BTreeSet::new();
        for first in PRINTABLE {
            let mut parts = vec![self.candidates(first, separator, pairs)];
            // A text that is not what its pairs say is halved until the triple is alone.
            while let Some(part) = parts.pop() {
                let text: Vec<u8> = part.iter().flatten().copied().collect();
                if part.is_empty() || self.is_as_expected(asked, locale, options, &text)? {
                    continue;
                }
                match part.as_slice() {
                    [[_, a, b, c]] => _ = found.insert(vec![*a, *b, *c]),
                    _ => {
                        let (left, right) = part.split_at(part.len() / 2);
                        parts.extend([left.to_vec(), right.to_vec()]);
                    }
                }
            }
        }
        Ok(Some(found))
    }

    /// Triples with this first character, a separator before each.
    fn candidates(&self, first: u8, separator: u8, pairs: &BTreeSet<Vec<u8>>) -> Vec<[u8; 4]> {
        let free = |a, b| !pairs.contains([a, b].as_slice());
        let seconds = PRINTABLE.filter(|&second| free(first, second));
        seconds
            .flat_map(|second| {
                PRINTABLE
                    .filter(move |&third| free(second, third))
                    .map(move |third| [separator, first, second, third])
            })
            .collect()
    }

    /// A character that counts and is part of no contraction.
    fn separator(&self, pairs: &BTreeSet<Vec<u8>>) -> Option<u8> {
        let counts = |c: u8| self.singles.get(usize::from(c)).is_some_and(|key| !key.is_empty());
        PRINTABLE.rev().find(|&c| counts(c) && pairs.iter().all(|pair| !pair.contains(&c)))
    }

    fn is_as_expected(
        &self,
        asked: &Globalization,
        locale: &str,
        options: i32,
        text: &[u8],
    ) -> Result<bool, Error> {
        let units: Vec<u16> = text.iter().map(|&byte| byte.into()).collect();
        let key = Key::read(&asked.sort_key(locale, &units, options)?);
        Ok(self.expected(text).is_some_and(|expected| expected == key.level(0)))
    }

    /// The first level of a text without contractions.
    fn expected(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut before: Option<(usize, usize)> = None;
        for (place, &character) in text.iter().enumerate() {
            let at = usize::from(character);
            let single = self.singles.get(at)?;
            if single.is_empty() {
                continue;
            }
            let Some((last_place, last)) = before.replace((place, at)) else {
                bytes.extend(single.level(0));
                continue;
            };
            let pair = last * CHARACTERS + at;
            let together = self.added.get(pair)?.as_ref();
            let apart = self.apart.get(&pair).filter(|_| last_place + 1 < place);
            bytes.extend(together.or(apart)?);
        }
        Some(bytes)
    }
}

fn all_pairs() -> Vec<Vec<u16>> {
    let all = 0..CHARACTERS as u16;
    all.clone().flat_map(|first| all.clone().map(move |second| vec![first, second])).collect()
}

fn keys(asked: &Globalization, locale: &str, options: i32, texts: &[Vec<u16>]) -> Result<Vec<Key>, Error> {
    let texts: Vec<&[u16]> = texts.iter().map(Vec::as_slice).collect();
    Ok(asked.sort_keys(locale, &texts, options)?.iter().map(|key| Key::read(key)).collect())
}

/// What the second character adds on the first level; none if it is not what it has alone.
fn added(first: &Key, second: &Key, pair: &Key) -> Option<Vec<u8>> {
    let (first, second) = (first.level(0), second.level(0));
    let added = pair.level(0).strip_prefix(first)?;
    let shortened = second.get(1..).filter(|_| first.first() == second.first());
    let changed = added.split_first().is_some_and(|(byte, rest)| CHANGES.contains(byte) && rest == second);
    (added == second || shortened == Some(added) || changed).then(|| added.to_vec())
}
