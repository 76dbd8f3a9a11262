//! What is wanted of a run and what it may cost.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use report::ZoneKind;

use budget::{Clock, DEFAULT_TIMEOUT, MOST_PER_METHOD, RETRY_WITHIN, Signals};

use crate::memory;
use crate::results::Keeping;
use crate::session::run::Job;
use crate::subject::access::Scope;
use crate::subject::entry_points::{Request, Shard};
use crate::subject::select::Selection;

/// Everything has a default: all methods, all cores, three quarters of a minute.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which methods; all if it is empty.
    pub selection: Selection,
    /// Which of them are explored in their own right: by default what a test can call.
    pub scope: Scope,
    /// How much of the rest is covered through them and counted; by default what is selected decides.
    pub zone: Option<ZoneKind>,
    /// Only one part of several of them; what is covered through others is the same as for all.
    pub shard: Option<Shard>,
    /// Only these of them, by their ids.
    pub only: Option<Arc<BTreeSet<String>>>,
    /// What is left out: names of namespaces, types and methods, or paths of source files, with `*` and `?`.
    pub exclude: Vec<String>,
    /// For the whole run, replay included.
    pub timeout: Option<Duration>,
    /// When the clock began; now, unless the caller has used some of the time already.
    pub started: Option<Instant>,
    /// Worker threads; one per core if not given.
    pub workers: Option<usize>,
    /// Instructions per method, over all paths.
    pub max_steps: Option<u64>,
    /// For one question to the solver; a part of the method's share if not given.
    pub solver_timeout: Option<Duration>,
    /// Bytes for the whole process.
    pub max_memory: Option<u64>,
    /// Of every random choice.
    pub seed: u64,
    pub strategy: explore::Strategy,
    /// The part of the effort that goes into sequences of public calls for objects, in percent; 0: no such calls.
    pub sequences: Option<u32>,
    /// Loops are only followed: what holds in all of their rounds is not looked for.
    pub only_follow_loops: bool,
    /// When made-up classes stand for interfaces, abstract classes and delegates.
    pub mocks: vm::Mocks,
    /// What the user knows to hold: proofs may rest on it.
    pub accepted: verdict::Assumptions,
    /// The runtime to use: a dotnet executable, a dotnet root, or a folder of framework assemblies.
    pub runtime: Option<PathBuf>,
    /// Compare every answer of the solver with an external one: its path, or the first that is found.
    pub cross_check: Option<Option<PathBuf>>,
    /// Compile and run the written tests before they are handed out (see [`crate::Outcome::write`]).
    pub verify: bool,
    /// The tests will be written down ([`crate::Outcome::write`]): that needs a part of the time.
    pub writes: bool,
    /// Where results of methods are kept between runs of [`crate::Engine::generate`]. An external solver to compare with is
    /// always asked: nothing is kept then.
    pub keeping: Option<Keeping>,
    /// Ends the run early.
    pub signals: Arc<Signals>,
}

impl Options {
    /// Where results are kept, if they are.
    pub(crate) fn kept(&self) -> Option<&Keeping> {
        self.keeping.as_ref().filter(|_| self.cross_check.is_none())
    }

    pub(crate) fn job(&self) -> Job {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let started = self.started.unwrap_or_else(Instant::now);
        // Who gives a time wants it used; otherwise a few methods that never end do not take all of it.
        let by_default = self.timeout.is_none();
        Job {
            request: Request {
                selection: self.selection.clone(),
                zone: self.zone,
                shard: self.shard,
                only: self.only.clone(),
                exclude: self.exclude.clone(),
            },
            clock: Clock::new(started, self.timeout.unwrap_or(DEFAULT_TIMEOUT)),
            workers: self.workers.unwrap_or_else(cores),
            per_method: by_default.then_some(MOST_PER_METHOD),
            retry_within: by_default.then_some(RETRY_WITHIN),
            max_steps: self.max_steps,
            solver_timeout: self.solver_timeout,
            pace: self.verify.then(Arc::default),
            writes: self.writes,
            max_memory: self.max_memory.unwrap_or_else(memory::default_limit),
            keeping: None,
            signals: Arc::clone(&self.signals),
        }
    }
}
