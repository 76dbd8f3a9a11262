//! How well the classes behind references and type parameters are chosen: branches and mocks for each group of
//! `fixtures/types/groups`, as lines for `cargo xtask bench types`.
//!
//! A mock is to be made only where no class of the program fits.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use case::{CaseFile, ObjectKind};
use report::{Method, Summary};
use testkit::{Options, Source, Toolchain};

/// The one group that needs mocks, and how many are enough.
const NEEDS_MOCKS: (&str, u32) = ("NoSolution", 3);

fn main() -> ExitCode {
    // The program runs itself as the command line.
    if std::env::args().nth(1).as_deref() == Some("generate") {
        return cilantro::main(std::env::args_os());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/types/groups");
    for file in testkit::csharp_files(&folder).unwrap() {
        let group = file.file_stem().unwrap().to_string_lossy().into_owned();
        let dll = testkit::compile(&group, &[Source::from(&file)], &Options::default()).unwrap();
        let output = tempfile::tempdir().unwrap();
        let summary = generate(&dll, output.path());
        let sum = |of: fn(&Method) -> u64| summary.methods.iter().map(of).sum::<u64>();
        let reachable = sum(|m| m.coverage.branches - m.coverage.proven_unreachable_branches);
        let missed = reachable - sum(|m| m.coverage.covered_branches);
        let mocked = mocked_types(output.path());
        let wanted = if group == NEEDS_MOCKS.0 { NEEDS_MOCKS.1 } else { 0 };
        println!("{group}: methods\t{}\tmethods", summary.methods.len());
        println!("{group}: reachable branches\t{reachable}\tbranches");
        println!("{group}: branches that no test takes\t{missed}\tbranches\t0");
        println!("{group}: types that are mocked\t{mocked}\ttypes\t{wanted}");
        println!("{group}: tests that did not replay\t{}\ttests\t0", sum(|m| m.replay.failed));
        println!("{group}: tests\t{}\ttests", sum(|m| m.tests));
    }
    ExitCode::SUCCESS
}

fn generate(dll: &Path, output: &Path) -> Summary {
    let finished = Command::new(std::env::current_exe().unwrap())
        .arg("generate")
        .arg(dll)
        .args(["--timeout", "120s", "--format", "json", "--runtime"])
        .arg(Toolchain::locate().unwrap().runtime_root())
        .arg("--output")
        .arg(output)
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    serde_json::from_slice(&finished.stdout).unwrap()
}

/// How many types the tests have mocks of.
fn mocked_types(output: &Path) -> usize {
    let mut types = std::collections::BTreeSet::new();
    for file in std::fs::read_dir(output.join("cases")).unwrap().flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap();
        let cases: CaseFile = serde_json::from_str(&text).unwrap();
        for object in cases.cases.iter().flat_map(|case| &case.objects) {
            if let ObjectKind::Mock(mock) = &object.kind {
                types.insert(mock.ty.clone());
            }
        }
    }
    types.len()
}
