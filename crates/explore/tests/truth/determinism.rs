//! The same method, seed and step limit give the same exploration: kept paths, models, counters.

use std::fmt::Write as _;

use budget::Budget;
use explore::{Exploration, Strategy};
use vm::PathEnd;

use crate::generator::{self, Domain};
use crate::oracle;
use crate::worker::Worker;

const METHODS: usize = 24;

#[test]
fn explorations_repeat_themselves() {
    let program = generator::program(1, METHODS, Domain::Small);
    let dll = oracle::compile(&program, true);
    for strategy in [Strategy::Coverage, Strategy::Dfs, Strategy::Bfs] {
        let names: Vec<&str> = program.methods.iter().take(12).map(|method| method.name.as_str()).collect();
        let mut first = Worker::new(&dll, strategy, 7);
        let mut second = Worker::new(&dll, strategy, 7);
        let expected = explore_all(&mut first, &names);
        assert_eq!(explore_all(&mut second, &names), expected, "{strategy:?}");
    }
}

/// Neither what was explored before nor the order matters: every exploration starts from nothing.
#[test]
fn explorations_do_not_depend_on_those_before() {
    let program = generator::program(1, METHODS, Domain::Small);
    let dll = oracle::compile(&program, true);
    let names: Vec<&str> = program.methods.iter().take(6).map(|method| method.name.as_str()).collect();
    let mut together = Worker::new(&dll, Strategy::Coverage, 7);
    let expected = explore_all(&mut together, &names);
    for (name, expected) in names.iter().zip(expected) {
        let mut alone = Worker::new(&dll, Strategy::Coverage, 7);
        assert_eq!(explore_all(&mut alone, &[name]), [expected]);
    }
}

fn explore_all(worker: &mut Worker, names: &[&str]) -> Vec<String> {
    let mut described = Vec::new();
    for name in names {
        let id = worker.method("Methods_", name);
        // Steps only: a limit of time could cut two runs at different places.
        let budget = Budget { max_steps: Some(3_000), ..Budget::default() };
        let found = worker.explore(id, &budget).unwrap();
        described.push(describe(worker, name, &found));
    }
    described
}

fn describe(worker: &Worker, name: &str, found: &Exploration) -> String {
    // The numbers of goals depend on what was decoded before; what they stand for does not.
    let zone = &worker.explorer.machine.recording.zone;
    let edges: Vec<_> = found.reached_edges().iter().map(|goal| zone.goal(goal).unwrap().1).collect();
    let mut text = format!("{name}: {edges:?}\n");
    for path in &found.paths {
        let end = match &path.end {
            PathEnd::Threw { ty, thrown_at, .. } => {
                format!("threw {} at {:#x}", worker.universe.type_name(*ty), thrown_at.il_offset)
            }
            PathEnd::Returned(value) => format!("returned {value:?}"),
            PathEnd::Exited(code) => format!("exited with {code}"),
            PathEnd::Incomplete { gap, .. } => format!("incomplete {gap}"),
            PathEnd::Impossible => "impossible".to_owned(),
        };
        let inputs: Vec<u128> = worker
            .explorer
            .machine
            .inputs
            .scalars
            .iter()
            .map(|(symbol, _)| path.model.get(*symbol).map_or(0, |value| value.bits()))
            .collect();
        let _ = writeln!(text, "  {inputs:?} {end}");
    }
    for (gap, at) in &found.incomplete {
        let _ = writeln!(text, "  incomplete: {gap} {:?}", at.map(|place| place.il_offset));
    }
    let stats = &found.stats;
    let _ = writeln!(
        text,
        "  {} steps, {} states, {} paths, {} queries, {} cache hits, {} core calls",
        stats.steps, stats.states, stats.paths, stats.queries, stats.cache_hits, stats.core_calls
    );
    text
}
