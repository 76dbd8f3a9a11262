//! What a path decided, in words that can be kept: for those who want to know why a test exists.

use case::path::{End, PathRecord, Step, StepKind};
use explore::{Decision, InputNames, Path, Settled, places};
use rustc_hash::{FxHashMap, FxHashSet};
use term::Term;
use types::{MethodId, Universe};
use verdict::SourceLine;
use vm::{Machine, PathEnd, Place};

/// Steps at the beginning and at the end of a path that are kept.
const FIRST_STEPS: usize = 20;
const LAST_STEPS: usize = 20;
/// Conditions of one exploration that are put into words: whoever has more than these waits for nothing else.
const MOST_WORDS: usize = 2_000;

/// Explains the paths of one exploration.
pub struct Explanation<'a> {
    universe: &'a Universe,
    names: InputNames<'a>,
    method: MethodId,
    /// Conditions in words: paths share their beginnings.
    conditions: FxHashMap<(Term, Place), Option<Step>>,
    lines: FxHashMap<Place, Option<SourceLine>>,
}

impl<'a> Explanation<'a> {
    pub fn new(machine: &'a Machine, method: MethodId) -> Explanation<'a> {
        let names = InputNames::new(machine, method);
        Explanation {
            universe: &machine.universe,
            names,
            method,
            conditions: FxHashMap::default(),
            lines: FxHashMap::default(),
        }
    }

    /// What the path decided and how it ended; the rest is filled in by the suite.
    pub fn record(&mut self, path: &Path) -> PathRecord {
        let decisions = telling(path.condition.values());
        let first = decisions.len().min(FIRST_STEPS);
        let last = decisions.len().saturating_sub(LAST_STEPS).max(first);
        let (begin, end) = (decisions.get(..first), decisions.get(last..));
        let mut left_out = last - first;
        let mut steps = Vec::new();
        for decision in begin.into_iter().chain(end).flatten() {
            match self.step(decision) {
                Some(step) => steps.extend(step),
                None => left_out += 1,
            }
        }
        PathRecord {
            steps,
            left_out: u32::try_from(left_out).unwrap_or(u32::MAX),
            followed: path.followed.as_ref().map(ToString::to_string),
            end: self.end(&path.end),
            ..PathRecord::default()
        }
    }

    /// `None` if there were too many; `Some(None)` for what says nothing, a case that was the only one.
    fn step(&mut self, decision: &Decision) -> Option<Option<Step>> {
        if !matches!(decision.settled, Settled::Condition) {
            return Some(self.described(decision));
        }
        let key = (decision.guard, decision.at);
        if let Some(known) = self.conditions.get(&key) {
            return Some(known.clone());
        }
        if self.conditions.len() == MOST_WORDS {
            return None;
        }
        let step = self.described(decision);
        self.conditions.insert(key, step.clone());
        Some(step)
    }

    fn described(&mut self, decision: &Decision) -> Option<Step> {
        let (kind, throws) = match &decision.settled {
            Settled::Before => return None,
            Settled::Condition | Settled::OtherValue => (StepKind::Condition, None),
            Settled::Exception(exception) => (StepKind::Exception, Some(exception.type_name().to_owned())),
            Settled::Reference { .. } => (StepKind::Reference, None),
            Settled::Classes { .. } => (StepKind::Class, None),
            Settled::Mocked { .. } => (StepKind::Mock, None),
            Settled::Value { .. } => (StepKind::Value, None),
        };
        let what = self.names.decision(decision);
        if what == "true" {
            return None;
        }
        let elsewhere = (decision.at.method != self.method).then_some(decision.at.method);
        Some(Step {
            kind,
            at: places::offset(decision.at),
            line: self.line(decision.at),
            method: elsewhere.map(|method| self.universe.method_id(method)),
            inside: decision.inside.map(|method| self.universe.method_id(method)),
            what,
            throws,
        })
    }

    fn line(&mut self, place: Place) -> Option<SourceLine> {
        let universe = self.universe;
        self.lines.entry(place).or_insert_with(|| places::line(universe, place)).clone()
    }

    fn end(&mut self, end: &PathEnd) -> End {
        match end {
            PathEnd::Threw { ty, thrown_at, .. } => End {
                throws: Some(self.universe.type_name(*ty)),
                at: Some(places::offset(*thrown_at)),
                line: self.line(*thrown_at),
            },
            _ => End::default(),
        }
    }
}

/// Without what the framework asks again although it is settled.
fn telling(decisions: Vec<&Decision>) -> Vec<&Decision> {
    let mut known = FxHashSet::default();
    let mut is_new = |decision: &&Decision| known.insert(decision.guard) || decision.inside.is_none();
    decisions.into_iter().filter(|decision| is_new(decision)).collect()
}
