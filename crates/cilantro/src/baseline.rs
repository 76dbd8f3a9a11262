//! Files of findings that are known.

use std::fs;
use std::path::Path;

use engine::Error;
use report::{Baseline, Summary, render_json};

/// Reads a baseline, before any work is done for it.
pub fn read(path: &Path) -> Result<Baseline, Error> {
    let bad = |why: String| Error::Other(format!("the baseline {} cannot be used: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| bad(error.to_string()))?;
    Baseline::parse(&text).map_err(bad)
}

/// Writes down what a run has found.
pub fn write(path: &Path, summary: &Summary) -> Result<(), Error> {
    let text = render_json(&Baseline::of(summary)).map_err(|error| Error::Internal(error.to_string()))?;
    fs::write(path, text)
        .map_err(|error| Error::CannotWrite { path: path.to_owned(), why: error.to_string() })
}
