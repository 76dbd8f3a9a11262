//! Whole programs to compare with the real runtime: each file below `fixtures/run` is one.
//!
//! Comments at the top of a program say how it is started: `// args: one two`, `// stdin: text\n`, `// env: NAME=value`,
//! `// framework: netcoreapp3.1` or `mono`, `// reads: folder` (a folder beside the program: its current directory, and all
//! it sees), `// culture: de-DE` and `// time-zone: Europe/Berlin` (what the process starts in; they count where there are
//! cultures). A key that nobody knows is an error.

mod list;
mod observed;
mod reference;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Assembly, Error, Framework, Options, Source, Target, Toolchain, csharp_files};

pub use list::{FailingList, program_names};
pub use observed::{Observed, compare};
pub use reference::{observe, observe_anew, world};

/// A program and how it is started.
#[derive(Debug, Clone)]
pub struct Program {
    /// `topic/Title`.
    pub name: String,
    pub topic: String,
    pub title: String,
    pub source: PathBuf,
    pub args: Vec<String>,
    pub stdin: String,
    pub variables: Vec<(String, String)>,
    pub framework: Framework,
    /// A source that is compiled into the program: empty stand-ins for names that an older class library lacks.
    pub stand_ins: Option<PathBuf>,
    /// The folder that it reads, which is its current directory.
    pub reads: Option<PathBuf>,
    /// It runs with the cultures of the machine's ICU, not in invariant mode.
    pub has_cultures: bool,
    /// The culture that it starts in; none: the invariant one.
    pub culture: Option<String>,
    /// The local time zone; none: UTC.
    pub time_zone: Option<String>,
}

/// The sources of all programs below a folder of topics, by the names of the programs and in their order.
pub fn program_files(fixtures: &Path) -> Result<BTreeMap<String, PathBuf>, Error> {
    let entries = fs::read_dir(fixtures).map_err(Error::io(fixtures))?;
    let topics = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir());
    let mut found = BTreeMap::new();
    for topic in topics {
        found.extend(csharp_files(&topic)?.into_iter().map(|file| (names(&file).0, file)));
    }
    Ok(found)
}

/// All programs below a folder of topics, in the order of their names.
pub fn programs(fixtures: &Path) -> Result<Vec<Program>, Error> {
    program_files(fixtures)?.values().map(|file| Program::read(file)).collect()
}

/// `topic/Title`, and its parts.
fn names(source: &Path) -> (String, String, String) {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (topic, title) = (source.parent().map(stem).unwrap_or_default(), stem(source));
    (format!("{topic}/{title}"), topic, title)
}

impl Program {
    pub fn read(source: &Path) -> Result<Program, Error> {
        let text = fs::read_to_string(source).map_err(Error::io(source))?;
        let (name, topic, title) = names(source);
        let mut program = Program {
            name,
            topic,
            title,
            source: source.to_owned(),
            args: Vec::new(),
            stdin: String::new(),
            variables: Vec::new(),
            framework: Framework::Net10,
            stand_ins: None,
            reads: None,
            has_cultures: false,
            culture: None,
            time_zone: None,
        };
        for (index, line) in text.lines().enumerate().take_while(|(_, line)| line.starts_with("//")) {
            let wrong = |what| Error::Fixture { file: source.to_owned(), line: index + 1, what };
            if let Some((key, value)) = key_and_value(line) {
                program.set(key, value).map_err(wrong)?;
            }
        }
        Ok(program)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("args", _) => self.args.extend(value.split(' ').map(str::to_owned)),
            ("stdin", _) => self.stdin.push_str(&value.replace("\\n", "\n")),
            ("env", _) => {
                let variable = value.split_once('=').ok_or("a variable is NAME=value")?;
                self.variables.push((variable.0.to_owned(), variable.1.to_owned()));
            }
            ("framework", "netcoreapp3.1") => self.framework = Framework::NetCore31,
            ("framework", "mono") => self.framework = Framework::Mono,
            ("reads", _) => {
                let folder = self.source.with_file_name(value);
                self.reads = Some(fs::canonicalize(&folder).map_err(|error| format!("{value}: {error}"))?);
            }
            ("culture", _) => self.culture = Some(value.to_owned()),
            ("time-zone", _) => self.time_zone = Some(value.to_owned()),
            ("framework", _) => return Err(format!("there is no framework `{value}`")),
            _ => return Err(format!("`{key}` says nothing about how a program is started")),
        }
        Ok(())
    }

    /// Its current directory: the folder that it reads, or that of its source.
    pub fn folder(&self) -> Result<PathBuf, Error> {
        let source = self.source.parent().unwrap_or(Path::new("/"));
        match &self.reads {
            Some(folder) => Ok(folder.clone()),
            None => fs::canonicalize(source).map_err(Error::io(source)),
        }
    }

    /// The `dotnet` or the `mono` that the program is for.
    pub fn runtime(&self) -> Result<PathBuf, Error> {
        let toolchain = Toolchain::locate()?;
        Ok(match self.framework {
            Framework::NetCore31 => toolchain.dotnet31(),
            Framework::Mono => toolchain.needed_mono()?.executable,
            _ => toolchain.dotnet(),
        })
    }

    /// Where the class library is to be found: a `dotnet`, or the folder of Mono's.
    pub fn framework_root(&self) -> Result<PathBuf, Error> {
        match self.framework {
            Framework::Mono => Ok(Toolchain::locate()?.needed_mono()?.framework),
            _ => self.runtime(),
        }
    }

    pub fn assembly(&self) -> Assembly {
        let framework = self.framework;
        let options = Options { target: Target::Exe, allow_unsafe: true, framework, ..Options::default() };
        let sources = std::iter::once(&self.source).chain(&self.stand_ins);
        Assembly {
            name: self.title.clone(),
            sources: sources.map(|file| Source::file(file)).collect(),
            options,
        }
    }
}

/// `// key: value`, where the key is in small letters; other comments are for people.
fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.strip_prefix("// ")?.split_once(": ")?;
    (!key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'))
        .then_some((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Program, String> {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("Program.cs");
        fs::write(&source, text).unwrap();
        Program::read(&source).map_err(|error| match error {
            Error::Fixture { line, what, .. } => format!("{line}: {what}"),
            other => other.to_string(),
        })
    }

    #[test]
    fn comments_say_how_a_program_is_started() {
        let program = read(
            "// Sums: the usual.\n// args: a b\n// stdin: 1\\n2\n// env: X=y=z\n// framework: mono\nclass C { }\n// odd: 1",
        )
        .unwrap();
        assert_eq!((program.args, program.stdin.as_str()), (vec!["a".to_owned(), "b".to_owned()], "1\n2"));
        assert_eq!(program.variables, [("X".to_owned(), "y=z".to_owned())]);
        assert_eq!(program.framework, Framework::Mono);
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_line() {
        assert_eq!(
            read("// A remark.\n// arg: x\n").unwrap_err(),
            "2: `arg` says nothing about how a program is started"
        );
        assert_eq!(read("// framework: net48\n").unwrap_err(), "1: there is no framework `net48`");
        assert_eq!(read("// env: NAME\n").unwrap_err(), "1: a variable is NAME=value");
        assert!(read("// reads: nowhere\n").unwrap_err().starts_with("1: nowhere: "));
    }
}
