//! `cargo xtask test`: the rules of the repository, format, lints, documentation, all tests; ends with a line that counts
//! them.
//!
//! What is asked for does not depend on who asks: variables that would bless or narrow a run are not passed on. A part of
//! the toolchain that is not there skips what needs it, with a note at the end; with `CILANTRO_REQUIRE_ALL` it fails.

use std::{env, ffi::OsString, fs, process::Command};

use anyhow::{Result, bail};

use crate::{
    process::{cargo, has_subcommand, observed_step, root, step},
    rules, setup,
};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only the tests: no rules, no format check, no lints, no documentation
    #[arg(long)]
    tests_only: bool,
    /// Passed on to the test runner, such as `-p cil` or a part of a test's name
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    filter: Vec<String>,
}

pub fn run(options: &Options) -> Result<()> {
    setup::run(&setup::Options { extras: true, own_runtime: false })?;
    // One run shows everything that is wrong, so a failure does not stop it.
    let mut failures: Vec<String> = Vec::new();
    if !options.tests_only {
        failures.extend(checks().into_iter().filter_map(Result::err).map(|error| error.to_string()));
    }
    let skipped = tempfile::NamedTempFile::new()?;
    let mut count = tests(&options.filter, skipped.path())?;
    if options.filter.is_empty() {
        count += doc_tests()?;
    }
    println!("\n{} passed, {} failed", count.passed, count.failed);
    if count.failed > 0 {
        failures.push("there are failed tests".to_owned());
    }
    let notes = notes(&fs::read_to_string(skipped.path())?);
    notes.iter().for_each(|note| println!("{note}"));
    // A machine that cannot have ICU says so; that is printed, and no fault of the tests.
    let is_allowed = |note: &String| env::var_os(testkit::WITHOUT_ICU).is_some() && note.contains("ICU");
    let is_whole = count.skipped == 0 && notes.iter().all(is_allowed);
    if options.filter.is_empty() && testkit::requires_all() && !is_whole {
        failures.push(format!("{} tests were skipped, and everything is asked for", count.skipped));
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(())
}

/// Everything but the tests.
fn checks() -> [Result<()>; 5] {
    let lints = ["clippy", "--locked", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
    let documentation = ["doc", "--locked", "--workspace", "--no-deps", "--quiet", "--keep-going"];
    let fuzz = ["check", "--locked", "--quiet", "--manifest-path", "fuzz/Cargo.toml"];
    // Nothing is linked, so the C++ of the fuzzer need not be compiled.
    let no_library = root().join("fuzz/target/no-library.a");
    [
        rules::run(),
        step("format", &mut cargo(["fmt", "--all", "--check"])),
        step("lints", &mut cargo(lints)),
        step("documentation", cargo(documentation).env("RUSTDOCFLAGS", "-D warnings")),
        step("fuzz targets", cargo(fuzz).env("CUSTOM_LIBFUZZER_PATH", no_library)),
    ]
}

/// The notes of what was not compared, each once.
fn notes(text: &str) -> Vec<String> {
    let mut notes: Vec<String> = text.lines().map(str::to_owned).collect();
    notes.sort();
    notes.dedup();
    notes
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

fn tests(filter: &[String], skipped: &std::path::Path) -> Result<Count> {
    let nextest = has_subcommand("nextest");
    let mut command = if nextest {
        cargo(["nextest", "run", "--locked", "--no-fail-fast", "--cargo-quiet", "--status-level", "slow"])
    } else {
        cargo(["test", "--locked", "--quiet", "--no-fail-fast", "--lib", "--bins", "--tests"])
    };
    if !filter.iter().any(|argument| argument == "-p" || argument == "--package") {
        command.arg("--workspace");
    }
    // A process in between for every test is for people who press Ctrl-Z.
    undisturbed(&mut command).env("NEXTEST_DOUBLE_SPAWN", "0").env(testkit::SKIPPED, skipped).args(filter);
    let (status, output) = observed_step("tests", &mut command)?;
    let count = if nextest { count_nextest(&output) } else { count_libtest(&output) };
    match count {
        // A failure that no test is to blame for: something does not compile, or the runner itself gave up.
        _ if !status.success() && count.is_none_or(|count| count.failed == 0) => {
            bail!("the tests did not run: {status}")
        }
        Some(count) => Ok(count),
        None => bail!("the test runner did not say how many tests it ran"),
    }
}

fn doc_tests() -> Result<Count> {
    let mut command = cargo(["test", "--locked", "--workspace", "--doc", "--quiet", "--no-fail-fast"]);
    let (status, output) = observed_step("doc tests", undisturbed(&mut command))?;
    match count_libtest(&output) {
        Some(count) if status.success() || count.failed > 0 => Ok(count),
        _ => bail!("the doc tests did not run: {status}"),
    }
}

/// A command without the variables that would make its tests bless, narrow or repeat themselves.
fn undisturbed(command: &mut Command) -> &mut Command {
    for (name, _) in env::vars_os().filter(|(name, _)| disturbs(name)) {
        command.env_remove(name);
    }
    command
}

fn disturbs(name: &OsString) -> bool {
    let name = name.to_string_lossy();
    let kept = ["CILANTRO_CACHE", testkit::REQUIRE_ALL, testkit::WITHOUT_ICU, "NEXTEST_TEST_THREADS"];
    let groups = ["CILANTRO_", "NEXTEST_", "PROPTEST_", "UPDATE_EXPECT", "RUST_TEST_"];
    !kept.contains(&name.as_ref()) && groups.iter().any(|group| name.starts_with(group))
}

/// Reads nextest's closing line: `Summary [ 5.3s] 9 tests run: 7 passed (1 slow), 1 failed, 1 timed out, 0 skipped`.
fn count_nextest(output: &str) -> Option<Count> {
    let line = output.lines().rev().find(|line| line.trim_start().starts_with("Summary ["))?;
    let (_, outcomes) = line.split_once(" run: ")?;
    let mut count = Count::default();
    for outcome in outcomes.split(", ") {
        let (number, what) = outcome.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        match what.split(" (").next()? {
            "passed" => count.passed += number,
            "skipped" => count.skipped += number,
            _ => count.failed += number,
        }
    }
    Some(count)
}

/// Adds up the closing lines of the standard test harness: `test result: ok. 3 passed; 0 failed; …`.
fn count_libtest(output: &str) -> Option<Count> {
    let mut total: Option<Count> = None;
    for line in output.lines().filter_map(|line| line.strip_prefix("test result: ")) {
        let number = |what: &str| -> Option<u64> {
            let (before, _) = line.split_once(what)?;
            before.trim_end().rsplit(' ').next()?.parse().ok()
        };
        let count =
            Count { passed: number("passed")?, failed: number("failed;")?, skipped: number("ignored;")? };
        *total.get_or_insert(Count::default()) += count;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let line = "────\n     Summary [   5.306s] 9 tests run: 6 passed (1 slow), 2 failed, 1 timed out, 3 skipped\n";
        assert_eq!(count_nextest(line), Some(Count { passed: 6, failed: 3, skipped: 3 }));
        assert_eq!(
            count_nextest("     Summary [   0.1s] 7 tests run: 7 passed, 0 skipped"),
            Some(Count { passed: 7, failed: 0, skipped: 0 })
        );
        assert_eq!(count_nextest("error: could not compile"), None);

        let text = "test result: ok. 3 passed; 0 failed; 0 ignored;\n\ntest result: FAILED. 1 passed; 2 failed; 1 ignored;\n";
        assert_eq!(count_libtest(text), Some(Count { passed: 4, failed: 2, skipped: 1 }));
        assert_eq!(count_libtest(""), None);
    }

    #[test]
    fn what_would_bless_or_narrow_a_run_is_not_passed_on() {
        for name in
            ["UPDATE_EXPECT", "CILANTRO_SEEDS", "PROPTEST_CASES", "NEXTEST_PROFILE", "RUST_TEST_THREADS"]
        {
            assert!(disturbs(&name.into()), "{name}");
        }
        for name in
            ["CILANTRO_CACHE", "CILANTRO_REQUIRE_ALL", "CILANTRO_WITHOUT_ICU", "PATH", "CARGO_TARGET_DIR"]
        {
            assert!(!disturbs(&name.into()), "{name}");
        }
        let mut command = Command::new("true");
        undisturbed(&mut command);
        assert!(command.get_envs().all(|(name, value)| value.is_none() && disturbs(&name.to_owned())));
    }

    #[test]
    fn each_note_is_said_once() {
        assert_eq!(notes("b\na\nb\n"), ["a", "b"]);
    }
}
