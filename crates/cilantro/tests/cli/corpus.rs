//! The corpus of `fixtures/explore`: what its comments say must be what the program says.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use report::{Method, Summary, Verdict};
use testkit::{Expectation, Source};
use verdict::Reason;

use crate::program::ask;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder);
    testkit::csharp_files(&folder).unwrap()
}

fn summary(name: &str, files: &[PathBuf], time: &str) -> Summary {
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    let dll = testkit::compile(name, &sources, &testkit::Options::default()).unwrap();
    let ended = ask("check", &dll, &["--format", "json", "--timeout", time, "--private"]);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|e| panic!("{e}: {}", ended.stderr))
}

#[test]
fn what_is_said_about_loops_is_true() {
    let files = files("loops");
    let summary = summary("Loops", &files, "60s");
    let expectations = files.iter().flat_map(|f| testkit::expectations(f).unwrap());
    let (mut lies, mut complete, mut left_out) = (Vec::new(), 0, Vec::new());
    for expectation in expectations {
        let methods = named(&summary, &expectation.method);
        let [method] = methods[..] else { panic!("{} is not in the summary", expectation.method) };
        lies.extend(contradictions(&expectation, method));
        match method.verdict {
            Verdict::Complete | Verdict::CompleteAssuming => complete += 1,
            _ => left_out.push(format!("{}: {:?}", method.id, method.incomplete)),
        }
    }
    assert!(lies.is_empty(), "{} untruths:\n{}", lies.len(), lies.join("\n"));
    // How much is finished depends on the machine; without proofs about loops it would be a handful.
    assert!(complete > 12, "only {complete} are complete; left out:\n{}", left_out.join("\n"));
}

#[test]
fn what_is_said_about_the_corpus_is_true() {
    let files = files("explore");
    let summary = summary("Explore", &files, "20s");
    let expectations = files.iter().flat_map(|f| testkit::expectations(f).unwrap());
    let (mut lies, mut left_out, mut bounded) = (Vec::new(), Vec::new(), 0);
    for expectation in expectations {
        // Overloads share their expectation's name, so only names that stand for one method are looked at.
        let methods = named(&summary, &expectation.method);
        assert!(!methods.is_empty(), "{} is not in the summary", expectation.method);
        let [method] = methods[..] else { continue };
        lies.extend(contradictions(&expectation, method));
        bounded += usize::from(!expectation.unbounded);
        if !expectation.unbounded && method.verdict != Verdict::Complete {
            left_out.push(format!("{}: {:?}", method.id, method.incomplete));
        }
    }
    assert!(bounded > 100, "only {bounded} expectations were found");
    assert!(lies.is_empty(), "{} untruths:\n{}", lies.len(), lies.join("\n"));
    // How much is finished depends on the machine; that most of it is does not.
    assert!(
        left_out.len() * 8 < bounded,
        "{} of {bounded} left out:\n{}",
        left_out.len(),
        left_out.join("\n")
    );
}

fn named<'a>(summary: &'a Summary, name: &str) -> Vec<&'a Method> {
    let is_named = |id: &str| [format!(".{name}("), format!(".{name}<")].iter().any(|part| id.contains(part));
    summary.methods.iter().filter(|method| is_named(&method.id)).collect()
}

/// Never more than is true, and all that is true when the answer claims to be complete.
fn contradictions(expectation: &Expectation, method: &Method) -> Vec<String> {
    let mut found = Vec::new();
    let complete = method.verdict == Verdict::Complete;
    let bugs: BTreeSet<&str> = method.bugs.iter().filter_map(|b| b.exception.rsplit('.').next()).collect();
    if let Some(expected) = &expectation.bugs {
        let expected: BTreeSet<&str> = expected.iter().map(String::as_str).collect();
        if !bugs.is_subset(&expected) || (complete && bugs != expected) {
            found.push(format!("{}: bugs {bugs:?}, expected {expected:?}", method.id));
        }
    }
    let dead = method.coverage.proven_unreachable_branches > 0;
    if expectation.dead.is_some_and(|expected| (dead && !expected) || (complete && dead != expected)) {
        found.push(format!("{}: dead is {dead}, expected {:?}", method.id, expectation.dead));
    }
    if method.incomplete.iter().any(|gap| gap.reason == Reason::InternalError) {
        found.push(format!("{}: {:?}", method.id, method.incomplete));
    }
    if method.bugs.iter().any(|bug| !bug.replayed) {
        found.push(format!("{}: {:?} {:?}", method.id, method.replay, method.incomplete));
    }
    found
}
