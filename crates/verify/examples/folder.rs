//! Verifies the tests of a folder: `cargo run -p verify --example folder -- FOLDER FRAMEWORK REFERENCE...`
//!
//! With `PLAIN` in the environment only as a project without nullable reference types and implicit usings.
//! FRAMEWORK is `xunit`, `nunit` or `mstest`. Every method behind an attribute that marks tests is taken for one. What is
//! kept is written into the folder `kept` inside of FOLDER.
#![allow(clippy::print_stdout)]

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use replay::runtime::Installation;
use verify::{Compiler, Framework, Limits, Outcome, Project, SourceFile, Verifier};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, framework, references @ ..] = arguments.as_slice() else {
        return Err("FOLDER FRAMEWORK REFERENCE...".into());
    };
    let (framework, mark) = match framework.as_str() {
        "xunit" => (Framework::XUnit2, "[Fact]"),
        "nunit" => (Framework::NUnit4, "[Test]"),
        _ => (Framework::MSTest3, "[TestMethod]"),
    };
    let folder = Path::new(folder);
    let mut project = Project::new("Subject.Tests", framework);
    project.references = references.iter().map(PathBuf::from).collect();
    project.files = sources(folder, mark)?;
    if std::env::var_os("PLAIN").is_some() {
        project.options.settings.truncate(1);
    }

    let runtime = newest_runtime().ok_or("no runtime")?;
    let mut verifier = Verifier::new(Compiler::find(&runtime.muxer)?, runtime, Limits::default())?;
    let report =
        verifier.verify(&project, Instant::now() + Duration::from_secs(600), &AtomicBool::new(false));

    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for test in &report.tests {
        let kind = match &test.outcome {
            Outcome::Holds => "holds".to_owned(),
            Outcome::DoesNotCompile { diagnostics, .. } => {
                format!("does not compile: {}", diagnostics.first().map_or("?", |d| d.id.as_str()))
            }
            Outcome::Fails { cause, .. } => cause.to_string(),
            Outcome::Skipped { .. } => "skipped".to_owned(),
            Outcome::NotVerified { .. } => "not verified".to_owned(),
        };
        *counts.entry(kind).or_default() += 1;
        if test.outcome != Outcome::Holds {
            let path = report.files.get(test.file).map_or("", |file| file.path.as_str());
            println!("{path} {}: {}", test.name, test.outcome);
        }
    }
    println!("{counts:#?}\n{} of {} kept", report.kept(), report.tests.len());
    println!("{:?} {:?} {:?} {:?}", report.against, report.timings, report.not_tried, report.problems);
    let kept = folder.join("kept");
    fs::create_dir_all(&kept)?;
    for file in &report.files {
        if let Some(text) = &file.text {
            fs::write(kept.join(&file.path), text)?;
        }
    }
    Ok(())
}

fn sources(folder: &Path, mark: &str) -> Result<Vec<SourceFile>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cs"));
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path)?;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let declarations =
            lines.windows(2).filter(|pair| pair.first() == Some(&mark)).filter_map(|pair| pair.last());
        let name = |line: &&str| Some(line.split('(').next()?.rsplit(' ').next()?.to_owned());
        let tests: Vec<String> = declarations.filter_map(name).collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.push(SourceFile::new(&name, text, tests));
    }
    Ok(files)
}

fn newest_runtime() -> Option<replay::Runtime> {
    let found = Installation::all().into_iter().next()?;
    let versions = fs::read_dir(found.root.join("shared/Microsoft.NETCore.App")).ok()?;
    let version = versions.flatten().filter_map(|entry| entry.file_name().into_string().ok()).max()?;
    let core = replay::SharedFramework { name: "Microsoft.NETCore.App".to_owned(), version };
    Some(replay::Runtime { muxer: found.muxer, frameworks: vec![core] })
}
