//! Measures the reader on assemblies given on the command line: times to open and index, to decode all bodies, and
//! the resident memory. `cargo xtask bench` runs it.
#![allow(clippy::print_stdout)]

use std::path::Path;
use std::time::Instant;

use cil::{Module, TableId};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        measure(Path::new(&path)).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

fn measure(path: &Path) -> cil::Result<()> {
    let start = Instant::now();
    let module = Module::open(path)?;
    let opened = start.elapsed();
    module.find_type("", "a name that no type has")?;
    let indexed = start.elapsed();

    let start = Instant::now();
    let mut instructions = 0u64;
    for id in module.method_defs() {
        if let Some(body) = module.method_body(id)? {
            for instruction in body.instructions() {
                std::hint::black_box(instruction?);
                instructions += 1;
            }
        }
    }
    let decoded = start.elapsed();
    println!(
        "{}: types {}, methods {}, instructions {instructions}; open {:.3} ms, open + index {:.3} ms, bodies {:.3} ms, RSS {:.1} MB",
        path.display(),
        module.rows(TableId::TypeDef),
        module.rows(TableId::MethodDef),
        opened.as_secs_f64() * 1e3,
        indexed.as_secs_f64() * 1e3,
        decoded.as_secs_f64() * 1e3,
        resident_megabytes().unwrap_or(f64::NAN),
    );
    Ok(())
}

/// The most memory that was resident, in megabytes (Linux only).
fn resident_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
