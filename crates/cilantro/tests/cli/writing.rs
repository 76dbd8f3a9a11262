//! A sandbox that a program may change: it sees what it wrote, as on CoreCLR, and the folder changes only when it is asked
//! to.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use testkit::{Options, Target, Toolchain};

use crate::program::{command, ended, runtime};

const SOURCE: &str = include_str!("writing.cs");

#[test]
fn a_program_sees_what_it_wrote() {
    let options = Options { target: Target::Exe, ..Options::default() };
    let dll = testkit::compile("Writing", &[("Writing.cs", SOURCE)], &options).unwrap();
    let (real, kept, changed) = (folder(), folder(), folder());
    let before = contents(kept.path());

    let mut dotnet = Command::new(Toolchain::locate().unwrap().dotnet());
    let expected = testkit::run(dotnet.arg("exec").arg(&dll).current_dir(real.path())).unwrap();
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    assert!(expected.stdout.lines().count() > 30, "{}", expected.stdout);

    for (folder, how) in [(&kept, "--writable"), (&changed, "--write-back")] {
        let mut running = command(["run", how, "--sandbox"]);
        running.arg(folder.path()).arg("--runtime").arg(runtime()).arg(&dll);
        let ran = ended(running.output().unwrap());
        assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), (expected.stdout.as_str(), ""), "{how}");
        assert_eq!(ran.code, Some(0));
    }
    assert_eq!(contents(kept.path()), before);
    assert_ne!(contents(real.path()), before);
    assert_eq!(contents(changed.path()), contents(real.path()));
}

#[test]
fn writing_needs_a_sandbox() {
    let ran = ended(command(["run", "--writable", "App.dll"]).output().unwrap());
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("--sandbox <DIR>"), "{}", ran.stderr);
}

#[test]
fn vectors_are_as_wide_as_asked() {
    let source = "using System; using System.Numerics; static class App { static void Main() => Console.WriteLine(Vector<int>.Count + \" \" + Vector.Sum(new Vector<byte>(1))); }";
    let options = Options { target: Target::Exe, ..Options::default() };
    let dll = testkit::compile("Vectors", &[("Vectors.cs", source)], &options).unwrap();
    for (bits, said) in [(None, "4 16\n"), (Some("256"), "8 32\n"), (Some("512"), "16 64\n")] {
        let mut running = command(["run", "--runtime"]);
        running.arg(runtime());
        running.args(bits.map(|bits| ["--vector-bits", bits]).into_iter().flatten());
        let ran = ended(running.arg(&dll).output().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), said), "{}", ran.stderr);
    }
    let wrong = ended(command(["run", "--vector-bits", "64", "App.dll"]).output().unwrap());
    assert_eq!(wrong.code, Some(2));
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("kept.txt"), "kept").unwrap();
    std::fs::write(folder.path().join("sub/inner.txt"), "inner").unwrap();
    folder
}

/// Everything in a folder, by its path.
fn contents(folder: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    let mut left = vec![folder.to_owned()];
    while let Some(place) = left.pop() {
        for entry in std::fs::read_dir(&place).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            if path.is_dir() {
                all.insert(name, None);
                left.push(path);
            } else {
                all.insert(name, Some(std::fs::read(&path).unwrap()));
            }
        }
    }
    all
}
