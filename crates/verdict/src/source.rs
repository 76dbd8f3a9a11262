//! A line of a source file, as symbols know it.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A line of source code. It is said and stored as `Cart.cs:17`, since the folders of a build mean nothing to others; whoever
/// leads tools to the file has the whole path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// As the compiler wrote it down: `/_/src/Cart.cs`, `C:\build\src\Cart.cs`; the name alone if it was read from a file.
    pub path: String,
    /// From 1 on.
    pub line: u32,
    /// The code that is meant, if it is known better.
    pub columns: Option<Columns>,
}

/// Where code begins in its first line, and where it ends. Columns count from 1; the last one is past the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Columns {
    pub start: u32,
    pub end_line: u32,
    pub end: u32,
}

impl SourceLine {
    /// `Cart.cs`
    pub fn file(&self) -> &str {
        self.path.rsplit(['/', '\\']).next().unwrap_or(&self.path)
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file(), self.line)
    }
}

/// What is wrong with the text of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSourceLine(String);

impl fmt::Display for NoSourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a file and a line", self.0)
    }
}

impl std::error::Error for NoSourceLine {}

impl FromStr for SourceLine {
    type Err = NoSourceLine;

    fn from_str(text: &str) -> Result<SourceLine, NoSourceLine> {
        let parts = text.rsplit_once(':').and_then(|(path, line)| Some((path, line.parse().ok()?)));
        let (path, line) = parts.ok_or_else(|| NoSourceLine(text.to_owned()))?;
        Ok(SourceLine { path: path.to_owned(), line, columns: None })
    }
}

impl Serialize for SourceLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SourceLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SourceLine, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for SourceLine {
    fn schema_name() -> Cow<'static, str> {
        "SourceLine".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "A file and a line: `Cart.cs:17`.", "pattern": ":[0-9]+$" })
    }
}

#[cfg(test)]
mod tests {
    use super::SourceLine;

    #[test]
    fn the_name_of_the_file_and_the_line_are_said() {
        for (path, said) in
            [("/_/src/Cart.cs", "Cart.cs:7"), (r"C:\build\Cart.cs", "Cart.cs:7"), ("Cart.cs", "Cart.cs:7")]
        {
            let line = SourceLine { path: path.to_owned(), line: 7, columns: None };
            assert_eq!(line.to_string(), said);
            let read: SourceLine = said.parse().unwrap();
            assert_eq!((read.path.as_str(), read.line), ("Cart.cs", 7));
        }
        assert!("Cart.cs".parse::<SourceLine>().is_err());
        assert!("Cart.cs:x".parse::<SourceLine>().is_err());
    }
}
