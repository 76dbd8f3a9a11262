//! Why each test of a suite exists: what it shows and no other test of its method does.

use std::collections::BTreeMap;

use case::path::{Branch, NamedValue, Only, PathRecord};
use case::type_facts::TypeFacts;

use super::suite::Kept;
use super::{inputs, place};
use crate::session::backend::FoundCase;
use crate::subject::target::Edge;

/// Branches that are listed.
const MOST_BRANCHES: usize = 12;

/// One record per test of a method.
pub(super) fn of(kept: &[Kept<'_>], types: &dyn TypeFacts) -> Vec<PathRecord> {
    let shown = Shown::by(kept.iter().map(|kept| kept.found));
    kept.iter()
        .map(|kept| PathRecord {
            test: kept.case.name.clone(),
            method: kept.case.method.id.clone(),
            inputs: named(inputs::of(&kept.case, types)),
            only: shown.only(kept.found),
            ..kept.found.path.clone()
        })
        .collect()
}

fn named(inputs: Vec<report::Input>) -> Vec<NamedValue> {
    inputs.into_iter().map(|input| NamedValue { name: input.name, value: input.value }).collect()
}

/// How many tests show each thing.
#[derive(Default)]
struct Shown<'a> {
    branches: BTreeMap<Edge, u32>,
    instructions: BTreeMap<u32, u32>,
    exceptions: BTreeMap<(&'a str, Option<u32>), u32>,
    returns: u32,
}

impl<'a> Shown<'a> {
    fn by(tests: impl Iterator<Item = &'a FoundCase>) -> Shown<'a> {
        let mut shown = Shown::default();
        for found in tests {
            for edge in &found.branches {
                *shown.branches.entry(*edge).or_default() += 1;
            }
            for offset in &found.instructions {
                *shown.instructions.entry(*offset).or_default() += 1;
            }
            match &found.bug {
                Some(site) => *shown.exceptions.entry((&site.exception, site.at)).or_default() += 1,
                None => shown.returns += 1,
            }
        }
        shown
    }

    fn only(&self, found: &FoundCase) -> Only {
        let is_only = |count: Option<&u32>| count == Some(&1);
        let branches = found.branches.iter().filter(|edge| is_only(self.branches.get(edge)));
        let branch = |edge: &Edge| {
            let from = place(edge.from);
            let step = found.path.steps.iter().find(|step| step.method.is_none() && step.at == from);
            Branch { line: step.and_then(|step| step.line.clone()), from, to: place(edge.to) }
        };
        let instructions = found.instructions.iter().filter(|at| is_only(self.instructions.get(at))).count();
        Only {
            exception: found
                .bug
                .as_ref()
                .is_some_and(|site| is_only(self.exceptions.get(&(site.exception.as_str(), site.at)))),
            returns: found.bug.is_none() && self.returns == 1,
            branches: branches.take(MOST_BRANCHES).map(branch).collect(),
            instructions: u32::try_from(instructions).unwrap_or(u32::MAX),
        }
    }
}
