//! What splitting reads and writes saves: explorations with and without it.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use budget::Budget;
use explore::{Explorer, Strategy};
use solver::Solver;
use testkit::{Options, Source, Toolchain};
use types::{MethodId, Probing, Universe};
use verdict::Stats;
use vm::{Config, Machine};

use crate::figure::figure;

/// Methods of a library that are explored, and what each may use.
const MAX_METHODS: usize = 150;
const MAX_STEPS: u64 = 5_000;
const TIME: Duration = Duration::from_secs(5);

pub fn measure() -> Result<()> {
    let toolchain = Toolchain::locate()?;
    let mut libraries = vec![("heap fixtures", fixtures()?)];
    for name in ["Humanizer", "CommandLine"] {
        libraries.extend(toolchain.third_party(name).map(|dll| (name, dll)));
    }
    for (name, dll) in &libraries {
        for (mode, split) in [("split", true), ("not split", false)] {
            let found = explore_all(&toolchain, dll, split)?;
            let about = |what: &str| format!("{name}, {mode}: {what}");
            figure(about("branches reached"), found.branches, "branches");
            figure(about("instructions"), found.stats.steps, "steps");
            figure(about("questions"), found.stats.queries, "queries");
            figure(about("questions that reached the core"), found.stats.core_calls, "queries");
            figure(about("terms"), found.terms, "terms");
            figure(about("time"), format!("{:.2}", found.stats.elapsed.as_secs_f64()), "s");
        }
    }
    Ok(())
}

#[derive(Default)]
struct Found {
    branches: usize,
    terms: usize,
    stats: Stats,
}

fn explore_all(toolchain: &Toolchain, dll: &Path, split: bool) -> Result<Found> {
    let probing = Probing::for_application(dll, Some(toolchain.runtime_root()))?;
    let universe = Rc::new(Universe::new(probing));
    let assembly = universe.load(dll)?;
    let config = Config { split, ..Config::default() };
    let machine = Machine::new(Rc::clone(&universe), &bcl::ClassLibrary, config);
    let mut explorer = Explorer::new(machine, Solver::new(solver::Config::default()), Strategy::Coverage, 0);
    let mut methods: Vec<MethodId> = Vec::new();
    for ty in universe.type_defs(assembly).flatten() {
        methods.extend(universe.methods(ty).unwrap_or(&[]));
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
    Ok(all)
}

fn fixtures() -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/heap");
    let files = testkit::csharp_files(&folder)?;
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    Ok(testkit::compile("Heap", &sources, &Options::default())?)
}
