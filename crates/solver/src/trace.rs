//! What the solver tells those who watch it: which layer answered, how long it took, how large the question was.
//!
//! Nothing is counted or written unless somebody listens. The text of questions is asked for by targets of their own, because
//! it is long.

use std::time::Instant;

use term::{Term, Terms};
use tracing::Level;

use crate::answer::Answer;
use crate::core::Core;
use crate::stats::Stats;

/// Of every event.
const TARGET: &str = "cilantro";
/// Whoever listens to this gets the questions that reach the core as SMT-LIB.
const CORE_QUESTIONS: &str = "cilantro::core_questions";
/// And those that others have answered, too.
const ALL_QUESTIONS: &str = "cilantro::all_questions";

/// Waits for an answer, if somebody listens.
pub(crate) struct Watch(Option<(Instant, Stats)>);

impl Watch {
    pub(crate) fn start(stats: &Stats) -> Watch {
        let listens = tracing::enabled!(target: TARGET, Level::DEBUG);
        Watch(listens.then(|| (Instant::now(), stats.clone())))
    }

    /// A question has come through the layers.
    pub(crate) fn question_answered(
        self,
        stats: &Stats,
        terms: &Terms,
        path: &[Term],
        query: &[Term],
        answer: &Answer,
    ) {
        let Some((started, before)) = self.0 else { return };
        let us = started.elapsed().as_micros() as u64;
        let wanted = tracing::enabled!(target: ALL_QUESTIONS, Level::TRACE);
        let script =
            if wanted { terms.script(&[path, query].concat()).map(|script| script.text) } else { None };
        tracing::debug!(
            name: "query",
            target: TARGET,
            verdict = verdict(answer),
            layer = layer(&before, stats),
            constraints = path.len() + query.len(),
            core_calls = stats.core_calls - before.core_calls,
            why_unknown = why(answer),
            us,
            script,
        );
    }

    /// The core has been asked.
    pub(crate) fn core_answered(
        self,
        stats: &Stats,
        terms: &Terms,
        conjuncts: &[Term],
        core: &Core,
        answer: &Answer,
    ) {
        let Some((started, before)) = self.0 else { return };
        let us = started.elapsed().as_micros() as u64;
        let script = tracing::enabled!(target: CORE_QUESTIONS, Level::TRACE).then(|| {
            let script = terms.script(conjuncts).map(|script| script.text);
            script.or_else(|| core.circuit(terms, conjuncts))
        });
        let size: usize = conjuncts.iter().map(|conjunct| terms.size(*conjunct)).sum();
        tracing::debug!(
            name: "core",
            target: TARGET,
            verdict = verdict(answer),
            constraints = conjuncts.len(),
            size,
            gates = stats.gates - before.gates,
            clauses = stats.clauses - before.clauses,
            why_unknown = why(answer),
            us,
            script = script.flatten(),
        );
    }
}

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

fn why(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Unknown(why) => Some(why.to_string()),
        _ => None,
    }
}

/// The most laborious of the layers that had a part in the answer.
fn layer(before: &Stats, after: &Stats) -> &'static str {
    let layers = [
        ("external solver", before.by_fallback, after.by_fallback),
        ("core", before.core_calls, after.core_calls),
        ("narrowing", before.by_narrowing, after.by_narrowing),
        ("enumeration", before.by_enumeration, after.by_enumeration),
        ("known superset", before.by_known_superset, after.by_known_superset),
        ("known contradiction", before.by_known_core, after.by_known_core),
        ("cache", before.by_exact_cache, after.by_exact_cache),
        ("known model", before.by_model, after.by_model),
        ("constants", before.by_constant, after.by_constant),
    ];
    layers.iter().find(|(_, before, after)| after > before).map_or("parts of the model", |(name, ..)| name)
}
