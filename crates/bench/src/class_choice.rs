//! How well the classes behind references and type parameters are chosen: branches and mocks for each group of
//! `fixtures/types/groups`.
//!
//! A mock is to be made only where no class of the program fits.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use case::{CaseFile, ObjectKind};
use report::{Method, Summary};
use testkit::{Options, Source, Toolchain};

use crate::figure::{figure, limited};

/// The one group that needs mocks, and how many are enough.
const NEEDS_MOCKS: (&str, u32) = ("NoSolution", 3);

pub fn measure() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/types/groups");
    for file in testkit::csharp_files(&folder)? {
        let group = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let dll = testkit::compile(&group, &[Source::from(&file)], &Options::default())?;
        let output = tempfile::tempdir()?;
        let summary = generate(&dll, output.path())?;
        let sum = |of: fn(&Method) -> u64| summary.methods.iter().map(of).sum::<u64>();
        let reachable = sum(|m| m.coverage.branches - m.coverage.proven_unreachable_branches);
        let missed = reachable - sum(|m| m.coverage.covered_branches);
        let wanted = if group == NEEDS_MOCKS.0 { NEEDS_MOCKS.1 } else { 0 };
        let about = |what: &str| format!("{group}: {what}");
        figure(about("methods"), summary.methods.len(), "methods");
        figure(about("reachable branches"), reachable, "branches");
        limited(about("branches that no test takes"), missed, "branches", 0);
        limited(about("types that are mocked"), mocked_types(output.path())?, "types", wanted);
        limited(about("tests that did not replay"), sum(|m| m.replay.failed), "tests", 0);
        figure(about("tests"), sum(|m| m.tests), "tests");
    }
    Ok(())
}

/// Runs this program as the command line.
fn generate(dll: &Path, output: &Path) -> Result<Summary> {
    let finished = Command::new(std::env::current_exe()?)
        .arg("generate")
        .arg(dll)
        .args(["--timeout", "120s", "--format", "json", "--runtime"])
        .arg(Toolchain::locate()?.runtime_root())
        .arg("--output")
        .arg(output)
        .stderr(Stdio::inherit())
        .output()?;
    serde_json::from_slice(&finished.stdout).context("the summary cannot be read")
}

/// How many types the tests have mocks of.
fn mocked_types(output: &Path) -> Result<usize> {
    let mut types = BTreeSet::new();
    for file in std::fs::read_dir(output.join("cases"))?.flatten() {
        let text = std::fs::read_to_string(file.path())?;
        let cases: CaseFile = serde_json::from_str(&text)?;
        for object in cases.cases.iter().flat_map(|case| &case.objects) {
            if let ObjectKind::Mock(mock) = &object.kind {
                types.insert(mock.ty.clone());
            }
        }
    }
    Ok(types.len())
}
