//! Objects made by sequences of public calls: the classes of `fixtures/sequences` keep their state private, and their
//! branches are covered by tests that use no reflection.

#![allow(clippy::unwrap_used)] // a test may fail

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use report::Summary;
use tempfile::TempDir;
use testkit::{Options, Source, Target, Toolchain};

const RUNNER: &str = include_str!("../../csharp/tests/standins/NUnitRunner.cs");

fn library() -> PathBuf {
    let sources = [
        ("Shop.cs", include_str!("../../../fixtures/sequences/Shop.cs")),
        ("Machines.cs", include_str!("../../../fixtures/sequences/Machines.cs")),
    ];
    testkit::compile("Sequences", &sources, &Options::default()).unwrap()
}

fn generate(dll: &Path, folder: &Path, options: &[&str]) -> Summary {
    let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.arg("generate").arg(dll).arg("-o").arg(folder).arg("--runtime").arg(runtime);
    command
        .args(["--format", "json", "--timeout", "400s", "--max-steps", "10000", "--no-verify"])
        .args(options)
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// Public classes that a test can make without reflection.
const CLASSES: &[&str] =
    &["Pile", "Line", "Account", "Cart", "Lift", "Message", "MessageBuilder", "Tree", "Repository", "Notes"];

#[test]
fn branches_of_private_state_are_covered_without_reflection() {
    let dll = library();
    let folder = TempDir::new().unwrap();
    let types: Vec<&str> = CLASSES.iter().flat_map(|name| ["--type", name]).collect();
    let summary = generate(&dll, folder.path(), &[&types[..], &["--framework", "nunit"]].concat());
    all_covered(&summary);
    let reflected = made_by_reflection(folder.path());
    assert!(reflected.is_empty(), "{} tests use reflection:\n{}", reflected.len(), reflected.join("\n"));
    let tests = summary.methods.iter().map(|method| method.tests).sum();
    pass(folder.path(), &dll, tests);
}

/// Of these classes one test each needs a state that no calls are found for: two keys that are equal in a table, three
/// calls of different methods after another. They are not to become more.
const OPEN: &[&str] = &["CustomerRepository", "Email", "Playlist", "ShoppingCart"];

/// What people write: `fixtures/everyday`.
#[test]
fn everyday_classes_are_covered_by_public_calls() {
    let sources = [
        ("Business.cs", include_str!("../../../fixtures/everyday/Business.cs")),
        ("Containers.cs", include_str!("../../../fixtures/everyday/Containers.cs")),
        ("Shapes.cs", include_str!("../../../fixtures/everyday/Shapes.cs")),
    ];
    let dll = testkit::compile("Everyday", &sources, &Options::default()).unwrap();
    let folder = TempDir::new().unwrap();
    let summary = generate(&dll, folder.path(), &["--framework", "nunit"]);
    all_covered(&summary);
    let mut reflected = made_by_reflection(folder.path());
    for class in OPEN {
        let made = format!("a {class} with this");
        if let Some(at) = reflected.iter().position(|test| test.contains(&made)) {
            reflected.remove(at);
        }
    }
    assert!(reflected.is_empty(), "{} tests use reflection:\n{}", reflected.len(), reflected.join("\n"));
}

fn all_covered(summary: &Summary) {
    let mut missing = Vec::new();
    for method in &summary.methods {
        let coverage = &method.coverage;
        let decided = coverage.covered_branches + coverage.proven_unreachable_branches;
        if decided < coverage.branches {
            missing.push(format!("{}: {} of {}", method.id, decided, coverage.branches));
        }
        assert_eq!(method.replay.failed, 0, "{}: {:?}", method.id, method.incomplete);
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Tests that write or read what is private; what is not public can only be called so.
fn made_by_reflection(folder: &Path) -> Vec<String> {
    let mut reflected = Vec::new();
    for file in testkit::csharp_files(folder).unwrap() {
        let text = std::fs::read_to_string(&file).unwrap();
        let is_meant = |test: &&str| test.replace("Reflected.Call(", "").contains("Reflected.");
        reflected.extend(text.split("[Test]").skip(1).filter(is_meant).map(str::to_owned));
    }
    reflected
}

/// The written tests compile without a warning and pass.
fn pass(folder: &Path, dll: &Path, tests: u64) {
    let files = testkit::csharp_files(folder).unwrap();
    let mut sources: Vec<Source> = files.iter().map(Source::from).collect();
    sources.push(Source::text("NUnitRunner.cs", RUNNER));
    let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
    let options = Options {
        target: Target::Exe,
        references: vec![nunit, dll.to_owned()],
        arguments: vec!["-warnaserror+".to_owned()],
        ..Options::default()
    };
    let program = testkit::compile("SequencesTests", &sources, &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[]).unwrap();
    let wanted = format!("{tests} passed, 0 failed");
    assert!(finished.stdout.contains(&wanted), "{}{}", finished.stdout, finished.stderr);
}
