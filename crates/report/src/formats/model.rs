//! What every format renders: the answer of a command, in words that belong to no format.

use verdict::{FindingKind, SourceLine};

use crate::summary::{Incomplete, Input, Runtime};
use crate::words;

/// The answer of one command.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// `check`, `generate`, `reach`, `prove` or `replay`.
    pub command: &'static str,
    /// File name of the assembly under test, or the folder of the cases.
    pub subject: String,
    /// Where the assembly is, as a reader finds it.
    pub file: Option<String>,
    pub runtime: Option<Runtime>,
    pub elapsed_ms: u64,
    /// The run ended early.
    pub is_stopped: bool,
    /// The last line of the text.
    pub conclusion: String,
    /// What matters most first.
    pub findings: Vec<Finding>,
    /// One for each thing that was asked about: a method, a location, a stored case.
    pub answers: Vec<Answer>,
    /// The tests that were found.
    pub tests: Vec<Test>,
    /// The folder that paths are relative to, as a URI.
    pub root: Option<String>,
}

/// What kind of a finding it is: a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    Exception(FindingKind),
    /// `prove`: something leaves a method that must not.
    Refuted,
    /// `reach`: a test gets to the location.
    Reached,
    /// `replay`: a stored case does something else than it did.
    NotReplayed,
}

impl Rule {
    pub const ALL: [Rule; 6] = [
        Rule::Exception(FindingKind::Crash),
        Rule::Exception(FindingKind::Misuse),
        Rule::Exception(FindingKind::Refused),
        Rule::Refuted,
        Rule::Reached,
        Rule::NotReplayed,
    ];

    pub fn id(self) -> &'static str {
        match self {
            Rule::Exception(kind) => kind.name(),
            Rule::Refuted => "refuted",
            Rule::Reached => "reached",
            Rule::NotReplayed => "not-replayed",
        }
    }

    /// One sentence for somebody who meets it for the first time.
    pub fn sentence(self) -> &'static str {
        match self {
            Rule::Exception(FindingKind::Crash) => {
                "The runtime raises an exception in the code for an input that the signature allows."
            }
            Rule::Exception(FindingKind::Misuse) => {
                "An exception leaves the method for an input that the declarations rule out."
            }
            Rule::Exception(FindingKind::Refused) => {
                "The code refuses an input by design: it throws the exception itself, or checks its arguments."
            }
            Rule::Refuted => "An exception leaves a method of which it was to be proven that none does.",
            Rule::Reached => "A test gets to a place in the code.",
            Rule::NotReplayed => "A stored test case does something else on the real runtime than it did.",
        }
    }

    /// What it is worth if nothing else is said.
    pub fn level(self) -> Level {
        match self {
            Rule::Exception(FindingKind::Misuse) => Level::Warning,
            Rule::Exception(FindingKind::Refused) => Level::Note,
            _ => Level::Error,
        }
    }
}

/// What ends in exit code 1 is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    Error,
    Warning,
    Note,
}

/// Something to be looked at.
#[derive(Clone, Debug)]
pub struct Finding {
    pub rule: Rule,
    pub level: Level,
    /// `DivideByZeroException in Shop.Cart::Share(Int32,Int32)`.
    pub title: String,
    /// Sentences.
    pub message: String,
    /// Where it happens: the id of the method, the offset in its code, the line.
    pub method: String,
    pub at: Option<String>,
    pub line: Option<SourceLine>,
    /// Exact type of the exception, if it is about one.
    pub exception: Option<String>,
    /// The calls that show it, the one with `inputs` first.
    pub calls: Vec<Call>,
    pub inputs: Vec<Input>,
    /// The test that shows it.
    pub test: Option<String>,
    /// What the path of the test decided, in the order of execution.
    pub steps: Vec<Step>,
    /// The cause in words that outlive a change of other code.
    pub cause: String,
    /// The real runtime was seen to do it.
    pub is_confirmed: bool,
    /// A baseline lists it.
    pub is_known: bool,
}

/// A method that leads to a finding.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: String,
    pub line: Option<SourceLine>,
}

/// A decision of a path.
#[derive(Clone, Debug)]
pub struct Step {
    /// `price != cost`.
    pub what: String,
    pub method: String,
    pub at: String,
    pub line: Option<SourceLine>,
}

/// What is known about something that was asked.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Id of a method, a location, the name of a test.
    pub name: String,
    /// The method that it is about, if that is not its name.
    pub method: Option<String>,
    pub line: Option<SourceLine>,
    pub verdict: Verdict,
    /// The verdict in a word: `complete`, `proven`, `unreachable`.
    pub word: &'static str,
    /// What was found about it: places in the findings of the report.
    pub findings: Vec<usize>,
    /// Why there is no other answer, or what it takes for granted.
    pub reasons: Vec<Reason>,
    /// Covered, proven and all branches.
    pub branches: Option<(u64, u64, u64)>,
    pub tests: Option<u64>,
    pub elapsed_ms: Option<u64>,
}

/// What an answer means for whoever waits for good news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Good,
    Bad,
    Open,
}

/// Why an answer is not better than it is.
#[derive(Clone, Debug)]
pub struct Reason {
    /// `timeout`, `closed-world`.
    pub name: &'static str,
    pub detail: String,
    pub at: Option<String>,
}

impl From<&Incomplete> for Reason {
    fn from(item: &Incomplete) -> Reason {
        Reason { name: item.reason.name(), detail: item.detail.clone(), at: item.at.clone() }
    }
}

impl From<&crate::Assumed> for Reason {
    fn from(assumed: &crate::Assumed) -> Reason {
        Reason { name: assumed.assumption.name(), detail: assumed.detail.clone(), at: None }
    }
}

/// A test of the suite.
#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    pub method: String,
    /// The real runtime was seen to do what it says.
    pub is_confirmed: bool,
}

impl Report {
    /// Gives every path of a source file another name, one that leads a reader to the file.
    pub fn rename_files(&mut self, mut name: impl FnMut(&str) -> String) {
        let mut rename = |line: &mut Option<SourceLine>| {
            if let Some(line) = line {
                line.path = name(&line.path);
            }
        };
        for finding in &mut self.findings {
            rename(&mut finding.line);
            finding.calls.iter_mut().for_each(|call| rename(&mut call.line));
            finding.steps.iter_mut().for_each(|step| rename(&mut step.line));
        }
        self.answers.iter_mut().for_each(|answer| rename(&mut answer.line));
    }

    /// What was found about something that was asked, without what is known.
    pub(crate) fn about<'a>(&'a self, answer: &'a Answer) -> impl Iterator<Item = &'a Finding> {
        let found = answer.findings.iter().filter_map(|index| self.findings.get(*index));
        found.filter(|finding| !finding.is_known)
    }

    /// What is to be looked at: all but what is known.
    pub(crate) fn news(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.is_known)
    }

    /// `Shop.dll on Microsoft.NETCore.App 10.0.0`.
    pub(crate) fn title(&self) -> String {
        match &self.runtime {
            Some(runtime) => format!("{} on {} {}", self.subject, runtime.name, runtime.version),
            None => self.subject.clone(),
        }
    }
}

impl Finding {
    /// `price = 1, cost = 0`, and no more than one wants to read.
    pub(crate) fn inputs_text(&self) -> String {
        words::shortened(&words::inputs(&self.inputs))
    }
}
