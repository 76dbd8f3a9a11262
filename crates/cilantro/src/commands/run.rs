//! `run`: a program in the machine, behaving as on its runtime.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use engine::{Chosen, Error, memory, panics};
use types::Universe;
use verdict::{Gap, Reason};
use vm::host::{FROZEN_TICKS, Folder, Overlay, Platform, ProcessHost, World, Zones};
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine};

use super::{Exit, surroundings};
use crate::args::{Common, Run};
use crate::console::Console;
use crate::{files, interrupt};

pub fn run(args: &Run, common: &Common, console: &Console, started: Instant) -> Result<Exit, Error> {
    let path = &args.program;
    files::check_readable(path)?;
    let module = cil::Module::open(path).map_err(|error| Error::from_image(path, &error))?;
    if module.entry_point().is_none() {
        return Err(Error::NoEntryPoint(path.clone()));
    }
    let chosen = engine::choose_for_program(path, common.runtime.as_deref())?;
    let (cultures, remark) = surroundings::cultures(args, path, &chosen, &variables(args))?;
    if let Some(remark) = remark {
        console.warn(remark);
    }
    let host = host(args, path, &chosen)?;
    let overlay = host.world.overlay.clone();
    let config = Config {
        seed: common.seed,
        max_heap_bytes: common.max_memory.map_or_else(memory::default_limit, |size| size.0),
        ..Config::for_programs()
    };
    let limits = Limits {
        max_steps: common.max_steps.unwrap_or(u64::MAX),
        deadline: common.timeout.and_then(|timeout| started.checked_add(timeout)),
    };
    let interrupted = Arc::new(AtomicBool::new(false));
    interrupt::end_program(&interrupted);
    let running = interrupt::end_in_time(limits.deadline, out_of_time(console.clone()));
    let ending = panics::caught(|| {
        let universe = Rc::new(Universe::new(chosen.probing(path).map_err(Error::from_types)?));
        universe.set_vector_bits(args.vector_bits);
        let assembly = universe.load(path).map_err(Error::from_types)?;
        let mut machine = Machine::new(universe, &bcl::ClassLibrary, config);
        machine.host = Box::new(host);
        cultures.attach(&mut machine);
        machine.interrupted = interrupted;
        Ok(program::run(&mut machine, assembly, &args.args, limits))
    });
    drop(running);
    if let Some(overlay) = overlay.filter(|_| args.write_back) {
        write_back(args, &overlay)?;
    }
    // A defect of the machine ends the program, and says so.
    let ending = ending
        .unwrap_or_else(|panic| Ok(Ending::Stopped { gap: Gap::internal_error(panic), stack: Vec::new() }));
    Ok(match ending? {
        // A process has eight bits of exit code.
        Ending::Exited(code) => Exit::Program(code as u8),
        Ending::Stopped { gap, .. } if gap.reason == Reason::Cancelled => {
            Exit::Program(interrupt::STOPPED_BY_USER as u8)
        }
        Ending::Stopped { gap, stack } => {
            console.error(&explained(&gap));
            for frame in &stack {
                console.remark(&format!("   in {frame}"));
            }
            Exit::Incomplete
        }
    })
}

/// What is done where the program does not come back to the machine in time: nothing of a sandbox is written back.
fn out_of_time(console: Console) -> impl FnOnce() + Send + 'static {
    move || {
        console.error(&explained(&Gap::timeout()));
        std::process::exit(i32::from(Exit::Incomplete.code()));
    }
}

fn host(args: &Run, path: &Path, chosen: &Chosen) -> Result<ProcessHost, Error> {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut command_line = vec![full.display().to_string()];
    command_line.extend(args.args.iter().cloned());
    let folder = match &args.sandbox {
        Some(folder) => Some(
            Folder::new(folder)
                .map_err(|error| Error::Unreadable { path: folder.clone(), why: error.to_string() })?,
        ),
        None => None,
    };
    let ticks = args.clock.map_or(FROZEN_TICKS, |clock| clock.0);
    let is_writable = args.writable || args.write_back;
    let overlay = folder.clone().filter(|_| is_writable);
    let overlay = overlay.map(|folder| Rc::new(Overlay::new(folder, nanoseconds(ticks))));
    let here = std::env::current_dir().unwrap_or_else(|_| "/".into());
    let current = folder.as_ref().map_or(here.as_path(), Folder::root).display().to_string();
    let mut platform = Platform::default();
    if let Ok(runtime) = &chosen.replay {
        platform.executable = runtime.muxer.display().to_string();
    }
    let mut variables = variables(args);
    let local_zone = surroundings::time_zone(args, &mut variables)?;
    let world = World {
        command_line,
        variables,
        ticks,
        platform,
        current_directory: current,
        folder,
        overlay,
        zones: Zones::of_system(),
        local_zone,
    };
    Ok(ProcessHost { world: Rc::new(world) })
}

/// The sandbox becomes what the program has made of it.
fn write_back(args: &Run, overlay: &Overlay) -> Result<(), Error> {
    let path = args.sandbox.clone().unwrap_or_default();
    overlay.write_back().map_err(|error| Error::Unwritable { path, why: error.to_string() })
}

/// Since 1970, of hundreds of nanoseconds since the year 1.
fn nanoseconds(ticks: u64) -> i64 {
    const UNIX_EPOCH: i64 = 621_355_968_000_000_000;
    (ticks.cast_signed() - UNIX_EPOCH).saturating_mul(100)
}

fn variables(args: &Run) -> Vec<(String, String)> {
    let is_set = |name: &str| args.variables.iter().any(|(set, _)| set == name);
    let own = std::env::vars_os().filter(|_| !args.clear_env).filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        (!is_set(&name)).then(|| (name, value.to_string_lossy().into_owned()))
    });
    own.chain(args.variables.iter().cloned()).collect()
}

/// Why a program did not run to its end.
fn explained(gap: &Gap) -> String {
    match gap.reason {
        Reason::Timeout => "stopped: the time was used up (--timeout)".to_owned(),
        Reason::StepLimit => {
            "stopped: the allowed number of instructions was used up (--max-steps)".to_owned()
        }
        Reason::MemoryLimit => "stopped: the allowed memory was used up (--max-memory)".to_owned(),
        Reason::InvalidCode | Reason::MissingReference => format!("cannot go on: {gap}"),
        Reason::InternalError => format!("internal error: {gap}; this is a defect worth reporting"),
        _ => format!("not supported: {gap}"),
    }
}
