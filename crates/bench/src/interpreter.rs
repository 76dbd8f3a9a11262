//! Speed of the machine on concrete code; where there is a Mono, beside its interpreter on the same loops.

use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;

use anyhow::{Result, ensure};
use vm::host::CapturingHost;
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine};

use crate::figure::{figure, limited};
use crate::timed::{Collection, program_options, universe};

const LOOPS: Collection = Collection {
    class: "Speed",
    names: &[
        "Integers",
        "Arrays",
        "Calls",
        "Virtuals",
        "Structs",
        "Floats",
        "Strings",
        "Dictionaries",
        "Sieve",
        "Matrices",
    ],
};

pub fn measure() -> Result<()> {
    let mono = LOOPS.on_mono()?;
    for ours in LOOPS.in_machine()? {
        let speed = ours.steps as f64 / ours.seconds / 1e6;
        figure(format!("concrete {}", ours.name), format!("{speed:.1}"), "million instructions/s");
        if let Some(theirs) = mono.get(ours.name) {
            let times = format!("{:.2}", ours.seconds / theirs.seconds);
            figure(format!("{}, time of mono's interpreter times", ours.name), times, "");
        }
    }
    hello()
}

/// The start-up and the whole of the smallest program, in time that passes.
fn hello() -> Result<()> {
    let text = "System.Console.WriteLine(\"Hello, World!\");\n";
    let dll = testkit::compile("Hello", &[("Hello.cs", text)], &program_options())?;
    let least =
        |limits| (0..5).try_fold(f64::INFINITY, |least, _| anyhow::Ok(least.min(time_of(&dll, limits)?)));
    let first = least(Limits { max_steps: 1, deadline: None })?;
    limited("start-up to the first instruction", format!("{first:.4}"), "s", 0.3);
    limited("hello world", format!("{:.4}", least(Limits::NONE)?), "s", 1);
    Ok(())
}

fn time_of(dll: &Path, limits: Limits) -> Result<f64> {
    let started = Instant::now();
    let universe = universe(dll)?;
    let assembly = universe.load(dll)?;
    let host = Rc::new(RefCell::new(CapturingHost::default()));
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    machine.host = Box::new(Rc::clone(&host));
    match program::run(&mut machine, assembly, &[], limits) {
        Ending::Exited(0) => ensure!(host.borrow().out == b"Hello, World!\n", "it says something else"),
        ending => ensure!(limits.max_steps == 1, "{ending:?}"),
    }
    Ok(started.elapsed().as_secs_f64())
}
