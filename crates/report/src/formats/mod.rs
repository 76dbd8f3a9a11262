//! The formats that other programs read: one [`Report`] that every command fills, and a function for each format.

mod cobertura;
mod coverage;
mod exceptions;
mod fingerprint;
mod github;
mod gitlab;
mod junit;
mod lcov;
mod markdown;
mod model;
mod questions;
mod sarif;
mod uri;
mod xml;

pub use cobertura::cobertura;
pub use coverage::{CodeCoverage, Jump, LineHits, MethodLines, Proof};
pub use lcov::lcov;
pub use model::{Answer, Call, Finding, Level, Report, Rule, Step, Test};
pub use model::{Reason as AnswerReason, Verdict as AnswerVerdict};
pub use uri::file_uri;

/// A format for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// Code Quality of GitLab.
    Gitlab,
    Junit,
    /// A summary for the page of a job.
    Markdown,
}

impl Report {
    pub fn render(&self, format: Format) -> Result<String, serde_json::Error> {
        match format {
            Format::Sarif => crate::render_json(&sarif::document(self)),
            Format::Gitlab => crate::render_json(&gitlab::document(self)),
            Format::Github => Ok(github::commands(self)),
            Format::Junit => Ok(junit::document(self)),
            Format::Markdown => Ok(markdown::page(self)),
        }
    }
}
