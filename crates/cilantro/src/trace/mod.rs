//! `--trace` and `--dump-queries`: what the engine does, written down while it does it.
//!
//! The crates below tell spans and events (`tracing`); here is the one who listens. Without the options nobody does, and the
//! others find that out with one look. The formats are described in docs/trace.md.

mod chrome;
mod happening;
mod lines;
mod questions;
mod watcher;

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use engine::Error;
use happening::Happening;
use tracing::Dispatch;
use watcher::Watcher;

use crate::args::{Common, TraceFormat};
use chrome::Chrome;
use lines::Lines;
use questions::Questions;

/// Writes down what happened.
trait Sink: Send {
    fn write(&mut self, happening: &Happening<'_>) -> io::Result<()>;

    /// After the last event.
    fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A trace under way; without options it is none.
pub struct Trace(Option<Arc<Watcher>>);

impl Trace {
    /// Starts to listen, if the options ask for it.
    pub fn start(common: &Common) -> Result<Trace, Error> {
        let sink = common.trace.as_deref().map(|path| sink(path, common.trace_format)).transpose()?;
        let questions = match &common.dump_queries {
            Some(folder) => Some(Questions::into(folder, common.dump_all_queries)?),
            None => None,
        };
        if sink.is_none() && questions.is_none() {
            return Ok(Trace(None));
        }
        let watcher = Arc::new(Watcher::new(sink, questions));
        tracing::dispatcher::set_global_default(Dispatch::new(Arc::clone(&watcher)))
            .map_err(|error| Error::Internal(error.to_string()))?;
        Ok(Trace(Some(watcher)))
    }

    /// Ends the file. An error is the first that there was.
    pub fn finish(self) -> Result<(), Error> {
        let Some(watcher) = self.0 else { return Ok(()) };
        watcher.finish().map_err(|error| Error::Other(format!("the trace is not complete: {error}")))
    }
}

fn sink(path: &Path, format: Option<TraceFormat>) -> Result<Box<dyn Sink>, Error> {
    let failed = |error: io::Error| Error::CannotWrite { path: path.to_owned(), why: error.to_string() };
    let file = File::create(path).map_err(failed)?;
    let by_name = || match path.extension().is_some_and(|extension| extension == "json") {
        true => TraceFormat::Chrome,
        false => TraceFormat::Lines,
    };
    Ok(match format.unwrap_or_else(by_name) {
        TraceFormat::Lines => Box::new(Lines::begin(file).map_err(failed)?),
        TraceFormat::Chrome => Box::new(Chrome::begin(file).map_err(failed)?),
    })
}

/// Everything at once, so that what is in the file is whole whenever the process is killed.
fn write_whole(file: &mut File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())
}
