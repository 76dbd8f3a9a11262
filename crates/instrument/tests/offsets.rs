//! Where exceptions come from: the offsets that the runtime tells of the copy, translated back, name the lines that it tells
//! of the original.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use std::fs;
use std::path::Path;

use cil::{MethodDefId, Module, Pdb, Token};
use common::recording::{Block, Mapping, Start, replace};
use common::{BASE, everything, usual};
use testkit::{Debug, Options, Target, Toolchain};

#[test]
fn places_of_exceptions_are_those_of_the_original() {
    for optimize in [false, true] {
        for debug in [Debug::Portable, Debug::Embedded] {
            check(optimize, debug);
        }
    }
}

fn check(optimize: bool, debug: Debug) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/Places.cs");
    let options = Options { target: Target::Exe, optimize, debug, ..Options::default() };
    let original = testkit::compile("Places", &[source.as_path()], &options).unwrap();
    let module = Module::open(&original).unwrap();
    let pdb = Pdb::find_for(&module, &original).unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(original.parent().unwrap()).unwrap().flatten() {
        if entry.path().extension().is_some_and(|extension| extension != "cs") {
            fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
    }
    let dll = folder.path().join("Places.dll");
    let expected = run(&dll, 0);
    let frames = expected.lines().filter(|line| line.contains(' ')).count();
    assert!(frames > 30, "{expected}");
    for probes in [usual(&module, Some(&pdb)), everything(&module)] {
        let copy = replace(&dll, &module, &probes, BASE);
        let told = run(&dll, probes.len());
        assert_eq!(told.lines().count(), expected.lines().count(), "{told}");
        for (told, expected) in told.lines().zip(expected.lines()) {
            let (Some(told), Some(expected)) = (frame(told), frame(expected)) else {
                assert_eq!(told, expected);
                continue;
            };
            assert_eq!(told.2, 0, "the copy has no symbols");
            let offset = copy.original_offset(told.0, told.1);
            let line = line_of(&pdb, told.0, offset);
            assert_eq!((told.0, line), (expected.0, expected.2), "IL_{:04x}, IL_{offset:04x}", expected.1);
        }
    }
}

/// Method, offset and line of a frame.
fn frame(text: &str) -> Option<(MethodDefId, u32, u32)> {
    let mut numbers = text.split(' ').map(str::parse);
    let token = Token::from_raw(numbers.next()?.ok()?);
    Some((MethodDefId::from_token(token)?, numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The line of the last visible sequence point up to an offset.
fn line_of(pdb: &Pdb, method: MethodDefId, offset: u32) -> u32 {
    let points = pdb.sequence_points(method).unwrap();
    let mut visible = points.iter().filter(|point| point.il_offset <= offset).filter_map(|point| point.span);
    visible.next_back().map_or(0, |span| span.start_line)
}

fn run(dll: &Path, probes: usize) -> String {
    let folder = dll.parent().unwrap();
    let block = Block::new(folder, probes);
    let start = Start {
        runtime: &Toolchain::locate().unwrap().dotnet(),
        dll,
        args: &[],
        stdin: "",
        variables: &[],
        folder,
        mapping: Mapping::StartupHook,
    };
    let (code, stdout, stderr) = start.run(&block);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}
