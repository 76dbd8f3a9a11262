//! The trace event format of Chrome, which Perfetto opens: spans and questions as slices, one track per thread.
//!
//! The array is closed at the end of the run; readers accept it without its end as well.

use std::fs::File;
use std::io;

use serde_json::{Map, Value, json};

use super::happening::{Happening, Kind};
use super::{Sink, write_whole};

pub struct Chrome {
    file: File,
}

impl Chrome {
    pub fn begin(mut file: File) -> io::Result<Chrome> {
        let process =
            json!({"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": "cilantro"}});
        write_whole(&mut file, &format!("[\n{process}"))?;
        Ok(Chrome { file })
    }

    fn put(&mut self, event: &Value) -> io::Result<()> {
        write_whole(&mut self.file, &format!(",\n{event}"))
    }
}

impl Sink for Chrome {
    fn write(&mut self, happening: &Happening<'_>) -> io::Result<()> {
        let Happening { us, thread, fields, .. } = happening;
        let tid = thread.number;
        if thread.is_new {
            let args = json!({"name": thread.name});
            self.put(&json!({"name": "thread_name", "ph": "M", "pid": 1, "tid": tid, "args": args}))?;
        }
        let mut event = json!({"name": label(happening), "cat": happening.name, "pid": 1, "tid": tid});
        let Some(object) = event.as_object_mut() else { return Ok(()) };
        let took = fields.get("us").and_then(Value::as_u64);
        let (phase, at) = match (happening.kind, took) {
            (Kind::Begin, _) => ("B", *us),
            (Kind::End { .. }, _) => ("E", *us),
            (Kind::Event, Some(took)) => ("X", us.saturating_sub(took)),
            (Kind::Event, None) => ("i", *us),
        };
        object.insert("ph".to_owned(), phase.into());
        object.insert("ts".to_owned(), at.into());
        match phase {
            "X" => drop(object.insert("dur".to_owned(), took.unwrap_or(0).into())),
            "i" => drop(object.insert("s".to_owned(), "t".into())),
            _ => {}
        }
        let mut args: Map<String, Value> = happening.context.clone();
        args.extend(fields.iter().map(|(name, value)| (name.clone(), value.clone())));
        object.insert("args".to_owned(), Value::Object(args));
        self.put(&event)
    }

    fn close(&mut self) -> io::Result<()> {
        write_whole(&mut self.file, "\n]\n")
    }
}

/// A method by its id, a path by its number, an event by its name.
fn label(happening: &Happening<'_>) -> String {
    match (happening.kind, happening.fields.values().next()) {
        (Kind::Begin | Kind::End { .. }, Some(Value::String(id))) => id.clone(),
        (Kind::Begin | Kind::End { .. }, Some(number)) => format!("{} {number}", happening.name),
        _ => happening.name.to_owned(),
    }
}
