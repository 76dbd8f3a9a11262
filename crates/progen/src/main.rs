//! `cargo xtask fuzz-diff`: thousands of random programs on both machines.
#![allow(clippy::print_stdout, reason = "the result goes to standard output")]

use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use progen::batch::{Flavour, Verdict, compare, scratch};
use progen::{Program, reduce};

/// Compare the machine with CoreCLR on random programs
#[derive(Parser)]
struct Arguments {
    /// The seed of the first program
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many programs
    #[arg(long, default_value_t = 1000)]
    count: u64,
    /// How many programs are compiled into one assembly
    #[arg(long, default_value_t = 100)]
    batch: u64,
    /// Stop after this many differences
    #[arg(long, default_value_t = 5)]
    differences: usize,
    /// Do not make programs that differ smaller
    #[arg(long)]
    no_reduce: bool,
    /// Print the program with the first seed and do nothing else
    #[arg(long)]
    print: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.print {
        print!("{}", progen::generate::file(&[Program::generate(arguments.seed)]));
        return Ok(());
    }
    let started = Instant::now();
    let mut found = 0;
    let mut done = 0;
    while done < arguments.count && found < arguments.differences {
        let size = arguments.batch.clamp(1, arguments.count - done);
        let first = arguments.seed + done;
        found += batch(first, size, &arguments, arguments.differences - found)?;
        done += size;
        let rate = done as f64 / started.elapsed().as_secs_f64();
        println!("{done} programs, {found} differ, {rate:.1} programs/s");
    }
    if found > 0 {
        anyhow::bail!("{found} programs differ");
    }
    Ok(())
}

/// Runs a batch and shows what differs; returns how many do.
fn batch(first: u64, size: u64, arguments: &Arguments, at_most: usize) -> Result<usize> {
    let (_kept, folder) = scratch()?;
    let programs: Vec<Program> = (first..first + size).map(Program::generate).collect();
    // A seed alone must do what it does in its batch, whatever the size of that.
    let mut found = 0;
    let groups: Vec<Vec<Program>> =
        (0..4).map(|n| programs.iter().filter(|p| p.seed % 4 == n).cloned().collect()).collect();
    for (number, some) in groups.iter().enumerate().filter(|(_, some)| !some.is_empty()) {
        let flavour = Flavour::of(number as u64);
        let verdicts = compare(some, flavour, &folder)?;
        for (program, verdict) in some.iter().zip(&verdicts) {
            if *verdict == Verdict::Same || found >= at_most {
                continue;
            }
            found += 1;
            println!("\nseed {} ({flavour:?}): {verdict:?}", program.seed);
            if !arguments.no_reduce {
                let small = reduce::reduce(program, flavour, verdict, &folder)?;
                let again = compare(std::slice::from_ref(&small), flavour, &folder)?;
                println!("{:?}\n{}", again.first(), small.text());
            }
        }
    }
    Ok(found)
}
