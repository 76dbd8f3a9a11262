//! Measures queries over the whole framework of .NET 10 for `cargo xtask bench`: the index, first and later answers,
//! memory.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;

use testkit::Toolchain;
use type_solver::{ArgumentQuery, Bounds, Generic, Index, Query, TypeSolver};
use types::{AssemblyId, Probing, TypeId, Universe};

const MOST_INDEX_MS: f64 = 400.0;
const MOST_LATER_MS: f64 = 5.0;
const MOST_MEMORY_MB: f64 = 120.0;
/// Candidates that a caller looks at.
const LOOKED_AT: usize = 24;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let toolchain = Toolchain::locate()?;
    let probing = Probing::framework_folder(toolchain.framework_dir())?;
    let mut roots: Vec<PathBuf> =
        std::fs::read_dir(toolchain.framework_dir())?.flatten().map(|entry| entry.path()).collect();
    roots.retain(|path| path.extension().is_some_and(|extension| extension == "dll"));
    roots.sort();

    let before = resident_megabytes();
    let start = Instant::now();
    let index = Index::build(&probing, &roots);
    println!("index of the whole framework\t{:.1}\tms\t{MOST_INDEX_MS}", milliseconds(start));
    println!("assemblies in the index\t{}\tassemblies", index.assemblies());
    println!("definitions in the index\t{}\tdefinitions", index.len());
    if let (Some(before), Some(after)) = (before, resident_megabytes()) {
        println!("memory of the index\t{:.1}\tMB", after - before);
    }

    let universe = Universe::new(probing);
    let core = universe.corelib()?;
    let solver = TypeSolver::new(Vec::new(), Bounds::default()).with_index(index.into());
    let mut later = Vec::new();
    for name in QUERIES {
        let query = Query::object(find(&universe, core, name)?);
        let start = Instant::now();
        let found = look(&universe, &solver, &query)?;
        println!("{name}: first answer, {found} candidates\t{:.2}\tms", milliseconds(start));
    }
    for name in QUERIES {
        // Like the first one, but another query: what it can use is what the universe knows by now.
        let query = Query {
            not_exactly: vec![universe.well_known()?.void],
            ..Query::object(find(&universe, core, name)?)
        };
        let start = Instant::now();
        look(&universe, &solver, &query)?;
        later.push(milliseconds(start));
    }
    let slowest = later.iter().copied().fold(0.0, f64::max);
    println!("a later query, slowest of {}\t{slowest:.3}\tms\t{MOST_LATER_MS}", later.len());
    println!("a later query, average\t{:.3}\tms", later.iter().sum::<f64>() / later.len() as f64);

    let dictionary = find(&universe, core, "System.Collections.Generic.Dictionary`2")?;
    let start = Instant::now();
    let arguments =
        solver.arguments(&universe, &ArgumentQuery::new(Generic::Type(universe.definition(dictionary))))?;
    for n in 0..LOOKED_AT {
        arguments.get(&universe, n)?;
    }
    println!("arguments of Dictionary<K, V>\t{:.3}\tms\t{MOST_LATER_MS}", milliseconds(start));

    let start = Instant::now();
    let everything = solver.candidates(&universe, &Query::object(universe.well_known()?.object));
    let all = everything.iter(&universe).count();
    println!("all {all} candidates for object\t{:.1}\tms", milliseconds(start));
    if let Some(after) = resident_megabytes() {
        println!("memory after all queries\t{after:.1}\tMB\t{MOST_MEMORY_MB}");
    }
    Ok(())
}

const QUERIES: &[&str] = &[
    "System.Collections.Generic.IEnumerable`1",
    "System.Collections.Generic.IComparer`1",
    "System.Collections.Generic.IDictionary`2",
    "System.IO.Stream",
    "System.IDisposable",
    "System.IEquatable`1",
    "System.Collections.IEnumerable",
    "System.Exception",
    "System.Attribute",
    "System.Object",
    "System.Func`2",
    "System.Threading.Tasks.Task",
];

/// The type of this name; a generic one over `string`.
fn find(universe: &Universe, core: AssemblyId, name: &str) -> Result<TypeId, Box<dyn std::error::Error>> {
    let found = universe.find_type(core, name)?.ok_or_else(|| format!("no {name}"))?;
    let args = vec![universe.well_known()?.string; universe.type_args(found).len()];
    Ok(if args.is_empty() { found } else { universe.make_instance(found, &args)? })
}

fn look(universe: &Universe, solver: &TypeSolver, query: &Query) -> types::Result<usize> {
    let candidates = solver.candidates(universe, query);
    let mut found = 0;
    while found < LOOKED_AT && candidates.get(universe, found)?.is_some() {
        found += 1;
    }
    Ok(found)
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// What Linux says of this process; elsewhere there is no figure.
fn resident_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
