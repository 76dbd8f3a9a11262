//! The counts of the core libraries, compared with those that Mono.Cecil reports.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use cil::{Module, TableId};
use testkit::{Toolchain, versions};

fn counts(path: &Path) -> (u32, u32, usize) {
    let module = Module::open(path).unwrap();
    let mut instructions = 0;
    for id in module.method_defs() {
        if let Some(body) = module.method_body(id).unwrap() {
            instructions += body.instructions().map(Result::unwrap).count();
        }
    }
    (module.rows(TableId::TypeDef), module.rows(TableId::MethodDef), instructions)
}

#[test]
fn core_library_of_3_1() {
    let toolchain = Toolchain::locate().unwrap();
    assert_eq!(counts(&toolchain.corelib31()), (1_890, 21_217, 425_023));
}

#[test]
fn core_library_of_10() {
    let toolchain = Toolchain::locate().unwrap();
    // Another .NET 10 may be installed on the machine; the counts are those of one build.
    if toolchain.runtime_version() == versions::RUNTIME {
        assert_eq!(counts(&toolchain.corelib()), (2_760, 41_556, 630_860));
    }
}
