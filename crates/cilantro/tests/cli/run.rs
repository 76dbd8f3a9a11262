//! Whole runs: results, files, time, Ctrl-C, pipes.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use report::{Reason, ReplayReport, ReplayStatus, Summary, Verdict};

use crate::library::shop;
use crate::program::{Ended, ask, asking, ended};

fn summary(ended: &Ended) -> Summary {
    serde_json::from_str(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}:\n{}\n{}", ended.stdout, ended.stderr))
}

fn method<'a>(summary: &'a Summary, name: &str) -> &'a report::Method {
    summary.methods.iter().find(|m| m.id.contains(&format!("::{name}("))).unwrap()
}

#[test]
fn branches_bugs_and_proofs() {
    let ended =
        ask("check", &shop(), &["--type", "Cart", "--type", "Point", "--type", "Inner", "--format", "json"]);
    let summary = summary(&ended);
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!((summary.schema.as_str(), summary.assembly.as_str()), ("cilantro/summary@1", "Shop.dll"));
    for method in &summary.methods {
        // A field that is read twice could be changed by another thread.
        assert_ne!(method.verdict, Verdict::Incomplete, "{}: {:?}", method.id, method.incomplete);
        assert_eq!(method.replay.failed + method.replay.skipped, 0);
        assert!(method.source.as_ref().is_some_and(|s| s.file() == "Cart.cs"));
    }
    let odd = &method(&summary, "Odd").coverage;
    assert_eq!((odd.branches, odd.covered_branches, odd.proven_unreachable_branches), (4, 3, 1));
    let bugs =
        |name| -> Vec<&str> { method(&summary, name).bugs.iter().map(|b| b.exception.as_str()).collect() };
    assert_eq!(bugs("Share"), ["System.DivideByZeroException", "System.OverflowException"]);
    assert_eq!(bugs("Sum"), ["System.OverflowException"]);
    assert_eq!(bugs("Add"), Vec::<&str>::new());
    let zero = &method(&summary, "Share").bugs[0];
    assert!(zero.replayed && zero.message == "Attempted to divide by zero.", "{zero:?}");
    assert_eq!(zero.source, "Cart.cs:8".parse().ok());
    assert!(zero.inputs.iter().any(|i| i.name == "people" && i.value == "0"));
}

#[test]
fn nothing_found_is_exit_code_0() {
    let ended = ask("check", &shop(), &["--method", "Cart.Add"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{}", ended.stdout);
    assert!(ended.stdout.contains("No exception found in 1 method"));
}

#[test]
fn generate_writes_what_replay_runs() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("Shop.Tests");
    let name = out.display().to_string();
    let ended = ask("generate", &shop(), &["--type", "Cart", "-o", &name]);
    assert_eq!(ended.code, Some(1), "{}{}", ended.stdout, ended.stderr);
    let written: Summary =
        serde_json::from_str(&fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    let tests: u64 = written.methods.iter().map(|m| m.tests).sum();
    let replayed = ask("replay", &out, &["--format", "json"]);
    let report: ReplayReport = serde_json::from_str(&replayed.stdout).unwrap();
    assert_eq!((replayed.code, report.count(ReplayStatus::Passed)), (Some(0), tests), "{}", replayed.stdout);

    let cases = out.join("cases/Shop.Cart.json");
    let text = fs::read_to_string(&cases).unwrap();
    fs::write(&cases, text.replace("System.DivideByZeroException", "System.IO.IOException")).unwrap();
    let wrong = ask("replay", &out, &[]);
    assert_eq!(wrong.code, Some(1), "{}", wrong.stdout);
    assert!(wrong.stdout.contains("failed"));
}

#[test]
fn the_same_run_writes_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, jobs: &str| {
        let out = folder.path().join(name).join("T");
        let ended =
            ask("generate", &shop(), &["--type", "Cart", "--jobs", jobs, "-o", &out.display().to_string()]);
        assert_eq!(ended.code, Some(1));
        files(&out)
    };
    assert_eq!(write("first", "1"), write("second", "4"));
}

/// Relative names and texts of everything but the summary, which has times in it.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.file_name().is_some_and(|name| name != "summary.json") {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_time_is_kept() {
    for timeout in [1.0, 4.0] {
        let seconds = format!("{timeout}s");
        let timed = || {
            let started = Instant::now();
            let options = ["--method", "Collatz", "--timeout", &seconds, "--format", "json"];
            let ended = ask("check", &shop(), &options);
            (started.elapsed().as_secs_f64(), ended)
        };
        // Two per cent and 0.2 s, and what a busy machine takes to start a process. It may be busier than that now and then.
        let most = timeout * 1.02 + 0.2 + 0.2;
        let mut tries = (0..3).map(|_| timed());
        let Some((_, ended)) = tries.find(|(took, _)| *took <= most) else {
            panic!("--timeout {timeout} took more than {most} three times")
        };
        assert_eq!(ended.code, Some(3), "{}", ended.stderr);
        let summary = summary(&ended);
        let collatz = method(&summary, "Collatz");
        assert_eq!(collatz.verdict, Verdict::Incomplete);
        // On a busy machine a second may not be enough to start the runtime.
        if timeout > 2.0 {
            assert_eq!(collatz.coverage.covered_branches, collatz.coverage.branches);
            assert!(collatz.replay.passed > 0 && collatz.replay.skipped == 0, "{:?}", collatz.replay);
        }
    }
}

#[test]
fn ctrl_c_prints_what_is_there_so_far() {
    let options = ["--format", "json", "--timeout", "60s", "--method", "Collatz", "--method", "Add"];
    let child = asking("check", &shop(), &options).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let interrupted = Instant::now();
    interrupt(child.id());
    let ended = ended(child.wait_with_output().unwrap());
    assert!(interrupted.elapsed() < Duration::from_secs(1), "took {:?}", interrupted.elapsed());
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let summary = summary(&ended);
    assert_eq!(summary.stopped, Some(Reason::Cancelled));
    // On a busy machine the runtime may not have answered yet; the exploration is there in any case.
    let add = method(&summary, "Add");
    assert_eq!((add.tests, add.coverage.covered_branches), (2, 2));
    assert!(add.incomplete.iter().all(|i| i.reason == Reason::Cancelled), "{:?}", add.incomplete);
}

fn interrupt(process: u32) {
    let killed = Command::new("sh").args(["-c", &format!("kill -INT {process}")]).status().unwrap();
    assert!(killed.success());
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    for options in [&["--format", "json"][..], &["--format", "text"]] {
        let mut child = asking("check", &shop(), &[options, &["--method", "Add"]].concat()).spawn().unwrap();
        drop(child.stdout.take());
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
    }
}

#[test]
fn colours_follow_the_user() {
    let escapes = |options: &[&str], no_color: bool| {
        let mut asking = asking("check", &shop(), &[&["--method", "Add"], options].concat());
        if no_color {
            asking.env("NO_COLOR", "1");
        }
        ended(asking.output().unwrap()).stdout.contains('\u{1b}')
    };
    assert!(!escapes(&[], false), "not a terminal");
    assert!(!escapes(&[], true));
    assert!(escapes(&["--color", "always"], true), "an option outranks the environment");
    assert!(!escapes(&["--color", "never"], false));
}

#[test]
fn a_missing_reference_costs_only_the_methods_that_need_it() {
    let folder = tempfile::tempdir().unwrap();
    let base = testkit::compile(
        "Base",
        &[("Base.cs", "public static class Base { public static int One() => 1; }")],
        &testkit::Options::default(),
    )
    .unwrap();
    let source = "public static class User {
        public static int Alone(int x) => x > 0 ? 1 : 2;
        public static int Needs(int x) => x > 0 ? Base.One() : 2;
    }";
    let options = testkit::Options { references: vec![base], ..testkit::Options::default() };
    let user = testkit::compile("User", &[("User.cs", source)], &options).unwrap();
    let alone = folder.path().join("User.dll");
    fs::copy(user, &alone).unwrap();
    let ended = ask("check", &alone, &["--format", "json"]);
    assert_eq!(ended.code, Some(3), "{}{}", ended.stdout, ended.stderr);
    let summary = summary(&ended);
    assert_eq!(method(&summary, "Alone").verdict, Verdict::Complete);
    let needs = method(&summary, "Needs");
    assert_eq!(needs.verdict, Verdict::Incomplete);
    assert!(needs.incomplete.iter().any(|i| i.reason == Reason::MissingReference), "{:?}", needs.incomplete);
}
