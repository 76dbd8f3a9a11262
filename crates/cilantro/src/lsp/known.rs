//! What an exploration means for the lines of source files. Lines count from 1 here, and from 0 in the protocol.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use case::path::PathRecord;
use engine::Outcome;
use report::formats::{Finding, Level, Report, file_uri};
use report::{FailOn, Method, Shown, SourceLine, Summary, short_id};
use serde_json::{Value, json};

use super::{EXPLAIN, PROVE, WRITE_TESTS};
use crate::source_root::SourceRoot;

/// Tests that are shown when somebody hovers over a method.
const MOST_TESTS: usize = 8;

/// All that is known, by file.
#[derive(Default)]
pub struct Known {
    files: BTreeMap<PathBuf, OfFile>,
}

#[derive(Default)]
struct OfFile {
    findings: Vec<Shows>,
    methods: Vec<OfMethod>,
}

/// A finding where it is shown.
struct Shows {
    line: u32,
    diagnostic: Value,
    text: String,
}

struct OfMethod {
    id: String,
    ty: String,
    first: u32,
    last: u32,
    /// `7 tests, 100 % of branches`.
    lens: String,
    /// Tests with their inputs, in Markdown.
    tests: String,
    /// Why it is not better.
    explanation: String,
}

impl Known {
    /// What is known after an exploration; nothing without symbols.
    pub fn new(outcome: &Outcome, sources: &SourceRoot) -> Known {
        let mut known = Known::default();
        let file_of = |path: &str| sources.file(path).and_then(|file| fs::canonicalize(file).ok());
        let report = Report::of_summary(&outcome.summary, Shown::BugsOnly, FailOn::default(), false);
        for finding in report.findings.iter().filter(|finding| !finding.is_known) {
            let Some(line) = &finding.line else { continue };
            let Some(file) = file_of(&line.path) else { continue };
            known.files.entry(file).or_default().findings.push(shows(finding, line));
        }
        for lines in outcome.coverage().methods {
            let Some(method) = method(&outcome.summary, &lines.id) else { continue };
            let (first, last) = (lines.lines.keys().next(), lines.lines.keys().next_back());
            let (Some(first), Some(last), Some(file)) = (first, last, file_of(&lines.file)) else { continue };
            let of_method = of_method(method, (*first, *last), &outcome.paths);
            known.files.entry(file).or_default().methods.push(of_method);
        }
        known
    }

    /// The diagnostics of all files, also of those that have none any more.
    pub fn diagnostics(&self, before: &Known) -> Vec<Value> {
        let with_some = |known: &Known| -> BTreeSet<PathBuf> {
            let files = known.files.iter().filter(|(_, of)| !of.findings.is_empty());
            files.map(|(file, _)| file.clone()).collect()
        };
        let mut files = with_some(self);
        files.extend(with_some(before));
        // An editor that hears nothing cannot know that all is well.
        files.extend(self.files.keys().cloned());
        let of = |file: &Path| {
            let shown = self.files.get(file).into_iter().flat_map(|of| &of.findings);
            let diagnostics: Vec<&Value> = shown.map(|shows| &shows.diagnostic).collect();
            json!({ "uri": uri(file), "diagnostics": diagnostics })
        };
        files.iter().map(|file| of(file)).collect()
    }

    fn of(&self, file: &Path) -> Option<&OfFile> {
        self.files.get(&fs::canonicalize(file).ok()?)
    }

    fn method_at(&self, file: &Path, line: u32) -> Option<&OfMethod> {
        let mut methods = self.of(file)?.methods.iter();
        // The line of the name is often the one before the code.
        methods.find(|method| line + 2 > method.first && line <= method.last)
    }

    pub fn lenses(&self, file: &Path) -> Value {
        let methods = self.of(file).into_iter().flat_map(|of| &of.methods);
        let lens = |method: &OfMethod| {
            json!({
                "range": whole_line(method.first),
                "command": { "title": method.lens, "command": EXPLAIN, "arguments": [method.id] }
            })
        };
        methods.map(lens).collect()
    }

    pub fn hover(&self, file: &Path, line: u32) -> Value {
        let findings = self.of(file).into_iter().flat_map(|of| &of.findings);
        let mut texts: Vec<&str> =
            findings.filter(|shows| shows.line == line).map(|shows| shows.text.as_str()).collect();
        let method = self.method_at(file, line);
        texts.extend(method.map(|method| method.tests.as_str()));
        if texts.is_empty() {
            return Value::Null;
        }
        json!({ "contents": { "kind": "markdown", "value": texts.join("\n\n") } })
    }

    pub fn actions(&self, file: &Path, line: u32) -> Value {
        let Some(method) = self.method_at(file, line) else { return json!([]) };
        let name = short_id(&method.id);
        let action = |title: String, command: &str, subject: &str| {
            let command = json!({ "title": title, "command": command, "arguments": [subject] });
            json!({ "title": title, "kind": "quickfix", "command": command })
        };
        json!([
            action(format!("Write the tests of {}", method.ty), WRITE_TESTS, &method.ty),
            action(format!("Explain what is open in {name}"), EXPLAIN, &method.id),
            action(format!("Prove that no exception leaves {name}"), PROVE, &method.id),
        ])
    }

    pub fn explanation(&self, id: &str) -> Option<&str> {
        let mut methods = self.files.values().flat_map(|of| &of.methods);
        methods.find(|method| method.id == id).map(|method| method.explanation.as_str())
    }
}

fn method<'a>(summary: &'a Summary, id: &str) -> Option<&'a Method> {
    summary.methods.iter().find(|method| method.id == id)
}

fn shows(finding: &Finding, line: &SourceLine) -> Shows {
    const ERROR: u32 = 1;
    let severity = match finding.level {
        Level::Error => ERROR,
        Level::Warning => 2,
        Level::Note => 3,
    };
    let inputs: Vec<String> =
        finding.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
    let diagnostic = json!({
        "range": range(line),
        "severity": severity,
        "source": "cilantro",
        "code": finding.rule.id(),
        "message": format!("{}\n{}", finding.title, finding.message),
    });
    let text = match inputs.is_empty() {
        true => format!("**{}**", finding.title),
        false => format!("**{}** for `{}`", finding.title, inputs.join(", ")),
    };
    Shows { line: line.line, diagnostic, text }
}

fn of_method(method: &Method, (first, last): (u32, u32), paths: &[PathRecord]) -> OfMethod {
    let coverage = &method.coverage;
    let proven = coverage.proven_unreachable_branches + coverage.proven_assuming_branches;
    let reachable = coverage.branches.saturating_sub(proven);
    let percent = (coverage.covered_branches * 100).checked_div(reachable).unwrap_or(100);
    let tests = if method.tests == 1 { "1 test".to_owned() } else { format!("{} tests", method.tests) };
    let lens = format!("{tests}, {percent} % of branches");
    let own: Vec<&PathRecord> = paths.iter().filter(|path| path.method == method.id).collect();
    let mut text = format!("**{}** {}: {lens}\n", short_id(&method.id), method.verdict.name());
    own.iter().take(MOST_TESTS).for_each(|path| text += &test_line(path));
    if let Some(more) = own.len().checked_sub(MOST_TESTS).filter(|more| *more > 0) {
        text += &format!("\n… and {more} more");
    }
    OfMethod {
        id: method.id.clone(),
        ty: method.id.split("::").next().unwrap_or_default().to_owned(),
        first,
        last,
        lens,
        tests: text,
        explanation: explanation(method),
    }
}

fn test_line(path: &PathRecord) -> String {
    let inputs: Vec<String> =
        path.inputs.iter().map(|input| format!("{} = {}", input.name, input.value)).collect();
    let inputs = if inputs.is_empty() { "no inputs".to_owned() } else { format!("`{}`", inputs.join(", ")) };
    let end = path.end.throws.as_ref().map_or("returns".to_owned(), |thrown| format!("throws {thrown}"));
    format!("\n* {inputs} {end} ({})", path.test)
}

fn explanation(method: &Method) -> String {
    let mut lines = vec![format!("{}: {}.", short_id(&method.id), method.verdict.name())];
    if method.incomplete.is_empty() && method.assumptions.is_empty() {
        lines.push("Every branch has a test or is proven unreachable.".to_owned());
    }
    for item in &method.incomplete {
        let at = item.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
        lines.push(format!("{}{at}: {} {}", item.reason.name(), item.reason.sentence(), item.detail));
        lines.extend(item.reason.explanation().what_to_do.first().map(|advice| format!("  {advice}")));
    }
    for assumed in &method.assumptions {
        lines.push(format!("assuming {}: {}", assumed.assumption.name(), assumed.detail));
    }
    lines.join("\n")
}

/// The code that is meant, or all of its line.
fn range(line: &SourceLine) -> Value {
    let Some(columns) = line.columns else { return whole_line(line.line) };
    json!({
        "start": { "line": line.line.saturating_sub(1), "character": columns.start.saturating_sub(1) },
        "end": { "line": columns.end_line.saturating_sub(1), "character": columns.end.saturating_sub(1) }
    })
}

/// Positions past the end of a line mean its end.
fn whole_line(line: u32) -> Value {
    const PAST_THE_END: u32 = 10_000;
    let line = line.saturating_sub(1);
    json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": PAST_THE_END } })
}

fn uri(file: &Path) -> String {
    file_uri(&file.to_string_lossy()).trim_end_matches('/').to_owned()
}
