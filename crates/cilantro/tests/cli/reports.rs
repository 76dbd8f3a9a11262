//! Results where people look: formats of other programs, on real runs.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::library::shop;
use crate::program::{Ended, ask, cilantro};

const FORMATS: [&str; 7] = ["text", "json", "sarif", "github", "gitlab", "junit", "markdown"];

/// Runs a command once and writes every format; says how it ended.
fn written(command: &str, of: &Path, options: &[&str], folder: &Path) -> Ended {
    let reports: Vec<String> = FORMATS
        .iter()
        .flat_map(|format| ["--report".to_owned(), format!("{format}={}", folder.join(format).display())])
        .collect();
    let reports: Vec<&str> = reports.iter().map(String::as_str).collect();
    ask(command, of, &[options, &reports].concat())
}

fn read(folder: &Path, format: &str) -> String {
    fs::read_to_string(folder.join(format)).unwrap()
}

/// The document, as its official schema wants it.
fn sarif(folder: &Path) -> Value {
    // One of its patterns has a bracket that only JavaScript takes for itself.
    let schema = include_str!("../../../../fixtures/schemas/sarif-2.1.0.json");
    let schema = schema.replace("-[a-zA-Z]{2}]?$", r"-[a-zA-Z]{2}\\]?$");
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let document: Value = serde_json::from_str(&read(folder, "sarif")).unwrap();
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    document
}

fn results(folder: &Path) -> Vec<Value> {
    sarif(folder)["runs"][0]["results"].as_array().unwrap().clone()
}

/// `(tests, failures, skipped)`, which are as many as there are.
fn junit(folder: &Path) -> (usize, usize, usize) {
    let text = read(folder, "junit");
    let read = roxmltree::Document::parse(&text).unwrap();
    let count = |name: &str| read.descendants().filter(|node| node.has_tag_name(name)).count();
    let counts = (count("testcase"), count("failure"), count("skipped"));
    let told = |name: &str| read.root_element().attribute(name).unwrap().parse::<usize>().unwrap();
    assert_eq!((told("tests"), told("failures"), told("skipped")), counts);
    counts
}

#[test]
fn check_says_the_same_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--type", "Cart", "--type", "Point"];
    let ended = written("check", &shop(), &options, folder.path());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!(read(folder.path(), "text"), ended.stdout);
    let summary: report::Summary = serde_json::from_str(&read(folder.path(), "json")).unwrap();
    let crashes: usize = summary.methods.iter().map(|method| method.bugs.len()).sum();
    assert_eq!(crashes, 3);

    let results = results(folder.path());
    assert_eq!(results.len(), crashes);
    let zero =
        results.iter().find(|r| r["properties"]["exception"] == "System.DivideByZeroException").unwrap();
    assert_eq!((&zero["ruleId"], &zero["level"]), (&"crash".into(), &"error".into()));
    let place = &zero["locations"][0];
    assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "Cart.cs");
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 8);
    assert_eq!(place["logicalLocations"][0]["name"], "Share");
    assert_eq!(zero["properties"]["inputs"]["people"], "0");
    let steps = zero["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let said: Vec<&str> = steps.iter().map(|s| s["location"]["message"]["text"].as_str().unwrap()).collect();
    assert!(said.iter().any(|step| step.contains("people == 0")), "{said:?}");

    let github = read(folder.path(), "github");
    assert_eq!(github.lines().filter(|line| line.starts_with("::error file=Cart.cs,line=")).count(), crashes);
    let issues: Vec<Value> = serde_json::from_str(&read(folder.path(), "gitlab")).unwrap();
    assert_eq!(issues.len(), crashes);
    assert!(issues.iter().all(|issue| issue["location"]["path"] == "Cart.cs"), "{issues:?}");
    let (tests, failures, _) = junit(folder.path());
    assert_eq!((tests, failures), (summary.methods.len(), 2));
    let page = read(folder.path(), "markdown");
    assert!(
        page.contains("| ❌ crash | `DivideByZeroException in Shop.Cart::Share(Int32,Int32)` |"),
        "{page}"
    );
}

#[test]
fn what_is_printed_is_what_is_written() {
    let folder = tempfile::tempdir().unwrap();
    for format in FORMATS {
        let file = folder.path().join(format);
        let report = format!("{format}={}", file.display());
        let ended = ask("check", &shop(), &["--method", "Cart.Add", "--format", format, "--report", &report]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{format}");
        assert_eq!(ended.stdout, read(folder.path(), format), "{format}");
        assert!(!ended.stdout.is_empty() && ended.stdout.ends_with('\n'), "{format}");
    }
}

#[test]
fn generate_measures_lines_and_branches() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("T").display().to_string();
    let (cobertura, lcov) = (folder.path().join("c.xml"), folder.path().join("l.info"));
    let reports = [format!("cobertura={}", cobertura.display()), format!("lcov={}", lcov.display())];
    let options =
        ["--type", "Cart", "-o", &out, "--no-verify", "--report", &reports[0], "--report", &reports[1]];
    let ended = written("generate", &shop(), &options, folder.path());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let (tests, _, skipped) = junit(folder.path());
    let summary: report::Summary = serde_json::from_str(&read(folder.path(), "json")).unwrap();
    assert_eq!(tests as u64, summary.totals().methods + summary.totals().tests);
    assert_eq!(skipped, 0);
    sarif(folder.path());

    let text = fs::read_to_string(cobertura).unwrap();
    let read = roxmltree::Document::parse(&text).unwrap();
    let root = read.root_element();
    let (branches, covered) = (summary.totals().branches, summary.totals().covered);
    assert_eq!(root.attribute("branches-valid"), Some(branches.to_string().as_str()));
    assert_eq!(root.attribute("branches-covered"), Some(covered.to_string().as_str()));
    let class = read.descendants().find(|node| node.has_tag_name("class")).unwrap();
    assert_eq!((class.attribute("name"), class.attribute("filename")), (Some("Shop.Cart"), Some("Cart.cs")));
    let line = |number: &str| {
        let lines = class.children().find(|node| node.has_tag_name("lines")).unwrap();
        let line = lines.children().find(|node| node.attribute("number") == Some(number)).unwrap();
        (line.attribute("hits").unwrap().to_owned(), line.attribute("condition-coverage").map(str::to_owned))
    };
    // `count > 100 ? count : count + more`
    assert_eq!(line("6"), ("2".to_owned(), Some("100% (2/2)".to_owned())));
    // `if ((x & 3) == 3) return true;` is never true: covered as a line, half as a jump.
    assert_eq!(line("13").1, Some("50% (1/2)".to_owned()));

    let text = fs::read_to_string(lcov).unwrap();
    assert!(text.starts_with("TN:\nSF:Cart.cs\nFN:6,Shop.Cart::Add(System.Int32,System.Int32)\n"), "{text}");
    assert!(text.contains("\nDA:6,2\n"), "{text}");
    assert!(text.contains(&format!("\nBRF:{branches}\nBRH:{covered}\n")), "{text}");
    assert!(text.ends_with("end_of_record\n"), "{text}");
}

#[test]
fn questions_are_told_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let ended = written("prove", &shop(), &["Cart.Add", "Cart.Share"], folder.path());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(results(folder.path()).iter().all(|result| result["ruleId"] == "refuted"));
    assert_eq!(junit(folder.path()), (2, 1, 0));
    assert!(read(folder.path(), "markdown").contains("| `Shop.Cart::Add(Int32,Int32)` | ✅ proven |"));

    let ended = written("reach", &shop(), &["Cart.cs:12", "Cart.cs:14"], folder.path());
    assert_eq!(ended.code, Some(1), "{}{}", ended.stdout, ended.stderr);
    let reached = results(folder.path());
    assert_eq!(reached[0]["ruleId"], "reached");
    assert_eq!(reached[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 12);
    assert_eq!(junit(folder.path()).0, 2);
    assert!(read(folder.path(), "github").contains("title=Cart.cs%3A12 is reached::"));
}

#[test]
fn replay_is_told_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("Shop.Tests");
    let name = out.display().to_string();
    ask("generate", &shop(), &["--type", "Cart", "-o", &name, "--no-verify"]);
    let cases = out.join("cases/Shop.Cart.json");
    let text = fs::read_to_string(&cases).unwrap();
    fs::write(&cases, text.replace("System.DivideByZeroException", "System.IO.IOException")).unwrap();
    let ended = written("replay", &out, &[], folder.path());
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let results = results(folder.path());
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["ruleId"], "not-replayed");
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "Cart.cs");
    assert_eq!(place["region"]["startLine"], 8);
    let (tests, failures, skipped) = junit(folder.path());
    assert!(tests > 3 && (failures, skipped) == (1, 0), "{tests} {failures} {skipped}");
}

#[test]
fn files_are_named_from_the_root_of_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("tree");
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(root.join("src/Cart.cs"), "").unwrap();
    let path_of = |root: &Path| -> String {
        let root = root.display().to_string();
        let ended = ask("check", &library_of("src"), &["--source-root", &root, "--format", "gitlab"]);
        let issues: Vec<Value> = serde_json::from_str(&ended.stdout).unwrap();
        issues[0]["location"]["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(path_of(&root), "src/Cart.cs");
    assert_eq!(path_of(&root.join("src")), "Cart.cs");
}

/// A library that was built from a file in this folder of a deterministic build.
fn library_of(folder: &str) -> PathBuf {
    let source = format!(
        "#line 1 \"/_/{folder}/Cart.cs\"
        public static class Cart {{ public static int Share(int a, int b) => a / b; }}"
    );
    testkit::compile("Rooted", &[("Rooted.cs", source.as_str())], &testkit::Options::default()).unwrap()
}

#[test]
fn what_cannot_be_written_is_said_before_any_work() {
    let dll = shop();
    let refused = |options: &[&str], words: &str| {
        let ended = ask("check", &dll, options);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(words), "{}", ended.stderr);
    };
    refused(&["--report", "sarif"], "FORMAT=FILE");
    refused(&["--report", "sarif="], "FORMAT=FILE");
    refused(&["--report", "pdf=x"], "there is no format `pdf`; there are text, json, sarif");
    refused(&["--report", "cobertura=x.xml"], "only `generate` measures");
    refused(&["--report", "sarif=no/such/folder/x"], "no/such/folder/x");
    refused(&["--source-root", "no/such/folder"], "the source root no/such/folder");
}

#[test]
fn a_word_is_explained() {
    for name in ["native call", "native_call", "Native-Call", "nativecall"] {
        let ended = cilantro(["explain", name]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        assert!(ended.stdout.starts_with("native call (`native_call` in JSON)\n"), "{}", ended.stdout);
        assert!(ended.stdout.contains("What you can do\n  * "), "{}", ended.stdout);
    }
    let list = cilantro(["explain"]);
    assert_eq!(list.code, Some(0));
    let words = verdict::Reason::ALL.iter().map(|r| r.name());
    for name in words.chain(verdict::Assumption::ALL.iter().map(|a| a.name())) {
        assert!(list.stdout.lines().any(|line| line.trim_start().starts_with(name)), "{name}");
        let ended = cilantro(["explain", name]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{name}");
        assert!(ended.stdout.starts_with(name), "{name}");
        assert!(ended.stdout.lines().all(|line| line.chars().count() <= 100), "{}", ended.stdout);
    }
    let unknown = cilantro(["explain", "timeuot"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""));
    assert!(unknown.stderr.contains("nothing is called `timeuot`; there is timeout"), "{}", unknown.stderr);
    let part = cilantro(["explain", "nativ"]);
    assert!(part.stderr.contains("there is native call"), "{}", part.stderr);
    let far = cilantro(["explain", "qqqqqqqq"]);
    assert!(far.code == Some(2) && far.stderr.contains("`cilantro explain` lists them"), "{}", far.stderr);
}

#[test]
fn shells_and_manuals_know_every_command() {
    let commands =
        ["generate", "check", "reach", "prove", "replay", "inspect", "run", "explain", "completions", "man"];
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ended = cilantro(["completions", shell]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{shell}");
        for command in commands {
            assert!(ended.stdout.contains(command), "{shell} does not know {command}");
        }
        assert!(ended.stdout.contains("source-root"), "{shell}");
    }
    assert_eq!(cilantro(["completions", "cobol"]).code, Some(2));
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let ended = cilantro(["man", &pages.display().to_string()]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), "", ""));
    for command in commands {
        let page = fs::read_to_string(pages.join(format!("cilantro-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(command), "{page}");
    }
    assert!(fs::read_to_string(pages.join("cilantro.1")).unwrap().contains("cilantro\\-check(1)"));
}
