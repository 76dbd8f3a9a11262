//! Everything in a whole framework can be asked about: every signature, token, layout and virtual table.

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
