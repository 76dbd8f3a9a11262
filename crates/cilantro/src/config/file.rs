//! Reading a `cilantro.toml`: values with their places, and errors that lead to them.

use std::fs;
use std::path::{Path, PathBuf};

use engine::{Error, nearest};
use serde_json::Value;
use toml::de::DeTable;

use super::types::{Config, Kind, keys, kind};
use super::{Setting, Source, check};

pub const NAME: &str = "cilantro.toml";

/// The file in this folder or the nearest one around it.
pub fn find(name: &str, folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// What the file says.
pub fn read(path: &Path) -> Result<Vec<Setting>, Error> {
    let text = fs::read_to_string(path)
        .map_err(|error| Error::Unreadable { path: path.to_owned(), why: error.to_string() })?;
    let file = File { path, text: &text };
    file.settings()
}

struct File<'a> {
    path: &'a Path,
    text: &'a str,
}

impl File<'_> {
    fn settings(&self) -> Result<Vec<Setting>, Error> {
        let bad =
            |error: toml::de::Error| self.error(error.span().map_or(0, |span| span.start), error.message());
        let table = DeTable::parse(self.text).map_err(bad)?;
        let mut places = Vec::new();
        for (key, value) in table.get_ref() {
            let start = key.span().start;
            if !keys().iter().any(|known| known == key.get_ref().as_ref()) {
                return Err(self.error(start, &unknown(key.get_ref())));
            }
            places.push((key.get_ref().to_string(), start, value.span().start));
        }
        let config: Config = toml::from_str(self.text).map_err(bad)?;
        let values = serde_json::to_value(config).map_err(|error| Error::Internal(error.to_string()))?;
        places.sort_by_key(|(_, start, _)| *start);
        let mut settings = Vec::new();
        for (key, start, at) in places {
            let values = values.get(&key).map(|value| self.texts(&key, value)).unwrap_or_default();
            check(&key, &values).map_err(|why| self.error(at, &why))?;
            let source = Source::File { path: self.path.to_owned(), line: self.place(start).0 };
            settings.push(Setting { key, values, source });
        }
        Ok(settings)
    }

    /// As they would be written on a command line.
    fn texts(&self, key: &str, value: &Value) -> Vec<String> {
        match value {
            Value::String(text) if kind(key) == Kind::Path => vec![self.beside_file(text)],
            Value::String(text) => vec![text.clone()],
            Value::Array(all) => all.iter().flat_map(|value| self.texts(key, value)).collect(),
            Value::Null => Vec::new(),
            other => vec![other.to_string()],
        }
    }

    /// Paths are those of the folder of the file, wherever the command is given.
    fn beside_file(&self, path: &str) -> String {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.join(path).display().to_string(),
            _ => path.to_owned(),
        }
    }

    /// Line and column, from 1 on.
    fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
        (before.matches('\n').count() + 1, column)
    }

    fn error(&self, offset: usize, why: &str) -> Error {
        let (line, column) = self.place(offset);
        Error::Other(format!("{}:{line}:{column}: {}", self.path.display(), why.trim_end()))
    }
}

fn unknown(key: &str) -> String {
    let keys = keys();
    match nearest(key, keys.iter().map(String::as_str)).as_slice() {
        [] => format!("there is no setting `{key}`; `cilantro config show` lists them"),
        near => format!("there is no setting `{key}`; did you mean {}?", near.join(" or ")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail

    use expect_test::{Expect, expect};

    use super::*;

    fn said(text: &str) -> String {
        let file = File { path: Path::new("sub/cilantro.toml"), text };
        match file.settings() {
            Ok(settings) => settings.iter().map(|s| format!("{} = {:?}\n", s.key, s.values)).collect(),
            Err(error) => error.to_string(),
        }
    }

    fn says(text: &str, expected: Expect) {
        expected.assert_eq(&said(text));
    }

    #[test]
    fn values_are_texts_of_options() {
        says(
            "timeout = '2m'\njobs = 3\nexclude = ['A.*', 'B']\ninternals = true\noutput = 'tests/T'\n",
            expect![[r#"
                timeout = ["2m"]
                jobs = ["3"]
                exclude = ["A.*", "B"]
                internals = ["true"]
                output = ["sub/tests/T"]
            "#]],
        );
    }

    #[test]
    fn errors_have_places() {
        says(
            "# a comment\n\n  tiemout = '2m'",
            expect!["sub/cilantro.toml:3:3: there is no setting `tiemout`; did you mean timeout?"],
        );
        says(
            "[check]\nall = true",
            expect!["sub/cilantro.toml:1:2: there is no setting `check`; `cilantro config show` lists them"],
        );
        says("timeout = 'soon'", expect!["sub/cilantro.toml:1:11: write a time as 30s, 500ms, 5m or 1h"]);
        says(
            "jobs = 'many'",
            expect![[r#"sub/cilantro.toml:1:8: invalid type: string "many", expected u16"#]],
        );
        says("jobs = 0", expect!["sub/cilantro.toml:1:8: 0 is not in 1..=1024"]);
        says(
            "framework = 'xunt'",
            expect![
                "sub/cilantro.toml:1:13: unknown variant `xunt`, expected one of `xunit`, `nunit`, `mstest`"
            ],
        );
        says("seed = 1\nseed = 2", expect!["sub/cilantro.toml:2:1: duplicate key"]);
        says(
            "seed = ",
            expect!["sub/cilantro.toml:1:8: string values must be quoted, expected literal string"],
        );
        says("\u{0}", expect!["sub/cilantro.toml:1:2: key with no value, expected `=`"]);
    }
}
