//! Every body of the runtimes and of third parties with probes on all edges and instructions and on some of them:
//! the copy must be the original with probes, as far as reading tells.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::path::Path;

use common::{BASE, assemblies, check::check, everything};
use instrument::instrument;
use random::Random;
use testkit::Toolchain;

/// How many assemblies and methods were compared.
fn check_folder(folder: &Path) -> (usize, usize) {
    let (mut files, mut methods, mut instructions) = (0, 0, 0);
    for (path, module) in assemblies(folder) {
        let all = everything(&module);
        let mut random = Random::new(files as u64);
        let some = all.iter().copied().filter(|_| random.percent(30)).collect();
        for probes in [all, some] {
            let copy = instrument(&module, &probes, BASE)
                .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let compared = check(&module, &probes, BASE, &copy);
            methods += compared.methods;
            instructions += compared.instructions;
        }
        files += 1;
    }
    eprintln!("{}: {files} assemblies, {methods} methods, {instructions} instructions", folder.display());
    (files, methods)
}

#[test]
fn every_assembly_of_10() {
    let (files, methods) = check_folder(Toolchain::locate().unwrap().framework_dir());
    assert!(files > 150 && methods > 200_000, "{files} {methods}");
}

#[test]
fn every_assembly_of_3_1() {
    let (files, methods) = check_folder(&Toolchain::locate().unwrap().framework31_dir());
    assert!(files > 150 && methods > 150_000, "{files} {methods}");
}

#[test]
fn third_parties() {
    let toolchain = Toolchain::locate().unwrap();
    assert!(check_folder(&toolchain.layout().nunit()).0 > 2);
    for folder in [toolchain.layout().third_party(), toolchain.layout().roslyn()] {
        if folder.is_dir() {
            assert!(check_folder(&folder).0 > 0);
        }
    }
}

#[test]
fn the_class_library_of_mono() {
    if let Some(mono) = Toolchain::locate().unwrap().mono() {
        assert!(check_folder(&mono.framework).0 > 0);
    }
}
