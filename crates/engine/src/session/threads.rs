//! The threads of a run. None of them is waited for: the session stops listening when its time is up.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

use case::Case;
use report::{Incomplete, Reason};

use crate::TARGET;
use crate::error::Error;
use crate::memory;
use crate::panics::caught;
use crate::session::backend::{Backend, Explored, Opened, Replayed, Replayer, Worker};
use crate::session::gauge::Gauge;
use crate::session::queue::{Queue, Turn};
use crate::session::record::Attempt;
use crate::session::run::Job;
use crate::subject::target::Target;
use budget::{Budget, allocation};

/// What threads tell the session.
pub(super) enum Event {
    Opened(Result<Opened, Error>),
    Explored(usize, Box<Attempt>),
    /// After all that the worker found.
    WorkerDone(Arc<Post>),
    Replayed(BatchId, Vec<Replayed>),
    ReplayDone,
}

/// Which exploration of which method.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchId {
    pub index: usize,
    pub attempt: usize,
}

/// Deep recursion in an engine must not end the process; pages are only used when touched.
const STACK: usize = 512 << 20;

pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Error> {
    let thread = Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work);
    thread.map(drop).map_err(|error| Error::Other(format!("a thread cannot be started: {error}")))
}

/// Opens the assembly. Even this is done aside, so that nothing can keep the command from ending in time.
pub(super) fn open(backend: &dyn Backend, events: &Sender<Event>) {
    let opened = caught(|| backend.open()).unwrap_or_else(|message| Err(Error::Internal(message)));
    let _nobody_listens = events.send(Event::Opened(opened));
}

/// Everything a worker shares with the others.
pub(super) struct Crew {
    pub backend: Arc<dyn Backend>,
    pub targets: Vec<Target>,
    pub queue: Queue,
    pub gauge: Arc<Gauge>,
    pub job: Job,
}

/// A worker, as seen by the session.
#[derive(Debug, Default)]
pub(super) struct Post {
    /// When the exploration under way should be over.
    due: Mutex<Option<Instant>>,
    /// Nobody waits for this worker any more.
    abandoned: AtomicBool,
    done: AtomicBool,
}

impl Post {
    fn set_due(&self, due: Option<Instant>) {
        *self.due.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = due;
    }

    /// Gives the worker up when it is `late` beyond its due time. Says so once.
    pub fn give_up_if_late(&self, now: Instant, late: Duration) -> bool {
        let due = *self.due.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.is_at_work() && due.is_some_and(|due| now > due + late) && !self.abandoned.swap(true, Relaxed)
    }

    /// To be said by the session, once it has heard everything that the worker sent.
    pub fn set_done(&self) {
        self.done.store(true, Relaxed);
    }

    pub fn is_at_work(&self) -> bool {
        !self.abandoned.load(Relaxed) && !self.done.load(Relaxed)
    }
}

/// Explores methods until none is left or the time is up.
pub(super) fn work(crew: &Crew, post: &Arc<Post>, events: &Sender<Event>) {
    let mut engine: Option<Box<dyn Worker>> = None;
    while !crew.job.signals.is_cancelled() && !crew.job.signals.wraps_up() && post.is_at_work() {
        let Some(turn) = crew.queue.next(Instant::now()) else { break };
        let Some(target) = crew.targets.get(turn.index) else { break };
        post.set_due(Some(turn.share.deadline));
        let exploration = explore(crew, &mut engine, target, turn);
        post.set_due(None);
        let is_cut = crew.job.signals.is_cancelled() || crew.job.signals.wraps_up();
        let attempt = Attempt { exploration, replayed: None, share: turn.share.time, is_cut };
        if attempt.wants_more() {
            crew.queue.wants_more(turn.index, turn.share.time);
        }
        if events.send(Event::Explored(turn.index, Box::new(attempt))).is_err() {
            return;
        }
    }
    let _nobody_listens = events.send(Event::WorkerDone(Arc::clone(post)));
}

/// One method, with the time it took. After a panic or at the memory limit the engine is thrown away.
fn explore(crew: &Crew, engine: &mut Option<Box<dyn Worker>>, target: &Target, turn: Turn) -> Explored {
    let started = Instant::now();
    let budget = crew.job.budget(turn);
    let share_us = turn.share.time.as_micros() as u64;
    let source = target.source.as_ref().map(tracing::field::display);
    let span = tracing::debug_span!(target: TARGET, "method", method = target.id, source, share_us);
    let _span = span.entered();
    let mut exploration = caught(|| {
        let mut ready = match engine.take() {
            Some(engine) if !is_crowded(&budget) => engine,
            kept => match fresh_worker(crew, kept) {
                Ok(engine) => engine,
                Err(why) => return failed(Reason::InternalError, why),
            },
        };
        let exploration = ready.explore(target, &budget, &crew.gauge);
        if is_spent(&exploration, &budget) || ready.is_spoilt() {
            drop(ready);
            memory::give_back();
        } else {
            *engine = Some(ready);
        }
        exploration
    })
    .unwrap_or_else(|message| failed(Reason::InternalError, message));
    exploration.stats.elapsed = started.elapsed();
    tell_explored(&exploration);
    exploration
}

/// What a worker keeps from the methods before leaves too little for this one.
fn is_crowded(budget: &Budget) -> bool {
    budget.max_bytes.is_some_and(|most| allocation::held() > most / 2)
}

fn fresh_worker(crew: &Crew, before: Option<Box<dyn Worker>>) -> Result<Box<dyn Worker>, String> {
    if before.is_some() {
        drop(before);
        memory::give_back();
    }
    crew.backend.worker()
}

fn tell_explored(exploration: &Explored) {
    let stats = &exploration.stats;
    tracing::debug!(
        name: "explored",
        target: TARGET,
        cases = exploration.cases.len(),
        proven = exploration.proven_unreachable.len(),
        incomplete = exploration.incomplete.len(),
        steps = stats.steps,
        states = stats.states,
        paths = stats.paths,
        queries = stats.queries,
        core_calls = stats.core_calls,
        solver_us = stats.solver_time.as_micros() as u64,
    );
}

fn is_spent(exploration: &Explored, budget: &Budget) -> bool {
    budget.signals.is_over_memory() || exploration.incomplete.iter().any(|i| i.reason == Reason::MemoryLimit)
}

fn failed(reason: Reason, detail: String) -> Explored {
    Explored { incomplete: vec![Incomplete { reason, detail, at: None }], ..Explored::default() }
}

/// A method's cases on their way to the real runtime.
pub(super) struct Batch {
    pub id: BatchId,
    pub cases: Vec<Case>,
}

/// Replays what comes, and says so when it is over and the child process is gone.
pub(super) fn replay(
    backend: &dyn Backend,
    batches: &Receiver<Batch>,
    events: &Sender<Event>,
    deadline: Instant,
) {
    replay_batches(backend, batches, events, deadline);
    let _nobody_listens = events.send(Event::ReplayDone);
}

/// Whatever has piled up meanwhile goes in one run.
fn replay_batches(
    backend: &dyn Backend,
    batches: &Receiver<Batch>,
    events: &Sender<Event>,
    deadline: Instant,
) {
    let mut replayer = caught(|| backend.replayer()).unwrap_or_else(Err);
    if let Ok(ready) = &mut replayer
        && let Err(message) = caught(|| ready.prepare(deadline))
    {
        replayer = Err(message);
    }
    let mut next = batches.recv().ok();
    while let Some(batch) = next {
        let pile = std::iter::once(batch).chain(batches.try_iter()).collect();
        for (id, results) in replay_pile(&mut replayer, pile, deadline) {
            if events.send(Event::Replayed(id, results)).is_err() {
                return;
            }
        }
        next = batches.recv().ok();
    }
}

fn replay_pile(
    replayer: &mut Result<Box<dyn Replayer>, String>,
    pile: Vec<Batch>,
    deadline: Instant,
) -> Vec<(BatchId, Vec<Replayed>)> {
    let cases: Vec<Case> = pile.iter().flat_map(|b| b.cases.iter().cloned()).collect();
    let results = match replayer {
        Ok(ready) => caught(|| ready.replay(&cases, deadline)).unwrap_or_else(|message| {
            let detail = format!("replay failed: {message}");
            *replayer = Err(detail.clone());
            vec![Replayed::Skipped { detail }; cases.len()]
        }),
        Err(why) => vec![Replayed::Skipped { detail: why.clone() }; cases.len()],
    };
    let mut results = results.into_iter();
    pile.into_iter().map(|b| (b.id, results.by_ref().take(b.cases.len()).collect())).collect()
}
