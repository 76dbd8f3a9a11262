//! Comparing, searching and sorting as a locale does it. `options` are those of `CompareOptions`, as the class library
//! hands them on.
//!
//! A program that sorts compares each text many times. Where sort keys decide as the comparison does, the keys of both
//! texts are asked for instead: then a text is asked about once. ICU promises that they agree, but they do not always:
//! under `IgnoreSymbols`, a combining mark behind a symbol may count for the one and not for the other. So only letters
//! and signs of European languages go this way, and only under simple options; a test compares the two in all locales.

use crate::{Entry, Error, Found, Globalization, question::Question};

/// `IgnoreCase`, `IgnoreNonSpace`, `IgnoreKanaType`, `IgnoreWidth`.
const SIMPLE_OPTIONS: i32 = 1 | 2 | 8 | 16;
/// A longer text is rarely compared again.
const MAX_PLAIN: usize = 128;

impl Globalization {
    /// Whether the runtime knows how this locale sorts: its result code, 0 for yes. The handle itself stays with the
    /// process; all other functions name the locale.
    pub fn sort_handle(&self, locale: &str) -> Result<i32, Error> {
        self.ask(Question::new(Entry::GetSortHandle).name(locale), |answer| answer.number())
    }

    pub fn sort_version(&self, locale: &str) -> Result<i32, Error> {
        self.ask(Question::new(Entry::GetSortVersion).name(locale), |answer| answer.number())
    }

    /// -1, 0 or 1.
    pub fn compare_string(&self, locale: &str, a: &[u16], b: &[u16], options: i32) -> Result<i32, Error> {
        if options & !SIMPLE_OPTIONS == 0 && is_plain(a) && is_plain(b) {
            let keys = self.sort_keys(locale, &[a, b], options)?;
            if let [a, b] = keys.as_slice()
                && !a.is_empty()
                && !b.is_empty()
            {
                return Ok(a.cmp(b) as i32);
            }
        }
        self.ask(comparison(locale, a, b, options), |answer| answer.number())
    }

    /// Many comparisons, each by the runtime's own.
    pub fn compare_strings(
        &self,
        locale: &str,
        pairs: &[(&[u16], &[u16])],
        options: i32,
    ) -> Result<Vec<i32>, Error> {
        let questions = pairs.iter().map(|(a, b)| comparison(locale, a, b, options)).collect();
        self.ask_all(questions, |answer| answer.number())
    }

    pub fn index_of(
        &self,
        locale: &str,
        target: &[u16],
        source: &[u16],
        options: i32,
    ) -> Result<Found, Error> {
        self.search(Entry::IndexOf, locale, target, source, options)
    }

    /// Many searches; only the indexes.
    pub(crate) fn indexes_of(
        &self,
        locale: &str,
        searches: &[(&[u16], &[u16])],
        options: i32,
    ) -> Result<Vec<i32>, Error> {
        let question = |&(target, source): &(&[u16], &[u16])| {
            Question::new(Entry::IndexOf).name(locale).number(options).text(target).text(source)
        };
        self.ask_all(searches.iter().map(question).collect(), |answer| Ok(answer.found()?.returned))
    }

    pub fn last_index_of(
        &self,
        locale: &str,
        target: &[u16],
        source: &[u16],
        options: i32,
    ) -> Result<Found, Error> {
        self.search(Entry::LastIndexOf, locale, target, source, options)
    }

    pub fn starts_with(
        &self,
        locale: &str,
        target: &[u16],
        source: &[u16],
        options: i32,
    ) -> Result<Found, Error> {
        self.search(Entry::StartsWith, locale, target, source, options)
    }

    pub fn ends_with(
        &self,
        locale: &str,
        target: &[u16],
        source: &[u16],
        options: i32,
    ) -> Result<Found, Error> {
        self.search(Entry::EndsWith, locale, target, source, options)
    }

    /// The whole key. `GetSortKey` returns its length whatever the capacity is, and 0 where it fails.
    pub fn sort_key(&self, locale: &str, text: &[u16], options: i32) -> Result<Vec<u8>, Error> {
        self.ask(key(locale, text, options), |answer| {
            answer.number()?;
            answer.bytes()
        })
    }

    pub fn sort_keys(&self, locale: &str, texts: &[&[u16]], options: i32) -> Result<Vec<Vec<u8>>, Error> {
        let questions = texts.iter().map(|text| key(locale, text, options)).collect();
        self.ask_all(questions, |answer| {
            answer.number()?;
            answer.bytes()
        })
    }

    /// .NET Core 3.1 only; later class libraries compare so themselves.
    pub fn compare_string_ordinal_ignore_case(&self, a: &[u16], b: &[u16]) -> Result<i32, Error> {
        let question = Question::new(Entry::CompareStringOrdinalIgnoreCase).text(a).text(b);
        self.ask(question, |answer| answer.number())
    }

    /// .NET Core 3.1 only; later class libraries search so themselves.
    pub fn index_of_ordinal_ignore_case(
        &self,
        target: &[u16],
        source: &[u16],
        find_last: bool,
    ) -> Result<i32, Error> {
        let question =
            Question::new(Entry::IndexOfOrdinalIgnoreCase).number(find_last.into()).text(target).text(source);
        self.ask(question, |answer| answer.number())
    }

    fn search(
        &self,
        entry: Entry,
        locale: &str,
        target: &[u16],
        source: &[u16],
        options: i32,
    ) -> Result<Found, Error> {
        let question = Question::new(entry).name(locale).number(options).text(target).text(source);
        self.ask(question, |answer| answer.found())
    }
}

/// Printable ASCII and the letters of Latin-1 and Latin Extended-A: nothing that combines or is ignored.
fn is_plain(text: &[u16]) -> bool {
    text.len() <= MAX_PLAIN && text.iter().all(|unit| matches!(unit, 0x20..=0x7e | 0xc0..=0x17f))
}

fn comparison(locale: &str, a: &[u16], b: &[u16], options: i32) -> Question {
    Question::new(Entry::CompareString).name(locale).number(options).text(a).text(b)
}

fn key(locale: &str, text: &[u16], options: i32) -> Question {
    Question::new(Entry::GetSortKey).name(locale).number(options).text(text)
}
