//! Everything in a whole framework can be asked about: every signature, token, layout and virtual table.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::Census;

#[test]
fn all_of_corelib_resolves() {
    let toolchain = common::toolchain();
    let universe = common::universe(toolchain.runtime_root());
    let core = universe.corelib().unwrap();
    let census = Census::take(&universe, core);
    assert_eq!(census.errors, Vec::<String>::new());
    assert!(census.types > 2_700 && census.methods > 40_000 && census.tokens > 180_000, "{census:?}");
}

#[test]
fn every_assembly_of_the_framework_resolves() {
    let toolchain = common::toolchain();
    let universe = common::universe(toolchain.runtime_root());
    let mut files: Vec<_> =
        std::fs::read_dir(toolchain.framework_dir()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "dll"));
    files.sort();
    let mut checked = 0;
    for file in files {
        let Ok(a) = universe.load(&file) else { continue };
        checked += 1;
        let census = Census::take(&universe, a);
        assert_eq!(census.errors, Vec::<String>::new(), "{}", file.display());
    }
    assert!(checked > 150, "only {checked} assemblies");
}
