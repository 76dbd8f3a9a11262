//! The committed host program is what its source says, and speaks the client's protocol.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use culture::Entry;
use testkit::{Debug, Framework, Options, Source, Target};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("host")
}

#[test]
fn the_embedded_host_matches_its_source() {
    let sources: Vec<Source> = testkit::csharp_files(&folder()).unwrap().iter().map(Source::from).collect();
    let options = Options {
        language: "8.0".into(),
        framework: Framework::NetCore31,
        debug: Debug::None,
        target: Target::Exe,
        allow_unsafe: true,
        ..Options::default()
    };
    let built = testkit::compile("cilantro-culture-host", &sources, &options).unwrap();
    let committed = folder().join("cilantro-culture-host.dll");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::copy(&built, &committed).unwrap();
    }
    let same = std::fs::read(&built).unwrap() == std::fs::read(&committed).unwrap();
    assert!(same, "the host is older than its source: run this test with UPDATE_EXPECT=1 and commit the dll");
}

#[test]
fn both_sides_number_the_entries_alike() {
    let source = std::fs::read_to_string(folder().join("Entries.cs")).unwrap();
    let list = source.split("enum Entry : byte").nth(1).unwrap().split('}').next().unwrap();
    let host: Vec<String> = list
        .lines()
        .map(|line| line.trim().trim_end_matches(',').to_owned())
        .filter(|line| line.contains('='))
        .collect();
    let client: Vec<String> = Entry::ALL.iter().map(|&entry| format!("{entry} = {}", entry as u8)).collect();
    assert_eq!(host, client);
}

#[test]
fn every_entry_has_a_native_function_of_its_name() {
    let source = std::fs::read_to_string(folder().join("Native.cs")).unwrap();
    for entry in Entry::ALL {
        assert!(source.contains(&format!("EntryPoint = Prefix + \"{entry}\"")), "{entry}");
    }
}
