//! One thing that happened, as data.

use std::fmt::Debug;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};

/// Something that a thread has told.
pub struct Happening<'a> {
    /// Microseconds since the trace began.
    pub us: u64,
    pub thread: &'a Thread,
    pub kind: Kind,
    /// `fork`, `path` …
    pub name: &'a str,
    /// What it happened in: the method, the path, the reason of a question.
    pub context: &'a Map<String, Value>,
    pub fields: &'a Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A span begins.
    Begin,
    /// A span ends, after so many microseconds.
    End {
        took: u64,
    },
    Event,
}

/// Who tells.
#[derive(Clone, Debug)]
pub struct Thread {
    /// From 1, in the order in which they first had something to tell.
    pub number: u64,
    pub name: String,
    /// It tells for the first time.
    pub is_new: bool,
}

/// Collects the fields of a span or an event, in their order.
#[derive(Default)]
pub struct Fields(pub Map<String, Value>);

impl Fields {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }
}
