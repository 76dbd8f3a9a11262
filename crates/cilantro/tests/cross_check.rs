//! `--cross-check`: every answer of the solver compared with an external one.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use testkit::{Options, Toolchain};

const SOURCE: &str = "
public static class Numbers
{
    public static int Kind(int a, uint b)
    {
        if (a * 3 + 1 == 22) return 1;
        if (b / 7 == 9 && b % 7 == 2) return 2;
        if (a > 10 && a < 5) return 3;
        return (a ^ (int)b) == 0x1234 ? 4 : 5;
    }
}";

/// z3 is asked through a script that counts the questions: an answer that nobody asked about would agree as well.
#[test]
#[cfg(unix)]
fn answers_agree_with_z3() {
    let z3 = Toolchain::locate().unwrap().z3().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let questions = folder.path().join("questions");
    let counting =
        script(folder.path(), &format!("echo asked >> {}\nexec {} \"$@\"", quoted(&questions), quoted(&z3)));
    let output = check(&[&format!("--cross-check={}", counting.display()), "--format", "json"]);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let method = &summary["methods"][0];
    assert_eq!(method["verdict"], "complete", "{method}");
    assert_eq!(method["coverage"]["proven_unreachable_branches"], 1, "{method}");
    assert_eq!(output.status.code(), Some(0));

    let asked = std::fs::read_to_string(&questions).unwrap_or_default().lines().count() as u64;
    assert!(asked > 0, "z3 was never asked");
    let of_core = method["stats"]["core_calls"].as_u64().unwrap();
    assert!(asked >= of_core, "z3 was asked {asked} questions, the core {of_core}");
}

/// A solver that disagrees leaves no proof behind.
#[test]
#[cfg(unix)]
fn disagreement_is_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    for answer in ["sat", "unsat"] {
        let liar = script(folder.path(), &format!("while read -r line; do :; done\necho {answer}"));
        let output = check(&[&format!("--cross-check={}", liar.display()), "--format", "json"]);
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let method = &summary["methods"][0];
        assert_eq!(method["verdict"], "incomplete", "{answer}: {method}");
        assert_eq!(method["coverage"]["proven_unreachable_branches"], 0, "{answer}: {method}");
        let reasons = method["incomplete"].to_string();
        assert!(reasons.contains("solver_unknown"), "{answer}: {reasons}");
    }
}

/// A program called z3 that does what a shell makes of the text.
#[cfg(unix)]
fn script(folder: &Path, text: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("z3");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[cfg(unix)]
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display())
}

#[test]
fn without_a_solver_there_is_one_sentence() {
    let output = check(&["--cross-check"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("no SMT-LIB solver"), "{message}");
}

fn check(options: &[&str]) -> Output {
    let dll = testkit::compile("Numbers", &[("Numbers.cs", SOURCE)], &Options::default()).unwrap();
    let toolchain = Toolchain::locate().unwrap();
    Command::new(env!("CARGO_BIN_EXE_cilantro"))
        .arg("check")
        .arg(&dll)
        .arg("--runtime")
        .arg(toolchain.runtime_root())
        .args(options)
        // No solver of the machine is to be found.
        .env("PATH", Path::new(env!("CARGO_MANIFEST_DIR")))
        .output()
        .unwrap()
}
