//! The live line on a terminal: methods, coverage, states, queries, time left.

use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::Console;
use crate::driver::{Exploration, Gauge, Observer, Opened, Target};

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

impl Observer for LiveDisplay {
    fn opened(&mut self, opened: &Opened) {
        if let Some(bar) = &self.bar {
            show(bar, "{spinner} {bar:20} {pos}/{len} methods  {wide_msg}");
        }
        if let Some(runtime) = &opened.runtime {
            self.remark(&format!("{} on {} {}", opened.assembly, runtime.name, runtime.version));
        }
    }

    fn explored(&mut self, target: &Target, exploration: &Exploration) {
        let (stats, tests) = (&exploration.stats, exploration.cases.len());
        let reasons: Vec<&str> = exploration.incomplete.iter().map(|i| i.reason.name()).collect();
        let ended = if reasons.is_empty() { "complete".to_owned() } else { reasons.join(", ") };
        self.remark(&format!(
            "{}: {ended}, {tests} tests, {} states, {} queries, {} ms",
            target.id, stats.states, stats.queries, stats.elapsed_ms
        ));
    }

    fn tick(&mut self, done: usize, total: usize, gauge: &Gauge, left: Duration) {
        let Some(bar) = &self.bar else { return };
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.set_message(format!(
            "{} branches  {} states  {} queries  {} s left",
            gauge.covered_branches.load(Relaxed),
            gauge.states.load(Relaxed),
            gauge.queries.load(Relaxed),
            left.as_secs()
        ));
        bar.tick();
    }
}

impl Drop for LiveDisplay {
    fn drop(&mut self) {
        self.clear();
    }
}
