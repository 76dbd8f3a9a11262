//! `cargo xtask test`: format, lints, all tests; ends with a line that counts them.

use anyhow::{Result, bail};

use crate::{
    process::{cargo, has_subcommand, observed_step, step},
    setup,
};

#[derive(Debug, clap::Args)]
pub struct Options {
    /// Only the tests: no format check, no lints
    #[arg(long)]
    tests_only: bool,
    /// Passed on to the test runner, such as `-p cil` or a part of a test's name
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    filter: Vec<String>,
}

pub fn run(options: &Options) -> Result<()> {
    setup::run(&setup::Options { extras: true, own_runtime: false })?;
    // One run shows everything that is wrong, so a failure does not stop it.
    let mut failures = Vec::new();
    if !options.tests_only {
        let format = step("format", &mut cargo(["fmt", "--all", "--check"]));
        let lints = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"];
        let lints = step("lints", &mut cargo(lints));
        failures.extend([format, lints].into_iter().filter_map(Result::err).map(|error| error.to_string()));
    }
    let mut count = tests(&options.filter)?;
    if options.filter.is_empty() {
        count += doc_tests()?;
    }
    println!("\n{} passed, {} failed", count.passed, count.failed);
    if count.failed > 0 {
        failures.push("there are failed tests".to_owned());
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("; "));
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    passed: u64,
    failed: u64,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

fn tests(filter: &[String]) -> Result<Count> {
    let nextest = has_subcommand("nextest");
    let mut command = if nextest {
        cargo(["nextest", "run", "--no-fail-fast", "--cargo-quiet", "--status-level", "slow"])
    } else {
        cargo(["test", "--quiet", "--no-fail-fast", "--lib", "--bins", "--tests"])
    };
    if !filter.iter().any(|argument| argument == "-p" || argument == "--package") {
        command.arg("--workspace");
    }
    command.args(filter);
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
    let (status, output) = observed_step(
        "doc tests",
        &mut cargo(["test", "--workspace", "--doc", "--quiet", "--no-fail-fast"]),
    )?;
    let count = count_libtest(&output).unwrap_or(Count { passed: 0, failed: 0 });
    if !status.success() && count.failed == 0 {
        bail!("the doc tests did not run: {status}");
    }
    Ok(count)
}

/// Reads nextest's closing line: `Summary [ 5.3s] 9 tests run: 7 passed (1 slow), 1 failed, 1 timed out, 0 skipped`.
fn count_nextest(output: &str) -> Option<Count> {
    let line = output.lines().rev().find(|line| line.trim_start().starts_with("Summary ["))?;
    let (_, outcomes) = line.split_once(" run: ")?;
    let mut count = Count { passed: 0, failed: 0 };
    for outcome in outcomes.split(", ") {
        let (number, what) = outcome.split_once(' ')?;
        let number: u64 = number.parse().ok()?;
        match what.split(" (").next()? {
            "passed" => count.passed += number,
            "skipped" => {}
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
        let count = Count { passed: number("passed")?, failed: number("failed;")? };
        *total.get_or_insert(Count { passed: 0, failed: 0 }) += count;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_read() {
        let line = "────\n     Summary [   5.306s] 9 tests run: 6 passed (1 slow), 2 failed, 1 timed out, 3 skipped\n";
        assert_eq!(count_nextest(line), Some(Count { passed: 6, failed: 3 }));
        assert_eq!(
            count_nextest("     Summary [   0.1s] 7 tests run: 7 passed, 0 skipped"),
            Some(Count { passed: 7, failed: 0 })
        );
        assert_eq!(count_nextest("error: could not compile"), None);

        let text = "test result: ok. 3 passed; 0 failed; 0 ignored\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n";
        assert_eq!(count_libtest(text), Some(Count { passed: 4, failed: 2 }));
        assert_eq!(count_libtest(""), None);
    }
}
