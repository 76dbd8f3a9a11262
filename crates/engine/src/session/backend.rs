//! What a session needs from the rest: open an assembly, explore one method, replay test cases.

use std::time::Instant;

use case::Case;
use case::path::PathRecord;
use case::type_facts::TypeFacts;
use report::{Assumed, Incomplete, LoopFacts, Runtime};
use serde::{Deserialize, Serialize};
use verdict::{FindingKind, SourceLine, Stats};

use crate::error::Error;
use crate::results::Contents;
use crate::session::gauge::Gauge;
use crate::subject::access::Access;
use crate::subject::instruments::Measured;
use crate::subject::target::{Edge, Target};
use budget::Budget;

/// Shared by all threads; makes the things that belong to one thread each.
pub trait Backend: Send + Sync + 'static {
    /// Reads the assembly and lists its methods in the order of their tokens.
    fn open(&self) -> Result<Opened, Error>;
    /// Called on the worker's own thread, so it need not be `Send`.
    fn worker(&self) -> Result<Box<dyn Worker>, String>;
    /// Called on the replay thread. The error is the reason why nothing can be replayed.
    fn replayer(&self) -> Result<Box<dyn Replayer>, String>;
    /// What the writer of tests must know about the types, once the run is over.
    fn type_facts(&self) -> Box<dyn TypeFacts>;
}

/// The assembly under test.
#[derive(Clone, Debug)]
pub struct Opened {
    /// File name, for the report.
    pub assembly: String,
    pub runtime: Option<Runtime>,
    /// What a person should know about the world in which methods are explored.
    pub remark: Option<&'static str>,
    pub targets: Vec<Target>,
    /// The narrowest access of a method that a test can call.
    pub least: Access,
    /// What answers about the methods depend on; by default nobody knows, and nothing is reused.
    pub contents: Contents,
}

/// Explores methods one after the other; keeps what can be shared between them (a universe, a term store, a solver).
pub trait Worker {
    /// Returns what it has when the budget says stop, with the reason among `incomplete`.
    fn explore(&mut self, target: &Target, budget: &Budget, gauge: &Gauge) -> Explored;
    /// Whether something was ended in its middle, so that another worker must go on.
    fn is_spoilt(&self) -> bool {
        false
    }
}

/// What exploring one method found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    pub cases: Vec<FoundCase>,
    /// For each kept path, whether it became a case.
    pub written: Vec<bool>,
    /// Branches whose guard is unsatisfiable on all paths of an exhausted exploration, in the method and its parts.
    pub proven_unreachable: Vec<(u32, Edge)>,
    /// Those of them that are so in any world, whatever the others rest on.
    pub certainly_unreachable: Vec<(u32, Edge)>,
    /// What the answer rests on; empty if it holds in every world.
    pub assumptions: Vec<Assumed>,
    /// Empty when every path was followed to its end.
    pub incomplete: Vec<Incomplete>,
    /// What is known about loops, if a proof rests on that.
    pub certificate: Vec<LoopFacts>,
    /// Every exception that can leave the method is that of a case, although not every path was followed.
    pub safety: Option<Safety>,
    /// For each case, the instructions that it was asked to come to and is predicted to: token and offset.
    pub meets: Vec<Vec<(u32, u32)>>,
    /// Instructions that were asked for and that no input comes to, and those of them for which it is so in any world.
    pub unreachable_instructions: Vec<(u32, u32)>,
    pub certain_instructions: Vec<(u32, u32)>,
    /// `elapsed` is filled in by the session.
    pub stats: Stats,
}

/// Why nothing but what the cases show can leave a method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Safety {
    /// What this rests on; empty if it holds in every world.
    pub assumptions: Vec<Assumed>,
    pub certificate: Vec<LoopFacts>,
}

/// A test case and what its path went through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundCase {
    pub case: Case,
    /// What the path went through, as predicted.
    pub taken: Measured,
    /// What of it happens only if static initializers have not run before.
    pub once: Measured,
    /// Set when the path ends with an exception leaving the method.
    pub bug: Option<BugSite>,
    /// What the path decided, without what the suite makes of it.
    pub path: PathRecord,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BugSite {
    /// Exact type of the exception.
    pub exception: String,
    pub message: String,
    /// IL offset in the method under test: of the throw, or of the call it came out of.
    pub at: Option<u32>,
    /// `Cart.cs:42`.
    pub source: Option<SourceLine>,
    pub kind: FindingKind,
    /// Where it comes from, if that is in the code under test.
    pub cause: Option<CauseSite>,
}

/// The innermost place in the code under test when an exception was thrown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CauseSite {
    /// A name for all exceptions from there.
    pub group: String,
    /// Id of the method that the code was written in.
    pub method: String,
    pub at: u32,
    pub source: Option<SourceLine>,
}

impl CauseSite {
    /// As it is reported.
    pub(crate) fn origin(&self) -> report::Origin {
        let (method, source) = (self.method.clone(), self.source.clone());
        report::Origin { method, at: report::place(self.at), source }
    }
}

impl BugSite {
    /// What makes it another one for those who look for bugs: the cause of a crash, for others just what they are.
    pub(crate) fn identity(&self) -> (Option<u32>, &str, FindingKind, Option<&str>) {
        let crash = self.cause.as_ref().filter(|_| self.kind == FindingKind::Crash);
        (self.at, &self.exception, self.kind, crash.map(|cause| cause.group.as_str()))
    }
}

/// Runs test cases in a child process with limits.
pub trait Replayer {
    /// Whatever can be done before there is a case: the first one should not wait for the runtime to start.
    fn prepare(&mut self, _deadline: Instant) {}
    /// One result per case, in order; those that did not fit before the deadline are `Skipped`.
    fn replay(&mut self, cases: &[Case], deadline: Instant) -> Vec<Replayed>;
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Replayed {
    /// The real runtime did what was predicted. `message` is that of the exception, when one was thrown; `case` is the
    /// case as it was run, when it was decided only then how its objects are made; `measured` is what it went through.
    Passed { message: Option<String>, case: Option<Box<Case>>, measured: Option<Measured> },
    /// It did something else: both outcomes, in words.
    Failed { detail: String },
    /// It was not run.
    Skipped { detail: String },
}
