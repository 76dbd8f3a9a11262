//! The written project: rendered, compiled and run, and left without whatever does not hold.

mod parts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use case::Case;
use csharp::File;
use report::{NotWritten, Summary};

use crate::conclusion::{CaseId, Conclusion, Settled};
use crate::results::Judged;
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
const MAX_ROUNDS: usize = 3;

impl Outcome {
    /// Renders the tests as C#, compiles them and runs them in several worlds, if the engine was told to verify. The summary
    /// and the suite then speak of the tests that are written, and of those that are not.
    pub fn write(&mut self, writing: &Writing) -> Written {
        let mut settled = Settled::default();
        let mut written = Written::default();
        for round in 1.. {
            let (conclusion, project) = self.render(&mut settled, writing);
            let ids = ids_by_file(&conclusion, &project.files);
            let Some(judged) = self.judged(writing, &project.files, &mut written.remarks) else {
                written.files = project.files;
                // Otherwise it is all as it was when the run was over.
                match settled.dropped.is_empty() {
                    true => self.note_elapsed(),
                    false => self.settle(settled, names(&conclusion)),
                }
                self.note_rows(&written.files);
                return written;
            };
            // Whether it is the last time if something does not hold.
            let no_more = round >= MAX_ROUNDS || !self.has_time_for(&judged);
            let fallen = note_fallen(&judged, &project.files, &ids, &mut settled, no_more);
            if no_more || !fallen {
                written.files = kept_files(&judged, project.files);
                written.remarks.extend(judged.remarks);
                let mut names = names(&conclusion);
                names.retain(|id, _| !settled.dropped.contains_key(id));
                self.settle(settled, names);
                self.note_rows(&written.files);
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
                if let Err(why) = confirmed {
                    let why = format!("{}: {why}", case.name);
                    settled.dropped.insert(*id, (NotWritten::NotReplayed, why));
                }
            }
            let options = apart(&writing.options, &conclusion, &settled.apart);
            let project = csharp::render_project(&conclusion.suite, self.types.as_ref(), &options);
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

    /// What becomes of the tests, if that is looked at; what is known of the very same files is not found out again.
    fn judged(&self, writing: &Writing, files: &[File], remarks: &mut Vec<String>) -> Option<Judged> {
        let verification = self.verification.as_ref()?;
        if files.iter().all(|file| file.tests.is_empty()) {
            return None;
        }
        let within = self.clock.deadline - self.clock.started;
        let known = self.judgements.as_ref();
        let known = known.map(|known| (known, known.key(&writing.options, files, &writing.folder)));
        if let Some(judged) = known.as_ref().and_then(|(known, key)| known.judged(key, within)) {
            return Some(judged);
        }
        let project = verification::project(&writing.options, files, &self.assembly, &writing.folder);
        let reserve = RESERVE.max(self.finished.tail / 2);
        let deadline = self.clock.deadline.checked_sub(reserve).unwrap_or(self.clock.deadline);
        match parts::verify(verification, &project, deadline) {
            Ok(report) => {
                let judged = Judged::of(&report, parts::took(&report.timings), within);
                if let Some((known, key)) = &known {
                    known.keep(key, &report, &judged);
                }
                Some(judged)
            }
            Err(why) => {
                remarks.push(format!("the written tests were not compiled and run: {why}"));
                None
            }
        }
    }

    /// Whether what was verified once can be verified again.
    fn has_time_for(&self, judged: &Judged) -> bool {
        let Some(verification) = &self.verification else { return false };
        let left = self.clock.deadline.saturating_duration_since(Instant::now());
        let again = judged.took + RESERVE;
        left > again && verification.pace().tests_within(left) > judged.tests
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

    /// Whoever asks for a test by the name of its method gets its rows.
    fn note_rows(&mut self, files: &[File]) {
        let mut methods: BTreeMap<(&str, &str), &str> = BTreeMap::new();
        for file in files {
            for test in file.tests.iter().filter(|test| test.cases.len() > 1) {
                methods.extend(
                    test.cases.iter().map(|case| ((file.class.as_str(), case.as_str()), test.name.as_str())),
                );
            }
        }
        for (path, case) in self.paths.iter_mut().zip(&self.suite) {
            path.row_of = methods.get(&(class_of(case), case.name.as_str())).map(|name| (*name).to_owned());
        }
    }

    fn note_elapsed(&mut self) {
        self.summary.elapsed_ms = u64::try_from(self.clock.started.elapsed().as_millis()).unwrap_or(u64::MAX);
    }
}

fn names(conclusion: &Conclusion) -> BTreeMap<CaseId, String> {
    conclusion.ids.iter().copied().zip(conclusion.suite.iter().map(|case| case.name.clone())).collect()
}

/// Keeps some cases tests of their own.
fn apart(options: &csharp::Options, conclusion: &Conclusion, apart: &BTreeSet<CaseId>) -> csharp::Options {
    let mut options = options.clone();
    let cases = conclusion.ids.iter().zip(&conclusion.suite).filter(|(id, _)| apart.contains(id));
    options.theories.apart.extend(cases.map(|(_, case)| (class_of(case).to_owned(), case.name.clone())));
    options
}

fn class_of(case: &Case) -> &str {
    case.method.ty.split('[').next().unwrap_or(&case.method.ty)
}

/// The cases of each test, by the file and the name of its method.
fn ids_by_file(conclusion: &Conclusion, files: &[File]) -> BTreeMap<(usize, String), Vec<CaseId>> {
    let known: BTreeMap<(&str, &str), CaseId> = conclusion
        .ids
        .iter()
        .zip(&conclusion.suite)
        .map(|(id, case)| ((class_of(case), case.name.as_str()), *id))
        .collect();
    let mut ids = BTreeMap::new();
    for (at, file) in files.iter().enumerate() {
        for test in &file.tests {
            let cases = test.cases.iter().filter_map(|case| known.get(&(file.class.as_str(), case.as_str())));
            ids.insert((at, test.name.clone()), cases.copied().collect());
        }
    }
    ids
}

/// Takes note of the tests that do not hold; whether there are any. Of a test with several rows it is not known which of them
/// is at fault: they are tests of their own from now on, and only what does not hold alone is dropped.
fn note_fallen(
    judged: &Judged,
    files: &[File],
    ids: &BTreeMap<(usize, String), Vec<CaseId>>,
    settled: &mut Settled,
    is_last: bool,
) -> bool {
    let sources: Vec<usize> =
        (0..files.len()).filter(|at| files.get(*at).is_some_and(|file| file.path.ends_with(".cs"))).collect();
    let mut any = false;
    for (number, tests) in &judged.fallen {
        let Some(file) = sources.get(*number) else { continue };
        for (name, why) in tests {
            let Some(cases) = ids.get(&(*file, name.clone())) else { continue };
            any |= !cases.is_empty();
            match cases.as_slice() {
                [_, _, ..] if !is_last => settled.apart.extend(cases),
                _ => settled.dropped.extend(cases.iter().map(|id| (*id, why.clone()))),
            }
        }
    }
    any
}

/// The files with the tests that stay; a file in which nothing stays is not there.
fn kept_files(judged: &Judged, files: Vec<File>) -> Vec<File> {
    let mut texts = judged.texts.iter();
    let mut kept = Vec::new();
    for mut file in files {
        if !file.path.ends_with(".cs") {
            kept.push(file);
            continue;
        }
        if let Some(text) = texts.next().cloned().flatten() {
            file.text = text;
            kept.push(file);
        }
    }
    kept
}
