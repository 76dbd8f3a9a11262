//! Workflow commands of GitHub Actions: annotations at the lines of a change.

use super::model::{Finding, Level, Report};
use super::uri;
use crate::words::printable;

pub(super) fn commands(report: &Report) -> String {
    let mut out = String::new();
    for finding in report.news() {
        out.push_str(&command(finding));
    }
    let title = format!("cilantro {}", report.command);
    out.push_str(&format!("::notice title={}::{}\n", property(&title), data(&report.conclusion)));
    out
}

fn command(finding: &Finding) -> String {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let mut properties: Vec<(&str, String)> = Vec::new();
    if let Some(line) = &finding.line {
        properties.push(("file", uri::parts(&line.path).0));
        properties.push(("line", line.line.to_string()));
        // Columns are for what is in one line.
        match line.columns {
            Some(columns) if columns.end_line == line.line => {
                properties.push(("col", columns.start.to_string()));
                properties.push(("endColumn", columns.end.to_string()));
            }
            Some(columns) => properties.push(("endLine", columns.end_line.to_string())),
            None => {}
        }
    }
    properties.push(("title", finding.title.clone()));
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", property(value))).collect();
    format!("::{level} {}::{}\n", properties.join(","), data(&finding.message))
}

fn data(text: &str) -> String {
    // Of what is escaped, lines are made one already.
    printable(text).replace('%', "%25")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
