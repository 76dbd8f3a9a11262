//! Many programs in one assembly, run by both machines and compared program by program.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context, Result, anyhow, bail};
use testkit::{Assembly, Options, Source, Target, Toolchain};
use types::{Probing, Universe};
use vm::host::{CapturingHost, World};
use vm::program::{Ending, Limits};
use vm::{Config, Machine};

use crate::generate::{self, Program};

/// What became of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// The first line that is not the same.
    Differs {
        ours: String,
        theirs: String,
    },
    /// The machine could not go on.
    Stopped(String),
}

/// How programs are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flavour {
    pub optimize: bool,
    pub checked: bool,
}

impl Flavour {
    /// Batches take turns.
    pub fn of(number: u64) -> Flavour {
        Flavour { optimize: number.is_multiple_of(2), checked: number % 4 >= 2 }
    }
}

/// Enough for any batch, and an end for one that hangs.
const LIMITS: Limits = Limits { max_steps: 400_000_000, deadline: None };

/// The lines that each program wrote, by its class.
pub type Sections = BTreeMap<String, Vec<String>>;

pub fn assembly(programs: &[Program], flavour: Flavour) -> Assembly {
    let options = Options {
        target: Target::Exe,
        allow_unsafe: true,
        optimize: flavour.optimize,
        checked: flavour.checked,
        ..Options::default()
    };
    let sources = vec![Source::text("Programs.cs", &generate::file(programs))];
    Assembly { name: "Programs".to_owned(), sources, options }
}

/// Compiles and runs the programs both ways.
pub fn compare(programs: &[Program], flavour: Flavour, folder: &Path) -> Result<Vec<Verdict>> {
    let mut dlls = testkit::compile_each(&[assembly(programs, flavour)], folder)?;
    let dll = dlls.pop().context("no assembly")??;
    compare_compiled(programs, &dll)
}

pub fn compare_compiled(programs: &[Program], dll: &Path) -> Result<Vec<Verdict>> {
    interpret_with(programs, dll, dll)
}

/// Compares what CoreCLR does with one assembly to what the machine does with another; they are the same, except where
/// the comparison itself is tested.
pub fn interpret_with(programs: &[Program], dll: &Path, for_machine: &Path) -> Result<Vec<Verdict>> {
    let theirs = coreclr(dll)?;
    let ours = interpret(programs, for_machine)?;
    programs
        .iter()
        .map(|program| {
            let class = program.class();
            let theirs = theirs.get(&class).with_context(|| format!("CoreCLR did not run {class}"))?;
            Ok(match ours.get(&class) {
                Some(Ok(lines)) => judge(lines, theirs),
                Some(Err(gap)) => Verdict::Stopped(gap.clone()),
                None => Verdict::Stopped("it was not run".to_owned()),
            })
        })
        .collect()
}

/// The first difference.
pub fn judge(ours: &[String], theirs: &[String]) -> Verdict {
    let end = || "its end".to_owned();
    for index in 0..ours.len().max(theirs.len()) {
        let (a, b) = (ours.get(index), theirs.get(index));
        if a != b {
            return Verdict::Differs {
                ours: a.cloned().unwrap_or_else(end),
                theirs: b.cloned().unwrap_or_else(end),
            };
        }
    }
    Verdict::Same
}

fn coreclr(dll: &Path) -> Result<Sections> {
    let finished = testkit::run_dotnet(dll, &[])?;
    if finished.code != Some(0) {
        bail!("CoreCLR ended with {:?}: {}", finished.code, finished.stderr);
    }
    Ok(sections(&finished.stdout))
}

fn sections(output: &str) -> Sections {
    let mut sections = Sections::new();
    let mut current = None;
    for line in output.lines() {
        if let Some(name) = line.strip_prefix("== ") {
            current = Some(sections.entry(name.to_owned()).or_default());
        } else if let Some(lines) = &mut current {
            lines.push(line.to_owned());
        }
    }
    sections
}

/// Runs all programs in one machine; where it stops in one of them, the others are run on their own.
fn interpret(programs: &[Program], dll: &Path) -> Result<BTreeMap<String, Result<Vec<String>, String>>> {
    let mut results = BTreeMap::new();
    let mut left: Vec<String> = programs.iter().map(Program::class).collect();
    while !left.is_empty() {
        let (output, stopped) = run_once(dll, &left)?;
        let sections = sections(&output);
        let last = left.iter().rposition(|name| sections.contains_key(name));
        let Some(last) = last else { bail!("nothing was run: {}", stopped.unwrap_or_default()) };
        let ran: Vec<String> = left.drain(..=last).collect();
        for (index, name) in ran.iter().enumerate() {
            let result = match &stopped {
                Some(gap) if index == last => Err(gap.clone()),
                _ => Ok(sections.get(name).cloned().unwrap_or_default()),
            };
            results.insert(name.clone(), result);
        }
        if stopped.is_none() {
            break;
        }
    }
    Ok(results)
}

/// What was written, and why the machine stopped if it did.
fn run_once(dll: &Path, names: &[String]) -> Result<(String, Option<String>)> {
    let toolchain = Toolchain::locate()?;
    let probing = Probing::for_application(dll, Some(&toolchain.dotnet())).map_err(|e| anyhow!("{e}"))?;
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll).map_err(|e| anyhow!("{e}"))?;
    let command_line = [dll.display().to_string()].into_iter().chain(names.iter().cloned()).collect();
    let world = Rc::new(World { command_line, ..World::default() });
    let host = Rc::new(RefCell::new(CapturingHost { world, ..CapturingHost::default() }));
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    machine.host = Box::new(Rc::clone(&host));
    let ending = catch_unwind(AssertUnwindSafe(|| vm::program::run(&mut machine, assembly, names, LIMITS)));
    let stopped = match ending {
        Ok(Ending::Exited(0)) => None,
        Ok(Ending::Exited(code)) => Some(format!("exit code {code}")),
        Ok(Ending::Stopped { gap, stack }) => {
            let inside = stack.first().map(String::as_str).unwrap_or_default();
            Some(format!("{gap:?} in {inside}"))
        }
        Err(_) => Some("the machine panics".to_owned()),
    };
    let output = String::from_utf8_lossy(&host.borrow().out).into_owned();
    Ok((output, stopped))
}

/// A folder for assemblies that is gone afterwards.
pub fn scratch() -> Result<(tempfile::TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().to_path_buf();
    Ok((folder, path))
}
