//! What splitting reads and writes saves: explorations with and without it, as lines for `cargo xtask bench`.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use budget::Budget;
use explore::{Explorer, Strategy};
use solver::Solver;
use testkit::{Options, Source, Toolchain};
use types::{Probing, Universe};
use verdict::Stats;
use vm::{Config, Machine};

/// Methods of a library that are explored, and what each may use.
const MAX_METHODS: usize = 150;
const MAX_STEPS: u64 = 5_000;
const TIME: Duration = Duration::from_secs(5);

fn main() {
    let mut libraries = vec![("heap fixtures", fixtures())];
    let toolchain = Toolchain::locate().unwrap();
    for name in ["Humanizer", "CommandLine"] {
        if let Some(dll) = toolchain.third_party(name) {
            libraries.push((name, dll));
        }
    }
    for (name, dll) in &libraries {
        for (mode, split) in [("split", true), ("not split", false)] {
            let found = explore_all(dll, split);
            println!("{name}, {mode}: branches reached\t{}\tbranches", found.branches);
            println!("{name}, {mode}: instructions\t{}\tsteps", found.stats.steps);
            println!("{name}, {mode}: questions\t{}\tqueries", found.stats.queries);
            println!("{name}, {mode}: questions that reached the core\t{}\tqueries", found.stats.core_calls);
            println!("{name}, {mode}: terms\t{}\tterms", found.terms);
            println!("{name}, {mode}: time\t{:.2}\ts", found.stats.elapsed.as_secs_f64());
        }
    }
}

#[derive(Default)]
struct Found {
    branches: usize,
    terms: usize,
    stats: Stats,
}

fn explore_all(dll: &Path, split: bool) -> Found {
    let toolchain = Toolchain::locate().unwrap();
    let probing = Probing::for_application(dll, Some(toolchain.runtime_root())).unwrap();
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll).unwrap();
    let machine =
        Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, Config { split, ..Config::default() });
    let mut explorer = Explorer::new(machine, Solver::new(solver::Config::default()), Strategy::Coverage, 0);
    let mut methods = Vec::new();
    for ty in universe.type_defs(assembly).flatten() {
        methods.extend(universe.methods(ty).unwrap_or(&[]).iter().copied());
    }
    let mut all = Found::default();
    let mut explored = 0;
    for method in methods {
        if explored == MAX_METHODS {
            break;
        }
        let budget =
            Budget { deadline: Some(Instant::now() + TIME), max_steps: Some(MAX_STEPS), ..Budget::default() };
        let Ok(found) = explorer.explore(method, &budget, &mut ()) else { continue };
        explored += 1;
        all.branches += found.reached_edges().len();
        all.terms += explorer.machine.terms.len();
        all.stats.steps += found.stats.steps;
        all.stats.queries += found.stats.queries;
        all.stats.core_calls += found.stats.core_calls;
        all.stats.elapsed += found.stats.elapsed;
    }
    all
}

fn fixtures() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/heap");
    let files = testkit::csharp_files(&folder).unwrap();
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    testkit::compile("Heap", &sources, &Options::default()).unwrap()
}
