//! Exceptions as findings, and the answers of `check` and `generate` as a report.

use std::collections::BTreeMap;

use verdict::FindingKind;

use super::model::{Answer, Call, Finding, Level, Reason, Report, Rule, Verdict};
use crate::fail_on::FailOn;
use crate::findings::{self, Found, Group};
use crate::style::Theme;
use crate::summary::{Bug, Construction, Method, Summary};
use crate::text::{self, Shown, TextOptions};
use crate::words::{inputs, one_line, short_id, shortened};

impl Report {
    /// The answer of `check` or `generate`: the crashes, what counts, and with `all` every exception.
    pub fn of_summary(summary: &Summary, shown: Shown, fail_on: FailOn, all: bool) -> Report {
        let options = TextOptions { theme: Theme::plain(), shown, ..TextOptions::plain() };
        let findings = findings(summary, fail_on, all);
        Report {
            command: match shown {
                Shown::Everything => "generate",
                Shown::BugsOnly => "check",
            },
            subject: summary.assembly.clone(),
            runtime: summary.runtime.clone(),
            elapsed_ms: summary.elapsed_ms,
            is_stopped: summary.stopped.is_some(),
            conclusion: text::conclusion(summary, &options),
            answers: summary.methods.iter().map(|method| answer(method, &findings)).collect(),
            findings,
            tests: Vec::new(),
            file: None,
            root: None,
        }
    }
}

fn findings(summary: &Summary, fail_on: FailOn, all: bool) -> Vec<Finding> {
    let is_told = |bug: &Bug| all || fail_on.counts(bug) || findings::is_told_crash(summary, bug);
    let broken = summary.methods.iter().flat_map(|m| m.broken_inputs.iter().map(move |bug| (m, bug)));
    let broken = broken.filter(|_| all);
    let told: Vec<Found<'_>> =
        findings::exceptions(summary).chain(broken).filter(|(_, bug)| is_told(bug)).collect();
    let mut found = Vec::new();
    for kind in FindingKind::ALL {
        let of_kind = told.iter().copied().filter(|(_, bug)| bug.kind == kind);
        let groups = findings::sorted(findings::grouped(of_kind, |bug| fail_on.counts(bug)));
        found.extend(groups.iter().map(|group| of_group(group, fail_on)));
    }
    found.sort_by_key(|finding| finding.level);
    found
}

/// What counts is an error, whatever it is; what does not is none.
fn level(bug: &Bug, counts: bool) -> Level {
    let is_sound = bug.construction == Construction::Public && bug.breaks.is_empty() && !bug.known;
    match bug.kind {
        _ if counts => Level::Error,
        FindingKind::Crash | FindingKind::Misuse if is_sound => Level::Warning,
        _ => Level::Note,
    }
}

fn of_group(group: &Group<'_>, fail_on: FailOn) -> Finding {
    let (method, bug) = group.example;
    let mut calls = vec![call(method)];
    for (other, _) in &group.others {
        if calls.iter().all(|known| known.method != other.id) {
            calls.push(call(other));
        }
    }
    Finding {
        level: level(bug, fail_on.counts(bug)),
        calls,
        ..of_bug(Rule::Exception(bug.kind), &method.id, bug)
    }
}

fn call(method: &Method) -> Call {
    Call { method: method.id.clone(), line: method.source.clone() }
}

/// An exception that leaves a method, with what its example says.
pub(super) fn of_bug(rule: Rule, entry: &str, bug: &Bug) -> Finding {
    let (method, at, line) = match &bug.place {
        Some(origin) => (origin.method.as_str(), Some(&origin.at), origin.source.as_ref()),
        None => (entry, bug.at.as_ref(), bug.source.as_ref()),
    };
    let exception = bug.exception.rsplit('.').next().unwrap_or(&bug.exception);
    let cause = match bug.group.as_str() {
        "" => format!("{} in {method}", bug.exception),
        group => group.to_owned(),
    };
    Finding {
        rule,
        level: Level::Error,
        title: format!("{exception} in {}", short_id(method)),
        message: message(entry, bug),
        method: method.to_owned(),
        at: at.cloned(),
        line: line.cloned(),
        exception: Some(bug.exception.clone()),
        calls: vec![Call { method: entry.to_owned(), line: None }],
        inputs: bug.inputs.clone(),
        test: Some(bug.test.clone()).filter(|test| !test.is_empty()),
        steps: Vec::new(),
        cause,
        is_confirmed: bug.replayed,
        is_known: bug.known,
    }
}

fn message(entry: &str, bug: &Bug) -> String {
    let said = shortened(&one_line(&bug.message));
    let said = if said.is_empty() { String::new() } else { format!(" ({})", said.trim_end_matches('.')) };
    let mut text = format!("{}{said} leaves {}", bug.exception, short_id(entry));
    if !bug.inputs.is_empty() {
        text.push_str(&format!(" with {}", shortened(&inputs(&bug.inputs))));
    }
    text.push('.');
    for rule in &bug.breaks {
        text.push_str(&format!(" The input breaks a rule of its class: {}.", one_line(rule)));
    }
    if bug.construction == Construction::Reflection && bug.breaks.is_empty() {
        text.push_str(" The input is made by reflection: no public way to it is known.");
    }
    if !bug.replayed {
        text.push_str(" The real runtime has not confirmed it.");
    }
    text
}

fn answer(method: &Method, findings: &[Finding]) -> Answer {
    let own = called(&method.id, findings);
    let is_bad = own.iter().filter_map(|index| findings.get(*index)).any(|found| found.level == Level::Error);
    let verdict = match method.verdict {
        _ if is_bad => Verdict::Bad,
        crate::Verdict::Complete => Verdict::Good,
        crate::Verdict::CompleteAssuming | crate::Verdict::Incomplete => Verdict::Open,
    };
    let coverage = &method.coverage;
    let assumed = method.assumptions.iter().map(Reason::from);
    Answer {
        name: method.id.clone(),
        method: None,
        line: method.source.clone(),
        verdict,
        word: method.verdict.name(),
        findings: own,
        reasons: method.incomplete.iter().map(Reason::from).chain(assumed).collect(),
        branches: Some((coverage.covered_branches, coverage.proven_unreachable_branches, coverage.branches)),
        tests: Some(method.tests),
        elapsed_ms: Some(u64::try_from(method.stats.elapsed.as_millis()).unwrap_or(u64::MAX)),
    }
}

/// The findings that a call of the method shows.
pub(super) fn called(id: &str, findings: &[Finding]) -> Vec<usize> {
    let is_called = |finding: &Finding| finding.calls.iter().any(|call| call.method == id);
    findings.iter().enumerate().filter(|(_, finding)| is_called(finding)).map(|(index, _)| index).collect()
}

/// How often each reason is given, the most frequent first.
pub(super) fn counted_reasons(report: &Report) -> Vec<(&'static str, usize)> {
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    for reason in report.answers.iter().flat_map(|answer| &answer.reasons) {
        *counts.entry(reason.name).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}
