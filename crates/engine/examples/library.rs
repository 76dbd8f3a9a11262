//! The engine as a library: explores the methods of an assembly and prints what it found.
//!
//! `cargo run -p engine --example library -- Shop.dll [METHOD]`
#![allow(clippy::print_stdout, reason = "a program's result goes to standard output")]

use std::path::PathBuf;
use std::time::Duration;

use engine::{Engine, Error, Event, Options, Selection};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let assembly = PathBuf::from(arguments.next().unwrap_or_else(|| "Shop.dll".to_owned()));
    let selection = Selection { methods: arguments.collect(), ..Selection::default() };
    let timeout = Some(Duration::from_secs(20));
    let mut run = Engine::new(Options { selection, timeout, ..Options::default() }).generate(&assembly)?;
    for event in &mut run {
        if let Event::Explored(method) = event {
            println!("{}: {} tests in {} steps", method.id, method.tests, method.stats.steps);
        }
    }
    let outcome = run.finish()?;
    let totals = outcome.summary.totals();
    println!("{} of {} branches covered, {} proven dead", totals.covered, totals.branches, totals.proven);
    for bug in outcome.summary.methods.iter().flat_map(|method| &method.bugs) {
        println!("{} by {}", bug.exception, bug.test);
    }
    for case in &outcome.suite {
        println!("{} calls {}", case.name, case.method.id);
    }
    Ok(())
}
