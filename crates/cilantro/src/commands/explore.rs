//! `generate` and `check`: the same exploration, different output.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use engine::{Engine, Error, Keeping, Options, Outcome, Shard};
use report::formats::{CodeCoverage, Report, Test};
use report::{Baseline, Shown, TextOptions, Theme, render_json, render_text};

use super::Exit;
use super::since::Comparison;
use crate::args::{Check, Command, CommandLine, Common, Findings, Generate, Mocking, Subject, Trust};
use crate::console::Console;
use crate::output::Output;
use crate::progress::LiveDisplay;
use crate::reporting::{Reporting, Told, add_steps};
use crate::{baseline, files, interrupt};

pub fn generate(
    args: &Generate,
    project: Option<PathBuf>,
    common: &Common,
    keeping: Option<Keeping>,
    console: &Console,
    started: Instant,
) -> Result<Exit, Error> {
    files::check_readable(&args.subject.assembly)?;
    let output = Output::new(
        &args.subject.assembly,
        project,
        args.output.as_deref(),
        args.framework,
        args.mock_library,
        args.no_theories,
    )?
    .trying(args)
    .with_code(engine::code_of(&args.subject.assembly, common.runtime.as_deref())?);
    let options = Options {
        verify: !args.no_verify,
        scope: args.entry_points.scope(),
        zone: args.entry_points.zone(),
        exclude: args.entry_points.exclude.clone(),
        writes: true,
        keeping,
        ..options(&args.subject, args.mocking, &args.trust, common, started)
    };
    let known = args.findings.baseline.as_deref().map(baseline::read).transpose()?;
    let reporting = Reporting::new(&args.format, Some(&args.subject.assembly), true)?;
    let mut outcome = explore(&args.subject, options, console)?;
    // Printed even when it cannot be written: the work of a run is not thrown away.
    let written = output.write(&mut outcome, console);
    let exit = tell(&mut outcome, known, &args.findings, &reporting, Shown::Everything, console);
    written?;
    exit
}

pub fn check(
    args: &Check,
    common: &Common,
    keeping: Option<Keeping>,
    console: &Console,
    started: Instant,
) -> Result<Exit, Error> {
    files::check_readable(&args.subject.assembly)?;
    let options = Options {
        keeping,
        scope: args.entry_points.scope(),
        zone: args.entry_points.zone(),
        exclude: args.entry_points.exclude.clone(),
        ..options(&args.subject, args.mocking, &args.trust, common, started)
    };
    let known = args.findings.baseline.as_deref().map(baseline::read).transpose()?;
    let reporting = Reporting::new(&args.format, Some(&args.subject.assembly), false)?;
    // Nobody else looks at it, and it takes its time.
    let is_wanted = args.since.is_some() || args.format.wants_json();
    let code = is_wanted.then(|| engine::code_of(&args.subject.assembly, common.runtime.as_deref()));
    let code = code.transpose()?.unwrap_or_default();
    let since =
        args.since.as_deref().map(|what| Comparison::new(what, &args.subject.assembly, &code, common));
    let since = since.transpose()?;
    let only = since.as_ref().map(|since| Arc::clone(&since.changed));
    let mut outcome = explore(&args.subject, Options { only, ..options }, console)?;
    outcome.summary.code = code;
    outcome.summary.since = since.map(|since| since.told);
    tell(&mut outcome, known, &args.findings, &reporting, Shown::BugsOnly, console)
}

/// A shard of either: what it found is told, and nothing is written but what it keeps.
pub fn part(
    line: &CommandLine,
    shard: Shard,
    keeping: Keeping,
    console: &Console,
    started: Instant,
) -> Result<Exit, Error> {
    let (subject, entry_points, mocking, trust, format, findings) = match &line.command {
        Command::Generate(a) => (&a.subject, &a.entry_points, a.mocking, &a.trust, &a.format, &a.findings),
        Command::Check(a) => (&a.subject, &a.entry_points, a.mocking, &a.trust, &a.format, &a.findings),
        _ => return Err(Error::Internal("only methods that are explored have shards".to_owned())),
    };
    let options = Options {
        scope: entry_points.scope(),
        zone: entry_points.zone(),
        exclude: entry_points.exclude.clone(),
        keeping: Some(keeping),
        shard: Some(shard),
        ..options(subject, mocking, trust, &line.common, started)
    };
    let reporting = Reporting::new(format, Some(&subject.assembly), false)?;
    let mut outcome = explore(subject, options, console)?;
    tell(&mut outcome, None, findings, &reporting, Shown::BugsOnly, console)
}

/// Prints what was found, and what it means for the exit code.
fn tell(
    outcome: &mut Outcome,
    known: Option<Baseline>,
    findings: &Findings,
    reporting: &Reporting<'_>,
    shown: Shown,
    console: &Console,
) -> Result<Exit, Error> {
    if let Some(known) = known {
        known.apply(&mut outcome.summary);
    }
    let explored = Explored { outcome, shown, findings, verbose: console.verbose > 0 };
    let told = reporting.tell(&explored, console);
    if let Some(path) = &findings.write_baseline {
        baseline::write(path, &outcome.summary)?;
    }
    told?;
    Ok(outcome.summary.status_for(findings.fail_on()).into())
}

/// What an exploration comes to, as it is told.
struct Explored<'a> {
    outcome: &'a Outcome,
    shown: Shown,
    findings: &'a Findings,
    verbose: bool,
}

impl Told for Explored<'_> {
    fn text(&self, theme: &Theme, width: Option<usize>) -> String {
        let (shown, verbose, all) = (self.shown, self.verbose, self.findings.all);
        render_text(&self.outcome.summary, &TextOptions { theme: *theme, shown, width, verbose, all })
    }

    fn json(&self) -> Result<String, serde_json::Error> {
        render_json(&self.outcome.summary)
    }

    fn report(&self) -> Report {
        let Findings { all, .. } = self.findings;
        let mut report = Report::of_summary(&self.outcome.summary, self.shown, self.findings.fail_on(), *all);
        add_steps(&mut report.findings, &self.outcome.paths);
        if self.shown == Shown::Everything {
            let tests = self.outcome.tests().map(|(case, is_confirmed)| Test {
                name: case.name.clone(),
                method: case.method.id.clone(),
                is_confirmed,
            });
            report.tests = tests.collect();
        }
        report
    }

    fn coverage(&self) -> CodeCoverage {
        self.outcome.coverage()
    }
}

fn explore(subject: &Subject, options: Options, console: &Console) -> Result<Outcome, Error> {
    interrupt::connect(&options.signals);
    let mut display = LiveDisplay::new(console);
    let mut run = Engine::new(options).generate(&subject.assembly)?;
    run.by_ref().for_each(|event| display.show(&event));
    display.clear();
    let outcome = run.finish()?;
    if let Some(why) = outcome.not_kept() {
        console.warn(why);
    }
    if outcome.reused() > 0 {
        let (known, all) = (outcome.reused(), outcome.summary.methods.len());
        console.remark(&format!("{known} of {all} methods are known from earlier runs"));
    }
    Ok(outcome)
}

fn options(subject: &Subject, mocking: Mocking, trust: &Trust, common: &Common, started: Instant) -> Options {
    Options { selection: subject.selection(), ..common_options(mocking, trust, common, started) }
}

/// The options of every command that explores; all methods are selected.
pub(crate) fn common_options(mocking: Mocking, trust: &Trust, common: &Common, started: Instant) -> Options {
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
