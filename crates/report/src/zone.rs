//! What is covered of code that no test calls by itself.
//!
//! A private method has no tests of its own: its branches are covered through the methods that call it, by whichever test
//! the real runtime was seen to take them in.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::count;

/// Which code is counted beside the methods that were explored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ZoneKind {
    /// None: each method by itself.
    Method,
    /// The types that these methods are in, and what is nested there.
    Type,
    #[default]
    Assembly,
}

/// What all tests together cover, method by method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Zone {
    pub kind: ZoneKind,
    pub branches: u64,
    pub covered_branches: u64,
    /// In the order of metadata tokens.
    pub methods: Vec<ZoneMethod>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ZoneMethod {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub id: String,
    /// `0x06000012`.
    pub token: String,
    /// It was explored in its own right, and is one of the methods of the summary.
    pub entry: bool,
    pub branches: u64,
    pub covered_branches: u64,
}

/// A reason why tests use reflection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reflected {
    /// In words: `the field items is not public`.
    pub cause: String,
    /// How many tests have it.
    pub tests: u64,
}

impl Zone {
    pub fn of(kind: ZoneKind, mut methods: Vec<ZoneMethod>) -> Zone {
        methods.sort_by(|a, b| a.token.cmp(&b.token));
        let branches = methods.iter().map(|method| method.branches).sum();
        let covered_branches = methods.iter().map(|method| method.covered_branches).sum();
        Zone { kind, branches, covered_branches, methods }
    }

    /// A line about it, if it has more than the methods that were explored.
    pub(crate) fn line(&self) -> Option<String> {
        let hidden = self.methods.iter().filter(|method| !method.entry).count() as u64;
        let part = match self.kind {
            ZoneKind::Method => return None,
            ZoneKind::Type => "types",
            ZoneKind::Assembly => "assembly",
        };
        let (covered, branches) = (self.covered_branches, self.branches);
        let others = count(hidden, "method");
        (hidden > 0).then(|| {
            format!(
                "With {others} that no test calls by itself, {covered} of {branches} branches of the {part} are covered."
            )
        })
    }
}
