//! The page for people: whole without a network, usable without a mouse or eyes, and closed to hostile names.

#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::{BTreeMap, BTreeSet};

use report::formats::Proof;
use report::{
    Excluded, HtmlReport, Incomplete, Input, LINES_SCHEMA, Line, LinesFile, LinesOf, LoopFacts, Method,
    Reason, SourceText, Summary, Way, render_html,
};
use roxmltree::{Document, Node};

/// Everything that would like to be markup.
const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&<!--]]>";

fn method(id: &str) -> Method {
    serde_json::from_str(&format!(
        r#"{{ "id": {id}, "token": "0x06000001", "source": null, "verdict": "incomplete", "incomplete": [],
        "coverage": {{ "instructions": 5, "covered_instructions": 5, "branches": 8, "covered_branches": 5,
            "proven_unreachable_branches": 1, "il_bytes": 9, "covered_il_bytes": 9 }},
        "tests": 7, "replay": {{"passed": 7, "failed": 0, "skipped": 0}},
        "bugs": [ {{ "exception": "System.Exception", "message": "", "at": "IL_0001", "source": null, "replayed": true, "test": "T" }},
            {{ "exception": "System.ArgumentException", "message": "", "at": null, "source": null, "replayed": true, "test": "U", "kind": "refused" }} ],
        "stats": {{"steps": 0, "states": 0, "queries": 0, "cache_hits": 0, "core_calls": 0, "solver_ms": 0, "elapsed_ms": 0}} }}"#,
        id = serde_json::Value::from(id)
    ))
    .unwrap()
}

fn report(word: &str) -> HtmlReport {
    let mut summary = Summary::new(format!("{word}.dll"));
    let mut method = method(&format!("Shop.{word}::Add(System.Int32)"));
    method.incomplete = vec![Incomplete { reason: Reason::NativeCall, detail: word.to_owned(), at: None }];
    method.loops = vec![LoopFacts {
        method: word.to_owned(),
        at: "IL_0001".to_owned(),
        source: None,
        changes: vec![word.to_owned()],
        facts: vec![format!("i <= {word}")],
    }];
    for bug in &mut method.bugs {
        bug.message = word.to_owned();
        bug.inputs = vec![Input { name: word.to_owned(), value: word.to_owned() }];
    }
    let key = (method.id.clone(), "T".to_owned());
    summary.excluded = vec![Excluded { cause: word.to_owned(), methods: 2 }];
    let line = |line, tests, branches: Vec<Way>| Line { line, tests, branches };
    let way = |tests, proof| Way { tests, proof };
    let lines = vec![
        line(1, 3, vec![way(2, Proof::Open), way(1, Proof::Open)]),
        line(2, 2, vec![way(1, Proof::Open), way(0, Proof::Unreachable)]),
        line(3, 1, vec![way(1, Proof::Open), way(0, Proof::Open)]),
        line(4, 0, Vec::new()),
    ];
    let lines = LinesOf { method: method.id.clone(), file: word.to_owned(), lines };
    summary.methods = vec![method];
    HtmlReport {
        summary,
        lines: Some(LinesFile { schema: LINES_SCHEMA.to_owned(), methods: vec![lines] }),
        tests: BTreeMap::from([(key, format!("[Fact]\n// {word}"))]),
        sources: vec![SourceText {
            name: word.to_owned(),
            text: Some(format!("{word}\ntwo\nthree\nfour\nfive")),
            has_changed: true,
        }],
    }
}

/// The page without what is no markup: its style and its script.
fn body(page: &str) -> String {
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let (middle, rest) = rest.rsplit_once("<script>").unwrap();
    let (_, after) = rest.split_once("</script>").unwrap();
    format!("{before}{middle}{after}").trim_start_matches("<!DOCTYPE html>\n").to_owned()
}

fn with<'a>(document: &'a Document<'_>, tag: &'static str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name(tag)).collect()
}

fn texts(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

#[test]
fn hostile_names_stay_text() {
    let page = render_html(&report(HOSTILE));
    assert_eq!((page.matches("<script").count(), page.matches("<img").count()), (1, 0));
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    let shown = texts(document.root_element());
    assert!(shown.matches(HOSTILE).count() >= 12, "{}", shown.matches(HOSTILE).count());
    let handlers =
        |node: &Node<'_, '_>| node.attributes().any(|attribute| attribute.name().starts_with("on"));
    assert!(!document.descendants().any(|node| handlers(&node)));
}

#[test]
fn it_needs_nothing_else() {
    let page = render_html(&report("Cart"));
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    for node in document.descendants() {
        assert!(!["link", "iframe", "img", "object", "base", "form"].contains(&node.tag_name().name()));
        assert!(node.attribute("src").is_none());
        assert!(node.attribute("href").is_none_or(|href| href.starts_with('#')));
    }
    assert!(
        !page.contains("http:")
            && !page.contains("https:")
            && !page.contains("url(")
            && !page.contains("@import")
    );
    let policy = with(&document, "meta")
        .into_iter()
        .find_map(|meta| meta.attribute("content").filter(|content| content.contains("default-src 'none'")));
    assert!(policy.unwrap().contains("script-src 'sha256-"));
}

#[test]
fn it_can_be_read_and_operated_by_everybody() {
    let page = render_html(&report("Cart"));
    let body = body(&page);
    let document = Document::parse(&body).unwrap();
    // Links lead somewhere, and ids are unique.
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let set: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(ids.len(), set.len());
    for link in with(&document, "a") {
        assert!(set.contains(link.attribute("href").unwrap().trim_start_matches('#')), "{link:?}");
    }
    assert_eq!(with(&document, "a").first().unwrap().attribute("class"), Some("skip"));
    // Headings go down one level at a time.
    let levels: Vec<u32> = document
        .descendants()
        .filter_map(|node| node.tag_name().name().strip_prefix('h')?.parse().ok())
        .collect();
    assert_eq!((levels.first(), levels.iter().filter(|level| **level == 1).count()), (Some(&1), 1));
    assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
    // Tables say what they are, and cells what they belong to.
    for table in with(&document, "table") {
        let first = table.children().find(Node::is_element).unwrap();
        assert!(first.has_tag_name("caption") && !texts(first).is_empty());
        assert!(
            table
                .descendants()
                .filter(|node| node.has_tag_name("th"))
                .all(|th| th.attribute("scope").is_some())
        );
    }
    for section in with(&document, "section") {
        assert!(set.contains(section.attribute("aria-labelledby").unwrap()));
    }
    // What is to be seen is also said: bars have their numbers beside them, lines their states in words.
    assert!(with(&document, "svg").iter().all(|svg| svg.attribute("aria-hidden") == Some("true")));
    let shown = texts(document.root_element());
    for words in [
        "3 tests; 2 of 2 branches taken",
        "2 tests; 1 of 2 branches taken, 1 proven unreachable",
        "1 test; 1 of 2 branches taken, 1 open",
        "no test gets here",
        "The file has changed since the assembly was built",
        "5 of 8",
        "native call",
        "What you can do",
        "i <= Cart",
        "2 methods left out by Cart.",
        "Refused by design",
    ] {
        assert!(shown.contains(words), "{words}");
    }
    for style in ["prefers-color-scheme: dark", "@media print", ":focus-visible"] {
        assert!(page.contains(style), "{style}");
    }
}

#[test]
fn nothing_at_all_is_a_page_too() {
    let (summary, tests) = (Summary::new("Empty.dll"), BTreeMap::new());
    let page = render_html(&HtmlReport { summary, lines: None, tests, sources: Vec::new() });
    Document::parse(&body(&page)).unwrap();
    assert!(page.contains("No crashes were found."));
}
