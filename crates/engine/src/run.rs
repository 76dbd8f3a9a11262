//! The engine, its runs, and what comes out of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use budget::{Clock, Signals};
use case::Case;
use case::path::PathRecord;
use case::type_facts::TypeFacts;
use report::formats::CodeCoverage;
use report::{Incomplete, Runtime, Summary};
use verdict::Stats;

use crate::conclusion::{CaseId, Conclusion, lines};
use crate::dotnet::DotnetBackend;
use crate::error::Error;
use crate::options::Options;
use crate::results::{self, Keeping, KeptJudgements};
use crate::session::backend::{Backend, Explored, Opened};
use crate::session::gauge::Gauge;
use crate::session::record::Finished;
use crate::session::run::{self, Job, Observer};
use crate::session::threads::spawn;
use crate::subject::instruments::Measured;
use crate::subject::target::Target;
use crate::verification::Verification;

/// Explores assemblies with one set of options.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    pub(crate) options: Options,
}

impl Engine {
    pub fn new(options: Options) -> Engine {
        Engine { options }
    }

    /// Starts to explore the methods of an assembly. An error means that it cannot be tried at all; what is wrong with the
    /// assembly itself shows when the run is over.
    pub fn generate(&self, assembly: &Path) -> Result<Run, Error> {
        let mut backend = DotnetBackend::new(assembly, &self.options);
        let keeping = self.options.kept().cloned();
        backend.tells_contents = keeping.is_some();
        let backend = Arc::new(backend);
        let parts: Arc<dyn Backend> = Arc::clone(&backend) as Arc<dyn Backend>;
        let job = Job {
            keeping: keeping.map(|keeping| (keeping, results::settings(&self.options))),
            ..self.options.job()
        };
        self.start_job(assembly, backend, parts, job)
    }

    /// Starts a run over what the backend opens and explores.
    pub(crate) fn start(
        &self,
        assembly: &Path,
        backend: Arc<DotnetBackend>,
        parts: Arc<dyn Backend>,
    ) -> Result<Run, Error> {
        self.start_job(assembly, backend, parts, self.options.job())
    }

    fn start_job(
        &self,
        assembly: &Path,
        backend: Arc<DotnetBackend>,
        parts: Arc<dyn Backend>,
        job: Job,
    ) -> Result<Run, Error> {
        let (to, events) = channel();
        let (done, finished) = channel();
        let signals = Arc::clone(&self.options.signals);
        let keeping = job.keeping.as_ref().map(|(keeping, _)| keeping.clone());
        let clock = job.clock;
        let verification = job.pace.clone().map(|pace| Verification::start(&backend, pace)).transpose()?;
        spawn("session", move || {
            let ended = run::run(&job, parts, &mut Relay { to });
            let _nobody_waits = done.send(ended);
        })?;
        let assembly = assembly.to_owned();
        Ok(Run { assembly, backend, events, finished, signals, clock, verification, keeping })
    }
}

/// Something that happened in a run.
#[derive(Clone, Debug)]
pub enum Event {
    /// The assembly was read.
    Opened { assembly: String, runtime: Option<Runtime>, remark: Option<&'static str>, methods: usize },
    /// A method was explored; it may be again, with more time.
    Explored(ExploredMethod),
    /// Several times a second.
    Progress(Progress),
}

/// A method after an exploration, before its tests were replayed.
#[derive(Clone, Debug)]
pub struct ExploredMethod {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub id: String,
    /// Cases that wait for their replay.
    pub tests: usize,
    /// Empty when every path was followed to its end.
    pub incomplete: Vec<Incomplete>,
    pub stats: Stats,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub explored: usize,
    pub methods: usize,
    pub covered_branches: u64,
    pub states: u64,
    pub queries: u64,
    /// Until the end of the run's time.
    pub left: Duration,
}

/// A run under way. Its events can be looked at one after the other, or left alone.
pub struct Run {
    pub(crate) assembly: PathBuf,
    pub(crate) backend: Arc<DotnetBackend>,
    events: Receiver<Event>,
    finished: Receiver<Result<Finished, Error>>,
    signals: Arc<Signals>,
    clock: Clock,
    verification: Option<Verification>,
    keeping: Option<Keeping>,
}

/// What a run comes to.
pub struct Outcome {
    pub summary: Summary,
    /// The tests, with their names, in the order of methods.
    pub suite: Vec<Case>,
    /// Why each of the tests exists, in the same order.
    pub paths: Vec<PathRecord>,
    /// The types whose methods were explored.
    pub explored: Vec<String>,
    /// What is known of the types in the suite, for whoever writes it down.
    pub types: Box<dyn TypeFacts>,
    /// Which of the found cases the tests are, and which of them the real runtime confirmed, or why not.
    pub(crate) ids: Vec<CaseId>,
    pub(crate) confirmed: Vec<Result<(), String>>,
    /// What the runtime went through in all of them.
    pub(crate) covered: Arc<Measured>,
    pub(crate) assembly: PathBuf,
    pub(crate) finished: Finished,
    pub(crate) clock: Clock,
    pub(crate) verification: Option<Verification>,
    pub(crate) judgements: Option<KeptJudgements>,
}

impl Run {
    /// Asks the run to end; what is there so far is its outcome.
    pub fn cancel(&self) {
        self.signals.cancel();
    }

    /// Waits for the end.
    pub fn finish(self) -> Result<Outcome, Error> {
        let finished = self.wait()?;
        Ok(self.outcome(finished))
    }

    /// Waits for the end, and says what every attempt came to.
    pub(crate) fn wait(&self) -> Result<Finished, Error> {
        let lost = || Error::Internal("the run ended without an answer".to_owned());
        self.finished.recv().map_err(|_| lost())?
    }

    /// What a run that is over comes to.
    pub(crate) fn outcome(self, finished: Finished) -> Outcome {
        let types = self.backend.type_facts();
        let Conclusion { mut summary, suite, paths, ids, confirmed, covered } =
            finished.conclude(&file_name(&self.assembly), types.as_ref());
        summary.accepted = self.backend.accepted().iter().collect();
        let explored = finished.records.iter().map(|record| record.target.type_name.clone()).collect();
        let content = self.backend.whole_content();
        let judgements = self.keeping.zip(content).map(|(keeping, key)| KeptJudgements::new(&keeping, key));
        let (assembly, clock, verification) = (self.assembly, self.clock, self.verification);
        Outcome {
            summary,
            suite,
            paths,
            explored,
            types,
            ids,
            confirmed,
            covered,
            assembly,
            finished,
            clock,
            verification,
            judgements,
        }
    }
}

impl Outcome {
    /// Of how many methods the results of earlier runs were enough.
    pub fn reused(&self) -> usize {
        self.finished.reused
    }

    /// Why results could not be kept for later runs, if they were to be.
    pub fn not_kept(&self) -> Option<&str> {
        self.finished.not_kept.as_deref()
    }

    /// The tests of the suite with their methods, and whether the real runtime has confirmed them.
    pub fn tests(&self) -> impl Iterator<Item = (&Case, bool)> {
        self.suite.iter().zip(self.confirmed.iter().map(Result::is_ok))
    }

    /// What the tests cover line by line, as the real runtime was seen to go; no lines without symbols.
    pub fn coverage(&self) -> CodeCoverage {
        lines::lines(&self.finished, &self.covered, &self.assembly, &self.summary)
    }
}

impl Iterator for Run {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.events.recv().ok()
    }
}

pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Passes on what the session tells. Whoever does not listen misses it.
struct Relay {
    to: Sender<Event>,
}

impl Observer for Relay {
    fn opened(&mut self, opened: &Opened, methods: usize) {
        let (assembly, runtime) = (opened.assembly.clone(), opened.runtime.clone());
        let remark = opened.remark;
        let _nobody_listens = self.to.send(Event::Opened { assembly, runtime, remark, methods });
    }

    fn explored(&mut self, target: &Target, explored: &Explored) {
        let method = ExploredMethod {
            id: target.id.clone(),
            tests: explored.cases.len(),
            incomplete: explored.incomplete.clone(),
            stats: explored.stats,
        };
        let _nobody_listens = self.to.send(Event::Explored(method));
    }

    fn tick(&mut self, explored: usize, methods: usize, gauge: &Gauge, left: Duration) {
        let progress = Progress {
            explored,
            methods,
            covered_branches: gauge.covered_branches.load(Relaxed),
            states: gauge.states.load(Relaxed),
            queries: gauge.queries.load(Relaxed),
            left,
        };
        let _nobody_listens = self.to.send(Event::Progress(progress));
    }
}
