//! The shape of `cilantro/summary@1` that other programs rely on.

use expect_test::expect;
use report::*;

/// The example of the schema's definition, word for word.
const EXAMPLE: &str = r#"{ "schema": "cilantro/summary@1", "assembly": "Shop.dll", "runtime": {"name": "Microsoft.NETCore.App", "version": "10.0.0"}, "elapsed_ms": 1234,
  "methods": [ { "id": "Shop.Cart::Add(System.Int32,System.String)", "token": "0x06000012", "source": "Cart.cs:17",
      "verdict": "complete",
      "incomplete": [ {"reason": "timeout", "detail": "…", "at": "IL_0012"} ],
      "coverage": { "instructions": 50, "covered_instructions": 50, "branches": 8, "covered_branches": 7, "proven_unreachable_branches": 1, "il_bytes": 93, "covered_il_bytes": 90 },
      "tests": 7, "replay": {"passed": 7, "failed": 0, "skipped": 0},
      "bugs": [ {"exception": "System.DivideByZeroException", "message": "…", "at": "IL_002a", "source": "Cart.cs:42", "replayed": true, "test": "Add_…"} ],
      "stats": {"steps": 0, "states": 0, "queries": 0, "cache_hits": 0, "core_calls": 0, "solver_ms": 0, "elapsed_ms": 0} } ] }"#;

#[test]
fn the_example_reads_and_writes_back_the_same() {
    let summary: Summary = serde_json::from_str(EXAMPLE).unwrap();
    let mut expected: serde_json::Value = serde_json::from_str(EXAMPLE).unwrap();
    expected["methods"][0]["bugs"][0]["inputs"] = serde_json::json!([]);
    expected["methods"][0]["bugs"][0]["construction"] = serde_json::json!("public");
    // Whoever does not say what an exception is means the worst.
    expected["methods"][0]["bugs"][0]["kind"] = serde_json::json!("crash");
    assert_eq!(serde_json::to_value(&summary).unwrap(), expected);
    assert_eq!(summary.status(), Status::Findings);
}

#[test]
fn reasons_are_a_closed_list() {
    let names: Vec<String> =
        Reason::ALL.iter().map(|r| serde_json::to_string(r).unwrap().trim_matches('"').to_owned()).collect();
    expect!["timeout step_limit memory_limit bound deadlock cancelled solver_unknown unsupported_instruction unsupported_input native_call missing_reference invalid_code replay_mismatch replay_unavailable not_written internal_error"].assert_eq(&names.join(" "));
    let mut sorted = Reason::ALL;
    sorted.sort();
    assert_eq!(sorted, Reason::ALL);
    for reason in Reason::ALL {
        assert!(reason.sentence().ends_with('.'), "{reason} has no sentence");
    }
}

#[test]
fn kinds_are_a_closed_list() {
    let names: Vec<String> = FindingKind::ALL.iter().map(|k| serde_json::to_string(k).unwrap()).collect();
    assert_eq!(names, [r#""crash""#, r#""misuse""#, r#""refused""#]);
    for kind in FindingKind::ALL {
        assert_eq!(serde_json::to_string(&kind).unwrap().trim_matches('"'), kind.name());
    }
}

#[test]
fn what_counts_is_chosen() {
    let mut summary: Summary = serde_json::from_str(EXAMPLE).unwrap();
    summary.methods[0].settle();
    let status = |summary: &Summary, fail_on: FailOn| summary.status_for(fail_on) == Status::Findings;
    let only = |kind| FailOn::NONE.with(kind);
    assert!(status(&summary, only(FindingKind::Crash)) && !status(&summary, only(FindingKind::Refused)));
    summary.methods[0].bugs[0].kind = FindingKind::Refused;
    assert!(!status(&summary, FailOn::default()) && status(&summary, FailOn::ANY));
    summary.methods[0].bugs[0].kind = FindingKind::Crash;
    // Nobody can make such an input, as far as is known.
    summary.methods[0].bugs[0].construction = Construction::Reflection;
    assert!(!status(&summary, FailOn::default()) && status(&summary, FailOn::ANY));
    summary.methods[0].bugs[0].construction = Construction::Public;
    summary.methods[0].bugs[0].group = "System.DivideByZeroException in Shop.Cart::Add() at div".to_owned();
    let known = Baseline::of(&summary);
    let written = render_json(&known).unwrap();
    assert_eq!(Baseline::parse(&written), Ok(known.clone()));
    known.apply(&mut summary);
    assert!(summary.methods[0].bugs[0].known && !status(&summary, FailOn::ANY));
}

#[test]
fn findings_outrank_incompleteness() {
    let mut summary: Summary = serde_json::from_str(EXAMPLE).unwrap();
    summary.methods[0].settle();
    assert_eq!(summary.methods[0].verdict, Verdict::Incomplete);
    assert_eq!(summary.status(), Status::Findings);
    summary.methods[0].bugs.clear();
    assert_eq!(summary.status(), Status::Incomplete);
    summary.methods[0].incomplete.clear();
    summary.methods[0].settle();
    assert_eq!(summary.status(), Status::NothingFound);
    summary.stopped = Some(Reason::Timeout);
    assert_eq!(summary.status(), Status::Incomplete);
}

#[test]
fn short_ids_keep_the_type_and_drop_namespaces_of_parameters() {
    assert_eq!(
        short_id("A.B+C`1::M<T>(System.Collections.Generic.List`1[System.Int32[]],System.Int32&)"),
        "A.B+C`1::M<T>(List`1[Int32[]],Int32&)"
    );
    assert_eq!(short_id("Broken"), "Broken");
}
