//! Every method with its verdict, and what its proofs about loops rest on.

use super::HtmlReport;
use super::bars::{Branches, bar};
use super::markup::Html;
use crate::summary::{LoopFacts, Method};
use crate::words::short_id;

pub fn write(report: &HtmlReport, html: &mut Html) {
    let methods = &report.summary.methods;
    // Only a script can filter, so only a script shows it.
    html.open("p", &[("class", "filter"), ("hidden", "")]).element(
        "label",
        &[("for", "filter")],
        "Show methods with ",
    );
    html.void("input", &[("id", "filter"), ("type", "search"), ("autocomplete", "off")]);
    html.open("output", &[("for", "filter")]).close("output").close("p").line();
    html.open(
        "div",
        &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Methods")],
    );
    html.open("table", &[("id", "method-table")]).element("caption", &[], "Branches by method");
    html.open("thead", &[]).open("tr", &[]);
    for head in [
        "Method",
        "Verdict",
        "Covered",
        "Proven",
        "Open",
        "Tests",
        "Exceptions",
        "Share",
        "Why it is not complete",
    ] {
        html.element("th", &[("scope", "col")], head);
    }
    html.close("tr").close("thead").open("tbody", &[]).line();
    methods.iter().for_each(|method| row(method, html));
    html.close("tbody").close("table").close("div").line();
}

fn row(method: &Method, html: &mut Html) {
    let branches = Branches::from(&method.coverage);
    html.open("tr", &[]).open("th", &[("scope", "row"), ("class", "name")]).text(&short_id(&method.id));
    if let Some(source) = &method.source {
        html.element("small", &[], &format!(" {source}"));
    }
    html.close("th").element("td", &[], method.verdict.name());
    let covered = format!("{} of {}", branches.covered, branches.all);
    html.element("td", &[("class", "number")], &covered);
    let bugs = method.bugs.len() as u64;
    for number in [branches.proven + branches.assuming, branches.open(), method.tests, bugs] {
        html.element("td", &[("class", "number")], &number.to_string());
    }
    html.open("td", &[]);
    bar(branches, html);
    html.close("td").open("td", &[]);
    if !(method.incomplete.is_empty() && method.assumptions.is_empty()) {
        html.open("ul", &[("class", "why")]);
        for gap in &method.incomplete {
            let at = gap.at.as_deref().map(|at| format!(" ({at})")).unwrap_or_default();
            html.open("li", &[]).element(
                "a",
                &[("href", &super::reasons::anchor(gap.reason))],
                gap.reason.name(),
            );
            html.text(&format!(": {}{at}", gap.detail)).close("li");
        }
        for assumed in &method.assumptions {
            let text = format!("assumes {}: {}", assumed.assumption.name(), assumed.detail);
            html.element("li", &[], &text);
        }
        html.close("ul");
    }
    html.close("td").close("tr").line();
}

/// The certificates: what holds in every round, as a checker of its own has accepted it.
pub fn loops(report: &HtmlReport, html: &mut Html) {
    let all: Vec<(&Method, &LoopFacts)> =
        report.summary.methods.iter().flat_map(|m| m.loops.iter().map(move |facts| (m, facts))).collect();
    if all.is_empty() {
        html.element("p", &[], "No answer rests on what is known about loops.");
        return;
    }
    html.element("p", &[], "At the head of each of these loops the facts hold at first and again after every round; a checker of its own has accepted each of them, and answers rest on them.");
    html.open("div", &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Loops")]);
    html.open("table", &[]).element("caption", &[], "Facts about loops").open("thead", &[]).open("tr", &[]);
    for head in ["Method under test", "Loop", "A round changes", "What always holds"] {
        html.element("th", &[("scope", "col")], head);
    }
    html.close("tr").close("thead").open("tbody", &[]).line();
    for (method, facts) in all {
        html.open("tr", &[]).element("th", &[("scope", "row"), ("class", "name")], &short_id(&method.id));
        let place = facts.source.as_ref().map(|source| format!(" ({source})")).unwrap_or_default();
        html.element("td", &[], &format!("{} {}{place}", short_id(&facts.method), facts.at));
        html.element("td", &[], &facts.changes.join(", ")).open("td", &[]).open("ul", &[]);
        for fact in &facts.facts {
            html.open("li", &[]).element("code", &[], fact).close("li");
        }
        html.close("ul").close("td").close("tr").line();
    }
    html.close("tbody").close("table").close("div").line();
}
