//! Libraries as people write them: the whole way from `generate` to tests that compile and pass, and claims that hold.

#![allow(clippy::unwrap_used)] // a test may fail

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use report::{Method, Summary, Verdict};
use tempfile::TempDir;
use testkit::{Options, Source, Target, Toolchain};

/// The types whose methods depend on nothing but their arguments.
const DATA: &[&str] = &["--type", "Amount", "--type", "Entry", "--type", "Word", "--type", "Ledger"];

const RUNNER: &str = include_str!("../../csharp/tests/standins/NUnitRunner.cs");

#[test]
fn generated_tests_compile_without_warnings_and_pass() {
    let dll = library();
    let folder = TempDir::new().unwrap();
    let summary = generate(&dll, folder.path(), &[&["--framework", "nunit"], DATA].concat());
    let tests: u64 = summary.methods.iter().map(|m| m.tests).sum();
    assert!(tests > 12, "only {tests} tests");
    for method in &summary.methods {
        assert_eq!(method.replay.failed, 0, "{}: {:?}", method.id, method.incomplete);
    }

    let files = testkit::csharp_files(folder.path()).unwrap();
    let mut sources: Vec<Source> = files.iter().map(Source::from).collect();
    sources.push(Source::text("NUnitRunner.cs", RUNNER));
    let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
    let options = Options {
        target: Target::Exe,
        references: vec![nunit, dll],
        arguments: vec!["-warnaserror+".to_owned()],
        ..Options::default()
    };
    let program = testkit::compile("PeopleTests", &sources, &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[]).unwrap();
    let wanted = format!("{tests} passed, 0 failed");
    assert!(finished.stdout.contains(&wanted), "{}{}", finished.stdout, finished.stderr);
}

#[test]
fn what_static_state_can_change_is_never_proven() {
    let folder = TempDir::new().unwrap();
    let summary = generate(&library(), folder.path(), &["--type", "Statics"]);
    for name in ["Once", "Third", "Above", "Look", "LookAtFilled"] {
        let method = method(&summary, name);
        assert_eq!(method.verdict, Verdict::Incomplete, "{name}");
        assert_eq!(method.coverage.proven_unreachable_branches, 0, "{name}");
        assert!(method.incomplete.iter().any(|i| i.detail.contains("static field")), "{name}");
    }
    for (name, proven) in [("Reset", 0), ("Steps", 1), ("Constant", 1), ("Prime", 1)] {
        let method = method(&summary, name);
        assert_eq!(method.verdict, Verdict::Complete, "{name}: {:?}", method.incomplete);
        assert_eq!(method.coverage.proven_unreachable_branches, proven, "{name}");
    }
    // A test that another test could break is not written.
    let tests = std::fs::read_to_string(folder.path().join("StaticsTests.cs")).unwrap();
    assert!(tests.contains("Reset_") && !tests.contains("Third_") && !tests.contains("Look_"), "{tests}");
}

#[test]
fn every_reachable_branch_is_covered() {
    let folder = TempDir::new().unwrap();
    let summary = generate(&library(), folder.path(), DATA);
    for name in ["Kind", "Pick", "Guarded", "Late"] {
        let coverage = &method(&summary, name).coverage;
        assert_eq!(
            coverage.covered_branches + coverage.proven_unreachable_branches,
            coverage.branches,
            "{name}: {:?}",
            method(&summary, name)
        );
    }
    assert_eq!(method(&summary, "Kind").coverage.proven_unreachable_branches, 0);
}

/// Two runs, with one worker and with two, write the same tests.
#[test]
fn the_same_tests_every_time() {
    let dll = library();
    let written = |jobs: &str| {
        let folder = TempDir::new().unwrap();
        generate(&dll, folder.path(), &[DATA, &["--jobs", jobs]].concat());
        let files = testkit::csharp_files(folder.path()).unwrap();
        let name = |path: &PathBuf| path.file_name().unwrap().to_owned();
        files.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect::<Vec<_>>()
    };
    let first = written("1");
    assert!(!first.is_empty());
    assert_eq!(first, written("2"));
}

fn library() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/people");
    let files = testkit::csharp_files(&folder).unwrap();
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    testkit::compile("People", &sources, &Options::default()).unwrap()
}

fn generate(dll: &Path, folder: &Path, options: &[&str]) -> Summary {
    let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.arg("generate").arg(dll).arg("-o").arg(folder).arg("--runtime").arg(runtime);
    command
        .args(["--format", "json", "--timeout", "20s", "--max-steps", "20000", "--no-verify"])
        .args(options)
        .stdin(Stdio::null());
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

fn method<'a>(summary: &'a Summary, name: &str) -> &'a Method {
    let part = format!("::{name}(");
    summary.methods.iter().find(|m| m.id.contains(&part)).unwrap_or_else(|| panic!("{name} is not there"))
}
