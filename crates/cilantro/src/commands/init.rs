//! `init`: a `cilantro.toml` for the projects of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use engine::Error;

use super::Exit;
use crate::args::Init;
use crate::config;
use crate::console::Console;
use crate::files::relative;
use crate::project::{Project, find};

pub fn run(args: &Init, console: &Console) -> Result<Exit, Error> {
    if !args.folder.is_dir() {
        return Err(Error::NoSuchFile(args.folder.clone()));
    }
    let path = args.folder.join(config::NAME);
    if path.exists() && !args.force {
        let why = "it is there already; --force writes over it".to_owned();
        return Err(Error::CannotWrite { path, why });
    }
    let found = find(&args.folder)?;
    let projects = found.iter().map(|path| Project::read(path)).collect::<Result<Vec<_>, _>>()?;
    let Found { code, tests } = Found::among(&projects, &args.folder)?;
    let text = text(&code, tests.as_deref().unwrap_or_default(), &args.folder);
    fs::write(&path, &text)
        .map_err(|error| Error::CannotWrite { path: path.clone(), why: error.to_string() })?;
    console.result(&told(&path, &code, tests.as_deref().unwrap_or_default()));
    Ok(Exit::NothingFound)
}

/// The projects of a folder by what they are for.
struct Found<'a> {
    code: Vec<&'a Project>,
    tests: Option<Vec<&'a Project>>,
}

impl<'a> Found<'a> {
    fn among(projects: &'a [Project], folder: &Path) -> Result<Found<'a>, Error> {
        let (tests, code): (Vec<&Project>, Vec<&Project>) =
            projects.iter().partition(|project| project.is_test());
        if code.is_empty() {
            let what = if tests.is_empty() { "no projects" } else { "projects of tests only" };
            return Err(Error::Other(format!("there are {what} in {}", folder.display())));
        }
        Ok(Found { code, tests: Some(tests).filter(|tests| !tests.is_empty()) })
    }
}

/// The project that tests refer to comes first: it is the one that people test.
fn chosen<'a>(code: &[&'a Project], tests: &[&Project]) -> Option<&'a Project> {
    let same = |a: &Path, b: &Path| fs::canonicalize(a).ok() == fs::canonicalize(b).ok();
    let is_tested = |project: &&&'a Project| {
        tests.iter().any(|test| test.references.iter().any(|path| same(path, &project.path)))
    };
    code.iter().find(is_tested).or_else(|| code.first()).copied()
}

fn text(code: &[&Project], tests: &[&Project], folder: &Path) -> String {
    let Some(project) = chosen(code, tests) else { return String::new() };
    let of = |path: &Path| relative(path, folder);
    let mut out = vec![
        "# Settings of Cilantro for this project. Each key is an option of the command line;".to_owned(),
        "# `cilantro generate --help` says what they mean, `cilantro config show` which of them count."
            .to_owned(),
        String::new(),
        "# What `generate` and `check` look at when nothing is named.".to_owned(),
        setting("project", &of(&project.path)),
    ];
    for other in code.iter().filter(|other| other.path != project.path) {
        out.push(format!("# {}", setting("project", &of(&other.path))));
    }
    out.push(String::new());
    out.push(
        "# Where the generated tests go: a project of its own, beside tests that people write.".to_owned(),
    );
    out.push(setting("output", &output(project, tests, folder)));
    out.push(String::new());
    match tests.iter().find_map(|test| framework(test).map(|name| (name, test))) {
        Some((name, test)) => {
            out.push(format!("# As {} does.", of(&test.path)));
            out.push(setting("framework", name));
        }
        None => {
            out.push("# xunit, nunit or mstest; no test project says which.".to_owned());
            out.push(setting("framework", "xunit"));
        }
    }
    match tests.iter().find_map(|test| mocks(test)) {
        Some((library, true)) => out.push(setting("mock-library", library)),
        Some((library, false)) => out.extend([
            format!("# The tests use {library}, which Cilantro does not write: mocks are small classes."),
            setting("mock-library", "none"),
        ]),
        None => out.push(format!("# {}", setting("mock-library", "moq"))),
    }
    if let Some(library) = tests.iter().find_map(|test| assertions(test)) {
        out.push(format!("# The tests use {library}; generated ones assert with the test framework alone."));
    }
    out.extend(
        [
            "",
            "# Time for a whole command.",
            "timeout = \"2m\"",
            "",
            "# What is left out; .cilantroignore has one pattern per line.",
            "# exclude = [\"Shop.Legacy\", \"*Dto\", \"**/Generated/*.cs\"]",
            "",
            "# What you know to hold wherever the program runs: proofs may rest on it.",
            "# assume = [\"closed-world\", \"one-thread\"]",
            "",
        ]
        .map(str::to_owned),
    );
    out.join("\n")
}

/// Beside the project of tests, if there is one.
fn output(project: &Project, tests: &[&Project], folder: &Path) -> String {
    let around = tests.first().map(|test| test.folder()).and_then(Path::parent);
    let around: PathBuf = around.map_or_else(|| folder.join("tests"), Path::to_owned);
    relative(&around.join(format!("{}.GeneratedTests", project.assembly_name())), folder)
}

fn framework(test: &Project) -> Option<&'static str> {
    let known = [("xunit", "xunit"), ("nunit", "NUnit"), ("mstest", "MSTest")];
    known.iter().find(|(_, package)| test.has_package(package)).map(|(name, _)| *name)
}

/// The library, and whether Cilantro can write with it.
fn mocks(test: &Project) -> Option<(&'static str, bool)> {
    let known =
        [("moq", "Moq", true), ("nsubstitute", "NSubstitute", true), ("FakeItEasy", "FakeItEasy", false)];
    known.iter().find(|(_, package, _)| test.has_package(package)).map(|(name, _, can)| (*name, *can))
}

fn assertions(test: &Project) -> Option<&'static str> {
    let known = ["FluentAssertions", "AwesomeAssertions", "Shouldly", "NFluent"];
    known.into_iter().find(|package| test.has_package(package))
}

/// TOML's basic strings are those of JSON.
fn setting(key: &str, value: &str) -> String {
    format!("{key} = {}", serde_json::Value::from(value))
}

fn told(path: &Path, code: &[&Project], tests: &[&Project]) -> String {
    let names =
        |projects: &[&Project]| projects.iter().map(|project| project.name()).collect::<Vec<_>>().join(", ");
    let mut out = format!("{} is written.\n  code   {}\n", path.display(), names(code));
    if !tests.is_empty() {
        out.push_str(&format!("  tests  {}\n", names(tests)));
    }
    out.push_str("`cilantro generate` and `cilantro check` use it from here on.\n");
    out
}
