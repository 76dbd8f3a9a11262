//! `reach` and `prove`: one question, and the answer with its proof or its test.

use std::time::Instant;

use case::path::PathRecord;
use engine::{Engine, Error, Event, Options, Proofs, Reached, Rules, Selection};
use report::formats::Report;
use report::{ProofReport, Theme, render_json, render_proof, render_reach};

use super::Exit;
use super::explore::common_options;
use crate::args::{Common, Prove, Reach};
use crate::console::Console;
use crate::output::Output;
use crate::progress::LiveDisplay;
use crate::reporting::{Reporting, Told, add_steps};
use crate::{files, interrupt};

pub fn reach(args: &Reach, common: &Common, console: &Console, started: Instant) -> Result<Exit, Error> {
    files::check_readable(&args.assembly)?;
    let folder = args.output.as_deref();
    let output = folder
        .map(|folder| {
            let (framework, mocks) = (args.framework, args.mock_library);
            Output::new(&args.assembly, None, Some(folder), framework, mocks, args.no_theories)
        })
        .transpose()?;
    let reporting = Reporting::new(&args.format, Some(&args.assembly), false)?;
    let options = Options {
        verify: output.is_some() && !args.no_verify,
        ..common_options(args.mocking, &args.trust, common, started)
    };
    interrupt::connect(&options.signals);
    let mut run = Engine::new(options).reach(&args.assembly, &args.locations)?;
    watch(&mut run, console);
    let mut reached = run.finish()?;
    // Printed even when it cannot be written: the work of a run is not thrown away.
    let mut written = Ok(());
    if let Some(output) = output.filter(|_| !reached.tests.suite.is_empty()) {
        written = output.write(&mut reached.tests, console);
        reached.report.output = reached.tests.summary.output.clone();
    }
    let told = reporting.tell(&reached, console);
    written?;
    told?;
    Ok(reached.report.status().into())
}

pub fn prove(args: &Prove, common: &Common, console: &Console, started: Instant) -> Result<Exit, Error> {
    files::check_readable(&args.assembly)?;
    let reporting = Reporting::new(&args.format, Some(&args.assembly), false)?;
    let selection = Selection {
        types: args.types.clone(),
        methods: args.methods.clone(),
        namespaces: args.namespaces.clone(),
    };
    let exclude = args.exclude.clone();
    let options =
        Options { selection, exclude, ..common_options(args.mocking, &args.trust, common, started) };
    interrupt::connect(&options.signals);
    let rules = Rules { strict: args.strict, allow: args.allow.clone(), only: args.only.clone() };
    let mut run = Engine::new(options).prove(&args.assembly, rules)?;
    watch(&mut run, console);
    let Proofs { report, paths } = run.finish()?;
    let proofs = Proven { report, paths, verbose: console.verbose > 0 };
    reporting.tell(&proofs, console)?;
    Ok(proofs.report.status().into())
}

impl Told for Reached {
    fn text(&self, theme: &Theme, _: Option<usize>) -> String {
        render_reach(&self.report, theme)
    }

    fn json(&self) -> Result<String, serde_json::Error> {
        render_json(&self.report)
    }

    fn report(&self) -> Report {
        let mut report = Report::from(&self.report);
        add_steps(&mut report.findings, &self.tests.paths);
        report
    }
}

/// Proofs and counterexamples, as they are told.
struct Proven {
    report: ProofReport,
    paths: Vec<PathRecord>,
    verbose: bool,
}

impl Told for Proven {
    fn text(&self, theme: &Theme, width: Option<usize>) -> String {
        render_proof(&self.report, theme, width, self.verbose)
    }

    fn json(&self) -> Result<String, serde_json::Error> {
        render_json(&self.report)
    }

    fn report(&self) -> Report {
        let mut report = Report::from(&self.report);
        add_steps(&mut report.findings, &self.paths);
        report
    }
}

/// Shows what happens until it is over.
fn watch(run: &mut dyn Iterator<Item = Event>, console: &Console) {
    let mut display = LiveDisplay::new(console);
    run.for_each(|event| display.show(&event));
    display.clear();
}
