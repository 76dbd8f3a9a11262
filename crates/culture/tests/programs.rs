//! The programs of `fixtures/world` on CoreCLR with ICU: they compile, run without complaint, and write the same every time.
//!
//! A program sets the culture and the time zone that it wants, or names those of its process at its top: `// culture: tr-TR`,
//! `// time-zone: Europe/Berlin`. What it does not name must not matter: it is run in two worlds that differ in that.

#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::{net10, run_with_icu};
use testkit::{Assembly, Finished, Options, Source, Target};

struct Program {
    /// `topic/Name`.
    name: String,
    path: PathBuf,
    culture: Option<String>,
    time_zone: Option<String>,
}

macro_rules! topics {
    ($($topic:ident)*) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),*];
        $(
            #[test]
            fn $topic() {
                check(stringify!($topic));
            }
        )*
    };
}

topics! { calendars casing collections comparison cultures formats normalization parsing zones }

#[test]
fn every_topic_is_here() {
    let mut folders: Vec<String> =
        root().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    folders.sort();
    assert_eq!(folders, TOPICS);
    let count: usize = TOPICS.iter().map(|topic| programs(topic).len()).sum();
    assert!(count >= 70, "{count}");
}

fn check(topic: &str) {
    let Some(_icu) = testkit::icu_or_skip() else { return };
    let programs = programs(topic);
    let assemblies: Vec<Assembly> = programs.iter().map(assembly).collect();
    let dlls = testkit::compile_all(&assemblies).unwrap();
    let complaints: Vec<String> = programs
        .iter()
        .zip(&dlls)
        .filter_map(|(program, dll)| Some(format!("{}: {}", program.name, complaint(program, dll)?)))
        .collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn complaint(program: &Program, dll: &Path) -> Option<String> {
    let one = run(program, dll, "en-US", "UTC");
    let two = run(program, dll, "tr-TR", "Asia/Kolkata");
    if one.code != Some(0) || !one.stderr.is_empty() {
        return Some(format!("it ended with {:?}: {}", one.code, one.stderr));
    }
    if one != two {
        let lines = one.stdout.lines().zip(two.stdout.lines());
        let first = lines.enumerate().find(|(_, (a, b))| a != b).map(|(at, (a, b))| (at + 1, a, b));
        return Some(format!("the world shows, first in line {first:?}"));
    }
    (one.stdout.lines().count() < 5).then(|| "it says too little".to_owned())
}

fn run(program: &Program, dll: &Path, culture: &str, time_zone: &str) -> Finished {
    let culture = program.culture.as_deref().unwrap_or(culture).replace('-', "_") + ".UTF-8";
    let time_zone = program.time_zone.as_deref().unwrap_or(time_zone);
    run_with_icu(&net10(), dll, &[], &[("LC_ALL", &culture), ("TZ", time_zone)])
}

fn assembly(program: &Program) -> Assembly {
    let options = Options { target: Target::Exe, ..Options::default() };
    let name = format!("World-{}", program.name.replace('/', "-"));
    Assembly { name, sources: vec![Source::from(&program.path)], options }
}

fn programs(topic: &str) -> Vec<Program> {
    testkit::csharp_files(&root().join(topic)).unwrap().into_iter().map(|path| program(topic, path)).collect()
}

fn program(topic: &str, path: PathBuf) -> Program {
    let text = std::fs::read_to_string(&path).unwrap();
    let value = |word: &str| {
        text.lines().find_map(|line| line.strip_prefix(&format!("// {word}: "))).map(str::to_owned)
    };
    let name = format!("{topic}/{}", path.file_stem().unwrap().to_string_lossy());
    Program { name, culture: value("culture"), time_zone: value("time-zone"), path }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/world")
}
