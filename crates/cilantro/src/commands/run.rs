//! `run`: a program in the machine, behaving as on its runtime.

use std::rc::Rc;
use std::time::Instant;

use types::Universe;
use vm::host::ProcessHost;
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine};

use super::Exit;
use crate::args::{Common, Run};
use crate::console::Console;
use crate::error::CommandError;
use crate::real::runtime;
use crate::{files, real};

pub fn run(args: &Run, common: &Common, console: &Console, started: Instant) -> Result<Exit, CommandError> {
    let path = &args.program;
    files::check_readable(path)?;
    cil::Module::open(path).map_err(|error| CommandError::from_image(path, &error))?;
    let chosen = runtime::choose(path, common.runtime.as_deref())?;
    let universe = Rc::new(Universe::new(chosen.probing(path).map_err(real::type_error)?));
    let assembly = universe.load(path).map_err(real::type_error)?;
    let full = std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mut command_line = vec![full.display().to_string()];
    command_line.extend(args.args.iter().cloned());
    let mut machine = Machine::new(universe, Config::for_programs());
    machine.host = Box::new(ProcessHost { command_line, environment: true, ticks: None });
    let limits = Limits {
        max_steps: common.max_steps.unwrap_or(u64::MAX),
        deadline: common.timeout.and_then(|timeout| started.checked_add(timeout)),
    };
    match program::run(&mut machine, assembly, &args.args, limits) {
        // A process has eight bits of exit code.
        Ending::Exited(code) => Ok(Exit::Program(code as u8)),
        Ending::Stopped { reason, stack } => {
            console.error(&format!("not supported: {reason}"));
            for frame in &stack {
                console.remark(&format!("   in {frame}"));
            }
            Ok(Exit::Incomplete)
        }
    }
}
