//! Why a test exists: its path, decision by decision, and what it alone shows. From what `generate` has stored; nothing is
//! explored again.

use std::fmt::Write;

use case::path::{PathRecord, Step, StepKind};
use serde::Serialize;

use super::table;

/// Characters of a place.
const WIDEST: usize = 40;

/// Everything that was asked for.
#[derive(Serialize)]
struct Answer<'a> {
    schema: &'static str,
    paths: &'a [PathRecord],
}

pub fn json(paths: &[PathRecord]) -> serde_json::Result<String> {
    let answer = Answer { schema: "cilantro/inspect@1", paths };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}

pub fn text(paths: &[PathRecord]) -> String {
    paths.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn one(path: &PathRecord) -> String {
    let mut text = format!("{}\n  method  {}\n", path.test, path.method);
    if !path.inputs.is_empty() {
        let inputs: Vec<String> = path.inputs.iter().map(|i| format!("{} = {}", i.name, i.value)).collect();
        let _ = writeln!(text, "  inputs  {}", inputs.join(", "));
    }
    text.push('\n');
    text.push_str(&steps(path));
    let _ = writeln!(text, "  {}", end(path));
    text.push('\n');
    for reason in reasons(path) {
        let _ = writeln!(text, "  {reason}");
    }
    text
}

fn steps(path: &PathRecord) -> String {
    let rows: Vec<Vec<String>> = path.steps.iter().map(row).collect();
    let mut printed = Vec::new();
    // Writing into memory does not fail.
    let _ = table::print(&mut printed, "  ", &rows, WIDEST);
    let printed = String::from_utf8_lossy(&printed);
    let middle = rows.len() / 2;
    let mut text = String::new();
    for (number, line) in printed.lines().enumerate() {
        if number == middle && path.left_out > 0 {
            let _ = writeln!(text, "  … {} more …", path.left_out);
        }
        let _ = writeln!(text, "{line}");
    }
    if let Some(why) = &path.followed {
        let _ = writeln!(text, "  from here on with the values above: {why}");
    }
    text
}

fn row(step: &Step) -> Vec<String> {
    let mut what = step.what.clone();
    if step.kind == StepKind::Value {
        what.push_str("  (a number had to be known)");
    }
    if let Some(exception) = &step.throws {
        let _ = write!(what, "  → {exception}");
    }
    if let Some(method) = &step.method {
        let _ = write!(what, "  (in {method})");
    }
    if let Some(method) = &step.inside {
        let _ = write!(what, "  (inside {method})");
    }
    vec![step.line.as_ref().map(ToString::to_string).unwrap_or_default(), step.at.clone(), what]
}

fn end(path: &PathRecord) -> String {
    let Some(exception) = &path.end.throws else { return "returns".to_owned() };
    match (&path.end.line, &path.end.at) {
        (Some(line), Some(at)) => format!("throws {exception} at {line} ({at})"),
        (None, Some(at)) => format!("throws {exception} at {at}"),
        _ => format!("throws {exception}"),
    }
}

fn reasons(path: &PathRecord) -> Vec<String> {
    let only = &path.only;
    let mut reasons = Vec::new();
    if only.exception {
        reasons.push("No other test shows this exception at this place.".to_owned());
    }
    if only.returns {
        reasons.push("No other test of the method returns.".to_owned());
    }
    for branch in &only.branches {
        let line = branch.line.as_ref().map_or(String::new(), |line| format!(" ({line})"));
        reasons.push(format!("No other test takes the branch from {} to {}{line}.", branch.from, branch.to));
    }
    match only.instructions {
        0 => {}
        1 => reasons.push("No other test executes 1 of its instructions.".to_owned()),
        n => reasons.push(format!("No other test executes {n} of its instructions.")),
    }
    reasons
}
