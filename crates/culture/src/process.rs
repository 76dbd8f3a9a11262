//! One host process: questions go in, answers come out, each within its time.
//!
//! The caller's own thread writes and reads, because a hop between threads would cost as much as the answer. The time is
//! kept by a second thread, which looks from time to time whether a question is under way for too long and kills the
//! process then: the read ends.

use std::{
    collections::VecDeque,
    io::{Read, Write},
    process::{Child, ChildStdin, ChildStdout, ExitStatus},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

use crate::{
    Entry, Error, Limits, Runtime,
    answer::Answer,
    host::HostFiles,
    limits::{MAX_ANSWER, WINDOW},
    question::Question,
};

const PROTOCOL: i32 = 1;

/// What a runtime says of itself when the host has started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// As `GetICUVersion` gives it: major, minor, milli and micro version, a byte each, the major one in front. 0: not told.
    pub icu_version: i32,
    /// Such as `.NET 10.0.0`.
    pub runtime: String,
}

pub struct HostProcess {
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// Bytes of answers that were read ahead, and how many of them are used up.
    ahead: Vec<u8>,
    used: usize,
    watch: Arc<Watch>,
    watchdog: Thread,
    limits: Limits,
}

/// Why there is no answer. The process is of no use afterwards.
#[derive(Debug, PartialEq, Eq)]
pub enum Lost {
    TimedOut,
    /// The process ended or its pipes did; how, in words.
    Ended(String),
    /// What came is no frame.
    Garbage(String),
}

struct Watch {
    child: Mutex<Child>,
    start: Instant,
    /// Milliseconds after `start` when the question under way has taken too long; 0: there is none.
    deadline: AtomicU64,
    timed_out: AtomicBool,
    over: AtomicBool,
}

impl HostProcess {
    pub fn start(
        runtime: &Runtime,
        files: &HostFiles,
        limits: &Limits,
    ) -> Result<(HostProcess, Greeting), Error> {
        let refused = |why: String| Error::NoRuntime { muxer: runtime.muxer.clone(), why };
        let mut command = files.command(runtime).map_err(|e| Error::Prepare(e.to_string()))?;
        let mut child = command.spawn().map_err(|e| refused(e.to_string()))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(refused("the process has no pipes".to_owned()));
        };
        let watch = Arc::new(Watch::new(child));
        let watchdog = Watch::begin(&watch, limits.question.min(limits.start) / 4);
        let limits = limits.clone();
        let mut process = HostProcess { stdin, stdout, ahead: Vec::new(), used: 0, watch, watchdog, limits };
        let greeting = process.greeting().map_err(|lost| {
            let words = files.last_words();
            // The runtime ended the process before ours could look for ICU.
            if words.contains("ICU") { Error::NoIcu } else { refused(describe(lost, &words)) }
        })?;
        read_greeting(&greeting).map(|greeting| (process, greeting))
    }

    fn greeting(&mut self) -> Result<Vec<u8>, Lost> {
        self.within(self.limits.start, |process| process.receive())
    }

    /// Asks all questions, and hands on each answer as soon as it is there: those given stay given if the process dies
    /// afterwards.
    pub fn ask(&mut self, questions: &[Question], mut answered: impl FnMut(Vec<u8>)) -> Result<(), Lost> {
        let mut waiting = questions.iter().map(|question| question.clone().into_frame()).peekable();
        // The lengths of questions under way.
        let mut under_way: VecDeque<usize> = VecDeque::new();
        let mut window = 0;
        for _ in questions {
            let mut bytes = Vec::new();
            // Refilled by halves, so that a write carries many.
            let most = if window < WINDOW / 2 { WINDOW } else { 0 };
            while let Some(frame) =
                waiting.next_if(|frame| under_way.is_empty() || window + frame.len() <= most)
            {
                window += frame.len();
                under_way.push_back(frame.len());
                bytes.extend(frame);
            }
            let answer = self.within(self.limits.question, |process| {
                process.send(&bytes)?;
                process.receive()
            })?;
            window -= under_way.pop_front().unwrap_or_default();
            answered(answer);
        }
        Ok(())
    }

    fn within<T>(
        &mut self,
        time: Duration,
        work: impl FnOnce(&mut HostProcess) -> Result<T, Lost>,
    ) -> Result<T, Lost> {
        self.watch.set(Some(time));
        let result = work(self);
        self.watch.set(None);
        match result {
            Err(Lost::Ended(_)) if self.watch.timed_out.load(Ordering::SeqCst) => Err(Lost::TimedOut),
            result => result,
        }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Lost> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.stdin.write_all(bytes).and_then(|()| self.stdin.flush()).map_err(|e| self.ended(&e.to_string()))
    }

    fn receive(&mut self) -> Result<Vec<u8>, Lost> {
        let mut length = [0; 4];
        self.read(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > MAX_ANSWER {
            return Err(Lost::Garbage(format!("an answer of {length} bytes")));
        }
        let mut answer = vec![0; length as usize];
        self.read(&mut answer)?;
        Ok(answer)
    }

    /// Fills the whole target.
    fn read(&mut self, target: &mut [u8]) -> Result<(), Lost> {
        let mut filled = 0;
        while let Some(rest) = target.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            if self.used == self.ahead.len() {
                self.read_ahead()?;
            }
            let ready = self.ahead.get(self.used..).unwrap_or_default();
            let count = ready.len().min(rest.len());
            for (to, from) in rest.iter_mut().zip(ready) {
                *to = *from;
            }
            filled += count;
            self.used += count;
        }
        Ok(())
    }

    fn read_ahead(&mut self) -> Result<(), Lost> {
        self.ahead.resize(1 << 16, 0);
        let count = match self.stdout.read(&mut self.ahead) {
            Ok(0) => return Err(self.ended("it closed its output")),
            Ok(count) => count,
            Err(e) => return Err(self.ended(&e.to_string())),
        };
        self.ahead.truncate(count);
        self.used = 0;
        Ok(())
    }

    /// A pipe is closed: the process is dying or dead.
    fn ended(&self, how: &str) -> Lost {
        let status = self.watch.child.lock().ok().and_then(|mut child| wait_briefly(&mut child));
        Lost::Ended(status.map_or_else(|| how.to_owned(), |status| format!("{how} ({status})")))
    }

    pub fn id(&self) -> u32 {
        self.watch.child.lock().map_or(0, |child| child.id())
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        self.watch.over.store(true, Ordering::SeqCst);
        self.watchdog.unpark();
        self.watch.kill();
    }
}

impl Watch {
    fn new(child: Child) -> Watch {
        Watch {
            child: Mutex::new(child),
            start: Instant::now(),
            deadline: AtomicU64::new(0),
            timed_out: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }

    fn begin(watch: &Arc<Watch>, pause: Duration) -> Thread {
        let watch = Arc::clone(watch);
        let keeping = thread::spawn(move || {
            while !watch.over.load(Ordering::SeqCst) {
                thread::park_timeout(pause);
                let deadline = watch.deadline.load(Ordering::SeqCst);
                if deadline != 0 && watch.now() > deadline {
                    watch.timed_out.store(true, Ordering::SeqCst);
                    watch.kill();
                    return;
                }
            }
        });
        keeping.thread().clone()
    }

    fn set(&self, time: Option<Duration>) {
        let deadline = time.map_or(0, |time| self.now() + millis(time) + 1);
        self.deadline.store(deadline, Ordering::SeqCst);
    }

    fn now(&self) -> u64 {
        millis(self.start.elapsed())
    }

    fn kill(&self) {
        if let Ok(mut child) = self.child.lock() {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// How it ended by itself, or at our hand.
fn wait_briefly(child: &mut Child) -> Option<ExitStatus> {
    for _ in 0..100 {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().ok()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX / 4)
}

fn read_greeting(frame: &[u8]) -> Result<Greeting, Error> {
    // The greeting is no answer to a question; the entry only names it in messages.
    let mut answer = match Answer::read(Entry::GetICUVersion, frame) {
        Err(Error::NotThere(_)) => return Err(Error::NoIcu),
        answer => answer?,
    };
    let protocol = answer.number()?;
    if protocol != PROTOCOL {
        return Err(Error::Protocol(format!("the host speaks version {protocol}")));
    }
    let icu_version = answer.number()?;
    Ok(Greeting { icu_version, runtime: String::from_utf16_lossy(&answer.units()?) })
}

fn describe(lost: Lost, words: &str) -> String {
    let first = words.lines().map(str::trim).find(|line| !line.is_empty());
    match (first, lost) {
        (Some(line), _) => line.to_owned(),
        (None, Lost::TimedOut) => "it did not start in time".to_owned(),
        (None, Lost::Ended(how) | Lost::Garbage(how)) => how,
    }
}
