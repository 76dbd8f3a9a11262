//! The committed host program is what its source says, and runs on old runtimes as well.

#![allow(clippy::unwrap_used)] // a test may fail

mod common;

use std::{path::Path, sync::atomic::AtomicBool};

use replay::{Limits, Replayer, Runtime, SharedFramework};
use testkit::{Debug, Options, Source, Target, Toolchain};

#[test]
fn the_embedded_host_matches_its_source() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("host");
    let committed = folder.join("cilantro-replay-host.dll");
    check(&[&folder], testkit::Framework::NetCore31, &committed);
}

#[test]
fn so_does_the_one_for_mono() {
    let toolchain = Toolchain::locate().unwrap();
    if testkit::found_or_skip("Mono", toolchain.mono()).is_none() {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("host");
    let own = folder.join("mono");
    check(&[&folder, &own], testkit::Framework::Mono, &own.join("cilantro-replay-host.exe"));
}

fn check(folders: &[&Path], framework: testkit::Framework, committed: &Path) {
    let mut files: Vec<_> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "cs"))
        .collect();
    files.sort();
    let sources: Vec<Source> = files.iter().map(Source::from).collect();
    let options = Options {
        language: "8.0".into(),
        framework,
        debug: Debug::None,
        target: Target::Exe,
        allow_unsafe: true,
        ..Options::default()
    };
    let built = testkit::compile("cilantro-replay-host", &sources, &options).unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::copy(&built, committed).unwrap();
    }
    let same = std::fs::read(&built).unwrap() == std::fs::read(committed).unwrap();
    assert!(same, "the host is older than its source: run this test with UPDATE_EXPECT=1 and commit it");
}

#[test]
fn mono_will_do() {
    let toolchain = Toolchain::locate().unwrap();
    let Some(mono) = testkit::found_or_skip("Mono", toolchain.mono()) else { return };
    let options = Options { framework: testkit::Framework::Mono, ..Options::default() };
    let source = "public static class Framework { public static int Twice(int v) => checked(v * 2); }";
    let assembly = testkit::compile("FrameworkZoo", &[("framework.cs", source)], &options).unwrap();
    let mut replayer = Replayer::new(Runtime::mono(mono.executable), Limits::default()).unwrap();
    use common::*;
    let cases = [
        call_on("Framework", "Twice").int(21).returns(case::Value::int32(42)),
        call_on("Framework", "Twice").int(i32::MAX).throws("System.OverflowException"),
    ];
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let verdicts = replayer.replay(&assembly, &cases, deadline, &AtomicBool::new(false));
    assert!(verdicts.iter().all(replay::Verdict::is_passed), "{verdicts:?}");
}

#[test]
fn the_oldest_runtime_will_do() {
    let toolchain = Toolchain::locate().unwrap();
    // Machines that brought their own runtime may have no old one.
    let muxer = Some(toolchain.dotnet31()).filter(|muxer| muxer.is_file());
    let Some(muxer) = testkit::found_or_skip(".NET Core 3.1", muxer) else { return };
    let core = SharedFramework {
        name: "Microsoft.NETCore.App".into(),
        version: testkit::versions::RUNTIME31.into(),
    };
    let options = Options { framework: testkit::Framework::NetCore31, ..Options::default() };
    let source = "public static class Old { public static int Twice(int v) => checked(v * 2); }";
    let assembly = testkit::compile("OldZoo", &[("old.cs", source)], &options).unwrap();
    let runtime = Runtime { muxer, frameworks: vec![core] };
    let mut replayer = Replayer::new(runtime, Limits::default()).unwrap();
    use common::*;
    let cases = [
        call_on("Old", "Twice").int(21).returns(case::Value::int32(42)),
        call_on("Old", "Twice").int(i32::MAX).throws("System.OverflowException"),
    ];
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let verdicts = replayer.replay(&assembly, &cases, deadline, &AtomicBool::new(false));
    assert!(verdicts.iter().all(replay::Verdict::is_passed), "{verdicts:?}");
}
