//! The sources, line by line: what tests execute, what is proven, what is open.

use std::collections::BTreeMap;

use super::markup::Html;
use super::{HtmlReport, SourceText};
use crate::formats::Proof;
use crate::lines::{Line, Way};
use crate::summary::Verdict;
use crate::words::count;

/// What is known of a line.
#[derive(Clone, Debug, Default)]
struct Known {
    tests: u64,
    ways: Vec<Way>,
    /// Of the method that it is in, if the method was explored.
    verdict: Option<Verdict>,
}

pub fn write(report: &HtmlReport, html: &mut Html) {
    let Some(lines) = &report.lines else {
        html.element(
            "p",
            &[],
            "Nothing is known about lines: `generate` stores it, if the assembly has symbols.",
        );
        return;
    };
    let verdicts: BTreeMap<&str, Verdict> =
        report.summary.methods.iter().map(|method| (method.id.as_str(), method.verdict)).collect();
    let mut files: BTreeMap<&str, BTreeMap<u32, Known>> = BTreeMap::new();
    for of_method in &lines.methods {
        let verdict = verdicts.get(of_method.method.as_str()).copied();
        let file = files.entry(&of_method.file).or_default();
        of_method.lines.iter().for_each(|line| file.entry(line.line).or_default().add(line, verdict));
    }
    if files.is_empty() {
        html.element("p", &[], "There are no symbols, so no lines are known.");
    }
    for (name, known) in files {
        let source = report.sources.iter().find(|source| source.name == name);
        file(name, source, &known, html);
    }
}

impl Known {
    fn add(&mut self, line: &Line, verdict: Option<Verdict>) {
        self.tests = self.tests.max(line.tests);
        self.ways.extend(&line.branches);
        // What is open in one method is open.
        self.verdict = self.verdict.max(verdict);
    }

    fn ways(&self, is_meant: impl Fn(&Way) -> bool) -> u64 {
        self.ways.iter().filter(|way| is_meant(way)).count() as u64
    }

    /// A class, a sign and words: nobody needs to see colours.
    fn told(&self) -> (&'static str, &'static str, String) {
        let open = self.ways(|way| way.tests == 0 && way.proof == Proof::Open);
        let proven = self.ways(|way| way.tests == 0 && way.proof == Proof::Unreachable);
        let assuming = self.ways(|way| way.tests == 0 && way.proof == Proof::UnreachableAssuming);
        let mut words = vec![format!(
            "{} of {} taken",
            self.ways(|way| way.tests > 0),
            count(self.ways.len() as u64, "branch")
        )];
        if self.ways.is_empty() {
            words.clear();
        }
        for (number, what) in
            [(proven, "proven unreachable"), (assuming, "proven under assumptions"), (open, "open")]
        {
            if number > 0 {
                words.push(format!("{number} {what}"));
            }
        }
        let words = words.join(", ");
        let with = |first: String| if words.is_empty() { first } else { format!("{first}; {words}") };
        match (self.tests, self.verdict) {
            (0, Some(Verdict::Complete)) => ("proven", "∅", "no input gets here: proven".to_owned()),
            (0, Some(Verdict::CompleteAssuming)) => {
                ("assuming", "∅", "no input gets here: proven under assumptions".to_owned())
            }
            (0, _) => ("open", "✗", with("no test gets here".to_owned())),
            (tests, _) if open > 0 => ("partly", "◐", with(count(tests, "test"))),
            (tests, _) => ("covered", "✓", with(count(tests, "test"))),
        }
    }
}

fn file(name: &str, source: Option<&SourceText>, known: &BTreeMap<u32, Known>, html: &mut Html) {
    let executed = known.values().filter(|line| line.tests > 0).count();
    html.open("details", &[("class", "file")]).open("summary", &[]).element("h3", &[], name);
    html.text(&format!(" {executed} of {} lines executed", known.len())).close("summary");
    let text = source.and_then(|source| source.text.as_deref());
    if text.is_none() {
        html.element("p", &[], "The file was not found; --source-root says where the sources are.");
    }
    if source.is_some_and(|source| source.has_changed) {
        html.element(
            "p",
            &[("class", "note")],
            "The file has changed since the assembly was built: lines may not fit.",
        );
    }
    html.open("div", &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", name)]);
    html.open("table", &[("class", "code")]).element("caption", &[], name).open("thead", &[]).open("tr", &[]);
    for head in ["Line", "State", "Code"] {
        html.element("th", &[("scope", "col")], head);
    }
    html.close("tr").close("thead").open("tbody", &[]).line();
    match text {
        Some(text) => {
            for (number, code) in (1..).zip(text.lines()) {
                row(number, known.get(&number), code, html);
            }
        }
        None => known.iter().for_each(|(number, known)| row(*number, Some(known), "", html)),
    }
    html.close("tbody").close("table").close("div").close("details").line();
}

fn row(number: u32, known: Option<&Known>, code: &str, html: &mut Html) {
    let (class, sign, words) = known.map_or(("none", "", String::new()), Known::told);
    html.open("tr", &[("class", class)]).element("th", &[("scope", "row")], &number.to_string());
    html.open("td", &[("class", "state"), ("title", &words)]);
    if !sign.is_empty() {
        let ways = known.map_or(0, |known| known.ways.len());
        let taken = known.map_or(0, |known| known.ways(|way| way.tests > 0));
        let seen = if ways == 0 { sign.to_owned() } else { format!("{sign} {taken}/{ways}") };
        html.element("span", &[("aria-hidden", "true")], &seen).element(
            "span",
            &[("class", "hidden")],
            &words,
        );
    }
    html.close("td").open("td", &[]).element("code", &[], code).close("td").close("tr").line();
}
