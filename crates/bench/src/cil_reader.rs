//! The metadata reader on core libraries: times to open and index, to decode all bodies, and the resident memory.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use cil::{Module, TableId};
use testkit::Toolchain;

use crate::figure::{figure, limited, resident_megabytes};

const MOST_OPEN_AND_INDEX_MS: f64 = 5.0;
const MOST_BODIES_MS: f64 = 50.0;
const MOST_RESIDENT_MB: f64 = 40.0;
/// The machine is not ours alone: the best of some runs is what the reader needs.
const RUNS: usize = 15;

/// The assemblies, or the core libraries of .NET 10 and of .NET Core 3.1.
pub fn measure(assemblies: &[PathBuf]) -> Result<()> {
    let mut paths = assemblies.to_vec();
    if paths.is_empty() {
        let toolchain = Toolchain::locate()?;
        paths = vec![toolchain.corelib(), toolchain.corelib31()];
    }
    paths.iter().try_for_each(|path| measure_one(path).with_context(|| path.display().to_string()))
}

fn measure_one(path: &Path) -> Result<()> {
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
    let milliseconds = |duration: Duration| format!("{:.3}", duration.as_secs_f64() * 1e3);
    figure(format!("{name}: open"), milliseconds(best.opened), "ms");
    let (indexed, decoded) = (milliseconds(best.indexed), milliseconds(best.decoded));
    limited(format!("{name}: open and index names"), indexed, "ms", MOST_OPEN_AND_INDEX_MS);
    limited(format!("{name}: decode all bodies"), decoded, "ms", MOST_BODIES_MS);
    if let Some(resident) = resident_megabytes("VmHWM") {
        limited(format!("{name}: resident memory"), format!("{resident:.1}"), "MB", MOST_RESIDENT_MB);
    }
    Ok(())
}

struct Run {
    opened: Duration,
    indexed: Duration,
    decoded: Duration,
}

impl Run {
    fn of(path: &Path) -> Result<Run> {
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
        ensure!(module.rows(TableId::MethodDef) > 0, "it has no methods");
        Ok(Run { opened, indexed, decoded: start.elapsed() })
    }
}
