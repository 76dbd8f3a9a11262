//! The machine against CoreCLR on whole programs: every `fixtures/run/<topic>/*.cs` must write the same bytes and exit
//! with the same code in both.
//!
//! Comments at the top of a program say how it is started: `// args: one two`, `// stdin: text\n`, `// env: NAME=value`,
//! `// framework: netcoreapp3.1`.
//! Programs that do not agree yet are listed in `fixtures/run/<topic>/failing.txt`, each with what stops it; after
//! progress, `UPDATE_EXPECT=1` rewrites the lists. `CILANTRO_RUN=topic/Name` runs only the programs whose name starts so.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "run/machine.rs"]
mod machine;
#[path = "run/program.rs"]
mod program;
#[path = "run/reference.rs"]
mod reference;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use program::{Observed, Program};

#[test]
fn programs_behave_as_on_coreclr() {
    let only = std::env::var("CILANTRO_RUN").unwrap_or_default();
    let mut programs = program::all(&fixtures());
    programs.retain(|program| program.name.starts_with(&only));
    assert!(!programs.is_empty(), "no program is called {only}");
    let assemblies: Vec<_> = programs.iter().map(Program::assembly).collect();
    let dlls = testkit::compile_all(&assemblies).unwrap();
    let verdicts = in_parallel(&programs, |i, program| judge(program, &dlls[i]));

    let mut topics: BTreeMap<String, String> = BTreeMap::new();
    for (program, verdict) in programs.iter().zip(&verdicts) {
        let failing = topics.entry(program.topic.clone()).or_default();
        if let Err(why) = verdict {
            failing.push_str(&format!("{}: {why}\n", program.title));
        }
    }
    let agreed = verdicts.iter().filter(|verdict| verdict.is_ok()).count();
    eprintln!("{agreed} of {} programs agree", programs.len());
    if !only.is_empty() {
        for (topic, failing) in topics {
            eprint!("{topic}\n{failing}");
        }
        return;
    }
    for (topic, failing) in topics {
        let list = fixtures().join(topic).join("failing.txt");
        if !failing.is_empty() || list.exists() {
            expect_test::expect_file![list].assert_eq(&failing);
        }
    }
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/run")
}

fn judge(program: &Program, dll: &Path) -> Result<(), String> {
    let expected = reference::run(program, dll);
    let observed = machine::run(program, dll)?;
    compare(&observed, &expected)
}

/// The first difference, in words.
fn compare(observed: &Observed, expected: &Observed) -> Result<(), String> {
    for (what, ours, theirs) in
        [("stdout", &observed.stdout, &expected.stdout), ("stderr", &observed.stderr, &expected.stderr)]
    {
        if ours == theirs {
            continue;
        }
        let line = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b);
        let line = line.unwrap_or_else(|| ours.lines().count().min(theirs.lines().count()));
        let nth =
            |text: &str| text.lines().nth(line).map_or("its end".to_owned(), |text| format!("{text:?}"));
        return Err(format!("line {} of {what} is {}, not {}", line + 1, nth(ours), nth(theirs)));
    }
    if observed.code != expected.code {
        return Err(format!("the exit code is {}, not {}", observed.code, expected.code));
    }
    Ok(())
}

/// Machines are not shared between threads; programs are independent of each other.
fn in_parallel<T: Send>(programs: &[Program], work: impl Fn(usize, &Program) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(index) else { break };
                    let result = work(index, program);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}
