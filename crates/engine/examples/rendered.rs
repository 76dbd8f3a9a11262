//! Renders stored cases again, compiles and runs what comes out, and counts what does not hold: the renderer by itself,
//! without a new search.
//!
//! `cargo run -p engine --example rendered -- CASES LIB.dll [xunit|nunit|mstest] [FOLDER]`
#![allow(clippy::print_stdout, reason = "a program's result goes to standard output")]

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use case::{Case, CaseFile};
use csharp::{MockLibrary, Options, Reference, TestFramework, render_project};
use engine::{Chosen, Metadata};
use verify::{Compiler, Framework, Limits, Outcome, Project, SourceFile, Verifier};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [cases, assembly, rest @ ..] = &arguments[..] else {
        return Err("say a folder of cases and an assembly".into());
    };
    let cases = stored(Path::new(cases))?;
    let assembly = std::path::absolute(assembly)?;
    let chosen = engine::choose(&assembly, None)?;
    let (universe, id) = chosen.load(&assembly)?;
    let types = Metadata::new(universe, id);
    let framework = rest.first().and_then(|name| TestFramework::parse(name)).unwrap_or_default();
    let name = assembly.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let options = Options {
        framework,
        mocks: MockLibrary::None,
        target_framework: "net10.0".to_owned(),
        assembly: name.clone(),
        reference: Reference::Assembly { hint_path: assembly.to_string_lossy().into_owned() },
        theories: csharp::Theories::default(),
    };
    let suite = render_project(&cases, &types, &options);
    if let Some(folder) = rest.get(1) {
        std::fs::create_dir_all(folder)?;
        for file in &suite.files {
            std::fs::write(Path::new(folder).join(&file.path), &file.text)?;
        }
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for left in &suite.left_out {
        println!("no C#: {}: {}", left.method, left.why);
        *counts.entry("no C#".to_owned()).or_default() += 1;
    }
    let report = verified(chosen, &name, framework, &suite, assembly)?;
    for test in &report.tests {
        *counts.entry(kind(&test.outcome)).or_default() += 1;
        if test.outcome != Outcome::Holds {
            let path = report.files.get(test.file).map_or("", |file| file.path.as_str());
            println!("{path} {}: {}", test.name, test.outcome);
        }
    }
    println!("{counts:#?}\n{} of {} cases kept", report.kept(), cases.len());
    println!("{:?} {:?} {:?}", report.timings, report.not_tried, report.problems);
    Ok(())
}

fn stored(folder: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        cases.extend(CaseFile::from_json(&std::fs::read_to_string(path)?)?.cases);
    }
    Ok(cases)
}

fn verified(
    chosen: Chosen,
    name: &str,
    framework: TestFramework,
    suite: &csharp::Suite,
    assembly: PathBuf,
) -> Result<verify::Report, Box<dyn Error>> {
    let framework = match framework {
        TestFramework::XUnit => Framework::XUnit2,
        TestFramework::NUnit => Framework::NUnit3,
        TestFramework::MSTest => Framework::MSTest3,
    };
    let mut project = Project::new(&format!("{name}.Tests"), framework);
    project.references = vec![assembly];
    let sources = suite.files.iter().filter(|file| file.path.ends_with(".cs"));
    project.files = sources
        .map(|file| {
            SourceFile::new(&file.path, file.text.clone(), file.tests.iter().map(|test| test.name.clone()))
        })
        .collect();
    let runtime = chosen.replay?;
    let mut verifier = Verifier::new(Compiler::find(&runtime.muxer)?, runtime, Limits::default())?;
    const TIME: Duration = Duration::from_secs(900);
    Ok(verifier.verify(&project, Instant::now() + TIME, &AtomicBool::new(false)))
}

fn kind(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Holds => "holds".to_owned(),
        Outcome::DoesNotCompile { diagnostics, .. } => {
            format!("does not compile: {}", diagnostics.first().map_or("?", |d| d.id.as_str()))
        }
        Outcome::Fails { cause, .. } => cause.to_string(),
        Outcome::Skipped { .. } => "skipped".to_owned(),
        Outcome::NotVerified { .. } => "not verified".to_owned(),
    }
}
