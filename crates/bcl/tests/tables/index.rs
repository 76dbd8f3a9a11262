//! The tables as a document.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bcl::{Bodies, Line, Overloads, When};

use crate::survey::{Found, Survey};

const HEAD: &str = "\
# Models

Methods of the class library that are not interpreted from their CIL, and the module of `crates/bcl/src` that stands for each.
Everything else is interpreted, or ends a path with its name if it has no CIL.
`cargo xtask models` writes this file from the tables of models and the class libraries of the toolchain.

A line is for all overloads of a name unless it shows parameters, and *native* ones are for the overloads without CIL only.
Runtimes are those on which it is found in the tests; models for .NET 10 are taken for .NET 5 to 9 as well.

| when | |
|---|---|
| always | |
| exploring | over all inputs: terms in the place of loops |
| alone | one method, whether over all inputs or with known ones |
| text is made | programs, and paths that are run once more with known inputs |
| programs | `cilantro run` |
| without a body | methods that have no CIL in this class library |
";

pub fn render(survey: &Survey) -> String {
    let mut text = HEAD.to_owned();
    section(&mut text, survey, "Public members", |found| found.is_some_and(|found| found.is_public));
    section(&mut text, survey, "Members of the class library's own", |found| {
        found.is_none_or(|found| !found.is_public)
    });
    text
}

fn section(text: &mut String, survey: &Survey, title: &str, belongs: fn(Option<&Found>) -> bool) {
    let mut namespaces: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (line, found) in survey.lines().filter(|(_, found)| belongs(*found)) {
        let (namespace, name) = split(line.entry.owner);
        namespaces.entry(namespace).or_default().push(row(&line, name, found));
    }
    let _ = writeln!(text, "\n## {title}");
    for (namespace, mut rows) in namespaces {
        rows.sort();
        rows.dedup();
        let namespace = if namespace.is_empty() { "No namespace" } else { namespace };
        let _ =
            writeln!(text, "\n### {namespace}\n\n| member | module | runtimes | when |\n|---|---|---|---|");
        *text += &rows.concat();
    }
}

fn row(line: &Line, owner: &str, found: Option<&Found>) -> String {
    let entry = line.entry;
    // Compilers number the native part of a method.
    let name = entry.name.trim_end_matches('|').trim_start_matches('<').replace(">g____PInvoke", "");
    let overloads = match entry.overloads {
        Overloads::All => String::new(),
        Overloads::One(parameters) => format!("({})", short(parameters)),
        Overloads::Others => " (other overloads)".to_owned(),
    };
    let native = if entry.bodies == Bodies::Native { ", native" } else { "" };
    let module = if line.has_model() { line.group.module } else { "interpreted" };
    let runtimes = match (found, entry.unseen) {
        (Some(found), _) => found.runtimes.join(", "),
        (None, unseen) => unseen.unwrap_or_default().to_owned(),
    };
    let when = match line.group.when {
        When::Always => "always",
        When::Bodiless => "without a body",
        When::Exploring => "exploring",
        When::Alone => "alone",
        When::TextIsMade => "text is made",
        When::Programs => "programs",
    };
    format!("| `{owner}.{name}{overloads}`{native} | {module} | {runtimes} | {when} |\n")
}

fn split(owner: &str) -> (&str, &str) {
    let end = owner.find(['+', '`']).unwrap_or(owner.len());
    owner
        .get(..end)
        .and_then(|head| head.rfind('.'))
        .map_or(("", owner), |dot| (&owner[..dot], &owner[dot + 1..]))
}

/// `System.Int32,System.String` → `Int32, String`.
fn short(parameters: &str) -> String {
    let names = parameters.split(',').map(|name| {
        let start = name.rfind(['.', '[']).map_or(0, |dot| dot + 1);
        &name[start..]
    });
    names.collect::<Vec<_>>().join(", ")
}
