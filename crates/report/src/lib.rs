//! What a run found, as data (`cilantro/summary@1`) and as text a person reads.
//!
//! The crate knows nothing about how results are made: it holds the closed lists of verdicts and reasons, keeps the
//! order of everything stable, and renders.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let summary: report::Summary = serde_json::from_str(r#"{ "schema": "cilantro/summary@1", "assembly": "Shop.dll",
//!     "runtime": {"name": "Microsoft.NETCore.App", "version": "10.0.0"}, "elapsed_ms": 12, "methods": [ {
//!     "id": "Shop.Cart::Add(System.Int32)", "token": "0x06000012", "verdict": "complete", "incomplete": [],
//!     "coverage": { "instructions": 5, "covered_instructions": 5, "branches": 8, "covered_branches": 7,
//!         "proven_unreachable_branches": 1, "il_bytes": 9, "covered_il_bytes": 9 },
//!     "tests": 7, "replay": {"passed": 7, "failed": 0, "skipped": 0}, "bugs": [],
//!     "stats": {"steps": 0, "states": 0, "queries": 0, "cache_hits": 0, "core_calls": 0, "solver_ms": 0, "elapsed_ms": 0} } ] }"#)?;
//! let text = report::render_text(&summary, &report::TextOptions::plain());
//! assert!(text.contains("Shop.Cart::Add(Int32)") && text.contains("7/8"), "{text}");
//! # Ok(())
//! # }
//! ```

mod baseline;
mod fail_on;
mod findings;
pub mod formats;
mod html;
mod lines;
mod proof;
mod reach;
mod replayed;
mod style;
mod summary;
mod table;
mod text;
mod words;
mod zone;

pub use baseline::{BASELINE_SCHEMA, Baseline, Known};
pub use fail_on::FailOn;
pub use html::{HtmlReport, SourceText, render_html};
pub use lines::{LINES_SCHEMA, Line, LinesFile, LinesOf, Way};
pub use proof::{MethodProof, PROOF_SCHEMA, ProofReport, ProofRules, ProofVerdict, render_proof};
pub use reach::{CodePlace, LocationAnswer, REACH_SCHEMA, ReachReport, ReachVerdict, Witness, render_reach};
pub use replayed::{REPLAY_SCHEMA, ReplayReport, ReplayRow, ReplayStatus, render_replay};
pub use style::Theme;
pub use summary::{
    Assumed, Bug, Construction, Coverage, Excluded, Incomplete, Input, LoopFacts, Method, NotWritten, Origin,
    Replay, Runtime, SUMMARY_SCHEMA, Since, Status, Summary, Totals, Unwritten, Verdict, place,
};
pub use text::{Shown, TextOptions, render_text};
pub use verdict::{Assumption, Assumptions, FindingKind, Gap, Reason, SourceLine, Stats};
pub use words::{quoted, short_id};
pub use zone::{Reflected, Zone, ZoneKind, ZoneMethod};

/// The summary as pretty-printed JSON with a final line feed.
pub fn render_json<T: serde::Serialize>(value: &T) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}
