//! Upper and lower case, of texts and as tables.

use crate::{Entry, Error, Globalization, question::Question};

/// How letters change their case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casing {
    /// In most cultures.
    Usual,
    Invariant,
    /// In Turkish and Azeri: i has a dot in both cases.
    Turkish,
}

/// The other case of each UTF-16 unit alone; surrogates stay as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseMaps {
    upper: Vec<u16>,
    lower: Vec<u16>,
}

impl CaseMaps {
    pub fn upper(&self, unit: u16) -> u16 {
        self.upper.get(usize::from(unit)).copied().unwrap_or(unit)
    }

    pub fn lower(&self, unit: u16) -> u16 {
        self.lower.get(usize::from(unit)).copied().unwrap_or(unit)
    }
}

impl Globalization {
    /// The tables of a way of casing; the caller keeps them.
    pub fn case_maps(&self, casing: Casing) -> Result<CaseMaps, Error> {
        let entry = match casing {
            Casing::Usual => Entry::ChangeCase,
            Casing::Invariant => Entry::ChangeCaseInvariant,
            Casing::Turkish => Entry::ChangeCaseTurkish,
        };
        // The only surrogate pair in this text has no case.
        let all: Vec<u16> = (0..=u16::MAX).collect();
        let map = |to_upper| self.cased(entry, &all, to_upper, 1 << 16);
        Ok(CaseMaps { upper: map(true)?, lower: map(false)? })
    }

    /// What is written into a buffer of this capacity: at most as many units as the text has.
    pub fn change_case(&self, text: &[u16], to_upper: bool, capacity: i32) -> Result<Vec<u16>, Error> {
        self.cased(Entry::ChangeCase, text, to_upper, capacity)
    }

    pub fn change_case_invariant(
        &self,
        text: &[u16],
        to_upper: bool,
        capacity: i32,
    ) -> Result<Vec<u16>, Error> {
        self.cased(Entry::ChangeCaseInvariant, text, to_upper, capacity)
    }

    /// Turkish and Azeri: dotted and dotless i.
    pub fn change_case_turkish(
        &self,
        text: &[u16],
        to_upper: bool,
        capacity: i32,
    ) -> Result<Vec<u16>, Error> {
        self.cased(Entry::ChangeCaseTurkish, text, to_upper, capacity)
    }

    /// The 256 characters of a page in the upper case of ordinal comparisons.
    pub fn ordinal_casing_page(&self, page: u8) -> Result<Vec<u16>, Error> {
        let question = Question::new(Entry::InitOrdinalCasingPage).number(page.into());
        self.ask(question, |answer| answer.units())
    }

    fn cased(&self, entry: Entry, text: &[u16], to_upper: bool, capacity: i32) -> Result<Vec<u16>, Error> {
        let question = Question::new(entry).number(to_upper.into()).number(capacity).text(text);
        self.ask(question, |answer| answer.units())
    }
}
