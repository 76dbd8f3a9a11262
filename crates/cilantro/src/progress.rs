//! The live line on a terminal: methods, coverage, states, queries, time left.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::Console;
use engine::{Event, ExploredMethod, Progress};

/// Shows nothing unless stderr is a terminal and the user did not ask for quiet.
pub struct LiveDisplay {
    bar: Option<ProgressBar>,
    console: Console,
}

impl LiveDisplay {
    pub fn new(console: &Console) -> LiveDisplay {
        let wanted = !console.quiet && io::stderr().is_terminal();
        LiveDisplay { bar: wanted.then(bar), console: console.clone() }
    }

    fn remark(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.console.remark(text)),
            None => self.console.remark(text),
        }
    }

    fn warn(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.console.warn(text)),
            None => self.console.warn(text),
        }
    }

    /// Takes the line away, so that the result stands alone.
    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    show(&bar, "{spinner} {wide_msg}");
    bar.set_message("reading");
    bar
}

fn show(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
}

impl LiveDisplay {
    pub fn show(&mut self, event: &Event) {
        match event {
            Event::Opened { assembly, runtime, remark, .. } => {
                if let Some(bar) = &self.bar {
                    show(bar, "{spinner} {bar:20} {pos}/{len} methods  {wide_msg}");
                }
                if let Some(runtime) = runtime {
                    self.remark(&format!("{assembly} on {} {}", runtime.name, runtime.version));
                }
                if let Some(remark) = remark {
                    self.warn(remark);
                }
            }
            Event::Explored(method) => self.explored(method),
            Event::Progress(progress) => self.tick(progress),
        }
    }

    fn explored(&self, method: &ExploredMethod) {
        let (stats, tests) = (&method.stats, method.tests);
        let reasons: Vec<&str> = method.incomplete.iter().map(|i| i.reason.name()).collect();
        let ended = if reasons.is_empty() { "complete".to_owned() } else { reasons.join(", ") };
        self.remark(&format!(
            "{}: {ended}, {tests} tests, {} states, {} queries, {} ms",
            method.id,
            stats.states,
            stats.queries,
            stats.elapsed.as_millis()
        ));
    }

    fn tick(&self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        bar.set_length(progress.methods as u64);
        bar.set_position(progress.explored as u64);
        bar.set_message(format!(
            "{} branches  {} states  {} queries  {} s left",
            progress.covered_branches,
            progress.states,
            progress.queries,
            progress.left.as_secs()
        ));
        bar.tick();
    }
}

impl Drop for LiveDisplay {
    fn drop(&mut self) {
        self.clear();
    }
}
