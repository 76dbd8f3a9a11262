//! The machine against CoreCLR on methods without inputs: both must compute the same numbers.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use testkit::{Options, Target, Toolchain};
use types::{Probing, Universe};
use vm::{Config, Machine, PathEnd, Stop, Value};

#[test]
fn concrete_methods_compute_what_coreclr_computes() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vm/Concrete.cs");
    for optimize in [true, false] {
        let options = Options { target: Target::Exe, allow_unsafe: true, optimize, ..Options::default() };
        let dll = testkit::compile("Concrete", &[source.as_path()], &options).unwrap();
        let expected = coreclr(&dll);
        assert!(expected.len() >= 15, "{expected:?}");
        let observed: BTreeMap<String, String> =
            expected.keys().map(|name| (name.clone(), interpret(&dll, name))).collect();
        assert_eq!(observed, expected, "optimize: {optimize}");
    }
}

fn coreclr(dll: &Path) -> BTreeMap<String, String> {
    let run = testkit::run_dotnet(dll, &[]).unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = run.stdout.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn interpret(dll: &Path, name: &str) -> String {
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll).unwrap();
    let class = universe.find_type(assembly, "Concrete").unwrap().unwrap();
    let method = universe.find_method(class, name, &[]).unwrap().unwrap();
    let mut machine = Machine::new(universe, Config::default());
    let mut state = machine.start(method).unwrap().remove(0);
    let before = machine.terms.len();
    let stop = machine.run(&mut state, 10_000_000);
    assert_eq!(machine.terms.len(), before, "{name} has no inputs, so no term may be made");
    match stop {
        Stop::End(PathEnd::Returned(Some(Value::I64(value)))) => value.to_string(),
        Stop::End(PathEnd::Threw { ty, thrown_at, .. }) => {
            format!("threw {} at {thrown_at:?}", machine.universe.type_name(ty))
        }
        other => format!("{other:?}"),
    }
}
