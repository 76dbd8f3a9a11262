//! Cobertura: coverage that CI servers read. Hits are numbers of tests.

use std::collections::BTreeMap;

use super::coverage::{CodeCoverage, LineHits, MethodLines, Share, merged, shares};
use super::uri;
use super::xml::Xml;

pub fn cobertura(coverage: &CodeCoverage) -> String {
    let files = coverage.by(|method| method.file.as_str());
    let (mut lines, mut ways) = (Share::default(), Share::default());
    for methods in files.values() {
        let (of_lines, of_ways) = shares(merged(methods.iter().copied()).values());
        lines.add(of_lines);
        ways.add(of_ways);
    }
    let mut xml = Xml::new();
    let rates = [lines.rate(), ways.rate()];
    let counts = [lines.covered, lines.all, ways.covered, ways.all].map(|count| count.to_string());
    let [line_rate, branch_rate] = rates.each_ref().map(String::as_str);
    let [lines_covered, lines_valid, branches_covered, branches_valid] =
        counts.each_ref().map(String::as_str);
    xml.begin(
        "coverage",
        &[
            ("line-rate", line_rate),
            ("branch-rate", branch_rate),
            ("lines-covered", lines_covered),
            ("lines-valid", lines_valid),
            ("branches-covered", branches_covered),
            ("branches-valid", branches_valid),
            ("complexity", "0"),
            ("version", "1.9"),
            // The same run gives the same file.
            ("timestamp", "0"),
        ],
    );
    xml.begin("sources", &[]);
    xml.text("source", &[], coverage.root.as_deref().unwrap_or("."));
    xml.end();
    xml.begin("packages", &[]);
    let attributes = [
        ("name", coverage.assembly.as_str()),
        ("line-rate", line_rate),
        ("branch-rate", branch_rate),
        ("complexity", "0"),
    ];
    xml.begin("package", &attributes);
    xml.begin("classes", &[]);
    for ((class, file), methods) in coverage.by(|method| (type_of(&method.id), method.file.as_str())) {
        write_class(class, file, &methods, &mut xml);
    }
    xml.finish()
}

fn type_of(id: &str) -> &str {
    id.split_once("::").map_or(id, |(class, _)| class)
}

fn write_class(class: &str, file: &str, methods: &[&MethodLines], xml: &mut Xml) {
    let all = merged(methods.iter().copied());
    let (path, _) = uri::parts(file);
    with_rates("class", &[("name", class), ("filename", &path)], &all, xml);
    xml.begin("methods", &[]);
    for method in methods {
        let member = method.id.split_once("::").map_or(method.id.as_str(), |(_, member)| member);
        let (name, signature) = member.split_at(member.find('(').unwrap_or(member.len()));
        with_rates("method", &[("name", name), ("signature", signature)], &method.lines, xml);
        write_lines(&method.lines, xml);
        xml.end();
    }
    xml.end();
    write_lines(&all, xml);
    xml.end();
}

fn with_rates(
    name: &'static str,
    attributes: &[(&str, &str)],
    lines: &BTreeMap<u32, LineHits>,
    xml: &mut Xml,
) {
    let (of_lines, of_ways) = shares(lines.values());
    let (line_rate, branch_rate) = (of_lines.rate(), of_ways.rate());
    let rates = [("line-rate", line_rate.as_str()), ("branch-rate", &branch_rate), ("complexity", "0")];
    xml.begin(name, &[attributes, &rates].concat());
}

fn write_lines(lines: &BTreeMap<u32, LineHits>, xml: &mut Xml) {
    xml.begin("lines", &[]);
    for (number, line) in lines {
        let (number, hits) = (number.to_string(), line.tests.to_string());
        let own = [("number", number.as_str()), ("hits", hits.as_str())];
        let ways = line.ways();
        if ways.all == 0 {
            xml.empty("line", &[&own[..], &[("branch", "false")]].concat());
            continue;
        }
        let said = condition(ways);
        xml.begin("line", &[&own[..], &[("branch", "true"), ("condition-coverage", &said)]].concat());
        xml.begin("conditions", &[]);
        for (index, jump) in line.jumps.iter().enumerate() {
            let covered = jump.ways.iter().filter(|tests| **tests > 0).count() as u64;
            let percent = percent(Share { covered, all: jump.ways.len() as u64 });
            let kind = if jump.ways.len() > 2 { "switch" } else { "jump" };
            let index = index.to_string();
            xml.empty("condition", &[("number", &index), ("type", kind), ("coverage", &percent)]);
        }
        xml.end();
        xml.end();
    }
    xml.end();
}

/// `50% (1/2)`
fn condition(ways: Share) -> String {
    format!("{} ({}/{})", percent(ways), ways.covered, ways.all)
}

fn percent(share: Share) -> String {
    format!("{}%", share.covered * 100 / share.all.max(1))
}
