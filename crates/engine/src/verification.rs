//! The verifier on a thread of its own: it finds the compiler and loads it while methods are explored.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use budget::Pace;
use verify::{Compiler, Limits, Project, Report, Restored, Verifier};

use crate::dotnet::DotnetBackend;
use crate::error::Error;
use crate::panics::caught;
use crate::session::threads::spawn;

/// Asks the verifier. Dropping it ends the thread, and with it the compiler.
pub struct Verification {
    questions: Sender<Question>,
    answers: Receiver<Result<Report, String>>,
    pace: Arc<Pace>,
}

struct Question {
    project: Project,
    deadline: Instant,
}

/// How often it is looked whether the runtime is chosen.
const POLL: Duration = Duration::from_millis(20);

impl Verification {
    pub fn start(backend: &Arc<DotnetBackend>, pace: Arc<Pace>) -> Result<Verification, Error> {
        let (questions, inbox) = channel();
        let (to, answers) = channel();
        let (backend, own_pace) = (Arc::clone(backend), Arc::clone(&pace));
        spawn("verify", move || {
            let mut verifier = caught(|| verifier(&backend, &inbox)).unwrap_or_else(Err);
            let first = verifier.as_mut().ok().and_then(|ready| warm_up(ready, &inbox, &own_pace));
            for Question { project, deadline } in first.into_iter().chain(inbox) {
                let answer = match &mut verifier {
                    Ok(ready) => caught(|| ready.verify(&project, deadline, &AtomicBool::new(false))),
                    Err(why) => Err(why.clone()),
                };
                if to.send(answer).is_err() {
                    return;
                }
            }
        })?;
        Ok(Verification { questions, answers, pace })
    }

    /// How fast it goes on this machine.
    pub fn pace(&self) -> &Pace {
        &self.pace
    }

    /// What becomes of the tests of a project; an error is the reason why nothing can be verified.
    pub fn verify(&self, project: Project, deadline: Instant) -> Result<Report, String> {
        let gone = |_| "the verifier is gone".to_owned();
        self.questions.send(Question { project, deadline }).map_err(|_| gone(()))?;
        // The verifier keeps the time itself; this is for the case that it cannot.
        const LATE: Duration = Duration::from_secs(1);
        let left = deadline.saturating_duration_since(Instant::now()) + LATE;
        self.answers.recv_timeout(left).map_err(|_| "the verifier did not answer in time".to_owned())?
    }
}

/// Lets the compiler get ready and takes note of how long that takes; somebody who wants something does not wait for it.
fn warm_up(verifier: &mut Verifier, inbox: &Receiver<Question>, pace: &Pace) -> Option<Question> {
    let started = Instant::now();
    verifier.warm_up();
    loop {
        if verifier.is_warm(POLL) {
            pace.note_warm_up(started.elapsed());
            return None;
        }
        pace.note_warm_up(started.elapsed());
        match inbox.try_recv() {
            Ok(question) => return Some(question),
            Err(TryRecvError::Disconnected) => return None,
            Err(TryRecvError::Empty) => {}
        }
    }
}

/// Made as soon as it is known which runtime is used.
fn verifier(backend: &DotnetBackend, inbox: &Receiver<Question>) -> Result<Verifier, String> {
    let chosen = loop {
        if let Some(chosen) = backend.chosen_runtime() {
            break chosen;
        }
        // The other side hangs up when the run is over.
        if matches!(inbox.try_recv(), Err(TryRecvError::Disconnected)) {
            return Err("the run is over".to_owned());
        }
        std::thread::sleep(POLL);
    };
    let runtime = chosen.replay?;
    if runtime.is_mono() {
        return Err("they are for Mono, and there is no compiler for it".to_owned());
    }
    let compiler = Compiler::find(&runtime.muxer).map_err(|error| error.to_string())?;
    Verifier::new(compiler, runtime, Limits::default()).map_err(|error| error.to_string())
}

/// The project as the verifier takes it.
pub fn project(options: &csharp::Options, files: &[csharp::File], assembly: &Path, folder: &Path) -> Project {
    let framework = match options.framework {
        csharp::TestFramework::XUnit => verify::Framework::XUnit2,
        csharp::TestFramework::NUnit => verify::Framework::NUnit3,
        csharp::TestFramework::MSTest => verify::Framework::MSTest3,
    };
    let mut project = Project::new(&format!("{}.Tests", options.assembly), framework);
    project.mocks = match options.mocks {
        csharp::MockLibrary::None => verify::Mocks::None,
        csharp::MockLibrary::Moq => verify::Mocks::Moq,
        csharp::MockLibrary::NSubstitute => verify::Mocks::NSubstitute,
    };
    project.references = vec![absolute(assembly)];
    project.restored = Restored::beside(folder).ok().flatten();
    let sources = files.iter().filter(|file| file.path.ends_with(".cs"));
    project.files = sources
        .map(|file| {
            verify::SourceFile::new(
                &file.path,
                file.text.clone(),
                file.tests.iter().map(|test| test.name.clone()),
            )
        })
        .collect();
    project
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
