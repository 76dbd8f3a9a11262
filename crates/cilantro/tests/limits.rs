//! What a run may use: a method that wants more than its part of the memory ends alone, steps bound the work of the solver as
//! well, and under a step limit the same files are written however many workers there are (`fixtures/hostile`).

#![allow(clippy::unwrap_used)] // a test may fail

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::{Options, Source, Toolchain};

fn hostile() -> &'static Path {
    static DLL: OnceLock<PathBuf> = OnceLock::new();
    DLL.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/hostile");
        let sources: Vec<Source> =
            testkit::csharp_files(&folder).unwrap().iter().map(|file| Source::file(file)).collect();
        testkit::compile("Hostile", &sources, &Options::default()).unwrap()
    })
}

fn generate(output: &Path, options: &[&str]) -> Value {
    let runtime = Toolchain::locate().unwrap().runtime_root().to_owned();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    command.arg("generate").arg(hostile()).arg("-o").arg(output).arg("--runtime").arg(runtime);
    command.args(["--format", "json", "--no-verify"]).args(options);
    let ended = command.stdin(Stdio::null()).output().unwrap();
    serde_json::from_slice(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ended.stderr)))
}

fn methods(summary: &Value) -> BTreeMap<String, &Value> {
    let methods = summary["methods"].as_array().unwrap().iter();
    methods.map(|method| (method["id"].as_str().unwrap().to_owned(), method)).collect()
}

/// The harmless methods are complete, and their tests were replayed.
fn assert_harmless_is_whole(summary: &Value) {
    let methods = methods(summary);
    let mut seen = 0;
    for (id, method) in methods.iter().filter(|(id, _)| id.starts_with("Hostile.Harmless::")) {
        assert_eq!(method["verdict"], "complete", "{id}: {}", method["incomplete"]);
        assert!(method["replay"]["passed"].as_u64().unwrap() >= 2, "{id}");
        assert_eq!(method["replay"]["skipped"], 0, "{id}");
        seen += 1;
    }
    assert_eq!(seen, 4);
}

#[test]
fn a_hungry_method_ends_alone() {
    let output = tempfile::TempDir::new().unwrap();
    let summary =
        generate(output.path(), &["--max-memory", "700M", "--timeout", "60s", "--max-steps", "200000"]);
    assert_eq!(summary["stopped"], Value::Null, "the run was not ended early");
    assert_harmless_is_whole(&summary);
    assert_eq!(methods(&summary).len(), 17);
}

#[test]
fn steps_bound_the_work_of_the_solver() {
    let output = tempfile::TempDir::new().unwrap();
    let started = Instant::now();
    let summary =
        generate(output.path(), &["--type", "Hostile.Hard", "--timeout", "10m", "--max-steps", "500"]);
    // Without the bound, each of these goes on until its time is up.
    assert!(started.elapsed() < Duration::from_secs(200), "{:?}", started.elapsed());
    assert_eq!(summary["stopped"], Value::Null);
    for (id, method) in methods(&summary) {
        for incomplete in method["incomplete"].as_array().unwrap() {
            assert_ne!(incomplete["reason"], "timeout", "{id}");
        }
    }
}

#[test]
fn the_same_files_are_written_by_one_worker_and_by_two() {
    let written = |jobs: &str| {
        let output = tempfile::TempDir::new().unwrap();
        let types = ["--type", "Hostile.Harmless", "--type", "Hostile.Hungry"];
        let limits = [&types[..], &["--max-steps", "500", "--timeout", "10m", "--jobs", jobs]].concat();
        generate(output.path(), &limits);
        let mut files = BTreeMap::new();
        collect(output.path(), output.path(), &mut files);
        files
    };
    let (one, two) = (written("1"), written("2"));
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    for (name, text) in &one {
        assert!(two.get(name) == Some(text), "{} differs", name.display());
    }
    assert!(one.len() >= 3, "{:?}", one.keys());
}

fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.file_name().is_some_and(|name| name != "summary.json") {
            // The summary has times in it.
            files.insert(path.strip_prefix(root).unwrap().to_owned(), std::fs::read(&path).unwrap());
        }
    }
}
