//! `--cross-check`: every answer of the solver compared with an external one.

#![allow(clippy::unwrap_used)]

use std::path::Path;
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

#[test]
fn answers_agree_with_z3() {
    let z3 = Toolchain::locate().unwrap().z3().unwrap();
    let output = check(&[&format!("--cross-check={}", z3.display()), "--format", "json"]);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let method = &summary["methods"][0];
    assert_eq!(method["verdict"], "complete", "{method}");
    assert_eq!(method["coverage"]["proven_unreachable_branches"], 1, "{method}");
    assert_eq!(output.status.code(), Some(0));
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
