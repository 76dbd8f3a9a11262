//! What `generate` leaves in its folder: the test project, the JSON cases, the summary.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use case::path::{PathFile, PathRecord};
use case::{Case, CaseFile};
use csharp::{Fate, MockLibrary, Options, Plan, Reference, Theories, write_files};
use report::{LinesFile, Runtime, render_json};
use similar::TextDiff;

use crate::args::{self, TestFramework};
use crate::console::Console;
use crate::files;
use engine::{Error, Outcome, Writing, Written};

pub struct Output {
    assembly: PathBuf,
    folder: PathBuf,
    framework: TestFramework,
    mocks: MockLibrary,
    /// The project of the assembly, if it is known.
    project: Option<PathBuf>,
    tried: Option<Trial>,
    no_theories: bool,
    /// What the methods of the assembly do, for whoever compares later versions with it.
    code: BTreeMap<String, String>,
}

/// Nothing is written; what would be is told.
#[derive(Clone, Copy)]
struct Trial {
    /// With the lines that would change.
    shows_lines: bool,
}

/// A file of data, complete in itself.
struct Data {
    path: PathBuf,
    /// None: it is taken away.
    text: Option<String>,
}

impl Output {
    /// Complains before any work is done when the folder cannot be one.
    pub fn new(
        assembly: &Path,
        project: Option<PathBuf>,
        folder: Option<&Path>,
        framework: TestFramework,
        mocks: Option<args::MockLibrary>,
        no_theories: bool,
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
        Ok(Output {
            assembly: assembly.to_owned(),
            folder,
            framework,
            mocks,
            project,
            tried: None,
            no_theories,
            code: BTreeMap::new(),
        })
    }

    /// Only tells what it would do, if that is wanted.
    pub fn trying(self, args: &args::Generate) -> Output {
        let tried = (args.dry_run || args.diff).then_some(Trial { shows_lines: args.diff });
        Output { tried, ..self }
    }

    /// Notes in the summary what the methods do.
    pub fn with_code(self, code: BTreeMap<String, String>) -> Output {
        Output { code, ..self }
    }

    /// The project as it would be written, and nothing on the disk.
    pub fn rendered(&self, outcome: &mut Outcome) -> Written {
        outcome.write(&self.writing(outcome.summary.runtime.as_ref()))
    }

    /// Writes everything and notes the folder in the summary.
    pub fn write(&self, outcome: &mut Outcome, console: &Console) -> Result<(), Error> {
        let written = self.rendered(outcome);
        outcome.summary.code.clone_from(&self.code);
        for remark in &written.remarks {
            console.warn(remark);
        }
        let internal = |error: serde_json::Error| Error::Internal(error.to_string());
        let mut data = self.cases(&outcome.suite, &outcome.explored)?;
        data.extend(self.paths(outcome)?);
        let lines = render_json(&LinesFile::from(&outcome.coverage())).map_err(internal)?;
        data.push(Data { path: self.folder.join("lines.json"), text: Some(lines) });
        if let Some(trial) = self.tried {
            return self.tell(trial, &written, &data, console);
        }
        outcome.summary.output = Some(self.folder.display().to_string());
        let json = render_json(&outcome.summary).map_err(internal)?;
        data.iter().try_for_each(Data::write)?;
        self.write_project(&written, console)?;
        write(&self.folder.join("summary.json"), &json)
    }

    /// What would be written. Whether data changes is said, not how: nobody reads it line by line.
    fn tell(&self, trial: Trial, written: &Written, data: &[Data], console: &Console) -> Result<(), Error> {
        let plans = csharp::plan_files(&self.folder, &written.files)
            .map_err(|e| Error::CannotWrite { path: e.path, why: e.source.to_string() })?;
        let mut lines: Vec<String> = plans.iter().map(told_plan).collect();
        lines.extend(data.iter().filter_map(Data::told));
        lines.push(format!("  summary    {}", self.folder.join("summary.json").display()));
        let mut text = format!("Nothing is written. `generate` would write:\n{}\n", lines.join("\n"));
        for plan in plans.iter().filter(|plan| trial.shows_lines && plan.fate != Fate::Unchanged) {
            text.push_str(&format!("\n{}", difference(plan)));
        }
        text.push('\n');
        console.result(&text);
        Ok(())
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
            reference: self.reference(),
            theories: Theories { off: self.no_theories, ..Theories::default() },
        };
        Writing { options, folder: self.folder.clone() }
    }

    /// A project that is known is referred to, so that tests are built with the code that they are about.
    fn reference(&self) -> Reference {
        match &self.project {
            Some(project) => Reference::Project { path: files::relative(project, &self.folder) },
            None => Reference::Assembly { hint_path: files::relative(&self.assembly, &self.folder) },
        }
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
    fn cases(&self, suite: &[Case], explored: &[String]) -> Result<Vec<Data>, Error> {
        let folder = self.folder.join("cases");
        let mut by_file: BTreeMap<String, Vec<Case>> =
            explored.iter().map(|ty| (case_file_name(ty), Vec::new())).collect();
        for case in suite {
            by_file.entry(case_file_name(&case.method.ty)).or_default().push(case.clone());
        }
        let assembly = files::relative(&self.assembly, &folder);
        let mut data = Vec::new();
        for (name, cases) in by_file {
            let json = (!cases.is_empty()).then(|| CaseFile::new(&assembly, cases).to_json()).transpose();
            let text = json.map_err(|e| Error::Internal(e.to_string()))?;
            data.push(Data { path: folder.join(name), text });
        }
        Ok(data)
    }

    /// Why each test exists, in files that are called as those of the cases.
    fn paths(&self, outcome: &Outcome) -> Result<Vec<Data>, Error> {
        let folder = self.folder.join("paths");
        let mut by_file: BTreeMap<String, Vec<PathRecord>> =
            outcome.explored.iter().map(|ty| (case_file_name(ty), Vec::new())).collect();
        for (case, path) in outcome.suite.iter().zip(&outcome.paths) {
            by_file.entry(case_file_name(&case.method.ty)).or_default().push(path.clone());
        }
        let mut data = Vec::new();
        for (name, paths) in by_file {
            let json = (!paths.is_empty()).then(|| PathFile::new(paths).to_json()).transpose();
            let text = json.map_err(|e| Error::Internal(e.to_string()))?;
            data.push(Data { path: folder.join(name), text });
        }
        Ok(data)
    }
}

impl Data {
    fn write(&self) -> Result<(), Error> {
        let Some(text) = &self.text else {
            let _not_there = fs::remove_file(&self.path);
            return Ok(());
        };
        self.path.parent().map_or(Ok(()), create)?;
        write(&self.path, text)
    }

    fn told(&self) -> Option<String> {
        let old = fs::read_to_string(&self.path).ok();
        let what = match (&old, &self.text) {
            (None, None) => return None,
            (None, Some(_)) => "new",
            (Some(old), Some(new)) if old == new => "unchanged",
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
        };
        Some(format!("  {what:<9}  {}", self.path.display()))
    }
}

fn told_plan(plan: &Plan) -> String {
    let path = plan.path.display();
    match &plan.fate {
        Fate::Created => format!("  new        {path}"),
        Fate::Updated => format!("  changed    {path}"),
        Fate::Unchanged => format!("  unchanged  {path}"),
        Fate::KeptEdited { beside } => {
            format!("  kept       {path} (it was edited; the new text goes to {})", beside.display())
        }
    }
}

/// The lines that would change, as `diff -u` shows them.
fn difference(plan: &Plan) -> String {
    let path = plan.path.display().to_string();
    let before = if plan.fate == Fate::Created { "/dev/null" } else { path.as_str() };
    let diff = TextDiff::from_lines(plan.old.as_str(), plan.new.as_str());
    diff.unified_diff().header(before, &path).to_string()
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
