//! The machine against CoreCLR on instructions that no compiler emits: `fixtures/il` writes an assembly of thousands of
//! small methods with `System.Reflection.Emit`, and both machines run it.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use testkit::{Options, Target, Toolchain};
use types::{Probing, Universe};
use vm::host::CapturingHost;
use vm::program::{Ending, Limits};
use vm::{Config, Machine};

#[test]
fn instructions_do_what_they_do_on_coreclr() {
    let dll = emitted();
    let expected = testkit::run_dotnet(&dll, &[]).unwrap();
    assert_eq!(expected.code, Some(100), "{}{}", expected.stdout, expected.stderr);
    let groups = expected.stdout.lines().count();
    assert!(groups > 400, "only {groups} groups of tests");
    for short_way in [true, false] {
        let (ending, observed) = interpret(&dll, short_way);
        compare(&expected.stdout, &observed);
        assert_eq!(ending, Ending::Exited(100));
    }
}

fn compare(expected: &str, observed: &str) {
    let differ: Vec<String> = expected
        .lines()
        .zip(observed.lines().map(Some).chain(std::iter::repeat(None)))
        .filter(|(theirs, ours)| Some(*theirs) != *ours)
        .map(|(theirs, ours)| format!("- {theirs}\n+ {}", ours.unwrap_or("nothing")))
        .collect();
    for lines in differ.iter().take(40) {
        eprintln!("{lines}");
    }
    assert_eq!(differ.len(), 0);
}

/// The assembly that the fixture writes, beside the fixture's own, whose helpers it uses.
fn emitted() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/il");
    let files = testkit::csharp_files(&folder).unwrap();
    let sources: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let options = Options { target: Target::Exe, allow_unsafe: true, ..Options::default() };
    let emitter = testkit::compile("Emit", &sources, &options).unwrap();
    let dll = emitter.with_file_name("Instructions.dll");
    if !dll.is_file() {
        let config = emitter.with_file_name("Emit.runtimeconfig.json");
        fs::copy(config, emitter.with_file_name("Instructions.runtimeconfig.json")).unwrap();
        let unfinished = emitter.with_file_name(format!("Instructions-{}.tmp", std::process::id()));
        let run = testkit::run_dotnet(&emitter, &[&unfinished.display().to_string()]).unwrap();
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        fs::rename(unfinished, &dll).unwrap();
    }
    dll
}

fn interpret(dll: &Path, short_way: bool) -> (Ending, String) {
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(dll, Some(&toolchain.dotnet())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll).unwrap();
    let host = Rc::new(RefCell::new(CapturingHost::default()));
    let mut machine =
        Machine::new(universe, &bcl::ClassLibrary, Config { short_way, ..Config::for_programs() });
    machine.host = Box::new(Rc::clone(&host));
    let limits = Limits { max_steps: 200_000_000, deadline: None };
    let ending = vm::program::run(&mut machine, assembly, &[], limits);
    let output = String::from_utf8_lossy(&host.borrow().out).into_owned();
    (ending, output)
}
