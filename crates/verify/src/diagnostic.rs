//! What the compiler says about a place.

use std::fmt;

use serde::Deserialize;

/// An error or a warning; lines and columns count from one, in the text that came.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Diagnostic {
    /// Such as `CS0103`.
    pub id: String,
    pub error: bool,
    pub message: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub column: u32,
    #[serde(default)]
    pub end_line: u32,
    #[serde(default)]
    pub end_column: u32,
    /// The part of the files that it is about; none when it is about the project.
    #[serde(default)]
    pub(crate) item: Option<usize>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = if self.error { "error" } else { "warning" };
        if self.line > 0 {
            write!(f, "({},{}): ", self.line, self.column)?;
        }
        write!(f, "{severity} {}: {}", self.id, self.message)
    }
}
