//! SARIF 2.1.0: what code scanning of GitHub, Azure DevOps and editors read.

use serde_json::{Map, Value, json};
use verdict::SourceLine;

use super::fingerprint::fingerprints;
use super::model::{Answer, Finding, Level, Reason, Report, Rule, Step, Verdict};
use super::uri;
use crate::words::short_id;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// The name by which other tools know the root of the source tree.
const ROOT: &str = "%SRCROOT%";
/// Changes when fingerprints are made in another way.
const FINGERPRINT: &str = "cilantroCause/v1";

pub(super) fn document(report: &Report) -> Value {
    let results: Vec<Value> = report
        .findings
        .iter()
        .zip(fingerprints(report.findings.iter()))
        .map(|(finding, fingerprint)| result(report, finding, &fingerprint))
        .collect();
    let mut run = json!({
        "tool": { "driver": {
            "name": "Cilantro",
            "version": env!("CARGO_PKG_VERSION"),
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": Rule::ALL.map(rule),
        } },
        "automationDetails": { "id": format!("cilantro/{}/{}", report.command, report.subject) },
        "invocations": [ {
            // What is left open is said; the run itself has an answer.
            "executionSuccessful": true,
            "toolExecutionNotifications": notifications(report),
        } ],
        "columnKind": "utf16CodeUnits",
        "results": results,
    });
    if let (Some(root), Some(run)) = (&report.root, run.as_object_mut()) {
        run.insert("originalUriBaseIds".to_owned(), json!({ ROOT: { "uri": root } }));
    }
    json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] })
}

fn rule(rule: Rule) -> Value {
    json!({
        "id": rule.id(),
        "shortDescription": { "text": rule.sentence() },
        "defaultConfiguration": { "level": level(rule.level()) },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn result(report: &Report, finding: &Finding, fingerprint: &str) -> Value {
    let index = Rule::ALL.iter().position(|rule| *rule == finding.rule);
    let mut result = json!({
        "ruleId": finding.rule.id(),
        "ruleIndex": index,
        "level": level(finding.level),
        "message": { "text": finding.message },
        "locations": [location(report, &finding.method, finding.line.as_ref())],
        "partialFingerprints": { FINGERPRINT: fingerprint },
        "properties": properties(finding),
    });
    let Some(fields) = result.as_object_mut() else { return result };
    let related = related(report, finding);
    if !related.is_empty() {
        fields.insert("relatedLocations".to_owned(), Value::Array(related));
    }
    if !finding.steps.is_empty() {
        fields.insert("codeFlows".to_owned(), json!([code_flow(report, finding)]));
    }
    if finding.is_known {
        let why = "a baseline lists it";
        fields.insert("suppressions".to_owned(), json!([{ "kind": "external", "justification": why }]));
    }
    result
}

/// The method, and the line where symbols know it; the assembly where they do not.
fn location(report: &Report, method: &str, line: Option<&SourceLine>) -> Value {
    json!({
        "physicalLocation": match line {
            Some(line) => physical(line),
            None => json!({ "artifactLocation": artifact(report.file.as_ref().unwrap_or(&report.subject)) }),
        },
        "logicalLocations": [logical(method)],
    })
}

fn physical(line: &SourceLine) -> Value {
    let mut region = json!({ "startLine": line.line });
    if let (Some(columns), Some(region)) = (line.columns, region.as_object_mut()) {
        region.insert("startColumn".to_owned(), json!(columns.start));
        region.insert("endLine".to_owned(), json!(columns.end_line));
        region.insert("endColumn".to_owned(), json!(columns.end));
    }
    json!({ "artifactLocation": artifact(&line.path), "region": region })
}

fn artifact(path: &str) -> Value {
    match uri::parts(path) {
        (_, true) => json!({ "uri": uri::reference(path) }),
        (_, false) => json!({ "uri": uri::reference(path), "uriBaseId": ROOT }),
    }
}

fn logical(method: &str) -> Value {
    let name = method.split_once("::").map_or(method, |(_, name)| name);
    let name = name.split('(').next().unwrap_or(name);
    json!({ "name": name, "fullyQualifiedName": method, "kind": "function" })
}

fn properties(finding: &Finding) -> Value {
    let mut all = Map::new();
    let mut add = |name: &str, value: Option<Value>| all.extend(value.map(|value| (name.to_owned(), value)));
    add("exception", finding.exception.as_ref().map(|exception| json!(exception)));
    add("ilOffset", finding.at.as_ref().map(|at| json!(at)));
    add("test", finding.test.as_ref().map(|test| json!(test)));
    let inputs: Map<String, Value> =
        finding.inputs.iter().map(|input| (input.name.clone(), json!(input.value))).collect();
    add("inputs", (!inputs.is_empty()).then_some(Value::Object(inputs)));
    add("confirmed", Some(json!(finding.is_confirmed)));
    Value::Object(all)
}

/// The calls that lead there.
fn related(report: &Report, finding: &Finding) -> Vec<Value> {
    let calls = finding.calls.iter().filter(|call| call.method != finding.method);
    calls
        .enumerate()
        .map(|(id, call)| {
            let mut place = location(report, &call.method, call.line.as_ref());
            if let Some(fields) = place.as_object_mut() {
                fields.insert("id".to_owned(), json!(id));
                let text = format!("A call of {} leads there.", short_id(&call.method));
                fields.insert("message".to_owned(), json!({ "text": text }));
            }
            place
        })
        .collect()
}

/// From the call through what was decided to the place of the finding.
fn code_flow(report: &Report, finding: &Finding) -> Value {
    let entry = finding.calls.first();
    let method = entry.map_or(finding.method.as_str(), |call| &call.method);
    let inputs = finding.inputs_text();
    let with = if inputs.is_empty() { String::new() } else { format!(" with {inputs}") };
    let first = Step {
        what: format!("{} is called{with}", short_id(method)),
        method: method.to_owned(),
        at: String::new(),
        line: entry.and_then(|call| call.line.clone()),
    };
    let last = Step {
        what: finding.title.clone(),
        method: finding.method.clone(),
        at: finding.at.clone().unwrap_or_default(),
        line: finding.line.clone(),
    };
    // A test that gets to a place goes on from there; when it was there is not known.
    let last = (finding.rule != Rule::Reached).then_some(&last);
    let steps = std::iter::once(&first).chain(&finding.steps).chain(last);
    let locations: Vec<Value> = steps
        .map(|step| {
            let mut place = location(report, &step.method, step.line.as_ref());
            if let Some(fields) = place.as_object_mut() {
                fields.insert("message".to_owned(), json!({ "text": step.what }));
            }
            let nesting = u8::from(step.method != method);
            json!({ "location": place, "nestingLevel": nesting })
        })
        .collect();
    json!({ "threadFlows": [{ "locations": locations }] })
}

/// What has no answer, or one that takes something for granted: each reason once, with its first detail.
fn notifications(report: &Report) -> Vec<Value> {
    let mut notes = Vec::new();
    for answer in report.answers.iter().filter(|answer| answer.verdict == Verdict::Open) {
        let mut told = Vec::new();
        for reason in &answer.reasons {
            if told.contains(&reason.name) {
                continue;
            }
            told.push(reason.name);
            notes.push(notification(report, answer, reason));
        }
    }
    notes
}

fn notification(report: &Report, answer: &Answer, reason: &Reason) -> Value {
    let method = answer.method.as_ref().unwrap_or(&answer.name);
    let at = reason.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
    let others = answer.reasons.iter().filter(|other| other.name == reason.name).count() - 1;
    let more = if others > 0 { format!(" (and {others} more)") } else { String::new() };
    json!({
        "level": "note",
        "descriptor": { "id": reason.name },
        "message": { "text": format!("{}{at}: {}: {}{more}", answer.name, reason.name, reason.detail) },
        "locations": [location(report, method, answer.line.as_ref())],
    })
}
