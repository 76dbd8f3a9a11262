//! Random methods over numbers of all widths, whose inputs are too many to try: samples of them on CoreCLR.
//!
//! `CILANTRO_SEEDS` works as for the small ones.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use budget::Budget;
use explore::Strategy;

use crate::follow::follow;
use crate::generator::{self, Domain, Method, Random, Scalar};
use crate::oracle::{self, Outcome};
use crate::random_methods::seeds;
use crate::worker::{Claimed, Worker};

const SEEDS: std::ops::Range<u64> = 1..2;
const METHODS: usize = 24;
/// Inputs per method that are tried on CoreCLR.
const SAMPLES: usize = 1_000;
/// The first so many of them are also followed through the machine.
const FOLLOWED: usize = 12;

#[test]
fn explorations_agree_with_samples_on_coreclr() {
    let chosen = std::env::var("CILANTRO_SEEDS").ok().map(|text| seeds(&text));
    let mut faults = Vec::new();
    let (mut explored, mut exhausted) = (0, 0);
    for seed in chosen.unwrap_or(SEEDS) {
        let program = generator::program(seed, METHODS, Domain::Wide);
        let dll = oracle::compile(&program, seed % 2 == 0);
        let mut worker = Worker::new(&dll, Strategy::Coverage, seed);
        let mut random = Random::new(seed);
        let mut claims = Vec::new();
        let mut inputs = Vec::new();
        for (number, method) in program.methods.iter().enumerate() {
            let claim = Claim::make(&mut worker, method, &mut random);
            explored += 1;
            exhausted += usize::from(claim.exhausted);
            inputs.extend(claim.inputs().map(|input| (number, input)));
            claims.push(claim);
        }
        let mut truths = oracle::outcomes_of(&dll, &inputs).into_iter();
        for (method, claim) in program.methods.iter().zip(&claims) {
            let found = claim.judge(method, &mut truths);
            for fault in found {
                let fault = format!("seed {seed} {}: {fault}", method.name);
                println!("{fault}");
                faults.push(fault);
            }
        }
        println!("seed {seed}: {explored} explored, {exhausted} exhausted, {} faults", faults.len());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(exhausted * 4 >= explored, "{exhausted} of {explored} exhausted");
}

/// What is claimed about a method.
struct Claim {
    exhausted: bool,
    /// Inputs of paths and what the paths say.
    paths: Vec<Claimed>,
    samples: Vec<Vec<u64>>,
    /// What the machine does with the first samples.
    followed: Vec<Result<Outcome, String>>,
}

impl Claim {
    fn make(worker: &mut Worker, method: &Method, random: &mut Random) -> Claim {
        let id = worker.method("Methods_", &method.name);
        let budget = Budget {
            deadline: Some(Instant::now() + Duration::from_secs(3)),
            max_steps: Some(100_000),
            patience: u64::MAX,
            ..Budget::default()
        };
        let (found, paths) = worker.explore_all(id, &budget).unwrap();
        let samples: Vec<Vec<u64>> = (0..SAMPLES).map(|_| sample(random, method, &paths)).collect();
        let mut followed = Vec::new();
        for input in samples.iter().take(FOLLOWED) {
            let way = follow(&mut worker.explorer.machine, id, input);
            let excluded = way.edges.iter().any(|edge| found.unreachable_edges().contains(edge));
            followed.push(if excluded {
                Err("an edge that was proven unreachable".to_owned())
            } else {
                way.end
            });
        }
        Claim { exhausted: found.is_exhausted(), paths, samples, followed }
    }

    fn inputs(&self) -> impl Iterator<Item = Vec<u64>> + '_ {
        self.paths.iter().map(|(input, _)| input.clone()).chain(self.samples.iter().cloned())
    }

    fn judge(&self, method: &Method, truths: &mut impl Iterator<Item = Outcome>) -> Vec<String> {
        let mut faults = Vec::new();
        let mut ends = BTreeSet::new();
        for ((input, claimed), truth) in self.paths.iter().zip(truths.by_ref().take(self.paths.len())) {
            if claimed.as_ref() != Ok(&truth) {
                faults.push(format!("input {input:x?} does {truth:?}, but the path is {claimed:?}"));
            }
            ends.insert(truth);
        }
        for (number, truth) in truths.by_ref().take(SAMPLES).enumerate() {
            let input = &self.samples[number];
            if let Some(followed) = self.followed.get(number)
                && followed.as_ref() != Ok(&truth)
                && (followed.is_ok() || self.exhausted)
            {
                faults.push(format!("input {input:x?} does {truth:?}, followed: {followed:?}"));
            }
            let is_listed = method.plain || matches!(truth, Outcome::Threw(_));
            if self.exhausted && is_listed && !ends.contains(&truth) {
                faults.push(format!("exhausted without {truth:?}, which input {input:x?} does"));
                ends.insert(truth);
            }
        }
        faults
    }
}

/// A random input: numbers near powers of two, small ones, any ones; or a path's input with one number changed.
fn sample(random: &mut Random, method: &Method, paths: &[Claimed]) -> Vec<u64> {
    let scalars = method.scalars();
    let mut input: Vec<u64> = scalars.iter().map(|scalar| number(random, *scalar)).collect();
    if !paths.is_empty() && random.percent(50) {
        let kept = random.below(input.len());
        let (near, _) = &paths[random.below(paths.len())];
        for (index, bits) in input.iter_mut().enumerate() {
            if index != kept {
                *bits = near[index];
            }
        }
    }
    input
}

fn number(random: &mut Random, scalar: Scalar) -> u64 {
    let any = match random.below(4) {
        0 => random.number(),
        1 => (1u64 << random.below(64)).wrapping_add(random.below(5) as u64).wrapping_sub(2),
        2 => (random.below(41) as u64).wrapping_sub(20),
        _ => random.below(300) as u64,
    };
    any & (u64::MAX >> (64 - scalar.bits()))
}
