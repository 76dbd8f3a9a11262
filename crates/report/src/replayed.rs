//! The answer of `replay`: stored test cases and what the real runtime made of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::style::{Theme, paint};
use crate::summary::Runtime;
use crate::table::{Align, Cell, layout};
use crate::words::{count, duration};

pub const REPLAY_SCHEMA: &str = "cilantro/replay@1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayReport {
    pub schema: String,
    /// The folder the cases were read from.
    pub folder: String,
    pub runtime: Option<Runtime>,
    pub elapsed_ms: u64,
    /// The time ran out or the user stopped the run; the rest is `skipped`.
    pub stopped: bool,
    pub cases: Vec<ReplayRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayRow {
    /// Name of the test.
    pub name: String,
    /// Id of the method under test.
    pub method: String,
    pub status: ReplayStatus,
    /// What was expected and what happened, when they differ, or why it could not be run.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplayStatus {
    Passed,
    Failed,
    Skipped,
}

impl ReplayReport {
    pub fn count(&self, status: ReplayStatus) -> u64 {
        self.cases.iter().filter(|c| c.status == status).count() as u64
    }
}

/// A table of the cases; details follow under the rows that have any.
pub fn render_replay(report: &ReplayReport, theme: &Theme, width: Option<usize>) -> String {
    let mut out = vec![paint(theme.heading, &title(report)), String::new()];
    let head = ["test", "method", "result"].map(|h| Cell::styled(h, theme.dim));
    let mut rows = vec![Vec::from(head)];
    rows.extend(report.cases.iter().map(|case| row(case, theme)));
    let lines = layout(&[Align::Left, Align::Left, Align::Left], &rows, width);
    let details = std::iter::once("").chain(report.cases.iter().map(|c| c.detail.as_str()));
    for (line, detail) in lines.into_iter().zip(details) {
        out.push(line);
        out.extend(detail.lines().map(|d| format!("      {d}")));
    }
    out.push(String::new());
    out.push(conclusion(report));
    out.push(String::new());
    out.join("\n")
}

fn title(report: &ReplayReport) -> String {
    match &report.runtime {
        Some(runtime) => format!("{} on {} {}", report.folder, runtime.name, runtime.version),
        None => report.folder.clone(),
    }
}

fn row(case: &ReplayRow, theme: &Theme) -> Vec<Cell> {
    let result = match case.status {
        ReplayStatus::Passed => Cell::styled("passed", theme.good),
        ReplayStatus::Failed => Cell::styled("failed", theme.bad),
        ReplayStatus::Skipped => Cell::styled("skipped", theme.warn),
    };
    vec![Cell::new(case.name.clone()), Cell::new(crate::short_id(&case.method)), result]
}

pub(crate) fn conclusion(report: &ReplayReport) -> String {
    let passed = report.count(ReplayStatus::Passed);
    let failed = report.count(ReplayStatus::Failed);
    let skipped = report.count(ReplayStatus::Skipped);
    let mut line = format!("{passed} of {} passed", count(report.cases.len() as u64, "test"));
    if failed > 0 {
        line.push_str(&format!(", {failed} failed"));
    }
    if skipped > 0 {
        line.push_str(&format!(", {skipped} skipped"));
    }
    line.push_str(&format!(" ({}).", duration(report.elapsed_ms)));
    if report.stopped {
        line.push_str(" The run ended early.");
    }
    line
}
