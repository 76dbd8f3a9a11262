//! Which cases would need reflection, and what the search for sequences of calls proposes for them.

use case::MethodRef;
use case::construct::plan_objects;
use case::type_facts::TypeFacts;
use explore::sequences::{Prepared, Sequence, Synthesis};
use explore::{Exploration, Explorer};
use testgen::{CallsOf, EndedPath};
use verdict::Gap;
use vm::BitSet;

use crate::TARGET;
use crate::session::backend::FoundCase;
use budget::Budget;

/// The part of an exploration's effort and time that the search may use, in percent.
pub const DEFAULT_SHARE: u32 = 10;

/// What the search works with.
pub(crate) struct Proposing<'a> {
    pub types: &'a dyn TypeFacts,
    pub method: &'a MethodRef,
    pub share: u32,
    pub budget: &'a Budget,
    /// Goals that other cases meet without reflection.
    pub met: &'a BitSet,
}

/// Adds proposals to the cases that have objects which no constructor is sure to make. `paths`: the number of each
/// case's path.
pub(crate) fn propose(
    explorer: &mut Explorer,
    proposing: &Proposing<'_>,
    found: &Exploration,
    cases: &mut [FoundCase],
    paths: &[usize],
) {
    let Proposing { types, method, share, budget, met } = *proposing;
    let needed: Vec<(usize, usize)> = (0..)
        .zip(paths.iter().copied())
        .filter(|(at, path)| {
            let goals = found.paths.get(*path).map(|path| path.state.coverage.goals());
            let is_met = goals.is_some_and(|goals| goals.is_subset(met));
            cases.get(*at).is_some_and(|case| (case.bug.is_some() || !is_met) && needs(case, types))
        })
        .collect();
    if needed.is_empty() || share == 0 {
        return;
    }
    let _searching = tracing::debug_span!(target: TARGET, "sequences").entered();
    let numbers: Vec<usize> = needed.iter().map(|(_, path)| *path).collect();
    let answers = explorer.sequences(found, &numbers, share, budget);
    for ((at, path), answer) in needed.into_iter().zip(answers) {
        let Some(Synthesis { path: made, sequences }) = answer else { continue };
        let ended = EndedPath {
            machine: &explorer.machine,
            end: &made.end,
            model: &made.model,
            state: &made.state,
            footprint: made.footprint.as_deref(),
            vague: made.vague,
            prepared: None,
        };
        let calls: Vec<CallsOf<'_>> = sequences.iter().map(calls_of).collect();
        let sequenced = testgen::case_with_sequences(ended, method, &calls);
        tracing::debug!(name: "sequenced", target: TARGET, path, objects = calls.len(), written = sequenced.is_ok());
        if let (Ok(sequenced), Some(case)) = (sequenced, cases.get_mut(at)) {
            case.case.sequenced = Some(Box::new(sequenced));
        }
    }
}

/// The cases of paths on objects that calls have made.
pub(crate) fn prepared_case(
    machine: &vm::Machine,
    found: &Prepared,
    method: &MethodRef,
) -> Result<case::Case, Gap> {
    let prepared =
        testgen::Prepared { reference: found.reference, calls: &found.calls, before: &found.before };
    let mut case = testgen::case_of(ended_on(machine, &found.path, prepared), method)?;
    if let Some(Synthesis { path, sequences }) = &found.synthesis {
        let calls: Vec<CallsOf<'_>> = sequences.iter().map(calls_of).collect();
        let sequenced = testgen::case_with_sequences(ended_on(machine, path, prepared), method, &calls);
        case.sequenced = sequenced.ok().map(Box::new);
    }
    Ok(case)
}

fn ended_on<'a>(
    machine: &'a vm::Machine,
    path: &'a explore::Path,
    prepared: testgen::Prepared<'a>,
) -> EndedPath<'a> {
    EndedPath {
        machine,
        end: &path.end,
        model: &path.model,
        state: &path.state,
        footprint: path.footprint.as_deref(),
        vague: path.vague,
        prepared: Some(prepared),
    }
}

/// What paths meet together.
pub(crate) fn met_by(made: &[Prepared]) -> BitSet {
    let mut met = BitSet::default();
    made.iter().for_each(|made| met.union_with(made.path.state.coverage.goals()));
    met
}

/// The goals that only cases with reflection meet, or none.
pub(crate) fn unmet(
    found: &Exploration,
    inner: &BitSet,
    cases: &[FoundCase],
    paths: &[usize],
    types: &dyn TypeFacts,
) -> BitSet {
    let (mut met, mut with_reflection) = (BitSet::default(), BitSet::default());
    for (case, path) in cases.iter().zip(paths) {
        let Some(path) = found.paths.get(*path) else { continue };
        let is_public = !needs(case, types);
        let side = if is_public { &mut met } else { &mut with_reflection };
        side.union_with(path.state.coverage.goals());
    }
    // What other methods lead to as well is looked for only if it was seen here.
    let mut wanted = with_reflection.intersection(inner);
    wanted.union_with(&found.wanted.goals);
    wanted.without(&met).without(&found.unreachable)
}

/// Whether some object has no constructor that is sure to make it.
fn needs(found: &FoundCase, types: &dyn TypeFacts) -> bool {
    if found.case.made_by_reflection().is_empty() {
        return false;
    }
    let mut planned = found.case.clone();
    plan_objects(&mut planned, types);
    !planned.made_by_reflection().is_empty()
}

fn calls_of(sequence: &Sequence) -> CallsOf<'_> {
    CallsOf {
        owner: sequence.owner,
        within: sequence.within,
        calls: &sequence.calls,
        state: &sequence.state,
        footprint: &sequence.footprint,
        passed: &sequence.passed,
    }
}
