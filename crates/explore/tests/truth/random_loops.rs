//! Random loops and recursive methods: what no execution is said to do, against all inputs on CoreCLR.
//!
//! `CILANTRO_SEEDS=1..200` tries these seeds instead of the few of an ordinary run.

use std::ops::Range;
use std::time::{Duration, Instant};

use budget::Budget;
use explore::Strategy;
use explore::loops::Bounds;
use vm::BitSet;

use crate::follow::follow;
use crate::generator::{self, Method, Program};
use crate::oracle::{Oracle, Outcome};
use crate::random_methods;
use crate::worker::Worker;

const SEEDS: Range<u64> = 1..3;
const METHODS: usize = 30;
/// For one method; what takes longer is not proven.
const TIME: Duration = Duration::from_secs(10);

#[test]
fn nothing_that_happens_is_excluded_from_a_loop() {
    compare(SEEDS, METHODS, generator::loop_program);
}

#[test]
fn nothing_that_happens_is_excluded_from_buffers() {
    compare(1..2, 20, generator::buffer_program);
}

#[test]
fn nothing_that_happens_is_excluded_from_recursion() {
    compare(1..2, 20, generator::recursive_program);
}

fn compare(seeds: Range<u64>, methods: usize, program: fn(u64, usize) -> Program) {
    let chosen = std::env::var("CILANTRO_SEEDS").ok().map(|text| random_methods::seeds(&text));
    let mut tally = Tally::default();
    for seed in chosen.unwrap_or(seeds) {
        judge(&program(seed, methods), seed, &mut tally);
        println!("seed {seed}: {tally:?}");
    }
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    // The comparison is worth little if nothing is proven.
    assert!(tally.bounded * 4 >= tally.methods && tally.excluded > 0, "{tally:?}");
}

#[derive(Debug, Default)]
struct Tally {
    methods: usize,
    bounded: usize,
    /// Branches and exceptions of which it is said that nothing leads there.
    excluded: usize,
    /// Those that were not met by the inputs that were followed.
    untaken: usize,
    faults: Vec<String>,
    gaps: std::collections::BTreeMap<String, usize>,
}

fn judge(program: &Program, seed: u64, tally: &mut Tally) {
    let oracle = Oracle::of(program, seed % 2 == 1);
    let mut worker = Worker::new(&oracle.dll, Strategy::Coverage, seed);
    for (number, method) in program.methods.iter().enumerate() {
        let id = worker.method("Methods_", &method.name);
        tally.methods += 1;
        let budget = Budget { deadline: Some(Instant::now() + TIME), ..Budget::default() };
        let bounds = match worker.explorer.bound_loops(id, false, &budget) {
            Ok(bounds) => bounds,
            Err(gap) => {
                *tally.gaps.entry(gap.to_string()).or_default() += 1;
                continue;
            }
        };
        tally.bounded += 1;
        let goals = worker.explorer.machine.recording.zone.goals_of(&worker.universe, id).unwrap();
        let excluded = goals.wanted().filter(|goal| !bounds.reached.contains(*goal)).count();
        tally.excluded += excluded;
        let (faults, taken) = faults(&mut worker, &oracle, number, method, &bounds);
        let missed = goals.wanted().filter(|goal| !taken.contains(*goal)).count();
        tally.untaken += missed;
        if std::env::var("LOOPS_SHOW").is_ok() {
            println!("{}\nexcluded {excluded} of {missed} that are not taken", method.text);
        }
        for fault in faults {
            let fault = format!("seed {seed} {}: {fault}\n{}", method.name, method.text);
            println!("{fault}");
            tally.faults.push(fault);
        }
    }
}

/// What is said not to happen, and does.
fn faults(
    worker: &mut Worker,
    oracle: &Oracle,
    number: usize,
    method: &Method,
    bounds: &Bounds,
) -> (Vec<String>, BitSet) {
    let (mut faults, mut taken) = (Vec::new(), BitSet::default());
    let known: Vec<String> = bounds.failures.iter().map(|(ty, _)| worker.universe.type_name(*ty)).collect();
    let id = worker.method("Methods_", &method.name);
    let mut inputs: Vec<usize> = (0..1usize << method.bits()).step_by(1_021).collect();
    for outcome in oracle.outcomes(number) {
        if let Outcome::Threw(name) = &outcome
            && !known.contains(name)
        {
            faults.push(format!("{name} leaves the method for {:x?}", oracle.example(number, &outcome)));
        }
        inputs.extend(oracle.example(number, &outcome));
    }
    for input in inputs {
        let followed = follow(&mut worker.explorer.machine, id, &method.input(input));
        taken.union_with(&followed.edges);
        if !followed.edges.is_subset(&bounds.reached) {
            let more: Vec<u32> = followed.edges.without(&bounds.reached).iter().collect();
            faults.push(format!("input {input:#x} meets goals {more:?}, which are excluded"));
        }
    }
    (faults, taken)
}
