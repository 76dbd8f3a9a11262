//! Lists of programs: those that an older framework takes, and those that do not agree yet.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Error, Layout, Lock};

/// The names in a list of programs; lines that start with `#` explain. Each must be among `known`.
pub fn program_names(list: &Path, known: &[String]) -> Result<Vec<String>, Error> {
    let text = fs::read_to_string(list).map_err(Error::io(list))?;
    let mut names: Vec<String> = Vec::new();
    for (line, name) in lines(&text) {
        let wrong = |what| Err(Error::Fixture { file: list.to_owned(), line, what });
        if !known.iter().any(|known| known == name) {
            return wrong(format!("there is no program `{name}`"));
        }
        if names.last().is_some_and(|last| last.as_str() >= name) {
            return wrong(format!("`{name}` is not in its place: the list is sorted, each program once"));
        }
        names.push(name.to_owned());
    }
    Ok(names)
}

/// Programs that do not behave as they should, each with what stops it: `Name: why`. No file is an empty list.
#[derive(Debug)]
pub struct FailingList {
    path: PathBuf,
    entries: BTreeMap<String, String>,
}

impl FailingList {
    /// Each name must be among `known`.
    pub fn read(path: &Path, known: &[String]) -> Result<FailingList, Error> {
        let text =
            if path.exists() { fs::read_to_string(path).map_err(Error::io(path))? } else { String::new() };
        let mut entries: BTreeMap<String, String> = BTreeMap::new();
        for (line, entry) in lines(&text) {
            let wrong = |what| Error::Fixture { file: path.to_owned(), line, what };
            let (name, why) =
                entry.split_once(": ").ok_or_else(|| wrong("an entry is `Name: why`".to_owned()))?;
            if !known.iter().any(|known| known == name) {
                return Err(wrong(format!("there is no program `{name}`")));
            }
            if entries.last_key_value().is_some_and(|(last, _)| last.as_str() >= name) {
                return Err(wrong(format!(
                    "`{name}` is not in its place: the list is sorted, each program once"
                )));
            }
            entries.insert(name.to_owned(), why.to_owned());
        }
        Ok(FailingList { path: path.to_owned(), entries })
    }

    /// What a program is known to do wrong.
    pub fn why(&self, name: &str) -> Option<&str> {
        self.entries.get(name).map(String::as_str)
    }

    /// Whether the list is right about a program.
    pub fn check(&self, name: &str, verdict: &Result<(), String>) -> Result<(), String> {
        match (self.why(name), verdict) {
            (None, Ok(())) => Ok(()),
            (Some(known), Err(why)) if known == why => Ok(()),
            (None, Err(why)) => Err(why.clone()),
            (Some(known), Err(why)) => Err(format!("{why}\n(known: {known})")),
            (Some(known), Ok(())) => {
                Err(format!("agrees now; `cargo xtask bless` takes it off the list (known: {known})"))
            }
        }
    }

    /// Makes the list in the repository right about one program. Others may be at it at the same time.
    pub fn learn(&self, name: &str, verdict: &Result<(), String>, known: &[String]) -> Result<(), Error> {
        let lock = Layout::of_user()?.locks().join("lists.lock");
        let _lock = Lock::acquire(&lock, || {})?;
        let mut list = FailingList::read(&self.path, known)?;
        match verdict {
            Ok(()) => drop(list.entries.remove(name)),
            Err(why) => drop(list.entries.insert(name.to_owned(), why.clone())),
        }
        list.write()
    }

    fn write(&self) -> Result<(), Error> {
        if self.entries.is_empty() {
            return match fs::remove_file(&self.path) {
                Err(error) if self.path.exists() => Err(Error::io(&self.path)(error)),
                _ => Ok(()),
            };
        }
        let text: String = self.entries.iter().map(|(name, why)| format!("{name}: {why}\n")).collect();
        fs::write(&self.path, text).map_err(Error::io(&self.path))
    }
}

/// Numbered lines without the explanations.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    numbered.filter(|(_, line)| !line.starts_with('#') && !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<String> {
        ["a/A", "a/B", "b/A"].map(str::to_owned).into()
    }

    fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn lists_are_checked_line_by_line() {
        let names = |text: &str| {
            let (_folder, path) = written(text);
            program_names(&path, &known())
                .map_err(|error| error.to_string().replace(path.to_str().unwrap(), ""))
        };
        assert_eq!(names("# why\na/A\nb/A\n"), Ok(vec!["a/A".into(), "b/A".into()]));
        assert_eq!(names("a/A\n\na/C\n"), Err(":3: there is no program `a/C`".into()));
        assert!(names("b/A\na/A\n").unwrap_err().starts_with(":2: `a/A` is not in its place"));
        assert!(names("a/A\na/A\n").unwrap_err().starts_with(":2: `a/A` is not in its place"));
    }

    #[test]
    fn a_list_knows_what_fails_and_learns() {
        let (_folder, path) = written("a/B: differs\n");
        let list = FailingList::read(&path, &known()).unwrap();
        let differs = Err("differs".to_owned());
        assert!(list.check("a/B", &differs).is_ok() && list.check("a/A", &Ok(())).is_ok());
        assert!(list.check("a/A", &differs).is_err() && list.check("a/B", &Ok(())).is_err());
        assert!(list.check("a/B", &Err("panics".to_owned())).is_err());

        list.learn("a/A", &Err("panics".to_owned()), &known()).unwrap();
        list.learn("a/B", &Ok(()), &known()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a/A: panics\n");
        list.learn("a/A", &Ok(()), &known()).unwrap();
        assert!(!path.exists());
        assert!(FailingList::read(&path, &known()).unwrap().check("a/A", &Ok(())).is_ok());
    }

    #[test]
    fn an_entry_needs_a_program_and_a_reason() {
        for (text, what) in [("a/B\n", "an entry is `Name: why`"), ("c/B: no\n", "there is no program `c/B`")]
        {
            let (_folder, path) = written(text);
            let error = FailingList::read(&path, &known()).unwrap_err().to_string();
            assert!(error.ends_with(&format!(":1: {what}")), "{error}");
        }
    }
}
