//! What tests cover, line by line.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The lines of an assembly that tests were measured on.
#[derive(Clone, Debug, Default)]
pub struct CodeCoverage {
    /// Name of the assembly, without its extension.
    pub assembly: String,
    /// In the order of metadata tokens; a method with lines in several files is there for each.
    pub methods: Vec<MethodLines>,
    /// The folder that paths are relative to.
    pub root: Option<String>,
}

/// The lines of a method in one file.
#[derive(Clone, Debug)]
pub struct MethodLines {
    /// `Namespace.Type::Method(Full.Param.Types)`.
    pub id: String,
    /// Path of the file.
    pub file: String,
    /// By number. A statement counts for the line that it begins in.
    pub lines: BTreeMap<u32, LineHits>,
}

/// How often a line was executed.
#[derive(Clone, Debug, Default)]
pub struct LineHits {
    /// The number of tests that execute it.
    pub tests: u64,
    /// The jumps that are decided there.
    pub jumps: Vec<Jump>,
}

/// A conditional jump or switch: the number of tests that take each of its ways.
#[derive(Clone, Debug, Default)]
pub struct Jump {
    pub ways: Vec<u64>,
    /// What is proven of each way that no test takes, in the same order.
    pub proofs: Vec<Proof>,
}

/// What is known of a way that no test takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// Nothing.
    #[default]
    Open,
    /// No input takes it.
    Unreachable,
    /// No input takes it if the assumptions of the method hold.
    UnreachableAssuming,
}

/// So many of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub covered: u64,
    pub all: u64,
}

impl Share {
    pub fn add(&mut self, other: Share) {
        self.covered += other.covered;
        self.all += other.all;
    }

    /// Of nothing, everything is covered.
    pub fn rate(self) -> String {
        if self.all == 0 { "1".to_owned() } else { format!("{:.4}", self.covered as f64 / self.all as f64) }
    }
}

impl LineHits {
    /// Takes in what else is in the line.
    pub fn add(&mut self, other: LineHits) {
        self.tests = self.tests.max(other.tests);
        self.jumps.extend(other.jumps);
    }

    pub(super) fn ways(&self) -> Share {
        let ways = || self.jumps.iter().flat_map(|jump| &jump.ways);
        Share { covered: ways().filter(|tests| **tests > 0).count() as u64, all: ways().count() as u64 }
    }
}

/// Lines and ways of a part.
pub(super) fn shares<'a>(lines: impl Iterator<Item = &'a LineHits>) -> (Share, Share) {
    let (mut of_lines, mut of_ways) = (Share::default(), Share::default());
    for line in lines {
        of_lines.add(Share { covered: u64::from(line.tests > 0), all: 1 });
        of_ways.add(line.ways());
    }
    (of_lines, of_ways)
}

/// The lines of several methods together.
pub(super) fn merged<'a>(methods: impl Iterator<Item = &'a MethodLines>) -> BTreeMap<u32, LineHits> {
    let mut lines: BTreeMap<u32, LineHits> = BTreeMap::new();
    for (number, hits) in methods.flat_map(|method| &method.lines) {
        lines.entry(*number).or_default().add(hits.clone());
    }
    lines
}

impl CodeCoverage {
    /// Gives every file another name, one that leads a reader to it.
    pub fn rename_files(&mut self, mut name: impl FnMut(&str) -> String) {
        self.methods.iter_mut().for_each(|method| method.file = name(&method.file));
    }

    /// The methods by what the function says of them, each in the order in which they are here.
    pub(super) fn by<'a, K: Ord>(
        &'a self,
        key: impl Fn(&'a MethodLines) -> K,
    ) -> BTreeMap<K, Vec<&'a MethodLines>> {
        let mut groups: BTreeMap<K, Vec<&MethodLines>> = BTreeMap::new();
        for method in &self.methods {
            groups.entry(key(method)).or_default().push(method);
        }
        groups
    }
}
