//! `--dump-queries`: questions to the solver as SMT-LIB files, each with its answer, for other solvers to judge.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use engine::Error;
use serde_json::{Map, Value};

pub struct Questions {
    folder: PathBuf,
    /// Also those that never reach the core.
    pub all: bool,
    next: AtomicU64,
}

impl Questions {
    /// The folder must be new or empty: files of two runs together would mislead.
    pub fn into(folder: &Path, all: bool) -> Result<Questions, Error> {
        let failed = |why: String| Error::CannotWrite { path: folder.to_owned(), why };
        fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        let mut entries = fs::read_dir(folder).map_err(|error| failed(error.to_string()))?;
        if entries.next().is_some() {
            return Err(failed("the folder is not empty".to_owned()));
        }
        Ok(Questions { folder: folder.to_owned(), all, next: AtomicU64::new(1) })
    }

    /// The name of the file.
    pub fn write(
        &self,
        script: &str,
        context: &Map<String, Value>,
        fields: &Map<String, Value>,
    ) -> io::Result<String> {
        let name = format!("{:06}.smt2", self.next.fetch_add(1, Relaxed));
        fs::write(self.folder.join(&name), text(script, context, fields))?;
        Ok(name)
    }
}

fn text(script: &str, context: &Map<String, Value>, fields: &Map<String, Value>) -> String {
    let mut text = String::new();
    for (name, value) in context.iter().chain(fields) {
        let value = match value {
            Value::String(value) => value.clone(),
            other => other.to_string(),
        };
        // A comment ends with its line.
        let _ = writeln!(text, "; {name}: {}", value.replace(['\n', '\r'], " "));
    }
    let answer = fields.get("verdict").and_then(Value::as_str).unwrap_or("unknown");
    // Solvers say so themselves if they come to another answer.
    let _ = writeln!(text, "(set-info :status {answer})");
    let _ = writeln!(text, "(set-logic QF_BV)");
    text.push_str(script);
    text + "(check-sat)\n"
}
