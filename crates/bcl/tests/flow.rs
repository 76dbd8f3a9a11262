//! Control flow as data against what runs do: every step that the machine takes inside of a body is a way of its graph.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;

use testkit::{Options, Target, Toolchain};
use types::{Probing, Universe};
use vm::code::Code;
use vm::state::OnReturn;
use vm::{Config, Machine, State, Stop};

#[test]
fn every_step_is_a_way_of_the_graph() {
    let mut seen = Seen::default();
    for (class, optimize) in [("Ways", true), ("Ways", false), ("Concrete", true), ("Text", true)] {
        follow(class, optimize, &mut seen);
    }
    assert!(seen.bodies.len() > 500 && seen.ways.len() > 8_000, "{} {}", seen.bodies.len(), seen.ways.len());
    assert!(seen.exceptional > 20 && seen.filters > 5, "{} {}", seen.exceptional, seen.filters);
    assert!(seen.back > 100, "{}", seen.back);
}

/// What the runs went through, to show that something was compared.
#[derive(Default)]
struct Seen {
    bodies: BTreeSet<String>,
    ways: BTreeSet<(String, u32, u32)>,
    exceptional: usize,
    filters: usize,
    back: usize,
}

impl Seen {
    fn note(&mut self, code: &Code, from: u32, to: u32) {
        let flow = code.flow();
        let (name, at) = (&code.name, |op: u32| code.il_offsets.get(op as usize));
        assert!(flow.has_way(from, to), "{name} has no way from {:x?} to {:x?}", at(from), at(to));
        assert!(flow.is_reachable(from) && flow.is_reachable(to), "{name} {:x?}", at(from));
        // Whoever comes to an operation again has passed a loop head.
        if flow.goes_back(from, to) {
            assert!(flow.is_loop_head(to), "{name} {:x?}", at(to));
        }
        if self.ways.insert((name.clone(), from, to)) {
            let way = flow.successors(from).iter().find(|way| way.to == to).unwrap();
            self.exceptional += usize::from(way.kind.is_exceptional());
            self.back += usize::from(flow.goes_back(from, to));
        }
        self.bodies.insert(name.clone());
    }
}

/// A frame as it was before a step.
struct Shadow {
    code: Rc<Code>,
    pc: u32,
}

fn follow(class: &str, optimize: bool, seen: &mut Seen) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/vm/{class}.cs"));
    let options = Options { target: Target::Exe, allow_unsafe: true, optimize, ..Options::default() };
    let dll = testkit::compile(class, &[source.as_path()], &options).unwrap();
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(&dll, Some(toolchain.runtime_root())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(&dll).unwrap();
    let class = universe.find_type(assembly, class).unwrap().unwrap();
    let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, Config::for_programs());
    let methods = universe.methods(class).unwrap().iter().copied();
    let plain = methods.filter(|method| {
        let info = universe.method(*method);
        let is_plain = universe.signature(*method).unwrap().params.is_empty();
        is_plain && info.is_public() && &*info.name != "Main" && !info.is_static_constructor()
    });
    for method in plain {
        machine.reset();
        let mut state = machine.start(method).unwrap().remove(0);
        run(&mut machine, &mut state, seen);
    }
}

/// Runs step by step.
fn run(machine: &mut Machine, state: &mut State, seen: &mut Seen) {
    let mut shadows = shadows(state);
    for _ in 0..60_000 {
        let stop = machine.run(state, 1);
        if !matches!(stop, Stop::OutOfSteps) {
            assert!(matches!(stop, Stop::End(vm::PathEnd::Returned(_))), "{stop:?}");
            return;
        }
        let frames: Vec<_> = state.frames().collect();
        // From the base upwards: a frame that is still there with the same code has gone on in it.
        for (shadow, frame) in shadows.iter().zip(frames.iter().rev()) {
            let is_same = Rc::ptr_eq(&shadow.code, &frame.code);
            if is_same && shadow.pc != frame.pc {
                seen.note(&frame.code, shadow.pc, frame.pc);
            }
        }
        // A filter runs in a frame of its own, on top of the one that it belongs to.
        if frames.len() > shadows.len()
            && let OnReturn::Filter { depth, .. } = state.top.on_return
            && let Some(owner) = shadows.get(depth as usize - 1)
        {
            seen.note(&owner.code, owner.pc, state.top.pc);
            seen.filters += 1;
        }
        shadows = self::shadows(state);
    }
}

fn shadows(state: &State) -> Vec<Shadow> {
    let mut shadows: Vec<Shadow> =
        state.frames().map(|frame| Shadow { code: Rc::clone(&frame.code), pc: frame.pc }).collect();
    shadows.reverse();
    shadows
}
