//! Jumps that compilers do not emit: `Jumps.cs` writes them with `System.Reflection.Emit` and says for some inputs which
//! edges must be taken; the runtime and the probes must agree with it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cil::Module;
use common::check::check;
use common::recording::{Block, Mapping, Start, full_opts, replace};
use common::{BASE, everything, flow};
use instrument::{Edge, Place, Probe, edges};
use testkit::{Options, Target, Toolchain};

#[test]
fn edges_are_recorded_when_they_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let expected = emit(folder.path());
    let dll = folder.path().join("Jumped.dll");
    let module = Module::from_vec(fs::read(&dll).unwrap()).unwrap();
    let original = run(folder.path(), 0, &[]);
    for probes in [everything(&module), only_edges(&module)] {
        let copy = replace(&dll, &module, &probes, BASE);
        check(&module, &probes, BASE, &copy);
        for variables in [vec![], vec![full_opts()]] {
            let recorded = run(folder.path(), probes.len(), &variables);
            assert_eq!(recorded.lines().count(), expected.lines().count());
            assert_eq!(results(&recorded), results(&original));
            for (expected, recorded) in expected.lines().zip(recorded.lines()) {
                compare(&module, &probes, expected, recorded);
            }
        }
    }
    assert!(expected.lines().count() > 200, "{}", expected.lines().count());
}

/// What each method returned for each input.
fn results(recorded: &str) -> Vec<&str> {
    recorded.lines().map(|line| line.split_once(" :").unwrap().0).collect()
}

fn only_edges(module: &Module) -> Vec<Probe> {
    let mut probes = Vec::new();
    for method in module.method_defs() {
        let body = module.method_body(method).unwrap().unwrap();
        probes.extend(edges(&body).unwrap().into_iter().map(|edge| Probe::edge(method, edge)));
    }
    probes
}

/// `expected` is `method input result from>to …`, `recorded` is `method input result : probe …`.
fn compare(module: &Module, probes: &[Probe], expected: &str, recorded: &str) {
    let mut expected = expected.split(' ');
    let (name, fired) = recorded.split_once(" :").unwrap();
    let call: Vec<&str> = expected.by_ref().take(3).collect();
    assert_eq!(call.join(" "), name);
    let expected: BTreeSet<Edge> = expected
        .map(|edge| {
            let (from, to) = edge.split_once('>').unwrap();
            Edge { from: from.parse().unwrap(), to: to.parse().unwrap() }
        })
        .collect();
    let fired: BTreeSet<usize> = fired.split_whitespace().map(|number| number.parse().unwrap()).collect();
    let method =
        module.method_defs().find(|method| module.method_def(*method).unwrap().name == call[0]).unwrap();
    let taken: BTreeSet<Edge> = fired
        .iter()
        .filter_map(|&number| match probes[number] {
            Probe { method: of, place: Place::Edge(edge) } if of == method => Some(edge),
            _ => None,
        })
        .collect();
    assert_eq!(taken, expected, "{name}");
    if probes.iter().any(|probe| matches!(probe.place, Place::Reached(_))) {
        let recorded: Vec<bool> = (0..probes.len()).map(|number| fired.contains(&number)).collect();
        flow::check(module, probes, &recorded);
    }
}

fn tool() -> PathBuf {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let sources = [data.join("Jumps.cs"), data.join("JumpsMore.cs")];
    let options = Options { target: Target::Exe, allow_unsafe: true, ..Options::default() };
    testkit::compile("Jumps", &sources.each_ref().map(PathBuf::as_path), &options).unwrap()
}

/// Writes the assembly, and a file of what is expected.
fn emit(folder: &Path) -> String {
    let dll = folder.join("Jumped.dll").display().to_string();
    let emitted = testkit::run_dotnet(&tool(), &["emit", &dll]).unwrap();
    assert_eq!(emitted.code, Some(0), "{}", emitted.stderr);
    let expected = emitted.stdout.replace("\r\n", "\n");
    fs::write(folder.join("expected.txt"), &expected).unwrap();
    expected
}

fn run(folder: &Path, probes: usize, variables: &[(String, String)]) -> String {
    let block = Block::new(folder, probes);
    let path = |name: &str| folder.join(name).display().to_string();
    let start = Start {
        runtime: &Toolchain::locate().unwrap().dotnet(),
        dll: &tool(),
        args: &["run".to_owned(), path("Jumped.dll"), path("expected.txt")],
        stdin: "",
        variables,
        folder,
        mapping: Mapping::StartupHook,
    };
    let (code, stdout, stderr) = start.run(&block);
    assert_eq!(code, 0, "{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}
