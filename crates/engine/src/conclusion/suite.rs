//! The test suite: what the real runtime did not contradict, no more tests than needed, named.

use std::collections::{BTreeMap, BTreeSet};

use case::Case;
use case::construct::{note_broken_rules, plan_objects};
use case::path::{PathRecord, Step, StepKind};
use case::type_facts::TypeFacts;
use csharp::{name_cases, name_cases_of_paths};
use report::{FindingKind, Incomplete, NotWritten, Reason, Unwritten};
use testgen::{Merits, minimize};

use crate::conclusion::initializers::Initializers;
use crate::conclusion::inputs;
use crate::conclusion::zone;
use crate::session::backend::{BugSite, FoundCase, Replayed};
use crate::session::record::{Finished, MethodRecord};
use crate::subject::instruments::{Measured, Taken};
use crate::subject::target::{Edge, Target};

/// The tests of one method, and the ones it lost.
#[derive(Default)]
pub(super) struct MethodSuite<'a> {
    pub kept: Vec<Kept<'a>>,
    /// One per test that the real runtime contradicted.
    pub mismatches: Vec<Incomplete>,
    /// Those that are not written, without names, and what is said about them.
    pub lost: Vec<Kept<'a>>,
    pub unwritten: Vec<Unwritten>,
    /// Those whose objects only reflection makes and that cover nothing else: what they show is said, and no test is written.
    pub beyond: Vec<Kept<'a>>,
}

/// A case, by the place of its method and its own among what was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseId {
    pub record: usize,
    pub case: usize,
}

/// What is already settled about the tests before the suite is chosen.
#[derive(Clone, Debug, Default)]
pub struct Settled {
    /// Cases that turned out not to be writable, and why.
    pub dropped: BTreeMap<CaseId, (NotWritten, String)>,
    /// Cases that stay tests of their own: the test that they were rows of does not hold, and which of them is to blame is
    /// not known.
    pub apart: BTreeSet<CaseId>,
    /// The very tests that are written, with their names; none if that is still open.
    pub written: Option<BTreeMap<CaseId, String>>,
}

/// A test of the suite. `case` is that of `found`, with its final name and the ways its objects are made.
pub(super) struct Kept<'a> {
    pub id: CaseId,
    pub case: Case,
    pub found: &'a FoundCase,
    pub confirmation: Confirmation<'a>,
    /// What the runtime went through; what was predicted, where nothing was measured.
    pub taken: Measured,
}

#[derive(Clone, Copy)]
pub(super) enum Confirmation<'a> {
    /// With the message of the exception, when one was thrown.
    Confirmed(Option<&'a str>),
    Unconfirmed {
        reason: Reason,
        why: &'a str,
    },
}

impl Confirmation<'_> {
    pub fn is_confirmed(self) -> bool {
        matches!(self, Confirmation::Confirmed(_))
    }

    /// Why the real runtime did not confirm it, if it did not.
    pub fn verdict(self) -> Result<(), String> {
        match self {
            Confirmation::Confirmed(_) => Ok(()),
            Confirmation::Unconfirmed { why, .. } => Err(why.to_owned()),
        }
    }
}

/// One suite per record, in their order.
pub(super) fn suites<'a>(
    finished: &'a Finished,
    settled: &Settled,
    initializers: &Initializers,
    types: &dyn TypeFacts,
) -> Vec<MethodSuite<'a>> {
    let mut suites: Vec<MethodSuite<'a>> = Vec::new();
    let mut left: Vec<Vec<Kept<'a>>> = Vec::new();
    for (index, record) in finished.records.iter().enumerate() {
        let mut judged = judged(index, record, finished.stopped, initializers, types);
        judged.leave_out(settled, types);
        judged.leave_unmakeable(record, types);
        match &settled.written {
            Some(written) => judged.kept.retain(|kept| written.contains_key(&kept.id)),
            None => left.push(judged.leave_superfluous(record, types)),
        }
        suites.push(judged);
    }
    if settled.written.is_none() {
        zone::keep_for_hidden(finished, &mut suites, left);
        initializers.leave_to_others(finished, &mut suites);
    }
    name(&mut suites, types);
    if let Some(written) = &settled.written {
        for kept in suites.iter_mut().flat_map(|suite| &mut suite.kept) {
            if let Some(name) = written.get(&kept.id) {
                kept.case.name.clone_from(name);
            }
        }
    }
    suites
}

impl MethodSuite<'_> {
    /// Takes out what cannot be written; something else may show the same.
    fn leave_out(&mut self, settled: &Settled, types: &dyn TypeFacts) {
        let is_dropped = |kept: &mut Kept<'_>| settled.dropped.contains_key(&kept.id);
        self.lost = self.kept.extract_if(.., is_dropped).collect();
        for lost in &self.lost {
            let Some((reason, detail)) = settled.dropped.get(&lost.id) else { continue };
            let mut named = [lost.case.clone()];
            name_cases(&mut named, types);
            let [case] = named;
            self.unwritten.push(Unwritten { test: case.name, reason: *reason, detail: detail.clone() });
        }
    }
}

fn judged<'a>(
    index: usize,
    record: &'a MethodRecord,
    stopped: Option<Reason>,
    initializers: &Initializers,
    types: &dyn TypeFacts,
) -> MethodSuite<'a> {
    let mut suite = MethodSuite::default();
    let Some(best) = record.best() else { return suite };
    let mut results = best.replayed.iter().flatten();
    for (number, found) in best.exploration.cases.iter().enumerate() {
        let id = CaseId { record: index, case: number };
        let mut case = None;
        let mut taken = found.taken.clone();
        let confirmation = match results.next() {
            Some(Replayed::Passed { message, case: replayed, measured }) => {
                // What is shipped is what was replayed.
                case = replayed.as_deref();
                if let Some(measured) = measured {
                    suite.mismatches.extend(other_way(&record.target, found, measured, initializers));
                    taken = measured.clone();
                }
                Confirmation::Confirmed(message.as_deref())
            }
            Some(Replayed::Skipped { detail }) => {
                Confirmation::Unconfirmed { reason: Reason::ReplayUnavailable, why: detail }
            }
            Some(Replayed::Failed { detail }) => {
                suite.mismatches.push(mismatch(found, detail, types));
                continue;
            }
            None => Confirmation::Unconfirmed {
                reason: stopped.unwrap_or(Reason::Timeout),
                why: "not replayed in time",
            },
        };
        let case = case.cloned().unwrap_or_else(|| planned(&found.case, types));
        suite.kept.push(Kept { id, case, found, confirmation, taken });
    }
    suite
}

/// A branch of the method that the runtime did not take although it was predicted: a fault of ours.
fn other_way(
    target: &Target,
    found: &FoundCase,
    really: &Measured,
    initializers: &Initializers,
) -> Option<Incomplete> {
    let none = Taken::default();
    let edge = target.bodies.iter().find_map(|body| {
        let really = match target.is_initializer() {
            // It may have run for another case; the parts of it that run later are not looked at.
            true => initializers.taken(body.token)?,
            false => really.methods.get(&body.token).unwrap_or(&none),
        };
        let predicted = found.taken.methods.get(&body.token)?;
        let is_once = |edge: &Edge| {
            !target.is_initializer()
                && found.once.methods.get(&body.token).is_some_and(|once| once.branches.contains(edge))
        };
        predicted.branches.iter().find(|edge| !really.branches.contains(edge) && !is_once(edge))
    })?;
    let detail = format!(
        "the result is as predicted, but the real runtime did not go from {} to {}",
        report::place(edge.from),
        report::place(edge.to)
    );
    let at = Some(report::place(edge.from));
    Some(Incomplete { reason: Reason::ReplayMismatch, detail, at })
}

/// A case that was not run has only the ways that need no trying.
fn planned(case: &Case, types: &dyn TypeFacts) -> Case {
    let mut case = case.clone();
    plan_objects(&mut case, types);
    note_broken_rules(&mut case, types);
    case
}

fn mismatch(found: &FoundCase, detail: &str, types: &dyn TypeFacts) -> Incomplete {
    let inputs: Vec<String> =
        inputs::of(&found.case, types).into_iter().map(|i| format!("{} = {}", i.name, i.value)).collect();
    let with = if inputs.is_empty() { String::new() } else { format!("with {}: ", inputs.join(", ")) };
    Incomplete { reason: Reason::ReplayMismatch, detail: format!("{with}{detail}"), at: None }
}

/// What a test is kept for, besides its bug.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Goal {
    Instruction(u32, u32),
    Branch(u32, Edge),
}

/// What makes a bug another one.
pub(super) type Identity<'a> = (Option<u32>, &'a str, FindingKind, Option<&'a str>);

impl<'a> MethodSuite<'a> {
    /// Takes out what no program can show, as far as anybody knows: objects that only reflection makes, where all that is
    /// covered with them is covered without.
    fn leave_unmakeable(&mut self, record: &MethodRecord, types: &dyn TypeFacts) {
        let is_reflected = |kept: &Kept<'_>| !kept.case.made_by_reflection().is_empty();
        let mut covered = BTreeSet::new();
        for kept in self.kept.iter().filter(|kept| !is_reflected(kept)) {
            covered.extend(merits(&record.target, kept, types).edges);
        }
        if covered.is_empty() {
            return;
        }
        let is_beyond = |kept: &mut Kept<'a>| {
            is_reflected(kept) && merits(&record.target, kept, types).edges.is_subset(&covered)
        };
        self.beyond = self.kept.extract_if(.., is_beyond).collect();
    }

    /// Keeps the fewest tests that show all of the method and its bugs; the others are given back.
    fn leave_superfluous(&mut self, record: &MethodRecord, types: &dyn TypeFacts) -> Vec<Kept<'a>> {
        let merits: Vec<Merits<Goal, Identity<'_>>> =
            self.kept.iter().map(|kept| merits(&record.target, kept, types)).collect();
        let chosen = minimize(&merits);
        drop(merits);
        let mut number = 0;
        let is_superfluous = |_: &mut Kept<'a>| {
            number += 1;
            chosen.binary_search(&(number - 1)).is_err()
        };
        self.kept.extract_if(.., is_superfluous).collect()
    }
}

fn merits<'a>(target: &Target, kept: &Kept<'a>, types: &dyn TypeFacts) -> Merits<Goal, Identity<'a>> {
    let found = kept.found;
    let mut goals = Vec::new();
    for body in &target.bodies {
        let Some(taken) = kept.taken.methods.get(&body.token) else { continue };
        goals.extend(taken.executed(&body.goals).into_iter().map(|at| Goal::Instruction(body.token, at)));
        goals.extend(taken.branches.iter().map(|edge| Goal::Branch(body.token, *edge)));
    }
    // What was confirmed comes first, then what is short to read.
    const DOUBT: u64 = 1 << 32;
    let length: usize = inputs::of(&kept.case, types).iter().map(|input| input.value.len()).sum();
    let mut doubt = if kept.confirmation.is_confirmed() { 0 } else { DOUBT };
    // An input that somebody can make is worth more than one that breaks a rule.
    doubt += if kept.case.breaks.is_empty() { 0 } else { DOUBT / 2 };
    Merits {
        edges: goals.into_iter().collect(),
        bug: found.bug.as_ref().map(BugSite::identity),
        cost: length as u64 + doubt,
    }
}

/// Names are chosen class by class, so that they differ within a class.
fn name(suites: &mut [MethodSuite<'_>], types: &dyn TypeFacts) {
    let mut by_class: BTreeMap<String, Vec<(&mut Case, Vec<String>)>> = BTreeMap::new();
    for kept in suites.iter_mut().flat_map(|suite| &mut suite.kept) {
        let ty = &kept.case.method.ty;
        let definition = ty.split('[').next().unwrap_or(ty).to_owned();
        by_class.entry(definition).or_default().push((&mut kept.case, decided(&kept.found.path)));
    }
    for cases in by_class.values_mut() {
        let mut named: Vec<Case> = cases.iter().map(|(case, _)| (**case).clone()).collect();
        let decided: Vec<Vec<String>> = cases.iter().map(|(_, decided)| decided.clone()).collect();
        name_cases_of_paths(&mut named, &decided, types);
        for ((case, _), named) in cases.iter_mut().zip(named) {
            case.name = named.name;
            case.construction = named.construction;
        }
    }
}

/// What a path decided, in words: what the code under test asks comes last, since it says most.
fn decided(path: &PathRecord) -> Vec<String> {
    let mut steps: Vec<&Step> = path.steps.iter().collect();
    steps.sort_by_key(|step| (step.kind != StepKind::Value, step.inside.is_none(), step.method.is_none()));
    steps.into_iter().map(|step| step.what.clone()).collect()
}
