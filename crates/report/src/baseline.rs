//! Findings that are known already: a file that hides them, so that a run tells only what is new.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use verdict::FindingKind;

use crate::summary::{Bug, Summary};

pub const BASELINE_SCHEMA: &str = "cilantro/baseline@1";

/// What is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Baseline {
    pub schema: String,
    /// In a stable order, so that a diff of the file is small.
    pub findings: BTreeSet<Known>,
}

/// A group of exceptions with the same cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Known {
    pub kind: FindingKind,
    pub group: String,
}

impl Known {
    fn of(bug: &Bug) -> Option<Known> {
        (!bug.group.is_empty()).then(|| Known { kind: bug.kind, group: bug.group.clone() })
    }
}

impl Baseline {
    /// All exceptions of a run that leave a method, confirmed or not.
    pub fn of(summary: &Summary) -> Baseline {
        let bugs = summary.methods.iter().flat_map(|method| &method.bugs);
        Baseline { schema: BASELINE_SCHEMA.to_owned(), findings: bugs.filter_map(Known::of).collect() }
    }

    /// Reads a baseline; the error says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Baseline, String> {
        let baseline: Baseline = serde_json::from_str(text).map_err(|error| error.to_string())?;
        match baseline.schema.as_str() {
            BASELINE_SCHEMA => Ok(baseline),
            other => Err(format!("its schema is {other}, not {BASELINE_SCHEMA}")),
        }
    }

    /// Marks what is known in a summary.
    pub fn apply(&self, summary: &mut Summary) {
        for bug in summary.methods.iter_mut().flat_map(|method| &mut method.bugs) {
            bug.known = Known::of(bug).is_some_and(|known| self.findings.contains(&known));
        }
    }
}
