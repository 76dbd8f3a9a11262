//! Whole programs of `fixtures/run` with a probe on every edge and every instruction: they must do what they did without,
//! and what they record must hang together.
//!
//! `CILANTRO_RUN=topic/Name` runs only the programs whose name starts so.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use cil::{Module, Pdb};
use common::recording::{Block, Mapping, Start, hook, replace};
use common::{BASE, everything, flow, usual};
use testkit::{Framework, Observed, Program};

#[test]
fn programs_for_10_do_the_same() {
    compare(Framework::Net10);
}

#[test]
fn programs_for_3_1_do_the_same() {
    compare(Framework::NetCore31);
}

/// What these write depends on how the JIT compiles them: with probes `(float)` of a `ulong` rounds twice.
const UP_TO_THE_JIT: [&str; 1] = ["math/UnsignedToSingle"];

fn compare(framework: Framework) {
    let only = std::env::var("CILANTRO_RUN").unwrap_or_default();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/run");
    let mut programs = testkit::programs(&fixtures).unwrap();
    programs.retain(|program| program.framework == framework && program.name.starts_with(&only));
    programs.retain(|program| !UP_TO_THE_JIT.contains(&program.name.as_str()));
    hook();
    let dlls = testkit::compile_all(&programs.iter().map(Program::assembly).collect::<Vec<_>>()).unwrap();
    let (next, differ) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some((program, dll)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    programs.get(index).zip(dlls.get(index))
                } {
                    if let Err(difference) = compare_program(program, dll) {
                        differ.lock().unwrap().push(format!("{}: {difference}", program.name));
                    }
                }
            });
        }
    });
    let mut differ = differ.into_inner().unwrap();
    differ.sort();
    assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.join("\n"));
    assert!(!programs.is_empty() || !only.is_empty());
}

fn compare_program(program: &Program, original: &Path) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let dll = put(original, folder.path());
    let module = Module::open(original).unwrap();
    let probes = match program.topic.as_str() {
        // In code that is not optimised, what lies on the evaluation stack at a probe lives until the method ends.
        "gc" => usual(&module, Pdb::find_for(&module, original).unwrap().as_ref()),
        _ => everything(&module),
    };
    replace(&dll, &module, &probes, BASE);
    let block = Block::new(folder.path(), probes.len());
    let runtime = program.runtime().unwrap();
    let start = Start {
        runtime: &runtime,
        dll: &dll,
        args: &program.args,
        stdin: &program.stdin,
        variables: &program.variables,
        folder: &program.folder().unwrap(),
        mapping: Mapping::StartupHook,
    };
    let mut expected = testkit::observe(program, original).unwrap();
    // A program that races against the clock can end otherwise on a busy machine: then both are run again.
    for more in (0..3).rev() {
        let (code, stdout, stderr) = start.run(&block);
        let observed = placed(Observed::new(code, &stdout, &stderr), &dll);
        let wanted = placed(expected, original);
        if observed == wanted {
            break;
        }
        if more == 0 {
            return Err(format!("{observed:?}\n is not {wanted:?}"));
        }
        expected = testkit::observe_anew(program, original).unwrap();
    }
    let recorded = block.recorded();
    if program.topic != "gc" {
        flow::check(&module, &probes, &recorded);
    }
    if recorded.contains(&true) { Ok(()) } else { Err("nothing was recorded".to_owned()) }
}

/// As if all programs lay in the same folder, and without lines of the source, which only the original knows.
fn placed(observed: Observed, dll: &Path) -> Observed {
    let folder = dll.parent().unwrap().display().to_string();
    let place = |text: String| {
        let text = text.replace(&folder, "<folder>");
        let without_line = |line: &str| {
            let (frame, place) = line.split_once(" in /_/").unwrap_or((line, ""));
            let (_, rest) = place.split_once(":line ").unwrap_or(("", ""));
            format!("{frame}{}", rest.trim_start_matches(|c: char| c.is_ascii_digit()))
        };
        text.split('\n').map(without_line).collect::<Vec<_>>().join("\n")
    };
    Observed { code: observed.code, stdout: place(observed.stdout), stderr: place(observed.stderr) }
}

/// Copies a program into a folder, without its symbols.
fn put(original: &Path, folder: &Path) -> PathBuf {
    let dll = folder.join(original.file_name().unwrap());
    fs::copy(original, &dll).unwrap();
    let config = original.with_extension("runtimeconfig.json");
    fs::copy(&config, folder.join(config.file_name().unwrap())).unwrap();
    dll
}
