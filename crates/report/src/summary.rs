//! The schema `cilantro/summary@1`: fields may be added, never renamed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use verdict::{Assumption, FindingKind, Gap, Reason, SourceLine, Stats};

use crate::fail_on::FailOn;
use crate::zone::{Reflected, Zone};

pub const SUMMARY_SCHEMA: &str = "cilantro/summary@1";

/// The answer of one `generate` or `check`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    pub schema: String,
    /// File name of the assembly under test.
    pub assembly: String,
    /// The runtime whose base class library was interpreted and on which tests were replayed.
    pub runtime: Option<Runtime>,
    pub elapsed_ms: u64,
    /// Set when the whole run ended early: `timeout`, `cancelled` or `memory_limit`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Reason>,
    /// What the user said to hold: proofs may rest on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Assumption>,
    /// Folder of the generated test project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// In the order of metadata tokens.
    pub methods: Vec<Method>,
    /// What the tests of all these methods cover of the code around them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Zone>,
    /// How many methods are left out because of their attributes or because the user wants it, by what says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<Excluded>,
    /// Why tests use reflection, the most frequent cause first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reflection: Vec<Reflected>,
    /// With `--since`: what the methods were compared with. Only those whose code differs were looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// Digests of what every method of the assembly does, with all code that it leads to, by id: what `--since` compares.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub code: BTreeMap<String, String>,
}

/// What the methods of an assembly were compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Since {
    /// As the user named it.
    pub what: String,
    /// Methods whose code differs, or which lead to code that does; whoever can call them.
    pub changed: u64,
    pub unchanged: u64,
}

/// Methods that are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excluded {
    /// An attribute in brackets, or the pattern of `--exclude` or `.cilantroignore`.
    pub cause: String,
    pub methods: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Runtime {
    pub name: String,
    pub version: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Method {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub id: String,
    /// `0x06000012`.
    pub token: String,
    /// `Cart.cs:17`, when symbols are there.
    pub source: Option<SourceLine>,
    pub verdict: Verdict,
    pub incomplete: Vec<Incomplete>,
    /// What the answer takes for granted and nobody has said to hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumed>,
    /// What is known about loops, if a proof in this answer rests on that: facts at each place where a loop was cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<LoopFacts>,
    pub coverage: Coverage,
    /// Tests in the suite: confirmed ones, and unconfirmed ones when replay was not possible.
    pub tests: u64,
    pub replay: Replay,
    pub bugs: Vec<Bug>,
    /// Exceptions for inputs that only reflection can make and that break a rule visible in their class: no plain bugs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken_inputs: Vec<Bug>,
    /// Tests that were found and replayed, and are not in the written project.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<Unwritten>,
    pub stats: Stats,
}

/// The head of a loop, or the entry of a method that calls itself, and what holds whenever execution is there. A checker of
/// its own has found that it holds at first and again after each round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct LoopFacts {
    /// Id of the method that it is in.
    pub method: String,
    /// `IL_0012`.
    pub at: String,
    /// `Cart.cs:42`, when symbols are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceLine>,
    /// What the loop changes.
    pub changes: Vec<String>,
    /// As C#: `i <= items.Length`.
    pub facts: Vec<String>,
}

/// A test that is not written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unwritten {
    pub test: String,
    pub reason: NotWritten,
    pub detail: String,
}

/// Why a test is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NotWritten {
    /// The case cannot be said in C#.
    NoCsharp,
    /// The compiler has something to say about it.
    DoesNotCompile,
    /// It fails although its case was replayed.
    Fails,
    /// It passes in some cultures or time zones only, or depends on other tests, on the thread, or on chance.
    Unsteady,
    /// There was no time to compile and run it.
    NotVerified,
    /// The real runtime did not confirm its case: there was no time, or the case cannot be replayed.
    NotReplayed,
}

impl NotWritten {
    pub fn name(self) -> &'static str {
        match self {
            NotWritten::NoCsharp => "cannot be written as C#",
            NotWritten::DoesNotCompile => "does not compile",
            NotWritten::Fails => "fails as C#",
            NotWritten::Unsteady => "does not hold everywhere",
            NotWritten::NotVerified => "not verified in time",
            NotWritten::NotReplayed => "not replayed",
        }
    }
}

/// What a method's answer is worth. Bugs are independent of it: a method can be complete and have bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every path was followed to its end: every branch is covered by a replayed test or proven unreachable, and
    /// every exception that can leave the method is listed.
    Complete,
    /// The same, if what `assumptions` lists holds wherever the program runs.
    CompleteAssuming,
    /// Something was left out; `incomplete` says what and why.
    Incomplete,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Complete => "complete",
            Verdict::CompleteAssuming => "complete assuming",
            Verdict::Incomplete => "incomplete",
        }
    }
}

/// An assumption that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Assumed {
    pub assumption: Assumption,
    /// Where it is made first, in words.
    pub detail: String,
}

impl Assumed {
    pub fn new(assumption: Assumption, detail: impl Into<String>) -> Assumed {
        Assumed { assumption, detail: detail.into() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Incomplete {
    pub reason: Reason,
    pub detail: String,
    /// `IL_0012` in the method under test, when the reason has a place.
    pub at: Option<String>,
}

impl Incomplete {
    /// A gap in the answer about a method, with its place in the method's IL.
    pub fn new(gap: Gap, at: Option<u32>) -> Incomplete {
        Incomplete { reason: gap.reason, detail: gap.detail, at: at.map(place) }
    }
}

/// An offset as reports write it: `IL_002a`.
pub fn place(offset: u32) -> String {
    format!("IL_{offset:04x}")
}

/// Counts over the method's own IL. A branch is one outgoing edge of a conditional jump or switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    pub instructions: u64,
    pub covered_instructions: u64,
    pub branches: u64,
    pub covered_branches: u64,
    /// No input takes them, in any world.
    pub proven_unreachable_branches: u64,
    /// No input takes them if what the method's `assumptions` list holds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub proven_assuming_branches: u64,
    pub il_bytes: u64,
    pub covered_il_bytes: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
}

/// An exception that leaves the method under test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bug {
    pub exception: String,
    pub message: String,
    /// `IL_002a` in the method under test.
    pub at: Option<String>,
    pub source: Option<SourceLine>,
    /// The real runtime threw the same exception for these inputs.
    pub replayed: bool,
    /// Name of the test that shows it.
    pub test: String,
    /// The inputs as a person would write them.
    #[serde(default)]
    pub inputs: Vec<Input>,
    #[serde(default)]
    pub construction: Construction,
    /// The rules that the inputs break, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub breaks: Vec<String>,
    /// What it is worth.
    #[serde(default = "unknown_kind")]
    pub kind: FindingKind,
    /// Exceptions with the same cause have the same name here, whichever method they leave; it outlives changes of other
    /// code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// Where it comes from: the innermost code of the assembly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Origin>,
    /// A baseline lists it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub known: bool,
}

/// The place that an exception comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Origin {
    /// Id of the method.
    pub method: String,
    /// `IL_002a`.
    pub at: String,
    /// `Cart.cs:42`, when symbols are there.
    pub source: Option<SourceLine>,
}

/// Whoever does not say what an exception is means the worst.
fn unknown_kind() -> FindingKind {
    FindingKind::Crash
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// How the objects of an input are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Construction {
    /// With public members alone.
    #[default]
    Public,
    /// Some object without a constructor, its fields written one by one.
    Reflection,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    pub name: String,
    pub value: String,
}

/// How a run ended, for the exit code. Findings outrank incompleteness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    NothingFound,
    Findings,
    Incomplete,
}

/// Sums over all methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub methods: u64,
    pub complete: u64,
    pub assuming: u64,
    pub branches: u64,
    pub covered: u64,
    pub proven: u64,
    pub tests: u64,
    pub bugs: u64,
}

impl Summary {
    pub fn new(assembly: impl Into<String>) -> Summary {
        Summary {
            schema: SUMMARY_SCHEMA.to_owned(),
            assembly: assembly.into(),
            runtime: None,
            elapsed_ms: 0,
            stopped: None,
            accepted: Vec::new(),
            output: None,
            methods: Vec::new(),
            zone: None,
            excluded: Vec::new(),
            reflection: Vec::new(),
            since: None,
            code: BTreeMap::new(),
        }
    }

    /// How a run ended that looks for crashes.
    pub fn status(&self) -> Status {
        self.status_for(FailOn::default())
    }

    /// Only a bug that was replayed is a finding; an unconfirmed one leaves the run incomplete.
    pub fn status_for(&self, fail_on: FailOn) -> Status {
        if self.methods.iter().flat_map(|m| &m.bugs).any(|bug| fail_on.counts(bug)) {
            Status::Findings
        } else if self.stopped.is_some() || self.methods.iter().any(|m| m.verdict != Verdict::Complete) {
            Status::Incomplete
        } else {
            Status::NothingFound
        }
    }

    pub fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for method in &self.methods {
            totals.methods += 1;
            totals.complete += u64::from(method.verdict == Verdict::Complete);
            totals.assuming += u64::from(method.verdict == Verdict::CompleteAssuming);
            totals.branches += method.coverage.branches;
            totals.covered += method.coverage.covered_branches;
            totals.proven += method.coverage.proven_unreachable_branches;
            totals.tests += method.tests;
            totals.bugs += method.bugs.len() as u64;
        }
        totals
    }
}

impl Method {
    /// Sorts and deduplicates the reasons and derives the verdict from them.
    pub fn settle(&mut self) {
        self.incomplete.sort();
        self.incomplete.dedup();
        self.verdict = match (self.incomplete.is_empty(), self.assumptions.is_empty()) {
            (true, true) => Verdict::Complete,
            (true, false) => Verdict::CompleteAssuming,
            (false, _) => Verdict::Incomplete,
        };
    }
}
