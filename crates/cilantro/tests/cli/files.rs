//! Files that are no assemblies: one sentence, exit code 2, nothing on stdout.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};

use crate::program::{ask, without};

/// Asks every command that takes an assembly; all must say the same.
fn check(folder: &Path, name: &str, expected: Expect) {
    let path = folder.join(name);
    let mut sentences = Vec::new();
    for command in ["generate", "check", "inspect"] {
        let ended = ask(command, &path, &[]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{command} {name}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
        sentences.push(without(&ended.stderr, folder));
    }
    sentences.dedup();
    expected.assert_eq(&sentences.concat());
}

#[test]
fn a_missing_file() {
    let folder = tempfile::tempdir().unwrap();
    check(
        folder.path(),
        "nothing.dll",
        expect![[r#"
        error: DIR/nothing.dll does not exist
    "#]],
    );
}

#[test]
fn a_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    check(
        folder.path(),
        "sub",
        expect![[r#"
        error: DIR/sub is a folder without a project or solution; give the path of a .dll, .csproj or .sln
    "#]],
    );
}

#[test]
fn an_empty_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.dll"), "").unwrap();
    check(
        folder.path(),
        "empty.dll",
        expect![[r#"
        error: DIR/empty.dll is empty
    "#]],
    );
}

#[test]
fn a_text_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.txt"), "Milk, bread, cilantro.\n").unwrap();
    check(
        folder.path(),
        "notes.txt",
        expect![[r#"
            error: DIR/notes.txt is not a .NET assembly: this is a text file
        "#]],
    );
}

#[test]
fn a_native_library() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("native.dll"), native_pe()).unwrap();
    check(
        folder.path(),
        "native.dll",
        expect![[r#"
            error: DIR/native.dll is not a .NET assembly: this is a native program or library without .NET metadata
        "#]],
    );
    let elf = [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 200]].concat();
    fs::write(folder.path().join("libnative.so"), elf).unwrap();
    check(
        folder.path(),
        "libnative.so",
        expect![[r#"
            error: DIR/libnative.so is not a .NET assembly: this is a native ELF program or library
        "#]],
    );
}

#[test]
fn a_truncated_assembly() {
    let folder = tempfile::tempdir().unwrap();
    let source = "public static class A { public static int F(int x) => x > 0 ? 1 : 2; }";
    let whole = testkit::compile("Cut", &[("A.cs", source)], &testkit::Options::default()).unwrap();
    let bytes = fs::read(whole).unwrap();
    fs::write(folder.path().join("cut.dll"), bytes.get(..bytes.len() / 2).unwrap()).unwrap();
    check(
        folder.path(),
        "cut.dll",
        expect![[r#"
            error: DIR/cut.dll is a damaged assembly: truncated: the file ends inside a section (file offset 0x500)
        "#]],
    );
    // Wherever it is cut, it is one sentence (or still readable).
    for length in [1, 2, 64, 128, 200, 400, 600, 1000] {
        let name = format!("cut{length}.dll");
        fs::write(folder.path().join(&name), bytes.get(..length).unwrap()).unwrap();
        let ended = ask("check", &folder.path().join(name), &[]);
        assert_eq!((ended.code, ended.stderr.lines().count()), (Some(2), 1), "{length}: {}", ended.stderr);
    }
}

/// The smallest 64-bit PE image with no CLI header.
fn native_pe() -> Vec<u8> {
    let mut image = vec![0u8; 1024];
    let mut put = |offset: usize, bytes: &[u8]| image[offset..offset + bytes.len()].copy_from_slice(bytes);
    put(0, b"MZ");
    put(0x3c, &0x80u32.to_le_bytes());
    put(0x80, b"PE\0\0");
    put(0x84, &0x8664u16.to_le_bytes()); // machine
    put(0x86, &1u16.to_le_bytes()); // sections
    put(0x94, &240u16.to_le_bytes()); // size of the optional header
    put(0x96, &0x2022u16.to_le_bytes()); // a dll
    put(0x98, &0x20bu16.to_le_bytes()); // PE32+
    put(0x98 + 108, &16u32.to_le_bytes()); // data directories, all empty
    put(0x98 + 240, b".text\0\0\0");
    put(0x98 + 248, &[0, 2, 0, 0, 0, 0x10, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0]);
    image
}
