//! Random methods: what the explorer says about them against all their inputs on CoreCLR.
//!
//! `CILANTRO_SEEDS=1..200` tries these seeds instead of the few of an ordinary run, all methods under all strategies.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use budget::Budget;
use explore::{Exploration, Strategy};

use crate::follow::follow;
use crate::generator::{self, Domain, Method, Program, Random};
use crate::oracle::{Oracle, Outcome};
use crate::worker::{Claimed, Worker};

const SEEDS: std::ops::Range<u64> = 1..3;
const METHODS: usize = 24;
/// Inputs per method that are followed through the machine.
const FOLLOWED: usize = 12;

#[test]
fn explorations_agree_with_all_inputs_on_coreclr() {
    let chosen = std::env::var("CILANTRO_SEEDS").ok().map(|text| seeds(&text));
    let others = if chosen.is_some() { METHODS } else { METHODS / 4 };
    let mut tally = Tally::default();
    for seed in chosen.unwrap_or(SEEDS) {
        let program = generator::program(seed, METHODS, Domain::Small);
        let oracle = Oracle::of(&program, seed % 2 == 1);
        for (strategy, count) in
            [(Strategy::Coverage, METHODS), (Strategy::Dfs, others), (Strategy::Bfs, others)]
        {
            Judge::new(&program, &oracle, seed, strategy, &mut tally).judge_first(count);
        }
        println!("seed {seed}: {}", tally.summary());
    }
    for gap in &tally.gaps {
        println!("  {gap}");
    }
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    // The comparison is worth little if the explorer gives up.
    assert!(tally.exhausted * 2 >= tally.explored, "{}", tally.summary());
}

#[test]
fn fixed_functions_agree_with_all_inputs_on_coreclr() {
    let program = generator::fixed_program();
    let mut tally = Tally::default();
    for optimize in [true, false] {
        let oracle = Oracle::of(&program, optimize);
        Judge::new(&program, &oracle, 0, Strategy::Coverage, &mut tally).judge_first(program.methods.len());
    }
    let unfinished: Vec<&String> = tally.gaps.iter().filter(|gap| !gap.contains("multi-dim")).collect();
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
    assert!(unfinished.is_empty(), "{unfinished:#?}");
}

pub fn seeds(text: &str) -> std::ops::Range<u64> {
    let (first, end) = text.split_once("..").unwrap_or((text, ""));
    let first: u64 = first.trim().parse().expect("CILANTRO_SEEDS is a number or a range like 1..200");
    let end = if end.is_empty() { first + 1 } else { end.trim().parse().expect("the end of CILANTRO_SEEDS") };
    first..end
}

#[derive(Default)]
struct Tally {
    explored: usize,
    exhausted: usize,
    paths: usize,
    outcomes: usize,
    followed: usize,
    faults: Vec<String>,
    /// Why explorations were not exhausted.
    gaps: BTreeSet<String>,
}

impl Tally {
    fn summary(&self) -> String {
        format!(
            "{} explorations, {} exhausted, {} paths, {} outcomes, {} inputs followed, {} faults",
            self.explored,
            self.exhausted,
            self.paths,
            self.outcomes,
            self.followed,
            self.faults.len()
        )
    }
}

struct Judge<'a> {
    program: &'a Program,
    oracle: &'a Oracle,
    seed: u64,
    strategy: Strategy,
    worker: Worker,
    random: Random,
    tally: &'a mut Tally,
}

impl<'a> Judge<'a> {
    fn new(
        program: &'a Program,
        oracle: &'a Oracle,
        seed: u64,
        strategy: Strategy,
        tally: &'a mut Tally,
    ) -> Self {
        let worker = Worker::new(&oracle.dll, strategy, seed);
        Judge { program, oracle, seed, strategy, worker, random: Random::new(seed), tally }
    }

    fn judge_first(&mut self, count: usize) {
        for (number, method) in self.program.methods.iter().enumerate().take(count) {
            let id = self.worker.method("Methods_", &method.name);
            let started = Instant::now();
            let budget = Budget {
                deadline: Some(started + Duration::from_secs(4)),
                max_steps: Some(300_000),
                patience: u64::MAX,
                ..Budget::default()
            };
            let found = self.worker.explore_all(id, &budget);
            self.tally.explored += 1;
            match found {
                Ok((found, claims)) => {
                    self.judge(number, method, &found, &claims);
                    self.follow_some(number, method, &found);
                }
                Err(gap) => self.fault(method, format!("not explored: {gap}")),
            }
        }
    }

    fn judge(&mut self, number: usize, method: &Method, found: &Exploration, claims: &[Claimed]) {
        let mut ends = BTreeSet::new();
        for (input, claimed) in claims {
            self.tally.paths += 1;
            let truth = self.oracle.outcome(number, method.number(input));
            if claimed.as_ref() != Ok(&truth) {
                self.fault(method, format!("input {input:x?} does {truth:?}, but the path is {claimed:?}"));
            }
            ends.insert(truth);
        }
        for (gap, at) in &found.incomplete {
            self.tally.gaps.insert(format!("{}: {:?} {at:?}", self.name(method), gap));
        }
        if !found.is_exhausted() {
            return;
        }
        self.tally.exhausted += 1;
        self.tally.outcomes += ends.len();
        for missed in self.oracle.outcomes(number).difference(&ends) {
            // Values are as many as inputs; only leaves and exceptions are all to be found.
            if method.plain || matches!(missed, Outcome::Threw(_)) {
                let example = self.oracle.example(number, missed).unwrap_or_default();
                self.fault(method, format!("exhausted without {missed:?}, which input {example:#x} does"));
            }
        }
    }

    /// Inputs at random: the machine must do with them what CoreCLR does, on edges that were not excluded.
    fn follow_some(&mut self, number: usize, method: &Method, found: &Exploration) {
        let id = self.worker.method("Methods_", &method.name);
        for _ in 0..FOLLOWED {
            let input = self.random.below(1 << method.bits());
            let followed = follow(&mut self.worker.explorer.machine, id, &method.input(input));
            self.tally.followed += 1;
            let truth = self.oracle.outcome(number, input);
            // What the machine cannot do must have kept the exploration from being exhausted.
            let unable = followed.end.is_err() && !found.is_exhausted();
            if followed.end.as_ref() != Ok(&truth) && !unable {
                self.fault(method, format!("input {input:#x} does {truth:?}, followed: {:?}", followed.end));
            }
            if followed.edges.iter().any(|edge| found.unreachable_edges().contains(edge)) {
                self.fault(method, format!("input {input:#x} takes an edge that was proven unreachable"));
            }
        }
    }

    fn name(&self, method: &Method) -> String {
        format!("seed {} {} {:?}", self.seed, method.name, self.strategy)
    }

    fn fault(&mut self, method: &Method, what: String) {
        let fault = format!("{}: {what}", self.name(method));
        println!("{fault}");
        self.tally.faults.push(fault);
    }
}
