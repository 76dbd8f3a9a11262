//! Normal forms of Unicode, and domain names. A return value above the capacity is the length that is needed.

use crate::{Entry, Error, Globalization, Written, question::Question};

impl Globalization {
    /// 1 or 0; below zero: an error. `form` is that of `NormalizationForm`.
    pub fn is_normalized(&self, form: i32, text: &[u16]) -> Result<i32, Error> {
        self.ask(Question::new(Entry::IsNormalized).number(form).text(text), |answer| answer.number())
    }

    pub fn normalize_string(&self, form: i32, text: &[u16], capacity: i32) -> Result<Written, Error> {
        self.converted(Entry::NormalizeString, form, text, capacity)
    }

    /// A name in Punycode. `flags`: 1 allows unassigned characters, 2 asks for the rules of host names.
    pub fn to_ascii(&self, flags: u32, text: &[u16], capacity: i32) -> Result<Written, Error> {
        self.converted(Entry::ToAscii, flags.cast_signed(), text, capacity)
    }

    pub fn to_unicode(&self, flags: u32, text: &[u16], capacity: i32) -> Result<Written, Error> {
        self.converted(Entry::ToUnicode, flags.cast_signed(), text, capacity)
    }

    fn converted(&self, entry: Entry, how: i32, text: &[u16], capacity: i32) -> Result<Written, Error> {
        self.ask(Question::new(entry).number(how).number(capacity).text(text), |answer| answer.written())
    }
}
