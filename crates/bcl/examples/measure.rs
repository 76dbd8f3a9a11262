//! Speed of the machine on concrete code, as lines for `cargo xtask bench`; where `mono` is on PATH, beside its
//! interpreter on the same loops.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::time::Instant;

use testkit::{Framework, Options, Target, Toolchain};
use types::{Probing, Universe};
use vm::host::CapturingHost;
use vm::program::{self, Ending, Limits};
use vm::{Config, Machine, PathEnd, Stop};

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

fn main() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vm/Speed.cs");
    let dll = testkit::compile("Speed", &[source.as_path()], &program_options()).unwrap();
    let mono = mono_times(&source);
    let universe = universe(&dll);
    let assembly = universe.load(&dll).unwrap();
    let class = universe.find_type(assembly, "Speed").unwrap().unwrap();
    let mut machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, Config::for_programs());
    for name in LOOPS {
        let method = universe.find_method(class, name, &[]).unwrap().unwrap();
        let runs: Vec<(u64, f64)> = (0..3).map(|_| run(&mut machine, method)).collect();
        let (steps, seconds) = runs.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        println!("concrete {name}\t{:.1}\tmillion instructions/s", steps as f64 / seconds / 1e6);
        if let Some(theirs) = mono.get(name) {
            println!("{name}, time of mono's interpreter times\t{:.2}\t", seconds / theirs);
        }
    }
    hello();
}

fn program_options() -> Options {
    Options { target: Target::Exe, ..Options::default() }
}

fn universe(dll: &Path) -> Rc<Universe> {
    let toolchain = Toolchain::locate().unwrap();
    Rc::new(Universe::new(Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap()))
}

fn run(machine: &mut Machine, method: types::MethodId) -> (u64, f64) {
    let mut state = machine.start_untracked(method).unwrap();
    let started = Clock::start();
    loop {
        let stop = machine.run(&mut state, u64::MAX);
        match stop {
            Stop::End(PathEnd::Returned(_)) => return (state.steps, started.seconds()),
            Stop::OutOfSteps => {}
            other => panic!("{other:?}"),
        }
    }
}

/// The start-up and the whole of the smallest program, in time that passes.
fn hello() {
    let text = "System.Console.WriteLine(\"Hello, World!\");\n";
    let dll = testkit::compile("Hello", &[("Hello.cs", text)], &program_options()).unwrap();
    let least = |limits| (0..5).map(|_| time_of_hello(&dll, limits)).fold(f64::INFINITY, f64::min);
    let first = least(Limits { max_steps: 1, deadline: None });
    println!("start-up to the first instruction\t{first:.4}\ts\t0.3");
    println!("hello world\t{:.4}\ts\t1", least(Limits::NONE));
}

fn time_of_hello(dll: &Path, limits: Limits) -> f64 {
    let started = Instant::now();
    let universe = universe(dll);
    let assembly = universe.load(dll).unwrap();
    let host = Rc::new(std::cell::RefCell::new(CapturingHost::default()));
    let mut machine = Machine::new(universe, &bcl::ClassLibrary, Config::for_programs());
    machine.host = Box::new(Rc::clone(&host));
    match program::run(&mut machine, assembly, &[], limits) {
        Ending::Exited(0) => assert_eq!(host.borrow().out, b"Hello, World!\n"),
        ending => assert_eq!(limits.max_steps, 1, "{ending:?}"),
    }
    started.elapsed().as_secs_f64()
}

/// Seconds of processor time that mono's interpreter needs for each loop.
fn mono_times(source: &Path) -> BTreeMap<String, f64> {
    times_of_mono(source).unwrap_or_default()
}

fn times_of_mono(source: &Path) -> Option<BTreeMap<String, f64>> {
    let libraries = mono_libraries()?;
    let references = ["mscorlib.dll", "System.dll", "System.Core.dll"];
    let references = references.iter().map(|name| libraries.join(name)).collect();
    let options = Options { framework: Framework::None, references, ..program_options() };
    let dll = testkit::compile("SpeedOnMono", &[source], &options).ok()?;
    // Its libraries are not ours to copy: away with them, so that mono takes its own.
    let alone = tempfile_beside(&dll)?;
    let output = Command::new("mono").arg("--interpreter").arg(&alone).arg("+").args(LOOPS).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    Some(lines.filter_map(|(name, ns)| Some((name.to_owned(), ns.parse::<f64>().ok()? / 1e9))).collect())
}

fn tempfile_beside(dll: &Path) -> Option<PathBuf> {
    let folder = std::env::temp_dir().join(format!("cilantro-speed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok()?;
    let copy = folder.join("SpeedOnMono.exe");
    std::fs::copy(dll, &copy).ok()?;
    Some(copy)
}

/// The folder of mono's class library, if mono is on PATH.
fn mono_libraries() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mono = std::env::split_paths(&path).map(|folder| folder.join("mono")).find(|file| file.is_file())?;
    let mono = mono.canonicalize().ok()?;
    let libraries = mono.parent()?.parent()?.join("lib/mono/4.5");
    libraries.join("mscorlib.dll").is_file().then_some(libraries)
}

/// Processor time of this process where the system tells it, otherwise time that passed.
struct Clock {
    processor: Option<f64>,
    started: Instant,
}

impl Clock {
    fn start() -> Clock {
        Clock { processor: processor_time(), started: Instant::now() }
    }

    fn seconds(&self) -> f64 {
        match (self.processor, processor_time()) {
            (Some(before), Some(now)) => now - before,
            _ => self.started.elapsed().as_secs_f64(),
        }
    }
}

fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}
