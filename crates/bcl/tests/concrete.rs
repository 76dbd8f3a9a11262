//! The machine against CoreCLR on methods without inputs: both must compute the same numbers and texts.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use testkit::{Options, Target, Toolchain};
use types::{Probing, Universe};
use vm::heap::split_address;
use vm::{Config, Machine, Mode, PathEnd, State, Stop, Value};

#[test]
fn concrete_methods_compute_what_coreclr_computes() {
    for optimize in [true, false] {
        compare("Concrete", optimize, 15, Mode::Program);
    }
}

#[test]
fn text_is_made_as_on_coreclr() {
    compare("Text", true, 25, Mode::Program);
}

/// A model is for methods of the framework, not for all that are called so.
#[test]
fn types_with_names_of_the_framework_have_their_own_code() {
    for mode in [Mode::Program, Mode::Follow, Mode::Explore] {
        compare("Polyfills", true, 8, mode);
    }
}

/// Runs all methods of the fixture's class on both machines.
fn compare(class: &str, optimize: bool, at_least: usize, mode: Mode) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/vm/{class}.cs"));
    let options = Options { target: Target::Exe, allow_unsafe: true, optimize, ..Options::default() };
    let dll = testkit::compile(class, &[source.as_path()], &options).unwrap();
    let expected = coreclr(&dll);
    assert!(expected.len() >= at_least, "{expected:?}");
    let names: Vec<&String> = expected.keys().collect();
    let observed = interpret(&dll, class, &names, mode);
    assert_eq!(observed, expected, "{class}, optimize: {optimize}, {mode:?}");
}

fn coreclr(dll: &Path) -> BTreeMap<String, String> {
    let run = testkit::run_dotnet(dll, &[]).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = run.stdout.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn interpret(dll: &Path, class: &str, names: &[&String], mode: Mode) -> BTreeMap<String, String> {
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll).unwrap();
    let class = universe.find_type(assembly, class).unwrap().unwrap();
    let config = Config { mode, ..Config::default() };
    let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, config);
    let mut results = BTreeMap::new();
    for &name in names {
        let method = universe.find_method(class, name, &[]).unwrap().unwrap();
        let string = universe.well_known().unwrap().string;
        let is_text = universe.signature(method).unwrap().ret == string;
        machine.reset();
        let mut state = machine.start(method).unwrap().remove(0);
        let before = machine.terms.len();
        let stop = machine.run(&mut state, 20_000_000);
        assert_eq!(machine.terms.len(), before, "{name} has no inputs, so no term may be made");
        results.insert(name.clone(), describe(&machine, &state, &stop, is_text));
    }
    results
}

fn describe(machine: &Machine, state: &State, stop: &Stop, is_text: bool) -> String {
    match stop {
        Stop::End(PathEnd::Returned(Some(Value::I64(value)))) if is_text => {
            text(state, value.cast_unsigned())
        }
        Stop::End(PathEnd::Returned(Some(Value::I64(value)))) => value.to_string(),
        Stop::End(PathEnd::Threw { ty, thrown_at, .. }) => {
            format!("threw {} at {thrown_at:?}", machine.universe.type_name(*ty))
        }
        other => format!("{other:?}"),
    }
}

/// A string of the machine, written as the fixtures' `Main` writes it.
fn text(state: &State, string: u64) -> String {
    let (block, _) = split_address(string);
    let Some(bytes) = state.heap.get(block).and_then(|block| block.bytes.concrete()) else {
        return "no string".to_owned();
    };
    let len = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
    let units: Vec<u16> =
        bytes[4..4 + 2 * len].chunks(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
    String::from_utf16_lossy(&units).replace('\n', "\\n")
}
