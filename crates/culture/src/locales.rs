//! What is known of a locale: its names, numbers and formats. `data` are the numbers by which the class library asks
//! (`LocaleStringData`, `LocaleNumberData`, `LocaleGroupingData`).
//!
//! Texts are those before the terminating zero; `returned` is 1 for success.

use crate::{Entry, Error, Globalization, Written, question::Question};

impl Globalization {
    /// The name as ICU would have it, such as `en-US` for `EN-us`.
    pub fn locale_name(&self, locale: &[u16], capacity: i32) -> Result<Written, Error> {
        self.locale_text(Entry::GetLocaleName, 0, capacity, Some(locale), None)
    }

    pub fn locale_info_string(
        &self,
        locale: &[u16],
        data: u32,
        capacity: i32,
        ui_locale: Option<&[u16]>,
    ) -> Result<Written, Error> {
        let data = data.cast_signed();
        self.locale_text(Entry::GetLocaleInfoString, data, capacity, Some(locale), ui_locale)
    }

    pub fn locale_time_format(
        &self,
        locale: &[u16],
        is_short: bool,
        capacity: i32,
    ) -> Result<Written, Error> {
        self.locale_text(Entry::GetLocaleTimeFormat, is_short.into(), capacity, Some(locale), None)
    }

    /// By the variables of the environment on most systems (`LC_ALL`, `LANG`), by the user's settings on others.
    pub fn default_locale_name(&self, capacity: i32) -> Result<Written, Error> {
        self.locale_text(Entry::GetDefaultLocaleName, 0, capacity, None, None)
    }

    /// 1 if ICU has data of its own for this locale.
    pub fn is_predefined_locale(&self, locale: &[u16]) -> Result<i32, Error> {
        Ok(self.locale_text(Entry::IsPredefinedLocale, 0, 0, Some(locale), None)?.returned)
    }

    /// Success and the value, which is 0 without success.
    pub fn locale_info_int(&self, locale: &[u16], data: u32) -> Result<(i32, i32), Error> {
        let (success, value, _) = self.locale_numbers(Entry::GetLocaleInfoInt, locale, data)?;
        Ok((success, value))
    }

    /// Success, the size of the first group of digits and that of the others.
    pub fn locale_info_grouping_sizes(&self, locale: &[u16], data: u32) -> Result<(i32, i32, i32), Error> {
        self.locale_numbers(Entry::GetLocaleInfoGroupingSizes, locale, data)
    }

    /// As `GetLocales` writes them: the length of a name, the name, and so on. `returned` is the length of it all.
    pub fn locales_as_written(&self) -> Result<Written, Error> {
        self.ask(Question::new(Entry::GetLocales), |answer| answer.written())
    }

    /// The names of all locales of this ICU.
    pub fn locales(&self) -> Result<Vec<String>, Error> {
        let written = self.locales_as_written()?;
        let mut names = Vec::new();
        let mut rest = written.units.as_slice();
        while let Some((&length, after)) = rest.split_first() {
            let short = || Error::Protocol("the list of locales ends early".to_owned());
            let (name, after) = after.split_at_checked(length.into()).ok_or_else(short)?;
            names.push(String::from_utf16_lossy(name));
            rest = after;
        }
        Ok(names)
    }

    /// Major, minor, milli and micro version, a byte each, the major one in front.
    pub fn icu_version(&self) -> Result<i32, Error> {
        self.ask(Question::new(Entry::GetICUVersion), |answer| answer.number())
    }

    fn locale_text(
        &self,
        entry: Entry,
        data: i32,
        capacity: i32,
        locale: Option<&[u16]>,
        ui_locale: Option<&[u16]>,
    ) -> Result<Written, Error> {
        let question = Question::new(entry).number(data).number(capacity);
        self.ask(question.text_or_null(locale).text_or_null(ui_locale), |answer| answer.written())
    }

    fn locale_numbers(&self, entry: Entry, locale: &[u16], data: u32) -> Result<(i32, i32, i32), Error> {
        self.ask(Question::new(entry).number(data.cast_signed()).text(locale), |answer| {
            Ok((answer.number()?, answer.number()?, answer.number()?))
        })
    }
}
