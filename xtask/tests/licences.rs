//! Every dependency can be used under the licences that `deny.toml` allows, also where cargo-deny is not installed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{collections::BTreeSet, fs, path::Path, process::Command};

#[test]
fn dependencies_have_allowed_licences() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let allowed = allowed(&fs::read_to_string(root.join("deny.toml")).unwrap());
    assert!(allowed.contains("MIT"), "{allowed:?}");

    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked"])
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let refused: Vec<String> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| !satisfied(package["license"].as_str().unwrap_or("none"), &allowed))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "not allowed by deny.toml: {refused:#?}");
}

#[test]
fn expressions_are_judged() {
    let allowed: BTreeSet<String> = ["MIT", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
    assert!(satisfied("MIT OR GPL-3.0", &allowed) && satisfied("Unlicense/MIT", &allowed));
    assert!(satisfied("(GPL-3.0 OR MIT) AND Apache-2.0 WITH LLVM-exception", &allowed));
    assert!(!satisfied("(MIT OR Zlib) AND GPL-3.0", &allowed) && !satisfied("none", &allowed));
}

/// The entries of the list `allow`.
fn allowed(deny: &str) -> BTreeSet<String> {
    let list = deny.split("allow = [").nth(1).unwrap_or_default();
    list.split(']').next().unwrap_or_default().split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether an SPDX expression (parentheses only around alternatives) can be met.
fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    expression.split(" AND ").all(|alternatives| {
        let alternatives = alternatives.trim_matches(['(', ')']).replace('/', " OR ");
        alternatives.split(" OR ").any(|licence| allowed.contains(licence.trim()))
    })
}
