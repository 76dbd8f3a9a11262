//! The machine against the real runtimes on whole programs: each program of `fixtures/run` is a test of its own, and must
//! write the same bytes and exit with the same code in both.
//!
//! Tests are called `net10::topic/Title`, and `icu::topic/Title` for the same with the cultures of the machine's ICU;
//! `world::topic/Title` are the programs of `fixtures/world`, which are about cultures and time zones. `fixtures/frameworks/<framework>` lists the programs that run on an older
//! framework as well (`netcoreapp3.1::…`, `mono::…`). How a program is started is said at its top: see
//! `testkit::Program`. Programs that do not agree yet are listed in `fixtures/run/<topic>/failing.txt`, or in that of the
//! framework, each with what stops it; after progress, `cargo xtask bless -p bcl --test run` rewrites the lists.
//!
//! A test runner starts this program once for each test. So what is common to all is done once and kept in the cache:
//! whoever finds a program that is not compiled compiles all of its framework, and the others wait.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic")]

#[path = "run/machine.rs"]
mod machine;
#[path = "run/suite.rs"]
mod suite;

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use testkit::{Error, Observed, Program};

use suite::Suite;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let only = arguments.filter.as_deref().filter(|_| arguments.exact);
    match trials(only) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn trials(only: Option<&str>) -> Result<Vec<Trial>, Error> {
    let mut trials = Vec::new();
    for suite in Suite::all(only)? {
        // A test runner counts what is skipped, so it is seen that there was nothing to compare with.
        let skipped = suite.is_missing()? && !testkit::requires_all()
            || suite.has_cultures && testkit::leaves_out_icu();
        let suite: &'static Suite = Box::leak(Box::new(suite));
        let lists = format!("{}::lists_are_about_programs", suite.name);
        trials.push(Trial::test(lists, || Ok(suite.check_lists()?)));
        for program in &suite.programs {
            let name = format!("{}::{}", suite.name, program.name);
            trials.push(Trial::test(name, || test(suite, program)).with_ignored_flag(skipped));
        }
    }
    Ok(trials)
}

fn test(suite: &Suite, program: &Program) -> Result<(), Failed> {
    let dll = suite.compiled(program)?;
    let expected = testkit::observe(program, &dll)?;
    let verdict = match machine::run(program, &dll, |_| ()) {
        Ok((observed, ())) => compare(program, &dll, &observed, &expected)?,
        Err(reason) => Err(reason),
    };
    suite.judge(program, &verdict)
}

/// How often the runtime is asked what a program does. Where its own answers differ, the program races against the
/// clock, and whatever the runtime does is right.
const ANSWERS: usize = 3;

fn compare(
    program: &Program,
    dll: &Path,
    observed: &Observed,
    expected: &Observed,
) -> Result<Result<(), String>, Error> {
    let mut verdict = testkit::compare(observed, expected);
    for _ in 1..ANSWERS {
        if verdict.is_ok() {
            break;
        }
        verdict = testkit::compare(observed, &testkit::observe_anew(program, dll)?);
    }
    Ok(verdict)
}
