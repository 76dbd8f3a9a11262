//! Upper and lower case, of texts and as tables.

use std::sync::{Arc, OnceLock};

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
    upper: Arc<[u16]>,
    lower: Arc<[u16]>,
}

impl CaseMaps {
    pub fn upper(&self, unit: u16) -> u16 {
        self.upper.get(usize::from(unit)).copied().unwrap_or(unit)
    }

    pub fn lower(&self, unit: u16) -> u16 {
        self.lower.get(usize::from(unit)).copied().unwrap_or(unit)
    }
}

/// The other case of every unit, by the way of casing and by direction, as far as somebody has asked: letters change their
/// case one by one, so a table answers what would be a question for each text.
#[derive(Default)]
pub(crate) struct CaseTables {
    tables: [OnceLock<Arc<[u16]>>; 6],
}

impl CaseTables {
    fn slot(&self, casing: Casing, to_upper: bool) -> &OnceLock<Arc<[u16]>> {
        &self.tables[casing as usize * 2 + usize::from(to_upper)]
    }
}

const SURROGATES: std::ops::RangeInclusive<u16> = 0xd800..=0xdfff;

impl Casing {
    fn entry(self) -> Entry {
        match self {
            Casing::Usual => Entry::ChangeCase,
            Casing::Invariant => Entry::ChangeCaseInvariant,
            Casing::Turkish => Entry::ChangeCaseTurkish,
        }
    }
}

impl Globalization {
    /// The tables of a way of casing.
    pub fn case_maps(&self, casing: Casing) -> Result<CaseMaps, Error> {
        let [upper, lower] = [true, false].map(|to_upper| self.case_table(casing, to_upper));
        Ok(CaseMaps { upper: upper?, lower: lower? })
    }

    fn case_table(&self, casing: Casing, to_upper: bool) -> Result<Arc<[u16]>, Error> {
        let slot = self.cases.slot(casing, to_upper);
        if let Some(table) = slot.get() {
            return Ok(Arc::clone(table));
        }
        // The only surrogate pair in this text has no case.
        let all: Vec<u16> = (0..=u16::MAX).collect();
        let table = self.ask_cased(casing, &all, to_upper, 1 << 16)?.into();
        Ok(Arc::clone(slot.get_or_init(|| table)))
    }

    /// What is written into a buffer of this capacity: at most as many units as the text has.
    pub fn change_case(&self, text: &[u16], to_upper: bool, capacity: i32) -> Result<Vec<u16>, Error> {
        self.cased(Casing::Usual, text, to_upper, capacity)
    }

    pub fn change_case_invariant(
        &self,
        text: &[u16],
        to_upper: bool,
        capacity: i32,
    ) -> Result<Vec<u16>, Error> {
        self.cased(Casing::Invariant, text, to_upper, capacity)
    }

    /// Turkish and Azeri: dotted and dotless i.
    pub fn change_case_turkish(
        &self,
        text: &[u16],
        to_upper: bool,
        capacity: i32,
    ) -> Result<Vec<u16>, Error> {
        self.cased(Casing::Turkish, text, to_upper, capacity)
    }

    /// The 256 characters of a page in the upper case of ordinal comparisons.
    pub fn ordinal_casing_page(&self, page: u8) -> Result<Vec<u16>, Error> {
        let question = Question::new(Entry::InitOrdinalCasingPage).number(page.into());
        self.ask(question, |answer| answer.units())
    }

    fn cased(&self, casing: Casing, text: &[u16], to_upper: bool, capacity: i32) -> Result<Vec<u16>, Error> {
        let fits = usize::try_from(capacity).is_ok_and(|room| text.len() <= room);
        if !fits || text.iter().any(|unit| SURROGATES.contains(unit)) {
            return self.ask_cased(casing, text, to_upper, capacity);
        }
        let table = self.case_table(casing, to_upper)?;
        let other = |unit: &u16| table.get(usize::from(*unit)).copied().unwrap_or(*unit);
        Ok(text.iter().map(other).collect())
    }

    fn ask_cased(
        &self,
        casing: Casing,
        text: &[u16],
        to_upper: bool,
        capacity: i32,
    ) -> Result<Vec<u16>, Error> {
        let question = Question::new(casing.entry()).number(to_upper.into()).number(capacity).text(text);
        self.ask(question, |answer| answer.units())
    }
}
