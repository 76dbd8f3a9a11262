//! Images of all shapes: what is around the bodies.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use cil::{MethodDefId, Module};
use common::check::check;
use common::recording::{Block, Mapping, Start};
use common::{BASE, everything};
use expect_test::expect;
use instrument::{Edge, Probe, edges, instrument};
use testkit::{Debug, Options, Target, Toolchain};

const SOURCE: &str = r#"
using System;
static class Program
{
    static readonly byte[] Data = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    static int Main(string[] args)
    {
        int sum = 0;
        foreach (byte b in Data) if (b % 2 == 0) sum += b;
        Console.WriteLine(sum + " " + typeof(Program).Module.ModuleVersionId.ToString().Length);
        return sum;
    }
}"#;

fn compiled(arguments: &[&str], debug: Debug) -> PathBuf {
    let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
    let options = Options { target: Target::Exe, debug, arguments, ..Options::default() };
    testkit::compile("Shapes", &[("Shapes.cs", SOURCE)], &options).unwrap()
}

/// Instruments bytes, compares the copy with the original, and returns it.
fn copied(bytes: Vec<u8>) -> Vec<u8> {
    let module = Module::from_vec(bytes).unwrap();
    let probes = everything(&module);
    let copy = instrument(&module, &probes, BASE).unwrap();
    check(&module, &probes, BASE, &copy);
    copy.image
}

/// Runs an image and expects what the source says.
fn run(original: &Path, image: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let dll = folder.path().join("Shapes.dll");
    std::fs::write(&dll, image).unwrap();
    let config = "Shapes.runtimeconfig.json";
    std::fs::copy(original.with_file_name(config), folder.path().join(config)).unwrap();
    let block = Block::new(folder.path(), 10_000);
    let start = Start {
        runtime: &Toolchain::locate().unwrap().dotnet(),
        dll: &dll,
        args: &[],
        stdin: "",
        variables: &[],
        folder: folder.path(),
        mapping: Mapping::StartupHook,
    };
    let (code, stdout, stderr) = start.run(&block);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!((code, text(&stdout).as_str()), (42, "42 36\n"), "{}", text(&stderr));
    assert!(block.recorded().contains(&true));
}

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn set(bytes: &mut [u8], at: usize, value: usize) {
    bytes[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
}

/// The offset of the header of the last section.
fn last_section(bytes: &[u8]) -> usize {
    let coff = number(bytes, 0x3c) + 4;
    let count = usize::from(bytes[coff + 2]);
    coff + 20 + usize::from(u16::from_le_bytes([bytes[coff + 16], bytes[coff + 17]])) + (count - 1) * 40
}

#[test]
fn all_platforms_and_symbols() {
    for (platform, runs) in [("anycpu", true), ("anycpu32bitpreferred", true), ("x64", true), ("x86", false)]
    {
        for debug in [Debug::None, Debug::Portable, Debug::Embedded] {
            let path = compiled(&[&format!("-platform:{platform}")], debug);
            let image = copied(std::fs::read(&path).unwrap());
            let module = Module::from_vec(image.clone()).unwrap();
            let optional = number(&image, 0x3c) + 24;
            assert_eq!(image[optional + 1] == 2, platform == "x64", "PE32+ or PE32");
            assert!(module.code_view().unwrap().is_none() && cil::Pdb::embedded(&module).unwrap().is_none());
            if runs {
                run(&path, &image);
            }
        }
    }
}

#[test]
fn alignments() {
    for alignment in [512, 1024, 4096, 8192] {
        let path = compiled(&[&format!("-filealign:{alignment}")], Debug::Portable);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(number(&bytes, number(&bytes, 0x3c) + 24 + 36), alignment);
        run(&path, &copied(bytes));
    }
}

#[test]
fn something_after_the_last_section() {
    let path = compiled(&[], Debug::Portable);
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend(b"appended by somebody".repeat(77));
    run(&path, &copied(bytes));
}

#[test]
fn a_last_section_that_is_larger_in_memory() {
    let path = compiled(&[], Debug::Portable);
    let mut bytes = std::fs::read(&path).unwrap();
    let section = last_section(&bytes);
    set(&mut bytes, section + 8, 0x5678);
    let image = copied(bytes);
    assert!(number(&image, section + 16) > 0x5678);
    run(&path, &image);
}

#[test]
fn a_last_section_that_comes_first_in_the_file() {
    let path = compiled(&[], Debug::Portable);
    let mut bytes = std::fs::read(&path).unwrap();
    let first = last_section(&bytes) - 2 * 40;
    let (start, size) = (number(&bytes, first + 20), number(&bytes, first + 16));
    let moved = bytes.len().next_multiple_of(512);
    bytes.resize(moved, 0);
    bytes.extend_from_within(start..start + size);
    set(&mut bytes, first + 20, moved);
    copied(bytes);
}

#[test]
fn a_last_section_without_bytes_in_the_file() {
    let path = compiled(&[], Debug::Portable);
    let mut bytes = std::fs::read(&path).unwrap();
    let section = last_section(&bytes);
    set(&mut bytes, section + 8, 0x1234);
    set(&mut bytes, section + 16, 0);
    set(&mut bytes, section + 20, 0);
    copied(bytes);
}

#[test]
fn nothing_to_probe() {
    let path = compiled(&[], Debug::Portable);
    let module = Module::open(&path).unwrap();
    let copy = instrument(&module, &[], BASE).unwrap();
    assert_eq!(copy.image.len(), module.bytes().len());
    assert!(copy.methods.is_empty());
}

#[test]
fn methods_without_probes_keep_their_bodies() {
    let path = compiled(&[], Debug::Portable);
    let module = Module::open(&path).unwrap();
    let main = module.method_defs().find(|id| module.method_def(*id).unwrap().name == "Main").unwrap();
    let copy = instrument(&module, &[Probe::reached(main, 0)], BASE).unwrap();
    let copied = Module::from_vec(copy.image.clone()).unwrap();
    for method in module.method_defs().filter(|method| *method != main) {
        let (old, new) = (module.method_body(method).unwrap(), copied.method_body(method).unwrap());
        let place =
            |body: Option<cil::MethodBody<'_>>| body.map(|body| (body.code_file_offset, body.code.to_vec()));
        assert_eq!(place(new), place(old));
        assert_eq!(copy.original_offset(method, 7), 7);
    }
    assert_eq!(copy.methods.len(), 1);
    assert_eq!(copy.original_offset(main, 12), 0);
}

#[test]
fn probes_that_make_no_sense() {
    let path = compiled(&[], Debug::Portable);
    let module = Module::open(&path).unwrap();
    let main = module.method_defs().find(|id| module.method_def(*id).unwrap().name == "Main").unwrap();
    let edge = edges(&module.method_body(main).unwrap().unwrap()).unwrap()[0];
    let error = |probe: Probe| instrument(&module, &[Probe::reached(main, 0), probe], BASE).unwrap_err();
    let place = |from: u32, to: u32| Probe::edge(main, Edge { from, to });
    let mut errors = String::new();
    for probe in [
        Probe::reached(MethodDefId::new(999), 0),
        Probe::reached(main, 3),
        Probe::reached(main, 99_999),
        place(edge.from, 0),
        place(0, edge.to),
        place(77_777, edge.to),
    ] {
        errors.push_str(&format!("{}\n", error(probe)));
    }
    errors
        .push_str(&format!("{}\n", instrument(&module, &[place(edge.from, edge.to)], u64::MAX).unwrap_err()));
    expect![[r#"
        method 0x060003e7: bad metadata: 0x060003e7 does not exist (the table has 2 rows) (file offset 0x45c)
        method 0x06000001 has no instruction at IL_0003
        method 0x06000001 has no instruction at IL_1869f
        in method 0x06000001 no conditional jump leads from IL_0013 to IL_0000
        in method 0x06000001 no conditional jump leads from IL_0000 to IL_0015
        in method 0x06000001 no conditional jump leads from IL_12fd1 to IL_0015
        the block of probes would be too large
    "#]]
    .assert_eq(&errors);
}

#[test]
fn what_has_no_cil_is_refused() {
    let corelib = Module::open(&Toolchain::locate().unwrap().corelib()).unwrap();
    let native = corelib.method_defs().find(|id| corelib.method_body(*id).unwrap().is_none()).unwrap();
    let error = instrument(&corelib, &[Probe::reached(native, 0)], BASE).unwrap_err();
    assert_eq!(error.method(), Some(native));
    assert!(error.to_string().ends_with("has no CIL to put a probe into"), "{error}");
}
