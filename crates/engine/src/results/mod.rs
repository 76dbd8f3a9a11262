//! Results of earlier runs: what was found out about a method is found out once.
//!
//! An entry of the store is the answer to "what does this version of the program come to about this method, with these
//! options, in this world". Whatever the answer depends on is in its key ([`Contents`], [`settings`]), but for time and memory,
//! which are in the entry: an answer that they cut short counts only where there is no more of them.

mod closure;
mod code;
mod contents;
mod form;
mod judged;
mod own;
mod shape;
mod spelling;

use std::path::PathBuf;
use std::time::Duration;

use report::Reason;
use store::{Digesting, Key, Store};

pub use self::code::code_of;
pub use self::contents::Contents;
use self::form::Form;
pub(crate) use self::judged::{Judged, KeptJudgements};
pub use self::own::program;
use crate::options::Options;
use crate::session::record::{Attempt, MethodRecord};
use crate::subject::target::Target;

/// Where results are kept, and how they are used.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// The folder of the store.
    pub folder: PathBuf,
    /// Stores that are only read.
    pub sources: Vec<PathBuf>,
    /// Bytes that the store may have; what was not used for longest is given up.
    pub most: u64,
    /// Nothing is explored: what is not known stays unknown.
    pub only_known: bool,
}

/// Large enough for the results of many libraries.
pub const DEFAULT_SIZE: u64 = 1 << 30;

/// An exploration without a step limit that took less than this part of its time did not feel the limit, neither as a whole
/// nor in any of its parts.
const UNHURRIED_PART: u32 = 20;

/// What of the options an answer depends on. Not the number of workers, and no limit of time or memory.
pub(crate) fn settings(options: &Options) -> Key {
    let mut digest = Digesting::new();
    digest.number("seed", options.seed);
    digest.part("strategy", format!("{:?}", options.strategy));
    digest.part("sequences", format!("{:?}", options.sequences));
    digest.part("loops", [u8::from(options.only_follow_loops)]);
    digest.part("mocks", format!("{:?}", options.mocks));
    digest.part("accepted", format!("{:?}", options.accepted));
    digest.part("steps", format!("{:?}", options.max_steps));
    digest.part("solver", format!("{:?}", options.solver_timeout));
    digest.key()
}

/// The store during a run.
pub(crate) struct Kept {
    store: Store,
    sources: Vec<Store>,
    most: u64,
    only_known: bool,
    /// One per method of the run.
    keys: Vec<Option<Key>>,
    /// All of them together: replays in one process depend a little on each other.
    among: Key,
    limits: Limits,
    not_kept: Option<String>,
}

/// What a method of the run may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// An even share of the run's time.
    pub share: Duration,
    pub max_bytes: u64,
    /// Whether steps are limited; then time rarely matters.
    pub by_steps: bool,
}

/// What is known about a method.
pub(crate) struct Restored {
    pub attempt: Attempt,
    /// More time may give more.
    pub is_beginning: bool,
}

impl Restored {
    /// Whether nothing is left to be done.
    pub fn is_replayed(&self) -> bool {
        !self.is_beginning && (self.attempt.replayed.is_some() || self.attempt.exploration.cases.is_empty())
    }
}

impl Kept {
    pub fn new(
        keeping: &Keeping,
        settings: &Key,
        contents: &Contents,
        targets: &[Target],
        limits: Limits,
    ) -> Kept {
        let keys: Vec<Option<Key>> =
            targets.iter().map(|target| Some(key(target, &contents.of(target.token)?, settings))).collect();
        let mut among = Digesting::new();
        for key in keys.iter().flatten() {
            among.part("method", key.as_bytes());
        }
        Kept {
            store: Store::at(&keeping.folder),
            sources: keeping.sources.iter().map(|folder| Store::at(folder)).collect(),
            most: keeping.most,
            only_known: keeping.only_known,
            keys,
            among: among.key(),
            limits,
            not_kept: None,
        }
    }

    pub fn only_known(&self) -> bool {
        self.only_known
    }

    /// Whether what is known from elsewhere belongs into the own store as well.
    pub fn copies(&self) -> bool {
        !self.sources.is_empty() && !self.only_known
    }

    /// What is known about a method, if it may be used in this run.
    pub fn restored(&self, index: usize) -> Option<Restored> {
        let key = self.keys.get(index).copied().flatten()?;
        let stores = std::iter::once(&self.store).chain(&self.sources);
        let found = stores.filter_map(|store| Form::decode(&store.get(&key)?));
        found.filter_map(|form| self.usable(form)).min_by_key(|restored| restored.is_beginning)
    }

    fn usable(&self, form: Form) -> Option<Restored> {
        let (before, is_settled) = (form.limits(self.limits.by_steps), form.is_settled);
        let attempt = form.into_attempt(&self.among)?;
        let wants_more = attempt.wants_more();
        let had_enough = before.share >= self.limits.share
            && (!lacked_memory(&attempt) || before.max_bytes >= self.limits.max_bytes);
        let is_enough = match wants_more {
            true => is_settled && had_enough,
            false => had_enough || !is_hurried(&attempt, self.limits.by_steps),
        };
        if is_enough || self.only_known {
            return Some(Restored { attempt, is_beginning: false });
        }
        // What was explored to an end in a hurry may be better with more time, but nothing says so: it is done again.
        wants_more.then_some(Restored { attempt, is_beginning: true })
    }

    /// Keeps the best that is known about a method. `is_over`: no more will be tried in this run.
    pub fn keep(&mut self, index: usize, record: &MethodRecord, is_over: bool) {
        let Some(key) = self.keys.get(index).copied().flatten() else { return };
        let Some(attempt) = record.best().filter(|attempt| is_worth_keeping(attempt)) else { return };
        if self.not_kept.is_some() || self.only_known {
            return;
        }
        let Some(bytes) = Form::encode(attempt, &self.among, self.limits, is_over) else { return };
        if let Err(error) = self.store.put(&key, &bytes) {
            let folder = self.store.folder().display();
            self.not_kept = Some(format!("results are not kept for later runs in {folder}: {error}"));
        }
    }

    /// The end of the run: makes room, and says what went wrong.
    pub fn finish(self) -> Option<String> {
        if !self.only_known && self.not_kept.is_none() {
            // It is only about room: the next run tries again.
            let _stays_large = self.store.trim(self.most);
        }
        self.not_kept
    }
}

/// The key of an answer about a method.
fn key(target: &Target, content: &Key, settings: &Key) -> Key {
    let mut digest = Digesting::new();
    digest.part("form", form::FORM);
    digest.part("content", content.as_bytes()).part("settings", settings.as_bytes());
    digest.part("method", &target.id).number("token", target.token.into());
    for body in &target.bodies {
        digest.number("body", body.token.into());
    }
    for inner in target.inner.iter() {
        digest.number("inner", (*inner).into());
    }
    digest.key()
}

/// Not what ended with the run, and not what may be an accident of this process.
fn is_worth_keeping(attempt: &Attempt) -> bool {
    let is_accident = |reason| matches!(reason, Reason::Cancelled | Reason::InternalError);
    !attempt.is_cut && !attempt.exploration.incomplete.iter().any(|i| is_accident(i.reason))
}

/// Whether some part of the exploration may have been cut short by the clock without a word.
fn is_hurried(attempt: &Attempt, by_steps: bool) -> bool {
    !by_steps && attempt.exploration.stats.elapsed * UNHURRIED_PART > attempt.share
}

fn lacked_memory(attempt: &Attempt) -> bool {
    attempt.exploration.incomplete.iter().any(|incomplete| incomplete.reason == Reason::MemoryLimit)
}
