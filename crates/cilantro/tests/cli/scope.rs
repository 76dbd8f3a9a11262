//! Which methods are entry points, and what is covered through them.

use std::path::PathBuf;

use report::{Summary, ZoneKind};

use crate::program::ask;

const SOURCE: &str = "
namespace Zoned {
    public class Till
    {
        private int total;
        public int Pay(int amount) => Check(amount) ? Book(amount) : -1;
        private static bool Check(int amount) => amount > 0 && amount < 1000;
        private int Book(int amount) { if (amount > 500) total += amount; else total += 1; return total; }
        private static int Never(int x) => x > 3 ? 1 : 2;
        internal int Peek(int x) => x == 7 ? total : 0;
        protected virtual int Rounded(int x) => x > 5 ? 10 : 0;
    }
    internal static class Ledger
    {
        public static int Fee(int amount) => amount > 100 ? 5 : Small(amount);
        private static int Small(int amount) => amount > 10 ? 2 : 1;
    }
    public static class Desk
    {
        public static int Fee(int amount) => Ledger.Fee(amount);
    }
}";

fn library(friend: &str) -> PathBuf {
    let source = format!("{friend}\n{SOURCE}");
    testkit::compile("Zoned", &[("Zoned.cs", source.as_str())], &testkit::Options::default()).unwrap()
}

fn checked(friend: &str, options: &[&str]) -> Summary {
    let options = [&["--format", "json", "--timeout", "30s"], options].concat();
    let ended = ask("check", &library(friend), &options);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stderr))
}

fn names(summary: &Summary) -> Vec<&str> {
    summary.methods.iter().map(|m| m.id.split('(').next().unwrap().trim_start_matches("Zoned.")).collect()
}

/// Covered and all branches of a method of the zone.
fn branches(summary: &Summary, name: &str) -> (u64, u64) {
    let zone = summary.zone.as_ref().unwrap();
    let method = zone.methods.iter().find(|m| m.id.contains(&format!("{name}("))).unwrap();
    (method.covered_branches, method.branches)
}

#[test]
fn entry_points_are_what_a_test_can_call() {
    let public = ["Till::Pay", "Till::.ctor", "Desk::Fee"];
    let sorted = |summary: &Summary| {
        let mut names: Vec<String> = names(summary).into_iter().map(str::to_owned).collect();
        names.sort();
        names
    };
    let mut expected = public.map(str::to_owned).to_vec();
    expected.sort();
    assert_eq!(sorted(&checked("", &[])), expected);
    let stranger = "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Zoned.Server\")]";
    assert_eq!(sorted(&checked(stranger, &[])), expected);
    let mut internal = expected.clone();
    internal.extend(["Ledger::Fee".to_owned(), "Till::Peek".to_owned()]);
    internal.sort();
    let friend = "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Zoned.Tests\")]";
    assert_eq!(sorted(&checked(friend, &[])), internal);
    assert_eq!(sorted(&checked("", &["--internals"])), internal);
    assert_eq!(checked("", &["--private"]).methods.len(), 10);
    assert_eq!(names(&checked("", &["--method", "Till.Never"])), ["Till::Never"]);
}

#[test]
fn private_code_is_covered_through_its_callers() {
    let summary = checked("", &[]);
    let zone = summary.zone.as_ref().unwrap();
    assert_eq!(zone.kind, ZoneKind::Assembly);
    for (name, expected) in [
        ("Till::Pay", (2, 2)),
        ("Till::Check", (2, 2)),
        ("Till::Book", (2, 2)),
        ("Ledger::Fee", (2, 2)),
        ("Ledger::Small", (2, 2)),
        ("Till::Never", (0, 2)),
    ] {
        assert_eq!(branches(&summary, name), expected, "{name}");
    }
    let sum = |part: fn(&report::ZoneMethod) -> u64| zone.methods.iter().map(part).sum::<u64>();
    assert_eq!((zone.covered_branches, zone.branches), (sum(|m| m.covered_branches), sum(|m| m.branches)));
    // Each by itself: nobody looks into private methods, and no test is there for them.
    let alone = checked("", &["--zone", "method"]);
    assert_eq!(alone.zone.as_ref().unwrap().methods.len(), 3);
    let tests = |summary: &Summary| summary.methods.iter().map(|m| m.tests).sum::<u64>();
    assert!(tests(&alone) < tests(&summary), "{} and {}", tests(&alone), tests(&summary));
    let own = checked("", &["--type", "Till"]);
    assert_eq!(own.zone.as_ref().unwrap().kind, ZoneKind::Type);
    assert_eq!(branches(&own, "Till::Book"), (2, 2));
    assert!(own.zone.as_ref().unwrap().methods.iter().all(|m| m.id.contains("Till")));
}

#[test]
fn nothing_to_call_is_said() {
    let source = "class Hidden { static int F(int x) => x > 0 ? 1 : 2; }";
    let dll = testkit::compile("Hidden", &[("Hidden.cs", source)], &testkit::Options::default()).unwrap();
    let ended = ask("check", &dll, &[]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("can be called by a test"), "{}", ended.stderr);
    assert_eq!(ask("check", &dll, &["--private"]).code, Some(0));
}
