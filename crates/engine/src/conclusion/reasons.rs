//! Why each test of a suite exists: what it shows and no other test of its method does.

use std::collections::BTreeMap;

use case::path::{Branch, NamedValue, Only, PathRecord};
use case::type_facts::TypeFacts;

use super::suite::{Identity, Kept};
use super::{inputs, place};
use crate::subject::target::{Edge, Target};

/// Branches that are listed.
const MOST_BRANCHES: usize = 12;

/// One record per test of a method.
pub(super) fn of(target: &Target, kept: &[Kept<'_>], types: &dyn TypeFacts) -> Vec<PathRecord> {
    let shown = Shown::by(target, kept);
    kept.iter()
        .map(|kept| PathRecord {
            test: kept.case.name.clone(),
            method: kept.case.method.id.clone(),
            inputs: named(inputs::of(&kept.case, types)),
            only: shown.only(target, kept),
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
    /// Of its bodies, by their tokens.
    branches: BTreeMap<(u32, Edge), u32>,
    instructions: BTreeMap<(u32, u32), u32>,
    exceptions: BTreeMap<Identity<'a>, u32>,
    returns: u32,
}

impl<'a> Shown<'a> {
    fn by(target: &Target, tests: &[Kept<'a>]) -> Shown<'a> {
        let mut shown = Shown::default();
        for kept in tests {
            for edge in branches(target, kept) {
                *shown.branches.entry(edge).or_default() += 1;
            }
            for place in instructions(target, kept) {
                *shown.instructions.entry(place).or_default() += 1;
            }
            match &kept.found.bug {
                Some(site) => *shown.exceptions.entry(site.identity()).or_default() += 1,
                None => shown.returns += 1,
            }
        }
        shown
    }

    fn only(&self, target: &Target, kept: &Kept<'_>) -> Only {
        let found = kept.found;
        let is_only = |count: Option<&u32>| count == Some(&1);
        let edges = branches(target, kept).filter(|edge| is_only(self.branches.get(edge)));
        let branch = |(body, edge): (u32, Edge)| {
            let from = place(edge.from);
            let is_own = body == target.token;
            let step =
                found.path.steps.iter().find(|step| is_own && step.method.is_none() && step.at == from);
            Branch { line: step.and_then(|step| step.line.clone()), from, to: place(edge.to) }
        };
        let instructions = instructions(target, kept);
        let instructions = instructions.filter(|place| is_only(self.instructions.get(place))).count();
        Only {
            exception: found.bug.as_ref().is_some_and(|site| is_only(self.exceptions.get(&site.identity()))),
            returns: found.bug.is_none() && self.returns == 1,
            branches: edges.take(MOST_BRANCHES).map(branch).collect(),
            instructions: u32::try_from(instructions).unwrap_or(u32::MAX),
        }
    }
}

/// The branches of the method that a test takes, and of the parts that the compiler made of it.
fn branches<'a>(target: &'a Target, kept: &'a Kept<'_>) -> impl Iterator<Item = (u32, Edge)> + 'a {
    target.bodies.iter().flat_map(|body| {
        let taken = kept.taken.methods.get(&body.token);
        let edges = taken.into_iter().flat_map(|taken| &taken.branches);
        edges.filter(|edge| body.goals.branches.contains(edge)).map(|edge| (body.token, *edge))
    })
}

fn instructions<'a>(target: &'a Target, kept: &'a Kept<'_>) -> impl Iterator<Item = (u32, u32)> + 'a {
    target.bodies.iter().flat_map(|body| {
        let taken = kept.taken.methods.get(&body.token);
        let offsets = taken.map(|taken| taken.executed(&body.goals)).unwrap_or_default();
        offsets.into_iter().map(|offset| (body.token, offset))
    })
}
