//! The conversation: a question is answered from what is kept, else by the process, which is started when first needed
//! and started again when it has died.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{
    Entry, Error, Greeting, Limits, Runtime,
    answer::Answer,
    cache::Cache,
    casing::CaseTables,
    host::HostFiles,
    installed::is_installed,
    limits::MAX_QUESTION,
    process::{HostProcess, Lost},
    question::Question,
};

/// The globalization part of one runtime. Threads may share it.
pub struct Globalization {
    inner: Mutex<Inner>,
    pub(crate) cases: CaseTables,
}

/// What was asked and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Answered from what is kept.
    pub kept: u64,
    /// Answered by the process.
    pub asked: u64,
    /// Processes started.
    pub started: u32,
    /// Processes that died or were killed for taking too long.
    pub deaths: u32,
}

struct Inner {
    runtime: Runtime,
    limits: Limits,
    cache: Cache,
    files: Option<HostFiles>,
    process: Option<HostProcess>,
    greeting: Option<Greeting>,
    /// An error that will not go away.
    lasting: Option<Error>,
    counters: Counters,
}

impl Globalization {
    /// Starts nothing yet.
    pub fn new(runtime: Runtime, limits: Limits) -> Globalization {
        let cache = Cache::new(limits.cache_bytes);
        let inner = Inner {
            runtime,
            limits,
            cache,
            files: None,
            process: None,
            greeting: None,
            lasting: None,
            counters: Counters::default(),
        };
        Globalization { inner: Mutex::new(inner), cases: CaseTables::default() }
    }

    /// Starts the process if it is not running, and says what it is: the way to find out whether there are cultures at all.
    pub fn greeting(&self) -> Result<Greeting, Error> {
        let mut inner = self.lock();
        inner.process()?;
        inner.greeting.clone().ok_or(Error::NoIcu)
    }

    /// Whether there are cultures. The process is started only if that cannot be seen otherwise.
    pub fn has_icu(&self) -> bool {
        let takes_any = self.lock().runtime.takes_any_icu();
        takes_any && is_installed() || self.greeting().is_ok()
    }

    pub fn counters(&self) -> Counters {
        self.lock().counters
    }

    /// The id of the process, if one is running.
    pub fn process_id(&self) -> Option<u32> {
        self.lock().process.as_ref().map(HostProcess::id)
    }

    pub(crate) fn ask<T>(
        &self,
        question: Question,
        read: impl FnOnce(&mut Answer<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let entry = question.entry();
        let answer = self.lock().answer(question)?;
        read(&mut Answer::read(entry, &answer)?)
    }

    /// Many questions at the price of few: they are under way together.
    pub(crate) fn ask_all<T>(
        &self,
        questions: Vec<Question>,
        mut read: impl FnMut(&mut Answer<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let entries: Vec<Entry> = questions.iter().map(Question::entry).collect();
        let answers = self.lock().answers(questions)?;
        entries
            .into_iter()
            .zip(&answers)
            .map(|(entry, answer)| read(&mut Answer::read(entry, answer)?))
            .collect()
    }

    /// A panic elsewhere leaves nothing half done here that would matter: at worst the process is in the middle of an
    /// answer, so it is dropped.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|poisoned: PoisonError<_>| {
            let mut inner = poisoned.into_inner();
            inner.process = None;
            inner
        })
    }
}

impl Inner {
    fn answer(&mut self, question: Question) -> Result<Arc<[u8]>, Error> {
        if let Some(answer) = self.kept(&question) {
            return Ok(answer);
        }
        self.answers(vec![question])?.pop().ok_or_else(|| Error::Protocol("no answer".to_owned()))
    }

    fn answers(&mut self, questions: Vec<Question>) -> Result<Vec<Arc<[u8]>>, Error> {
        let mut answers: Vec<Option<Arc<[u8]>>> =
            questions.iter().map(|question| self.kept(question)).collect();
        let (mut places, mut open) = (Vec::new(), Vec::new());
        for (place, question) in questions.into_iter().enumerate() {
            if answers.get(place).is_some_and(Option::is_none) {
                places.push(place);
                open.push(question);
            }
        }
        for (place, answer) in places.into_iter().zip(self.ask_process(&open)?) {
            if let Some(slot) = answers.get_mut(place) {
                *slot = Some(answer);
            }
        }
        answers
            .into_iter()
            .map(|answer| answer.ok_or_else(|| Error::Protocol("no answer".to_owned())))
            .collect()
    }

    fn kept(&mut self, question: &Question) -> Option<Arc<[u8]>> {
        let answer = self.cache.get(question.key())?;
        self.counters.kept += 1;
        Some(answer)
    }

    /// A question at which the process dies is asked once more; one at which it dies twice has no answer.
    fn ask_process(&mut self, questions: &[Question]) -> Result<Vec<Arc<[u8]>>, Error> {
        if let Some(long) = questions.iter().find(|question| question.key().len() > MAX_QUESTION) {
            return Err(Error::Refused { entry: long.entry(), why: "the texts are too long".to_owned() });
        }
        let mut answers: Vec<Arc<[u8]>> = Vec::new();
        let mut stumbled_at = None;
        while let Some(open) = questions.get(answers.len()..).filter(|open| !open.is_empty()) {
            let asked = self.process()?.ask(open, |answer| answers.push(answer.into()));
            let Err(lost) = asked else { break };
            self.process = None;
            self.counters.deaths += 1;
            if self.counters.deaths >= self.limits.deaths {
                self.lasting = Some(Error::Died("it has died too often".to_owned()));
            }
            let at = answers.len();
            if stumbled_at == Some(at) {
                let entry = questions.get(at).map_or(Entry::GetICUVersion, Question::entry);
                return Err(self.error(entry, lost));
            }
            stumbled_at = Some(at);
        }
        self.counters.asked += answers.len() as u64;
        for (question, answer) in questions.iter().zip(&answers) {
            self.cache.keep(question.key(), answer);
        }
        Ok(answers)
    }

    fn error(&self, entry: Entry, lost: Lost) -> Error {
        match lost {
            Lost::TimedOut => Error::TimedOut(entry),
            Lost::Garbage(what) => Error::Protocol(what),
            Lost::Ended(how) => {
                let words = self.files.as_ref().map(HostFiles::last_words).unwrap_or_default();
                let first = words.lines().map(str::trim).find(|line| !line.is_empty());
                Error::Died(first.map_or(how, str::to_owned))
            }
        }
    }

    fn process(&mut self) -> Result<&mut HostProcess, Error> {
        if let Some(error) = &self.lasting {
            return Err(error.clone());
        }
        let process = match self.process.take() {
            Some(process) => process,
            None => self.start().inspect_err(|error| {
                if error.is_lasting() {
                    self.lasting = Some(error.clone());
                }
            })?,
        };
        Ok(self.process.insert(process))
    }

    fn start(&mut self) -> Result<HostProcess, Error> {
        let files = match self.files.take() {
            Some(files) => files,
            None => HostFiles::write(&self.runtime).map_err(|e| Error::Prepare(e.to_string()))?,
        };
        let files = self.files.insert(files);
        self.counters.started += 1;
        let (process, greeting) = HostProcess::start(&self.runtime, files, &self.limits)?;
        self.greeting = Some(greeting);
        Ok(process)
    }
}
