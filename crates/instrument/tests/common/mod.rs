//! What the tests share: assemblies, lists of probes, and the comparison of a copy with its original.
#![allow(dead_code)]

pub mod check;
pub mod flow;
pub mod recording;

use std::fs;
use std::path::{Path, PathBuf};

use cil::{ErrorKind, Module, Pdb};
use instrument::{Probe, edges};

pub const BASE: u64 = 0x10_0000_0000;

/// The managed assemblies of a folder, in the order of their names.
pub fn assemblies(folder: &Path) -> Vec<(PathBuf, Module)> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "dll"));
    files.sort();
    let opened = files.into_iter().filter_map(|path| match Module::open(&path) {
        Ok(module) => Some((path, module)),
        Err(error) if matches!(error.kind(), ErrorKind::NoCliMetadata) => None,
        Err(error) => panic!("{}: {error}", path.display()),
    });
    opened.collect()
}

/// Every edge and every instruction.
pub fn everything(module: &Module) -> Vec<Probe> {
    let mut probes = Vec::new();
    for method in module.method_defs() {
        let Some(body) = module.method_body(method).unwrap() else { continue };
        probes.extend(edges(&body).unwrap().into_iter().map(|edge| Probe::edge(method, edge)));
        let offsets = body.instructions().map(|instruction| instruction.unwrap().offset);
        probes.extend(offsets.map(|offset| Probe::reached(method, offset)));
    }
    probes
}

/// What a user would ask for: every edge, every entry, every sequence point.
pub fn usual(module: &Module, pdb: Option<&Pdb>) -> Vec<Probe> {
    let mut probes = Vec::new();
    for method in module.method_defs() {
        let Some(body) = module.method_body(method).unwrap() else { continue };
        probes.extend(edges(&body).unwrap().into_iter().map(|edge| Probe::edge(method, edge)));
        let points = pdb.map(|pdb| pdb.sequence_points(method).unwrap()).unwrap_or_default();
        let mut offsets: Vec<u32> = points.iter().map(|point| point.il_offset).chain([0]).collect();
        offsets.sort_unstable();
        offsets.dedup();
        probes.extend(offsets.into_iter().map(|offset| Probe::reached(method, offset)));
    }
    probes
}
