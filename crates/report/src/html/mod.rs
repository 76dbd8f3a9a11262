//! A run as one page for people: a file that needs nothing else, neither a network nor other files.

mod bars;
mod findings;
mod markup;
mod methods;
mod overview;
mod page;
mod reasons;
mod source;

use std::collections::BTreeMap;

pub use page::render_html;

use crate::lines::LinesFile;
use crate::summary::Summary;

/// All that a page is made of.
#[derive(Clone, Debug)]
pub struct HtmlReport {
    pub summary: Summary,
    /// What is known of lines, if `generate` has stored it. Files have the names that `sources` has.
    pub lines: Option<LinesFile>,
    /// The texts of tests by the ids of their methods and their names.
    pub tests: BTreeMap<(String, String), String>,
    pub sources: Vec<SourceText>,
}

/// A source file.
#[derive(Clone, Debug)]
pub struct SourceText {
    /// As the reader knows it.
    pub name: String,
    /// Nothing if it was not found.
    pub text: Option<String>,
    /// It is known to be another text than the one that was compiled.
    pub has_changed: bool,
}

/// The type that a method belongs to.
fn type_of(id: &str) -> &str {
    id.split("::").next().unwrap_or(id)
}
