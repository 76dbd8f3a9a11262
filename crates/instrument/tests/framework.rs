//! The class library with probes, the core library included: programs must do on it what they do on the original.
//!
//! These are ReadyToRun images, the hardest there are to turn into plain ones, and their code is what all programs run.
//! `CILANTRO_RUN=topic/Name` runs the programs whose name starts so instead of a few chosen ones.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use cil::Module;
use common::recording::{Block, Mapping, Start, replace};
use common::{BASE, assemblies, everything, flow};
use instrument::Probe;
use tempfile::TempDir;
use testkit::{Framework, Observed, Program, Toolchain};

/// Programs that use much of the class library and print nothing of where it lies.
const PROGRAMS: [&str; 8] = [
    "apps/Reports",
    "collections/Sets",
    "json/Documents",
    "linq/Queries",
    "numerics/Decimals",
    "regex/Patterns",
    "strings/Formatting",
    "xml/Linq",
];

#[test]
fn programs_on_10() {
    let toolchain = Toolchain::locate().unwrap();
    let copy = Copied::of(toolchain.runtime_root(), toolchain.framework_dir());
    copy.run_programs(Framework::Net10);
}

#[test]
fn programs_on_3_1() {
    let toolchain = Toolchain::locate().unwrap();
    let framework = toolchain.framework31_dir();
    let copy = Copied::of(&toolchain.layout().sdk31(), &framework);
    copy.run_programs(Framework::NetCore31);
}

/// An installation of .NET whose class library has probes.
struct Copied {
    root: TempDir,
    /// Each assembly with its probes and the number of the first.
    probed: Vec<(Module, Vec<Probe>, usize)>,
    size: usize,
}

impl Copied {
    fn of(root: &Path, framework: &Path) -> Copied {
        let folder = tempfile::tempdir().unwrap();
        let shared = framework.strip_prefix(root).unwrap();
        copy_folder(&root.join("host"), &folder.path().join("host"));
        copy_folder(framework, &folder.path().join(shared));
        fs::copy(root.join("dotnet"), folder.path().join("dotnet")).unwrap();
        let mut copied = Copied { root: folder, probed: Vec::new(), size: 0 };
        for (path, module) in assemblies(framework) {
            let probes = everything(&module);
            let dll = copied.root.path().join(shared).join(path.file_name().unwrap());
            replace(&dll, &module, &probes, BASE + copied.size as u64);
            let first = copied.size;
            copied.size += probes.len();
            copied.probed.push((module, probes, first));
        }
        copied
    }

    fn run_programs(&self, framework: Framework) {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/run");
        let mut programs = testkit::programs(&fixtures).unwrap();
        programs.retain(|program| program.framework == framework);
        match std::env::var("CILANTRO_RUN") {
            Ok(start) => programs.retain(|program| program.name.starts_with(&start)),
            Err(_) => programs.retain(is_listed),
        }
        let mut differ = Vec::new();
        for program in programs {
            let dll: PathBuf = testkit::compile_all(&[program.assembly()]).unwrap().remove(0);
            let expected = testkit::observe(&program, &dll).unwrap();
            let block = Block::new(self.root.path(), self.size);
            let runtime = self.root.path().join("dotnet");
            let start = Start {
                runtime: &runtime,
                dll: &dll,
                args: &program.args,
                stdin: &program.stdin,
                variables: &program.variables,
                folder: &program.folder().unwrap(),
                mapping: Mapping::Preload,
            };
            let started = std::time::Instant::now();
            let (code, stdout, stderr) = start.run(&block);
            let observed = Observed::new(code, &stdout, &stderr);
            if observed != expected {
                differ.push(format!("{}: {observed:?}\n is not {expected:?}", program.name));
            }
            let recorded = block.recorded();
            let mut sum = (0, 0);
            for (module, probes, first) in &self.probed {
                let (reached, taken) = flow::check(module, probes, &recorded[*first..first + probes.len()]);
                sum = (sum.0 + reached, sum.1 + taken);
            }
            eprintln!("{}: {} instructions, {} edges, {:?}", program.name, sum.0, sum.1, started.elapsed());
        }
        assert!(differ.is_empty(), "{} differ\n{}", differ.len(), differ.join("\n"));
    }
}

fn is_listed(program: &Program) -> bool {
    program.framework == Framework::NetCore31 || PROGRAMS.contains(&program.name.as_str())
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
