//! What leaves methods: crashes at length with their inputs and tests, the rest as tables.

use super::HtmlReport;
use super::markup::Html;
use crate::findings::{Found, Group, crashes, rest};
use crate::summary::{Bug, Construction};
use crate::words::short_id;

pub fn write(report: &HtmlReport, html: &mut Html) {
    let groups = crashes(&report.summary);
    if groups.is_empty() {
        html.element("p", &[], "No crashes were found.");
    }
    for group in &groups {
        crash(report, group, html);
    }
    for rest in rest(&report.summary).into_iter().filter(|rest| !rest.found.is_empty()) {
        others(rest.heading, &rest.found, html);
    }
}

fn crash(report: &HtmlReport, group: &Group<'_>, html: &mut Html) {
    let (method, bug) = group.example;
    html.open("article", &[("class", "finding")]);
    html.open("h3", &[]).element("code", &[], &bug.exception).text(" in ");
    html.element("code", &[], &short_id(group.method())).close("h3").line();
    if !bug.replayed {
        html.element("p", &[], "The real runtime has not confirmed it.");
    }
    html.open("dl", &[]);
    let entry = |html: &mut Html, name: &str, value: &str| {
        html.element("dt", &[], name).element("dd", &[], value);
    };
    if let Some(place) = group.place() {
        entry(html, "At", &place);
    }
    if !bug.message.is_empty() {
        entry(html, "Message", &bug.message);
    }
    entry(html, "Call", &short_id(&method.id));
    let callers = group.callers();
    if !callers.is_empty() {
        entry(html, "Also by", &callers.join(", "));
    }
    html.close("dl").line();
    inputs(bug, html);
    test(report, (&method.id, bug), html);
    html.close("article").line();
}

fn inputs(bug: &Bug, html: &mut Html) {
    if bug.inputs.is_empty() {
        return;
    }
    html.open("div", &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Inputs")]);
    html.open("table", &[]).element("caption", &[], "Inputs").open("tbody", &[]);
    for input in &bug.inputs {
        html.open("tr", &[]).element("th", &[("scope", "row")], &input.name);
        html.open("td", &[]).element("code", &[], &input.value).close("td").close("tr");
    }
    html.close("tbody").close("table").close("div").line();
}

fn test(report: &HtmlReport, (method, bug): (&str, &Bug), html: &mut Html) {
    match report.tests.get(&(method.to_owned(), bug.test.clone())) {
        Some(text) => {
            html.open("details", &[("open", "")]).open("summary", &[]).text("The test ");
            html.element("code", &[], &bug.test).close("summary");
            html.open("pre", &[("tabindex", "0")])
                .element("code", &[], text)
                .close("pre")
                .close("details")
                .line();
        }
        None if !bug.test.is_empty() => {
            html.open("p", &[])
                .text("The test is called ")
                .element("code", &[], &bug.test)
                .text(".")
                .close("p");
        }
        None => {}
    }
}

fn others(heading: &'static str, found: &[Found<'_>], html: &mut Html) {
    html.open("details", &[]).open("summary", &[]).element("h3", &[], heading);
    html.text(&format!(" ({})", found.len())).close("summary");
    html.open("div", &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", heading)]);
    html.open("table", &[]).element("caption", &[], heading).open("thead", &[]).open("tr", &[]);
    for head in ["Method", "Exception", "At", "Inputs", "Remarks"] {
        html.element("th", &[("scope", "col")], head);
    }
    html.close("tr").close("thead").open("tbody", &[]).line();
    for (method, bug) in found {
        html.open("tr", &[]).element("th", &[("scope", "row"), ("class", "name")], &short_id(&method.id));
        html.element("td", &[], &bug.exception);
        let place = bug.source.as_ref().map(ToString::to_string).or_else(|| bug.at.clone());
        html.element("td", &[], &place.unwrap_or_default());
        let inputs = bug.inputs.iter().map(|input| format!("{} = {}", input.name, input.value));
        html.element("td", &[], &inputs.collect::<Vec<_>>().join("\n"));
        html.element("td", &[], &remarks(bug)).close("tr").line();
    }
    html.close("tbody").close("table").close("div").close("details").line();
}

fn remarks(bug: &Bug) -> String {
    let mut remarks = bug.breaks.clone();
    if bug.construction == Construction::Reflection && bug.breaks.is_empty() {
        remarks.push("no public way to this input is known".to_owned());
    }
    if !bug.replayed {
        remarks.push("not confirmed on the real runtime".to_owned());
    }
    remarks.join("; ")
}
