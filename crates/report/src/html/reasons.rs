//! Why answers are not the whole answer, in plain words: once for each reason that the run met.

use std::collections::BTreeMap;

use verdict::{Assumption, Explanation, Reason};

use super::HtmlReport;
use super::markup::Html;
use crate::words::{count, short_id};

/// Methods that are named for a reason; the table above has all of them.
const NAMED: usize = 12;

/// Where a reason is explained.
pub fn anchor(reason: Reason) -> String {
    format!("#{}", id(reason))
}

fn id(reason: Reason) -> String {
    format!("reason-{}", reason.name().replace(' ', "-"))
}

pub fn write(report: &HtmlReport, html: &mut Html) {
    let mut by_reason: BTreeMap<Reason, Vec<&str>> = BTreeMap::new();
    let mut by_assumption: BTreeMap<Assumption, Vec<&str>> = BTreeMap::new();
    for method in &report.summary.methods {
        for gap in &method.incomplete {
            note(by_reason.entry(gap.reason).or_default(), &method.id);
        }
        for assumed in &method.assumptions {
            note(by_assumption.entry(assumed.assumption).or_default(), &method.id);
        }
    }
    if by_reason.is_empty() && by_assumption.is_empty() {
        html.element("p", &[], "Nothing: every path of every method was followed to its end.");
    }
    for (reason, methods) in by_reason {
        let Explanation { meaning, why, what_to_do } = reason.explanation();
        html.open("article", &[("id", &id(reason))]).element("h3", &[], reason.name());
        html.element("p", &[], reason.sentence()).element("p", &[], meaning).element("p", &[], why);
        html.element("h4", &[], "What you can do").open("ul", &[]);
        what_to_do.iter().for_each(|advice| {
            html.element("li", &[], advice);
        });
        html.close("ul");
        named(&methods, html);
        html.close("article").line();
    }
    for (assumption, methods) in by_assumption {
        html.open("article", &[]).element("h3", &[], &format!("Assumed: {}", assumption.name()));
        html.element("p", &[], assumption.sentence());
        let advice = format!(
            "If you know that it holds wherever your program runs, say so: --assume {}.",
            assumption.name()
        );
        html.element("p", &[], &advice);
        named(&methods, html);
        html.close("article").line();
    }
}

fn note<'a>(methods: &mut Vec<&'a str>, id: &'a str) {
    if methods.last() != Some(&id) {
        methods.push(id);
    }
}

fn named(methods: &[&str], html: &mut Html) {
    html.element("h4", &[], &count(methods.len() as u64, "method")).open("ul", &[("class", "names")]);
    for id in methods.iter().take(NAMED) {
        html.open("li", &[]).element("code", &[], &short_id(id)).close("li");
    }
    if let Some(more) = methods.len().checked_sub(NAMED).filter(|more| *more > 0) {
        html.element("li", &[], &format!("and {more} more"));
    }
    html.close("ul");
}
