//! The published schemas of what is written as JSON: as the types are, and true of what is really written.

#![allow(clippy::unwrap_used)] // a test may fail

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// What a reader of the files can rely on.
fn schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>().to_value()
}

fn text(schema: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(schema).unwrap())
}

#[test]
fn they_are_as_the_types_are() {
    expect_file!["../../../docs/schemas/summary.json"].assert_eq(&text(&schema::<report::Summary>()));
    expect_file!["../../../docs/schemas/reach.json"].assert_eq(&text(&schema::<report::ReachReport>()));
    expect_file!["../../../docs/schemas/proof.json"].assert_eq(&text(&schema::<report::ProofReport>()));
    expect_file!["../../../docs/schemas/replay.json"].assert_eq(&text(&schema::<report::ReplayReport>()));
    expect_file!["../../../docs/schemas/baseline.json"].assert_eq(&text(&schema::<report::Baseline>()));
    expect_file!["../../../docs/schemas/config.json"].assert_eq(&text(&schema::<cilantro::config::Config>()));
    expect_file!["../../../docs/schemas/lines.json"].assert_eq(&text(&schema::<report::LinesFile>()));
    expect_file!["../../../docs/schemas/case.json"].assert_eq(&text(&schema::<case::CaseFile>()));
    expect_file!["../../../docs/schemas/paths.json"].assert_eq(&text(&schema::<case::path::PathFile>()));
}

/// Objects, mocks, statics, text, collections, exceptions and what is left out.
const SOURCE: &str = r#"
using System;
using System.Collections.Generic;

public interface IStore { int Load(string key); bool Has(out int count); }
public enum Color { Red = 1, Green }
public struct Point { public int X, Y; }
public class Node { public Node Next; public Color Color; public string Name = ""; public List<int> Items; }

public static class Work
{
    public static int Limit = 3;
    public static int Uses(IStore store) => store.Has(out var n) && n > 2 ? store.Load("a") : Limit;
    public static int Walks(Node node) => node.Next == node ? (int)node.Color : node.Items[0];
    public static double Adds(Point p, double d, char c) => c == 'x' ? d + p.X / p.Y : float.NaN;
    public static char First(string text) { Limit = text.Length; return text[0]; }
    public static int Spans(ReadOnlySpan<byte> bytes, int?[] numbers) => bytes[1] == 7 ? numbers[0].Value : 0;
    public static unsafe int Points(int* p) => *p;
    public static bool Dead(int x) => (x & 1) == 1 && (x & 1) == 0;
}
"#;

fn runtime() -> PathBuf {
    testkit::Toolchain::locate().unwrap().runtime_root().to_owned()
}

fn run(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cilantro"));
    let output = command.args(args).arg("--runtime").arg(runtime()).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn assert_valid<T: JsonSchema>(text: &str, what: &str) {
    let validator = jsonschema::validator_for(&schema::<T>()).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {errors:#?}");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn they_are_true_of_what_is_written() {
    let options = testkit::Options { allow_unsafe: true, ..testkit::Options::default() };
    let dll = testkit::compile("Work", &[("Work.cs", SOURCE)], &options).unwrap();
    let dll = dll.display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let (out, known) = (folder.path().join("T"), folder.path().join("known.json"));
    let (out_name, known_name) = (out.display().to_string(), known.display().to_string());
    let printed = run(&[
        "generate",
        &dll,
        "-o",
        &out_name,
        "--no-verify",
        "--format",
        "json",
        "--write-baseline",
        &known_name,
    ]);
    assert_valid::<report::Summary>(&printed, "printed");
    assert_valid::<report::Summary>(&fs::read_to_string(out.join("summary.json")).unwrap(), "summary.json");
    assert_valid::<report::Baseline>(&fs::read_to_string(known).unwrap(), "known.json");
    assert_valid::<report::LinesFile>(&fs::read_to_string(out.join("lines.json")).unwrap(), "lines.json");
    let cases = files(&out.join("cases"));
    assert!(!cases.is_empty());
    for file in cases {
        let text = fs::read_to_string(&file).unwrap();
        assert_valid::<case::CaseFile>(&text, &file.display().to_string());
        let damaged = text.replacen("\"expect\"", "\"expects\"", 1);
        let validator = jsonschema::validator_for(&schema::<case::CaseFile>()).unwrap();
        assert!(!validator.is_valid(&serde_json::from_str(&damaged).unwrap()), "a case without its outcome");
    }
    for file in files(&out.join("paths")) {
        let text = fs::read_to_string(&file).unwrap();
        assert_valid::<case::path::PathFile>(&text, &file.display().to_string());
    }
    assert_valid::<report::ReplayReport>(&run(&["replay", &out_name, "--format", "json"]), "replay");
    let questions = ["Work.Walks", "Work.cs:16", "exception NullReferenceException in Work.Walks"];
    let reach = [&["reach", dll.as_str(), "--format", "json"], &questions[..]].concat();
    assert_valid::<report::ReachReport>(&run(&reach), "reach");
    assert_valid::<report::ProofReport>(&run(&["prove", &dll, "--format", "json"]), "prove");
}
