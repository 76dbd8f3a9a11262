//! Speed of the machine on concrete code, as lines for `cargo xtask bench`.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use testkit::{Options, Toolchain};
use types::{Probing, Universe};
use vm::{Config, Machine, PathEnd, Stop};

fn main() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vm/Speed.cs");
    let dll = testkit::compile("Speed", &[source.as_path()], &Options::default()).unwrap();
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(&dll, Some(toolchain.runtime_root())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(&dll).unwrap();
    let class = universe.find_type(assembly, "Speed").unwrap().unwrap();
    let mut machine = Machine::new(Rc::clone(&universe), Config::default());
    for name in ["Integers", "Arrays", "Calls", "Virtuals", "Structs"] {
        let method = universe.find_method(class, name, &[]).unwrap().unwrap();
        let best = (0..3).map(|_| rate(&mut machine, method)).fold(0.0, f64::max);
        println!("concrete {name}\t{:.1}\tmillion instructions/s", best / 1e6);
    }
}

fn rate(machine: &mut Machine, method: types::MethodId) -> f64 {
    let mut state = machine.start(method).unwrap().remove(0);
    let started = Instant::now();
    let stop = machine.run(&mut state, u64::MAX);
    assert!(matches!(stop, Stop::End(PathEnd::Returned(_))), "{stop:?}");
    state.steps as f64 / started.elapsed().as_secs_f64()
}
