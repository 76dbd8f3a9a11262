//! A program in the machine.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;

use types::{Probing, Universe};
use verdict::Reason;
use vm::host::{CapturingHost, Folder, Platform, World};
use vm::program::{Ending, Limits};
use vm::{Config, Machine};

use testkit::{Observed, Program};

/// Enough for every program of the suite, and an end for one that hangs.
const LIMITS: Limits = Limits { max_steps: 100_000_000, deadline: None };

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
    let world = World {
        command_line,
        variables: program.variables.clone(),
        platform: Platform {
            executable: program.runtime().unwrap().display().to_string(),
            ..Platform::default()
        },
        current_directory: program.folder().unwrap().display().to_string(),
        folder: program.reads.as_deref().map(|folder| Folder::new(folder).unwrap()),
        ..World::default()
    };
    let host = Rc::new(RefCell::new(CapturingHost {
        input: program.stdin.clone().into_bytes(),
        world: Rc::new(world),
        ..CapturingHost::default()
    }));
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    machine.host = Box::new(Rc::clone(&host));
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
                _ => format!("{gap} in {inside}"),
            })
        }
    }
}
