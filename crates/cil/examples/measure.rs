//! Measures the reader on the core library of .NET 10 for `cargo xtask bench`: times to open and index, to decode all
//! bodies, and the resident memory. Paths of other assemblies may be given instead.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cil::{Module, TableId};

const MOST_OPEN_AND_INDEX_MS: f64 = 5.0;
const MOST_BODIES_MS: f64 = 50.0;
const MOST_RESIDENT_MB: f64 = 40.0;
/// The machine is not ours alone: the best of some runs is what the reader needs.
const RUNS: usize = 15;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        paths.push(testkit::Toolchain::locate()?.corelib());
    }
    for path in paths {
        measure(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn measure(path: &Path) -> cil::Result<()> {
    // The folder is the version of the framework.
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let name = Path::new(folder).join(path.file_stem().unwrap_or_default());
    let name = name.display();
    let mut best = Run { opened: Duration::MAX, indexed: Duration::MAX, decoded: Duration::MAX };
    for _ in 0..RUNS {
        let run = Run::of(path)?;
        best.opened = best.opened.min(run.opened);
        best.indexed = best.indexed.min(run.indexed);
        best.decoded = best.decoded.min(run.decoded);
    }
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    println!("{name}: open\t{:.3}\tms", milliseconds(best.opened));
    println!("{name}: open and index names\t{:.3}\tms\t{MOST_OPEN_AND_INDEX_MS}", milliseconds(best.indexed));
    println!("{name}: decode all bodies\t{:.3}\tms\t{MOST_BODIES_MS}", milliseconds(best.decoded));
    if let Some(resident) = resident_megabytes() {
        println!("{name}: resident memory\t{resident:.1}\tMB\t{MOST_RESIDENT_MB}");
    }
    Ok(())
}

struct Run {
    opened: Duration,
    indexed: Duration,
    decoded: Duration,
}

impl Run {
    fn of(path: &Path) -> cil::Result<Run> {
        let start = Instant::now();
        let module = Module::open(path)?;
        let opened = start.elapsed();
        module.find_type("", "a name that no type has")?;
        let indexed = start.elapsed();

        let start = Instant::now();
        for id in module.method_defs() {
            if let Some(body) = module.method_body(id)? {
                for instruction in body.instructions() {
                    std::hint::black_box(instruction?);
                }
            }
        }
        assert!(module.rows(TableId::MethodDef) > 0);
        Ok(Run { opened, indexed, decoded: start.elapsed() })
    }
}

/// The most memory that was resident, in megabytes (Linux only).
fn resident_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
