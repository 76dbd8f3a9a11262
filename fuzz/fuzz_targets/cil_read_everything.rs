//! Any bytes as an assembly or a portable PDB: everything in them is read, within a budget of work.
//!
//! `cargo xtask fuzz cil_read_everything`. Good seeds are small assemblies and PDBs in
//! `fuzz/corpus/cil_read_everything`.
#![no_main]

use libfuzzer_sys::fuzz_target;

const BUDGET: u64 = 200_000;

fuzz_target!(|bytes: &[u8]| {
    let _ = cil::walk::read_bytes(bytes.to_vec(), BUDGET);
});
