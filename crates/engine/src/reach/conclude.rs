//! From what was explored and replayed to an answer about each location. Whatever is in doubt is open.

use std::collections::BTreeSet;

use case::type_facts::TypeFacts;
use report::{
    Assumed, CodePlace, Construction, Incomplete, LocationAnswer, ReachVerdict, Reason, Witness, place,
};

use super::lookup::{Asked, Question, Spot};
use super::plan::Plan;
use crate::conclusion::inputs;
use crate::hierarchy::Hierarchy;
use crate::session::backend::{FoundCase, Replayed};
use crate::session::record::{Attempt, Finished, MethodRecord};

/// A case by the places of its method, attempt and its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseAt {
    pub record: usize,
    pub attempt: usize,
    pub case: usize,
}

/// Answers the questions of a plan.
pub struct Answers<'a> {
    pub plan: &'a Plan,
    pub finished: &'a Finished,
    pub types: &'a dyn TypeFacts,
    pub hierarchy: Option<&'a Hierarchy>,
}

impl Answers<'_> {
    /// The answer, and the case that shows it.
    pub fn to(&self, question: &Question) -> (LocationAnswer, Option<CaseAt>) {
        let mut answer = LocationAnswer {
            location: question.text.clone(),
            verdict: ReachVerdict::Open,
            places: self.places(question),
            witness: None,
            assumptions: Vec::new(),
            incomplete: Vec::new(),
        };
        let found = self.witness(question);
        let proof = self.proof(question);
        match (&found, proof) {
            (Some(_), Some(_)) => answer.incomplete.push(Incomplete {
                reason: Reason::InternalError,
                detail: "it was both reached and proven unreachable".to_owned(),
                at: None,
            }),
            (Some(at), None) => {
                answer.verdict = ReachVerdict::Reached;
                answer.witness = self.shown(*at);
            }
            (None, Some(assumptions)) => {
                answer.verdict = match assumptions.is_empty() {
                    true => ReachVerdict::Unreachable,
                    false => ReachVerdict::UnreachableAssuming,
                };
                answer.assumptions = assumptions;
            }
            (None, None) => answer.incomplete = self.why_open(question),
        }
        let shown = found.filter(|_| answer.verdict == ReachVerdict::Reached);
        (answer, shown)
    }

    fn places(&self, question: &Question) -> Vec<CodePlace> {
        match &question.asked {
            Asked::Instructions(spots) => {
                let named = |spot: &Spot| self.plan.named.get(spot).map(|named| (*spot, named));
                spots
                    .iter()
                    .filter_map(named)
                    .map(|(spot, (method, source))| CodePlace {
                        method: method.clone(),
                        at: Some(place(spot.offset)),
                        source: source.clone(),
                    })
                    .collect()
            }
            Asked::Exception { methods, .. } => {
                let records = self.finished.records.iter().filter(|r| methods.contains(&r.target.token));
                records
                    .map(|record| CodePlace {
                        method: record.target.id.clone(),
                        at: None,
                        source: record.target.source.clone(),
                    })
                    .collect()
            }
        }
    }

    /// The best test that gets there: through a public method, with objects that public members make, in the order of the plan.
    fn witness(&self, question: &Question) -> Option<CaseAt> {
        let mut best: Option<((bool, bool, usize), CaseAt)> = None;
        for (rank, token) in self.plan.order.iter().enumerate() {
            let Some(record) = self.finished.records.iter().position(|r| r.target.token == *token) else {
                continue;
            };
            for at in self.cases(record) {
                let Some((found, attempt)) = self.case(at) else { continue };
                let Some(Replayed::Passed { case, measured, .. }) = replayed(attempt, at.case) else {
                    continue;
                };
                let case = case.as_deref().unwrap_or(&found.case);
                let gets_there = match &question.asked {
                    Asked::Instructions(spots) => {
                        let executed = |spot: &Spot| match measured {
                            Some(measured) => measured.methods.get(&spot.method).is_some_and(|taken| {
                                taken.instructions.iter().flatten().any(|offset| *offset == spot.offset)
                            }),
                            None => meets(attempt, at.case).contains(&(spot.method, spot.offset)),
                        };
                        spots.iter().any(executed)
                    }
                    Asked::Exception { name, methods } => methods.contains(token) && self.is_bug(found, name),
                };
                if !gets_there || !case.breaks.is_empty() {
                    continue;
                }
                let is_reflected = !case.made_by_reflection().is_empty();
                let key = (!self.plan.public.contains(token), is_reflected, rank);
                if best.as_ref().is_none_or(|(known, _)| key < *known) {
                    best = Some((key, at));
                }
            }
        }
        best.map(|(_, at)| at)
    }

    fn is_bug(&self, found: &FoundCase, name: &str) -> bool {
        found.bug.as_ref().is_some_and(|site| match self.hierarchy {
            Some(hierarchy) => hierarchy.is_a(&site.exception, name),
            None => site.exception == name,
        })
    }

    fn cases(&self, record: usize) -> impl Iterator<Item = CaseAt> + '_ {
        let attempts = self.finished.records.get(record).map_or(&[][..], |record| &record.attempts);
        attempts.iter().enumerate().flat_map(move |(attempt, tried)| {
            (0..tried.exploration.cases.len()).map(move |case| CaseAt { record, attempt, case })
        })
    }

    fn case(&self, at: CaseAt) -> Option<(&FoundCase, &Attempt)> {
        let attempt = self.finished.records.get(at.record)?.attempts.get(at.attempt)?;
        Some((attempt.exploration.cases.get(at.case)?, attempt))
    }

    fn shown(&self, at: CaseAt) -> Option<Witness> {
        let (found, attempt) = self.case(at)?;
        let record = self.finished.records.get(at.record)?;
        let case = match replayed(attempt, at.case) {
            Some(Replayed::Passed { case: Some(case), .. }) => case.as_ref(),
            _ => &found.case,
        };
        Some(Witness {
            entry: record.target.id.clone(),
            public: self.plan.public.contains(&record.target.token),
            test: case.name.clone(),
            inputs: inputs::of(case, self.types),
            construction: match case.made_by_reflection()[..] {
                [] => Construction::Public,
                _ => Construction::Reflection,
            },
            exception: found.bug.as_ref().map(|site| site.exception.clone()),
        })
    }

    /// What a proof that nothing gets there rests on; none if there is no proof.
    fn proof(&self, question: &Question) -> Option<Vec<Assumed>> {
        let mut assumed = BTreeSet::new();
        match &question.asked {
            Asked::Instructions(spots) => {
                for spot in spots {
                    let record = self.record(spot.method)?;
                    let attempt = sound(record)?;
                    let wanted = (spot.method, spot.offset);
                    let found = &attempt.exploration;
                    if !found.unreachable_instructions.contains(&wanted) {
                        return None;
                    }
                    if !found.certain_instructions.contains(&wanted) {
                        assumed.extend(found.assumptions.iter().cloned());
                    }
                }
            }
            Asked::Exception { name, methods } => {
                for method in methods {
                    let attempt = sound(self.record(*method)?)?;
                    let found = &attempt.exploration;
                    let any = found.cases.iter().any(|case| self.is_bug(case, name));
                    if any || !found.incomplete.is_empty() {
                        return None;
                    }
                    assumed.extend(found.assumptions.iter().cloned());
                }
            }
        }
        let mut assumed: Vec<Assumed> = assumed.into_iter().collect();
        assumed.dedup_by_key(|assumed| assumed.assumption);
        Some(assumed)
    }

    fn record(&self, token: u32) -> Option<&MethodRecord> {
        self.finished.records.iter().find(|record| record.target.token == token)
    }

    /// Why there is neither a test nor a proof.
    fn why_open(&self, question: &Question) -> Vec<Incomplete> {
        let own: BTreeSet<u32> = match &question.asked {
            Asked::Instructions(spots) => spots.iter().map(|spot| spot.method).collect(),
            Asked::Exception { methods, .. } => methods.clone(),
        };
        let mut why = Vec::new();
        for record in self.finished.records.iter().filter(|record| own.contains(&record.target.token)) {
            match record.attempts.last() {
                Some(attempt) => {
                    why.extend(attempt.exploration.incomplete.iter().cloned());
                    why.extend(attempt.replayed.iter().flatten().filter_map(unconfirmed));
                    let broken = attempt.replayed.iter().flatten().any(breaks_a_rule);
                    why.extend(broken.then(only_broken));
                }
                None => why.push(Incomplete {
                    reason: self.finished.stopped.unwrap_or(Reason::Timeout),
                    detail: "not explored to an end before the run was over".to_owned(),
                    at: None,
                }),
            }
        }
        if why.is_empty() {
            let detail = "no test that gets there was confirmed".to_owned();
            why.push(Incomplete { reason: Reason::Bound, detail, at: None });
        }
        why.sort();
        why.dedup();
        why
    }
}

/// The attempt that proofs rest on: none if the real runtime has ever contradicted one of the method.
fn sound(record: &MethodRecord) -> Option<&Attempt> {
    let failed = |attempt: &Attempt| {
        attempt.replayed.iter().flatten().any(|replayed| matches!(replayed, Replayed::Failed { .. }))
    };
    if record.attempts.iter().any(failed) {
        return None;
    }
    record.attempts.last()
}

fn replayed(attempt: &Attempt, case: usize) -> Option<&Replayed> {
    attempt.replayed.as_ref()?.get(case)
}

fn meets(attempt: &Attempt, case: usize) -> &[(u32, u32)] {
    attempt.exploration.meets.get(case).map_or(&[], Vec::as_slice)
}

fn unconfirmed(replayed: &Replayed) -> Option<Incomplete> {
    match replayed {
        Replayed::Passed { .. } => None,
        Replayed::Failed { detail } => {
            Some(Incomplete { reason: Reason::ReplayMismatch, detail: detail.clone(), at: None })
        }
        Replayed::Skipped { detail } => {
            Some(Incomplete { reason: Reason::ReplayUnavailable, detail: detail.clone(), at: None })
        }
    }
}

fn breaks_a_rule(replayed: &Replayed) -> bool {
    matches!(replayed, Replayed::Passed { case: Some(case), .. } if !case.breaks.is_empty())
}

fn only_broken() -> Incomplete {
    let detail = "only inputs were found that break a rule visible in their class".to_owned();
    Incomplete { reason: Reason::Bound, detail, at: None }
}
