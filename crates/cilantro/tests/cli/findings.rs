//! What an exception is worth, how findings are grouped, and what is known of them.

use std::path::PathBuf;

use expect_test::expect;
use report::{Construction, FindingKind, Summary};

use crate::program::ask;

const SOURCE: &str = r#"
#nullable enable
using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Found;

public enum Color { Red = 1, Green = 2 }
[Flags] public enum Marks { None = 0, Bold = 1, Wide = 2 }

public static class Kinds
{
    public static int Divides(int a, int b) => a / b;
    public static int Index(int[] items, int at) => items[at];
    public static int Casts(object? thing) => ((int[]?)thing)?.Length ?? 0;
    public static int Missing(Dictionary<int, int> map) => map[7];
    public static int ListIndex(List<int> list, int at) => list[at];
    public static int Value(int? number) => number!.Value;
    public static int Refuses(int a) => a < 0 ? throw new ArgumentOutOfRangeException(nameof(a)) : a;
    public static int Guards(string? text) { ArgumentNullException.ThrowIfNull(text); return text.Length; }
    public static string PassesOn(string? text) => string.Concat(text, "x").Substring(9);
    public static int NeverNull(string text) => text.Length;
    public static int MayBeNull(string? text) => text!.Length;
    public static int Allowed([AllowNull] string text) => text.Length;
    public static int Forbidden([DisallowNull] string? text) => text.Length;
    public static int Unnamed(Color color) => color switch { Color.Red => 1, Color.Green => 2 };
    public static int Named(Color color) => color switch { Color.Red => 1 };
    public static int Flags(Marks marks) => marks == (Marks.Bold | Marks.Wide) ? ((int[]?)null)!.Length : 1;
    public static int Both(string text, int[]? items) => text.Length + items!.Length;
    public static int Unseen(string text, int b) => 10 / b;
    public static int Element(string[] texts) => texts.Length == 1 ? texts[0].Length : 0;
    public static int Generic<T>(T thing) => thing!.GetHashCode();
}

public class Holder
{
    public string Name = "";
    public string? Other;
    public int Length() => Name.Length;
    public int OtherLength() => Other!.Length;
}

public static class Outer
{
    public static int First(int x) => Inner.Deep(x);
    public static int Second(int x, string name) => x > 5 ? Inner.Deep(x - 10) : 0;
    public static int Third(int x) => Inner.Deeper(x);
    public static int Elsewhere(int x) => 7 / (x - 3);
}

static class Inner
{
    public static int Deep(int x) => 100 / x;
    public static int Deeper(int x) => Deep(x) + 1;
}

public static class Settings
{
    public static int Limit(int n)
    {
        if (Environment.GetEnvironmentVariable("FOUND_LIMIT") is { Length: > 3 }) return -1;
        return n > 10 ? 10 : n;
    }
}
"#;

fn library() -> PathBuf {
    testkit::compile("Found", &[("Found.cs", SOURCE)], &testkit::Options::default()).unwrap()
}

fn kinds(summary: &Summary, method: &str) -> Vec<(FindingKind, String)> {
    let is_meant = |id: &str| id.contains(&format!("::{method}(")) || id.contains(&format!("::{method}<"));
    let bugs = summary.methods.iter().filter(|m| is_meant(&m.id)).flat_map(|m| &m.bugs);
    let simple = |full: &str| full.rsplit('.').next().unwrap_or(full).to_owned();
    bugs.map(|bug| {
        assert!(bug.replayed, "{bug:?}");
        (bug.kind, simple(&bug.exception))
    })
    .collect()
}

#[test]
fn an_exception_is_a_crash_refused_or_misuse() {
    let ended = ask("check", &library(), &["--format", "json", "--type", "Kinds", "--type", "Holder"]);
    let summary: Summary = serde_json::from_str(&ended.stdout).unwrap();
    let mut told = Vec::new();
    for method in &summary.methods {
        let name = method.id.split("::").nth(1).unwrap().split(['(', '<']).next().unwrap();
        let found = kinds(&summary, name);
        if !found.is_empty() {
            let found: Vec<String> =
                found.iter().map(|(kind, exception)| format!("{} {exception}", kind.name())).collect();
            told.push(format!("{name}: {}", found.join(", ")));
        }
    }
    expect![[r#"
        Divides: crash DivideByZeroException, crash OverflowException
        Index: crash IndexOutOfRangeException, misuse NullReferenceException
        Casts: crash InvalidCastException
        Missing: crash KeyNotFoundException, misuse NullReferenceException
        ListIndex: crash ArgumentOutOfRangeException, misuse NullReferenceException
        Value: crash InvalidOperationException
        Refuses: refused ArgumentOutOfRangeException
        Guards: refused ArgumentNullException
        PassesOn: refused ArgumentOutOfRangeException
        NeverNull: misuse NullReferenceException
        MayBeNull: crash NullReferenceException
        Allowed: crash NullReferenceException
        Forbidden: misuse NullReferenceException
        Unnamed: misuse SwitchExpressionException
        Named: crash SwitchExpressionException
        Flags: crash NullReferenceException
        Both: misuse NullReferenceException, crash NullReferenceException
        Unseen: crash DivideByZeroException
        Element: misuse NullReferenceException, misuse NullReferenceException
        Generic: crash NullReferenceException
        Length: misuse NullReferenceException
        OtherLength: crash NullReferenceException"#]]
    .assert_eq(&told.join("\n"));
    assert_eq!(ended.code, Some(1));
}

#[test]
fn callers_of_a_faulty_callee_are_one_finding() {
    let ended = ask("check", &library(), &["--type", "Outer"]);
    let text = ended.stdout.split(" ms).").next().unwrap().rsplit_once('(').unwrap().0;
    expect![[r#"
        Found.dll on Microsoft.NETCore.App 10.0.0

        Crashes
          System.DivideByZeroException in Found.Inner::Deep(Int32)
            at      Found.cs:54 (IL_0003)
            message Attempted to divide by zero.
            call    Found.Outer::First(Int32)
            inputs  x = 0
            test    First_ByZero_ThrowsDivideByZeroException
            also by Found.Outer::Second(Int32,String), Found.Outer::Third(Int32)
          System.DivideByZeroException in Found.Outer::Elsewhere(Int32)
            at      Found.cs:49 (IL_0004)
            message Attempted to divide by zero.
            inputs  x = 3
            test    Elsewhere_ThrowsDivideByZeroException

        2 crashes found in 4 methods "#]]
    .assert_eq(text);
}

#[test]
fn the_exit_code_is_about_what_the_user_says() {
    let code = |method: &str, options: &[&str]| {
        ask("check", &library(), &[&["--method", method], options].concat()).code
    };
    assert_eq!(code("Divides", &[]), Some(1));
    assert_eq!(code("Divides", &["--fail-on", "refused,misuse"]), Some(0));
    assert_eq!(code("Divides", &["--fail-on", "none"]), Some(0));
    assert_eq!(code("Refuses", &[]), Some(0));
    assert_eq!(code("Refuses", &["--fail-on", "any"]), Some(1));
    assert_eq!(code("Refuses", &["--fail-on", "crash,refused"]), Some(1));
    assert_eq!(code("NeverNull", &[]), Some(0));
    assert_eq!(code("NeverNull", &["--fail-on", "misuse"]), Some(1));
    assert_eq!(code("Refuses", &["--fail-on", "everything"]), Some(2));
}

#[test]
fn a_baseline_hides_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("known.json").display().to_string();
    let written = ask("check", &library(), &["--method", "First", "--write-baseline", &file]);
    assert_eq!(written.code, Some(1), "{}", written.stderr);
    let again = ask("check", &library(), &["--method", "First", "--method", "Third", "--baseline", &file]);
    assert_eq!(again.code, Some(0), "{}", again.stdout);
    assert!(again.stdout.contains("2 known"), "{}", again.stdout);
    let other = ask("check", &library(), &["--method", "Elsewhere", "--baseline", &file]);
    assert_eq!(other.code, Some(1), "{}", other.stdout);
    let none = ask("check", &library(), &["--method", "First", "--baseline", "/nowhere/known.json"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(2), ""));
    std::fs::write(&file, "{\"schema\": \"other\", \"findings\": []}").unwrap();
    let wrong = ask("check", &library(), &["--method", "First", "--baseline", &file]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("its schema is other"), "{}", wrong.stderr);
}

#[test]
fn everything_is_listed_when_asked_for() {
    let few = ask("check", &library(), &["--method", "Refuses"]);
    assert!(!few.stdout.contains("ArgumentOutOfRangeException"), "{}", few.stdout);
    assert!(few.stdout.contains("1 refused by design"), "{}", few.stdout);
    let all = ask("check", &library(), &["--method", "Refuses", "--all"]);
    assert!(
        all.stdout.contains("System.ArgumentOutOfRangeException in Found.Kinds::Refuses"),
        "{}",
        all.stdout
    );
    let summary: Summary =
        serde_json::from_str(&ask("check", &library(), &["--method", "Third", "--format", "json"]).stdout)
            .unwrap();
    let bug = &summary.methods[0].bugs[0];
    assert_eq!(bug.construction, Construction::Public);
    assert_eq!(bug.place.as_ref().unwrap().method, "Found.Inner::Deep(System.Int32)");
    assert_eq!(bug.group, "System.DivideByZeroException in Found.Inner::Deep(System.Int32) at div");
}

#[test]
fn an_environment_variable_is_set_where_a_branch_needs_it_and_nothing_is_proven_from_it() {
    let ended = ask("check", &library(), &["--format", "json", "--type", "Settings"]);
    let summary: Summary = serde_json::from_str(&ended.stdout).unwrap();
    let [limit] = &summary.methods[..] else { panic!("{:?}", summary.methods) };
    let coverage = &limit.coverage;
    assert_eq!(coverage.covered_branches, coverage.branches, "{coverage:?}");
    assert_eq!(coverage.proven_unreachable_branches + coverage.proven_assuming_branches, 0);
    let why: Vec<&str> = limit.assumptions.iter().map(|assumption| assumption.detail.as_str()).collect();
    assert!(why.iter().any(|why| why.contains("GetEnvironmentVariable")), "{why:?} {:?}", limit.incomplete);
}
