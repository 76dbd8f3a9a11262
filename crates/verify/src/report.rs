//! What came out: for every test, for every file, and for the whole.

use std::{fmt, time::Duration};

use crate::{Diagnostic, World};

/// The result of a verification.
#[derive(Clone, Debug)]
pub struct Report {
    /// In the order of the files and of the names in them.
    pub tests: Vec<TestReport>,
    /// In the order of the project.
    pub files: Vec<FileReport>,
    /// What could not be tried on this machine.
    pub not_tried: Vec<NotTried>,
    /// What the compiler says about the project as a whole, or why nothing could be verified.
    pub problems: Vec<String>,
    pub against: Against,
    /// The version of the compiler's libraries.
    pub compiler: String,
    pub timings: Timings,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TestReport {
    /// The file, by its place in the project.
    pub file: usize,
    pub name: String,
    pub outcome: Outcome,
}

/// A file with the tests that stay in it. It compiles without a warning; it is never left behind when it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReport {
    pub path: String,
    /// None when nothing of it is left, or when there was no time to make sure.
    pub text: Option<String>,
}

/// What is known about a test. Only [`Outcome::Holds`], [`Outcome::Skipped`] and tests that held in some worlds before
/// the time was up ([`Outcome::NotVerified`] with `held_in` above zero) stay in their files.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It compiles without a warning and passes in every world that was tried.
    Holds,
    /// The compiler has something to say about it, or about the helper that it uses.
    DoesNotCompile { diagnostics: Vec<Diagnostic>, through: Option<String> },
    /// It does not pass everywhere.
    Fails { cause: Cause, failures: Vec<Failure> },
    /// It says itself that it is not to be run.
    Skipped { why: String },
    /// There was no time or no way to run it everywhere. It was not seen to fail.
    NotVerified { held_in: usize, why: String },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub world: World,
    pub how: How,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// `line` is the line of the file as it came in which the test failed; 0 when it is not known.
    Failed {
        exception: String,
        message: String,
        line: u32,
    },
    /// It took the process with it.
    Crashed {
        how: String,
    },
    TimedOut,
}

/// What a failure depends on, found by running the test alone with one thing changed at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It fails in every world.
    Always,
    /// It fails in these cultures, whatever else.
    Culture(Vec<&'static str>),
    /// It fails in these time zones, whatever else.
    TimeZone(Vec<&'static str>),
    /// It passes alone and fails with others before it.
    OtherTests,
    /// It passes only when others ran before it.
    NeedsOthers,
    /// It leaves something behind that makes these tests fail.
    BreaksOthers(Vec<String>),
    /// It passes once and fails the second time in one process.
    Repetition,
    /// It fails on a thread of the pool.
    Thread,
    /// Nothing of these: it differs from run to run or from process to process.
    Unsteady,
}

/// Something that this machine has not got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotTried {
    /// There is no ICU: all passes ran in the invariant culture.
    Cultures,
    /// The zone is not known here.
    TimeZone(&'static str),
    /// For want of time the tests ran in several parts, and not all with each other.
    Together,
    /// So many tests were not run by themselves, for want of time; they hold in other orders.
    Alone(usize),
}

/// What the tests were compiled and run against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// Our miniatures of the framework.
    StandIns,
    /// The packages that the user's project has restored.
    Packages,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    pub compile: Duration,
    pub run: Duration,
    /// Compiling again after tests were taken out.
    pub finish: Duration,
}

impl Report {
    /// How many tests stay.
    pub fn kept(&self) -> usize {
        self.tests.iter().filter(|test| test.outcome.is_kept()).count()
    }
}

impl Outcome {
    pub fn is_kept(&self) -> bool {
        match self {
            Outcome::Holds | Outcome::Skipped { .. } => true,
            Outcome::NotVerified { held_in, .. } => *held_in > 0,
            Outcome::DoesNotCompile { .. } | Outcome::Fails { .. } => false,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Holds => f.write_str("it holds everywhere"),
            Outcome::DoesNotCompile { diagnostics, through } => {
                f.write_str("it does not compile without a warning")?;
                if let Some(through) = through {
                    write!(f, " (because of {through})")?;
                }
                diagnostics.iter().try_for_each(|diagnostic| write!(f, "; {diagnostic}"))
            }
            Outcome::Fails { cause, failures } => {
                write!(f, "{cause}")?;
                failures.iter().take(1).try_for_each(|failure| write!(f, ": {failure}"))
            }
            Outcome::Skipped { why } => write!(f, "it is marked to be skipped: {why}"),
            Outcome::NotVerified { held_in, why } => {
                write!(f, "it was not run in all worlds, only in {held_in}: {why}")
            }
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Always => f.write_str("it fails"),
            Cause::Culture(cultures) => {
                let name =
                    |culture: &&'static str| if culture.is_empty() { "the invariant one" } else { culture };
                let names: Vec<&str> = cultures.iter().map(name).collect();
                write!(f, "it depends on the culture (fails in {})", names.join(", "))
            }
            Cause::TimeZone(zones) => {
                write!(f, "it depends on the time zone (fails in {})", zones.join(", "))
            }
            Cause::OtherTests => f.write_str("it fails after other tests"),
            Cause::BreaksOthers(names) => {
                let some: Vec<&str> = names.iter().take(3).map(String::as_str).collect();
                let more = if names.len() > some.len() { ", …" } else { "" };
                write!(
                    f,
                    "it leaves something behind that makes other tests fail ({}{more})",
                    some.join(", ")
                )
            }
            Cause::NeedsOthers => f.write_str("it passes only after other tests"),
            Cause::Repetition => f.write_str("it fails when it is run again"),
            Cause::Thread => f.write_str("it fails on a thread of the pool"),
            Cause::Unsteady => f.write_str("it fails in some runs and not in others"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.how, self.world)
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Failed { exception, message, .. } => {
                write!(f, "{exception}: {}", message.lines().map(str::trim).collect::<Vec<_>>().join(" "))
            }
            How::Crashed { how } => write!(f, "it takes the process with it: {how}"),
            How::TimedOut => f.write_str("it does not come back in time"),
        }
    }
}

impl fmt::Display for NotTried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotTried::Cultures => {
                f.write_str("there is no ICU on this machine, so tests ran in the invariant culture only")
            }
            NotTried::Together => {
                f.write_str("tests of different parts of the project were not run together, for want of time")
            }
            NotTried::Alone(count) => {
                write!(f, "{count} tests were not run each by itself, for want of time")
            }
            NotTried::TimeZone(zone) => write!(f, "the time zone {zone} is not known on this machine"),
        }
    }
}
