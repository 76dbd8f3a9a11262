//! Measures how long it takes to make copies: of the core library of .NET 10 and of Newtonsoft.Json, if it is there, or of
//! the assemblies whose paths are given. Probes are on every edge and every entry, then on every instruction as well.
#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cil::Module;
use instrument::{Probe, edges, instrument};

/// The machine is not ours alone: the best of some runs is what is needed.
const RUNS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if paths.is_empty() {
        let toolchain = testkit::Toolchain::locate()?;
        paths.push(toolchain.corelib());
        paths.extend(toolchain.third_party("Newtonsoft.Json"));
    }
    for path in paths {
        let module = Module::open(&path)?;
        for every_instruction in [false, true] {
            let probes = probes(&module, every_instruction)?;
            let mut best = Duration::MAX;
            let mut size = 0;
            for _ in 0..RUNS {
                let start = Instant::now();
                size = instrument(&module, &probes, 0x10_0000_0000)?.image.len();
                best = best.min(start.elapsed());
            }
            let name = path.file_stem().unwrap_or_default().display().to_string();
            let (before, after) = (module.bytes().len() >> 10, size >> 10);
            println!("{name}: {} probes, {before} KB to {after} KB\t{best:?}", probes.len());
        }
    }
    Ok(())
}

fn probes(module: &Module, every_instruction: bool) -> cil::Result<Vec<Probe>> {
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
