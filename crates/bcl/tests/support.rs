//! The support document in the repository is what its generator writes: complete in itself, sorted, about programs that
//! exist. (Measuring takes as long as the whole suite; `cargo xtask support` does it.)

#![allow(clippy::unwrap_used)]

#[path = "../examples/support/document.rs"]
mod document;

use std::path::{Path, PathBuf};

use document::{Document, Figures, Natives, TypeRow, render};

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
    for (program, _) in &document.failing {
        let source = root().join(format!("fixtures/run/{program}.cs"));
        assert!(source.is_file(), "{program} is gone: run `cargo xtask support`");
    }
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
    assert_eq!(parsed.natives, document.natives);
    assert_eq!(parsed.failing, document.failing);
}
