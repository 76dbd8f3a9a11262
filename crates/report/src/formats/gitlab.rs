//! Code Quality of GitLab: a list of findings with their lines.

use serde_json::{Value, json};

use super::fingerprint::fingerprints;
use super::model::{Level, Report};
use super::uri;

pub(super) fn document(report: &Report) -> Value {
    let fingerprints = fingerprints(report.news());
    let issues = report.news().zip(fingerprints).map(|(finding, fingerprint)| {
        let severity = match finding.level {
            Level::Error => "major",
            Level::Warning => "minor",
            Level::Note => "info",
        };
        // A place is required: without symbols it is the assembly.
        let (path, line) = match &finding.line {
            Some(line) => (line.path.as_str(), line.line),
            None => (report.file.as_ref().unwrap_or(&report.subject).as_str(), 1),
        };
        let (path, _) = uri::parts(path);
        json!({
            "description": finding.message,
            "check_name": finding.rule.id(),
            "fingerprint": fingerprint,
            "severity": severity,
            "location": { "path": path, "lines": { "begin": line } },
        })
    });
    Value::Array(issues.collect())
}
