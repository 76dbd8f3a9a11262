//! The first thing that a reader sees: figures, and a bar for each type.

use std::collections::BTreeMap;

use super::bars::{Branches, bar};
use super::markup::Html;
use super::{HtmlReport, type_of};
use crate::findings::crashes;
use crate::summary::{Method, Summary};
use crate::words::{count, duration};

pub fn subtitle(summary: &Summary) -> String {
    let runtime =
        summary.runtime.as_ref().map(|runtime| format!("on {} {}, ", runtime.name, runtime.version));
    let stopped = summary.stopped.map(|reason| format!("; the run ended early: {}", reason.name()));
    let (runtime, stopped) = (runtime.unwrap_or_default(), stopped.unwrap_or_default());
    format!("{runtime}explored in {}{stopped}", duration(summary.elapsed_ms))
}

pub fn write(report: &HtmlReport, html: &mut Html) {
    let summary = &report.summary;
    let totals = summary.totals();
    let mut branches = Branches::default();
    summary.methods.iter().for_each(|method| branches.add(&method.coverage));
    html.open("dl", &[("class", "figures")]);
    let figure = |html: &mut Html, name: &str, value: String| {
        html.open("div", &[]).element("dt", &[], name).element("dd", &[], &value).close("div");
    };
    figure(html, "Crashes", crashes(summary).len().to_string());
    figure(html, "Branches covered", format!("{} of {}", branches.covered, branches.all));
    figure(html, "Proven unreachable", branches.proven.to_string());
    if branches.assuming > 0 {
        figure(html, "Proven under assumptions", branches.assuming.to_string());
    }
    figure(html, "Open", branches.open().to_string());
    figure(html, "Methods complete", format!("{} of {}", totals.complete, totals.methods));
    figure(html, "Tests", totals.tests.to_string());
    html.close("dl").line();
    legend(html);
    for excluded in &summary.excluded {
        let text = format!("{} left out by {}.", count(excluded.methods, "method"), excluded.cause);
        html.element("p", &[], &text);
    }
    if let Some(zone) = &summary.zone {
        let text = format!(
            "With the code that no test calls by itself, {} of {} branches are covered.",
            zone.covered_branches, zone.branches
        );
        html.element("p", &[], &text);
    }
    types(summary, html);
}

fn legend(html: &mut Html) {
    html.open("ul", &[("class", "legend"), ("aria-label", "Colours of the bars")]);
    for (class, text) in [
        ("covered", "covered: a test takes it, on the real runtime"),
        ("proven", "proven: no input takes it"),
        ("assuming", "proven under assumptions"),
        ("open", "open"),
    ] {
        html.open("li", &[]).element(
            "span",
            &[("class", &format!("swatch {class}")), ("aria-hidden", "true")],
            "",
        );
        html.text(text).close("li");
    }
    html.close("ul").line();
}

fn types(summary: &Summary, html: &mut Html) {
    let mut by_type: BTreeMap<&str, Vec<&Method>> = BTreeMap::new();
    for method in &summary.methods {
        by_type.entry(type_of(&method.id)).or_default().push(method);
    }
    html.open("div", &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Types")]);
    html.open("table", &[]).element("caption", &[], "Branches by type");
    html.open("thead", &[]).open("tr", &[]);
    for head in ["Type", "Methods", "Branches", "Covered", "Proven", "Open", "Tests", "Share"] {
        html.element("th", &[("scope", "col")], head);
    }
    html.close("tr").close("thead").open("tbody", &[]).line();
    for (ty, methods) in by_type {
        let mut branches = Branches::default();
        methods.iter().for_each(|method| branches.add(&method.coverage));
        let tests: u64 = methods.iter().map(|method| method.tests).sum();
        html.open("tr", &[]).element("th", &[("scope", "row"), ("class", "name")], ty);
        let proven = branches.proven + branches.assuming;
        for number in [methods.len() as u64, branches.all, branches.covered, proven, branches.open(), tests] {
            html.element("td", &[("class", "number")], &number.to_string());
        }
        html.open("td", &[]);
        bar(branches, html);
        html.close("td").close("tr").line();
    }
    html.close("tbody").close("table").close("div").line();
}
