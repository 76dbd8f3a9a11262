//! Replays cases one after another; a process that dies or hangs is replaced and the rest go on.

use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant, SystemTime},
};

use case::construct::Offer;
use case::{Case, Expectation, ObjectId, Observed, Outcome};
use serde::Deserialize;
use serde_json::json;

use crate::{
    Error, Limits, Runtime,
    child::{HostProcess, Lost},
    compare,
    host::HostFiles,
    measured::{Copy, Hits, Probes},
};

/// What the runtime says about a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is true. What was observed is kept: it has the message and the place of an exception; and what it went through, if
    /// that is measured.
    Passed { observed: Box<Observed>, hits: Option<Hits> },
    /// It is not; `difference` is the first one, in words.
    Mismatch { expected: Box<Expectation>, observed: Box<Observed>, difference: String },
    /// The call took the process with it.
    Crashed { how: String },
    /// It did not come back within the limit for one case.
    TimedOut,
    /// It could not be tried, or there was no time for it.
    Skipped { why: String },
}

impl Verdict {
    pub fn is_passed(&self) -> bool {
        matches!(self, Verdict::Passed { .. })
    }
}

/// Keeps the host's files, and a running process from one call of `replay` to the next.
pub struct Replayer {
    runtime: Runtime,
    limits: Limits,
    files: HostFiles,
    process: Option<HostProcess>,
    /// What the process has loaded.
    loaded: Option<Loaded>,
    /// What is measured while cases run.
    probes: Option<Probes>,
    /// What the process runs in the place of the assembly.
    copy: Option<Copy>,
}

/// An assembly as it was on disk: a rebuilt one is another.
#[derive(PartialEq)]
struct Loaded {
    path: PathBuf,
    written: Option<SystemTime>,
}

#[derive(Deserialize)]
struct Answer {
    observed: Option<Observed>,
    skipped: Option<String>,
    #[serde(default)]
    ways: Vec<Way>,
    /// Where the block of probes is, in hexadecimal digits.
    address: Option<String>,
    hits: Option<String>,
    /// Whether the copy is what runs: a part of the framework cannot be exchanged.
    #[serde(default)]
    measures: bool,
}

/// Which of the offered ways an object was made in.
#[derive(Deserialize)]
struct Way {
    object: ObjectId,
    way: usize,
}

impl Replayer {
    pub fn new(runtime: Runtime, limits: Limits) -> Result<Replayer, Error> {
        let invariant = limits.invariant || !runtime.has_icu();
        let files = HostFiles::write(&runtime, invariant).map_err(Error::Prepare)?;
        Ok(Replayer { runtime, limits, files, process: None, loaded: None, probes: None, copy: None })
    }

    /// Measures what cases go through.
    pub fn measuring(mut self, probes: Probes) -> Replayer {
        self.probes = Some(probes).filter(|probes| !probes.is_empty());
        self.process = None;
        self
    }

    /// One verdict per case, in order. Comes back at the deadline at the latest, and soon after `cancel` is set. The
    /// process stays for the next call.
    pub fn replay(
        &mut self,
        assembly: &Path,
        cases: &[Case],
        deadline: Instant,
        cancel: &AtomicBool,
    ) -> Vec<Verdict> {
        let mut run = self.run(assembly, deadline, cancel);
        cases.iter().map(|case| run.verdict(&Offer::none(case.clone())).0).collect()
    }

    /// Like `replay`, for cases whose objects may be made in several ways. The runtime takes the first that does it;
    /// the cases that come back say which.
    pub fn replay_offers(
        &mut self,
        assembly: &Path,
        offers: Vec<Offer>,
        deadline: Instant,
        cancel: &AtomicBool,
    ) -> Vec<(Case, Verdict)> {
        let mut run = self.run(assembly, deadline, cancel);
        let settled = |offer: Offer| {
            let (mut verdict, mut chosen) = run.verdict(&offer);
            if !offer.ways.is_empty() && matches!(verdict, Verdict::Crashed { .. } | Verdict::TimedOut) {
                // A constructor may have done it.
                (verdict, chosen) = run.verdict(&Offer::none(offer.case.clone()));
            }
            let mut case = offer.settle(&chosen);
            if let Verdict::Passed { observed, .. } = &verdict {
                case.keep_observed_calls(observed);
            }
            (case, verdict)
        };
        offers.into_iter().map(settled).collect()
    }

    /// Starts the process and loads the assembly ahead of the first case. What goes wrong here will go wrong again,
    /// and be told, when there is a case.
    pub fn warm_up(&mut self, assembly: &Path, deadline: Instant, cancel: &AtomicBool) {
        let _ = self.run(assembly, deadline, cancel).ensure_process();
    }

    fn run<'a>(&'a mut self, assembly: &'a Path, deadline: Instant, cancel: &'a AtomicBool) -> Run<'a> {
        let wanted = Loaded::now(assembly);
        if self.loaded.as_ref() != Some(&wanted) {
            // Another assembly is another process: nothing of the last one is left.
            self.process = None;
            self.loaded = Some(wanted);
        }
        Run { replayer: self, assembly, deadline, cancel, failed_starts: 0, last_failure: String::new() }
    }
}

impl Loaded {
    fn now(path: &Path) -> Loaded {
        let written = path.metadata().and_then(|metadata| metadata.modified()).ok();
        Loaded { path: path.to_owned(), written }
    }
}

struct Run<'a> {
    replayer: &'a mut Replayer,
    assembly: &'a Path,
    deadline: Instant,
    cancel: &'a AtomicBool,
    failed_starts: u32,
    last_failure: String,
}

const MAX_FAILED_STARTS: u32 = 2;

impl Run<'_> {
    fn verdict(&mut self, offer: &Offer) -> Judged {
        let mut first = self.attempt(offer);
        let others_before = self.replayer.process.as_ref().is_some_and(|process| process.answered > 2);
        if matches!(first.0, Verdict::Mismatch { .. }) && others_before {
            // Cases before it may have left static state behind: a test is true when it is true on its own.
            self.replayer.process = None;
            match self.attempt(offer) {
                (Verdict::Skipped { .. }, _) => {}
                second => first = second,
            }
        }
        if matches!(first.0, Verdict::Mismatch { .. }) && self.replayer.copy.is_some() {
            // A program can see that it is a copy.
            let probes = self.replayer.probes.take();
            self.replayer.process = None;
            let plain = self.attempt(offer);
            self.replayer.probes = probes;
            self.replayer.process = None;
            if plain.0.is_passed() {
                return plain;
            }
        }
        first
    }

    fn attempt(&mut self, offer: &Offer) -> Judged {
        let none = |verdict| (verdict, Vec::new());
        if let Some(why) = self.out_of_time() {
            return none(skipped(why));
        }
        if let Err(why) = self.ensure_process() {
            return none(skipped(&why));
        }
        match self.ask(&request(offer), self.replayer.limits.case) {
            Ok(text) => judge(&offer.case, &text, self.replayer.copy.as_ref()),
            Err(Lost::Cancelled) => none(skipped("the run was stopped while it ran")),
            Err(Lost::TimedOut) if Instant::now() >= self.deadline => {
                none(skipped("the time was over while it ran"))
            }
            Err(Lost::TimedOut) => none(Verdict::TimedOut),
            Err(Lost::Ended(how)) => none(Verdict::Crashed { how }),
        }
    }

    fn out_of_time(&self) -> Option<&'static str> {
        if self.cancel.load(Ordering::Relaxed) {
            Some("the run was stopped before it")
        } else if Instant::now() >= self.deadline {
            Some("the time was over before it")
        } else {
            None
        }
    }

    /// A process with the assembly loaded.
    fn ensure_process(&mut self) -> Result<(), String> {
        while self.replayer.process.is_none() {
            if self.failed_starts >= MAX_FAILED_STARTS {
                return Err(self.last_failure.clone());
            }
            if let Err(why) = self.start() {
                self.replayer.process = None;
                self.failed_starts += 1;
                self.last_failure = why;
            }
            if let Some(why) = self.out_of_time() {
                return Err(why.to_owned());
            }
        }
        Ok(())
    }

    fn start(&mut self) -> Result<(), String> {
        let replayer = &mut *self.replayer;
        let started = HostProcess::start(&replayer.runtime, &replayer.files, &replayer.limits);
        let cannot =
            |e: &dyn std::fmt::Display| format!("{} does not start: {e}", replayer.runtime.muxer.display());
        replayer.process = Some(started.map_err(|e| cannot(&e))?);
        self.replayer.copy = self.instrumented();
        let path = std::path::absolute(self.assembly).unwrap_or_else(|_| self.assembly.to_owned());
        let copy = self.replayer.copy.as_ref().map(|copy| &copy.file);
        let answer = self.ask_host(&json!({ "load": path, "copy": copy }).to_string())?;
        if !answer.measures {
            self.replayer.copy = None;
        }
        match answer.skipped {
            Some(why) => Err(format!("the runtime does not load {}: {why}", self.assembly.display())),
            None => Ok(()),
        }
    }

    /// The copy that records, if that is wanted and can be made; cases are replayed in any case.
    fn instrumented(&mut self) -> Option<Copy> {
        let probes = self.replayer.probes.clone()?;
        let answer = self.ask_host(&json!({ "probes": probes.len() }).to_string()).ok()?;
        let base = u64::from_str_radix(answer.address.as_deref()?, 16).ok()?;
        probes.write_copy(base, self.replayer.files.folder()).ok()
    }

    fn ask_host(&mut self, line: &str) -> Result<Answer, String> {
        let text = self.ask(line, self.replayer.limits.start).map_err(|lost| match lost {
            Lost::TimedOut => "the runtime does not start in time".to_owned(),
            Lost::Cancelled => "the run was stopped".to_owned(),
            Lost::Ended(how) => format!("the runtime does not start: {how}"),
        })?;
        serde_json::from_str(&text).map_err(|e| format!("the host says nonsense: {e}"))
    }

    /// Any failure to answer ends the process.
    fn ask(&mut self, line: &str, limit: Duration) -> Result<String, Lost> {
        let until = self.deadline.min(Instant::now() + limit);
        let Some(process) = self.replayer.process.as_mut() else {
            return Err(Lost::Ended("the process is gone".to_owned()));
        };
        let answer = process.ask(line, until, self.cancel);
        if answer.is_err() {
            self.replayer.process = None;
        }
        answer
    }
}

/// The case with its ways, which are no part of the stored form.
fn request(offer: &Offer) -> String {
    let mut case = json!(offer.case);
    let objects = case.get_mut("objects").and_then(|objects| objects.as_array_mut());
    for (object, written) in offer.case.objects.iter().zip(objects.into_iter().flatten()) {
        if let (Some(ways), Some(written)) = (offer.ways.get(&object.id), written.as_object_mut()) {
            written.insert("ways".to_owned(), json!(ways));
        }
    }
    json!({ "case": case }).to_string()
}

/// The verdict and the ways that were taken.
type Judged = (Verdict, Vec<(ObjectId, usize)>);

fn judge(case: &Case, text: &str, copy: Option<&Copy>) -> Judged {
    let answer: Answer = match serde_json::from_str(text) {
        Ok(answer) => answer,
        Err(e) => return (skipped(&format!("the answer of the host cannot be read: {e}")), Vec::new()),
    };
    let ways = answer.ways.iter().map(|way| (way.object, way.way)).collect();
    let verdict = match (answer.observed, answer.skipped) {
        (Some(mut observed), _) => {
            if let Some(copy) = copy {
                translate(&mut observed, case, copy);
            }
            let observed = Box::new(observed);
            match compare::differs(case, &observed) {
                None => {
                    let hits = copy.and(answer.hits.as_deref()).and_then(Hits::parse);
                    Verdict::Passed { observed, hits }
                }
                Some(difference) => {
                    Verdict::Mismatch { expected: Box::new(case.expect.clone()), observed, difference }
                }
            }
        }
        (None, why) => skipped(&why.unwrap_or_else(|| "the host gave no answer".to_owned())),
    };
    (verdict, ways)
}

/// An exception's place, as an offset of the original.
fn translate(observed: &mut Observed, case: &Case, copy: &Copy) {
    if let Outcome::Throws(thrown) = &mut observed.outcome
        && let Some(place) = &mut thrown.at
    {
        place.il_offset = copy.original_offset(case.method.token, place.il_offset);
    }
}

fn skipped(why: &str) -> Verdict {
    Verdict::Skipped { why: why.to_owned() }
}
