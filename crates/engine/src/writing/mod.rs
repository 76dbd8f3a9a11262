//! The written project: rendered, compiled and run, and left without whatever does not hold.

mod parts;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use csharp::File;
use report::{NotWritten, Summary};
use verify::{Cause, Report};

use crate::conclusion::{CaseId, Conclusion, Settled};
use crate::run::{Outcome, file_name};
use crate::verification;

/// How a project is to be written.
#[derive(Clone, Debug)]
pub struct Writing {
    pub options: csharp::Options,
    /// Where it will be: the packages of a project that is there are used.
    pub folder: PathBuf,
}

/// A project that can be put on disk.
#[derive(Clone, Debug, Default)]
pub struct Written {
    pub files: Vec<File>,
    /// What the user should know: why nothing was verified, what could not be tried.
    pub remarks: Vec<String>,
}

/// Left for putting files on disk.
const RESERVE: Duration = Duration::from_millis(300);
/// How often tests that do not hold are replaced by others that show the same.
const MAX_ROUNDS: usize = 2;

impl Outcome {
    /// Renders the tests as C#, compiles them and runs them in several worlds, if the engine was told to verify. The summary
    /// and the suite then speak of the tests that are written, and of those that are not.
    pub fn write(&mut self, writing: &Writing) -> Written {
        let mut settled = Settled::default();
        let mut written = Written::default();
        for round in 1.. {
            let (conclusion, project) = self.render(&mut settled, writing);
            let ids = ids_by_file(&conclusion, &project.files);
            let Some(report) = self.verified(writing, &project.files, &mut written.remarks) else {
                written.files = project.files;
                // Otherwise it is all as it was when the run was over.
                match settled.dropped.is_empty() {
                    true => self.note_elapsed(),
                    false => self.settle(settled, names(&conclusion)),
                }
                return written;
            };
            let fallen = note_fallen(&report, &project.files, &ids, &mut settled);
            let is_last = round >= MAX_ROUNDS || !fallen || !self.has_time_for(&report);
            if is_last {
                written.files = kept_files(&report, project.files);
                written.remarks.extend(report.not_tried.iter().map(ToString::to_string));
                let mut names = names(&conclusion);
                names.retain(|id, _| !settled.dropped.contains_key(id));
                self.settle(settled, names);
                return written;
            }
        }
        written
    }

    /// The tests that can be written: what was not replayed or cannot be said in C# makes room for something else.
    fn render(&self, settled: &mut Settled, writing: &Writing) -> (Conclusion, csharp::Suite) {
        loop {
            let conclusion = self.conclude(settled);
            let before = settled.dropped.len();
            for ((id, case), confirmed) in
                conclusion.ids.iter().zip(&conclusion.suite).zip(&conclusion.confirmed)
            {
                if !confirmed {
                    let why = (NotWritten::NotReplayed, format!("{} was not replayed in time", case.name));
                    settled.dropped.insert(*id, why);
                }
            }
            let project = csharp::render_project(&conclusion.suite, self.types.as_ref(), &writing.options);
            let by_name: BTreeMap<(&str, &str), CaseId> = conclusion
                .ids
                .iter()
                .zip(&conclusion.suite)
                .map(|(id, case)| ((case.method.id.as_str(), case.name.as_str()), *id))
                .collect();
            for left in &project.left_out {
                if let Some(id) = by_name.get(&(left.method.as_str(), left.case.as_str())) {
                    settled.dropped.insert(*id, (NotWritten::NoCsharp, left.why.clone()));
                }
            }
            if settled.dropped.len() == before {
                return (conclusion, project);
            }
        }
    }

    /// What is settled about the tests decides which there are; where nothing is, it is known already: a large assembly takes
    /// its time.
    fn conclude(&self, settled: &Settled) -> Conclusion {
        if settled.dropped.is_empty() && settled.written.is_none() {
            return Conclusion {
                summary: self.summary.clone(),
                suite: self.suite.clone(),
                ids: self.ids.clone(),
                confirmed: self.confirmed.clone(),
                paths: self.paths.clone(),
                covered: Arc::clone(&self.covered),
            };
        }
        self.finished.conclude_settled(&file_name(&self.assembly), settled, self.types.as_ref())
    }

    fn verified(&self, writing: &Writing, files: &[File], remarks: &mut Vec<String>) -> Option<Report> {
        let verification = self.verification.as_ref()?;
        if files.iter().all(|file| file.tests.is_empty()) {
            return None;
        }
        let project = verification::project(&writing.options, files, &self.assembly, &writing.folder);
        let reserve = RESERVE.max(self.finished.tail / 2);
        let deadline = self.clock.deadline.checked_sub(reserve).unwrap_or(self.clock.deadline);
        match parts::verify(verification, &project, deadline) {
            Ok(report) => Some(report),
            Err(why) => {
                remarks.push(format!("the written tests were not compiled and run: {why}"));
                None
            }
        }
    }

    /// Whether what was verified once can be verified again.
    fn has_time_for(&self, report: &Report) -> bool {
        let Some(verification) = &self.verification else { return false };
        let left = self.clock.deadline.saturating_duration_since(Instant::now());
        let again = parts::took(&report.timings) + RESERVE;
        left > again && verification.pace().tests_within(left) > report.tests.len()
    }

    fn settle(&mut self, mut settled: Settled, names: BTreeMap<CaseId, String>) {
        settled.written = Some(names);
        let name = file_name(&self.assembly);
        let Conclusion { summary, suite, paths, ids, confirmed, covered } =
            self.finished.conclude_settled(&name, &settled, self.types.as_ref());
        self.summary = Summary { accepted: std::mem::take(&mut self.summary.accepted), ..summary };
        self.note_elapsed();
        self.suite = suite;
        self.paths = paths;
        (self.ids, self.confirmed, self.covered) = (ids, confirmed, covered);
    }

    fn note_elapsed(&mut self) {
        self.summary.elapsed_ms = u64::try_from(self.clock.started.elapsed().as_millis()).unwrap_or(u64::MAX);
    }
}

fn names(conclusion: &Conclusion) -> BTreeMap<CaseId, String> {
    conclusion.ids.iter().copied().zip(conclusion.suite.iter().map(|case| case.name.clone())).collect()
}

/// The case of each test, by the class under test and its name.
fn ids_by_file(conclusion: &Conclusion, files: &[File]) -> BTreeMap<(usize, String), CaseId> {
    let classes: BTreeMap<&str, usize> =
        files.iter().enumerate().map(|(at, file)| (file.class.as_str(), at)).collect();
    let mut ids = BTreeMap::new();
    for (id, case) in conclusion.ids.iter().zip(&conclusion.suite) {
        let class = case.method.ty.split('[').next().unwrap_or(&case.method.ty);
        if let Some(file) = classes.get(class) {
            ids.insert((*file, case.name.clone()), *id);
        }
    }
    ids
}

/// Takes note of the tests that do not hold; whether there are any.
fn note_fallen(
    report: &Report,
    files: &[File],
    ids: &BTreeMap<(usize, String), CaseId>,
    settled: &mut Settled,
) -> bool {
    let sources: Vec<usize> =
        (0..files.len()).filter(|at| files.get(*at).is_some_and(|file| file.path.ends_with(".cs"))).collect();
    let mut any = false;
    for test in report.tests.iter().filter(|test| !test.outcome.is_kept()) {
        let Some(file) = sources.get(test.file) else { continue };
        let Some(id) = ids.get(&(*file, test.name.clone())) else { continue };
        settled.dropped.insert(*id, (reason(&test.outcome), test.outcome.to_string()));
        any = true;
    }
    any
}

fn reason(outcome: &verify::Outcome) -> NotWritten {
    match outcome {
        verify::Outcome::DoesNotCompile { .. } => NotWritten::DoesNotCompile,
        verify::Outcome::Fails { cause: Cause::Always, .. } => NotWritten::Fails,
        verify::Outcome::Fails { .. } => NotWritten::Unsteady,
        verify::Outcome::Holds | verify::Outcome::Skipped { .. } | verify::Outcome::NotVerified { .. } => {
            NotWritten::NotVerified
        }
    }
}

/// The files with the tests that stay; a file in which nothing stays is not there.
fn kept_files(report: &Report, files: Vec<File>) -> Vec<File> {
    let mut texts = report.files.iter();
    let mut kept = Vec::new();
    for mut file in files {
        if !file.path.ends_with(".cs") {
            kept.push(file);
            continue;
        }
        if let Some(text) = texts.next().and_then(|report| report.text.clone()) {
            file.text = text;
            kept.push(file);
        }
    }
    kept
}
