//! From what was explored and replayed to what is reported. Whatever is in doubt counts as left out.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use report::{Bug, Coverage, Incomplete, Method, Reason, Replay, Runtime, Stats, Summary, Verdict};
use testgen::case::Case;

use super::backend::{Exploration, FoundCase, Replayed};
use super::inputs;
use super::target::{Edge, Shape, Target};

/// A run that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    /// None when the time ran out before the assembly was read.
    pub assembly: Option<String>,
    pub runtime: Option<Runtime>,
    pub records: Vec<MethodRecord>,
    pub stopped: Option<Reason>,
    pub elapsed: Duration,
}

/// What became of one method.
#[derive(Clone, Debug)]
pub struct MethodRecord {
    pub target: Target,
    /// Each with more time than the one before.
    pub attempts: Vec<Attempt>,
}

/// One exploration of a method.
#[derive(Clone, Debug)]
pub struct Attempt {
    pub exploration: Exploration,
    /// One per case of the exploration, once they were replayed.
    pub replayed: Option<Vec<Replayed>>,
}

impl MethodRecord {
    pub fn new(target: Target) -> MethodRecord {
        MethodRecord { target, attempts: Vec::new() }
    }

    /// The attempt that counts: what was replayed outranks what was not, then what is finished, then what covers more.
    fn best(&self) -> Option<&Attempt> {
        self.attempts.iter().max_by_key(|attempt| {
            let found = &attempt.exploration;
            let settled = found.cases.is_empty() || attempt.replayed.is_some();
            let branches: BTreeSet<Edge> =
                found.cases.iter().flat_map(|c| c.branches.iter().copied()).collect();
            (settled && !found.cases.is_empty(), found.incomplete.is_empty(), branches.len())
        })
    }
}

impl Finished {
    /// The summary; `assembly` is the name to use when the assembly was never read.
    pub fn summary(&self, assembly: &str) -> Summary {
        let mut summary = Summary::new(self.assembly.as_deref().unwrap_or(assembly));
        summary.runtime = self.runtime.clone();
        summary.elapsed_ms = u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX);
        summary.stopped = self.stopped;
        summary.methods = self.records.iter().map(|record| method(record, self.stopped)).collect();
        summary
    }

    /// The test cases of the suite: those that the real runtime did not contradict.
    pub fn suite(&self) -> Vec<Case> {
        let kept = self.records.iter().flat_map(|r| judged(r, self.stopped).kept);
        kept.map(|(found, _)| found.case.clone()).collect()
    }
}

/// The cases of one method, by what the real runtime said.
#[derive(Default)]
struct Judged<'a> {
    /// With the message of the exception when it was confirmed.
    kept: Vec<(&'a FoundCase, Confirmation)>,
    replay: Replay,
    doubts: Vec<Incomplete>,
}

enum Confirmation {
    Confirmed(Option<String>),
    Unconfirmed,
}

fn method(record: &MethodRecord, stopped: Option<Reason>) -> Method {
    let judged = judged(record, stopped);
    let mut incomplete = judged.doubts;
    let (mut proven, stats) = match record.best() {
        Some(Attempt { exploration, .. }) => {
            incomplete.extend(exploration.incomplete.iter().cloned());
            (exploration.proven_unreachable.clone(), exploration.stats)
        }
        None => {
            incomplete.push(never_finished(stopped));
            (Vec::new(), Stats::default())
        }
    };
    if judged.replay.failed > 0 {
        // The engine was wrong about this method once; its proofs are worth nothing.
        proven.clear();
    }
    let coverage = coverage(&record.target.shape, &judged.kept, &proven, &mut incomplete);
    let mut method = Method {
        id: record.target.id.clone(),
        token: format!("{:#010x}", record.target.token),
        source: record.target.source.clone(),
        verdict: Verdict::Incomplete,
        incomplete,
        coverage,
        tests: judged.kept.len() as u64,
        replay: judged.replay,
        bugs: bugs(&judged.kept),
        stats,
    };
    method.settle();
    method
}

fn never_finished(stopped: Option<Reason>) -> Incomplete {
    let detail = "not explored to an end before the run was over".to_owned();
    Incomplete { reason: stopped.unwrap_or(Reason::Timeout), detail, at: None }
}

fn judged(record: &MethodRecord, stopped: Option<Reason>) -> Judged<'_> {
    let mut judged = Judged::default();
    let best = record.best();
    let cases = best.iter().flat_map(|attempt| &attempt.exploration.cases);
    let mut results = best.iter().flat_map(|attempt| &attempt.replayed).flatten();
    let mut skipped: BTreeMap<(Reason, &str), u64> = BTreeMap::new();
    for found in cases {
        match results.next() {
            Some(Replayed::Passed { message }) => {
                judged.replay.passed += 1;
                judged.kept.push((found, Confirmation::Confirmed(message.clone())));
            }
            Some(Replayed::Failed { detail }) => {
                judged.replay.failed += 1;
                judged.doubts.push(mismatch(found, detail));
            }
            Some(Replayed::Skipped { detail }) => {
                *skipped.entry((Reason::ReplayUnavailable, detail)).or_default() += 1;
                judged.kept.push((found, Confirmation::Unconfirmed));
            }
            None => {
                *skipped.entry((stopped.unwrap_or(Reason::Timeout), "not replayed in time")).or_default() +=
                    1;
                judged.kept.push((found, Confirmation::Unconfirmed));
            }
        }
    }
    for ((reason, why), count) in skipped {
        judged.replay.skipped += count;
        let tests = if count == 1 { "test" } else { "tests" };
        judged.doubts.push(Incomplete { reason, detail: format!("{count} {tests}: {why}"), at: None });
    }
    judged
}

fn mismatch(found: &FoundCase, detail: &str) -> Incomplete {
    let inputs: Vec<String> =
        inputs::of(&found.case).into_iter().map(|i| format!("{} = {}", i.name, i.value)).collect();
    let with = if inputs.is_empty() { String::new() } else { format!(" with {}", inputs.join(", ")) };
    let detail = format!("{}{with}: {detail}", found.case.name);
    Incomplete { reason: Reason::ReplayMismatch, detail, at: None }
}

fn coverage(
    shape: &Shape,
    kept: &[(&FoundCase, Confirmation)],
    proven: &[Edge],
    incomplete: &mut Vec<Incomplete>,
) -> Coverage {
    let instructions: BTreeSet<u32> =
        kept.iter().flat_map(|(found, _)| found.instructions.iter().copied()).collect();
    let taken: BTreeSet<Edge> = kept.iter().flat_map(|(found, _)| found.branches.iter().copied()).collect();
    let proven: BTreeSet<Edge> = proven.iter().copied().collect();
    let covered: Vec<_> = shape.instructions.iter().filter(|i| instructions.contains(&i.offset)).collect();
    let count = |edges: &BTreeSet<Edge>| shape.branches.iter().filter(|b| edges.contains(b)).count() as u64;
    let coverage = Coverage {
        instructions: shape.instructions.len() as u64,
        covered_instructions: covered.len() as u64,
        branches: shape.branches.len() as u64,
        covered_branches: count(&taken),
        proven_unreachable_branches: count(&proven),
        il_bytes: shape.il_bytes(),
        covered_il_bytes: covered.iter().map(|i| u64::from(i.size)).sum(),
    };
    check_proofs(&coverage, taken.intersection(&proven).next(), incomplete);
    coverage
}

/// A branch that is both, or a finished exploration with a branch that is neither, is a defect and must not look well.
fn check_proofs(coverage: &Coverage, both: Option<&Edge>, incomplete: &mut Vec<Incomplete>) {
    let mut defect = |detail: String, at: Option<String>| {
        incomplete.push(Incomplete { reason: Reason::InternalError, detail, at });
    };
    if let Some(edge) = both {
        defect("a branch is both covered and proven unreachable".to_owned(), Some(place(edge.from)));
    }
    let decided = coverage.covered_branches + coverage.proven_unreachable_branches;
    if incomplete.is_empty() && decided < coverage.branches {
        let open = coverage.branches - decided;
        let detail =
            format!("{open} of {} branches are neither covered nor proven unreachable", coverage.branches);
        incomplete.push(Incomplete { reason: Reason::InternalError, detail, at: None });
    }
}

/// One bug per exception type and place; a confirmed case is preferred.
fn bugs(kept: &[(&FoundCase, Confirmation)]) -> Vec<Bug> {
    let mut by_site: BTreeMap<(Option<u32>, &str), Bug> = BTreeMap::new();
    for (found, confirmation) in kept {
        let Some(site) = &found.bug else { continue };
        let (replayed, message) = match confirmation {
            Confirmation::Confirmed(message) => (true, message.as_ref()),
            Confirmation::Unconfirmed => (false, None),
        };
        let key = (site.at, site.exception.as_str());
        if by_site.get(&key).is_some_and(|known| known.replayed || !replayed) {
            continue;
        }
        let bug = Bug {
            exception: site.exception.clone(),
            message: message.unwrap_or(&site.message).clone(),
            at: site.at.map(place),
            source: site.source.clone(),
            replayed,
            test: found.case.name.clone(),
            inputs: inputs::of(&found.case),
        };
        by_site.insert(key, bug);
    }
    by_site.into_values().collect()
}

fn place(offset: u32) -> String {
    format!("IL_{offset:04x}")
}
