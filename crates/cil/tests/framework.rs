//! Reads everything in every assembly of the runtimes and of third parties: there must be no error at all.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use cil::{ErrorKind, Module, Pdb, walk};
use testkit::Toolchain;

const NO_LIMIT: u64 = u64::MAX;

fn assemblies(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "dll"));
    files.sort();
    files
}

/// How many assemblies were read; native libraries are passed over.
fn read_all(folder: &Path) -> usize {
    let mut managed = 0;
    for path in assemblies(folder) {
        let module = match Module::open(&path) {
            Ok(module) => module,
            Err(error) if matches!(error.kind(), ErrorKind::NoCliMetadata) => continue,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        let stats = walk::read_everything(&module, NO_LIMIT);
        assert_eq!(stats.first_error, None, "{}", path.display());
        assert!(stats.rows > 0, "{}", path.display());
        managed += 1;
    }
    managed
}

#[test]
fn every_assembly_of_10() {
    assert!(read_all(Toolchain::locate().unwrap().framework_dir()) > 150);
}

#[test]
fn every_assembly_of_3_1() {
    assert!(read_all(&Toolchain::locate().unwrap().framework31_dir()) > 150);
}

#[test]
fn third_parties_with_their_symbols() {
    let toolchain = Toolchain::locate().unwrap();
    let folder = Some(toolchain.layout().third_party()).filter(|folder| folder.is_dir());
    let Some(folder) = testkit::found_or_skip("the folder of third-party libraries", folder) else { return };
    assert!(read_all(&folder) > 10);
    let mut with_symbols = 0;
    for path in assemblies(&folder) {
        let module = Module::open(&path).unwrap();
        if let Some(pdb) = Pdb::find_for(&module, &path).unwrap() {
            let stats = walk::read_pdb(&pdb, NO_LIMIT);
            assert_eq!(stats.first_error, None, "{}", path.display());
            assert!(stats.sequence_points > 0, "{}", path.display());
            with_symbols += 1;
        }
    }
    assert!(with_symbols > 5, "{with_symbols}");
}
