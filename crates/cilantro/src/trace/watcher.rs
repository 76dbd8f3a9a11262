//! The one who listens: keeps the spans that are open, and hands on what happens with what it happens in.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use serde_json::{Map, Value};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Subscriber;
use tracing::{Event, Level, Metadata};

use super::Sink;
use super::happening::{Fields, Happening, Kind, Thread};
use super::questions::Questions;

/// The target of all spans and events.
const TARGET: &str = "cilantro";
/// Those who tell about questions ask here whether the text is wanted.
const CORE_QUESTIONS: &str = "cilantro::core_questions";
const ALL_QUESTIONS: &str = "cilantro::all_questions";

pub struct Watcher {
    started: Instant,
    sink: Mutex<Option<Box<dyn Sink>>>,
    traces: bool,
    questions: Option<Questions>,
    spans: Mutex<BTreeMap<u64, Arc<Span>>>,
    next_span: AtomicU64,
    next_thread: AtomicU64,
    failed: Mutex<Option<io::Error>>,
}

struct Span {
    name: &'static str,
    /// Whether its beginning and its end are told; otherwise it only says what events are about.
    is_told: bool,
    fields: Map<String, Value>,
}

thread_local! {
    /// Spans that the thread is in, each with when it went there.
    static OPEN: RefCell<Vec<(u64, Arc<Span>, Instant)>> = const { RefCell::new(Vec::new()) };
    static SELF: RefCell<Option<Thread>> = const { RefCell::new(None) };
}

impl Watcher {
    pub fn new(sink: Option<Box<dyn Sink>>, questions: Option<Questions>) -> Watcher {
        Watcher {
            started: Instant::now(),
            traces: sink.is_some(),
            sink: Mutex::new(sink),
            questions,
            spans: Mutex::default(),
            next_span: AtomicU64::new(1),
            next_thread: AtomicU64::new(1),
            failed: Mutex::default(),
        }
    }

    /// Threads that are still at work are not heard after this.
    pub fn finish(&self) -> io::Result<()> {
        if let Some(mut sink) = lock(&self.sink).take() {
            self.note(sink.close());
        }
        lock(&self.failed).take().map_or(Ok(()), Err)
    }

    fn tell(&self, kind: Kind, name: &str, context: &Map<String, Value>, fields: &Map<String, Value>) {
        let thread = self.thread();
        let mut sink = lock(&self.sink);
        let Some(open) = sink.as_mut() else { return };
        // Looked at while nobody else writes, so that times do not go back in the file.
        let us = self.started.elapsed().as_micros() as u64;
        let told = open.write(&Happening { us, thread: &thread, kind, name, context, fields });
        self.note(told);
    }

    /// Keeps the first error.
    fn note(&self, result: io::Result<()>) {
        if let Err(error) = result {
            lock(&self.failed).get_or_insert(error);
        }
    }

    fn thread(&self) -> Thread {
        SELF.with(|known| {
            let mut known = known.borrow_mut();
            match &*known {
                Some(thread) => thread.clone(),
                None => {
                    let current = std::thread::current();
                    let name = current.name().unwrap_or("thread").to_owned();
                    let number = self.next_thread.fetch_add(1, Relaxed);
                    let thread = Thread { number, name, is_new: false };
                    *known = Some(thread.clone());
                    Thread { is_new: true, ..thread }
                }
            }
        })
    }
}

impl Subscriber for Watcher {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        match metadata.target() {
            TARGET => {
                let about_questions = metadata.is_span() || matches!(metadata.name(), "query" | "core");
                // Somebody asks in general whether it is worth while to prepare something.
                let asks = metadata.fields().is_empty();
                self.traces || self.questions.is_some() && (about_questions || asks)
            }
            CORE_QUESTIONS => self.questions.is_some(),
            ALL_QUESTIONS => self.questions.as_ref().is_some_and(|questions| questions.all),
            _ => false,
        }
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        let metadata = span.metadata();
        let is_told = *metadata.level() != Level::TRACE;
        let number = self.next_span.fetch_add(1, Relaxed);
        let span = Span { name: metadata.name(), is_told, fields: fields.0 };
        lock(&self.spans).insert(number, Arc::new(span));
        Id::from_u64(number)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let mut fields = fields.0;
        let context = context();
        if let (Some(Value::String(script)), Some(questions)) = (fields.remove("script"), &self.questions) {
            match questions.write(&script, &context, &fields) {
                Ok(file) => {
                    fields.insert("file".to_owned(), file.into());
                }
                Err(error) => self.note(Err(error)),
            }
        }
        self.tell(Kind::Event, event.metadata().name(), &context, &fields);
    }

    fn enter(&self, id: &Id) {
        let Some(span) = lock(&self.spans).get(&id.into_u64()).cloned() else { return };
        if span.is_told {
            self.tell(Kind::Begin, span.name, &context(), &span.fields);
        }
        OPEN.with(|open| open.borrow_mut().push((id.into_u64(), span, Instant::now())));
    }

    fn exit(&self, id: &Id) {
        let left = OPEN.with(|open| {
            let mut open = open.borrow_mut();
            let at = open.iter().rposition(|(number, ..)| *number == id.into_u64())?;
            Some(open.remove(at))
        });
        if let Some((_, span, since)) = left
            && span.is_told
        {
            let took = since.elapsed().as_micros() as u64;
            self.tell(Kind::End { took }, span.name, &context(), &span.fields);
        }
    }

    fn try_close(&self, id: Id) -> bool {
        lock(&self.spans).remove(&id.into_u64());
        true
    }
}

/// What the thread is at: the first field of each span that is told, and everything that the others say.
fn context() -> Map<String, Value> {
    let mut context = Map::new();
    OPEN.with(|open| {
        for (_, span, _) in open.borrow().iter() {
            let known = span.fields.iter().take(if span.is_told { 1 } else { usize::MAX });
            context.extend(known.map(|(name, value)| (name.clone(), value.clone())));
        }
    });
    context
}

/// A thread that panicked while it held the lock has left nothing half done.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
