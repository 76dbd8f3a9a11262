//! The work of the server: one thing after the other, on a thread of its own.

use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use budget::Signals;
use engine::{Engine, Error, Keeping, Options, Outcome, Rules, Selection, panics};
use lsp_server::{Message, Notification, RequestId, Response};
use report::{Reason, Theme, render_proof};
use serde_json::{Value, json};

use super::FAILED;
use super::known::Known;
use crate::args::{Common, Lsp, Mocking, TestFramework, Trust};
use crate::commands::cache;
use crate::commands::explore::common_options;
use crate::console::Console;
use crate::output::Output;
use crate::project::Subject;
use crate::source_root::SourceRoot;

/// Something to be done.
pub enum Job {
    /// There is a new build.
    Explore(Subject),
    /// There is nothing to explore.
    Complain(String),
    Prove {
        id: RequestId,
        method: String,
    },
    Write {
        id: RequestId,
        ty: String,
    },
    End,
}

/// The exploration that is under way, so that it can be ended when it is out of date.
#[derive(Default)]
pub struct Exploring(Mutex<Option<Arc<Signals>>>);

impl Exploring {
    pub fn cancel(&self) {
        if let Some(signals) = self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
            signals.cancel();
        }
    }

    fn set(&self, signals: Option<Arc<Signals>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = signals;
    }
}

pub struct Worker {
    common: Common,
    folder: PathBuf,
    output: Option<PathBuf>,
    framework: TestFramework,
    verify: bool,
    keeping: Option<Keeping>,
    known: Arc<Mutex<Known>>,
    exploring: Arc<Exploring>,
    tell: Box<dyn Fn(Message) + Send>,
}

impl Worker {
    pub fn new(
        args: &Lsp,
        common: &Common,
        folder: PathBuf,
        known: Arc<Mutex<Known>>,
        tell: Box<dyn Fn(Message) + Send>,
    ) -> Worker {
        let mut keeping = cache::keeping(&args.kept.caching(), common);
        if let Some(keeping) = &mut keeping {
            keeping.folder = folder.join(&keeping.folder);
        }
        Worker {
            common: common.clone(),
            output: args.output.as_ref().map(|output| folder.join(output)),
            framework: args.framework,
            verify: !args.no_verify,
            keeping,
            known,
            exploring: Arc::default(),
            tell,
            folder,
        }
    }

    pub fn exploring(&self) -> Arc<Exploring> {
        Arc::clone(&self.exploring)
    }

    /// Works until it is over.
    pub fn work(&self, jobs: &Receiver<Job>) {
        let mut subject = None;
        for job in jobs {
            match job {
                Job::End => return,
                Job::Complain(why) => self.show(&why),
                Job::Explore(built) => {
                    if let Err(why) = caught(|| self.explore(&built)) {
                        self.show(&why);
                    }
                    subject = Some(built);
                }
                Job::Prove { id, method } => {
                    self.respond(id, with(subject.as_ref(), |subject| self.prove(subject, &method)));
                }
                Job::Write { id, ty } => {
                    self.respond(id, with(subject.as_ref(), |subject| self.write(subject, &ty)));
                }
            }
        }
    }

    fn options(&self) -> Options {
        let signals = Arc::new(Signals::default());
        self.exploring.set(Some(Arc::clone(&signals)));
        let trust = Trust { assume: Vec::new() };
        let keeping = self.keeping.clone();
        Options {
            keeping,
            signals,
            ..common_options(Mocking { mocks: None }, &trust, &self.common, Instant::now())
        }
    }

    fn explored(&self, subject: &Subject, options: Options) -> Result<Outcome, Error> {
        let outcome = Engine::new(options).generate(&subject.assembly)?.finish();
        self.exploring.set(None);
        outcome
    }

    fn explore(&self, subject: &Subject) -> Result<(), Error> {
        let outcome = self.explored(subject, self.options())?;
        // What is out of date is not shown: the next one is there already.
        if outcome.summary.stopped == Some(Reason::Cancelled) {
            return Ok(());
        }
        let sources = SourceRoot::new(Some(&self.folder), Some(&subject.assembly))?;
        let new = Known::new(&outcome, &sources);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let told = new.diagnostics(&known);
        *known = new;
        drop(known);
        for file in told {
            self.notify("textDocument/publishDiagnostics", file);
        }
        Ok(())
    }

    fn prove(&self, subject: &Subject, method: &str) -> Result<Value, Error> {
        let selection = Selection { methods: vec![method.to_owned()], ..Selection::default() };
        let options = Options { selection, keeping: None, ..self.options() };
        let proofs = Engine::new(options).prove(&subject.assembly, Rules::default())?.finish();
        self.exploring.set(None);
        let report = proofs?.report;
        let text = render_proof(&report, &Theme::plain(), None, false);
        Ok(json!({ "text": text, "report": report }))
    }

    /// All tests of a type: its file has those of all of its methods.
    fn write(&self, subject: &Subject, ty: &str) -> Result<Value, Error> {
        let selection = Selection { types: vec![ty.to_owned()], ..Selection::default() };
        let options = Options { selection, verify: self.verify, writes: true, ..self.options() };
        let mut outcome = self.explored(subject, options)?;
        let name = subject.assembly.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = self.output.clone().unwrap_or_else(|| self.folder.join(format!("{name}.Tests")));
        let project = subject.project.clone();
        let output = Output::new(&subject.assembly, project, Some(&folder), self.framework, None, false)?;
        output.write(&mut outcome, &Console::default())?;
        let tests = outcome.summary.totals().tests;
        Ok(json!({ "folder": folder, "tests": tests }))
    }

    fn respond(&self, id: RequestId, answer: Result<Value, String>) {
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(why) => Response::new_err(id, FAILED, why),
        };
        (self.tell)(response.into());
    }

    /// A message that the user should see.
    fn show(&self, text: &str) {
        const WARNING: u32 = 2;
        self.notify("window/showMessage", json!({ "type": WARNING, "message": format!("cilantro: {text}") }));
    }

    fn notify(&self, method: &str, params: Value) {
        (self.tell)(Notification::new(method.to_owned(), params).into());
    }
}

fn with(
    subject: Option<&Subject>,
    work: impl FnOnce(&Subject) -> Result<Value, Error>,
) -> Result<Value, String> {
    let subject = subject.ok_or("nothing was built yet: build the project first")?;
    caught(|| work(subject))
}

/// A defect in one answer is told, and the server goes on.
fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, String> {
    let ended = panics::caught(work).unwrap_or_else(|message| Err(Error::Internal(message)));
    ended.map_err(|error| error.to_string())
}
