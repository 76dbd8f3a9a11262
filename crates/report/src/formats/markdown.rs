//! A page in Markdown, for the summary of a job or a comment: what was found, and what is behind it if somebody looks.

use super::exceptions::counted_reasons;
use super::model::{Answer, Finding, Level, Report, Verdict};
use crate::words::{count, duration, printable, short_id};

/// Rows of a table that nobody has to scroll through.
const MOST_ROWS: usize = 500;

pub(super) fn page(report: &Report) -> String {
    let mut out = vec![format!("## cilantro {}: {}", report.command, text(&report.title())), String::new()];
    out.push(text(&report.conclusion));
    let findings: Vec<&Finding> = report.news().collect();
    if !findings.is_empty() {
        out.extend([
            String::new(),
            "| | finding | where | inputs |".to_owned(),
            "|---|---|---|---|".to_owned(),
        ]);
        out.extend(findings.iter().take(MOST_ROWS).map(|finding| finding_row(finding)));
        more(findings.len(), &mut out);
        out.push(String::new());
        findings.iter().take(MOST_ROWS).for_each(|finding| details(finding, &mut out));
    }
    answers(report, &mut out);
    reasons(report, &mut out);
    out.push(String::new());
    out.join("\n")
}

fn more(all: usize, out: &mut Vec<String>) {
    if all > MOST_ROWS {
        out.extend([String::new(), format!("And {} more.", all - MOST_ROWS)]);
    }
}

fn finding_row(finding: &Finding) -> String {
    let mark = match finding.level {
        Level::Error => "❌",
        Level::Warning => "⚠️",
        Level::Note => "ℹ️",
    };
    let inputs = finding.inputs_text();
    let inputs = if inputs.is_empty() { String::new() } else { code(&inputs) };
    format!("| {mark} {} | {} | {} | {inputs} |", finding.rule.id(), code(&finding.title), place(finding))
}

fn place(finding: &Finding) -> String {
    match (&finding.line, &finding.at) {
        (Some(line), _) => code(&format!("{}:{}", line.path, line.line)),
        (None, Some(at)) => code(at),
        (None, None) => String::new(),
    }
}

fn details(finding: &Finding, out: &mut Vec<String>) {
    out.push(format!("<details><summary>{}</summary>", html(&finding.title)));
    out.push(String::new());
    out.push(text(&finding.message));
    out.push(String::new());
    let callers: Vec<String> = finding.calls.iter().map(|call| code(&short_id(&call.method))).collect();
    out.push(format!("* called: {}", callers.join(", ")));
    out.extend(finding.test.as_ref().map(|test| format!("* test: {}", code(test))));
    for step in &finding.steps {
        let line =
            step.line.as_ref().map(|line| format!(" ({})", text(&line.to_string()))).unwrap_or_default();
        out.push(format!("* {}{line}", code(&step.what)));
    }
    out.extend([String::new(), "</details>".to_owned()]);
}

fn answers(report: &Report, out: &mut Vec<String>) {
    if report.answers.is_empty() {
        return;
    }
    let kind = match report.command {
        "reach" => "location",
        "replay" => "test",
        _ => "method",
    };
    let all = count(report.answers.len() as u64, kind);
    out.push(String::new());
    out.push(format!("<details><summary>{all}</summary>"));
    out.push(String::new());
    // Columns that nobody fills are left out.
    let has = |filled: fn(&Answer) -> bool| report.answers.iter().any(filled);
    let columns = Columns {
        branches: has(|answer| answer.branches.is_some()),
        tests: has(|answer| answer.tests.is_some()),
        time: has(|answer| answer.elapsed_ms.is_some()),
    };
    let head = [(columns.branches, "branches"), (columns.branches, "proven"), (columns.tests, "tests")];
    let head = head.into_iter().chain([(columns.time, "time")]).filter(|(shown, _)| *shown);
    let names: Vec<&str> = [kind, "answer"].into_iter().chain(head.map(|(_, name)| name)).collect();
    out.push(format!("| {} |", names.join(" | ")));
    let numbers = names.len().saturating_sub(2);
    out.push(format!("|---|---|{}", "---:|".repeat(numbers)));
    out.extend(report.answers.iter().take(MOST_ROWS).map(|answer| answer_row(answer, &columns)));
    more(report.answers.len(), out);
    out.extend([String::new(), "</details>".to_owned()]);
}

struct Columns {
    branches: bool,
    tests: bool,
    time: bool,
}

fn answer_row(answer: &Answer, columns: &Columns) -> String {
    let mark = match answer.verdict {
        Verdict::Good => "✅",
        Verdict::Bad => "❌",
        Verdict::Open => "❔",
    };
    let mut cells = vec![code(&short_id(&answer.name)), format!("{mark} {}", answer.word)];
    if columns.branches {
        let (covered, proven, all) = answer.branches.unwrap_or_default();
        cells.push(if all == 0 { String::new() } else { format!("{covered}/{all}") });
        cells.push(if proven == 0 { String::new() } else { proven.to_string() });
    }
    if columns.tests {
        cells.push(answer.tests.map(|tests| tests.to_string()).unwrap_or_default());
    }
    if columns.time {
        cells.push(answer.elapsed_ms.map(duration).unwrap_or_default());
    }
    format!("| {} |", cells.join(" | "))
}

/// Why answers are open, counted, and then one by one.
fn reasons(report: &Report, out: &mut Vec<String>) {
    let counted = counted_reasons(report);
    if counted.is_empty() {
        return;
    }
    let counts: Vec<String> = counted.iter().map(|(name, number)| format!("{number} × {name}")).collect();
    out.push(String::new());
    out.push(format!("<details><summary>Left open: {}</summary>", html(&counts.join(", "))));
    out.push(String::new());
    out.extend(["| | reason | detail |".to_owned(), "|---|---|---|".to_owned()]);
    let all = report.answers.iter().flat_map(|answer| answer.reasons.iter().map(move |r| (answer, r)));
    let rows: Vec<String> = all
        .map(|(answer, reason)| {
            format!("| {} | {} | {} |", code(&short_id(&answer.name)), reason.name, text(&reason.detail))
        })
        .collect();
    out.extend(rows.iter().take(MOST_ROWS).cloned());
    more(rows.len(), out);
    out.extend([String::new(), "</details>".to_owned()]);
}

/// Words in a cell or a paragraph: nothing in them is markup.
fn text(words: &str) -> String {
    let mut out = String::new();
    for c in printable(words).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' => out.extend(['\\', c]),
            // It would notify somebody.
            '@' => out.push_str("&#64;"),
            c => out.push(c),
        }
    }
    out
}

/// Words inside of HTML, where Markdown is not read.
fn html(words: &str) -> String {
    printable(words).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Code in a cell: a fence that is longer than any in it; the bars of tables count even in code.
fn code(words: &str) -> String {
    let words = printable(words).replace('|', "\\|");
    let longest = words.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if words.starts_with('`') || words.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{words}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_words_is_markup() {
        assert_eq!(text("a|b\n<script> *x* @all"), "a\\|b &lt;script&gt; \\*x\\* &#64;all");
        assert_eq!(code("a | `b`"), "`` a \\| `b` ``");
        assert_eq!(code("List<int>"), "`List<int>`");
        assert_eq!(code("x\ny"), "`x y`");
    }
}
