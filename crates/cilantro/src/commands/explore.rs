//! `generate` and `check`: the same exploration, different output.

use std::time::Instant;

use engine::{Engine, Error, Options, Outcome};
use report::{Baseline, Shown, Summary, TextOptions, render_json, render_text};

use super::Exit;
use crate::args::{Check, Common, Findings, Format, Generate, Mocking, Subject, Trust};
use crate::console::Console;
use crate::output::Output;
use crate::progress::LiveDisplay;
use crate::{baseline, files, interrupt};

pub fn generate(
    args: &Generate,
    common: &Common,
    console: &Console,
    started: Instant,
) -> Result<Exit, Error> {
    files::check_readable(&args.subject.assembly)?;
    let output =
        Output::new(&args.subject.assembly, args.output.as_deref(), args.framework, args.mock_library)?;
    let options = Options {
        verify: !args.no_verify,
        scope: args.entry_points.scope(),
        zone: args.entry_points.zone(),
        writes: true,
        ..options(&args.subject, args.mocking, &args.trust, common, started)
    };
    let known = args.findings.baseline.as_deref().map(baseline::read).transpose()?;
    let mut outcome = explore(&args.subject, options, console)?;
    // Printed even when it cannot be written: the work of a run is not thrown away.
    let written = output.write(&mut outcome, console);
    let exit =
        tell(&mut outcome.summary, known, &args.findings, args.format.format, Shown::Everything, console);
    written?;
    exit
}

pub fn check(args: &Check, common: &Common, console: &Console, started: Instant) -> Result<Exit, Error> {
    files::check_readable(&args.subject.assembly)?;
    let options = Options {
        scope: args.entry_points.scope(),
        zone: args.entry_points.zone(),
        ..options(&args.subject, args.mocking, &args.trust, common, started)
    };
    let known = args.findings.baseline.as_deref().map(baseline::read).transpose()?;
    let mut summary = explore(&args.subject, options, console)?.summary;
    tell(&mut summary, known, &args.findings, args.format.format, Shown::BugsOnly, console)
}

/// Prints what was found, and what it means for the exit code.
fn tell(
    summary: &mut Summary,
    known: Option<Baseline>,
    findings: &Findings,
    format: Format,
    shown: Shown,
    console: &Console,
) -> Result<Exit, Error> {
    if let Some(known) = known {
        known.apply(summary);
    }
    let options = TextOptions {
        theme: console.theme,
        shown,
        width: console.width,
        verbose: console.verbose > 0,
        all: findings.all,
    };
    let text = match format {
        Format::Json => render_json(summary).map_err(|e| Error::Internal(e.to_string()))?,
        Format::Text => render_text(summary, &options),
    };
    console.result(&text);
    if let Some(path) = &findings.write_baseline {
        baseline::write(path, summary)?;
    }
    Ok(summary.status_for(findings.fail_on()).into())
}

fn explore(subject: &Subject, options: Options, console: &Console) -> Result<Outcome, Error> {
    interrupt::connect(&options.signals);
    let mut display = LiveDisplay::new(console);
    let mut run = Engine::new(options).generate(&subject.assembly)?;
    run.by_ref().for_each(|event| display.show(&event));
    display.clear();
    run.finish()
}

fn options(subject: &Subject, mocking: Mocking, trust: &Trust, common: &Common, started: Instant) -> Options {
    Options { selection: subject.selection(), ..common_options(mocking, trust, common, started) }
}

/// The options of every command that explores; all methods are selected.
pub(super) fn common_options(mocking: Mocking, trust: &Trust, common: &Common, started: Instant) -> Options {
    Options {
        timeout: common.timeout,
        started: Some(started),
        workers: common.jobs.map(usize::from),
        max_steps: common.max_steps,
        solver_timeout: common.solver_timeout,
        max_memory: common.max_memory.map(|size| size.0),
        seed: common.seed,
        strategy: common.strategy.into(),
        sequences: common.sequences,
        mocks: mocking.mocks.map(vm::Mocks::from).unwrap_or_default(),
        accepted: trust.assume.iter().copied().collect(),
        runtime: common.runtime.clone(),
        cross_check: common.cross_check.clone(),
        ..Options::default()
    }
}
