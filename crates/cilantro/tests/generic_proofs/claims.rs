//! What the command line says about the methods of a class: which are complete, and the outcomes of their tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use case::{CaseFile, Outcome, Primitive, Value};
use report::{Summary, Verdict};
use testkit::Toolchain;

#[derive(Debug)]
pub struct Claims {
    /// By name.
    pub methods: BTreeMap<String, Claim>,
}

#[derive(Debug, Default)]
pub struct Claim {
    pub complete: bool,
    /// Branches that are proven unreachable.
    pub proven: u64,
    /// The numbers that tests see returned, and the exceptions.
    pub outcomes: BTreeSet<String>,
}

impl Claims {
    pub fn of(dll: &Path, class: &str) -> Claims {
        let folder = tempfile::tempdir().unwrap();
        let summary = generate(dll, class, folder.path());
        let mut methods: BTreeMap<String, Claim> = BTreeMap::new();
        for method in &summary.methods {
            let claim = Claim {
                complete: method.verdict == Verdict::Complete,
                proven: method.coverage.proven_unreachable_branches,
                outcomes: BTreeSet::new(),
            };
            methods.insert(name(&method.id).to_owned(), claim);
        }
        for file in std::fs::read_dir(folder.path().join("cases")).unwrap() {
            let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
            for case in CaseFile::from_json(&text).unwrap().cases {
                let claim = methods.get_mut(name(&case.method.id)).unwrap();
                claim.outcomes.insert(outcome(&case.expect.outcome));
            }
        }
        Claims { methods }
    }
}

fn generate(dll: &Path, class: &str, folder: &Path) -> Summary {
    let output = Command::new(env!("CARGO_BIN_EXE_cilantro"))
        .arg("generate")
        .arg(dll)
        .args([
            "--type",
            class,
            "--format",
            "json",
            "--timeout",
            "3m",
            "--max-steps",
            "60000",
            "--no-verify",
            "--private",
        ])
        .arg("--runtime")
        .arg(Toolchain::locate().unwrap().runtime_root())
        .arg("-o")
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
}

/// ``Ns.Leaves::Moves<T>(…)`` → `Moves`.
fn name(id: &str) -> &str {
    let (_, method) = id.split_once("::").unwrap();
    method.split(['<', '(']).next().unwrap()
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Returns(Value::Primitive(Primitive::Int32(number))) => number.to_string(),
        Outcome::Throws(thrown) => thrown.ty.clone(),
        other => panic!("a way out has a number: {other:?}"),
    }
}
