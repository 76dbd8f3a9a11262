//! The stored form of what was found out about a method.
//!
//! It is JSON of the very types that a run uses, with what their published forms leave out beside it: whole paths of source
//! files, exact times, proposed calls. It is read back before it is stored; what would not come back as it was is not stored.

use std::time::Duration;

use case::Sequenced;
use serde::{Deserialize, Serialize};
use store::Key;
use verdict::{Columns, SourceLine, Stats};

use super::Limits;
use crate::session::backend::{Explored, Replayed};
use crate::session::record::Attempt;

/// Changes whenever something is stored in another way or means something else.
pub(super) const FORM: &str = "cilantro/result@1";

#[derive(Serialize, Deserialize)]
pub(super) struct Form {
    explored: Explored,
    lines: Vec<Line>,
    /// One per case.
    sequenced: Vec<Option<Box<Sequenced>>>,
    stats: ExactStats,
    replays: Option<Replays>,
    share: Duration,
    /// What every method of its run had.
    even_share: Duration,
    max_bytes: u64,
    /// The run had no more time for it.
    pub is_settled: bool,
}

#[derive(Serialize, Deserialize)]
struct Replays {
    among: String,
    results: Vec<Replayed>,
}

#[derive(Serialize, Deserialize)]
struct Line {
    path: String,
    columns: Option<(u32, u32, u32)>,
}

#[derive(Serialize, Deserialize)]
struct ExactStats {
    paths: u64,
    solver_time: Duration,
    elapsed: Duration,
}

impl Form {
    /// `None` if it could not be read again as it is.
    pub fn encode(attempt: &Attempt, among: &Key, limits: Limits, is_settled: bool) -> Option<Vec<u8>> {
        let mut explored = attempt.exploration.clone();
        let Stats { paths, solver_time, elapsed, .. } = explored.stats;
        let lines = lines(&mut explored).into_iter().map(|line| Line::of(line)).collect();
        let sequenced = explored.cases.iter_mut().map(|found| found.case.sequenced.take()).collect();
        // What was not confirmed is tried again.
        let is_confirmed = |result: &Replayed| matches!(result, Replayed::Passed { .. });
        let confirmed = attempt.replayed.as_ref().filter(|results| results.iter().all(is_confirmed));
        let form = Form {
            explored,
            lines,
            sequenced,
            stats: ExactStats { paths, solver_time, elapsed },
            replays: confirmed.map(|results| Replays { among: among.to_string(), results: results.clone() }),
            share: attempt.share,
            even_share: limits.share,
            max_bytes: limits.max_bytes,
            is_settled,
        };
        let bytes = serde_json::to_vec(&form).ok()?;
        let again = Form::decode(&bytes)?.into_attempt(among)?;
        let is_same = again.exploration == attempt.exploration && again.replayed.as_ref() == confirmed;
        is_same.then_some(bytes)
    }

    pub fn decode(bytes: &[u8]) -> Option<Form> {
        serde_json::from_slice(bytes).ok()
    }

    pub fn limits(&self, by_steps: bool) -> Limits {
        Limits { share: self.even_share, max_bytes: self.max_bytes, by_steps }
    }

    /// Replays are those of the same run, or none.
    pub fn into_attempt(self, among: &Key) -> Option<Attempt> {
        let mut explored = self.explored;
        let places = lines(&mut explored);
        if places.len() != self.lines.len() || explored.cases.len() != self.sequenced.len() {
            return None;
        }
        let mut explored = explored_with(explored, self.lines, self.sequenced);
        let ExactStats { paths, solver_time, elapsed } = self.stats;
        explored.stats = Stats { paths, solver_time, elapsed, ..explored.stats };
        let count = explored.cases.len();
        let replays = self.replays.filter(|replays| replays.among == among.to_string());
        let replayed = replays.map(|replays| replays.results).filter(|results| results.len() == count);
        Some(Attempt { exploration: explored, replayed, share: self.share, is_cut: false })
    }
}

fn explored_with(
    mut explored: Explored,
    known: Vec<Line>,
    sequenced: Vec<Option<Box<Sequenced>>>,
) -> Explored {
    for (place, line) in lines(&mut explored).into_iter().zip(known) {
        place.path = line.path;
        place.columns = line.columns.map(|(start, end_line, end)| Columns { start, end_line, end });
    }
    for (found, sequenced) in explored.cases.iter_mut().zip(sequenced) {
        found.case.sequenced = sequenced;
    }
    explored
}

impl Line {
    fn of(line: &SourceLine) -> Line {
        let columns = line.columns.map(|columns| (columns.start, columns.end_line, columns.end));
        Line { path: line.path.clone(), columns }
    }
}

/// Every line of source code in it, always in the same order.
fn lines(explored: &mut Explored) -> Vec<&mut SourceLine> {
    let mut lines: Vec<&mut SourceLine> = Vec::new();
    for found in &mut explored.cases {
        if let Some(bug) = &mut found.bug {
            lines.extend(&mut bug.source);
            lines.extend(bug.cause.iter_mut().flat_map(|cause| &mut cause.source));
        }
        let path = &mut found.path;
        lines.extend(path.steps.iter_mut().flat_map(|step| &mut step.line));
        lines.extend(&mut path.end.line);
        lines.extend(path.only.branches.iter_mut().flat_map(|branch| &mut branch.line));
    }
    let safety = explored.safety.iter_mut().flat_map(|safety| &mut safety.certificate);
    lines.extend(explored.certificate.iter_mut().chain(safety).flat_map(|facts| &mut facts.source));
    lines
}
