//! Small programs of the kinds that people write: how many times the time of Mono's interpreter and of CoreCLR the machine
//! needs, and how many instructions it executes, which does not depend on the machine that measures.

use anyhow::{Result, ensure};

use crate::figure::figure;
use crate::timed::{Collection, OnRuntime};

const PROGRAMS: Collection = Collection {
    class: "Programs",
    names: &[
        "IndexOf",
        "SortedDictionary",
        "ListSort",
        "TextBuilding",
        "Dictionaries",
        "Linq",
        "Regexes",
        "Planets",
        "SpectralNorm",
        "Sieve",
        "Matrices",
        "Json",
        "SplitJoin",
        "Recursion",
        "Hashing",
        "BigIntegers",
    ],
};

pub fn measure() -> Result<()> {
    let ours = PROGRAMS.in_machine()?;
    let runtimes = [("mono's interpreter", PROGRAMS.on_mono()?), ("CoreCLR", PROGRAMS.on_coreclr()?)];
    let mut logarithms = [Vec::new(), Vec::new()];
    for program in &ours {
        figure(format!("{}: instructions", program.name), program.steps, "steps");
        figure(format!("{}: time", program.name), format!("{:.2}", program.seconds * 1e3), "ms");
        for ((runtime, times), logarithms) in runtimes.iter().zip(&mut logarithms) {
            let Some(theirs) = times.get(program.name) else { continue };
            agree(program.name, program.result, runtime, theirs)?;
            // What takes less than the system can count has no ratio.
            if theirs.seconds <= 0.0 {
                continue;
            }
            let times = program.seconds / theirs.seconds;
            logarithms.push(times.ln());
            figure(format!("{}: time of {runtime} times", program.name), format!("{times:.2}"), "");
        }
    }
    for ((runtime, _), logarithms) in runtimes.iter().zip(&logarithms) {
        if !logarithms.is_empty() {
            let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
            figure(format!("geometric mean: time of {runtime} times"), format!("{mean:.2}"), "");
        }
    }
    Ok(())
}

/// A program that computes something else is not worth measuring.
fn agree(name: &str, ours: Option<i64>, runtime: &str, theirs: &OnRuntime) -> Result<()> {
    ensure!(ours == theirs.result, "{name}: {ours:?} here, {:?} on {runtime}", theirs.result);
    Ok(())
}
