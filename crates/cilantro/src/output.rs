//! What `generate` leaves in its folder: the test project, the JSON cases, the summary.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use case::path::{PathFile, PathRecord};
use case::{Case, CaseFile};
use csharp::{Fate, MockLibrary, Options, Reference, write_files};
use report::{Runtime, render_json};

use crate::args::{self, TestFramework};
use crate::console::Console;
use crate::files;
use engine::{Error, Outcome, Writing, Written};

pub struct Output {
    assembly: PathBuf,
    folder: PathBuf,
    framework: TestFramework,
    mocks: MockLibrary,
}

impl Output {
    /// Complains before any work is done when the folder cannot be one.
    pub fn new(
        assembly: &Path,
        folder: Option<&Path>,
        framework: TestFramework,
        mocks: Option<args::MockLibrary>,
    ) -> Result<Output, Error> {
        let folder = folder.map_or_else(|| default_folder(assembly), Path::to_owned);
        if folder.exists() && !folder.is_dir() {
            return Err(Error::CannotWrite { path: folder, why: "it is not a folder".to_owned() });
        }
        let mocks = match mocks {
            Some(args::MockLibrary::None) => MockLibrary::None,
            Some(args::MockLibrary::Moq) => MockLibrary::Moq,
            Some(args::MockLibrary::Nsubstitute) => MockLibrary::NSubstitute,
            None => referred_library(&folder).unwrap_or_default(),
        };
        Ok(Output { assembly: assembly.to_owned(), folder, framework, mocks })
    }

    /// Writes everything and notes the folder in the summary.
    pub fn write(&self, outcome: &mut Outcome, console: &Console) -> Result<(), Error> {
        let written = outcome.write(&self.writing(outcome.summary.runtime.as_ref()));
        for remark in &written.remarks {
            console.warn(remark);
        }
        self.write_cases(&outcome.suite, &outcome.explored)?;
        self.write_paths(outcome)?;
        self.write_project(&written, console)?;
        outcome.summary.output = Some(self.folder.display().to_string());
        let json = render_json(&outcome.summary);
        write(&self.folder.join("summary.json"), &json.map_err(|e| Error::Internal(e.to_string()))?)
    }

    fn writing(&self, runtime: Option<&Runtime>) -> Writing {
        let options = Options {
            framework: match self.framework {
                TestFramework::Xunit => csharp::TestFramework::XUnit,
                TestFramework::Nunit => csharp::TestFramework::NUnit,
                TestFramework::Mstest => csharp::TestFramework::MSTest,
            },
            mocks: self.mocks,
            target_framework: target_framework(runtime),
            assembly: stem(&self.assembly),
            reference: Reference::Assembly { hint_path: files::relative(&self.assembly, &self.folder) },
        };
        Writing { options, folder: self.folder.clone() }
    }

    /// The project itself. What a person edited stays; the new text goes beside it.
    fn write_project(&self, written: &Written, console: &Console) -> Result<(), Error> {
        let fates = write_files(&self.folder, &written.files)
            .map_err(|e| Error::CannotWrite { path: e.path, why: e.source.to_string() })?;
        for (path, fate) in fates {
            if let Fate::KeptEdited { beside } = fate {
                let (path, beside) = (path.display(), beside.display());
                console.warn(&format!("{path} was edited and is kept; the new text is in {beside}"));
            }
        }
        Ok(())
    }

    /// One file per type. Types that were not explored this time keep their files; explored ones without any test
    /// lose theirs.
    fn write_cases(&self, suite: &[Case], explored: &[String]) -> Result<(), Error> {
        let folder = self.folder.join("cases");
        create(&folder)?;
        let mut by_file: BTreeMap<String, Vec<Case>> =
            explored.iter().map(|ty| (case_file_name(ty), Vec::new())).collect();
        for case in suite {
            by_file.entry(case_file_name(&case.method.ty)).or_default().push(case.clone());
        }
        let assembly = files::relative(&self.assembly, &folder);
        for (name, cases) in by_file {
            let path = folder.join(name);
            if cases.is_empty() {
                let _not_there = fs::remove_file(&path);
                continue;
            }
            let json = CaseFile::new(&assembly, cases).to_json();
            write(&path, &json.map_err(|e| Error::Internal(e.to_string()))?)?;
        }
        Ok(())
    }

    /// Why each test exists, in files that are called as those of the cases.
    fn write_paths(&self, outcome: &Outcome) -> Result<(), Error> {
        let folder = self.folder.join("paths");
        create(&folder)?;
        let mut by_file: BTreeMap<String, Vec<PathRecord>> =
            outcome.explored.iter().map(|ty| (case_file_name(ty), Vec::new())).collect();
        for (case, path) in outcome.suite.iter().zip(&outcome.paths) {
            by_file.entry(case_file_name(&case.method.ty)).or_default().push(path.clone());
        }
        for (name, paths) in by_file {
            let path = folder.join(name);
            if paths.is_empty() {
                let _not_there = fs::remove_file(&path);
                continue;
            }
            let json = PathFile::new(paths).to_json();
            write(&path, &json.map_err(|e| Error::Internal(e.to_string()))?)?;
        }
        Ok(())
    }
}

/// The mocking library that a project in the folder refers to.
fn referred_library(folder: &Path) -> Option<MockLibrary> {
    let mut projects: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "csproj"))
        .collect();
    projects.sort();
    projects.iter().find_map(|path| MockLibrary::of_project(&fs::read_to_string(path).ok()?))
}

fn default_folder(assembly: &Path) -> PathBuf {
    PathBuf::from(format!("./{}.Tests", stem(assembly)))
}

fn stem(assembly: &Path) -> String {
    assembly.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The framework of the runtime that the tests were replayed on: `net10.0`, `netcoreapp3.1`.
fn target_framework(runtime: Option<&Runtime>) -> String {
    let version = runtime.map_or("", |runtime| runtime.version.as_str());
    let mut numbers = version.split('.').map(|n| n.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major @ 2..=3), Some(minor)) => format!("netcoreapp{major}.{minor}"),
        (Some(major @ 5..), _) => format!("net{major}.0"),
        _ => "net8.0".to_owned(),
    }
}

/// `Shop.Cart.json`; instantiations of a generic type share the file of their definition.
fn case_file_name(type_name: &str) -> String {
    let definition = type_name.split('[').next().unwrap_or(type_name);
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-') { c } else { '-' };
    format!("{}.json", definition.chars().map(safe).collect::<String>())
}

fn create(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|e| Error::CannotWrite { path: folder.to_owned(), why: e.to_string() })
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|e| Error::CannotWrite { path: path.to_owned(), why: e.to_string() })
}
