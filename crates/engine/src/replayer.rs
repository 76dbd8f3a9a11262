//! Replay on the real runtime, in the driver's words.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use case::construct::Offer;
use case::type_facts::TypeFacts;
use case::{Case, Outcome};
use replay::{Probes, Verdict};

use crate::TARGET;
use crate::session::backend::{Replayed, Replayer};
use crate::subject::instruments::Instruments;

/// Runs the cases of one assembly.
pub struct CaseReplayer {
    inner: replay::Replayer,
    assembly: PathBuf,
    cancelled: Arc<AtomicBool>,
    planner: Option<Planner>,
    instruments: Instruments,
}

/// Knows the types of the assembly; made when the first case with objects comes.
pub struct Planner {
    load: Box<dyn Fn() -> Box<dyn TypeFacts>>,
    loaded: OnceCell<Box<dyn TypeFacts>>,
}

impl Planner {
    pub fn new(load: impl Fn() -> Box<dyn TypeFacts> + 'static) -> Planner {
        Planner { load: Box::new(load), loaded: OnceCell::new() }
    }

    fn offer(&self, case: &Case) -> Offer {
        if case.objects.is_empty() {
            return Offer::none(case.clone());
        }
        let case = Case { sequenced: None, ..case.clone() };
        Offer::of(case, self.types())
    }

    /// The calls that the search for sequences proposes, if the case needs reflection without them.
    fn second_offer(&self, case: &Case, settled: &Case) -> Option<Offer> {
        let sequenced = case.sequenced.as_ref()?;
        let is_needed = !settled.made_by_reflection().is_empty();
        is_needed.then(|| Offer::of_sequenced((**sequenced).clone(), self.types()))
    }

    fn types(&self) -> &dyn TypeFacts {
        self.loaded.get_or_init(|| (self.load)()).as_ref()
    }
}

impl CaseReplayer {
    /// Lets the runtime decide how objects are made.
    pub fn with_planner(mut self, planner: Planner) -> CaseReplayer {
        self.planner = Some(planner);
        self
    }

    /// Measures what cases go through.
    pub fn measuring(mut self, module: Arc<cil::Module>) -> CaseReplayer {
        self.instruments = Instruments::of(&module);
        self.inner = self.inner.measuring(Probes::new(module, self.instruments.probes.clone()));
        self
    }

    pub fn new(
        runtime: replay::Runtime,
        assembly: PathBuf,
        cancelled: Arc<AtomicBool>,
    ) -> Result<CaseReplayer, String> {
        let invariant = replay::Limits::default().invariant;
        CaseReplayer::in_world(runtime, assembly, cancelled, invariant)
    }

    /// In invariant mode, or with the cultures of the machine.
    pub fn in_world(
        runtime: replay::Runtime,
        assembly: PathBuf,
        cancelled: Arc<AtomicBool>,
        invariant: bool,
    ) -> Result<CaseReplayer, String> {
        let limits = replay::Limits { invariant, ..replay::Limits::default() };
        let inner = replay::Replayer::new(runtime, limits).map_err(|error| error.to_string())?;
        Ok(CaseReplayer { inner, assembly, cancelled, planner: None, instruments: Instruments::default() })
    }
}

impl Replayer for CaseReplayer {
    fn prepare(&mut self, deadline: Instant) {
        self.inner.warm_up(&self.assembly, deadline, &self.cancelled);
    }

    fn replay(&mut self, cases: &[Case], deadline: Instant) -> Vec<Replayed> {
        let started = Instant::now();
        let replayed = self.run(cases, deadline);
        tell(cases, &replayed, started);
        replayed
    }
}

impl CaseReplayer {
    fn run(&mut self, cases: &[Case], deadline: Instant) -> Vec<Replayed> {
        let Some(planner) = &self.planner else {
            let verdicts = self.inner.replay(&self.assembly, cases, deadline, &self.cancelled);
            return verdicts.into_iter().map(|verdict| self.told(verdict, None)).collect();
        };
        let offers = cases.iter().map(|case| planner.offer(case)).collect();
        let mut verdicts = self.inner.replay_offers(&self.assembly, offers, deadline, &self.cancelled);
        for (case, (settled, verdict)) in cases.iter().zip(&mut verdicts) {
            let Some(offer) = planner.second_offer(case, settled).filter(|_| verdict.is_passed()) else {
                continue;
            };
            let again = self.inner.replay_offers(&self.assembly, vec![offer], deadline, &self.cancelled);
            for (other, second) in again {
                let better = other.made_by_reflection().len() < settled.made_by_reflection().len();
                if second.is_passed() && better {
                    (*settled, *verdict) = (other, second);
                }
            }
        }
        verdicts.into_iter().map(|(case, verdict)| self.told(verdict, Some(Box::new(case)))).collect()
    }

    fn told(&self, verdict: Verdict, case: Option<Box<Case>>) -> Replayed {
        match verdict {
            Verdict::Passed { observed, hits } => {
                let message = match observed.outcome {
                    Outcome::Throws(thrown) => thrown.message,
                    Outcome::Returns(_) | Outcome::Returned | Outcome::Void => None,
                };
                let measured = hits.map(|hits| self.instruments.measured(&hits));
                Replayed::Passed { message, case, measured }
            }
            Verdict::Mismatch { difference, .. } => Replayed::Failed { detail: difference },
            Verdict::Crashed { how } => Replayed::Failed { detail: format!("the process ended: {how}") },
            Verdict::TimedOut => Replayed::Failed { detail: "the call did not come back".to_owned() },
            Verdict::Skipped { why } => Replayed::Skipped { detail: why },
        }
    }
}

/// Says how it went, for those who watch.
fn tell(cases: &[Case], replayed: &[Replayed], started: Instant) {
    if !tracing::enabled!(target: TARGET, tracing::Level::DEBUG) {
        return;
    }
    let mut numbers: BTreeMap<&str, u64> = BTreeMap::new();
    for (case, replayed) in cases.iter().zip(replayed) {
        let number = numbers.entry(&case.method.id).or_default();
        let (verdict, detail) = match replayed {
            Replayed::Passed { .. } => ("passed", None),
            Replayed::Failed { detail } => ("failed", Some(detail.as_str())),
            Replayed::Skipped { detail } => ("skipped", Some(detail.as_str())),
        };
        let test = (!case.name.is_empty()).then_some(case.name.as_str());
        let method = case.method.id.as_str();
        tracing::debug!(name: "replayed", target: TARGET, method, case = *number, test, verdict, detail);
        *number += 1;
    }
    let us = started.elapsed().as_micros() as u64;
    tracing::debug!(name: "replays", target: TARGET, cases = cases.len(), us);
}
