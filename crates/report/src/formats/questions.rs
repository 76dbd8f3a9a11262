//! The answers of `reach`, `prove` and `replay` as reports.

use super::exceptions::{called, of_bug};
use super::model::{Answer, Call, Finding, Level, Reason, Report, Rule, Verdict};
use crate::proof::{self, MethodProof, ProofReport, ProofVerdict};
use crate::reach::{self, LocationAnswer, ReachReport, ReachVerdict};
use crate::replayed::{self, ReplayReport, ReplayRow, ReplayStatus};
use crate::summary::{Bug, Construction};
use crate::words::{inputs, one_line, short_id, shortened};

impl From<&ReachReport> for Report {
    fn from(report: &ReachReport) -> Report {
        let mut told = Report {
            command: "reach",
            subject: report.assembly.clone(),
            runtime: report.runtime.clone(),
            elapsed_ms: report.elapsed_ms,
            is_stopped: report.stopped.is_some(),
            conclusion: reach::conclusion(report),
            ..Report::default()
        };
        for answer in &report.locations {
            let found = reached(answer);
            let index = found.is_some().then_some(told.findings.len());
            told.answers.push(Answer { findings: index.into_iter().collect(), ..location(answer) });
            told.findings.extend(found);
        }
        told
    }
}

fn location(answer: &LocationAnswer) -> Answer {
    let (verdict, word) = match answer.verdict {
        ReachVerdict::Reached => (Verdict::Bad, "reached"),
        ReachVerdict::Unreachable => (Verdict::Good, "unreachable"),
        ReachVerdict::UnreachableAssuming => (Verdict::Open, "unreachable assuming"),
        ReachVerdict::Open => (Verdict::Open, "open"),
    };
    let assumed = answer.assumptions.iter().map(Reason::from);
    let place = answer.places.first();
    Answer {
        name: answer.location.clone(),
        method: place.map(|place| place.method.clone()),
        line: place.and_then(|place| place.source.clone()),
        verdict,
        word,
        findings: Vec::new(),
        reasons: answer.incomplete.iter().map(Reason::from).chain(assumed).collect(),
        branches: None,
        tests: None,
        elapsed_ms: None,
    }
}

fn reached(answer: &LocationAnswer) -> Option<Finding> {
    let witness = answer.witness.as_ref()?;
    let place = answer.places.first();
    let method = place.map_or(&witness.entry, |place| &place.method);
    let mut message = format!("{} is reached through {}", answer.location, short_id(&witness.entry));
    if !witness.inputs.is_empty() {
        message.push_str(&format!(" with {}", shortened(&inputs(&witness.inputs))));
    }
    message.push('.');
    if !witness.public {
        message.push_str(" No public method was found that gets there.");
    }
    if witness.construction == Construction::Reflection {
        message.push_str(" The input is made by reflection: no public way to it is known.");
    }
    if let Some(exception) = &witness.exception {
        message.push_str(&format!(" The call ends with {exception}."));
    }
    // Lines and offsets change with other code.
    let cause = match &witness.exception {
        Some(exception) if answer.location.starts_with("exception ") => format!("{exception} in {method}"),
        _ => method.clone(),
    };
    Some(Finding {
        rule: Rule::Reached,
        level: Level::Error,
        title: format!("{} is reached", answer.location),
        message,
        method: method.clone(),
        at: place.and_then(|place| place.at.clone()),
        line: place.and_then(|place| place.source.clone()),
        exception: witness.exception.clone(),
        calls: vec![Call { method: witness.entry.clone(), line: None }],
        inputs: witness.inputs.clone(),
        test: Some(witness.test.clone()),
        steps: Vec::new(),
        cause,
        is_confirmed: true,
        is_known: false,
    })
}

impl From<&ProofReport> for Report {
    fn from(report: &ProofReport) -> Report {
        let mut findings: Vec<Finding> = report.methods.iter().flat_map(failures).collect();
        findings.sort_by_key(|finding| finding.level);
        Report {
            command: "prove",
            subject: report.assembly.clone(),
            runtime: report.runtime.clone(),
            elapsed_ms: report.elapsed_ms,
            is_stopped: report.stopped.is_some(),
            conclusion: proof::conclusion(report),
            answers: report.methods.iter().map(|method| proof_of(method, &findings)).collect(),
            findings,
            ..Report::default()
        }
    }
}

fn proof_of(method: &MethodProof, findings: &[Finding]) -> Answer {
    let verdict = match method.verdict {
        ProofVerdict::Proven => Verdict::Good,
        ProofVerdict::Refuted => Verdict::Bad,
        ProofVerdict::ProvenAssuming | ProofVerdict::Open => Verdict::Open,
    };
    let assumed = method.assumptions.iter().map(Reason::from);
    Answer {
        name: method.id.clone(),
        method: None,
        line: method.source.clone(),
        verdict,
        word: method.verdict.name(),
        findings: called(&method.id, findings),
        reasons: method.incomplete.iter().map(Reason::from).chain(assumed).collect(),
        branches: None,
        tests: None,
        elapsed_ms: Some(u64::try_from(method.stats.elapsed.as_millis()).unwrap_or(u64::MAX)),
    }
}

/// Counterexamples; and what may be one, if there are none.
fn failures(method: &MethodProof) -> Vec<Finding> {
    let doubtful = match method.verdict {
        ProofVerdict::Refuted => &[],
        _ => method.doubtful.as_slice(),
    };
    let finding = |bug: &Bug, level: Level| {
        let found = of_bug(Rule::Refuted, &method.id, bug);
        let call = Call { method: method.id.clone(), line: method.source.clone() };
        let cause = format!("{} through {}", found.cause, method.id);
        Finding { level, calls: vec![call], cause, ..found }
    };
    let sure = method.counterexamples.iter().map(|bug| finding(bug, Level::Error));
    sure.chain(doubtful.iter().map(|bug| finding(bug, Level::Warning))).collect()
}

impl From<&ReplayReport> for Report {
    fn from(report: &ReplayReport) -> Report {
        let mut told = Report {
            command: "replay",
            subject: report.folder.clone(),
            runtime: report.runtime.clone(),
            elapsed_ms: report.elapsed_ms,
            is_stopped: report.stopped,
            conclusion: replayed::conclusion(report),
            ..Report::default()
        };
        for case in &report.cases {
            let found = (case.status == ReplayStatus::Failed).then(|| not_replayed(case));
            let index = found.is_some().then_some(told.findings.len());
            told.answers.push(Answer { findings: index.into_iter().collect(), ..replayed_case(case) });
            told.findings.extend(found);
        }
        told
    }
}

fn replayed_case(case: &ReplayRow) -> Answer {
    let (verdict, word) = match case.status {
        ReplayStatus::Passed => (Verdict::Good, "passed"),
        ReplayStatus::Failed => (Verdict::Bad, "failed"),
        ReplayStatus::Skipped => (Verdict::Open, "skipped"),
    };
    let reason = Reason { name: word, detail: case.detail.clone(), at: None };
    Answer {
        name: case.name.clone(),
        method: Some(case.method.clone()),
        line: None,
        verdict,
        word,
        findings: Vec::new(),
        reasons: (verdict == Verdict::Open).then_some(reason).into_iter().collect(),
        branches: None,
        tests: None,
        elapsed_ms: None,
    }
}

fn not_replayed(case: &ReplayRow) -> Finding {
    Finding {
        rule: Rule::NotReplayed,
        level: Level::Error,
        title: format!("{} fails", case.name),
        message: one_line(&case.detail),
        method: case.method.clone(),
        at: None,
        line: None,
        exception: None,
        calls: vec![Call { method: case.method.clone(), line: None }],
        inputs: Vec::new(),
        test: Some(case.name.clone()),
        steps: Vec::new(),
        cause: format!("{} of {}", case.name, case.method),
        is_confirmed: true,
        is_known: false,
    }
}
