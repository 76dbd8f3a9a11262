//! What the verifier says about a written project, as it is kept: the same files against the same assemblies are judged once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use csharp::File;
use report::NotWritten;
use serde::{Deserialize, Serialize};
use store::{Digesting, Key, Store};
use verify::{Cause, NotTried, Outcome, Report};

use super::Keeping;

/// What becomes of the tests of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Judged {
    /// Those that do not stay, by the number of their file among the sources and their name: why.
    pub fallen: BTreeMap<usize, BTreeMap<String, (NotWritten, String)>>,
    /// The text that stays of every source, in their order.
    pub texts: Vec<Option<String>>,
    pub remarks: Vec<String>,
    /// What it took, and how many tests were looked at.
    pub took: Duration,
    pub tests: usize,
    /// Not all was tried, for want of time.
    is_hurried: bool,
    /// The time of the whole run.
    within: Duration,
}

impl Judged {
    /// `within`: the time of the whole run.
    pub fn of(report: &Report, took: Duration, within: Duration) -> Judged {
        let is_hurried = |what: &NotTried| matches!(what, NotTried::Together | NotTried::Alone(_));
        let mut judged = Judged {
            is_hurried: report.not_tried.iter().any(is_hurried),
            within,
            texts: report.files.iter().map(|file| file.text.clone()).collect(),
            remarks: report.not_tried.iter().map(ToString::to_string).collect(),
            took,
            tests: report.tests.len(),
            ..Judged::default()
        };
        for test in report.tests.iter().filter(|test| !test.outcome.is_kept()) {
            let why = (reason(&test.outcome), test.outcome.to_string());
            judged.fallen.entry(test.file).or_default().insert(test.name.clone(), why);
        }
        judged
    }
}

fn reason(outcome: &Outcome) -> NotWritten {
    match outcome {
        Outcome::DoesNotCompile { .. } => NotWritten::DoesNotCompile,
        Outcome::Fails { cause: Cause::Always, .. } => NotWritten::Fails,
        Outcome::Fails { .. } => NotWritten::Unsteady,
        Outcome::Holds | Outcome::Skipped { .. } | Outcome::NotVerified { .. } => NotWritten::NotVerified,
    }
}

/// Whether it says something about every test.
fn is_final(report: &Report) -> bool {
    let is_open = |outcome: &Outcome| matches!(outcome, Outcome::NotVerified { .. });
    report.problems.is_empty() && !report.tests.iter().any(|test| is_open(&test.outcome))
}

/// The store, and what judgements depend on besides the files.
#[derive(Clone, Debug)]
pub(crate) struct KeptJudgements {
    stores: Vec<Store>,
    /// The assembly, those around it, the runtime and this program.
    content: Key,
}

impl KeptJudgements {
    pub fn new(keeping: &Keeping, content: Key) -> KeptJudgements {
        let folders = std::iter::once(&keeping.folder).chain(&keeping.sources);
        KeptJudgements { stores: folders.map(|folder| Store::at(folder)).collect(), content }
    }

    /// The key of a project that would be in a folder. Packages of a project that is there count.
    pub fn key(&self, options: &csharp::Options, files: &[File], folder: &Path) -> Key {
        let mut digest = Digesting::new();
        digest.part("form", "cilantro/judged@1").part("content", self.content.as_bytes());
        digest.part("options", format!("{:?} {:?}", options.framework, options.mocks));
        digest.part("target", &options.target_framework).part("assembly", &options.assembly);
        for file in files {
            digest.part("file", &file.path).part("text", &file.text);
            for test in &file.tests {
                digest.part("test", &test.name);
                for case in &test.cases {
                    digest.part("row", case);
                }
            }
        }
        for known in restored_files(folder) {
            digest.part("packages", std::fs::read(known).unwrap_or_default());
        }
        digest.key()
    }

    /// What is known of the very same project. Where time was short, it counts for runs that have no more of it.
    pub fn judged(&self, key: &Key, within: Duration) -> Option<Judged> {
        let read = |store: &Store| serde_json::from_slice::<Judged>(&store.get(key)?).ok();
        self.stores.iter().filter_map(read).find(|judged| !judged.is_hurried || judged.within >= within)
    }

    pub fn keep(&self, key: &Key, report: &Report, judged: &Judged) {
        if !is_final(report) {
            return;
        }
        if let (Some(store), Ok(bytes)) = (self.stores.first(), serde_json::to_vec(judged)) {
            // It is done again if it cannot be kept; somebody else says why.
            let _not_kept = store.put(key, &bytes);
        }
    }
}

/// What says which packages the project in a folder uses.
fn restored_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![folder.join("obj").join("project.assets.json")];
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let projects = entries.map(|entry| entry.path());
    files.extend(projects.filter(|path| path.extension().is_some_and(|extension| extension == "csproj")));
    files.sort();
    files
}
