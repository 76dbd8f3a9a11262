//! Libraries that others wrote and built, strong-named and with symbols of all kinds, with a probe on every edge and every
//! instruction: a program that uses them must not notice.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use cil::Module;
use common::recording::{Block, Mapping, Start, full_opts, replace};
use common::{BASE, everything, flow};
use testkit::{Options, Target, Toolchain};

#[test]
fn humanizer_command_line_and_nunit() {
    check("Libraries", &["Humanizer", "CommandLine", "nunit.framework"]);
}

#[test]
fn json_and_yaml() {
    check("Serializing", &["Newtonsoft.Json", "YamlDotNet"]);
}

fn check(name: &str, libraries: &[&str]) {
    let toolchain = Toolchain::locate().unwrap();
    let found = libraries.iter().map(|library| toolchain.third_party(library)).collect::<Option<Vec<_>>>();
    let Some(libraries) = found else {
        eprintln!("not run: {libraries:?} are not all in the toolchain");
        return;
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{name}.cs"));
    let options = Options { target: Target::Exe, references: libraries.clone(), ..Options::default() };
    let program = testkit::compile(name, &[source.as_path()], &options).unwrap();

    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(program.parent().unwrap()).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "dll" || extension == "json") {
            fs::copy(&path, folder.path().join(entry.file_name())).unwrap();
        }
    }
    let dll = folder.path().join(program.file_name().unwrap());
    // There are no cultures on a bare machine; libraries may name some all the same.
    let cultures = ("DOTNET_SYSTEM_GLOBALIZATION_PREDEFINED_CULTURES_ONLY".to_owned(), "0".to_owned());
    let expected = run(&dll, 0, std::slice::from_ref(&cultures));
    let mut probed = Vec::new();
    let mut size = 0;
    for original in libraries.iter().chain([&program]) {
        let module = Module::open(original).unwrap();
        let probes = everything(&module);
        let copy: PathBuf = folder.path().join(original.file_name().unwrap());
        replace(&copy, &module, &probes, BASE + size as u64);
        let first = size;
        size += probes.len();
        probed.push((module, probes, first));
    }
    for variables in [vec![cultures.clone()], vec![cultures, full_opts()]] {
        let (output, recorded) = run(&dll, size, &variables);
        assert_eq!(output, expected.0);
        for (module, probes, first) in &probed {
            let (reached, taken) = flow::check(module, probes, &recorded[*first..first + probes.len()]);
            eprintln!("{}: {reached} instructions, {taken} edges", module.module().unwrap().name);
            assert!(reached > 200 && taken > 0, "{reached} {taken}");
        }
    }
}

fn run(dll: &Path, probes: usize, variables: &[(String, String)]) -> (String, Vec<bool>) {
    let folder = dll.parent().unwrap();
    let block = Block::new(folder, probes);
    let start = Start {
        runtime: &Toolchain::locate().unwrap().dotnet(),
        dll,
        args: &[],
        stdin: "",
        variables,
        folder,
        mapping: Mapping::StartupHook,
    };
    let (code, stdout, stderr) = start.run(&block);
    let stdout = String::from_utf8(stdout).unwrap();
    assert_eq!(code, 0, "{stdout}{}", String::from_utf8_lossy(&stderr));
    assert!(stdout.lines().count() > 20, "{stdout}");
    (stdout, block.recorded())
}
