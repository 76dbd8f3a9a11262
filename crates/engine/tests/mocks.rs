//! Tests with mocks: cases over `fixtures/mocks` are true on the real runtime, and the tests that are written from them
//! compile and pass there, with stub classes and with the mocking libraries.

#![allow(clippy::unwrap_used)] // a test may fail

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use case::construct::Offer;
use case::*;
use csharp::{MockLibrary, Options, Reference, Suite, TestFramework, name_cases, render_project};
use expect_test::expect_file;
use replay::Verdict;
use serde::Deserialize;
use testkit::{Source, Target, Toolchain};
use types::{Probing, Universe};

use engine::Metadata;

/// A case of `fixtures/mocks/cases.json`: what it comes to is learned once.
#[derive(Deserialize)]
struct Input {
    call: String,
    #[serde(default)]
    objects: Vec<Object>,
    this: Option<Value>,
    arguments: Vec<Value>,
}

fn replayer() -> replay::Replayer {
    let toolchain = Toolchain::locate().unwrap();
    let name = "Microsoft.NETCore.App".into();
    let core = replay::SharedFramework { name, version: toolchain.runtime_version().into() };
    let runtime = replay::Runtime { muxer: toolchain.dotnet(), frameworks: vec![core] };
    replay::Replayer::new(runtime, replay::Limits::default()).unwrap()
}

fn services() -> PathBuf {
    let source = include_str!("../../../fixtures/mocks/Services.cs");
    testkit::compile("Services", &[("Services.cs", source)], &testkit::Options::default()).unwrap()
}

fn metadata() -> Metadata {
    let toolchain = Toolchain::locate().unwrap();
    let dll = services();
    let probing = Probing::for_application(Path::new(&dll), Some(toolchain.runtime_root())).unwrap();
    let universe = Universe::new(probing);
    let assembly = universe.load(&dll).unwrap();
    Metadata::new(universe, assembly)
}

fn inputs(surroundings: &Metadata) -> Vec<Case> {
    let inputs: Vec<Input> =
        serde_json::from_str(include_str!("../../../fixtures/mocks/cases.json")).unwrap();
    let case = |input: Input| {
        let (ty, name) = input.call.split_once("::").unwrap();
        Case {
            name: String::new(),
            method: surroundings.method_named(&format!("Services.{ty}"), name).unwrap(),
            objects: input.objects,
            this: input.this,
            arguments: input.arguments,
            expect: Expectation::void(),
            construction: Reach::Public,
            breaks: vec![],
            consume: None,
            statics: vec![],
            static_state: vec![],
            outside: Outside::default(),
            sequenced: None,
        }
    };
    inputs.into_iter().map(case).collect()
}

/// The cases with what the runtime made of them: the outcome, and what was set on mocks.
fn finished(surroundings: &Metadata) -> Vec<Case> {
    let offers = inputs(surroundings).into_iter().map(|case| Offer::of(case, surroundings)).collect();
    let deadline = Instant::now() + Duration::from_secs(180);
    let learned = replayer().replay_offers(&services(), offers, deadline, &AtomicBool::new(false));
    let mut cases = Vec::new();
    for (mut case, verdict) in learned {
        let (Verdict::Passed { observed, .. } | Verdict::Mismatch { observed, .. }) = verdict else {
            panic!("{}: {verdict:?}", case.method.id);
        };
        case.keep_observed_calls(&observed);
        case.expect = *observed;
        only_what_matters(&mut case);
        cases.push(case);
    }
    let mut classes: std::collections::BTreeMap<String, Vec<Case>> = Default::default();
    for case in cases {
        classes.entry(case.method.ty.clone()).or_default().push(case);
    }
    let mut finished = Vec::new();
    for mut cases in classes.into_values() {
        name_cases(&mut cases, surroundings);
        finished.extend(cases);
    }
    finished
}

/// New strings and what mocks hold; what was free before is left out.
fn only_what_matters(case: &mut Case) {
    let before = case.objects.clone();
    case.expect.after.statics.clear();
    case.expect.after.objects.retain_mut(|object| {
        let known = before.iter().find(|known| known.id == object.id);
        match (&mut object.kind, known.map(|known| &known.kind)) {
            (ObjectKind::Mock(after), _) => {
                after.calls.clear();
                after.fields.clear();
                !after.properties.is_empty()
            }
            (ObjectKind::Object(after), Some(ObjectKind::Object(before))) => {
                after.fields.retain(|field| before.fields.iter().any(|f| f.name == field.name));
                true
            }
            (ObjectKind::Object(_), None) => case.method.is_constructor(),
            (ObjectKind::String(_), None) => true,
            (_, known) => known.is_some(),
        }
    });
}

fn suite(framework: TestFramework, mocks: MockLibrary, cases: &[Case], surroundings: &Metadata) -> Suite {
    let options = Options {
        framework,
        mocks,
        target_framework: "net10.0".into(),
        assembly: "Services".into(),
        reference: Reference::Assembly { hint_path: "../Services.dll".into() },
        theories: csharp::Theories::default(),
    };
    render_project(cases, surroundings, &options)
}

fn run(suite: &Suite, name: &str, more: &[(&str, &str)], mut references: Vec<PathBuf>) {
    let files = suite.files.iter().filter(|file| file.path.ends_with(".cs"));
    let mut sources: Vec<Source> = files.map(|file| Source::text(&file.path, &file.text)).collect();
    sources.extend(more.iter().map(|(name, text)| Source::text(name, text)));
    references.push(services());
    let options =
        testkit::Options { target: Target::Exe, references, checked: true, ..testkit::Options::default() };
    let program = testkit::compile(&format!("Services{name}Tests"), &sources, &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[]).unwrap();
    let wanted = format!("{} passed, 0 failed", suite.tests);
    assert!(finished.stdout.contains(&wanted), "{name}: {}{}", finished.stdout, finished.stderr);
}

fn text(suite: &Suite) -> String {
    let files = suite.files.iter().filter(|file| file.path.ends_with("Tests.cs"));
    let left_out: Vec<String> =
        suite.left_out.iter().map(|one| format!("// {}: {}\n", one.method, one.why)).collect();
    files.map(|file| format!("// {}\n{}\n", file.path, file.text)).collect::<String>() + &left_out.concat()
}

#[test]
fn tests_with_mocks_pass_and_read_well() {
    let surroundings = metadata();
    let cases = finished(&surroundings);
    let xunit = suite(TestFramework::XUnit, MockLibrary::None, &cases, &surroundings);
    expect_file!["snapshots/mocks.stubs.cs"].assert_eq(&text(&xunit));
    let runner = ("Runner.cs", include_str!("../../csharp/tests/standins/Runner.cs"));
    let standin = ("Xunit.cs", include_str!("../../csharp/tests/standins/Xunit.cs"));
    run(&xunit, "XUnit", &[standin, runner], vec![]);
    let mstest = ("MSTest.cs", include_str!("../../csharp/tests/standins/MSTest.cs"));
    run(
        &suite(TestFramework::MSTest, MockLibrary::None, &cases, &surroundings),
        "MSTest",
        &[mstest, runner],
        vec![],
    );
    // The real one.
    let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
    let nunit_runner = ("NUnitRunner.cs", include_str!("../../csharp/tests/standins/NUnitRunner.cs"));
    let nunit_suite = suite(TestFramework::NUnit, MockLibrary::None, &cases, &surroundings);
    run(&nunit_suite, "NUnit", &[nunit_runner], vec![nunit]);
    let moq_suite = suite(TestFramework::XUnit, MockLibrary::Moq, &cases, &surroundings);
    expect_file!["snapshots/mocks.moq.cs"].assert_eq(&text(&moq_suite));
    let moq = ("Moq.cs", include_str!("../../csharp/tests/standins/Moq.cs"));
    compiles(&moq_suite, "Moq", &[standin, runner, moq]);
    let nsubstitute_suite = suite(TestFramework::XUnit, MockLibrary::NSubstitute, &cases, &surroundings);
    expect_file!["snapshots/mocks.nsubstitute.cs"].assert_eq(&text(&nsubstitute_suite));
    let nsubstitute = ("NSubstitute.cs", include_str!("../../csharp/tests/standins/NSubstitute.cs"));
    compiles(&nsubstitute_suite, "NSubstitute", &[standin, runner, nsubstitute]);
}

/// Against a stand-in of the library, which has its signatures and does nothing.
fn compiles(suite: &Suite, name: &str, more: &[(&str, &str)]) {
    let files = suite.files.iter().filter(|file| file.path.ends_with(".cs"));
    let mut sources: Vec<Source> = files.map(|file| Source::text(&file.path, &file.text)).collect();
    sources.extend(more.iter().map(|(name, text)| Source::text(name, text)));
    let options =
        testkit::Options { target: Target::Exe, references: vec![services()], ..testkit::Options::default() };
    testkit::compile(&format!("Services{name}Tests"), &sources, &options).unwrap();
    let project = suite.files.iter().find(|file| file.path.ends_with(".csproj")).unwrap();
    assert!(project.text.contains(&format!("<PackageReference Include=\"{name}\"")), "{}", project.text);
}

/// What was learned once stays true, also when it was stored.
#[test]
fn stored_cases_with_mocks_are_true() {
    let surroundings = metadata();
    let cases = finished(&surroundings);
    let file = CaseFile::new("Services.dll", cases).to_json().unwrap();
    let cases = CaseFile::from_json(&file).unwrap().cases;
    let deadline = Instant::now() + Duration::from_secs(180);
    let verdicts = replayer().replay(&services(), &cases, deadline, &AtomicBool::new(false));
    for (case, verdict) in cases.iter().zip(verdicts) {
        assert!(verdict.is_passed(), "{}: {verdict:?}", case.name);
    }
}
