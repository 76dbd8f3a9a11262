//! `cargo xtask bench`: runs the measuring programs of the crates and prints one table.
//!
//! A measuring program is `crates/*/examples/measure.rs`, called like its crate, or `measure_<topic>.rs`, called like its
//! topic. It is given the core libraries of .NET 10 and of .NET Core 3.1 and prints one line for each figure:
//! `what<TAB>value<TAB>unit`, and a fourth field if the figure has a limit it must not exceed.

use std::fs;

use anyhow::{Result, bail};

use crate::{
    process::{cargo, observed_step, root, step},
    setup,
};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only these crates and topics
    topics: Vec<String>,
}

pub fn run(options: &Options) -> Result<()> {
    let toolchain = setup::run(&setup::Options { extras: false, own_runtime: false })?;
    let mut figures = Vec::new();
    for Program { topic, package, example } in programs()? {
        if !options.topics.is_empty() && !options.topics.contains(&topic) {
            continue;
        }
        let program = ["--release", "--quiet", "--package", &package, "--example", &example];
        step(&format!("build {topic}"), &mut cargo(["build"].iter().chain(&program)))?;
        let mut measure = cargo(["run"].iter().chain(&program));
        measure.arg("--").args([toolchain.corelib(), toolchain.corelib31()]);
        let (status, output) = observed_step(&format!("measure {topic}"), &mut measure)?;
        if !status.success() {
            bail!("measuring {topic} failed: {status}");
        }
        let before = figures.len();
        figures.extend(output.lines().filter_map(|line| Figure::read(&topic, line)));
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

/// A measuring program.
struct Program {
    topic: String,
    package: String,
    example: String,
}

/// All measuring programs by topic.
fn programs() -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for folder in fs::read_dir(root().join("crates"))?.flatten() {
        let package = folder.file_name().to_string_lossy().into_owned();
        let Ok(examples) = fs::read_dir(folder.path().join("examples")) else { continue };
        for file in examples.flatten() {
            let file = file.file_name().to_string_lossy().into_owned();
            let Some(example) = file.strip_suffix(".rs") else { continue };
            let topic = match example.strip_prefix("measure") {
                Some("") => package.clone(),
                Some(rest) => rest.trim_start_matches('_').to_owned(),
                None => continue,
            };
            programs.push(Program { topic, package: package.clone(), example: example.to_owned() });
        }
    }
    programs.sort_by(|a, b| a.topic.cmp(&b.topic));
    Ok(programs)
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
