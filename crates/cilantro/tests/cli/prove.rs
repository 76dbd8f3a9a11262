//! `prove`: the comments of `fixtures/prove` say what must be proven and what refuted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use report::{ProofReport, ProofVerdict};

use crate::program::{Ended, ask};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/prove/Claims.cs")
}

fn claims() -> PathBuf {
    let options = testkit::Options {
        arguments: vec!["-define:DEBUG;TRACE;CONTRACTS_FULL".to_owned()],
        ..testkit::Options::default()
    };
    testkit::compile("Claims", &[source().as_path()], &options).unwrap()
}

fn proofs(options: &[&str]) -> (Ended, ProofReport) {
    let ended = ask("prove", &claims(), &[options, &["--format", "json", "--timeout", "60s"]].concat());
    let report: ProofReport = serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {} {}", ended.stdout, ended.stderr));
    assert_eq!(report.schema, "cilantro/proof@1");
    (ended, report)
}

/// What the comments say, by the names of methods.
fn wanted(strict: bool) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(source()).unwrap();
    let mut wanted = BTreeMap::new();
    let mut next = None;
    for line in text.lines().map(str::trim) {
        if let Some(said) = line.strip_prefix("// prove: ") {
            let (plain, strictly) = said.split_once(" strict: ").unwrap_or((said, said));
            next = Some(if strict { strictly } else { plain });
        } else if let Some(signature) = line.strip_prefix("public static ")
            && let Some(verdict) = next.take()
        {
            let name = signature.split('(').next().and_then(|head| head.split(' ').next_back()).unwrap();
            wanted.insert(name.to_owned(), verdict.to_owned());
        }
    }
    wanted
}

fn compare(strict: bool) {
    let wanted = wanted(strict);
    assert!(wanted.len() > 12, "{wanted:?}");
    let options: &[&str] = if strict { &["--type", "Claims", "--strict"] } else { &["--type", "Claims"] };
    let (ended, report) = proofs(options);
    let mut wrong = Vec::new();
    for method in &report.methods {
        let name = method.id.split("::").nth(1).and_then(|name| name.split('(').next()).unwrap();
        let Some(wanted) = wanted.get(name) else { continue };
        if method.verdict.name() != wanted {
            wrong.push(format!("{name}: {:?} {method:#?}", method.verdict));
        }
        let is_shown = method.counterexamples.iter().any(|bug| bug.replayed);
        assert_eq!(is_shown, method.verdict == ProofVerdict::Refuted, "{method:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(ended.code, Some(1));
}

#[test]
fn methods_are_proven_or_refuted_as_their_comments_say() {
    compare(false);
}

#[test]
fn strictly_argument_checks_count() {
    compare(true);
}

#[test]
fn what_counts_can_be_chosen() {
    let (ended, report) = proofs(&["Claims.Share", "--allow", "ArithmeticException"]);
    assert_eq!((ended.code, report.methods[0].verdict), (Some(0), ProofVerdict::Proven), "{report:?}");
    let (ended, _) = proofs(&["Claims.Share", "--only", "overflow"]);
    assert_eq!(ended.code, Some(1), "the smallest number divided by -1 overflows");
    let (ended, _) = proofs(&["Claims.Share", "--only", "null,index"]);
    assert_eq!(ended.code, Some(0));
    let ended = ask("prove", &claims(), &["Claims.Share", "--allow", "ArithmetikException"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("did you mean System.ArithmeticException"), "{}", ended.stderr);
}

#[test]
fn the_text_says_what_fails() {
    let ended = ask("prove", &claims(), &["Claims.Share", "Claims.Clamp", "Claims.Asserts"]);
    assert_eq!(ended.code, Some(1));
    for part in ["refuted", "proven", "System.DivideByZeroException", "people = 0", "n = 42"] {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
}
