//! `generate` and `check`: the same exploration, different output.

use std::sync::Arc;
use std::time::{Duration, Instant};

use report::{Shown, Summary, TextOptions, render_json, render_text};

use super::{Exit, clock};
use crate::args::{Check, Common, Format, Generate, Mocking, Subject};
use crate::console::Console;
use crate::driver::{self, Backend, Conclusion, Job, Selection, Signals};
use crate::error::CommandError;
use crate::output::{Outcome, Output};
use crate::progress::LiveDisplay;
use crate::real::RealBackend;
use crate::{files, interrupt, memory};

pub fn generate(
    args: &Generate,
    common: &Common,
    console: &Console,
    started: Instant,
) -> Result<Exit, CommandError> {
    files::check_readable(&args.subject.assembly)?;
    let output =
        Output::new(&args.subject.assembly, args.output.as_deref(), args.framework, args.mock_library)?;
    let mut outcome = explore(&args.subject, args.mocking, common, console, started)?;
    // Printed even when it cannot be written: the work of a run is not thrown away.
    let written = output.write(&mut outcome, console);
    print(&outcome.conclusion.summary, args.format.format, Shown::Everything, console)?;
    written?;
    Ok(outcome.conclusion.summary.status().into())
}

pub fn check(
    args: &Check,
    common: &Common,
    console: &Console,
    started: Instant,
) -> Result<Exit, CommandError> {
    files::check_readable(&args.subject.assembly)?;
    let Conclusion { summary, .. } =
        explore(&args.subject, args.mocking, common, console, started)?.conclusion;
    print(&summary, args.format.format, Shown::BugsOnly, console)?;
    Ok(summary.status().into())
}

fn explore(
    subject: &Subject,
    mocking: Mocking,
    common: &Common,
    console: &Console,
    started: Instant,
) -> Result<Outcome, CommandError> {
    let job = job(subject, common, started);
    interrupt::connect(&job.signals);
    let backend: Arc<dyn Backend> = Arc::new(RealBackend::new(subject, mocking, common, &job));
    let mut display = LiveDisplay::new(console);
    let finished = driver::run(&job, Arc::clone(&backend), &mut display)?;
    display.clear();
    let surroundings = backend.surroundings();
    let conclusion = finished.conclude(&files::file_name(&subject.assembly), surroundings.as_ref());
    let explored = finished.records.into_iter().map(|record| record.target.type_name).collect();
    Ok(Outcome { conclusion, explored, surroundings })
}

/// One method that does not end should not use up the default time; who gives a time wants it used.
const MOST_PER_METHOD: Duration = Duration::from_secs(15);
/// A library with a few methods that never end should not take the whole default time either.
const RETRY_WITHIN: Duration = Duration::from_secs(25);

fn job(subject: &Subject, common: &Common, started: Instant) -> Job {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    Job {
        selection: Selection::from(subject),
        clock: clock(common, started),
        workers: common.jobs.map_or_else(cores, usize::from),
        per_method: common.timeout.is_none().then_some(MOST_PER_METHOD),
        retry_within: common.timeout.is_none().then_some(RETRY_WITHIN),
        max_steps: common.max_steps,
        solver_timeout: common.solver_timeout,
        max_memory: common.max_memory.map_or_else(memory::default_limit, |size| size.0),
        seed: common.seed,
        signals: Arc::new(Signals::default()),
    }
}

fn print(summary: &Summary, format: Format, shown: Shown, console: &Console) -> Result<(), CommandError> {
    let text = match format {
        Format::Json => render_json(summary).map_err(|e| CommandError::Internal(e.to_string()))?,
        Format::Text => render_text(
            summary,
            &TextOptions { theme: console.theme, shown, width: console.width, verbose: console.verbose > 0 },
        ),
    };
    console.result(&text);
    Ok(())
}
