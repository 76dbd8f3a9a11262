//! The schema `cilantro/lines@1`: what is known of each line of the sources, for whoever shows them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::formats::{CodeCoverage, Jump, LineHits, Proof};

pub const LINES_SCHEMA: &str = "cilantro/lines@1";

/// The lines of all methods that were explored or are counted with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinesFile {
    pub schema: String,
    /// In the order of metadata tokens; a method with lines in several files is there for each.
    pub methods: Vec<LinesOf>,
}

/// The lines of a method in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinesOf {
    /// Id of the method.
    pub method: String,
    /// Path of the file, as the compiler wrote it down.
    pub file: String,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// From 1 on.
    pub line: u32,
    /// The number of tests that execute it.
    pub tests: u64,
    /// The ways of the jumps that are decided there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Way>,
}

/// One outgoing edge of a conditional jump or switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// The number of tests that take it.
    pub tests: u64,
    /// What is known of it if none does.
    #[serde(default, skip_serializing_if = "is_open")]
    pub proof: Proof,
}

fn is_open(proof: &Proof) -> bool {
    *proof == Proof::Open
}

impl From<&CodeCoverage> for LinesFile {
    fn from(coverage: &CodeCoverage) -> LinesFile {
        let methods = coverage.methods.iter().map(|method| LinesOf {
            method: method.id.clone(),
            file: method.file.clone(),
            lines: method.lines.iter().map(|(line, hits)| line_of(*line, hits)).collect(),
        });
        LinesFile { schema: LINES_SCHEMA.to_owned(), methods: methods.collect() }
    }
}

fn line_of(line: u32, hits: &LineHits) -> Line {
    let ways = |jump: &Jump| {
        let proofs = jump.proofs.iter().copied().chain(std::iter::repeat(Proof::Open));
        jump.ways.iter().zip(proofs).map(|(tests, proof)| Way { tests: *tests, proof }).collect::<Vec<_>>()
    };
    Line { line, tests: hits.tests, branches: hits.jumps.iter().flat_map(ways).collect() }
}
