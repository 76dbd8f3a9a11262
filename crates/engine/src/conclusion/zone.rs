//! The code around the methods that were explored: which tests are kept for it, and what is covered of it in the end.

use std::collections::{BTreeMap, BTreeSet};

use case::Reach;
use case::type_facts::TypeFacts;
use report::{Coverage, Reflected, Zone, ZoneMethod};

use crate::conclusion::suite::{Kept, MethodSuite};
use crate::session::record::Finished;
use crate::subject::instruments::Measured;
use crate::subject::target::{Edge, Target};

/// A branch of a hidden method, or that it is entered at all.
type Goal = (u32, Option<Edge>);

/// Keeps tests that go nowhere new in their own methods, for what they show of hidden ones. What is shown anyway needs
/// none, and one test is enough. `left` are the tests that each method would do without.
pub(super) fn keep_for_hidden<'a>(
    finished: &Finished,
    suites: &mut [MethodSuite<'a>],
    left: Vec<Vec<Kept<'a>>>,
) {
    if finished.hidden.is_empty() {
        return;
    }
    let hidden: BTreeSet<u32> = bodies(finished).collect();
    let mut shown: BTreeSet<Goal> =
        suites.iter().flat_map(|suite| &suite.kept).flat_map(|kept| goals(kept, &hidden)).collect();
    for (suite, left) in suites.iter_mut().zip(left) {
        let before = suite.kept.len();
        for kept in left {
            let own = goals(&kept, &hidden);
            if own.iter().any(|goal| !shown.contains(goal)) {
                shown.extend(own);
                suite.kept.push(kept);
            }
        }
        if suite.kept.len() > before {
            suite.kept.sort_by_key(|kept| kept.id);
        }
    }
}

fn bodies(finished: &Finished) -> impl Iterator<Item = u32> + '_ {
    finished.hidden.iter().flat_map(|target| target.bodies.iter().map(|body| body.token))
}

/// What a test shows of hidden methods, as far as the real runtime confirmed it.
fn goals(kept: &Kept<'_>, hidden: &BTreeSet<u32>) -> Vec<Goal> {
    if !kept.confirmation.is_confirmed() {
        return Vec::new();
    }
    let taken = kept.taken.methods.iter().filter(|(token, _)| hidden.contains(token));
    taken
        .flat_map(|(token, taken)| {
            let edges = taken.branches.iter().map(|edge| (*token, Some(*edge)));
            std::iter::once((*token, None)).chain(edges)
        })
        .collect()
}

/// What is covered of all methods of the zone. `explored` is what is said of those with tests of their own.
pub(super) fn zone(finished: &Finished, explored: &[report::Method], covered: &Measured) -> Zone {
    let entries = explored.iter().map(|method| ZoneMethod {
        id: method.id.clone(),
        token: method.token.clone(),
        entry: true,
        branches: method.coverage.branches,
        covered_branches: method.coverage.covered_branches,
    });
    let hidden = finished.hidden.iter().map(|target| {
        let Coverage { branches, covered_branches, .. } = counted(target, covered);
        let token = format!("{:#010x}", target.token);
        ZoneMethod { id: target.id.clone(), token, entry: false, branches, covered_branches }
    });
    Zone::of(finished.zone, entries.chain(hidden).collect())
}

fn counted(target: &Target, covered: &Measured) -> Coverage {
    let mut coverage = Coverage::default();
    for body in &target.bodies {
        let branches = covered.methods.get(&body.token).map(|taken| taken.branches.as_slice());
        let taken: BTreeSet<&Edge> = branches.unwrap_or_default().iter().collect();
        coverage.branches += body.goals.branches.len() as u64;
        coverage.covered_branches +=
            body.goals.branches.iter().filter(|edge| taken.contains(edge)).count() as u64;
    }
    coverage
}

/// Why tests use reflection, in the words that they have in their comments.
pub(super) fn reflection(suites: &[MethodSuite<'_>], types: &dyn TypeFacts) -> Vec<Reflected> {
    let mut causes: BTreeMap<String, u64> = BTreeMap::new();
    let tests = suites.iter().flat_map(|suite| &suite.kept);
    for kept in tests.filter(|kept| kept.case.construction == Reach::Reflection) {
        for cause in csharp::reflection_causes(&kept.case, types) {
            *causes.entry(cause).or_default() += 1;
        }
    }
    let mut causes: Vec<Reflected> =
        causes.into_iter().map(|(cause, tests)| Reflected { cause, tests }).collect();
    causes.sort_by(|a, b| (b.tests, &a.cause).cmp(&(a.tests, &b.cause)));
    causes
}
