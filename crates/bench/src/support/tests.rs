//! The support document in the repository is what its generator writes, and is up to date as far as that can be seen
//! without measuring, which takes as long as the whole suite: it is about the programs that there are, names those that
//! are known not to agree, and lists the native calls that have no model today.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use testkit::FailingList;

use super::document::{Document, Figures, Natives, TypeRow, render};
use super::measure;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads a document back.
fn parse(text: &str) -> (Figures, Document) {
    let mut document = Document::default();
    let mut figures = Figures::default();
    let (mut section, mut assembly, mut namespace) = ("", "", "");
    for line in text.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let numbers: Vec<usize> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
        if let Some(name) = line.strip_prefix("## ") {
            section = name;
        } else if let Some(name) = line.strip_prefix("### ") {
            (namespace, assembly) =
                name.strip_suffix(')').and_then(|n| n.rsplit_once(" (")).unwrap_or(("", name));
        } else if let Some(runtime) = line.strip_prefix("Runtime: ") {
            document.framework = runtime.to_owned();
        } else if let Some(digest) = line.strip_prefix("Programs: sha256 ") {
            document.digest = digest.to_owned();
        } else if let ("", [programs, agreed, types, public, exercised]) = (section, &numbers[..]) {
            figures = Figures {
                programs: *programs,
                agreed: *agreed,
                types: *types,
                public: *public,
                exercised: *exercised,
            };
            document.programs = *programs;
        } else if let ("Programs that do not agree", Some(item)) = (section, line.strip_prefix("* ")) {
            let (program, why) = item.split_once(": ").unwrap();
            document.failing.push((program.to_owned(), why.to_owned()));
        } else if let ("Types", [public, exercised]) = (section, &numbers[..]) {
            let (assembly, namespace) = (assembly.to_owned(), namespace.replace("no namespace", ""));
            let (name, public, exercised) = (cells[0].to_owned(), *public, *exercised);
            document.types.push(TypeRow { assembly, namespace, name, exercised, public });
        } else if let ("Native calls without a model", Some(item)) = (section, line.strip_prefix("* ")) {
            let (class, names) = item.split_once(": ").unwrap();
            let (class, _) = class.rsplit_once(" (").unwrap();
            let names = names.split(", ").map(str::to_owned).collect();
            document.natives.push(Natives { assembly: assembly.to_owned(), class: class.to_owned(), names });
        }
    }
    (figures, document)
}

#[test]
fn the_document_is_whole() {
    let text = std::fs::read_to_string(root().join("docs/support.md")).unwrap();
    let (figures, document) = parse(&text);
    assert_eq!(document.figures(), figures, "the first table is the sum of the others");
    assert!(figures.agreed > 150 && figures.exercised > 3000, "{figures:?}");
    assert!(document.framework.starts_with("Microsoft.NETCore.App 10."), "{}", document.framework);
    let mut sorted = document.clone();
    sorted.sort();
    assert_eq!(sorted.failing, document.failing);
    assert_eq!(sorted.natives, document.natives);
}

#[test]
fn the_document_is_about_the_programs_that_there_are() {
    let text = std::fs::read_to_string(root().join("docs/support.md")).unwrap();
    let (figures, document) = parse(&text);
    let programs = measure::programs().unwrap();
    assert_eq!(figures.programs, programs.len(), "{STALE}");
    assert_eq!(document.digest, measure::digest(&programs).unwrap(), "{STALE}");

    let mut known = Document::default();
    let topics: BTreeSet<&str> = programs.iter().map(|program| program.topic.as_str()).collect();
    for topic in topics {
        let same = programs.iter().filter(|program| program.topic == topic);
        let titles: Vec<String> = same.map(|program| program.title.clone()).collect();
        let list = root().join("fixtures/run").join(topic).join("failing.txt");
        let list = FailingList::read(&list, &titles).unwrap();
        let failing =
            titles.iter().filter_map(|title| Some((format!("{topic}/{title}"), list.why(title)?.to_owned())));
        known.failing.extend(failing);
    }
    known.programs = known.failing.len();
    known.sort();
    let section = |text: &str| section(text, "## Programs that do not agree").to_owned();
    assert_eq!(section(&text), section(&render(&known)), "{STALE}");
}

#[test]
fn the_document_lists_the_native_calls_without_a_model() {
    let text = std::fs::read_to_string(root().join("docs/support.md")).unwrap();
    let framework = measure::framework().unwrap();
    let now = measure::count(&framework, &BTreeSet::new()).unwrap();
    let wanted = parse(&text).1.framework;
    let same = (now.framework == wanted).then_some(());
    if testkit::found_or_skip(&format!("{wanted}, which docs/support.md is about,"), same).is_none() {
        return;
    }
    let section = |text: &str| section(text, "## Native calls without a model").to_owned();
    assert_eq!(section(&text), section(&render(&now)), "{STALE}");
}

const STALE: &str = "docs/support.md is out of date: run `cargo xtask support`";

/// What stands between a heading and the next of its kind.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, after) = text.split_once(&format!("\n{heading}\n")).unwrap();
    after.split("\n## ").next().unwrap().trim()
}

#[test]
fn the_order_of_measuring_does_not_show() {
    let row = |assembly: &str, name: &str, exercised| TypeRow {
        assembly: assembly.into(),
        namespace: "N".into(),
        name: name.into(),
        exercised,
        public: 5,
    };
    let natives = |class: &str| Natives {
        assembly: "A".into(),
        class: class.into(),
        names: vec!["One".into(), "Two".into()],
    };
    let mut document = Document {
        framework: "Microsoft.NETCore.App 10.0.0".into(),
        programs: 7,
        digest: "01ab".into(),
        failing: vec![("b/B".into(), "native call X".into()), ("a/A".into(), "differs".into())],
        types: vec![row("B", "N.T", 3), row("A", "N.U<T>", 2), row("A", "N.S", 0)],
        natives: vec![natives("Q"), natives("P")],
    };
    document.sort();
    let text = render(&document);
    document.types.reverse();
    document.natives.reverse();
    document.failing.reverse();
    document.sort();
    assert_eq!(render(&document), text);
    let (figures, parsed) = parse(&text);
    assert_eq!(figures, document.figures());
    assert_eq!((figures.agreed, figures.types, figures.exercised, figures.public), (5, 2, 5, 10));
    assert_eq!((parsed.framework, parsed.digest), (document.framework, document.digest));
    assert_eq!(parsed.natives, document.natives);
    assert_eq!(parsed.failing, document.failing);
}
