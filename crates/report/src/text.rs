//! The text report: a table of methods, the bugs with their inputs, what was left out and why.

use std::collections::BTreeMap;

use crate::findings;
use crate::style::{Theme, paint};
use crate::summary::{Assumed, Incomplete, Method, NotWritten, Summary, Totals, Unwritten, Verdict};
use crate::table::{Align, Cell, layout};
use crate::words::{count, duration, one_line, short_id};
use crate::zone::Zone;
use crate::{Assumption, Reason};

/// What the reader asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// `generate`: every method.
    Everything,
    /// `check`: bugs, and what was left out.
    BugsOnly,
}

#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    pub theme: Theme,
    pub shown: Shown,
    /// Columns of the terminal; the table's first column gives way.
    pub width: Option<usize>,
    /// List every place that was left out instead of the first few of each reason.
    pub verbose: bool,
    /// List every exception instead of the crashes.
    pub all: bool,
}

impl TextOptions {
    /// Everything about methods, without colours and in any width.
    pub fn plain() -> TextOptions {
        TextOptions {
            theme: Theme::plain(),
            shown: Shown::Everything,
            width: None,
            verbose: false,
            all: false,
        }
    }

    /// How many of so many places are listed. Whoever looks for crashes gets few, or none of many.
    fn listed(&self, places: usize, in_all: usize) -> usize {
        match self.shown {
            _ if self.verbose => places,
            Shown::BugsOnly if in_all > FEW => 0,
            Shown::BugsOnly | Shown::Everything => FEW.min(places),
        }
    }
}

/// How many places of one reason are listed when the reader did not ask for all.
const FEW: usize = 8;

pub fn render_text(summary: &Summary, options: &TextOptions) -> String {
    let mut out = Vec::new();
    out.push(paint(options.theme.heading, &title(summary)));
    if options.shown == Shown::Everything {
        out.push(String::new());
        out.extend(table(summary, options));
        if let Some(line) = summary.zone.as_ref().and_then(Zone::line) {
            out.push(String::new());
            out.push(line);
        }
    }
    out.extend(excluded(summary));
    findings::findings(summary, options, &mut out);
    taken_for_granted(summary, options, &mut out);
    left_out(summary, options, &mut out);
    not_written(summary, options, &mut out);
    out.push(String::new());
    out.push(conclusion(summary, options));
    if let Some(folder) = &summary.output {
        out.push(format!("The tests are in {folder}."));
    }
    out.push(String::new());
    out.join("\n")
}

/// What nobody looked at, because somebody said so.
fn excluded(summary: &Summary) -> Vec<String> {
    if summary.excluded.is_empty() {
        return Vec::new();
    }
    let all: u64 = summary.excluded.iter().map(|excluded| excluded.methods).sum();
    let causes = summary
        .excluded
        .iter()
        .map(|excluded| format!("{} by {}", excluded.methods, one_line(&excluded.cause)));
    let causes = causes.collect::<Vec<_>>().join(", ");
    vec![String::new(), format!("{} left out: {causes}.", count(all, "method"))]
}

fn title(summary: &Summary) -> String {
    match &summary.runtime {
        Some(runtime) => format!("{} on {} {}", summary.assembly, runtime.name, runtime.version),
        None => summary.assembly.clone(),
    }
}

fn table(summary: &Summary, options: &TextOptions) -> Vec<String> {
    const ALIGNS: [Align; 7] =
        [Align::Left, Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right];
    let head = ["method", "verdict", "branches", "proven", "tests", "bugs", "time"];
    let mut rows = vec![head.map(|h| Cell::styled(h, options.theme.dim)).into()];
    rows.extend(summary.methods.iter().map(|m| row(m, &options.theme)));
    if summary.methods.len() > 1 {
        rows.push(total_row(summary, options));
    }
    layout(&ALIGNS, &rows, options.width)
}

fn row(method: &Method, theme: &Theme) -> Vec<Cell> {
    let coverage = &method.coverage;
    let verdict = match method.verdict {
        Verdict::Complete => Cell::styled("complete", theme.good),
        Verdict::CompleteAssuming => Cell::styled("assuming", theme.warn),
        Verdict::Incomplete => Cell::styled("incomplete", theme.warn),
    };
    vec![
        Cell::new(short_id(&method.id)),
        verdict,
        Cell::new(fraction(coverage.covered_branches, coverage.branches)),
        Cell::new(proven(coverage.proven_unreachable_branches, coverage.proven_assuming_branches)),
        Cell::new(or_dash(method.tests)),
        bug_count(method.bugs.len() as u64, theme),
        Cell::styled(duration(method.stats.elapsed.as_millis() as u64), theme.dim),
    ]
}

fn total_row(summary: &Summary, options: &TextOptions) -> Vec<Cell> {
    let Totals { methods, complete, branches, covered, proven, tests, bugs, .. } = summary.totals();
    vec![
        Cell::styled(count(methods, "method"), options.theme.heading),
        Cell::new(format!("{complete} complete")),
        Cell::new(fraction(covered, branches)),
        Cell::new(or_dash(proven)),
        Cell::new(or_dash(tests)),
        bug_count(bugs, &options.theme),
        Cell::styled(duration(summary.elapsed_ms), options.theme.dim),
    ]
}

fn fraction(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{part}/{whole}") }
}

/// Branches that are proven, and those that are if something holds.
fn proven(exactly: u64, assuming: u64) -> String {
    if assuming == 0 { or_dash(exactly) } else { format!("{exactly}+{assuming}?") }
}

fn or_dash(n: u64) -> String {
    if n == 0 { "-".to_owned() } else { n.to_string() }
}

fn bug_count(n: u64, theme: &Theme) -> Cell {
    if n == 0 { Cell::new("-") } else { Cell::styled(n.to_string(), theme.bad) }
}

/// What answers rest on, by assumption.
fn taken_for_granted(summary: &Summary, options: &TextOptions, out: &mut Vec<String>) {
    let mut groups: BTreeMap<Assumption, Vec<(&Method, &Assumed)>> = BTreeMap::new();
    let is_told = |method: &&Method| {
        method.verdict == Verdict::CompleteAssuming || method.coverage.proven_assuming_branches > 0
    };
    for method in summary.methods.iter().filter(is_told) {
        for assumed in &method.assumptions {
            groups.entry(assumed.assumption).or_default().push((method, assumed));
        }
    }
    if groups.is_empty() {
        return;
    }
    out.push(String::new());
    out.push(paint(options.theme.heading, "Taken for granted (--assume accepts it)"));
    let in_all = groups.values().map(Vec::len).sum();
    for (assumption, places) in groups {
        let name = paint(options.theme.warn, assumption.name());
        let methods = count(places.len() as u64, "method");
        out.push(format!("  {name} ({methods}): {}", assumption.sentence()));
        let shown = options.listed(places.len(), in_all);
        for (method, assumed) in places.iter().take(shown) {
            out.push(format!("    {}: {}", short_id(&method.id), one_line(&assumed.detail)));
        }
        if let Some(more) = places.len().checked_sub(shown).filter(|n| shown > 0 && *n > 0) {
            out.push(format!("    and {more} more (-v lists all)"));
        }
    }
}

fn left_out(summary: &Summary, options: &TextOptions, out: &mut Vec<String>) {
    let mut groups: BTreeMap<Reason, Vec<(&Method, &Incomplete)>> = BTreeMap::new();
    for method in &summary.methods {
        for item in &method.incomplete {
            groups.entry(item.reason).or_default().push((method, item));
        }
    }
    if groups.is_empty() {
        return;
    }
    out.push(String::new());
    out.push(paint(options.theme.heading, "Left out"));
    let in_all = groups.values().map(Vec::len).sum();
    for (reason, places) in groups {
        let name = paint(options.theme.warn, reason.name());
        out.push(format!("  {name} ({}): {}", methods_of(&places), reason.sentence()));
        let shown = options.listed(places.len(), in_all);
        out.extend(places.iter().take(shown).map(|(method, item)| left_out_line(method, item)));
        if let Some(more) = places.len().checked_sub(shown).filter(|n| shown > 0 && *n > 0) {
            out.push(format!("    and {more} more (-v lists all)"));
        }
    }
}

/// Tests that were found and are not in the project.
fn not_written(summary: &Summary, options: &TextOptions, out: &mut Vec<String>) {
    let mut groups: BTreeMap<NotWritten, Vec<(&Method, &Unwritten)>> = BTreeMap::new();
    for method in &summary.methods {
        for test in &method.unwritten {
            groups.entry(test.reason).or_default().push((method, test));
        }
    }
    if groups.is_empty() {
        return;
    }
    out.push(String::new());
    out.push(paint(options.theme.heading, "Not written"));
    for (reason, tests) in groups {
        let name = paint(options.theme.warn, reason.name());
        out.push(format!("  {name} ({})", count(tests.len() as u64, "test")));
        let shown = if options.verbose { tests.len() } else { FEW };
        for (method, test) in tests.iter().take(shown) {
            out.push(format!("    {} of {}: {}", test.test, short_id(&method.id), one_line(&test.detail)));
        }
        if let Some(more) = tests.len().checked_sub(shown).filter(|n| *n > 0) {
            out.push(format!("    and {more} more (-v lists all)"));
        }
    }
}

fn methods_of(places: &[(&Method, &Incomplete)]) -> String {
    let mut tokens: Vec<&str> = places.iter().map(|(m, _)| m.token.as_str()).collect();
    tokens.dedup();
    count(tokens.len() as u64, "method")
}

fn left_out_line(method: &Method, item: &Incomplete) -> String {
    let mut line = format!("    {}", short_id(&method.id));
    if let Some(at) = &item.at {
        line.push_str(&format!(" at {at}"));
    }
    if !item.detail.is_empty() {
        line.push_str(&format!(": {}", one_line(&item.detail)));
    }
    line
}

/// The last sentence: what a reader who reads only one line should know.
pub(crate) fn conclusion(summary: &Summary, options: &TextOptions) -> String {
    let totals = summary.totals();
    let theme = &options.theme;
    let crashes = findings::crashes(summary);
    let confirmed = crashes.iter().filter(|group| group.example.1.replayed).count();
    let bugs = match (crashes.len(), confirmed) {
        (0, _) if totals.bugs == 0 => paint(theme.good, "No exception found"),
        (0, _) => paint(theme.good, "No crash found"),
        (n, 0) => paint(theme.warn, &format!("{} expected but not confirmed", count(n as u64, "crash"))),
        (_, n) => paint(theme.bad, &format!("{} found", count(n as u64, "crash"))),
    };
    let tests = match (options.shown, totals.tests) {
        (Shown::BugsOnly, _) => String::new(),
        (Shown::Everything, n) => format!(", {}", count(n, "test")),
    };
    let assuming = match totals.assuming {
        0 => String::new(),
        n => paint(theme.warn, &format!(", {} complete under assumptions", count(n, "method"))),
    };
    let unfinished = match totals.methods - totals.complete - totals.assuming {
        0 => String::new(),
        n => paint(theme.warn, &format!(", {} incomplete", count(n, "method"))),
    };
    let stopped = match summary.stopped {
        Some(Reason::Cancelled) => " The run was stopped; this is what was there so far.".to_owned(),
        Some(reason) => format!(" The run ended early ({reason})."),
        None => String::new(),
    };
    let since = summary.since.as_ref().map(|since| format!(" that changed since {}", one_line(&since.what)));
    let methods = count(totals.methods, "method") + &since.unwrap_or_default();
    let time = duration(summary.elapsed_ms);
    format!("{bugs} in {methods}{tests}{assuming}{unfinished} ({time}).{stopped}")
}
