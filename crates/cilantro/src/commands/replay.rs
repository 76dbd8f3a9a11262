//! `replay`: stored test cases on the real runtime again, no engine needed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Instant;

use budget::{Clock, GRACE, Signals, TICK};
use case::Case;
use engine::parts::{Replayed, Replayer};
use engine::{CaseReplayer, Chosen, Culture, Error, World, panics};
use report::formats::Report;
use report::{
    REPLAY_SCHEMA, ReplayReport, ReplayRow, ReplayStatus, SourceLine, Theme, render_json, render_replay,
};

use super::{Exit, case_lines, clock};
use crate::args::{Common, Replay};
use crate::console::Console;
use crate::reporting::{Reporting, Told};
use crate::stored::{self, Suite};
use crate::{files, interrupt};

pub fn run(args: &Replay, common: &Common, console: &Console, started: Instant) -> Result<Exit, Error> {
    let suites = stored::read(&args.folder)?;
    let assembly = match suites.as_slice() {
        [only] => Some(only.assembly.clone()),
        _ => None,
    };
    let reporting = Reporting::new(&args.format, assembly.as_deref(), false)?;
    let lines = case_lines::of(&suites);
    let mut runs = Vec::new();
    for suite in suites {
        files::check_readable(&suite.assembly)?;
        let chosen = engine::choose(&suite.assembly, common.runtime.as_deref())?;
        if let Err(why) = &chosen.replay {
            return Err(Error::NoRuntime { why: why.clone() });
        }
        runs.push((suite, chosen));
    }
    let runtime = runs.first().and_then(|(_, chosen)| chosen.described());
    let clock = clock(common, started);
    let (cases, stopped) = replay_all(runs, clock)?;
    let report = ReplayReport {
        schema: REPLAY_SCHEMA.to_owned(),
        folder: args.folder.display().to_string(),
        runtime,
        elapsed_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        stopped,
        cases,
    };
    let run = ReplayedCases { report, lines };
    reporting.tell(&run, console)?;
    Ok(exit(&run.report))
}

/// What became of the cases, as it is told.
struct ReplayedCases {
    report: ReplayReport,
    /// Of the methods that they call.
    lines: BTreeMap<String, SourceLine>,
}

impl Told for ReplayedCases {
    fn text(&self, theme: &Theme, width: Option<usize>) -> String {
        render_replay(&self.report, theme, width)
    }

    fn json(&self) -> Result<String, serde_json::Error> {
        render_json(&self.report)
    }

    fn report(&self) -> Report {
        let mut report = Report::from(&self.report);
        for finding in &mut report.findings {
            finding.line = self.lines.get(&finding.method).cloned();
        }
        report
    }
}

fn exit(report: &ReplayReport) -> Exit {
    if report.count(ReplayStatus::Failed) > 0 {
        Exit::Findings
    } else if report.stopped || report.count(ReplayStatus::Skipped) > 0 {
        Exit::Incomplete
    } else {
        Exit::NothingFound
    }
}

/// One row per case, and whether the run ended early. The work is done aside, so that the time is kept in any case.
fn replay_all(runs: Vec<(Suite, Chosen)>, clock: Clock) -> Result<(Vec<ReplayRow>, bool), Error> {
    let signals = Arc::new(Signals::default());
    interrupt::connect(&signals);
    let mut rows: Vec<ReplayRow> =
        runs.iter().flat_map(|(suite, _)| suite.cases.iter().map(unanswered)).collect();
    let (answers, inbox) = channel();
    let worker = Arc::clone(&signals);
    engine::spawn("replay", move || work(runs, clock.deadline, &worker, &answers))?;
    let mut end = clock.deadline;
    loop {
        if signals.is_cancelled() {
            end = end.min(Instant::now() + GRACE);
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            signals.cancel();
            break;
        }
        match inbox.recv_timeout(left.min(TICK)) {
            Ok((first, results)) => {
                rows.iter_mut().skip(first).zip(results).for_each(|(row, result)| note(row, result))
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let stopped = signals.is_cancelled();
    Ok((rows, stopped))
}

/// Sends the results of each assembly with the index of its first case.
fn work(
    runs: Vec<(Suite, Chosen)>,
    deadline: Instant,
    signals: &Signals,
    answers: &Sender<(usize, Vec<Replayed>)>,
) {
    let mut first = 0;
    for (suite, chosen) in runs {
        let count = suite.cases.len();
        let results = panics::caught(|| {
            let cancelled = Arc::clone(&signals.cancelled);
            let world = World::of(&chosen, &suite.assembly, &Culture::Invariant, None);
            let mut replayer =
                CaseReplayer::in_world(chosen.replay?, suite.assembly, cancelled, world.is_invariant())?;
            Ok(replayer.replay(&suite.cases, deadline))
        });
        let results = results
            .unwrap_or_else(Err)
            .unwrap_or_else(|why: String| vec![Replayed::Skipped { detail: why }; count]);
        if answers.send((first, results)).is_err() {
            return;
        }
        first += count;
    }
}

fn unanswered(case: &Case) -> ReplayRow {
    ReplayRow {
        name: case.name.clone(),
        method: case.method.id.clone(),
        status: ReplayStatus::Skipped,
        detail: "not run in time".to_owned(),
    }
}

fn note(row: &mut ReplayRow, result: Replayed) {
    (row.status, row.detail) = match result {
        Replayed::Passed { .. } => (ReplayStatus::Passed, String::new()),
        Replayed::Failed { detail } => (ReplayStatus::Failed, detail),
        Replayed::Skipped { detail } => (ReplayStatus::Skipped, detail),
    };
}
