//! JSON lines: one object per line, `cilantro/trace@1`. Whatever ends the run, what is in the file can be read.

use std::fs::File;
use std::io;

use serde_json::{Map, Value, json};

use super::happening::{Happening, Kind};
use super::{Sink, write_whole};

pub const SCHEMA: &str = "cilantro/trace@1";

pub struct Lines {
    file: File,
}

impl Lines {
    pub fn begin(mut file: File) -> io::Result<Lines> {
        let head = json!({"event": "trace", "schema": SCHEMA, "version": env!("CARGO_PKG_VERSION")});
        write_whole(&mut file, &format!("{head}\n"))?;
        Ok(Lines { file })
    }
}

impl Sink for Lines {
    fn write(&mut self, happening: &Happening<'_>) -> io::Result<()> {
        let mut line: Map<String, Value> = Map::new();
        line.insert("t".to_owned(), happening.us.into());
        line.insert("thread".to_owned(), happening.thread.name.as_str().into());
        let event = match happening.kind {
            Kind::Begin => "begin",
            Kind::End { .. } => "end",
            Kind::Event => happening.name,
        };
        line.insert("event".to_owned(), event.into());
        if happening.kind != Kind::Event {
            line.insert("span".to_owned(), happening.name.into());
        }
        if let Kind::End { took } = happening.kind {
            line.insert("us".to_owned(), took.into());
        }
        for (name, value) in happening.context.iter().chain(happening.fields) {
            line.insert(name.clone(), value.clone());
        }
        write_whole(&mut self.file, &format!("{}\n", Value::Object(line)))
    }
}
