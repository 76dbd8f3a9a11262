//! The fixtures compile, and the real runtime agrees with what their comments claim.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use testkit::{Options, Source, Target};

/// Exceptions that arguments chosen at random do not find.
const HIDDEN: [&str; 1] = ["Mixing::SplitMix InvalidOperationException"];

#[test]
fn the_runtime_agrees_with_the_expectations() {
    let files = sources("fixtures/explore");
    let mut claims = BTreeMap::new();
    let mut skipped = Vec::new();
    for file in &files {
        for expectation in testkit::expectations(file).unwrap() {
            if expectation.unbounded {
                skipped.push(expectation.method);
            } else if let Some(bugs) = expectation.bugs {
                let bugs: BTreeSet<String> = bugs.into_iter().collect();
                assert_eq!(claims.insert(expectation.method.clone(), bugs), None, "{}", expectation.method);
            }
        }
    }
    assert!(claims.len() > 150, "{}", claims.len());

    let library = testkit::compile("Explore", &texts(&files), &Options::default()).unwrap();
    let options = Options { target: Target::Exe, ..Options::default() };
    let probe = Path::new(env!("CARGO_MANIFEST_DIR")).join("csharp/Probe.cs");
    let probe = testkit::compile("Probe", &[probe.as_path()], &options).unwrap();
    let mut arguments = vec![library.to_str().unwrap()];
    arguments.extend(skipped.iter().map(String::as_str));
    let finished = testkit::run_dotnet(&probe, &arguments).unwrap();
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);

    // Overloads have one entry.
    let mut outcomes: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for line in finished.stdout.lines() {
        let (method, seen) = line.split_once(' ').unwrap();
        let seen = seen.split(',').filter(|name| !name.is_empty()).map(str::to_owned);
        outcomes.entry(method).or_default().extend(seen);
    }
    let mut differences = Vec::new();
    for (method, seen) in outcomes {
        let Some(claimed) = claims.get(method) else { continue };
        for name in claimed.symmetric_difference(&seen) {
            let difference = format!("{method} {name}");
            if !HIDDEN.contains(&difference.as_str()) {
                differences.push(format!("{difference}: claimed {claimed:?}, seen {seen:?}"));
            }
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

#[test]
fn the_example_library_compiles_without_warnings() {
    let arguments = vec!["-warnaserror".to_owned()];
    let options = Options { nullable: true, arguments, ..Options::default() };
    testkit::compile("Shop", &texts(&sources("examples/Shop")), &options).unwrap();
}

fn sources(folder: &str) -> Vec<PathBuf> {
    testkit::csharp_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder))
        .unwrap_or_default()
}

fn texts(files: &[PathBuf]) -> Vec<Source> {
    files.iter().map(Source::from).collect()
}
