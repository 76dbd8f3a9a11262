//! Names of time zones. Their rules are files of the system, which the class library reads itself.

use crate::{Entry, Error, Globalization, Written, question::Question};

impl Globalization {
    /// A result code (0: success) and the name. `kind` is that of `TimeZoneDisplayNameType`.
    pub fn time_zone_display_name(
        &self,
        locale: &[u16],
        zone: &[u16],
        kind: i32,
        capacity: i32,
    ) -> Result<Written, Error> {
        self.zone(Entry::GetTimeZoneDisplayName, kind, capacity, zone, Some(locale))
    }

    /// The length of the name (0: there is none) and the name.
    pub fn windows_id_to_iana_id(
        &self,
        windows_id: &[u16],
        region: Option<&[u16]>,
        capacity: i32,
    ) -> Result<Written, Error> {
        self.zone(Entry::WindowsIdToIanaId, 0, capacity, windows_id, region)
    }

    pub fn iana_id_to_windows_id(&self, iana_id: &[u16], capacity: i32) -> Result<Written, Error> {
        self.zone(Entry::IanaIdToWindowsId, 0, capacity, iana_id, None)
    }

    fn zone(
        &self,
        entry: Entry,
        kind: i32,
        capacity: i32,
        zone: &[u16],
        other: Option<&[u16]>,
    ) -> Result<Written, Error> {
        let question = Question::new(entry).number(kind).number(capacity).text(zone);
        self.ask(question.text_or_null(other), |answer| answer.written())
    }
}
