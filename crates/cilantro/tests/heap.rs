//! Objects, arrays, strings and collections as inputs: the comments of `fixtures/heap` say what each method can do, and
//! the tests that come out compile and pass on the real runtime.

#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use report::{Method, Summary};
use tempfile::TempDir;
use testkit::{Expectation, Options, Source, Target, Toolchain};

const RUNNER: &str = include_str!("../../testgen/tests/standins/NUnitRunner.cs");

#[test]
fn methods_over_heaps_are_what_their_comments_say() {
    let (dll, expectations) = library();
    let folder = TempDir::new().unwrap();
    let summary = generate(&dll, folder.path());
    let mut wrong = Vec::new();
    for (name, expectation) in &expectations {
        match summary.methods.iter().find(|method| is_named(method, name)) {
            Some(method) => wrong.extend(contradictions(name, method, expectation)),
            None => wrong.push(format!("{name} is not there")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    passes(&summary, folder.path(), dll);
}

fn contradictions(name: &str, method: &Method, expectation: &Expectation) -> Vec<String> {
    let mut wrong = Vec::new();
    let coverage = &method.coverage;
    let (proven, reached) = (coverage.proven_unreachable_branches, coverage.covered_branches);
    if proven + reached < coverage.branches && expectation.dead != Some(true) {
        wrong.push(format!("{name}: {reached} of {} branches: {:?}", coverage.branches, method.incomplete));
    }
    if expectation.dead == Some(false) && proven > 0 {
        wrong.push(format!("{name}: {proven} branches are proven unreachable"));
    }
    if expectation.dead == Some(true) && proven == 0 {
        wrong.push(format!("{name}: nothing is proven: {:?}", method.incomplete));
    }
    if method.replay.failed > 0 {
        wrong.push(format!("{name}: {} tests do not replay: {:?}", method.replay.failed, method.incomplete));
    }
    let simple = |full: &str| full.rsplit('.').next().unwrap_or(full).to_owned();
    let found: BTreeSet<String> = method.bugs.iter().map(|bug| simple(&bug.exception)).collect();
    let wanted: BTreeSet<String> = expectation.bugs.iter().flatten().cloned().collect();
    if found != wanted {
        wrong.push(format!("{name}: throws {found:?}, not {wanted:?}: {:?}", method.incomplete));
    }
    wrong
}

/// The generated tests compile without warnings and pass.
fn passes(summary: &Summary, folder: &Path, dll: PathBuf) {
    let files = testkit::csharp_files(folder).unwrap();
    let mut sources: Vec<Source> = files.iter().map(Source::from).collect();
    sources.push(Source::text("NUnitRunner.cs", RUNNER));
    let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
    let options = Options {
        target: Target::Exe,
        references: vec![nunit, dll],
        arguments: vec!["-warnaserror+".to_owned()],
        ..Options::default()
    };
    let program = testkit::compile("HeapTests", &sources, &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[]).unwrap();
    let tests: u64 = summary.methods.iter().map(|method| method.tests).sum();
    assert!(tests > 100, "only {tests} tests");
    let wanted = format!("{tests} passed, 0 failed");
    assert!(finished.stdout.contains(&wanted), "{wanted}: {}{}", finished.stdout, finished.stderr);
}

fn is_named(method: &Method, name: &str) -> bool {
    let (start, _) = method.id.split_once('(').unwrap_or((&method.id, ""));
    start.rsplit('.').next() == Some(name)
}

fn library() -> (PathBuf, BTreeMap<String, Expectation>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/heap");
    let files = testkit::csharp_files(&folder).unwrap();
    let mut expectations = BTreeMap::new();
    for file in &files {
        for expectation in testkit::expectations(&std::fs::read_to_string(file).unwrap()) {
            expectations.insert(expectation.method.clone(), expectation);
        }
    }
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    (testkit::compile("Heap", &sources, &Options::default()).unwrap(), expectations)
}

fn generate(dll: &Path, folder: &Path) -> Summary {
    let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.arg("generate").arg(dll).arg("-o").arg(folder).arg("--runtime").arg(runtime);
    command
        .args(["--format", "json", "--timeout", "3m", "--max-steps", "60000", "--framework", "nunit"])
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}
