//! One process after another in a time zone: passes go in, results come out, and what a test does to its process is the
//! result of that test alone.

use std::{sync::atomic::Ordering, time::Instant};

use replay::{HostProcess, Lost};
use serde::Deserialize;
use serde_json::json;

use crate::{
    How,
    limits::MAX_INVESTIGATIONS,
    runner::Runner,
    service::Trouble,
    world::{Order, Thread, World, offsets},
};

/// What a test did in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    Passed,
    Skipped(String),
    Failed(How),
}

impl Seen {
    /// It would do the same in every world, and it costs a process each time.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Seen::Failed(How::Crashed { .. } | How::TimedOut))
    }
}

pub(crate) struct Lane<'a> {
    runner: &'a Runner<'a>,
    zone: &'static str,
    process: Option<HostProcess>,
    investigations: usize,
    pub has_zone: bool,
}

/// How far a pass got.
struct Attempt {
    /// In the order of the tests.
    answers: Vec<Seen>,
    /// A class that failed when it was left.
    late: Vec<(usize, Seen)>,
    end: End,
}

enum End {
    Done,
    TimedOut,
    Died(String),
}

#[derive(Deserialize)]
struct Answer {
    test: Option<usize>,
    #[serde(default)]
    late: bool,
    exception: Option<String>,
    message: Option<String>,
    line: Option<u32>,
    skipped: Option<String>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Loaded {
    winter: Option<f64>,
    summer: Option<f64>,
    cultures: Option<bool>,
    error: Option<String>,
}

impl<'a> Lane<'a> {
    pub fn new(runner: &'a Runner<'a>, zone: &'static str) -> Lane<'a> {
        Lane { runner, zone, process: None, investigations: 0, has_zone: true }
    }

    /// Runs tests in a world; every result is told once.
    pub fn pass(
        &mut self,
        world: &World,
        tests: &[usize],
        tell: &mut dyn FnMut(usize, Seen),
    ) -> Result<(), Trouble> {
        let mut open = tests.to_vec();
        loop {
            let attempt = self.attempt(world, &open, false)?;
            let reached = attempt.answers.len();
            let mut results: Vec<(usize, Seen)> = open.iter().copied().zip(attempt.answers).collect();
            results.extend(attempt.late);
            let running = open.get(reached).copied();
            let guilty = match attempt.end {
                End::Done => None,
                End::TimedOut => running.map(|test| (test, How::TimedOut)),
                End::Died(how) => self.investigate(world, &open, reached, how)?,
            };
            for (test, seen) in results {
                if guilty.as_ref().is_none_or(|(culprit, _)| *culprit != test) {
                    tell(test, seen);
                }
            }
            open.drain(..reached);
            if let Some((test, how)) = guilty {
                open.retain(|other| *other != test);
                tell(test, Seen::Failed(how));
            }
            if open.is_empty() || (running.is_none() && reached == 0) {
                return Ok(());
            }
        }
    }

    /// Which test took the process with it: usually the one that was running, but a finalizer or a thread may be another's.
    fn investigate(
        &mut self,
        world: &World,
        open: &[usize],
        reached: usize,
        how: String,
    ) -> Result<Option<(usize, How)>, Trouble> {
        let running = open.get(reached).copied();
        let crashed = |how: String| How::Crashed { how };
        self.investigations += 1;
        if self.investigations > MAX_INVESTIGATIONS {
            return Ok(running.map(|test| (test, crashed(how))));
        }
        if let Some(test) = running
            && let Some(again) = self.dies(world, &[test])?
        {
            return Ok(Some((test, crashed(again))));
        }
        let before = open.get(..reached).unwrap_or_default();
        if let Some((test, again)) = self.bisect(world, before)? {
            return Ok(Some((test, crashed(again))));
        }
        Ok(running.map(|test| (test, crashed(how))))
    }

    fn bisect(&mut self, world: &World, suspects: &[usize]) -> Result<Option<(usize, String)>, Trouble> {
        let mut suspects = suspects;
        while suspects.len() > 1 {
            let (first, second) = suspects.split_at(suspects.len() / 2);
            suspects = if self.dies(world, first)?.is_some() { first } else { second };
        }
        let Some(test) = suspects.first().copied() else { return Ok(None) };
        Ok(self.dies(world, &[test])?.map(|how| (test, how)))
    }

    /// Whether a process of its own survives these tests.
    fn dies(&mut self, world: &World, tests: &[usize]) -> Result<Option<String>, Trouble> {
        self.process = None;
        let careful = tests.len() == 1;
        let end = self.attempt(world, tests, careful)?.end;
        if !matches!(end, End::Done) {
            self.process = None;
        }
        Ok(match end {
            End::Died(how) => Some(how),
            End::Done | End::TimedOut => None,
        })
    }

    fn attempt(&mut self, world: &World, tests: &[usize], careful: bool) -> Result<Attempt, Trouble> {
        let mut attempt = Attempt { answers: Vec::new(), late: Vec::new(), end: End::Done };
        if tests.is_empty() {
            return Ok(attempt);
        }
        self.start()?;
        let request = json!({"pass": {
            "culture": if self.runner.has_cultures() { world.culture } else { "" },
            "pool": world.thread == Thread::Pool,
            "alone": world.order == Order::Alone,
            "careful": careful,
            "tests": tests,
        }});
        let Some(process) = self.process.as_mut() else { return Ok(attempt) };
        process.send(&request.to_string());
        loop {
            let patience = self.runner.patience;
            let until = patience.deadline.min(Instant::now() + self.runner.limits.test);
            let text = match process.next_answer(until, patience.cancel) {
                Ok(text) => text,
                Err(lost) => {
                    self.process = None;
                    attempt.end = match lost {
                        Lost::Cancelled => return Err(Trouble::Cancelled),
                        Lost::TimedOut if Instant::now() >= patience.deadline => {
                            return Err(Trouble::OutOfTime);
                        }
                        Lost::TimedOut => End::TimedOut,
                        Lost::Ended(how) => End::Died(how),
                    };
                    return Ok(attempt);
                }
            };
            let answer: Answer = serde_json::from_str(&text)
                .map_err(|e| Trouble::Broken(format!("the answer of the host cannot be read: {e}")))?;
            if let Some(error) = answer.error {
                return Err(Trouble::Broken(error));
            }
            let Some(test) = answer.test else { return Ok(attempt) };
            match answer.late {
                true => attempt.late.push((test, seen(answer))),
                false => attempt.answers.push(seen(answer)),
            }
        }
    }

    /// A running process that has the tests loaded.
    fn start(&mut self) -> Result<(), Trouble> {
        if self.process.is_some() {
            return Ok(());
        }
        let runner = self.runner;
        let text = match self.load(runner.is_invariant.load(Ordering::Relaxed)) {
            Err(Lost::Ended(how)) if how.contains("ICU") => {
                runner.is_invariant.store(true, Ordering::Relaxed);
                self.load(true)
            }
            other => other,
        };
        let text = text.map_err(|lost| match lost {
            Lost::Cancelled => Trouble::Cancelled,
            Lost::TimedOut if Instant::now() >= runner.patience.deadline => Trouble::OutOfTime,
            Lost::TimedOut => Trouble::Broken("the runtime does not start in time".to_owned()),
            Lost::Ended(how) => Trouble::Broken(format!("the runtime does not start: {how}")),
        })?;
        let loaded: Loaded = serde_json::from_str(&text)
            .map_err(|e| Trouble::Broken(format!("the answer of the host cannot be read: {e}")))?;
        if let Some(error) = loaded.error {
            return Err(Trouble::Broken(error));
        }
        let minutes = |value: Option<f64>| value.map_or(i64::MIN, |minutes| minutes as i64);
        self.has_zone = (minutes(loaded.winter), minutes(loaded.summer)) == offsets(self.zone);
        if loaded.cultures != Some(true) {
            runner.lacks_cultures.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn load(&mut self, invariant: bool) -> Result<String, Lost> {
        let runner = self.runner;
        let started = runner.files.start_runner(runner.runtime, self.zone, invariant, &runner.limits);
        let mut process = started
            .map_err(|e| Lost::Ended(format!("{} does not start: {e}", runner.runtime.muxer.display())))?;
        let until = runner.patience.deadline.min(Instant::now() + runner.limits.start);
        let text = process.ask(&runner.load_request, until, runner.patience.cancel)?;
        self.process = Some(process);
        Ok(text)
    }
}

fn seen(answer: Answer) -> Seen {
    match (answer.exception, answer.skipped) {
        (Some(exception), _) => Seen::Failed(How::Failed {
            exception,
            message: answer.message.unwrap_or_default(),
            line: answer.line.unwrap_or_default(),
        }),
        (None, Some(why)) => Seen::Skipped(why),
        (None, None) => Seen::Passed,
    }
}
