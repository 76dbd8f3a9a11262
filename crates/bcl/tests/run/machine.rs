//! A program in the machine.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use bcl::Cultures;
use types::{Probing, Universe};
use verdict::Reason;
use vm::host::{CapturingHost, FROZEN_TICKS, Folder, LocalZone, Platform, World, Zones};
use vm::program::{Ending, Limits};
use vm::{Config, Machine};

use testkit::{Observed, Program};

/// Enough for every program of the suite, and an end for one that hangs.
const LIMITS: Limits = Limits { max_steps: 1_000_000_000, deadline: None };

/// What the program leaves behind, and what `look` finds in the machine afterwards.
pub fn run<T>(
    program: &Program,
    dll: &Path,
    look: impl FnOnce(&Machine) -> T,
) -> Result<(Observed, T), String> {
    match catch_unwind(AssertUnwindSafe(|| interpret(program, dll, look))) {
        Ok(result) => result,
        Err(_) => Err("panics".to_owned()),
    }
}

/// Hundreds of nanoseconds since the first of January of the year 1.
fn now() -> u64 {
    const UNIX_EPOCH_TICKS: u64 = 621_355_968_000_000_000;
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    UNIX_EPOCH_TICKS + since.as_nanos() as u64 / 100
}

/// Those of the runtime that the program is compared with.
fn cultures(program: &Program, probing: &Probing) -> Cultures {
    let framework = |found: &types::SharedFramework| culture::Framework {
        name: found.name.clone(),
        version: found.version.clone(),
    };
    let runtime = culture::Runtime {
        muxer: program.runtime().unwrap(),
        frameworks: probing.frameworks().iter().rev().map(framework).collect(),
        environment: testkit::world(program)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), Some(value)))
            .collect(),
        ..culture::Runtime::default()
    };
    let answers = culture::Globalization::new(runtime, culture::Limits::default());
    let culture = program.culture.as_deref().unwrap_or_default();
    Cultures::of(Arc::new(answers)).starting_in(culture, culture)
}

fn interpret<T>(
    program: &Program,
    dll: &Path,
    look: impl FnOnce(&Machine) -> T,
) -> Result<(Observed, T), String> {
    let probing = Probing::for_application(dll, Some(&program.framework_root().unwrap())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll).unwrap();
    let mut command_line = vec![dll.display().to_string()];
    command_line.extend(program.args.iter().cloned());
    let mut variables = program.variables.clone();
    variables.extend(program.time_zone.iter().map(|zone| ("TZ".to_owned(), zone.clone())));
    let world = World {
        command_line,
        variables,
        // Which offset from universal time is a zone's own depends on the day.
        ticks: if program.has_cultures { now() } else { FROZEN_TICKS },
        platform: Platform {
            executable: program.runtime().unwrap().display().to_string(),
            ..Platform::default()
        },
        current_directory: program.folder().unwrap().display().to_string(),
        folder: program.reads.as_deref().map(|folder| Folder::new(folder).unwrap()),
        overlay: None,
        zones: Zones::of_system(),
        local_zone: program.time_zone.as_ref().map_or(LocalZone::Utc, |_| LocalZone::OfVariable),
    };
    let host = Rc::new(RefCell::new(CapturingHost {
        input: program.stdin.clone().into_bytes(),
        world: Rc::new(world),
        ..CapturingHost::default()
    }));
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    machine.host = Box::new(Rc::clone(&host));
    if program.has_cultures {
        cultures(program, machine.universe.probing()).attach(&mut machine);
    }
    let terms = machine.terms.len();
    let ending = vm::program::run(&mut machine, assembly, &program.args, LIMITS);
    assert_eq!(machine.terms.len(), terms, "a program without symbolic inputs makes no terms");
    match ending {
        Ending::Exited(code) => {
            let host = host.borrow();
            Ok((Observed::new(code & 0xff, &host.out, &host.error), look(&machine)))
        }
        Ending::Stopped { gap, stack } => {
            let inside = stack.first().map(String::as_str).unwrap_or_default();
            let inside = inside.split(" IL_").next().unwrap_or_default();
            Err(match gap.reason {
                Reason::NativeCall => format!("native call {gap}"),
                // Where that is says nothing.
                Reason::StepLimit => gap.to_string(),
                _ => format!("{gap} in {inside}"),
            })
        }
    }
}
