//! The formats that other programs read, on answers with everything in them that could break one.

#![allow(clippy::unwrap_used)] // a test may fail

use expect_test::expect;
use report::formats::{Format, Report, Step};
use report::*;
use serde_json::Value;

/// The official schema. One of its patterns has a bracket that only JavaScript takes for itself.
fn sarif_schema() -> Value {
    let text = include_str!("../../../fixtures/schemas/sarif-2.1.0.json");
    let escaped = text.replace("-[a-zA-Z]{2}]?$", r"-[a-zA-Z]{2}\\]?$");
    assert_ne!(text, escaped);
    serde_json::from_str(&escaped).unwrap()
}

fn bug(exception: &str, line: u32, group: &str) -> Bug {
    let source = SourceLine { path: "/_/src/My Cart.cs".to_owned(), line, columns: None };
    Bug {
        exception: exception.to_owned(),
        message: "50% of <nothing>:\r\n\"a\", |b|".to_owned(),
        at: Some("IL_002a".to_owned()),
        source: Some(source.clone()),
        replayed: true,
        test: "Add_Throws".to_owned(),
        inputs: vec![Input { name: "text".to_owned(), value: "\"`]]>\u{1}&|\"".to_owned() }],
        construction: Construction::Public,
        breaks: vec![],
        kind: FindingKind::Crash,
        group: group.to_owned(),
        place: Some(Origin {
            method: "Shop.Cart::Inner(System.String)".to_owned(),
            at: "IL_0003".to_owned(),
            source: Some(source),
        }),
        known: false,
    }
}

fn method(id: &str, bugs: Vec<Bug>) -> Method {
    Method {
        id: id.to_owned(),
        token: "0x06000001".to_owned(),
        source: "Cart.cs:17".parse().ok(),
        verdict: Verdict::Complete,
        incomplete: vec![],
        assumptions: vec![],
        loops: vec![],
        coverage: Coverage {
            branches: 4,
            covered_branches: 3,
            proven_unreachable_branches: 1,
            ..Coverage::default()
        },
        tests: 2,
        replay: Replay { passed: 2, failed: 0, skipped: 0 },
        bugs,
        broken_inputs: vec![],
        unwritten: vec![],
        stats: Stats { elapsed: std::time::Duration::from_millis(12), ..Stats::default() },
    }
}

/// Two methods that lead to one crash, a refusal, and a method that is not finished.
fn summary(line: u32) -> Summary {
    let mut summary = Summary::new("Shop.dll");
    summary.elapsed_ms = 1234;
    let crash = || {
        bug("System.DivideByZeroException", line, "System.DivideByZeroException in Shop.Cart::Inner at div")
    };
    let refused = Bug {
        kind: FindingKind::Refused,
        ..bug("System.ArgumentException", line, "System.ArgumentException in Shop.Cart::Inner at throw")
    };
    let mut open = method("Shop.Cart::Open(System.Int32)", vec![]);
    let detail = "paths | that <never> end".to_owned();
    open.incomplete.push(Incomplete { reason: Reason::Timeout, detail, at: Some("IL_0012".to_owned()) });
    open.settle();
    summary.methods = vec![
        method("Shop.Cart::Add(System.String)", vec![crash(), refused]),
        method("Shop.Cart::Other(System.String)", vec![crash()]),
        method("Shop.Cart::Fine()", vec![]),
        open,
    ];
    summary
}

fn report(line: u32, all: bool) -> Report {
    let mut report = Report::of_summary(&summary(line), Shown::BugsOnly, FailOn::default(), all);
    report.rename_files(|path| path.trim_start_matches("/_/").to_owned());
    report.root = Some("file:///work/shop/".to_owned());
    report.file = Some("bin/Shop.dll".to_owned());
    report.findings[0].steps = vec![Step {
        what: "text != null".to_owned(),
        method: "Shop.Cart::Add(System.String)".to_owned(),
        at: "IL_0001".to_owned(),
        line: None,
    }];
    report
}

fn sarif(report: &Report) -> Value {
    let document: Value = serde_json::from_str(&report.render(Format::Sarif).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{document:#}");
    document
}

#[test]
fn the_schema_of_sarif_refuses_what_is_none() {
    let validator = jsonschema::validator_for(&sarif_schema()).unwrap();
    let mut document = sarif(&report(8, true));
    document["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!validator.is_valid(&document));
}

#[test]
fn sarif_has_rules_places_paths_and_callers() {
    let document = sarif(&report(8, false));
    let run = &document["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "one cause, and what is refused does not count");
    let result = &results[0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
    let place = &result["locations"][0];
    assert_eq!(place["physicalLocation"]["artifactLocation"]["uri"], "src/My%20Cart.cs");
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 8);
    assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "Shop.Cart::Inner(System.String)");
    let callers: Vec<&Value> = result["relatedLocations"].as_array().unwrap().iter().collect();
    assert_eq!(callers.len(), 2);
    assert_eq!(callers[1]["logicalLocations"][0]["name"], "Other");
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap();
    let said: Vec<&str> =
        flow.iter().map(|step| step["location"]["message"]["text"].as_str().unwrap()).collect();
    assert_eq!(said.len(), 3);
    assert!(said[0].starts_with("Shop.Cart::Add(String) is called with text = "), "{said:?}");
    assert_eq!(said[1..], ["text != null", "DivideByZeroException in Shop.Cart::Inner(String)"]);
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap();
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0]["descriptor"]["id"], "timeout");
}

#[test]
fn without_symbols_the_place_is_the_assembly() {
    let mut bare = report(8, false);
    bare.findings.iter_mut().for_each(|finding| finding.line = None);
    let document = sarif(&bare);
    let place = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "bin/Shop.dll");
    assert!(place.get("region").is_none());
    let issues: Value = serde_json::from_str(&bare.render(Format::Gitlab).unwrap()).unwrap();
    assert_eq!(issues[0]["location"]["path"], "bin/Shop.dll");
    assert!(bare.render(Format::Github).unwrap().starts_with("::error title="));
}

#[test]
fn fingerprints_outlive_edits_and_tell_findings_apart() {
    let of = |report: &Report| -> Vec<String> {
        let issues: Value = serde_json::from_str(&report.render(Format::Gitlab).unwrap()).unwrap();
        let sarif = sarif(report);
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let issues = issues.as_array().unwrap();
        assert_eq!(issues.len(), results.len());
        for (issue, result) in issues.iter().zip(results) {
            assert_eq!(issue["fingerprint"], result["partialFingerprints"]["cilantroCause/v1"]);
        }
        issues.iter().map(|issue| issue["fingerprint"].as_str().unwrap().to_owned()).collect()
    };
    let before = of(&report(8, true));
    assert_eq!(before, of(&report(80, true)), "other lines, the same findings");
    assert_eq!(before.len(), 2);
    assert_ne!(before[0], before[1]);
    let mut twice = report(8, true);
    twice.findings.push(twice.findings[0].clone());
    let three = of(&twice);
    assert_eq!(three[..2], before[..]);
    assert!(!before.contains(&three[2]));
}

#[test]
fn what_is_known_is_suppressed_or_left_out() {
    let mut summary = summary(8);
    Baseline::of(&summary).apply(&mut summary);
    let told = |all: bool| Report::of_summary(&summary, Shown::BugsOnly, FailOn::default(), all);
    assert_eq!(sarif(&told(false))["runs"][0]["results"].as_array().unwrap().len(), 0);
    let document = sarif(&told(true));
    assert_eq!(document["runs"][0]["results"][0]["suppressions"][0]["kind"], "external");
    assert_eq!(told(true).render(Format::Gitlab).unwrap(), "[]\n");
}

#[test]
fn levels_are_what_the_exit_code_says() {
    let levels = |fail_on: FailOn, all: bool| -> Vec<String> {
        let report = Report::of_summary(&summary(8), Shown::BugsOnly, fail_on, all);
        let document = sarif(&report);
        let results = document["runs"][0]["results"].as_array().unwrap();
        results.iter().map(|result| result["level"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(levels(FailOn::default(), false), ["error"]);
    assert_eq!(levels(FailOn::default(), true), ["error", "note"]);
    assert_eq!(levels(FailOn::ANY, false), ["error", "error"]);
    assert_eq!(levels(FailOn::NONE, false), ["warning"]);
}

#[test]
fn github() {
    let text = report(8, true).render(Format::Github).unwrap();
    expect![[r#"
        ::error file=src/My Cart.cs,line=8,title=DivideByZeroException in Shop.Cart%3A%3AInner(String)::System.DivideByZeroException (50%25 of <nothing>: "a", |b|) leaves Shop.Cart::Add(String) with text = "`]]>�&|".
        ::notice file=src/My Cart.cs,line=8,title=ArgumentException in Shop.Cart%3A%3AInner(String)::System.ArgumentException (50%25 of <nothing>: "a", |b|) leaves Shop.Cart::Add(String) with text = "`]]>�&|".
        ::notice title=cilantro check::1 crash found in 4 methods, 1 method incomplete (1.2 s).
    "#]].assert_eq(&text);
}

#[test]
fn gitlab() {
    expect![[r#"
        [
          {
            "description": "System.DivideByZeroException (50% of <nothing>: \"a\", |b|) leaves Shop.Cart::Add(String) with text = \"`]]>\u0001&|\".",
            "check_name": "crash",
            "fingerprint": "48fd364647effaffd58b76c59b49e82e",
            "severity": "major",
            "location": {
              "path": "src/My Cart.cs",
              "lines": {
                "begin": 8
              }
            }
          }
        ]
    "#]].assert_eq(&report(8, false).render(Format::Gitlab).unwrap());
}

#[test]
fn junit() {
    let text = report(8, true).render(Format::Junit).unwrap();
    let read = roxmltree::Document::parse(&text).unwrap();
    let suite = read.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    let count = |name: &str| read.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
    let told = |name: &str| suite.attribute(name).map(str::to_owned);
    assert_eq!(told("tests"), Some(count("testcase")));
    assert_eq!(told("failures"), Some(count("failure")));
    assert_eq!(told("skipped"), Some(count("skipped")));
    expect![[r#"
        <?xml version="1.0" encoding="utf-8"?>
        <testsuites name="cilantro check" tests="4" failures="2" errors="0" skipped="1" time="1.234">
          <testsuite name="check Shop.dll" tests="4" failures="2" errors="0" skipped="1" time="1.234">
            <testcase classname="Shop.Cart" name="Add(String)" time="0.012">
              <failure message="DivideByZeroException in Shop.Cart::Inner(String)" type="System.DivideByZeroException">System.DivideByZeroException (50% of &lt;nothing&gt;: "a", |b|) leaves Shop.Cart::Add(String) with text = "`]]&gt;�&amp;|".
        in Shop.Cart::Inner(String) at src/My Cart.cs:8
        test Add_Throws</failure>
              <system-out>System.ArgumentException (50% of &lt;nothing&gt;: "a", |b|) leaves Shop.Cart::Add(String) with text = "`]]&gt;�&amp;|".
        in Shop.Cart::Inner(String) at src/My Cart.cs:8
        test Add_Throws</system-out>
            </testcase>
            <testcase classname="Shop.Cart" name="Other(String)" time="0.012">
              <failure message="DivideByZeroException in Shop.Cart::Inner(String)" type="System.DivideByZeroException">System.DivideByZeroException (50% of &lt;nothing&gt;: "a", |b|) leaves Shop.Cart::Add(String) with text = "`]]&gt;�&amp;|".
        in Shop.Cart::Inner(String) at src/My Cart.cs:8
        test Add_Throws</failure>
            </testcase>
            <testcase classname="Shop.Cart" name="Fine()" time="0.012"/>
            <testcase classname="Shop.Cart" name="Open(Int32)" time="0.012">
              <skipped message="timeout: paths | that &lt;never&gt; end"/>
            </testcase>
          </testsuite>
        </testsuites>
    "#]].assert_eq(&text);
}

#[test]
fn markdown() {
    expect![[r###"
        ## cilantro check: Shop.dll

        1 crash found in 4 methods, 1 method incomplete (1.2 s).

        | | finding | where | inputs |
        |---|---|---|---|
        | ❌ crash | `DivideByZeroException in Shop.Cart::Inner(String)` | `src/My Cart.cs:8` | ``text = "`]]>�&\|"`` |
        | ℹ️ refused | `ArgumentException in Shop.Cart::Inner(String)` | `src/My Cart.cs:8` | ``text = "`]]>�&\|"`` |

        <details><summary>DivideByZeroException in Shop.Cart::Inner(String)</summary>

        System.DivideByZeroException (50% of &lt;nothing&gt;: "a", \|b\|) leaves Shop.Cart::Add(String) with text = "\`\]\]&gt;�&amp;\|".

        * called: `Shop.Cart::Add(String)`, `Shop.Cart::Other(String)`
        * test: `Add_Throws`
        * `text != null`

        </details>
        <details><summary>ArgumentException in Shop.Cart::Inner(String)</summary>

        System.ArgumentException (50% of &lt;nothing&gt;: "a", \|b\|) leaves Shop.Cart::Add(String) with text = "\`\]\]&gt;�&amp;\|".

        * called: `Shop.Cart::Add(String)`
        * test: `Add_Throws`

        </details>

        <details><summary>4 methods</summary>

        | method | answer | branches | proven | tests | time |
        |---|---|---:|---:|---:|---:|
        | `Shop.Cart::Add(String)` | ❌ complete | 3/4 | 1 | 2 | 12 ms |
        | `Shop.Cart::Other(String)` | ❌ complete | 3/4 | 1 | 2 | 12 ms |
        | `Shop.Cart::Fine()` | ✅ complete | 3/4 | 1 | 2 | 12 ms |
        | `Shop.Cart::Open(Int32)` | ❔ incomplete | 3/4 | 1 | 2 | 12 ms |

        </details>

        <details><summary>Left open: 1 × timeout</summary>

        | | reason | detail |
        |---|---|---|
        | `Shop.Cart::Open(Int32)` | timeout | paths \| that &lt;never&gt; end |

        </details>
    "###]].assert_eq(&report(8, true).render(Format::Markdown).unwrap());
}
