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

    pass("PeopleTests", folder.path(), &dll, tests);
}

/// The written tests compile without a warning and pass, so many of them.
fn pass(name: &str, folder: &Path, dll: &Path, tests: u64) {
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
    let program = testkit::compile(name, &sources, &options).unwrap();
    for arguments in [&[][..], &["twice"]] {
        let finished = testkit::run_dotnet(&program, arguments).unwrap();
        let wanted = format!("{tests} passed, 0 failed");
        assert!(finished.stdout.contains(&wanted), "{}{}", finished.stdout, finished.stderr);
    }
}

/// Inputs that no solver finds or no parameter passes (`fixtures/inputs`): every branch is taken by a test that holds.
#[test]
fn texts_types_and_surroundings_are_inputs() {
    let dll = compiled("Inputs", "../../fixtures/inputs");
    let folder = TempDir::new().unwrap();
    let limits = ["--timeout", "400s", "--max-steps", "10000", "--no-verify"];
    let summary = run_within(&dll, folder.path(), &limits, &["--framework", "nunit"]);
    assert!(summary.methods.len() > 20, "{}", summary.methods.len());
    for method in &summary.methods {
        let (covered, all) = (method.coverage.covered_branches, method.coverage.branches);
        assert_eq!((covered, method.replay.failed), (all, 0), "{}: {:?}", method.id, method.incomplete);
        assert_eq!(method.coverage.proven_unreachable_branches, 0, "{}", method.id);
    }
    let tests = summary.methods.iter().map(|m| m.tests).sum();
    pass("InputsTests", folder.path(), &dll, tests);
    let written = std::fs::read_to_string(folder.path().join("OutsideTests.cs")).unwrap();
    for line in [
        "Console.SetIn(new StringReader(\"root\\n\"));",
        "Environment.SetEnvironmentVariable(\"APP_MODE\", \"debug\");",
        "Environment.SetEnvironmentVariable(\"APP_MODE\", appModeBefore);",
        "[NonParallelizable]",
    ] {
        assert!(written.contains(line), "{line} is not in\n{written}");
    }
    assert!(!written.contains("Reflected."), "{written}");
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
}

/// Tests set up what they read and put back what they find, so that their order does not matter.
#[test]
fn tests_of_static_state_do_not_see_each_other() {
    let dll = library();
    let folder = TempDir::new().unwrap();
    let summary = generate(&dll, folder.path(), &["--type", "Statics", "--framework", "nunit"]);
    for method in &summary.methods {
        let has_tests = method.tests > 0 || method.id.contains(".cctor");
        assert!(has_tests && method.replay.failed == 0, "{method:?}");
    }
    let tests = summary.methods.iter().map(|m| m.tests).sum();
    pass("StaticsTests", folder.path(), &dll, tests);
    // The verifier, which runs them in several orders, has nothing to leave out.
    let verified = TempDir::new().unwrap();
    let summary = run(&dll, verified.path(), &["--type", "Statics"]);
    let left_out: Vec<_> = summary.methods.iter().flat_map(|m| &m.unwritten).collect();
    assert!(left_out.is_empty() && verified.path().join("StaticState.cs").is_file(), "{left_out:?}");
    let written = std::fs::read_to_string(folder.path().join("StaticsTests.cs")).unwrap();
    let test = |name: &str| {
        let (_, rest) = written.split_once(&format!("public void {name}")).unwrap();
        rest.split("[Test]").next().unwrap().to_owned()
    };
    assert!(written.contains("[NonParallelizable]"), "{written}");
    // A public field or property by its name, a hidden one by reflection, and only where one is concerned.
    assert!(test("Above_").contains("Statics.Limit = 10;"), "{written}");
    assert!(test("Describe_").contains("Statics.Title = \"none\";"), "{written}");
    assert!(test("Third_").contains("Reflected.SetStatic(typeof(Statics), \"calls\", 0);"), "{written}");
    assert!(test("Look_").contains("Statics.Look(") && !test("Look_").contains("finally"), "{written}");
    assert!(test("Set_").contains("Array.Copy(tableBefore, table, tableBefore.Length);"), "{written}");
    assert!(test("Prime_").contains("Statics.Prime(") && !test("Prime_").contains("finally"), "{written}");
    assert!(test("SetTitle_").contains("Assert.That(Statics.Title, Is.Null)"), "{written}");
}

/// What they do is measured, whichever test ran them; they have tests of their own only where no other test does.
#[test]
fn static_constructors_are_methods_of_the_summary() {
    let dll = library();
    let folder = TempDir::new().unwrap();
    let types = ["Rates", "Lonely", "Broken", "Label", "Pool"].map(|name| ["--type", name]).concat();
    let summary = generate(&dll, folder.path(), &[&types[..], &["--framework", "nunit"]].concat());
    let initializer = |name: &str| {
        let id = format!("People.{name}::.cctor()");
        summary.methods.iter().find(|m| m.id == id).unwrap_or_else(|| panic!("{id} is not there"))
    };
    let rates = &initializer("Rates").coverage;
    assert_eq!((rates.covered_branches, rates.branches), (4, 4), "{:?}", initializer("Rates"));
    assert_eq!(rates.covered_instructions, rates.instructions);
    assert_eq!(initializer("Rates").tests, 0, "its users run it");
    let pool = initializer("Pool`1");
    assert!(pool.coverage.instructions > 0 && pool.tests == 0, "{pool:?}");
    assert_eq!(pool.coverage.covered_instructions, pool.coverage.instructions, "{pool:?}");
    let lonely = initializer("Lonely");
    assert_eq!((lonely.tests, lonely.coverage.covered_branches), (1, 1), "{lonely:?}");
    assert_eq!(lonely.coverage.proven_unreachable_branches, 0);
    let broken = initializer("Broken");
    assert_eq!(broken.bugs.len(), 1, "{broken:?}");
    assert!(
        broken.bugs.iter().all(|bug| bug.exception == "System.TypeInitializationException" && bug.replayed)
    );
    for method in &summary.methods {
        assert_eq!(method.replay.failed, 0, "{method:?}");
    }
    pass("InitializersTests", folder.path(), &dll, summary.methods.iter().map(|m| m.tests).sum());
    let written = std::fs::read_to_string(folder.path().join("BrokenTests.cs")).unwrap();
    let call = "RuntimeHelpers.RunClassConstructor(typeof(Broken).TypeHandle)";
    assert!(written.contains("StaticConstructor_") && written.contains(call), "{written}");
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
    compiled("People", "../../fixtures/people")
}

fn compiled(name: &str, folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = testkit::csharp_files(&folder).unwrap();
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    testkit::compile(name, &sources, &Options::default()).unwrap()
}

/// What the renderer writes is right by itself: the net that catches the rest is not asked.
fn generate(dll: &Path, folder: &Path, options: &[&str]) -> Summary {
    run(dll, folder, &[options, &["--no-verify"]].concat())
}

fn run(dll: &Path, folder: &Path, options: &[&str]) -> Summary {
    let limits = ["--timeout", "60s", "--max-steps", "20000", "--private"];
    run_within(dll, folder, &limits, options)
}

fn run_within(dll: &Path, folder: &Path, limits: &[&str], options: &[&str]) -> Summary {
    let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.arg("generate").arg(dll).arg("-o").arg(folder).arg("--runtime").arg(runtime);
    command.args(["--format", "json"]).args(limits).args(options).stdin(Stdio::null());
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

fn method<'a>(summary: &'a Summary, name: &str) -> &'a Method {
    let part = format!("::{name}(");
    summary.methods.iter().find(|m| m.id.contains(&part)).unwrap_or_else(|| panic!("{name} is not there"))
}
