//! What a user reads when a file is not what it should be.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use cil::{Module, Pdb};
use expect_test::{Expect, expect};
use testkit::Toolchain;

fn check(bytes: &[u8], message: Expect) {
    let Err(error) = Module::from_vec(bytes.to_vec()) else { panic!("it was read") };
    message.assert_eq(&error.to_string());
}

fn corelib() -> Vec<u8> {
    fs::read(Toolchain::locate().unwrap().corelib31()).unwrap()
}

/// A PE file without a CLI header: an assembly whose data directory entry is wiped.
fn native() -> Vec<u8> {
    let mut bytes = corelib();
    let header = u32::from_le_bytes(bytes[0x3c..0x40].try_into().unwrap()) as usize;
    let wide = bytes[header + 24..header + 26] == [0x0b, 0x02];
    let directories = header + 24 + if wide { 112 } else { 96 };
    bytes[directories + 14 * 8..directories + 15 * 8].fill(0);
    bytes
}

#[test]
fn files_that_are_no_assemblies() {
    check(b"", expect!["the file is empty"]);
    check(b"Hello, this is text.\n", expect!["not a PE file: this is a text file"]);
    check("Größe: 5 µm\n".as_bytes(), expect!["not a PE file: this is a text file"]);
    check(b"\x7fELF\x02\x01\x01", expect!["not a PE file: this is a native ELF program or library"]);
    check(b"PK\x03\x04....", expect!["not a PE file: this is a ZIP archive (a NuGet package?)"]);
    check(b"BSJB\x01\x00\x01\x00", expect!["not a PE file: this is a portable PDB"]);
    check(&[0, 1, 2, 3], expect!["not a PE file: it does not begin with `MZ`"]);
    check(&native(), expect!["a native program or library without .NET (CLI) metadata"]);
}

#[test]
fn truncated_files() {
    let bytes = corelib();
    check(&bytes[..2], expect!["truncated: the file ends inside the DOS header (file offset 0x2)"]);
    check(&bytes[..0x90], expect!["truncated: the file ends inside the PE header (file offset 0x90)"]);
    check(&bytes[..4096], expect!["truncated: the file ends inside a section (file offset 0x1000)"]);
    check(
        &bytes[..bytes.len() - 1000],
        expect!["truncated: the file ends inside a section (file offset 0x8b9c18)"],
    );
}

#[test]
fn missing_files_and_folders() {
    let folder = std::env::temp_dir();
    let Err(error) = Module::open(&folder) else { panic!("a folder was read") };
    expect!["cannot read the file: it is not a regular file"].assert_eq(&error.to_string());
    let Err(error) = Module::open(Path::new("no such file.dll")) else { panic!("it does not exist") };
    assert!(error.to_string().starts_with("cannot read the file: "), "{error}");
    assert!(Pdb::open(Path::new("no such file.pdb")).is_err());
}
