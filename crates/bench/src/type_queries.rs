//! Queries over the whole framework of .NET 10: the index, first and later answers, memory.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use testkit::Toolchain;
use type_solver::{ArgumentQuery, Bounds, Generic, Index, Query, TypeSolver};
use types::{AssemblyId, Probing, TypeId, Universe};

use crate::figure::{figure, limited, milliseconds, resident_megabytes};

const MOST_INDEX_MS: f64 = 400.0;
const MOST_LATER_MS: f64 = 5.0;
const MOST_MEMORY_MB: f64 = 120.0;
/// Candidates that a caller looks at.
const LOOKED_AT: usize = 24;

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

pub fn measure() -> Result<()> {
    let toolchain = Toolchain::locate()?;
    let probing = Probing::framework_folder(toolchain.framework_dir())?;
    let solver = with_index(&toolchain, &probing)?;
    let universe = Universe::new(probing);
    let core = universe.corelib()?;
    first_answers(&universe, &solver, core)?;
    later_answers(&universe, &solver, core)?;
    arguments(&universe, &solver, core)?;

    let start = Instant::now();
    let everything = solver.candidates(&universe, &Query::object(universe.well_known()?.object));
    let all = everything.iter(&universe).count();
    figure(format!("all {all} candidates for object"), format!("{:.1}", milliseconds(start)), "ms");
    if let Some(after) = resident_megabytes("RssAnon") {
        limited("memory after all queries", format!("{after:.1}"), "MB", MOST_MEMORY_MB);
    }
    Ok(())
}

fn with_index(toolchain: &Toolchain, probing: &Probing) -> Result<TypeSolver> {
    let mut roots: Vec<PathBuf> =
        std::fs::read_dir(toolchain.framework_dir())?.flatten().map(|entry| entry.path()).collect();
    roots.retain(|path| path.extension().is_some_and(|extension| extension == "dll"));
    roots.sort();
    let before = resident_megabytes("RssAnon");
    let start = Instant::now();
    let index = Index::build(probing, &roots);
    limited("index of the whole framework", format!("{:.1}", milliseconds(start)), "ms", MOST_INDEX_MS);
    figure("assemblies in the index", index.assemblies(), "assemblies");
    figure("definitions in the index", index.len(), "definitions");
    if let (Some(before), Some(after)) = (before, resident_megabytes("RssAnon")) {
        figure("memory of the index", format!("{:.1}", after - before), "MB");
    }
    Ok(TypeSolver::new(Vec::new(), Bounds::default()).with_index(index.into()))
}

fn first_answers(universe: &Universe, solver: &TypeSolver, core: AssemblyId) -> Result<()> {
    for name in QUERIES {
        let query = Query::object(find(universe, core, name)?);
        let start = Instant::now();
        let found = look(universe, solver, &query)?;
        let time = format!("{:.2}", milliseconds(start));
        figure(format!("{name}: first answer, {found} candidates"), time, "ms");
    }
    Ok(())
}

fn later_answers(universe: &Universe, solver: &TypeSolver, core: AssemblyId) -> Result<()> {
    let mut later = Vec::new();
    for name in QUERIES {
        // Like the first one, but another query: what it can use is what the universe knows by now.
        let query = Query {
            not_exactly: vec![universe.well_known()?.void],
            ..Query::object(find(universe, core, name)?)
        };
        let start = Instant::now();
        look(universe, solver, &query)?;
        later.push(milliseconds(start));
    }
    let slowest = later.iter().copied().fold(0.0, f64::max);
    let slowest_of = format!("a later query, slowest of {}", later.len());
    limited(slowest_of, format!("{slowest:.3}"), "ms", MOST_LATER_MS);
    let average = later.iter().sum::<f64>() / later.len() as f64;
    figure("a later query, average", format!("{average:.3}"), "ms");
    Ok(())
}

fn arguments(universe: &Universe, solver: &TypeSolver, core: AssemblyId) -> Result<()> {
    let dictionary = find(universe, core, "System.Collections.Generic.Dictionary`2")?;
    let start = Instant::now();
    let query = ArgumentQuery::new(Generic::Type(universe.definition(dictionary)));
    let arguments = solver.arguments(universe, &query)?;
    for n in 0..LOOKED_AT {
        arguments.get(universe, n)?;
    }
    let time = format!("{:.3}", milliseconds(start));
    limited("arguments of Dictionary<K, V>", time, "ms", MOST_LATER_MS);
    Ok(())
}

/// The type of this name; a generic one over `string`.
fn find(universe: &Universe, core: AssemblyId, name: &str) -> Result<TypeId> {
    let found = universe.find_type(core, name)?.with_context(|| format!("no {name}"))?;
    let args = vec![universe.well_known()?.string; universe.type_args(found).len()];
    Ok(if args.is_empty() { found } else { universe.make_instance(found, &args)? })
}

fn look(universe: &Universe, solver: &TypeSolver, query: &Query) -> Result<usize> {
    let candidates = solver.candidates(universe, query);
    let mut found = 0;
    while found < LOOKED_AT && candidates.get(universe, found)?.is_some() {
        found += 1;
    }
    Ok(found)
}
