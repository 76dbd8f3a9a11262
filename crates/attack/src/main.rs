//! `cargo xtask attack`: every claim about the fixtures and about libraries of other people is attacked.
#![allow(clippy::print_stdout, reason = "the result goes to standard output")]

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use attack::{Attack, Exploring, Library, claims_of, fixtures, third_party};
use clap::Parser;

/// Attack what the engine claims: unreachable branches, exceptions that do not leave a method
#[derive(Parser)]
struct Arguments {
    /// How long, all libraries together
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Of the random inputs
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Steps of the engine for each method
    #[arg(long, default_value_t = 20_000)]
    steps: u64,
    /// Assemblies, folders of the fixtures or libraries of the toolchain; all fixtures and three libraries if there is none
    libraries: Vec<String>,
}

/// Of other people.
const OTHERS: [&str; 3] = ["Humanizer", "CommandLine", "Newtonsoft.Json"];
/// The part of the time in which the engine makes its claims.
const EXPLORING: f64 = 0.4;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let libraries = chosen(&arguments.libraries)?;
    let each = arguments.minutes * 60.0 / libraries.len().max(1) as f64;
    let exploring = Exploring { steps: arguments.steps, time: Duration::from_secs_f64(each * EXPLORING) };
    println!(
        "| library | claims | branches | called | calls | broken | lost |\n|---|---|---|---|---|---|---|"
    );
    let mut broken = Vec::new();
    for library in &libraries {
        let started = Instant::now();
        let claims = claims_of(&library.path, exploring)?;
        let time = Duration::from_secs_f64(each).saturating_sub(started.elapsed());
        let attack = Attack { library: &library.path, claims: &claims, seed: arguments.seed, time };
        let report = attack.run()?;
        let branches: usize = claims.iter().map(|claim| claim.unreachable.len()).sum();
        println!(
            "| {} | {} | {branches} | {} | {} | {} | {} |",
            library.name,
            claims.len(),
            report.called,
            report.calls,
            report.broken.len(),
            report.lost.len()
        );
        broken.extend(report.broken.into_iter().map(|broken| (library.name.clone(), broken)));
        for (method, how) in report.lost {
            println!("    {method}: {how}");
        }
    }
    for (library, broken) in &broken {
        println!("\n{library}: {}\n    {}\n    {}", broken.method, broken.what, broken.how);
    }
    if !broken.is_empty() {
        bail!("{} claims do not hold", broken.len());
    }
    Ok(())
}

fn chosen(names: &[String]) -> Result<Vec<Library>> {
    if names.is_empty() {
        let mut all = fixtures()?;
        for name in OTHERS {
            all.push(third_party(name)?);
        }
        return Ok(all);
    }
    let known = fixtures()?;
    let library = |name: &String| match known.iter().find(|library| library.name == *name) {
        Some(library) => Ok(library.clone()),
        None if Path::new(name).is_file() => Ok(Library { name: name.clone(), path: name.into() }),
        None => third_party(name),
    };
    names.iter().map(library).collect()
}
