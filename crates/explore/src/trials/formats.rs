//! Which texts a method of the framework understands: one table from methods that read text to samples of it.
//!
//! They are what the runtime's own formats write, and a few that are nearly so.

/// What texts a method wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    Texts(&'static [&'static str]),
    /// Numbers: these, and those of the program.
    Numbers(&'static [&'static str]),
    /// Dates: these, and what formats of the program make of a date.
    Dates(&'static [&'static str]),
    /// What regular expressions of the program match.
    Patterns,
}

use Wants::{Dates, Numbers, Patterns, Texts};

const NUMBERS: Wants = Numbers(&["0", "1", "-1", "0.5", "1000000", "1,000", "1e3", "ff"]);
// A Saturday, a Sunday, a Monday, and the last day of a leap year's February with a time.
const DATES: Wants = Dates(&["2000-01-01", "2000-01-02", "2000-01-03", "2024-02-29T12:30:45", "01/31/1999"]);
const XML: Wants = Texts(&["<a />", "<a b=\"c\">d</a>", "<a><b>1</b><b>2</b></a>"]);
const JSON: Wants = Texts(&["{}", "[]", "{\"a\":1}", "[1,\"b\",null]", "null", "1", "\"a\"", "true"]);

/// The class, how the names of its methods begin (`.ctor`: its constructors), and what these want.
const TABLE: &[(&str, &[&str], Wants)] = &[
    ("System.Double", PARSE, NUMBERS),
    ("System.Single", PARSE, NUMBERS),
    ("System.Half", PARSE, NUMBERS),
    ("System.Decimal", PARSE, NUMBERS),
    ("System.Numerics.BigInteger", PARSE, NUMBERS),
    ("System.Byte", PARSE, NUMBERS),
    ("System.SByte", PARSE, NUMBERS),
    ("System.Int16", PARSE, NUMBERS),
    ("System.UInt16", PARSE, NUMBERS),
    ("System.Int32", PARSE, NUMBERS),
    ("System.UInt32", PARSE, NUMBERS),
    ("System.Int64", PARSE, NUMBERS),
    ("System.UInt64", PARSE, NUMBERS),
    (
        "System.Convert",
        &["ToDouble", "ToSingle", "ToDecimal", "ToInt", "ToUInt", "ToByte", "ToSByte"],
        NUMBERS,
    ),
    ("System.DateTime", PARSE, DATES),
    ("System.DateTimeOffset", PARSE, DATES),
    ("System.DateOnly", PARSE, DATES),
    ("System.Convert", &["ToDateTime"], DATES),
    ("System.Xml.XmlConvert", &["ToDateTime"], DATES),
    ("System.TimeOnly", PARSE, Dates(&["00:00", "12:30:45", "23:59"])),
    ("System.TimeSpan", PARSE, Dates(&["00:00:00", "10:30:00", "1.02:03:04", "-01:00:00", "2"])),
    ("System.Boolean", PARSE, BOOLEANS),
    ("System.Convert", &["ToBoolean"], BOOLEANS),
    (
        "System.Guid",
        &["Parse", "TryParse", ".ctor"],
        Texts(&["00000000-0000-0000-0000-000000000000", "0f8fad5b-d9cb-469f-a165-70867728950e"]),
    ),
    ("System.Version", &["Parse", "TryParse", ".ctor"], Texts(&["1.0", "2.1.3", "3.4.5.6", "0.1"])),
    ("System.Uri", &["TryCreate", ".ctor", "IsWellFormed"], URIS),
    ("System.UriBuilder", &[".ctor"], URIS),
    ("System.Net.IPAddress", PARSE, Texts(&["127.0.0.1", "::1", "10.0.0.1"])),
    (
        "System.Net.Mail.MailAddress",
        &[".ctor", "TryCreate"],
        Texts(&["a@example.org", "B C <b@example.org>"]),
    ),
    ("System.Char", PARSE, Texts(&["a", "1"])),
    ("System.Convert", &["FromBase64"], Texts(&["", "QUJD", "AA=="])),
    ("System.Convert", &["FromHexString"], Texts(&["", "0A1B"])),
    ("System.Globalization.CultureInfo", &["GetCultureInfo", ".ctor"], Texts(&["", "en", "de-DE"])),
    ("System.Text.Encoding", &["GetEncoding"], Texts(&["utf-8", "us-ascii", "utf-16"])),
    ("System.Type", &["GetType"], Texts(&["System.Int32", "System.String"])),
    ("System.Xml.Linq.XDocument", PARSE, XML),
    ("System.Xml.Linq.XElement", PARSE, XML),
    ("System.Xml.XmlDocument", &["LoadXml"], XML),
    ("System.Text.Json.JsonDocument", PARSE, JSON),
    ("System.Text.Json.Nodes.JsonNode", PARSE, JSON),
    ("System.Text.Json.JsonSerializer", &["Deserialize"], JSON),
    ("System.Text.RegularExpressions.Regex", &[""], Patterns),
];

const PARSE: &[&str] = &["Parse", "TryParse"];
const BOOLEANS: Wants = Texts(&["true", "false", "True"]);
const URIS: Wants = Texts(&[
    "https://example.org/a/b?c=d#e",
    "http://localhost:8080/",
    "ftp://example.org/",
    "file:///a/b",
    "mailto:a@example.org",
    "a/b",
]);

/// What a method wants, if it reads text.
pub(super) fn wanted_by(class: &str, method: &str) -> Option<Wants> {
    let fits = |(of, names, _): &&(&str, &[&str], Wants)| {
        *of == class && names.iter().any(|name| method.starts_with(name))
    };
    TABLE.iter().find(fits).map(|(_, _, wants)| *wants)
}

/// A date and time, written in a format of the program: 2000-01-01 and 2024-02-29, each with a time.
pub(super) fn in_format(format: &str) -> Vec<String> {
    let is_format =
        ["yy", "MM", "dd", "HH", "hh", "mm", "d/M", "M/d"].iter().any(|part| format.contains(part));
    if !is_format || format.len() > 40 {
        return Vec::new();
    }
    [[2000, 1, 1, 0, 0, 0], [2024, 2, 29, 13, 30, 45]].map(|moment| written(format, moment)).to_vec()
}

fn written(format: &str, [year, month, day, hour, minute, second]: [u32; 6]) -> String {
    let mut text = String::new();
    let characters: Vec<char> = format.chars().collect();
    let mut at = 0;
    while let Some(&c) = characters.get(at) {
        let count = characters[at..].iter().take_while(|other| **other == c).count();
        at += count;
        let number = match c {
            'y' if count == 2 => year % 100,
            'y' => year,
            'M' if count == 3 => {
                text.push_str(if month == 1 { "Jan" } else { "Feb" });
                continue;
            }
            'M' => month,
            'd' if count < 3 => day,
            'H' => hour,
            'h' => (hour + 11) % 12 + 1,
            'm' => minute,
            's' => second,
            'f' => 0,
            't' => {
                text.push_str(if hour < 12 { "AM" } else { "PM" });
                continue;
            }
            '\'' | '"' | '\\' => continue,
            c => {
                text.extend(std::iter::repeat_n(c, count));
                continue;
            }
        };
        text.push_str(&format!("{number:0count$}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_dates_are_written() {
        assert_eq!(in_format("yyyy-MM-dd"), ["2000-01-01", "2024-02-29"]);
        assert_eq!(in_format("d/M/yy hh:mm tt"), ["1/1/00 12:00 AM", "29/2/24 01:30 PM"]);
        assert_eq!(in_format("plain words"), Vec::<String>::new());
    }

    #[test]
    fn methods_are_found_by_the_beginning_of_their_names() {
        assert_eq!(wanted_by("System.Double", "TryParse"), Some(NUMBERS));
        assert_eq!(wanted_by("System.Double", "IsNaN"), None);
        assert_eq!(wanted_by("System.Text.RegularExpressions.Regex", "IsMatch"), Some(Patterns));
    }
}
