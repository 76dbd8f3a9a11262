//! From what was explored and replayed to what is reported. Whatever is in doubt counts as left out.

mod initializers;
pub(crate) mod inputs;
pub(crate) mod lines;
mod reasons;
mod suite;
mod zone;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use case::Case;
use case::path::PathRecord;
use case::type_facts::TypeFacts;
use report::{
    Bug, Construction, Coverage, Incomplete, Method, Reason, Replay, Stats, Summary, Verdict, place,
};

use self::initializers::Initializers;
pub use self::suite::{CaseId, Settled};
use self::suite::{Confirmation, Kept, MethodSuite, suites};
use crate::session::backend::CauseSite;
use crate::session::record::{Attempt, Finished, MethodRecord};
use crate::subject::instruments::{Measured, Taken};
use crate::subject::target::{Edge, Target};

/// What a run comes to.
#[derive(Clone, Debug)]
pub struct Conclusion {
    pub summary: Summary,
    /// The tests, with their names, in the order of methods.
    pub suite: Vec<Case>,
    /// Which of the found cases each of them is.
    pub ids: Vec<CaseId>,
    /// Whether the real runtime confirmed each, or why not: nothing else is written.
    pub confirmed: Vec<Result<(), String>>,
    /// Why each of them exists.
    pub paths: Vec<PathRecord>,
    /// What all of them together went through: once for each test.
    pub(crate) covered: Arc<Measured>,
}

impl Finished {
    /// Chooses and names the tests and sums up. `assembly` is the name to use when the assembly was never read.
    pub fn conclude(&self, assembly: &str, types: &dyn TypeFacts) -> Conclusion {
        self.conclude_settled(assembly, &Settled::default(), types)
    }

    /// The same when something is settled about the tests already.
    pub fn conclude_settled(&self, assembly: &str, settled: &Settled, types: &dyn TypeFacts) -> Conclusion {
        let mut summary = Summary::new(self.assembly.as_deref().unwrap_or(assembly));
        summary.runtime = self.runtime.clone();
        summary.elapsed_ms = u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX);
        summary.stopped = self.stopped;
        summary.excluded = self.excluded.clone();
        let (mut suite, mut paths) = (Vec::new(), Vec::new());
        let (mut ids, mut confirmed) = (Vec::new(), Vec::new());
        let initializers = Initializers::of(self);
        let suites = suites(self, settled, &initializers, types);
        let mut covered = covered(&suites);
        initializers.cover(&suites, &mut covered);
        let all_lost = suites.iter().map(|suite| suite.lost.len()).sum();
        summary.reflection = zone::reflection(&suites, types);
        for (record, tests) in self.records.iter().zip(suites) {
            // Tests of others run a static constructor.
            let lost = if record.target.is_initializer() { all_lost } else { tests.lost.len() };
            summary.methods.push(method(record, &tests, &covered, lost, self.stopped, types));
            paths.extend(reasons::of(&record.target, &tests.kept, types));
            for kept in tests.kept {
                ids.push(kept.id);
                confirmed.push(kept.confirmation.verdict());
                suite.push(kept.case);
            }
        }
        summary.zone = Some(zone::zone(self, &summary.methods, &covered));
        Conclusion { summary, suite, paths, ids, confirmed, covered: Arc::new(covered) }
    }
}

fn method(
    record: &MethodRecord,
    suite: &MethodSuite<'_>,
    covered: &Measured,
    lost: usize,
    stopped: Option<Reason>,
    types: &dyn TypeFacts,
) -> Method {
    let mut incomplete = suite.mismatches.clone();
    incomplete.extend(unconfirmed(suite.kept.iter().chain(&suite.lost)));
    let (mut assumptions, mut loops) = (Vec::new(), Vec::new());
    let (mut proven, mut certain, stats) = match record.best() {
        Some(Attempt { exploration, .. }) => {
            incomplete.extend(exploration.incomplete.iter().cloned());
            assumptions.clone_from(&exploration.assumptions);
            loops.clone_from(&exploration.certificate);
            let certain = exploration.certainly_unreachable.clone();
            (exploration.proven_unreachable.clone(), certain, exploration.stats)
        }
        None => {
            incomplete.push(never_finished(stopped));
            (Vec::new(), Vec::new(), Stats::default())
        }
    };
    if !suite.mismatches.is_empty() {
        // The engine was wrong about this method once; its proofs are worth nothing.
        proven.clear();
        certain.clear();
        loops.clear();
    }
    // What the runtime did is a finding, whether or not there is C# that shows it.
    let shown = suite.kept.iter().chain(&suite.lost).chain(&suite.beyond);
    let (broken_inputs, bugs) = bugs(shown, types).into_iter().partition(|bug: &Bug| !bug.breaks.is_empty());
    let assuming = if assumptions.is_empty() { Vec::new() } else { proven.clone() };
    if assumptions.is_empty() {
        certain = proven;
    }
    let proofs = Proofs::of(certain, assuming);
    let coverage = coverage(&record.target, covered, &proofs, lost, &mut incomplete);
    let mut method = Method {
        id: record.target.id.clone(),
        token: format!("{:#010x}", record.target.token),
        source: record.target.source.clone(),
        verdict: Verdict::Incomplete,
        incomplete,
        assumptions,
        loops,
        coverage,
        tests: suite.kept.len() as u64,
        replay: replay(suite),
        bugs,
        broken_inputs,
        unwritten: suite.unwritten.clone(),
        stats,
    };
    method.settle();
    method
}

fn never_finished(stopped: Option<Reason>) -> Incomplete {
    let detail = "not explored to an end before the run was over".to_owned();
    Incomplete { reason: stopped.unwrap_or(Reason::Timeout), detail, at: None }
}

fn replay(suite: &MethodSuite<'_>) -> Replay {
    let passed = suite.kept.iter().filter(|kept| kept.confirmation.is_confirmed()).count() as u64;
    Replay { passed, failed: suite.mismatches.len() as u64, skipped: suite.kept.len() as u64 - passed }
}

/// The tests that were not replayed, by reason.
fn unconfirmed<'a>(suite: impl Iterator<Item = &'a Kept<'a>>) -> Vec<Incomplete> {
    let mut counts: BTreeMap<(Reason, &str), u64> = BTreeMap::new();
    for kept in suite {
        if let Confirmation::Unconfirmed { reason, why } = kept.confirmation {
            *counts.entry((reason, why)).or_default() += 1;
        }
    }
    let told = |((reason, why), count): ((Reason, &str), u64)| {
        let tests = if count == 1 { "test" } else { "tests" };
        Incomplete { reason, detail: format!("{count} {tests}: {why}"), at: None }
    };
    counts.into_iter().map(told).collect()
}

/// What all tests together went through, as far as the real runtime confirmed them.
fn covered(suites: &[MethodSuite<'_>]) -> Measured {
    let mut covered = Measured::default();
    for kept in suites.iter().flat_map(|suite| &suite.kept) {
        if kept.confirmation.is_confirmed() {
            covered.add(&kept.taken);
        }
    }
    covered
}

/// The branches that are proven in any world, and those that are only under assumptions.
struct Proofs {
    certain: BTreeSet<(u32, Edge)>,
    assuming: BTreeSet<(u32, Edge)>,
}

impl Proofs {
    fn of(certain: Vec<(u32, Edge)>, assuming: Vec<(u32, Edge)>) -> Proofs {
        let certain: BTreeSet<(u32, Edge)> = certain.into_iter().collect();
        let assuming = assuming.into_iter().filter(|edge| !certain.contains(edge)).collect();
        Proofs { certain, assuming }
    }
}

fn coverage(
    target: &Target,
    covered: &Measured,
    proofs: &Proofs,
    lost: usize,
    incomplete: &mut Vec<Incomplete>,
) -> Coverage {
    let mut coverage = Coverage::default();
    let mut both = None;
    for body in &target.bodies {
        let none = Taken::default();
        let taken = covered.methods.get(&body.token).unwrap_or(&none);
        let executed = taken.executed(&body.goals);
        let branches: BTreeSet<Edge> = taken.branches.iter().copied().collect();
        let goals = &body.goals;
        let reached = || goals.instructions.iter().filter(|span| executed.contains(&span.offset));
        let is_proven = |edge: &&Edge| proofs.certain.contains(&(body.token, **edge));
        let is_taken = |edge: &&Edge| branches.contains(edge);
        coverage.instructions += goals.instructions.len() as u64;
        coverage.covered_instructions += reached().count() as u64;
        coverage.branches += goals.branches.len() as u64;
        coverage.covered_branches += goals.branches.iter().filter(is_taken).count() as u64;
        let is_assumed = |edge: &&Edge| proofs.assuming.contains(&(body.token, **edge)) && !is_taken(edge);
        coverage.proven_assuming_branches += goals.branches.iter().filter(is_assumed).count() as u64;
        coverage.proven_unreachable_branches += goals.branches.iter().filter(is_proven).count() as u64;
        both = both.or_else(|| goals.branches.iter().filter(is_taken).find(is_proven).copied());
        coverage.il_bytes += goals.il_bytes();
        coverage.covered_il_bytes += reached().map(|span| u64::from(span.size)).sum::<u64>();
    }
    check_proofs(&coverage, both.as_ref(), lost, incomplete);
    coverage
}

/// A branch that is both, or a finished exploration with a branch that is neither, is a defect and must not look well;
/// but tests that could not be written may have been the only ones that cover a branch.
fn check_proofs(coverage: &Coverage, both: Option<&Edge>, lost: usize, incomplete: &mut Vec<Incomplete>) {
    if let Some(edge) = both {
        let detail = "a branch is both covered and proven unreachable".to_owned();
        incomplete.push(Incomplete { reason: Reason::InternalError, detail, at: Some(place(edge.from)) });
    }
    let proven = coverage.proven_unreachable_branches + coverage.proven_assuming_branches;
    let decided = coverage.covered_branches + proven;
    if incomplete.is_empty() && decided < coverage.branches {
        let open = coverage.branches - decided;
        let detail =
            format!("{open} of {} branches are neither covered nor proven unreachable", coverage.branches);
        let reason = if lost > 0 { Reason::NotWritten } else { Reason::InternalError };
        incomplete.push(Incomplete { reason, detail, at: None });
    }
}

/// One bug per exception type, place and kind, and per cause of a crash; a confirmed case is preferred, then a short one.
fn bugs<'a>(suite: impl Iterator<Item = &'a Kept<'a>>, types: &dyn TypeFacts) -> Vec<Bug> {
    let mut by_site: BTreeMap<_, Bug> = BTreeMap::new();
    for kept in suite {
        let Some(site) = &kept.found.bug else { continue };
        let message = match kept.confirmation {
            Confirmation::Confirmed(message) => message,
            Confirmation::Unconfirmed { .. } => None,
        };
        let replayed = kept.confirmation.is_confirmed();
        let key = site.identity();
        let construction = match kept.case.made_by_reflection()[..] {
            [] => Construction::Public,
            _ => Construction::Reflection,
        };
        let worth = |known: &Bug| {
            (known.breaks.is_empty(), known.replayed, known.construction == Construction::Public)
        };
        let own_worth = (kept.case.breaks.is_empty(), replayed, construction == Construction::Public);
        if by_site.get(&key).is_some_and(|known| worth(known) >= own_worth) {
            continue;
        }
        let bug = Bug {
            exception: site.exception.clone(),
            message: message.unwrap_or(&site.message).to_owned(),
            at: site.at.map(place),
            source: site.source.clone(),
            replayed,
            test: kept.case.name.clone(),
            inputs: inputs::of(&kept.case, types),
            construction,
            breaks: kept.case.breaks.clone(),
            kind: site.kind,
            group: site.cause.as_ref().map(|cause| cause.group.clone()).unwrap_or_default(),
            place: site.cause.as_ref().map(CauseSite::origin),
            known: false,
        };
        by_site.insert(key, bug);
    }
    by_site.into_values().collect()
}
