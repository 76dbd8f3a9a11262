//! Whether a place in the code can be reached: a replayed test that gets there, a proof that none does, or neither.

mod backend;
mod conclude;
mod location;
mod lookup;
mod plan;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use case::Case;
use report::{LocationAnswer, REACH_SCHEMA, ReachReport, ZoneKind};

pub use location::Location;

use crate::conclusion::inputs;
use crate::dotnet::DotnetBackend;
use crate::error::Error;
use crate::hierarchy::Hierarchy;
use crate::options::Options;
use crate::run::{Engine, Event, Outcome, Run};
use crate::session::backend::Backend;
use crate::session::record::Finished;
use crate::subject::access::Scope;
use backend::ReachBackend;
use conclude::{Answers, CaseAt};
use plan::Plan;

impl Engine {
    /// Starts to look for ways to some locations: `Cart.cs:42`, `Cart.Add@IL_002a`, `Cart.Add`,
    /// `exception OverflowException in Cart.Add`. What is wrong with a location is an error.
    pub fn reach(&self, assembly: &Path, locations: &[String]) -> Result<ReachRun, Error> {
        for text in locations {
            Location::parse(text)?;
        }
        let strategy = match self.options.strategy {
            explore::Strategy::Coverage => explore::Strategy::Targeted,
            chosen => chosen,
        };
        // The method of a place is explored whoever can call it, and nothing but places is wanted.
        let (scope, zone) = (Scope::Private, Some(ZoneKind::Method));
        let options = Options { strategy, scope, zone, ..self.options.clone() };
        let inner = Arc::new(DotnetBackend::new(assembly, &options));
        let (texts, plan) = (locations.to_vec(), OnceLock::new());
        let backend = Arc::new(ReachBackend { inner: Arc::clone(&inner), texts, plan });
        let parts: Arc<dyn Backend> = Arc::clone(&backend) as Arc<dyn Backend>;
        let run = Engine::new(options).start(assembly, inner, parts)?;
        Ok(ReachRun { run, backend })
    }
}

/// A run that looks for ways to locations.
pub struct ReachRun {
    run: Run,
    backend: Arc<ReachBackend>,
}

/// What it comes to.
pub struct Reached {
    pub report: ReachReport,
    /// The tests that get to the locations that are reached, for whoever writes them down.
    pub tests: Outcome,
}

impl ReachRun {
    /// Waits for the end.
    pub fn finish(self) -> Result<Reached, Error> {
        let finished = self.run.wait()?;
        let plan = self.backend.plan();
        let types = self.run.backend.type_facts();
        let hierarchy =
            self.run.backend.load().ok().map(|(universe, assembly)| Hierarchy::new(universe, assembly));
        let answers = Answers {
            plan: &plan,
            finished: &finished,
            types: types.as_ref(),
            hierarchy: hierarchy.as_ref(),
        };
        let (mut locations, mut shown) = (Vec::new(), BTreeSet::new());
        for question in &plan.questions {
            let (answer, case) = answers.to(question);
            locations.push(answer);
            shown.extend(case);
        }
        let accepted = self.run.backend.accepted().iter().collect();
        let tests = self.run.outcome(only(&finished, &plan, &shown));
        name_tests(&mut locations, &tests);
        let report = ReachReport {
            schema: REACH_SCHEMA.to_owned(),
            assembly: tests.summary.assembly.clone(),
            runtime: tests.summary.runtime.clone(),
            elapsed_ms: tests.summary.elapsed_ms,
            stopped: tests.summary.stopped,
            accepted,
            output: None,
            locations,
        };
        Ok(Reached { report, tests })
    }
}

impl Iterator for ReachRun {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        self.run.next()
    }
}

/// The run as if it had found nothing but these cases.
fn only(finished: &Finished, plan: &Plan, shown: &BTreeSet<CaseAt>) -> Finished {
    let mut kept = finished.clone();
    for (number, record) in kept.records.iter_mut().enumerate() {
        // One attempt per method, so that none hides what another has found.
        let chosen = shown.iter().find(|at| at.record == number).map(|at| at.attempt);
        let Some(mut attempt) = chosen.and_then(|chosen| record.attempts.get(chosen).cloned()) else {
            record.attempts.clear();
            continue;
        };
        let is_shown = |case: usize| {
            shown.contains(&CaseAt { record: number, attempt: chosen.unwrap_or_default(), case })
        };
        attempt.exploration.cases = kept_of(&attempt.exploration.cases, is_shown);
        attempt.replayed = attempt.replayed.as_ref().map(|replayed| kept_of(replayed, is_shown));
        record.attempts = vec![attempt];
        // Tests that differ only behind the entry are different ones.
        let own: BTreeSet<u32> = record.target.bodies.iter().map(|body| body.token).collect();
        let others = plan.bodies.values().filter(|body| !own.contains(&body.token));
        record.target.bodies.extend(others.cloned());
    }
    kept.records.retain(|record| !record.attempts.is_empty());
    kept
}

/// The items whose number is wanted.
fn kept_of<T: Clone>(items: &[T], is_kept: impl Fn(usize) -> bool) -> Vec<T> {
    items.iter().enumerate().filter(|(number, _)| is_kept(*number)).map(|(_, item)| item.clone()).collect()
}

/// Tests get their names when it is known which there are. One that shows no more than another is not there: the other
/// gets to the same place.
fn name_tests(locations: &mut [LocationAnswer], tests: &Outcome) {
    for witness in locations.iter_mut().filter_map(|answer| answer.witness.as_mut()) {
        let of_entry = || tests.suite.iter().filter(|case| case.method.id == witness.entry);
        let is_own = |case: &&Case| inputs::of(case, tests.types.as_ref()) == witness.inputs;
        let test = of_entry().find(is_own).or_else(|| of_entry().next());
        witness.test = test.map(|case| case.name.clone()).unwrap_or_default();
    }
}
