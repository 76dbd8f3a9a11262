//! `reach`: the comments of `fixtures/reach` say which lines can be reached, and the answers must agree.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use report::{LocationAnswer, ReachReport, ReachVerdict};

use crate::program::{Ended, ask};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/reach/Depot.cs")
}

fn depot() -> PathBuf {
    testkit::compile("Depot", &[source().as_path()], &testkit::Options::default()).unwrap()
}

fn answers(options: &[&str]) -> (Ended, Vec<LocationAnswer>) {
    let ended = ask("reach", &depot(), &[options, &["--format", "json", "--timeout", "60s"]].concat());
    let report: ReachReport = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {} {}", ended.stdout, ended.stderr));
    assert_eq!(report.schema, "cilantro/reach@1");
    (ended, report.locations)
}

#[test]
fn lines_are_reached_or_proven_as_their_comments_say() {
    let text = std::fs::read_to_string(source()).unwrap();
    let mut wanted: BTreeMap<String, &str> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((code, answer)) = line.split_once("// reach: ")
            && !code.trim_start().starts_with("//")
        {
            wanted.insert(format!("Depot.cs:{number}"), answer.trim());
        }
    }
    assert!(wanted.len() > 15, "{wanted:?}");
    let locations: Vec<&str> = wanted.keys().map(String::as_str).collect();
    let (ended, found) = answers(&locations);
    let mut wrong = Vec::new();
    for answer in &found {
        let said = match (answer.verdict, &answer.witness) {
            (ReachVerdict::Reached, Some(witness)) if witness.public => "yes",
            (ReachVerdict::Reached, _) => "itself",
            (ReachVerdict::Unreachable, _) => "no",
            (ReachVerdict::UnreachableAssuming, _) => "no, assuming",
            (ReachVerdict::Open, _) => "open",
        };
        if said != wanted[&answer.location] {
            wrong.push(format!("{}: {said}: {answer:#?}", answer.location));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((found.len(), ended.code), (wanted.len(), Some(1)));
}

#[test]
fn instructions_methods_and_exceptions() {
    let (ended, found) =
        answers(&["Depot.Take@IL_0000", "Depot.Large", "exception OverflowException in Depot.Take"]);
    assert_eq!(ended.code, Some(1));
    assert!(found.iter().all(|answer| answer.verdict == ReachVerdict::Reached), "{found:#?}");
    let large = found[1].witness.as_ref().unwrap();
    assert!(large.public && large.entry.contains("Take"), "{large:?}");
    let overflow = found[2].witness.as_ref().unwrap();
    assert_eq!((overflow.exception.as_deref(), overflow.public), (Some("System.OverflowException"), true));

    let (ended, found) = answers(&["exception NullReferenceException in Depot.Take"]);
    assert_eq!((ended.code, found[0].verdict), (Some(0), ReachVerdict::Unreachable), "{found:#?}");
}

#[test]
fn the_answer_is_the_same_with_any_number_of_workers() {
    let locations = ["Depot.Large", "Ledger.Sum@IL_0000", "Depot.cs:20"];
    let asked = |jobs: &str| {
        let mut found = answers(&[&locations[..], &["--jobs", jobs]].concat()).1;
        found.iter_mut().for_each(|answer| answer.incomplete.clear());
        found
    };
    assert_eq!(asked("1"), asked("2"));
}

#[test]
fn tests_that_get_there_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let ended = ask("reach", &depot(), &["Depot.Large", "-o", out.to_str().unwrap(), "--no-verify"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let test = std::fs::read_to_string(out.join("DepotTests.cs")).unwrap();
    assert!(test.contains(".Take(") && test.matches("[Fact]").count() == 1, "{test}");
}

fn refused(location: &str, expected: Expect) {
    let ended = ask("reach", &depot(), &[location]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{location}");
    expected.assert_eq(&ended.stderr);
}

#[test]
fn a_bad_location_gets_the_nearest() {
    refused(
        "Depot.Tike",
        expect![[r#"
        error: method `Depot.Tike` was not found in Depot.dll; did you mean Reach.Depot::Take(System.Int32)?
    "#]],
    );
    refused(
        "Depo.cs:12",
        expect![[r#"
        error: source file `Depo.cs` was not found in Depot.dll; did you mean Depot.cs?
    "#]],
    );
    refused(
        "Depot.cs:2",
        expect![[r#"
        error: code at `Depot.cs:2` was not found in Depot.dll; did you mean Depot.cs:12?
    "#]],
    );
    refused(
        "Depot.Take@IL_0003",
        expect![[r#"
        error: instruction `Reach.Depot::Take(System.Int32)@IL_0003` was not found in Depot.dll; did you mean IL_0002 or IL_0004?
    "#]],
    );
    refused(
        "exception NullReferenceExeption in Depot.Take",
        expect![[r#"
        error: exception `NullReferenceExeption` was not found in Depot.dll; did you mean System.NullReferenceException?
    "#]],
    );
    refused(
        "Depot.Take@here",
        expect![[r#"
        error: `Depot.Take@here` is no location: an offset looks like IL_002a; give Cart.cs:42, Cart.Add@IL_002a, Cart.Add or "exception NAME in Cart.Add"
    "#]],
    );
}

#[test]
fn the_targeted_strategy_covers_what_the_usual_one_covers() {
    let covered = |strategy: &str| {
        let ended = ask("check", &depot(), &["--strategy", strategy, "--format", "json", "--timeout", "60s"]);
        let summary: report::Summary = serde_json::from_str(&ended.stdout).unwrap();
        let answer = |method: report::Method| (method.id, method.verdict, method.coverage, method.bugs.len());
        summary.methods.into_iter().map(answer).collect::<Vec<_>>()
    };
    assert_eq!(covered("targeted"), covered("coverage"));
}
