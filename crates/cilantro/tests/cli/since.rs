//! `check --since`: what changed is looked at, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use report::Summary;

use crate::program::{Ended, ask, asking, ended};

/// Two classes; a caller, a lambda, a class below another, and a method that is alone.
const BEFORE: &str = r#"
using System;
namespace Shop
{
    public static class Cart
    {
        public static int Total(int count) => Tax.Of(count) + 1;
        public static int Share(int total, int people) => total / people;
        public static Func<int, int> Later(int by) => x => x * by;
        public static string Name() => "cart";
    }
    public static class Tax
    {
        internal static int Of(int amount) => amount / 10;
    }
    public abstract class Price { public abstract int Get(); }
    public class Fixed : Price { public override int Get() => 5; }
    public static class Till { public static int Ask(Price price) => price == null ? 0 : price.Get(); }
}
"#;

fn build(name: &str, source: &str) -> PathBuf {
    let built = testkit::compile("Shop", &[("Shop.cs", source)], &testkit::Options::default()).unwrap();
    // Builds of the same assembly have a folder each.
    assert!(built.is_file(), "{name}");
    built
}

fn check(dll: &Path, since: &str) -> Ended {
    ask("check", dll, &["--since", since, "--format", "json", "--max-steps", "3000", "--private"])
}

/// The names of the methods that were looked at.
fn looked_at(ended: &Ended) -> Vec<String> {
    let summary: Summary =
        serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stderr));
    let name =
        |id: &str| id.split("::").map(|part| part.split('(').next().unwrap()).collect::<Vec<_>>().join(".");
    summary.methods.iter().map(|method| name(&method.id).replace("Shop.", "")).collect()
}

fn changed(from: &str, to: &str) -> Vec<String> {
    let (before, after) = (build("before", BEFORE), build("after", &BEFORE.replace(from, to)));
    looked_at(&check(&after, before.to_str().unwrap()))
}

#[test]
fn methods_with_changed_code_and_those_that_lead_to_it() {
    assert_eq!(changed("amount / 10", "amount / 20"), ["Cart.Total", "Tax.Of"]);
    assert_eq!(changed("x * by", "x + by"), ["Cart.Later"]);
    assert_eq!(changed("\"cart\"", "\"trolley\""), ["Cart.Name"]);
    // Whoever is given a price may be given this one.
    let told = changed("Get() => 5", "Get() => 6");
    assert!(told.contains(&"Till.Ask".to_owned()) && told.contains(&"Fixed.Get".to_owned()), "{told:?}");
    assert!(!told.contains(&"Cart.Share".to_owned()), "{told:?}");
}

#[test]
fn lines_and_the_order_of_members_are_no_change() {
    assert_eq!(changed("using System;", "// a comment\n\nusing System;"), [""; 0]);
    // A member in front of the others moves all rows of the metadata, and is new itself.
    let more = "public static class Cart\n{ public static int Sum(int a, int b) => a + b;";
    assert_eq!(changed("public static class Cart\n    {", more), ["Cart.Sum"]);
}

#[test]
fn summaries_folders_and_revisions() {
    let (before, after) =
        (build("before", BEFORE), build("after", &BEFORE.replace("amount / 10", "amount / 20")));
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("Shop.Tests");
    fs::create_dir(&tests).unwrap();
    let stored = tests.join("summary.json");
    let report = format!("json={}", stored.display());
    ask("check", &before, &["--report", &report, "--max-steps", "3000", "--type", "Tax"]);
    let expected = ["Cart.Total", "Tax.Of"];
    assert_eq!(looked_at(&check(&after, stored.to_str().unwrap())), expected);
    assert_eq!(looked_at(&check(&after, tests.to_str().unwrap())), expected);

    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(args);
        assert!(git.current_dir(folder.path()).output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "before"]);
    fs::remove_dir_all(&tests).unwrap();
    let at = |revision: &str| {
        let options = ["--since", revision, "--format", "json", "--max-steps", "3000", "--private"];
        ended(asking("check", &after, &options).current_dir(folder.path()).output().unwrap())
    };
    assert_eq!(looked_at(&at("main")), expected);
    assert_eq!(looked_at(&at("HEAD:Shop.Tests/summary.json")), expected);
    let unknown = at("no-such-branch");
    assert_eq!((unknown.code, unknown.stdout.as_str()), (Some(2), ""));
    assert!(unknown.stderr.contains("no-such-branch cannot be compared with"), "{}", unknown.stderr);
}

#[test]
fn the_conclusion_says_what_was_compared() {
    let dll = build("before", BEFORE);
    let options = ["--since", dll.to_str().unwrap(), "--format", "markdown"];
    let same = ask("check", &dll, &options);
    assert_eq!(same.code, Some(0), "{}", same.stderr);
    assert!(same.stdout.contains("No exception found in 0 methods that changed since"), "{}", same.stdout);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let refused = ask("check", &dll, &["--since", source.to_str().unwrap()]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stderr.contains("neither an assembly nor a summary"), "{}", refused.stderr);
}
