//! What is answered, as data with a schema. Where a command has a published form, that is the answer.

use case::path::PathRecord;
use report::formats;
use report::{
    Assumed, Coverage, FindingKind, Incomplete, Input, Line, ReachReport, Reason, SourceLine, Unwritten,
    Verdict,
};
use schemars::JsonSchema;
use serde::Serialize;

/// Tests for a method.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tests {
    pub methods: Vec<Tested>,
    /// The test project. Nothing of it is on the disk.
    pub files: Vec<FileText>,
    /// What should be known of the files: why nothing was compiled, what could not be tried.
    pub remarks: Vec<String>,
    /// Set when the run ended early.
    pub stopped: Option<Reason>,
}

/// What is known of one method.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Tested {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub method: String,
    pub source: Option<SourceLine>,
    /// `complete`: every branch has a test or is proven unreachable, and every exception that can leave the method is known.
    pub verdict: Verdict,
    pub coverage: Coverage,
    /// The tests that the real runtime has confirmed.
    pub tests: Vec<Named>,
    /// Tests that were found and are not in the files.
    pub not_written: Vec<Unwritten>,
    /// Why it is not complete.
    pub incomplete: Vec<Incomplete>,
    /// What the answer takes for granted.
    pub assumptions: Vec<Assumed>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Named {
    pub name: String,
    pub inputs: Vec<case::path::NamedValue>,
    /// The exception that the method ends with.
    pub throws: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct FileText {
    /// Relative to the folder of the test project.
    pub path: String,
    pub text: String,
}

/// The exceptions that can leave methods.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Crashes {
    pub findings: Vec<Finding>,
    /// Findings that there was no room for.
    pub left_out: usize,
    /// Every path of every method was followed to its end: there are no others, whatever the world is like.
    pub is_everything: bool,
    /// Methods with paths that were not followed: they may have others.
    pub open: Vec<OpenMethod>,
    /// Methods that are open and not listed.
    pub open_left_out: usize,
    /// The number of methods that were explored.
    pub methods: usize,
    /// Set when the run ended early.
    pub stopped: Option<Reason>,
}

/// An exception, with an input that shows it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Finding {
    pub kind: FindingKind,
    pub title: String,
    pub message: String,
    pub exception: Option<String>,
    /// The method that it comes from.
    pub method: String,
    pub source: Option<SourceLine>,
    /// The methods whose calls lead to it; the inputs are those of the first.
    pub calls: Vec<String>,
    pub inputs: Vec<Input>,
    /// The real runtime threw it for these inputs.
    pub replayed: bool,
}

/// A method that is not known completely.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OpenMethod {
    pub method: String,
    pub incomplete: Vec<Incomplete>,
    pub assumptions: Vec<Assumed>,
}

/// Whether a place can be reached.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Reach {
    pub answer: ReachReport,
    /// A test that gets there, as C#.
    pub files: Vec<FileText>,
}

/// Why branches have neither a test nor a proof.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Open {
    pub methods: Vec<OpenBranches>,
    /// Set when the run ended early.
    pub stopped: Option<Reason>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OpenBranches {
    pub method: String,
    pub verdict: Verdict,
    pub coverage: Coverage,
    /// Branches without a test and without a proof.
    pub open_branches: u64,
    /// The lines that decide them, when symbols are there: what each way is worth.
    pub lines: Vec<OpenLine>,
    pub reasons: Vec<Why>,
    /// What the proofs of other branches take for granted.
    pub assumptions: Vec<Assumed>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct OpenLine {
    pub file: String,
    #[serde(flatten)]
    pub line: Line,
}

/// A reason, with what it means.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Why {
    pub reason: Reason,
    pub detail: String,
    /// `IL_0012` in the method.
    pub at: Option<String>,
    pub meaning: String,
    pub what_to_do: Vec<String>,
}

/// Why a test exists.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explained {
    /// One for each test of this name.
    pub tests: Vec<ExplainedTest>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ExplainedTest {
    /// What its path decided, in the order of execution, and what no other test shows.
    pub path: PathRecord,
    /// The test as C#, as it is on the disk.
    pub code: Option<String>,
}

impl Finding {
    /// As reports tell it; nothing if it is not about an exception.
    pub fn of(finding: &formats::Finding) -> Option<Finding> {
        let formats::Rule::Exception(kind) = finding.rule else { return None };
        Some(Finding {
            kind,
            title: finding.title.clone(),
            message: finding.message.clone(),
            exception: finding.exception.clone(),
            method: finding.method.clone(),
            source: finding.line.clone(),
            calls: finding.calls.iter().map(|call| call.method.clone()).collect(),
            inputs: finding.inputs.clone(),
            replayed: finding.is_confirmed,
        })
    }
}

impl From<&Incomplete> for Why {
    fn from(item: &Incomplete) -> Why {
        let explanation = item.reason.explanation();
        Why {
            reason: item.reason,
            detail: item.detail.clone(),
            at: item.at.clone(),
            meaning: explanation.meaning.to_owned(),
            what_to_do: explanation.what_to_do.iter().map(|line| (*line).to_owned()).collect(),
        }
    }
}
