//! The machine against CoreCLR on code that no compiler emits: `fixtures/il` and `fixtures/refused` write assemblies of
//! small methods with `System.Reflection.Emit`, and both machines run them. The first has thousands of single
//! instructions, the second bodies that the JIT refuses.

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
    both("il", "Instructions", 400);
}

#[test]
fn what_the_jit_refuses_is_refused() {
    both("refused", "Refused", 600);
}

/// Runs what a folder of fixtures writes on both machines; it must say at least so many lines.
fn both(folder: &str, name: &str, lines: usize) {
    let dll = emitted(folder, name);
    let expected = testkit::run_dotnet(&dll, &[]).unwrap();
    assert_eq!(expected.code, Some(100), "{}{}", expected.stdout, expected.stderr);
    let said = expected.stdout.lines().count();
    assert!(said > lines, "only {said} lines");
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
fn emitted(folder: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder);
    let files = testkit::csharp_files(&folder).unwrap();
    let sources: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let options = Options { target: Target::Exe, allow_unsafe: true, ..Options::default() };
    let emitter = testkit::compile("Emit", &sources, &options).unwrap();
    let dll = emitter.with_file_name(format!("{name}.dll"));
    if !dll.is_file() {
        let config = emitter.with_file_name("Emit.runtimeconfig.json");
        fs::copy(config, emitter.with_file_name(format!("{name}.runtimeconfig.json"))).unwrap();
        let unfinished = emitter.with_file_name(format!("{name}-{}.tmp", std::process::id()));
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

/// The class library is valid, and so is what its parts use of each other.
#[test]
fn nothing_of_the_class_library_is_refused() {
    let toolchain = Toolchain::locate().unwrap();
    let universe = Universe::new(Probing::framework_folder(toolchain.framework_dir()).unwrap());
    let mut compiled = 0;
    for name in [
        "System.Private.CoreLib",
        "System.Linq",
        "System.Collections",
        "System.Text.Json",
        "System.Private.Xml",
    ] {
        let assembly = universe.load_by_name(name).unwrap().unwrap();
        for ty in universe.type_defs(assembly).filter_map(Result::ok) {
            for method in universe.methods(ty).unwrap() {
                let info = universe.method(*method);
                let is_open = !info.args.is_empty() || !universe.type_args(ty).is_empty();
                if is_open || info.is_abstract() {
                    continue;
                }
                let Ok(code) = vm::decode::compile(&universe, *method) else { continue };
                compiled += 1;
                assert!(code.refusals.is_empty(), "{}: {:?}", universe.method_id(*method), code.refusals);
            }
        }
    }
    assert!(compiled > 30_000, "only {compiled} methods");
}
