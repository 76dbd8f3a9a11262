//! Calendars of a locale, by the numbers of `CalendarId`, and what they call things, by those of `CalendarDataType`.

use crate::{Entry, Error, Globalization, Written, question::Question};

impl Globalization {
    /// The calendars that the locale uses, best first: their number, and they themselves if the capacity allows.
    pub fn calendars(&self, locale: &[u16], capacity: i32) -> Result<Written, Error> {
        self.ask(Question::new(Entry::GetCalendars).number(capacity).text(locale), |answer| answer.written())
    }

    /// One text of a calendar: a result code (0: success, 2: the capacity is too small) and the text.
    pub fn calendar_info(
        &self,
        locale: &[u16],
        calendar: u16,
        data: i32,
        capacity: i32,
    ) -> Result<Written, Error> {
        let question = Question::new(Entry::GetCalendarInfo).number(calendar.into()).number(data);
        self.ask(question.number(capacity).text(locale), |answer| answer.written())
    }

    /// The texts that `EnumCalendarInfo` hands to its callback, in order, and what it returns.
    pub fn enum_calendar_info(
        &self,
        locale: &[u16],
        calendar: u16,
        data: i32,
    ) -> Result<(i32, Vec<Vec<u16>>), Error> {
        let question = Question::new(Entry::EnumCalendarInfo).number(calendar.into()).number(data);
        self.ask(question.text(locale), |answer| Ok((answer.number()?, answer.texts()?)))
    }

    pub fn latest_japanese_era(&self) -> Result<i32, Error> {
        self.ask(Question::new(Entry::GetLatestJapaneseEra), |answer| answer.number())
    }

    /// Success, and the year, month and day on which the era begins.
    pub fn japanese_era_start(&self, era: i32) -> Result<(i32, [i32; 3]), Error> {
        self.ask(Question::new(Entry::GetJapaneseEraStartDate).number(era), |answer| {
            Ok((answer.number()?, [answer.number()?, answer.number()?, answer.number()?]))
        })
    }
}
