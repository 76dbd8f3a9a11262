//! The native entries by their numbers in the protocol. `host/Entries.cs` has the same list; a test compares the two.

use std::fmt;

macro_rules! entries {
    ($($name:ident = $number:literal,)*) => {
        /// An entry point of the native globalization part, without its prefix `GlobalizationNative_`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Entry {
            $($name = $number,)*
        }

        impl Entry {
            pub const ALL: &'static [Entry] = &[$(Entry::$name,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Entry::$name => stringify!($name),)*
                }
            }
        }
    };
}

entries! {
    GetSortHandle = 0,
    GetSortVersion = 1,
    CompareString = 2,
    IndexOf = 3,
    LastIndexOf = 4,
    StartsWith = 5,
    EndsWith = 6,
    GetSortKey = 7,
    ChangeCase = 8,
    ChangeCaseInvariant = 9,
    ChangeCaseTurkish = 10,
    InitOrdinalCasingPage = 11,
    IsNormalized = 12,
    NormalizeString = 13,
    ToAscii = 14,
    ToUnicode = 15,
    GetLocaleName = 16,
    GetLocaleInfoString = 17,
    GetLocaleInfoInt = 18,
    GetLocaleInfoGroupingSizes = 19,
    GetLocaleTimeFormat = 20,
    GetDefaultLocaleName = 21,
    IsPredefinedLocale = 22,
    GetLocales = 23,
    GetCalendars = 24,
    GetCalendarInfo = 25,
    EnumCalendarInfo = 26,
    GetLatestJapaneseEra = 27,
    GetJapaneseEraStartDate = 28,
    GetTimeZoneDisplayName = 29,
    WindowsIdToIanaId = 30,
    IanaIdToWindowsId = 31,
    GetICUVersion = 32,
    CompareStringOrdinalIgnoreCase = 33,
    IndexOfOrdinalIgnoreCase = 34,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
