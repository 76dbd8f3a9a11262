//! The methods of a class of `fixtures/vm`, one after the other: in the machine, on Mono's interpreter, on CoreCLR.
//!
//! Time is processor time, and each method has run before: code is decoded or compiled then.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

use anyhow::{Context, Result, bail, ensure};
use testkit::{Framework, Options, Target, Toolchain};
use types::{MethodId, Probing, Universe};
use vm::{Config, Machine, PathEnd, Stop, Value};

use crate::figure::Clock;

/// The least of so many runs counts.
const RUNS: usize = 3;
/// Seconds below which a time says nothing.
const MEASURABLE: f64 = 0.04;

/// Methods without parameters that return a number, in a class that is a file and a program as well.
pub struct Collection {
    pub class: &'static str,
    pub names: &'static [&'static str],
}

/// What the machine needed for a method.
pub struct InMachine {
    pub name: &'static str,
    pub steps: u64,
    pub seconds: f64,
    pub result: Option<i64>,
}

/// What a real runtime needed.
pub struct OnRuntime {
    pub seconds: f64,
    pub result: Option<i64>,
}

impl Collection {
    fn source(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../fixtures/vm/{}.cs", self.class))
    }

    fn dll(&self) -> Result<PathBuf> {
        Ok(testkit::compile(self.class, &[self.source().as_path()], &program_options())?)
    }

    pub fn in_machine(&self) -> Result<Vec<InMachine>> {
        let dll = self.dll()?;
        let universe = universe(&dll)?;
        let assembly = universe.load(&dll)?;
        let class = universe.find_type(assembly, self.class)?.context(self.class)?;
        let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, Config::for_programs());
        let mut all = Vec::new();
        for name in self.names {
            let method = universe.find_method(class, name, &[])?.context(*name)?;
            run(&mut machine, method)?;
            let mut best = timed(&mut machine, name, method)?;
            for _ in 1..RUNS {
                let again = timed(&mut machine, name, method)?;
                best = if again.seconds < best.seconds { again } else { best };
            }
            all.push(best);
        }
        Ok(all)
    }

    /// Nothing where there is no Mono.
    pub fn on_mono(&self) -> Result<BTreeMap<String, OnRuntime>> {
        let Some(mono) = Toolchain::locate()?.mono() else { return Ok(BTreeMap::new()) };
        let options = Options { framework: Framework::Mono, ..program_options() };
        let dll = testkit::compile(&format!("{}OnMono", self.class), &[self.source().as_path()], &options)?;
        let mut command = Command::new(mono.executable);
        command.envs(mono.config.map(|folder| ("MONO_CFG_DIR", folder)));
        self.times(command.arg("--interpreter").arg(&dll))
    }

    pub fn on_coreclr(&self) -> Result<BTreeMap<String, OnRuntime>> {
        let mut command = Command::new(Toolchain::locate()?.dotnet());
        self.times(command.arg("exec").arg(self.dll()?))
    }

    /// The program prints a line for each method: its name, nanoseconds, and possibly the result.
    fn times(&self, command: &mut Command) -> Result<BTreeMap<String, OnRuntime>> {
        let output = testkit::run(command.arg("+").args(self.names))?;
        ensure!(output.code == Some(0), "{}: {}", self.class, output.stderr);
        let mut all = BTreeMap::new();
        for line in output.stdout.lines() {
            let mut words = line.split(' ');
            let (Some(name), Some(ns)) = (words.next(), words.next()) else { continue };
            let result = words.next().and_then(|result| result.parse().ok());
            all.insert(name.to_owned(), OnRuntime { seconds: ns.parse::<f64>()? / 1e9, result });
        }
        Ok(all)
    }
}

pub fn program_options() -> Options {
    Options { target: Target::Exe, ..Options::default() }
}

pub fn universe(dll: &Path) -> Result<Rc<Universe>> {
    let toolchain = Toolchain::locate()?;
    Ok(Rc::new(Universe::new(Probing::for_application(dll, Some(toolchain.runtime_root()))?)))
}

/// As often as it takes until the time can be measured: the system counts it in pieces of some milliseconds.
fn timed(machine: &mut Machine, name: &'static str, method: MethodId) -> Result<InMachine> {
    let started = Clock::start();
    let mut rounds = 0;
    loop {
        let (steps, result) = run(machine, method)?;
        rounds += 1;
        let seconds = started.seconds();
        if seconds >= MEASURABLE {
            return Ok(InMachine { name, steps, seconds: seconds / f64::from(rounds), result });
        }
    }
}

/// Instructions and the result.
fn run(machine: &mut Machine, method: MethodId) -> Result<(u64, Option<i64>)> {
    let mut state = machine.start_untracked(method).map_err(|gap| anyhow::anyhow!("{gap}"))?;
    loop {
        match machine.run(&mut state, u64::MAX) {
            Stop::End(PathEnd::Returned(Some(Value::I64(value)))) => return Ok((state.steps, Some(value))),
            Stop::End(PathEnd::Returned(_)) => return Ok((state.steps, None)),
            Stop::OutOfSteps => {}
            other => bail!("{other:?}"),
        }
    }
}
