//! Speed of the machine on concrete code; where there is a Mono, beside its interpreter on the same loops.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use testkit::{Framework, Options, Target, Toolchain};
use types::{MethodId, Probing, Universe};
use vm::host::CapturingHost;
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine, PathEnd, Stop};

use crate::figure::{Clock, figure, limited};

const LOOPS: [&str; 10] = [
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
];
const RUNS: usize = 3;

pub fn measure() -> Result<()> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vm/Speed.cs");
    let dll = testkit::compile("Speed", &[source.as_path()], &program_options())?;
    let mono = times_of_mono(&source)?;
    let universe = universe(&dll)?;
    let assembly = universe.load(&dll)?;
    let class = universe.find_type(assembly, "Speed")?.context("no class Speed")?;
    let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, Config::for_programs());
    for name in LOOPS {
        let method = universe.find_method(class, name, &[])?.context(name)?;
        let (mut steps, mut seconds) = (0, f64::INFINITY);
        for _ in 0..RUNS {
            let (made, took) = run(&mut machine, method)?;
            (steps, seconds) = if took < seconds { (made, took) } else { (steps, seconds) };
        }
        let speed = steps as f64 / seconds / 1e6;
        figure(format!("concrete {name}"), format!("{speed:.1}"), "million instructions/s");
        if let Some(theirs) = mono.get(name) {
            let times = format!("{:.2}", seconds / theirs);
            figure(format!("{name}, time of mono's interpreter times"), times, "");
        }
    }
    hello()
}

fn program_options() -> Options {
    Options { target: Target::Exe, ..Options::default() }
}

fn universe(dll: &Path) -> Result<Rc<Universe>> {
    let toolchain = Toolchain::locate()?;
    Ok(Rc::new(Universe::new(Probing::for_application(dll, Some(toolchain.runtime_root()))?)))
}

fn run(machine: &mut Machine, method: MethodId) -> Result<(u64, f64)> {
    let mut state = machine.start_untracked(method).map_err(|gap| anyhow::anyhow!("{gap}"))?;
    let started = Clock::start();
    loop {
        match machine.run(&mut state, u64::MAX) {
            Stop::End(PathEnd::Returned(_)) => return Ok((state.steps, started.seconds())),
            Stop::OutOfSteps => {}
            other => bail!("{other:?}"),
        }
    }
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

/// Seconds of processor time that Mono's interpreter needs for each loop; nothing where there is no Mono.
fn times_of_mono(source: &Path) -> Result<BTreeMap<String, f64>> {
    let Some(mono) = Toolchain::locate()?.mono() else { return Ok(BTreeMap::new()) };
    let options = Options { framework: Framework::Mono, ..program_options() };
    let dll: PathBuf = testkit::compile("SpeedOnMono", &[source], &options)?;
    let mut command = Command::new(mono.executable);
    command.envs(mono.config.map(|folder| ("MONO_CFG_DIR", folder)));
    let output = command.arg("--interpreter").arg(&dll).arg("+").args(LOOPS).output()?;
    ensure!(output.status.success(), "mono: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    Ok(lines.filter_map(|(name, ns)| Some((name.to_owned(), ns.parse::<f64>().ok()? / 1e9))).collect())
}
