//! How long it takes to make instrumented copies: probes on every edge and every entry, then on every instruction as well.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use cil::Module;
use instrument::{Probe, edges, instrument};
use testkit::Toolchain;

use crate::figure::figure;

/// The machine is not ours alone: the best of some runs is what is needed.
const RUNS: usize = 7;
/// Somewhere: nobody runs the copies.
const RECORD: u64 = 0x10_0000_0000;

/// The assemblies, or the core library of .NET 10 and Newtonsoft.Json, if it is there.
pub fn measure(assemblies: &[PathBuf]) -> Result<()> {
    let mut paths = assemblies.to_vec();
    if paths.is_empty() {
        let toolchain = Toolchain::locate()?;
        paths.push(toolchain.corelib());
        paths.extend(toolchain.third_party("Newtonsoft.Json"));
    }
    paths.iter().try_for_each(|path| measure_one(path).with_context(|| path.display().to_string()))
}

fn measure_one(path: &Path) -> Result<()> {
    let module = Module::open(path)?;
    let name = path.file_stem().unwrap_or_default().display().to_string();
    for every_instruction in [false, true] {
        let probes = probes(&module, every_instruction)?;
        let mut best = Duration::MAX;
        let mut size = 0;
        for _ in 0..RUNS {
            let start = Instant::now();
            size = instrument(&module, &probes, RECORD)?.image.len();
            best = best.min(start.elapsed());
        }
        let what = format!("{name}: {} probes", probes.len());
        figure(&what, format!("{:.1}", best.as_secs_f64() * 1e3), "ms");
        let grown = size as f64 / module.bytes().len() as f64;
        figure(format!("{what}, size of the copy"), format!("{grown:.2}"), "times");
    }
    Ok(())
}

fn probes(module: &Module, every_instruction: bool) -> Result<Vec<Probe>> {
    let mut probes = Vec::new();
    for method in module.method_defs() {
        let Some(body) = module.method_body(method)? else { continue };
        probes.extend(edges(&body)?.into_iter().map(|edge| Probe::edge(method, edge)));
        for instruction in body.instructions().take(if every_instruction { usize::MAX } else { 1 }) {
            probes.push(Probe::reached(method, instruction?.offset));
        }
    }
    Ok(probes)
}
