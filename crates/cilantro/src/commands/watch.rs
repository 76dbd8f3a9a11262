//! `watch`: the table of a build, and again of the next one, until Ctrl-C.

use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use budget::Signals;
use engine::{Engine, Error, Keeping, Options, Outcome};
use report::{Shown, TextOptions, render_text};

use super::explore::common_options;
use super::{Exit, cache};
use crate::args::{Common, Watch};
use crate::builds::{Seen, look_out};
use crate::console::Console;
use crate::interrupt;
use crate::progress::LiveDisplay;
use crate::project::Subject;

/// How soon Ctrl-C is noticed while nothing happens.
const SOON: Duration = Duration::from_millis(100);
/// Clears a terminal and goes to its first line.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

pub fn run(args: &Watch, common: &Common, console: &Console) -> Result<Exit, Error> {
    let over = Arc::new(Signals::default());
    interrupt::connect(&over);
    let (tell, seen) = channel();
    let looks_out = look_out(args.subject.assembly.clone(), move |seen| _ = tell.send(seen))?;
    let keeping = cache::keeping(&args.kept.caching(), common);
    while !over.is_interrupted() {
        match seen.recv_timeout(SOON) {
            Ok(Seen::Build(subject)) => {
                if let Err(error) = show(args, common, keeping.clone(), &subject, &over, console) {
                    console.error(&error.to_string());
                }
            }
            Ok(Seen::Nothing(why)) => console.warn(&why),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    looks_out.end();
    Ok(Exit::NothingFound)
}

fn show(
    args: &Watch,
    common: &Common,
    keeping: Option<Keeping>,
    subject: &Subject,
    over: &Signals,
    console: &Console,
) -> Result<(), Error> {
    let signals = Arc::new(Signals::default());
    let options = Options {
        selection: args.subject.selection(),
        scope: args.entry_points.scope(),
        zone: args.entry_points.zone(),
        exclude: args.entry_points.exclude.clone(),
        keeping,
        signals: Arc::clone(&signals),
        ..common_options(args.mocking, &args.trust, common, Instant::now())
    };
    let mut display = LiveDisplay::new(console);
    let mut run = Engine::new(options).generate(&subject.assembly)?;
    for event in run.by_ref() {
        display.show(&event);
        if over.is_interrupted() {
            signals.interrupt();
        }
    }
    display.clear();
    let outcome = run.finish()?;
    console.result(&table(&outcome, console));
    Ok(())
}

fn table(outcome: &Outcome, console: &Console) -> String {
    let shown = Shown::Everything;
    let (theme, width, verbose) = (console.theme, console.width, console.verbose > 0);
    let text = render_text(&outcome.summary, &TextOptions { theme, shown, width, verbose, all: false });
    let (known, all) = (outcome.reused(), outcome.summary.methods.len());
    let clear = if io::stdout().is_terminal() { CLEAR } else { "" };
    format!(
        "{clear}{text}{known} of {all} methods are as they were. Waiting for the next build; Ctrl-C ends.\n"
    )
}
