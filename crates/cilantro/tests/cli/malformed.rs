//! `run` on what is not a program, or not a whole one.

use std::fs;
use std::path::{Path, PathBuf};

use testkit::{Options, Target};

use crate::program::{Ended, command, ended, runtime};

fn program() -> PathBuf {
    let source = r#"
        using System;
        using System.Collections.Generic;
        static class App
        {
            static int Main()
            {
                var counts = new Dictionary<string, int>();
                foreach (string word in "a b a c b a".Split(' ')) counts[word] = counts.TryGetValue(word, out int n) ? n + 1 : 1;
                foreach (var pair in counts) Console.WriteLine(pair.Key + " " + pair.Value);
                return counts.Count;
            }
        }"#;
    let options = Options { target: Target::Exe, ..Options::default() };
    testkit::compile("Damaged", &[("Damaged.cs", source)], &options).unwrap()
}

fn run(path: &Path) -> Ended {
    let mut running = command(["run"]);
    running.args(["--max-steps", "20000000", "--max-memory", "200M", "--runtime"]).arg(runtime()).arg(path);
    ended(running.output().unwrap())
}

#[test]
fn what_is_not_a_program_is_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let library =
        testkit::compile("JustLibrary", &[("L.cs", "public class L { }")], &Options::default()).unwrap();
    let native = std::env::current_exe().unwrap();
    let whole = fs::read(program()).unwrap();
    let cases = [
        (file("text.dll", b"just text\n"), "is not a .NET assembly"),
        (file("empty.dll", b""), "is empty"),
        (file("script.sh", b"#!/bin/sh\necho\n"), "is not a .NET assembly"),
        (file("cut.dll", &whole[..100]), "Cut"),
        (native, "is not a .NET assembly"),
        (folder.path().to_owned(), "is a folder"),
        (folder.path().join("none.dll"), "does not exist"),
        (library, "has no entry point: it is a library, not a program"),
    ];
    for (path, expected) in cases {
        let ended = run(&path);
        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (Some(2), ""),
            "{}: {}",
            path.display(),
            ended.stderr
        );
        assert!(ended.stderr.starts_with("error: "), "{}: {}", path.display(), ended.stderr);
        assert!(expected == "Cut" || ended.stderr.contains(expected), "{}: {}", path.display(), ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{}", ended.stderr);
    }
}

#[test]
fn a_missing_reference_is_thrown_by_its_name_when_it_is_needed() {
    let base = testkit::compile(
        "RunBase",
        &[("Base.cs", "public static class Base { public static int One() => 1; }")],
        &Options::default(),
    )
    .unwrap();
    let source = "using System; static class User { static int Main() { Console.WriteLine(\"begun\"); return Needs(); } static int Needs() => Base.One(); }";
    let options = Options { target: Target::Exe, references: vec![base], ..Options::default() };
    let user = testkit::compile("RunUser", &[("User.cs", source)], &options).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("RunUser.dll");
    fs::copy(&user, &alone).unwrap();
    fs::copy(user.with_extension("runtimeconfig.json"), alone.with_extension("runtimeconfig.json")).unwrap();
    let ended = run(&alone);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(134), "begun\n"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("FileNotFoundException") && ended.stderr.contains("'RunBase, "),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_program_for_a_framework_that_is_not_there_is_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    let app = folder.path().join("App.dll");
    fs::copy(program(), &app).unwrap();
    let wants = r#"{ "runtimeOptions": { "framework": { "name": "Microsoft.WindowsDesktop.App", "version": "10.0.0" } } }"#;
    fs::write(app.with_extension("runtimeconfig.json"), wants).unwrap();
    let ended = run(&app);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("Microsoft.WindowsDesktop.App"), "{}", ended.stderr);
}

/// Whatever the bytes are: a documented exit code and at most a message, no panic of ours.
#[test]
fn damaged_programs_end_with_a_message() {
    let whole = fs::read(program()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Damaged.dll");
    let mut random = random::Random::new(1);
    for round in 0..60 {
        let mut bytes = whole.clone();
        if round < 12 {
            bytes.truncate(whole.len() * round / 12);
        } else {
            // The first bytes are about the file; the code and the metadata come after them.
            for _ in 0..=random.below(4) {
                let at = if round % 2 == 0 { random.below(bytes.len()) } else { 0x200 + random.below(0x800) };
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
        fs::write(&path, &bytes).unwrap();
        let ended = run(&path);
        let said = &ended.stderr;
        assert!(!said.contains("internal error") && !said.contains("panicked"), "round {round}: {said}");
        assert!(matches!(ended.code, Some(0..=3 | 134)), "round {round}: {:?} {said}", ended.code);
    }
}
