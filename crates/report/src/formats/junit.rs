//! JUnit: what was asked is a test case, a finding its failure, and what stays open is skipped.

use super::model::{Answer, Finding, Level, Report, Verdict};
use super::xml::Xml;
use crate::words::short_id;

pub(super) fn document(report: &Report) -> String {
    let mut xml = Xml::new();
    let (tests, failures, skipped) = totals(report);
    let unconfirmed = report.tests.iter().filter(|test| !test.is_confirmed).count();
    let attributes = [
        ("name", format!("cilantro {}", report.command)),
        ("tests", (tests + report.tests.len()).to_string()),
        ("failures", failures.to_string()),
        ("errors", "0".to_owned()),
        ("skipped", (skipped + unconfirmed).to_string()),
        ("time", seconds(report.elapsed_ms)),
    ];
    xml.begin("testsuites", &borrowed(&attributes));
    answers(report, &mut xml);
    if !report.tests.is_empty() {
        replayed(report, unconfirmed, &mut xml);
    }
    xml.finish()
}

fn totals(report: &Report) -> (usize, usize, usize) {
    let of = |wanted: Verdict| report.answers.iter().filter(|answer| answer.verdict == wanted).count();
    (report.answers.len(), of(Verdict::Bad), of(Verdict::Open))
}

fn answers(report: &Report, xml: &mut Xml) {
    let (tests, failures, skipped) = totals(report);
    let attributes = [
        ("name", format!("{} {}", report.command, report.subject)),
        ("tests", tests.to_string()),
        ("failures", failures.to_string()),
        ("errors", "0".to_owned()),
        ("skipped", skipped.to_string()),
        ("time", seconds(report.elapsed_ms)),
    ];
    xml.begin("testsuite", &borrowed(&attributes));
    for answer in &report.answers {
        test_case(report, answer, xml);
    }
    xml.end();
}

fn test_case(report: &Report, answer: &Answer, xml: &mut Xml) {
    let (class, name) = match &answer.method {
        None => split(&answer.name),
        Some(method) => (split(method).0, answer.name.clone()),
    };
    let time = answer.elapsed_ms.map(seconds);
    let mut attributes = vec![("classname", class.as_str()), ("name", name.as_str())];
    attributes.extend(time.as_deref().map(|time| ("time", time)));
    let findings: Vec<&Finding> = report.about(answer).collect();
    if findings.is_empty() && answer.verdict == Verdict::Good {
        return xml.empty("testcase", &attributes);
    }
    xml.begin("testcase", &attributes);
    let (failing, others): (Vec<&Finding>, Vec<&Finding>) =
        findings.into_iter().partition(|finding| finding.level == Level::Error);
    // Readers expect one failure in a test case.
    if let (Verdict::Bad, Some(first)) = (answer.verdict, failing.first()) {
        let kind = first.exception.as_deref().unwrap_or(first.rule.id());
        let text: Vec<String> = failing.iter().map(|finding| told(finding)).collect();
        xml.text("failure", &[("message", &first.title), ("type", kind)], &text.join("\n\n"));
    }
    if answer.verdict == Verdict::Open {
        let why: Vec<String> =
            answer.reasons.iter().map(|reason| format!("{}: {}", reason.name, reason.detail)).collect();
        let why = if why.is_empty() { answer.word.to_owned() } else { why.join("; ") };
        xml.empty("skipped", &[("message", &why)]);
    }
    if !others.is_empty() {
        let text: Vec<String> = others.iter().map(|finding| told(finding)).collect();
        xml.text("system-out", &[], &text.join("\n\n"));
    }
    xml.end();
}

fn told(finding: &Finding) -> String {
    let mut lines = vec![finding.message.clone()];
    let place = match (&finding.line, &finding.at) {
        (Some(line), _) => Some(format!("{}:{}", line.path, line.line)),
        (None, at) => at.clone(),
    };
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    lines.push(format!("in {}{place}", short_id(&finding.method)));
    lines.extend(finding.test.as_ref().map(|test| format!("test {test}")));
    lines.join("\n")
}

/// The tests of the suite, each replayed on the real runtime.
fn replayed(report: &Report, unconfirmed: usize, xml: &mut Xml) {
    let attributes = [
        ("name", format!("tests of {}", report.subject)),
        ("tests", report.tests.len().to_string()),
        ("failures", "0".to_owned()),
        ("errors", "0".to_owned()),
        ("skipped", unconfirmed.to_string()),
    ];
    xml.begin("testsuite", &borrowed(&attributes));
    for test in &report.tests {
        let (class, _) = split(&test.method);
        let attributes = [("classname", class.as_str()), ("name", test.name.as_str())];
        if test.is_confirmed {
            xml.empty("testcase", &attributes);
        } else {
            xml.begin("testcase", &attributes);
            xml.empty("skipped", &[("message", "not confirmed on the real runtime")]);
            xml.end();
        }
    }
    xml.end();
}

/// `Shop.Cart`, `Add(Int32)`.
fn split(id: &str) -> (String, String) {
    let short = short_id(id);
    match short.split_once("::") {
        Some((class, name)) => (class.to_owned(), name.to_owned()),
        None => (String::new(), short),
    }
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

fn borrowed<'a>(attributes: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
    attributes.iter().map(|(name, value)| (*name, value.as_str())).collect()
}
