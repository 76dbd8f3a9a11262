//! `reach` and `prove`: one question, and the answer with its proof or its test.

use std::time::Instant;

use engine::{Engine, Error, Event, Options, Rules, Selection};
use report::{render_json, render_proof, render_reach};

use super::Exit;
use super::explore::common_options;
use crate::args::{Common, Format, Prove, Reach};
use crate::console::Console;
use crate::output::Output;
use crate::progress::LiveDisplay;
use crate::{files, interrupt};

pub fn reach(args: &Reach, common: &Common, console: &Console, started: Instant) -> Result<Exit, Error> {
    files::check_readable(&args.assembly)?;
    let folder = args.output.as_deref();
    let output = folder
        .map(|folder| Output::new(&args.assembly, Some(folder), args.framework, args.mock_library))
        .transpose()?;
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
    let text = match args.format.format {
        Format::Json => json(&reached.report)?,
        Format::Text => render_reach(&reached.report, &console.theme),
    };
    console.result(&text);
    written?;
    Ok(reached.report.status().into())
}

pub fn prove(args: &Prove, common: &Common, console: &Console, started: Instant) -> Result<Exit, Error> {
    files::check_readable(&args.assembly)?;
    let selection = Selection {
        types: args.types.clone(),
        methods: args.methods.clone(),
        namespaces: args.namespaces.clone(),
    };
    let options = Options { selection, ..common_options(args.mocking, &args.trust, common, started) };
    interrupt::connect(&options.signals);
    let rules = Rules { strict: args.strict, allow: args.allow.clone(), only: args.only.clone() };
    let mut run = Engine::new(options).prove(&args.assembly, rules)?;
    watch(&mut run, console);
    let report = run.finish()?.report;
    let text = match args.format.format {
        Format::Json => json(&report)?,
        Format::Text => render_proof(&report, &console.theme, console.width, console.verbose > 0),
    };
    console.result(&text);
    Ok(report.status().into())
}

/// Shows what happens until it is over.
fn watch(run: &mut dyn Iterator<Item = Event>, console: &Console) {
    let mut display = LiveDisplay::new(console);
    run.for_each(|event| display.show(&event));
    display.clear();
}

fn json<T: serde::Serialize>(report: &T) -> Result<String, Error> {
    render_json(report).map_err(|e| Error::Internal(e.to_string()))
}
