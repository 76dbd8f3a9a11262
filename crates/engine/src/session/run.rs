//! One run: open, select, explore with workers, replay as results come in, stop in time whatever happens.
//!
//! The calling thread only listens and keeps the clock. All work is done on threads that are simply left behind when
//! the time is up, so the end of a run never depends on work that does not stop.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use report::{Excluded, Reason};

use crate::TARGET;
use crate::error::Error;
use crate::memory;
use crate::results::{Keeping, Kept, Limits, Restored};
use crate::session::backend::{Backend, Explored, Opened};
use crate::session::gauge::Gauge;
use crate::session::queue::{Queue, Turn};
use crate::session::record::{Attempt, Finished, MethodRecord};
use crate::session::threads;
use crate::session::threads::{Batch, BatchId, Crew, Event, Post};
use crate::subject::entry_points::{Request, Selected, entry_points};
use crate::subject::target::Target;
use store::Key;

use budget::{Budget, Clock, FAREWELL, GRACE, LATE, Pace, Shares, Signals, TICK};

/// What is to be done and what it may cost.
#[derive(Clone, Debug)]
pub struct Job {
    pub request: Request,
    pub clock: Clock,
    pub workers: usize,
    /// Most a single method may take.
    pub per_method: Option<Duration>,
    /// After this long no method is tried again, however much time is left.
    pub retry_within: Option<Duration>,
    pub max_steps: Option<u64>,
    /// Time for one query; without it a part of the method's share.
    pub solver_timeout: Option<Duration>,
    /// The written tests are compiled and run afterwards, within the same time, at this pace.
    pub pace: Option<Arc<Pace>>,
    /// They are written down at all, which is done within the same time.
    pub writes: bool,
    /// Bytes for the whole process.
    pub max_memory: u64,
    /// Where results of earlier runs are, and what of the options they depend on.
    pub keeping: Option<(Keeping, Key)>,
    pub signals: Arc<Signals>,
}

/// A method gets the same part of the memory from one worker as from two, so that where it ends does not tell them apart.
/// The allocator is not asked more often to give back what it does not use.
const GIVE_BACK_EVERY: Duration = Duration::from_secs(1);
const FEWEST_PARTS: u64 = 2;

impl Job {
    /// Bytes for one method.
    fn max_bytes(&self) -> u64 {
        let workers = u64::try_from(self.workers).unwrap_or(u64::MAX).max(FEWEST_PARTS);
        self.max_memory / workers / 8 * 7
    }

    pub(super) fn budget(&self, turn: Turn) -> Budget {
        let budget = turn.share.budget(self.max_steps, self.solver_timeout, &self.signals);
        Budget { max_bytes: Some(self.max_bytes()), ..budget }
    }

    fn shares(&self, workers: usize) -> Shares {
        let deadline = self.clock.exploration_deadline();
        let retry = self.retry_within.map_or(deadline, |time| self.clock.started + time);
        let workers = u32::try_from(workers).unwrap_or(1);
        Shares { deadline, retry_deadline: retry.min(deadline), most: self.per_method, workers }
    }

    /// What every method of a run may use, by what was asked for and not by how fast things go.
    fn limits(&self, methods: usize, workers: usize) -> Limits {
        let started = self.clock.started;
        let share = self.shares(workers).first(started, methods).map_or(Duration::ZERO, |share| share.time);
        Limits { share, max_bytes: self.max_bytes(), by_steps: self.max_steps.is_some() }
    }
}

/// Someone who watches the run; called on the thread that called [`run`].
pub trait Observer {
    fn opened(&mut self, _opened: &Opened, _methods: usize) {}
    /// A method was explored; it may be again, with more time.
    fn explored(&mut self, _target: &Target, _exploration: &Explored) {}
    /// Several times a second.
    fn tick(&mut self, _done: usize, _total: usize, _gauge: &Gauge, _left: Duration) {}
}

/// The one who does not look.
impl Observer for () {}

/// Runs the job. An error means that there is nothing to report about any method.
pub fn run(job: &Job, backend: Arc<dyn Backend>, observer: &mut dyn Observer) -> Result<Finished, Error> {
    let (events, inbox) = channel();
    let opener = (Arc::clone(&backend), events.clone());
    threads::spawn("open", move || threads::open(opener.0.as_ref(), &opener.1))?;
    let end = job.clock.deadline;
    let mut session = Session {
        job,
        events,
        board: None,
        end,
        tail: Duration::ZERO,
        stopped: None,
        floor: 0,
        given_back: None,
        workers: 0,
    };
    session.listen(&inbox, &backend, observer)?;
    Ok(session.finish(&inbox))
}

struct Session<'a> {
    job: &'a Job,
    events: Sender<Event>,
    board: Option<Board>,
    /// When listening stops.
    end: Instant,
    /// What is kept for what follows.
    tail: Duration,
    stopped: Option<Reason>,
    /// Resident bytes when the memory limit was hit last.
    floor: u64,
    /// When the allocator was asked last for what it does not use.
    given_back: Option<Instant>,
    /// Workers that were started.
    workers: usize,
}

/// What is known so far.
struct Board {
    opened: Opened,
    records: Vec<MethodRecord>,
    hidden: Vec<Target>,
    excluded: Vec<Excluded>,
    gauge: Arc<Gauge>,
    batches: Sender<Batch>,
    crew: Arc<Crew>,
    posts: Vec<Arc<Post>>,
    replays_left: usize,
    /// Cases found so far.
    cases: usize,
    /// Results of earlier runs.
    kept: Option<Kept>,
    /// Methods whose results were known.
    reused: usize,
}

impl Session<'_> {
    fn listen(
        &mut self,
        inbox: &Receiver<Event>,
        backend: &Arc<dyn Backend>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        loop {
            self.watch();
            self.replace_stuck_workers()?;
            let now = Instant::now();
            let Some(left) = self.end.checked_duration_since(now).filter(|d| !d.is_zero()) else {
                self.stopped = self.stopped.or(Some(Reason::Timeout));
                return Ok(());
            };
            match inbox.recv_timeout(left.min(TICK)) {
                Ok(Event::Opened(opened)) => self.begin(opened?, backend, observer)?,
                Ok(event) => self.note(event, observer),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            if let Some(board) = &self.board {
                let left = self.job.clock.deadline.saturating_duration_since(now);
                observer.tick(board.explored(), board.records.len(), &board.gauge, left);
                if board.replays_left == 0 && !board.posts.iter().any(|post| post.is_at_work()) {
                    return Ok(());
                }
            }
        }
    }

    /// Looks for reasons to end early.
    fn watch(&mut self) {
        self.keep_time_for_verification();
        if self.job.signals.is_cancelled() && self.stopped.is_none() {
            self.stopped = Some(Reason::Cancelled);
            self.end = self.end.min(Instant::now() + GRACE);
        }
        let limit = self.job.max_memory;
        let mut resident = memory::resident().unwrap_or(0);
        // What was freed counts for nobody, but the allocator keeps much of it until it is asked.
        if resident > limit && self.given_back.is_none_or(|at| at.elapsed() > GIVE_BACK_EVERY) {
            memory::give_back();
            self.given_back = Some(Instant::now());
            resident = memory::resident().unwrap_or(0);
        }
        // The rest is in pieces that it cannot give back, so after a stop only growth counts.
        let over = resident > limit && resident > self.floor + limit / 10;
        if over && !self.job.signals.is_over_memory() {
            self.floor = resident;
        }
        self.job.signals.set_over_memory(over);
        if resident > limit + limit / 2 && self.stopped.is_none() {
            self.stopped = Some(Reason::MemoryLimit);
            // What was found so far is replayed and written all the same.
            self.job.signals.wrap_up();
        }
    }

    /// Explorations end when the tests that are there need the rest of the time. Replays that wait then do not use it up.
    fn keep_time_for_verification(&mut self) {
        let (Some(board), Some(pace)) = (self.board.as_ref(), &self.job.pace) else { return };
        let clock = &self.job.clock;
        let needed = pace.time_for(board.cases, clock.deadline - clock.started);
        if Instant::now() + needed >= self.end {
            self.job.signals.wrap_up();
            self.end = self.end.min(clock.deadline - needed * 3 / 4);
        }
    }

    fn begin(
        &mut self,
        mut opened: Opened,
        backend: &Arc<dyn Backend>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let targets = std::mem::take(&mut opened.targets);
        let Selected { entries: targets, hidden, excluded } =
            entry_points(targets, &self.job.request, opened.least, &opened.assembly)?;
        observer.opened(&opened, targets.len());
        let workers = self.job.workers.clamp(1, targets.len().max(1));
        let assembly = opened.assembly.as_str();
        tracing::debug!(name: "opened", target: TARGET, assembly, methods = targets.len(), workers);
        let gauge = Arc::new(Gauge::default());
        let job = self.leave_a_tail();
        let queue = Queue::new(&targets, job.shares(workers));
        let records: Vec<MethodRecord> = targets.iter().cloned().map(MethodRecord::new).collect();
        let limits = self.job.limits(targets.len(), workers);
        let kept = self
            .job
            .keeping
            .as_ref()
            .map(|(keeping, settings)| Kept::new(keeping, settings, &opened.contents, &targets, limits));
        let known = restore(&targets, kept.as_ref(), &queue);
        let crew =
            Arc::new(Crew { backend: Arc::clone(backend), targets, queue, gauge: Arc::clone(&gauge), job });
        let posts = (0..workers).map(|_| self.start_worker(&crew)).collect::<Result<Vec<_>, Error>>()?;
        let (batches, waiting) = channel();
        let (backend, events) = (Arc::clone(backend), self.events.clone());
        let deadline = self.end;
        threads::spawn("replay", move || threads::replay(backend.as_ref(), &waiting, &events, deadline))?;
        let mut board = Board {
            opened,
            records,
            hidden,
            excluded,
            gauge,
            batches,
            crew,
            posts,
            replays_left: 0,
            cases: 0,
            kept,
            reused: 0,
        };
        for (index, restored) in known {
            board.reused += usize::from(!restored.is_beginning);
            board.note_attempt(index, restored.attempt, observer);
            if board.kept.as_ref().is_some_and(Kept::copies) {
                board.keep(index, false);
            }
        }
        self.board = Some(board);
        Ok(())
    }

    /// Ends the run so much earlier that what follows is done in time as well: the larger an assembly, the longer it takes.
    fn leave_a_tail(&mut self) -> Job {
        let clock = self.job.clock;
        self.tail = clock.tail(clock.started.elapsed(), self.job.writes);
        self.end = self.end.min(clock.deadline - self.tail);
        let deadline = clock.deadline - self.tail;
        Job { clock: Clock { deadline, ..clock }, ..self.job.clone() }
    }

    fn start_worker(&mut self, crew: &Arc<Crew>) -> Result<Arc<Post>, Error> {
        let post = Arc::new(Post::default());
        let (crew, mine, events) = (Arc::clone(crew), Arc::clone(&post), self.events.clone());
        self.workers += 1;
        let name = format!("explore {}", self.workers);
        threads::spawn(&name, move || threads::work(&crew, &mine, &events))?;
        Ok(post)
    }

    /// A worker whose engine does not stop when it should costs its method, not those that wait behind it.
    fn replace_stuck_workers(&mut self) -> Result<(), Error> {
        let Some(board) = &self.board else { return Ok(()) };
        let now = Instant::now();
        let stuck = board.posts.iter().filter(|post| post.give_up_if_late(now, LATE)).count();
        let crew = Arc::clone(&board.crew);
        for _ in 0..stuck {
            let post = self.start_worker(&crew)?;
            self.board.iter_mut().for_each(|board| board.posts.push(Arc::clone(&post)));
        }
        Ok(())
    }

    fn note(&mut self, event: Event, observer: &mut dyn Observer) {
        let Some(board) = &mut self.board else { return };
        match event {
            Event::Opened(_) | Event::ReplayDone => {}
            Event::WorkerDone(post) => post.set_done(),
            Event::Explored(index, attempt) => {
                board.note_attempt(index, *attempt, observer);
                board.keep(index, false);
            }
            Event::Replayed(BatchId { index, attempt }, results) => {
                board.replays_left -= 1;
                let record = board.records.get_mut(index);
                if let Some(attempt) = record.and_then(|r| r.attempts.get_mut(attempt)) {
                    attempt.replayed = Some(results);
                    board.keep(index, false);
                }
            }
        }
    }

    fn finish(self, inbox: &Receiver<Event>) -> Finished {
        // Nobody wanted it to end: what is not finished by now would not be with the same time.
        let is_over = !self.job.signals.is_cancelled() && !self.job.signals.wraps_up();
        // Whoever still works should stop, also when nobody listens any more.
        self.job.signals.cancel();
        let (mut not_kept, mut reused) = (None, 0);
        let (assembly, runtime, records, hidden, excluded) = match self.board {
            Some(mut board) => {
                if is_over && self.stopped.is_none() {
                    board.settle();
                }
                not_kept = board.kept.take().and_then(Kept::finish);
                reused = board.reused;
                // Its end is the end of the replay thread.
                drop(board.batches);
                wait_for_replay(inbox);
                let Board { opened, records, hidden, excluded, .. } = board;
                (Some(opened.assembly), opened.runtime, records, hidden, excluded)
            }
            None => (None, None, Vec::new(), Vec::new(), Vec::new()),
        };
        let unstarted = records.iter().any(|r| r.attempts.is_empty());
        let stopped = self.stopped.or(unstarted.then_some(Reason::Timeout));
        let (zone, elapsed) = (self.job.request.zone(), self.job.clock.started.elapsed());
        let tail = self.tail;
        Finished {
            assembly,
            runtime,
            records,
            hidden,
            excluded,
            zone,
            stopped,
            elapsed,
            tail,
            not_kept,
            reused,
        }
    }
}

/// What is known about methods already; the queue hears of it.
fn restore(targets: &[Target], kept: Option<&Kept>, queue: &Queue) -> Vec<(usize, Restored)> {
    let Some(kept) = kept else { return Vec::new() };
    let mut known: Vec<(usize, Restored)> =
        (0..targets.len()).filter_map(|index| Some((index, kept.restored(index)?))).collect();
    // A static constructor is measured with the case that comes to its type first: replays are those of one run, or new.
    let is_whole = known.len() == targets.len() && known.iter().all(|(_, restored)| restored.is_replayed());
    if !is_whole {
        known.iter_mut().for_each(|(_, restored)| restored.attempt.replayed = None);
    }
    let numbers: BTreeSet<usize> = known.iter().map(|(index, _)| *index).collect();
    queue.leave_out(|index| kept.only_known() || numbers.contains(&index));
    for (index, restored) in known.iter().filter(|(_, restored)| restored.is_beginning) {
        queue.wants_more(*index, restored.attempt.share);
    }
    known
}

/// Gives the replay thread a moment to end its child process, which would live on otherwise.
fn wait_for_replay(inbox: &Receiver<Event>) {
    let end = Instant::now() + FAREWELL;
    while let Ok(event) = inbox.recv_timeout(end.saturating_duration_since(Instant::now())) {
        if matches!(event, Event::ReplayDone) {
            return;
        }
    }
}

impl Board {
    fn explored(&self) -> usize {
        self.records.iter().filter(|record| !record.attempts.is_empty()).count()
    }

    fn note_attempt(&mut self, index: usize, attempt: Attempt, observer: &mut dyn Observer) {
        let Some(record) = self.records.get_mut(index) else { return };
        observer.explored(&record.target, &attempt.exploration);
        let found = &attempt.exploration.cases;
        self.cases += found.len();
        if attempt.replayed.is_none() && !found.is_empty() {
            let cases = found.iter().map(|found| found.case.clone()).collect();
            let id = BatchId { index, attempt: record.attempts.len() };
            if self.batches.send(Batch { id, cases }).is_ok() {
                self.replays_left += 1;
            }
        }
        record.attempts.push(attempt);
    }

    /// Keeps what is known about a method for later runs.
    fn keep(&mut self, index: usize, is_over: bool) {
        if let (Some(kept), Some(record)) = (&mut self.kept, self.records.get(index)) {
            kept.keep(index, record, is_over);
        }
    }

    /// No method is tried again in this run: that is known of those that would want it.
    fn settle(&mut self) {
        for index in 0..self.records.len() {
            let wants_more =
                self.records.get(index).and_then(MethodRecord::best).is_some_and(Attempt::wants_more);
            if wants_more {
                self.keep(index, true);
            }
        }
    }
}
