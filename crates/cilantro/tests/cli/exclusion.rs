//! What is left out because its code or its user says so.

use std::path::PathBuf;

use report::Summary;

use crate::program::{ask, asking, ended};

const SOURCE: &str = "
using System; using System.CodeDom.Compiler; using System.Diagnostics.CodeAnalysis;
namespace Left {
    public static class Kept
    {
        public static int Plain(int x) => x > 0 ? 1 : 2;
        [ExcludeFromCodeCoverage] public static int Marked(int x) => x > 0 ? 1 : 2;
        [ExcludeFromCodeCoverage] public static int Property => Environment.TickCount > 0 ? 1 : 2;
        [Obsolete(\"old\")] public static int Old(int x) => x > 0 ? 1 : 2;
    }
    [ExcludeFromCodeCoverage] public static class Type { public static class Inner { public static int F(int x) => x > 0 ? 1 : 2; } }
    [GeneratedCode(\"tool\", \"1\")] public static class Made { public static int F(int x) => x > 0 ? 1 : 2; }
    public static class OrderDto { public static int F(int x) => x > 0 ? 1 : 2; }
}";

fn library() -> PathBuf {
    testkit::compile("Left", &[("Left.cs", SOURCE)], &testkit::Options::default()).unwrap()
}

fn names(json: &str) -> Vec<String> {
    let summary: Summary = serde_json::from_str(json).unwrap();
    summary
        .methods
        .iter()
        .map(|m| m.id.split('(').next().unwrap().trim_start_matches("Left.").to_owned())
        .collect()
}

fn checked(options: &[&str]) -> Vec<String> {
    let ended = ask("check", &library(), &[&["--format", "json"], options].concat());
    assert!(matches!(ended.code, Some(0 | 1 | 3)), "{}", ended.stderr);
    names(&ended.stdout)
}

#[test]
fn attributes_leave_code_out_unless_it_is_named() {
    assert_eq!(checked(&[]), ["Kept::Plain", "Kept::Old", "OrderDto::F"]);
    assert_eq!(checked(&["--method", "Kept.Marked"]), ["Kept::Marked"]);
    assert_eq!(checked(&["--type", "Made"]), ["Made::F"]);
    let told = ask("check", &library(), &[]);
    let line = "4 methods left out: 3 by [ExcludeFromCodeCoverage], 1 by [GeneratedCode].";
    assert!(told.stdout.contains(line), "{}", told.stdout);
    let reached = ask("reach", &library(), &["Kept.Marked@IL_0000"]);
    assert_eq!(reached.code, Some(1), "{}{}", reached.stdout, reached.stderr);
}

#[test]
fn patterns_leave_out_what_they_name() {
    assert_eq!(checked(&["--exclude", "*Dto"]), ["Kept::Plain", "Kept::Old"]);
    assert_eq!(checked(&["--exclude", "Kept.Old", "--exclude", "OrderDto"]), ["Kept::Plain"]);
    assert_eq!(checked(&["--exclude", "Left", "--method", "Kept.Old"]), ["Kept::Old"]);
    let all = ask("check", &library(), &["--exclude", "**/Left.cs"]);
    assert_eq!((all.code, all.stdout.as_str()), (Some(2), ""));
    assert!(all.stderr.contains("is left out, by its attributes or by --exclude"), "{}", all.stderr);
}

#[test]
fn a_file_has_patterns() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join(".cilantroignore"), "# of others\n*Dto\n").unwrap();
    let mut asking = asking("check", &library(), &["--format", "json", "--exclude", "Kept.Old"]);
    let ended = ended(asking.current_dir(folder.path().join("sub")).output().unwrap());
    assert_eq!(names(&ended.stdout), ["Kept::Plain"]);
}
