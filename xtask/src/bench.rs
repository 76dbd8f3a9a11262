//! `cargo xtask bench`: runs the topics of the measuring program and prints one table.
//!
//! Each topic of `crates/bench` prints one line for each figure: `what<TAB>value<TAB>unit`, and a fourth field if the
//! figure has a limit it must not exceed. It runs in a process of its own, because some topics measure memory.

use anyhow::{Result, bail, ensure};

use crate::{
    process::{cargo, observed_step, step},
    setup,
};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only these topics: cil, cultures, instrument, libs, memory, programs, solver, type-solver, types, vm
    topics: Vec<String>,
}

/// The measuring program, with a word behind it.
const PROGRAM: [&str; 5] = ["--locked", "--release", "--quiet", "--package", "bench"];

pub fn run(options: &Options) -> Result<()> {
    setup::run(&setup::Options { extras: false, own_runtime: false })?;
    step("build", &mut cargo(["build"].iter().chain(&PROGRAM)))?;
    let topics = topics(&options.topics)?;
    let mut figures = Vec::new();
    for topic in &topics {
        let mut measure = cargo(["run"].iter().chain(&PROGRAM));
        let (status, output) = observed_step(&format!("measure {topic}"), measure.args(["--", topic]))?;
        if !status.success() {
            bail!("measuring {topic} failed: {status}");
        }
        let before = figures.len();
        figures.extend(output.lines().filter_map(|line| Figure::read(topic, line)));
        if figures.len() == before {
            bail!("measuring {topic} gave no figures");
        }
    }
    print(&figures);
    let over = figures.iter().filter(|figure| figure.is_over()).count();
    if over > 0 {
        bail!("{over} of {} figures exceed their limits", figures.len());
    }
    Ok(())
}

/// What is measured: the wanted topics, or all.
fn topics(wanted: &[String]) -> Result<Vec<String>> {
    let output = cargo(["run"].iter().chain(&PROGRAM)).args(["--", "topics"]).output()?;
    ensure!(output.status.success(), "the topics cannot be listed: {}", output.status);
    let all: Vec<String> = String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect();
    if let Some(unknown) = wanted.iter().find(|topic| !all.contains(topic)) {
        bail!("there is no topic `{unknown}`: {}", all.join(", "));
    }
    Ok(if wanted.is_empty() { all } else { all.into_iter().filter(|topic| wanted.contains(topic)).collect() })
}

#[derive(Debug, Clone, PartialEq)]
struct Figure {
    package: String,
    what: String,
    value: f64,
    unit: String,
    limit: Option<f64>,
}

impl Figure {
    fn read(package: &str, line: &str) -> Option<Figure> {
        let mut fields = line.split('\t').map(str::trim);
        let (what, value, unit) = (fields.next()?, fields.next()?.parse().ok()?, fields.next()?);
        let limit = fields.next().and_then(|limit| limit.parse().ok());
        Some(Figure {
            package: package.to_owned(),
            what: what.to_owned(),
            value,
            unit: unit.to_owned(),
            limit,
        })
    }

    fn is_over(&self) -> bool {
        self.limit.is_some_and(|limit| self.value > limit)
    }
}

fn print(figures: &[Figure]) {
    let width = figures.iter().map(|figure| figure.what.chars().count()).max().unwrap_or(0);
    println!();
    for figure in figures {
        let value = figure.value;
        let value = if value.fract() == 0.0 { format!("{value}") } else { format!("{value:.3}") };
        let limit = match figure.limit {
            Some(limit) => format!("{} {limit}", if figure.is_over() { "OVER" } else { "of" }),
            None => String::new(),
        };
        let line =
            format!("{:10} {:width$} {value:>14} {:6} {limit}", figure.package, figure.what, figure.unit);
        println!("{}", line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_and_judged() {
        let figure = Figure::read("cil", "open\t4.5\tms\t5").unwrap();
        assert_eq!((figure.value, figure.limit, figure.is_over()), (4.5, Some(5.0), false));
        assert!(Figure::read("cil", "open\t6\tms\t5").unwrap().is_over());
        assert!(!Figure::read("cil", "types\t1890\ttypes").unwrap().is_over());
        assert_eq!(Figure::read("cil", "some other line"), None);
    }
}
