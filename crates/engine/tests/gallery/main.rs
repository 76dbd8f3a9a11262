//! Tests for inputs that are graphs of objects: the ways that the search offers are tried on the real runtime, and the
//! tests that are written from them compile and pass there.

#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use case::construct::Offer;
use case::*;
use csharp::{Options, Reference, Suite, TestFramework, name_cases, render_project};
use expect_test::{expect, expect_file};
use replay::{Replayer, Verdict};
use testkit::{Source, Target, Toolchain};
use types::{Probing, Universe};

use engine::Metadata;

mod cases;

fn gallery() -> PathBuf {
    let source = include_str!("../../../../fixtures/gallery/Gallery.cs");
    testkit::compile("Gallery", &[("Gallery.cs", source)], &testkit::Options::default()).unwrap()
}

fn metadata() -> Metadata {
    let toolchain = Toolchain::locate().unwrap();
    let dll = gallery();
    let probing = Probing::for_application(Path::new(&dll), Some(toolchain.runtime_root())).unwrap();
    let universe = Universe::new(probing);
    let assembly = universe.load(&dll).unwrap();
    Metadata::new(universe, assembly)
}

fn replayer() -> Replayer {
    let toolchain = Toolchain::locate().unwrap();
    let name = "Microsoft.NETCore.App".into();
    let core = replay::SharedFramework { name, version: toolchain.runtime_version().into() };
    let runtime = replay::Runtime { muxer: toolchain.dotnet(), frameworks: vec![core] };
    Replayer::new(runtime, replay::Limits::default()).unwrap()
}

fn replayed(cases: Vec<Case>, surroundings: &Metadata) -> Vec<(Case, Verdict)> {
    let offers = cases.into_iter().map(|case| Offer::of(case, surroundings)).collect();
    let deadline = Instant::now() + Duration::from_secs(60);
    replayer().replay_offers(&gallery(), offers, deadline, &AtomicBool::new(false))
}

/// The cases with the ways that the runtime took. What it did once is what is expected.
fn finished(surroundings: &Metadata) -> Vec<Case> {
    let mut cases = cases::all(surroundings);
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/gallery.expected.json");
    let learns = std::env::var_os("UPDATE_EXPECT").is_some();
    if !learns {
        let stored = std::fs::read_to_string(&stored).unwrap();
        let expected: Vec<Expectation> = serde_json::from_str(&stored).unwrap();
        assert_eq!(expected.len(), cases.len());
        cases.iter_mut().zip(expected).for_each(|(case, expected)| case.expect = expected);
    }
    let mut settled = Vec::new();
    let mut wrong = Vec::new();
    for (mut case, verdict) in replayed(cases, surroundings) {
        match verdict {
            Verdict::Passed { .. } if !learns => {}
            Verdict::Passed { observed, .. } | Verdict::Mismatch { observed, .. } if learns => {
                let statics = !case.expect.after.statics.is_empty();
                case.expect = *observed;
                only_what_was_said(&mut case);
                if !statics {
                    case.expect.after.statics.clear();
                }
            }
            other => wrong.push(format!("{}: {other:?}", case.method.id)),
        }
        settled.push(case);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    if learns {
        let lines: Vec<String> =
            settled.iter().map(|case| serde_json::to_string(&case.expect).unwrap()).collect();
        std::fs::write(&stored, format!("[\n{}\n]\n", lines.join(",\n"))).unwrap();
    }
    named(settled, surroundings)
}

/// Class by class, as the driver does it.
fn named(cases: Vec<Case>, surroundings: &Metadata) -> Vec<Case> {
    let mut classes: BTreeMap<String, Vec<Case>> = BTreeMap::new();
    for case in cases {
        let definition = case.method.ty.split('[').next().unwrap_or_default().to_owned();
        classes.entry(definition).or_default().push(case);
    }
    let mut finished = Vec::new();
    for mut cases in classes.into_values() {
        name_cases(&mut cases, surroundings);
        finished.extend(cases);
    }
    finished
}

/// Fields that the input leaves free may be anything: what they are after the call is not looked at.
fn only_what_was_said(case: &mut Case) {
    let before = case.objects.clone();
    for object in &mut case.expect.after.objects {
        let known = before.iter().find(|known| known.id == object.id).map(|known| &known.kind);
        if let (ObjectKind::Object(after), Some(ObjectKind::Object(before))) = (&mut object.kind, known) {
            let said = |field: &FieldValue| before.fields.iter().any(|f| f.name == field.name);
            after.fields.retain(said);
        }
    }
    // And what nothing leads to any more goes as well.
    loop {
        let text = serde_json::to_string(&case.expect).unwrap();
        let count = case.expect.after.objects.len();
        case.expect.after.objects.retain(|object| {
            let id = object.id.0;
            let named = format!("\"object\":{id}}}");
            let over = format!("\"over\":{id},");
            before.iter().any(|known| known.id == object.id) || text.contains(&named) || text.contains(&over)
        });
        if case.expect.after.objects.len() == count {
            return;
        }
    }
}

fn suite(framework: TestFramework, cases: &[Case], surroundings: &Metadata) -> Suite {
    let options = Options {
        framework,
        mocks: csharp::MockLibrary::None,
        target_framework: "net10.0".into(),
        assembly: "Gallery".into(),
        reference: Reference::Assembly { hint_path: "../Gallery.dll".into() },
        theories: csharp::Theories::default(),
    };
    render_project(cases, surroundings, &options)
}

fn run(suite: &Suite, name: &str, more: &[(&str, &str)], mut references: Vec<PathBuf>) {
    assert_eq!(suite.left_out, []);
    let files = suite.files.iter().filter(|file| file.path.ends_with(".cs"));
    let mut sources: Vec<Source> = files.map(|file| Source::text(&file.path, &file.text)).collect();
    sources.extend(more.iter().map(|(name, text)| Source::text(name, text)));
    references.push(gallery());
    let options =
        testkit::Options { target: Target::Exe, references, checked: true, ..testkit::Options::default() };
    let program = testkit::compile(&format!("Gallery{name}Tests"), &sources, &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[]).unwrap();
    let wanted = format!("{} passed, 0 failed", suite.tests);
    assert!(finished.stdout.contains(&wanted), "{name}: {}{}", finished.stdout, finished.stderr);
}

/// One test: the search and the replay are the same for all of it.
#[test]
fn tests_of_object_graphs_pass_and_read_well() {
    let surroundings = metadata();
    let cases = finished(&surroundings);
    let told: Vec<String> = cases
        .iter()
        .filter(|case| !case.breaks.is_empty())
        .map(|case| format!("{}: {}\n", case.name, case.breaks.join("; ")))
        .collect();
    expect![[r#"
        Deposit_ThrowsNullReferenceException: the readonly field owner of Account is null, and no constructor leaves it so
    "#]].assert_eq(&told.concat());
    let xunit = suite(TestFramework::XUnit, &cases, &surroundings);
    look(&xunit);
    stored_cases_are_true(&cases);
    let runner = ("Runner.cs", include_str!("../../../csharp/tests/standins/Runner.cs"));
    let standin = ("Xunit.cs", include_str!("../../../csharp/tests/standins/Xunit.cs"));
    run(&xunit, "XUnit", &[standin, runner], vec![]);
    let standin = ("MSTest.cs", include_str!("../../../csharp/tests/standins/MSTest.cs"));
    run(&suite(TestFramework::MSTest, &cases, &surroundings), "MSTest", &[standin, runner], vec![]);
    // The real one.
    let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
    let runner = ("NUnitRunner.cs", include_str!("../../../csharp/tests/standins/NUnitRunner.cs"));
    run(&suite(TestFramework::NUnit, &cases, &surroundings), "NUnit", &[runner], vec![nunit]);
}

fn look(suite: &Suite) {
    let text = |wanted: &dyn Fn(&str) -> bool| -> String {
        let files = suite.files.iter().filter(|file| wanted(&file.path));
        files.map(|file| format!("// {}\n{}\n", file.path, file.text)).collect()
    };
    let values = |path: &str| path == "ValuesTests.cs";
    let others = |path: &str| path.ends_with("Tests.cs") && path != "ValuesTests.cs";
    expect_file!["../snapshots/gallery.values.cs"].assert_eq(&text(&values));
    expect_file!["../snapshots/gallery.classes.cs"].assert_eq(&text(&others));
}

fn stored_cases_are_true(cases: &[Case]) {
    let file = CaseFile::new("Gallery.dll", cases.to_vec()).to_json().unwrap();
    let cases = CaseFile::from_json(&file).unwrap().cases;
    let deadline = Instant::now() + Duration::from_secs(60);
    let verdicts = replayer().replay(&gallery(), &cases, deadline, &AtomicBool::new(false));
    for (case, verdict) in cases.iter().zip(verdicts) {
        assert!(verdict.is_passed(), "{}: {verdict:?}", case.name);
    }
}
