//! Whether nothing that counts leaves a method: a proof, a replayed counterexample, or neither.
//!
//! It rests on the verdict of the exploration: a method is proven only if that is complete and nothing that counts was found.

mod rules;

use std::path::Path;
use std::sync::Arc;

use case::path::PathRecord;
use case::type_facts::TypeFacts;
use report::{
    Bug, Construction, Method, MethodProof, PROOF_SCHEMA, ProofReport, ProofRules, ProofVerdict, Verdict,
    place,
};

pub use rules::{Kind, Rules};

use crate::conclusion::inputs;
use crate::dotnet::DotnetBackend;
use crate::error::Error;
use crate::hierarchy::{self, Hierarchy};
use crate::run::{Engine, Event, Run};
use crate::session::backend::{
    Backend, BugSite, CauseSite, FoundCase, Opened, Replayed, Replayer, Safety, Worker,
};
use crate::session::record::{Attempt, Finished, MethodRecord};
use crate::worker::PROCESS_ENDED;

impl Engine {
    /// Starts to look for a proof that nothing that counts leaves the selected methods.
    pub fn prove(&self, assembly: &Path, rules: Rules) -> Result<ProofRun, Error> {
        let backend = Arc::new(DotnetBackend::new(assembly, &self.options));
        let allowed = rules.allow.clone();
        let parts = Arc::new(ProofBackend { inner: Arc::clone(&backend), allowed });
        let run = self.start(assembly, backend, parts as Arc<dyn Backend>)?;
        Ok(ProofRun { run, rules })
    }
}

/// A run that looks for proofs.
pub struct ProofRun {
    run: Run,
    rules: Rules,
}

/// What it comes to.
pub struct Proofs {
    pub report: ProofReport,
    /// What the tests decide that were found on the way.
    pub paths: Vec<PathRecord>,
}

impl ProofRun {
    /// Waits for the end.
    pub fn finish(self) -> Result<Proofs, Error> {
        let finished = with_ends(self.run.wait()?);
        let types = self.run.backend.type_facts();
        let loaded = self.run.backend.load();
        let accepted = self.run.backend.accepted().iter().collect();
        let records = finished.records.clone();
        let outcome = self.run.outcome(finished);
        let judge = match loaded {
            Ok((universe, assembly)) => {
                Some(Judge { rules: &self.rules, known: Hierarchy::new(universe, assembly), types })
            }
            // Nothing was opened, so there is nothing to judge.
            Err(_) => None,
        };
        let summary = outcome.summary;
        let judged = judge.iter().flat_map(|judge| {
            let methods = records.iter().zip(&summary.methods);
            methods.map(move |(record, method)| judge.method(record, method))
        });
        let report = ProofReport {
            schema: PROOF_SCHEMA.to_owned(),
            assembly: summary.assembly.clone(),
            runtime: summary.runtime.clone(),
            elapsed_ms: summary.elapsed_ms,
            stopped: summary.stopped,
            accepted,
            rules: ProofRules {
                strict: self.rules.strict,
                allow: self.rules.allow.clone(),
                only: self.rules.only.iter().map(|kind| kind.name().to_owned()).collect(),
            },
            methods: judged.collect(),
        };
        Ok(Proofs { report, paths: outcome.paths })
    }
}

impl Iterator for ProofRun {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.run.next()
    }
}

/// Explores as always, but tells failures apart that are the same to a writer of tests.
struct ProofBackend {
    inner: Arc<DotnetBackend>,
    /// Names of exceptions, which must be there.
    allowed: Vec<String>,
}

impl Backend for ProofBackend {
    fn open(&self) -> Result<Opened, Error> {
        let opened = self.inner.open()?;
        if !self.allowed.is_empty() {
            let (universe, assembly) = self.inner.load().map_err(Error::Other)?;
            for name in &self.allowed {
                hierarchy::check_exception(&universe, assembly, name, &opened.assembly)?;
            }
        }
        Ok(opened)
    }

    fn worker(&self) -> Result<Box<dyn Worker>, String> {
        let mut worker = self.inner.method_worker()?;
        worker.explorer.tells_blame = true;
        worker.shows_ends = true;
        Ok(Box::new(worker))
    }

    fn replayer(&self) -> Result<Box<dyn Replayer>, String> {
        self.inner.replayer()
    }

    fn type_facts(&self) -> Box<dyn TypeFacts> {
        self.inner.type_facts()
    }
}

/// Why nothing but what was judged can leave a method, if that is known and the runtime has contradicted nothing.
fn safety(record: &MethodRecord) -> Option<&Safety> {
    let is_contradicted = |attempt: &Attempt| {
        let mut replayed = attempt.replayed.iter().flatten();
        replayed.any(|replayed| matches!(replayed, Replayed::Failed { .. }))
    };
    if record.attempts.iter().any(is_contradicted) {
        return None;
    }
    record.attempts.iter().find_map(|attempt| attempt.exploration.safety.as_ref())
}

/// Where the end of the process was predicted, its end is what was expected.
fn with_ends(mut finished: Finished) -> Finished {
    for attempt in finished.records.iter_mut().flat_map(|record| &mut record.attempts) {
        let Some(replayed) = &mut attempt.replayed else { continue };
        for (found, replayed) in attempt.exploration.cases.iter().zip(replayed) {
            let is_predicted = found.bug.as_ref().is_some_and(|site| site.exception == PROCESS_ENDED);
            if let Replayed::Failed { detail } = replayed
                && is_predicted
                && detail.starts_with("the process ended")
            {
                *replayed = Replayed::Passed { message: Some(detail.clone()), case: None, measured: None };
            }
        }
    }
    finished
}

struct Judge<'a> {
    rules: &'a Rules,
    known: Hierarchy,
    types: Box<dyn TypeFacts>,
}

impl Judge<'_> {
    /// What is known of a method, from everything that was tried and what the exploration itself says.
    fn method(&self, record: &MethodRecord, summary: &Method) -> MethodProof {
        let mut proof = MethodProof {
            id: summary.id.clone(),
            token: summary.token.clone(),
            source: summary.source.clone(),
            verdict: ProofVerdict::Open,
            counterexamples: Vec::new(),
            allowed: Vec::new(),
            doubtful: Vec::new(),
            assumptions: Vec::new(),
            loops: Vec::new(),
            incomplete: Vec::new(),
            stats: summary.stats,
        };
        for attempt in &record.attempts {
            for (number, found) in attempt.exploration.cases.iter().enumerate() {
                let Some(site) = &found.bug else { continue };
                self.failure(record, attempt, number, found, site, &mut proof);
            }
        }
        for list in [&mut proof.counterexamples, &mut proof.allowed, &mut proof.doubtful] {
            list.sort_by(|a, b| (&a.at, &a.exception, &a.message).cmp(&(&b.at, &b.exception, &b.message)));
            list.dedup_by(|a, b| (&a.at, &a.exception, &a.message) == (&b.at, &b.exception, &b.message));
        }
        let safety = safety(record);
        let is_safe_anyway = safety.is_some_and(|safety| safety.assumptions.is_empty());
        proof.verdict = match summary.verdict {
            _ if !proof.counterexamples.is_empty() => ProofVerdict::Refuted,
            _ if !proof.doubtful.is_empty() => ProofVerdict::Open,
            Verdict::Complete => ProofVerdict::Proven,
            _ if is_safe_anyway => ProofVerdict::Proven,
            Verdict::CompleteAssuming => ProofVerdict::ProvenAssuming,
            Verdict::Incomplete if safety.is_some() => ProofVerdict::ProvenAssuming,
            Verdict::Incomplete => ProofVerdict::Open,
        };
        match (proof.verdict, safety) {
            (ProofVerdict::ProvenAssuming, Some(safety)) if summary.verdict == Verdict::Incomplete => {
                proof.assumptions.clone_from(&safety.assumptions);
            }
            (ProofVerdict::ProvenAssuming, _) => proof.assumptions.clone_from(&summary.assumptions),
            (ProofVerdict::Open, _) => proof.incomplete.clone_from(&summary.incomplete),
            (ProofVerdict::Proven | ProofVerdict::Refuted, _) => {}
        }
        if matches!(proof.verdict, ProofVerdict::Proven | ProofVerdict::ProvenAssuming) {
            match (summary.verdict, safety) {
                (Verdict::Incomplete, Some(safety)) => proof.loops.clone_from(&safety.certificate),
                _ => proof.loops.clone_from(&summary.loops),
            }
        }
        proof
    }

    fn failure(
        &self,
        record: &MethodRecord,
        attempt: &Attempt,
        number: usize,
        found: &FoundCase,
        site: &BugSite,
        proof: &mut MethodProof,
    ) {
        let replayed = attempt.replayed.as_ref().and_then(|replayed| replayed.get(number));
        let (message, case, is_confirmed) = match replayed {
            Some(Replayed::Passed { message, case, .. }) => {
                (message.as_deref(), case.as_deref().unwrap_or(&found.case), true)
            }
            // What the runtime contradicts is in the verdict of the method.
            Some(Replayed::Failed { .. }) => return,
            Some(Replayed::Skipped { .. }) | None => (None, &found.case, false),
        };
        let bug = Bug {
            exception: site.exception.clone(),
            message: message.unwrap_or_default().to_owned(),
            at: site.at.map(place),
            source: site.source.clone(),
            replayed: is_confirmed,
            test: String::new(),
            inputs: inputs::of(case, self.types.as_ref()),
            construction: match case.made_by_reflection()[..] {
                [] => Construction::Public,
                _ => Construction::Reflection,
            },
            breaks: case.breaks.clone(),
            kind: site.kind,
            group: site.cause.as_ref().map(|cause| cause.group.clone()).unwrap_or_default(),
            place: site.cause.as_ref().map(CauseSite::origin),
            known: false,
        };
        let counts = self.rules.counts(site, message, case, record.target.token, &self.known);
        match (counts, is_confirmed && bug.breaks.is_empty()) {
            (false, _) => proof.allowed.push(bug),
            (true, true) => proof.counterexamples.push(bug),
            (true, false) => proof.doubtful.push(bug),
        }
    }
}
