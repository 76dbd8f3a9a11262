//! A file of test cases: the same cases give the same bytes, so that a diff shows what changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Case;
use crate::path::PATHS_SCHEMA;

pub const SCHEMA: &str = "cilantro/case@1";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CaseFile {
    pub schema: String,
    /// The assembly under test, relative to the folder of this file where that is possible.
    pub assembly: String,
    pub cases: Vec<Case>,
}

#[derive(Debug, thiserror::Error)]
pub enum CaseFileError {
    #[error("not a file of test cases: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the schema is `{0}`, and this version reads `{SCHEMA}`")]
    Schema(String),
    #[error("the schema is `{0}`, and this version reads `{PATHS_SCHEMA}`")]
    PathsSchema(String),
}

impl CaseFile {
    /// Sorts the cases by method and name.
    pub fn new(assembly: &str, mut cases: Vec<Case>) -> CaseFile {
        cases.sort_by(|a, b| (&a.method.id, &a.name).cmp(&(&b.method.id, &b.name)));
        CaseFile { schema: SCHEMA.to_owned(), assembly: assembly.to_owned(), cases }
    }

    pub fn from_json(text: &str) -> Result<CaseFile, CaseFileError> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let head: Head = serde_json::from_str(text)?;
        if head.schema != SCHEMA {
            return Err(CaseFileError::Schema(head.schema));
        }
        Ok(serde_json::from_str(text)?)
    }

    /// Pretty-printed JSON that ends with a newline.
    pub fn to_json(&self) -> Result<String, CaseFileError> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
