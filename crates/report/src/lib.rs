//! What a run found, as data (`cilantro/summary@1`) and as text a person reads.
//!
//! The crate knows nothing about how results are made: it holds the closed lists of verdicts and reasons, keeps the
//! order of everything stable, and renders.

mod replayed;
mod style;
mod summary;
mod table;
mod text;
mod words;

pub use replayed::{REPLAY_SCHEMA, ReplayReport, ReplayRow, ReplayStatus, render_replay};
pub use style::Theme;
pub use summary::{
    Bug, Construction, Coverage, Incomplete, Input, Method, NotWritten, Replay, Runtime, SUMMARY_SCHEMA,
    Status, Summary, Totals, Unwritten, Verdict, place,
};
pub use text::{Shown, TextOptions, render_text};
pub use verdict::{Gap, Reason, Stats};
pub use words::{quoted, short_id};

/// The summary as pretty-printed JSON with a final line feed.
pub fn render_json<T: serde::Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}
