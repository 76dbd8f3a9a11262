//! How much work programs are: instructions are the same on every machine, so their number is a limit that can be kept. What
//! the programs compute is compared with CoreCLR.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use testkit::{Options, Target, Toolchain};
use types::{Probing, Universe};
use vm::{Config, Machine, PathEnd, Stop, Value};

/// Programs of `fixtures/vm/Programs.cs`, and how many instructions each may take: some more than it does.
const MOST: [(&str, u64); 3] = [
    // 200 rounds of three searches through some 2,500 characters.
    ("IndexOf", 150_000),
    ("SplitJoin", 2_000_000),
    ("Recursion", 2_000_000),
];

#[test]
fn programs_take_no_more_instructions_than_they_should() {
    let dll = programs();
    let names: Vec<&str> = MOST.iter().map(|(name, _)| *name).collect();
    let expected = coreclr(&dll, &names);
    for (name, most) in MOST {
        let (result, steps) = interpret(&dll, name, true);
        assert_eq!(Some(&result), expected.get(name), "{name}");
        assert!(steps <= most, "{name}: {steps} instructions, {most} allowed");
    }
}

/// Whatever goes a short way counts as the long one does.
#[test]
fn the_short_way_counts_the_same_instructions() {
    let dll = programs();
    assert_eq!(interpret(&dll, "SplitJoin", true), interpret(&dll, "SplitJoin", false));
}

fn programs() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vm/Programs.cs");
    let options = Options { target: Target::Exe, ..Options::default() };
    testkit::compile("Programs", &[source.as_path()], &options).unwrap()
}

fn coreclr(dll: &Path, names: &[&str]) -> BTreeMap<String, i64> {
    let run = testkit::run_dotnet(dll, names).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = run.stdout.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect()
}

/// What a program computes, and in how many instructions.
fn interpret(dll: &Path, name: &str, short_way: bool) -> (i64, u64) {
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll).unwrap();
    let class = universe.find_type(assembly, "Programs").unwrap().unwrap();
    let method = universe.find_method(class, name, &[]).unwrap().unwrap();
    let config = Config { short_way, ..Config::for_programs() };
    let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, config);
    let mut state = machine.start_untracked(method).unwrap();
    match machine.run(&mut state, 100_000_000) {
        Stop::End(PathEnd::Returned(Some(Value::I64(result)))) => (result, state.steps),
        stop => panic!("{name}: {stop:?}"),
    }
}
