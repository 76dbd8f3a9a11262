//! A release, put together from a program that only says what is asked for: its structure, and that it is always the same.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Cursor, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use flate2::read::GzDecoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

const PROGRAM: &str = "#!/bin/sh\ncase \"$1\" in\n  man) echo .TH > \"$2/cilantro.1\"; echo .TH > \"$2/cilantro-check.1\" ;;\n  completions) echo \"for $2\" ;;\nesac\n";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The files of a release, by name.
fn release(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let program = folder.join("program");
    fs::write(&program, PROGRAM).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let out = folder.join("out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.arg("dist").arg("--binary").arg(&program).arg("--out").arg(&out);
    let output = command.args(["--target", "x86_64-unknown-linux-gnu"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = fs::read_dir(out).unwrap().map(|entry| entry.unwrap());
    files.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// Paths, modes and texts of what is no folder; nothing may have a time or an owner.
fn untar(bytes: &[u8]) -> BTreeMap<String, (u32, String)> {
    let mut archive = tar::Archive::new(GzDecoder::new(bytes));
    let mut files = BTreeMap::new();
    let mut folders = BTreeSet::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let header = entry.header();
        assert_eq!((header.mtime().unwrap(), header.uid().unwrap(), header.gid().unwrap()), (0, 0, 0));
        let (path, mode) = (entry.path().unwrap().display().to_string(), header.mode().unwrap());
        if header.entry_type().is_dir() {
            folders.insert(path.trim_end_matches('/').to_owned());
            continue;
        }
        let parent = path.rsplit_once('/').map(|(parent, _)| parent);
        assert!(parent.is_none_or(|parent| folders.contains(parent)), "the folder of {path} comes after it");
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        files.insert(path, (mode, text));
    }
    files
}

fn unzip(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = BTreeMap::new();
    for number in 0..archive.len() {
        let mut file = archive.by_index(number).unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        files.insert(file.name().to_owned(), text);
    }
    files
}

/// The members of an `ar` archive.
fn members(mut bytes: &[u8]) -> Vec<(String, &[u8])> {
    bytes = bytes.strip_prefix(b"!<arch>\n").unwrap();
    let mut members = Vec::new();
    while !bytes.is_empty() {
        let (header, rest) = bytes.split_at(60);
        let header = std::str::from_utf8(header).unwrap();
        let size: usize = header[48..58].trim().parse().unwrap();
        members.push((header[..16].trim().to_owned(), &rest[..size]));
        bytes = rest.get(size + size % 2..).unwrap_or_default();
    }
    members
}

#[test]
fn a_release_is_whole_and_always_the_same() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let files = release(one.path());
    assert_eq!(files, release(other.path()), "the same program makes the same release");
    let target = "x86_64-unknown-linux-gnu";
    let names: Vec<String> = files.keys().cloned().collect();
    let expected = [
        "SHA256SUMS".to_owned(),
        format!("cilantro-{VERSION}-{target}.cdx.json"),
        format!("cilantro-{VERSION}-{target}.tar.gz"),
        format!("cilantro.{VERSION}.nupkg"),
        format!("cilantro.linux-x64.{VERSION}.nupkg"),
        format!("cilantro_{VERSION}_amd64.deb"),
    ];
    assert_eq!(names, expected);
    let sums = String::from_utf8(files["SHA256SUMS"].clone()).unwrap();
    assert_eq!(sums.lines().count(), files.len() - 1);
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let digest: String = Sha256::digest(&files[name]).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, digest, "{name}");
    }
    archive(&files[&expected[2]]);
    parts(&files[&expected[1]]);
    tool_packages(&files[&expected[3]], &files[&expected[4]]);
    debian(&files[&expected[5]]);
}

fn archive(bytes: &[u8]) {
    let files = untar(bytes);
    let folder = format!("cilantro-{VERSION}-x86_64-unknown-linux-gnu");
    assert_eq!(files[&format!("{folder}/cilantro")], (0o755, PROGRAM.to_owned()));
    assert_eq!(files[&format!("{folder}/completions/_cilantro")], (0o644, "for zsh\n".to_owned()));
    for name in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "man/cilantro-check.1"] {
        assert!(files.contains_key(&format!("{folder}/{name}")), "{name}: {:?}", files.keys());
    }
}

fn parts(bytes: &[u8]) {
    let document: Value = serde_json::from_slice(bytes).unwrap();
    assert_eq!((&document["bomFormat"], &document["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let parts = document["components"].as_array().unwrap();
    let find = |name: &str| parts.iter().find(|part| part["name"] == name);
    let serde = find("serde").unwrap();
    assert_eq!(serde["purl"], format!("pkg:cargo/serde@{}", serde["version"].as_str().unwrap()));
    assert!(find("engine").is_some() && find("proptest").is_none() && find("testkit").is_none());
    for part in parts {
        let licence = part["licenses"][0]["expression"].as_str().unwrap();
        assert!(!licence.is_empty() && !licence.contains('/'), "{part}");
    }
    let known: BTreeSet<&str> = parts.iter().map(|part| part["bom-ref"].as_str().unwrap()).collect();
    for dependency in document["dependencies"].as_array().unwrap() {
        for on in dependency["dependsOn"].as_array().unwrap() {
            assert!(known.contains(on.as_str().unwrap()), "{dependency}");
        }
    }
}

fn tool_packages(pointer: &[u8], own: &[u8]) {
    let (pointer, own) = (unzip(pointer), unzip(own));
    assert!(pointer["cilantro.nuspec"].contains("<packageType name=\"DotnetTool\" />"));
    let settings = &pointer["tools/any/any/DotnetToolSettings.xml"];
    assert!(settings.contains("RuntimeIdentifier=\"linux-x64\" Id=\"cilantro.linux-x64\""), "{settings}");
    assert!(own["cilantro.linux-x64.nuspec"].contains("<packageType name=\"DotnetToolRidPackage\" />"));
    let settings = &own["tools/any/linux-x64/DotnetToolSettings.xml"];
    assert!(settings.contains("EntryPoint=\"cilantro\" Runner=\"executable\""), "{settings}");
    assert_eq!(own["tools/any/linux-x64/cilantro"], PROGRAM);
    for package in [pointer, own] {
        let types = &package["[Content_Types].xml"];
        for name in package.keys().filter(|name| *name != "[Content_Types].xml") {
            let last = name.rsplit('/').next().unwrap();
            let is_typed = match last.rsplit_once('.') {
                Some((_, extension)) => types.contains(&format!("Extension=\"{extension}\"")),
                None => types.contains(&format!("PartName=\"/{name}\"")),
            };
            assert!(is_typed, "{name} has no type: {types}");
        }
    }
}

fn debian(bytes: &[u8]) {
    let members = members(bytes);
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["debian-binary", "control.tar.gz", "data.tar.gz"]);
    assert_eq!(members[0].1, b"2.0\n");
    let control = &untar(members[1].1)["control"].1;
    assert!(control.contains(&format!("Version: {VERSION}\nArchitecture: amd64\n")), "{control}");
    let files = untar(members[2].1);
    assert_eq!(files["usr/bin/cilantro"], (0o755, PROGRAM.to_owned()));
    for name in ["share/man/man1/cilantro.1", "share/bash-completion/completions/cilantro"] {
        assert!(files.contains_key(&format!("usr/{name}")), "{name}: {:?}", files.keys());
    }
    // Where Debian's own reader is, it agrees.
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("cilantro.deb");
    fs::write(&package, bytes).unwrap();
    for question in ["--info", "--contents"] {
        if let Ok(output) = Command::new("dpkg-deb").arg(question).arg(&package).output() {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
