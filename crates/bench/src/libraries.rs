//! Libraries that others have written, explored as a user would: with a step limit, where everything but the time is the same
//! in every run, and in a fixed time, where the curve of covered branches shows how soon they come.

mod curve;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use engine::{Engine, Event, Options, Outcome};
use testkit::Toolchain;
use verdict::Stats;

use crate::figure::{figure, resident_megabytes};
use curve::Curve;

const LIBRARIES: [&str; 7] =
    ["Humanizer", "CommandLine", "Newtonsoft.Json", "YamlDotNet", "Parlot", "Fluid", "NJsonSchema"];

/// Whoever counts steps waits for them.
const PATIENCE: Duration = Duration::from_secs(3_600);

#[derive(clap::Args)]
pub struct Arguments {
    /// Only these libraries, by name or by path
    libraries: Vec<String>,
    /// Instructions for each method in the run with a step limit
    #[arg(long, default_value_t = 300)]
    steps: u64,
    /// Seconds of the run with a time limit; 0 leaves it out
    #[arg(long, default_value_t = 30)]
    seconds: u64,
    /// Worker threads; one per core if not given
    #[arg(long)]
    workers: Option<usize>,
    /// Where the curves go, as SVG
    #[arg(long, default_value = "target/bench")]
    curves: PathBuf,
}

pub fn measure(arguments: &Arguments) -> Result<()> {
    let toolchain = Toolchain::locate()?;
    let wanted: Vec<&str> = match arguments.libraries.is_empty() {
        true => LIBRARIES.to_vec(),
        false => arguments.libraries.iter().map(String::as_str).collect(),
    };
    for name in wanted {
        // What the set-up could not fetch is not measured.
        let path = Some(PathBuf::from(name)).filter(|path| path.is_file());
        let Some(dll) = path.or_else(|| toolchain.third_party(name)) else { continue };
        // A run that is over has given its signal: each has options of its own.
        let options = || Options { workers: arguments.workers, ..Options::default() };
        let steps = Some(arguments.steps);
        let by_steps = Options { max_steps: steps, timeout: Some(PATIENCE), ..options() };
        explore(name, &format!("{} steps", arguments.steps), &dll, by_steps)?;
        if arguments.seconds > 0 {
            let timeout = Some(Duration::from_secs(arguments.seconds));
            let curve =
                explore(name, &format!("{} s", arguments.seconds), &dll, Options { timeout, ..options() })?;
            write_curve(&arguments.curves, name, &curve)?;
        }
    }
    Ok(())
}

fn explore(name: &str, limit: &str, dll: &Path, options: Options) -> Result<Curve> {
    forget_peak();
    let started = Instant::now();
    let mut run = Engine::new(options).generate(dll)?;
    let mut curve = Curve::default();
    let mut stats = Stats::default();
    for event in &mut run {
        match event {
            Event::Explored(method) => stats += method.stats,
            Event::Progress(progress) => curve.add(started.elapsed(), progress.covered_branches),
            Event::Opened { .. } => {}
        }
    }
    let outcome = run.finish()?;
    print(&format!("{name}, {limit}"), &outcome, &stats, started.elapsed());
    Ok(curve)
}

fn print(run: &str, outcome: &Outcome, stats: &Stats, elapsed: Duration) {
    let totals = outcome.summary.totals();
    let about = |what: &str| format!("{run}: {what}");
    figure(about("methods"), outcome.summary.methods.len(), "methods");
    figure(about("branches of the methods"), totals.branches, "branches");
    figure(about("covered by tests that hold"), totals.covered, "branches");
    if let Some(zone) = &outcome.summary.zone {
        figure(about("branches of the zone"), zone.branches, "branches");
        figure(about("of these covered"), zone.covered_branches, "branches");
    }
    figure(about("instructions"), stats.steps, "steps");
    figure(about("states"), stats.states, "states");
    figure(about("questions"), stats.queries, "questions");
    figure(about("answered by what is kept"), stats.cache_hits, "questions");
    figure(about("that reached the core"), stats.core_calls, "questions");
    figure(about("exploration, all workers"), seconds(stats.elapsed.as_secs_f64()), "s");
    figure(about("of this in the core"), seconds(stats.solver_time.as_secs_f64()), "s");
    figure(about("time that passed"), seconds(elapsed.as_secs_f64()), "s");
    if let Some(most) = resident_megabytes("VmHWM") {
        figure(about("most memory"), format!("{most:.0}"), "MB");
    }
}

fn seconds(value: f64) -> String {
    format!("{value:.2}")
}

fn write_curve(folder: &Path, name: &str, curve: &Curve) -> Result<()> {
    let name = Path::new(name).file_name().map_or_else(|| name.into(), |name| name.to_string_lossy());
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{name}.svg"));
    std::fs::write(&path, curve.svg(&name)).with_context(|| path.display().to_string())
}

/// Linux counts the most memory anew from here; elsewhere there is no figure.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
