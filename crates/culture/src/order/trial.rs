//! The tables tried on texts against the runtime's own comparison. The texts follow from a fixed seed.

use super::{AsciiOrder, searching};
use crate::{Error, Globalization};

/// Pairs of texts that are compared.
const PAIRS: usize = 3000;
/// Searches that are tried.
const SEARCHES: usize = 1000;

pub fn holds(order: &AsciiOrder, asked: &Globalization, locale: &str, options: i32) -> Result<bool, Error> {
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    let mut texts: Vec<(Vec<u16>, Vec<u16>)> = (0..PAIRS).map(|_| similar_texts(&mut numbers)).collect();
    texts.extend(torn_contractions(order, &mut numbers));
    let pairs: Vec<(&[u16], &[u16])> = texts.iter().map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
    let answers = asked.compare_strings(locale, &pairs, options)?;
    let agrees = |(a, b): &(&[u16], &[u16]), answer: i32| {
        order.compare(a, b).is_none_or(|expected| expected == answer.cmp(&0))
    };
    Ok(pairs.iter().zip(answers).all(|(pair, answer)| agrees(pair, answer)))
}

/// The same for searches from both ends.
pub fn finds(
    order: &AsciiOrder,
    classes: &[u8],
    asked: &Globalization,
    locale: &str,
    options: i32,
) -> Result<bool, Error> {
    let mut numbers = Numbers(0x0fed_cba9_8765_4321);
    let texts: Vec<(Vec<u16>, Vec<u16>)> = (0..SEARCHES).map(|_| part_and_text(&mut numbers)).collect();
    let counts = |text: &[u16]| order.covers(text) && !text.iter().any(|&unit| order.is_ignored(unit));
    let searches: Vec<(&[u16], &[u16])> = texts
        .iter()
        .map(|(part, text)| (part.as_slice(), text.as_slice()))
        .filter(|(part, text)| counts(part) && counts(text))
        .collect();
    let found = asked.indexes_of(locale, &searches, options)?;
    let agrees = |(part, text): &(&[u16], &[u16]), found: i32| {
        let places = searching::places(classes, part, text).unwrap_or_default();
        usize::try_from(found).ok() == places.first().copied()
    };
    Ok(searches.iter().zip(found).all(|(search, found)| agrees(search, found)))
}

/// One or two characters, and a text in which they may be, in one case or the other.
fn part_and_text(numbers: &mut Numbers) -> (Vec<u16>, Vec<u16>) {
    let mut text: Vec<u16> = (0..=numbers.below(8)).map(|_| numbers.character()).collect();
    let start = numbers.below(text.len());
    let part = text.iter().skip(start).take(1 + numbers.below(2)).copied().collect();
    for unit in &mut text {
        if is_letter(*unit) && numbers.below(4) == 0 {
            *unit ^= 0x20;
        }
    }
    (part, text)
}

/// Two texts that differ little: in a case, a character, an order.
fn similar_texts(numbers: &mut Numbers) -> (Vec<u16>, Vec<u16>) {
    let length = numbers.below(8);
    let a: Vec<u16> = (0..length).map(|_| numbers.character()).collect();
    let mut b = a.clone();
    for _ in 0..=numbers.below(2) {
        let at = numbers.below(b.len().max(1));
        let character = numbers.character();
        match (numbers.below(5), b.get_mut(at)) {
            (0, Some(unit)) => *unit = character,
            (1, Some(_)) => _ = b.remove(at),
            (2, Some(unit)) if is_letter(*unit) => *unit ^= 0x20,
            (3, Some(_)) => b.reverse(),
            _ => b.insert(at.min(b.len()), character),
        }
    }
    (a, b)
}

/// Contractions with an ignored character inside, beside other texts: they should be none then.
fn torn_contractions(order: &AsciiOrder, numbers: &mut Numbers) -> Vec<(Vec<u16>, Vec<u16>)> {
    let Some(ignored) = (0..128).rev().find(|&unit| order.is_ignored(unit)) else { return Vec::new() };
    let torn = |part: &[u8]| part.iter().flat_map(|&byte| [byte.into(), ignored]).collect();
    order.contractions().take(PAIRS).map(|part| (torn(part), similar_texts(numbers).0)).collect()
}

fn is_letter(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphabetic())
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    /// Letters most of all, in both cases; all of ASCII now and then.
    fn character(&mut self) -> u16 {
        let letter = |n: usize| b'a' as u16 + n as u16;
        match self.below(8) {
            0..=3 => letter(self.below(26)),
            4 | 5 => letter(self.below(26)) - 0x20,
            6 => 0x20 + self.below(0x5f) as u16,
            _ => self.below(128) as u16,
        }
    }
}
