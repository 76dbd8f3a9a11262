//! The machine against CoreCLR on whole programs: every `fixtures/run/<topic>/*.cs` must write the same bytes and exit
//! with the same code in both.
//!
//! Comments at the top of a program say how it is started: `// args: one two`, `// stdin: text\n`, `// env: NAME=value`,
//! `// framework: netcoreapp3.1` or `mono`, `// reads: folder` (a folder beside the program: its current directory, and all
//! it sees).
//! `fixtures/frameworks/<framework>` lists the programs that run on an older framework as well.
//! Programs that do not agree yet are listed in `fixtures/run/<topic>/failing.txt`, each with what stops it; after
//! progress, `UPDATE_EXPECT=1` rewrites the lists. `CILANTRO_RUN=topic/Name` runs only the programs whose name starts so.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "run/judging.rs"]
mod judging;
#[path = "run/machine.rs"]
mod machine;
#[path = "run/program.rs"]
mod program;
#[path = "run/reference.rs"]
mod reference;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judging::{Verdict, in_parallel, judge};
use program::Program;
use testkit::Framework;

#[test]
fn programs_behave_as_on_coreclr() {
    let programs = program::all(&fixtures());
    let programs = programs.into_iter().filter(|program| program.framework == Framework::Net10).collect();
    let Some(verdicts) = verdicts(programs) else { return };
    let mut topics: BTreeMap<String, String> = BTreeMap::new();
    for (program, verdict) in &verdicts {
        let failing = topics.entry(program.topic.clone()).or_default();
        if let Err(why) = verdict {
            failing.push_str(&format!("{}: {why}\n", program.title));
        }
    }
    for (topic, failing) in topics {
        check_list(&fixtures().join(topic).join("failing.txt"), &failing);
    }
}

#[test]
fn programs_behave_as_on_net_core_31() {
    on_older_framework(Framework::NetCore31, "netcoreapp3.1");
}

#[test]
fn programs_behave_as_on_mono() {
    if testkit::Toolchain::locate().unwrap().mono().is_none() {
        eprintln!("not compared: there is no Mono in the toolchain and none on PATH");
        return;
    }
    on_older_framework(Framework::Mono, "mono");
}

/// The programs for this framework alone, and those that its list takes from the suite.
fn on_older_framework(framework: Framework, name: &str) {
    let folder = fixtures().join("../frameworks").join(name);
    let shared = program::listed(&folder.join("programs.txt"));
    let mut programs = program::all(&fixtures());
    for listed in &shared {
        assert!(programs.iter().any(|program| &program.name == listed), "there is no program {listed}");
    }
    programs.retain(|program| program.framework == framework || shared.contains(&program.name));
    for program in &mut programs {
        program.framework = framework;
        program.stand_ins = Some(folder.join("Names.cs"));
    }
    let Some(verdicts) = verdicts(programs) else { return };
    let mut failing = String::new();
    for (program, verdict) in &verdicts {
        if let Err(why) = verdict {
            failing.push_str(&format!("{}: {why}\n", program.name));
        }
    }
    check_list(&folder.join("failing.txt"), &failing);
}

/// What each program comes to. None if only some programs were asked for: their differences have been printed.
fn verdicts(mut programs: Vec<Program>) -> Option<Vec<(Program, Verdict)>> {
    let only = std::env::var("CILANTRO_RUN").unwrap_or_default();
    programs.retain(|program| program.name.starts_with(&only));
    let assemblies: Vec<_> = programs.iter().map(Program::assembly).collect();
    let dlls = testkit::compile_all(&assemblies).unwrap();
    let verdicts = in_parallel(&programs, |i, program| judge(program, &dlls[i]));
    let agreed = verdicts.iter().filter(|verdict| verdict.is_ok()).count();
    eprintln!("{agreed} of {} programs agree", programs.len());
    let verdicts: Vec<_> = programs.into_iter().zip(verdicts).collect();
    if only.is_empty() {
        return Some(verdicts);
    }
    for (program, verdict) in verdicts {
        if let Err(why) = verdict {
            eprintln!("{}: {why}", program.name);
        }
    }
    None
}

fn check_list(list: &Path, failing: &str) {
    if !failing.is_empty() || list.exists() {
        expect_test::expect_file![list].assert_eq(failing);
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/run")
}
