//! Generated tests are true: the cases pass on the runtime, and the rendered projects compile and pass there too.
#![allow(clippy::unwrap_used)] // of what tests are made of

mod common;

use std::{
    path::PathBuf,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use case::construct::plan_objects;
use case::{Case, Reach};
use common::{cases, shop};
use csharp::{Options, Reference, Suite, TestFramework, name_cases, render_project};
use expect_test::{ExpectFile, expect, expect_file};
use testkit::{Source, Target, Toolchain};

fn shop_dll() -> PathBuf {
    let source = ("Shop.cs", include_str!("shop/Shop.cs"));
    testkit::compile("Shop", &[source], &testkit::Options::default()).unwrap()
}

/// Planned and named as the command line does it.
fn finished_cases() -> Vec<Case> {
    let surroundings = shop::surroundings();
    let mut all = cases::all();
    all.iter_mut().for_each(|case| plan_objects(case, &surroundings));
    let mut classes: std::collections::BTreeMap<String, Vec<Case>> = Default::default();
    for case in all {
        let definition = case.method.ty.split('[').next().unwrap().to_owned();
        classes.entry(definition).or_default().push(case);
    }
    let mut finished = Vec::new();
    for mut cases in classes.into_values() {
        name_cases(&mut cases, &surroundings);
        finished.extend(cases);
    }
    finished
}

fn suite(framework: TestFramework) -> Suite {
    let options = Options {
        framework,
        mocks: csharp::MockLibrary::None,
        target_framework: "net10.0".into(),
        assembly: "Shop".into(),
        reference: Reference::Assembly { hint_path: "../Shop.dll".into() },
        theories: csharp::Theories::default(),
    };
    render_project(&finished_cases(), &shop::surroundings(), &options)
}

#[test]
fn the_cases_are_true_on_the_runtime() {
    let toolchain = Toolchain::locate().unwrap();
    let core = replay::SharedFramework {
        name: "Microsoft.NETCore.App".into(),
        version: toolchain.runtime_version().into(),
    };
    let runtime = replay::Runtime { muxer: toolchain.dotnet(), frameworks: vec![core] };
    let mut replayer = replay::Replayer::new(runtime, replay::Limits::default()).unwrap();
    let cases = finished_cases();
    let deadline = Instant::now() + Duration::from_secs(60);
    let verdicts = replayer.replay(&shop_dll(), &cases, deadline, &AtomicBool::new(false));
    for (case, verdict) in cases.iter().zip(verdicts) {
        assert!(verdict.is_passed(), "{}: {verdict:?}", case.name);
    }
}

#[test]
fn cases_say_whether_they_need_reflection() {
    let cases = finished_cases();
    let reach = |name: &str| cases.iter().find(|case| case.name == name).unwrap().construction;
    assert_eq!(reach("Withdraw_ReturnsFalse"), Reach::Public);
    assert_eq!(reach("Withdraw_Audits3_ReturnsTrue"), Reach::Reflection);
    assert_eq!(reach("Secret_Returns2"), Reach::Reflection);
}

#[test]
fn nothing_is_left_out() {
    let suite = suite(TestFramework::XUnit);
    assert_eq!(suite.left_out, []);
    assert_eq!(suite.tests, cases::all().len());
}

#[test]
fn xunit_tests_pass() {
    let standin = include_str!("standins/Xunit.cs");
    run(TestFramework::XUnit, &[("Xunit.cs", standin), RUNNER], vec![]);
}

#[test]
fn mstest_tests_pass() {
    let standin = include_str!("standins/MSTest.cs");
    run(TestFramework::MSTest, &[("MSTest.cs", standin), RUNNER], vec![]);
}

#[test]
fn nunit_tests_pass_with_its_own_runner() {
    let nunit = Toolchain::locate().unwrap().nunit_framework().unwrap();
    run(TestFramework::NUnit, &[("NUnitRunner.cs", include_str!("standins/NUnitRunner.cs"))], vec![nunit]);
}

const RUNNER: (&str, &str) = ("Runner.cs", include_str!("standins/Runner.cs"));

fn run(framework: TestFramework, more: &[(&str, &str)], mut references: Vec<PathBuf>) {
    let suite = suite(framework);
    let files = suite.files.iter().filter(|file| file.path.ends_with(".cs"));
    let mut sources: Vec<Source> = files.map(|file| Source::text(&file.path, &file.text)).collect();
    sources.extend(more.iter().map(|(name, text)| Source::text(name, text)));
    references.push(shop_dll());
    // Overflow checks of the user's project must not harm constants.
    let options =
        testkit::Options { target: Target::Exe, references, checked: true, ..testkit::Options::default() };
    let program = testkit::compile(&format!("Shop{framework:?}Tests"), &sources, &options).unwrap();
    let finished = testkit::run_dotnet(&program, &[]).unwrap();
    let wanted = format!("{} passed, 0 failed", suite.tests);
    assert!(finished.stdout.contains(&wanted), "{}{}", finished.stdout, finished.stderr);
}

#[test]
fn the_files_look_as_a_person_writes_them() {
    for (framework, path, snapshot) in [
        (TestFramework::XUnit, "CalculatorTests.cs", expect_file!["snapshots/xunit.CalculatorTests.cs"]),
        (TestFramework::XUnit, "AccountTests.cs", expect_file!["snapshots/xunit.AccountTests.cs"]),
        (TestFramework::XUnit, "CounterTests.cs", expect_file!["snapshots/xunit.CounterTests.cs"]),
        (TestFramework::XUnit, "Shop.Tests.csproj", expect_file!["snapshots/xunit.Shop.Tests.csproj"]),
        (TestFramework::NUnit, "MoneyTests.cs", expect_file!["snapshots/nunit.MoneyTests.cs"]),
        (TestFramework::NUnit, "CalculatorTests2.cs", expect_file!["snapshots/nunit.CalculatorTests2.cs"]),
        (TestFramework::NUnit, "IsTests.cs", expect_file!["snapshots/nunit.IsTests.cs"]),
        (TestFramework::MSTest, "InnerTests.cs", expect_file!["snapshots/mstest.InnerTests.cs"]),
        (
            TestFramework::MSTest,
            "BoxOfTLidOfTTests.cs",
            expect_file!["snapshots/mstest.BoxOfTLidOfTTests.cs"],
        ),
    ] {
        check_file(&suite(framework), path, snapshot);
    }
    let paths: Vec<String> =
        suite(TestFramework::XUnit).files.into_iter().map(|file| file.path + "\n").collect();
    expect![[r#"
        AccountTests.cs
        AssertTests.cs
        BoxOfTLidOfTTests.cs
        BoxOfTTests.cs
        CalculatorTests.cs
        CalculatorTests2.cs
        CounterStepTests.cs
        CounterTests.cs
        ICounterTests.cs
        InnerTests.cs
        IsTests.cs
        MoneyTests.cs
        PointTests.cs
        Reflected.cs
        RootlessTests.cs
        SealedTests.cs
        Shop.Tests.csproj
    "#]]
    .assert_eq(&paths.concat());
}

fn check_file(suite: &Suite, path: &str, snapshot: ExpectFile) {
    let file = suite.files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no {path}"));
    snapshot.assert_eq(&file.text);
}
