//! The chain of layers.

use crate::answer::{Answer, Why};
use crate::cache::{Cache, Hit, Known};
use crate::config::{Config, OnMismatch};
use crate::core::Core;
use crate::enumerate;
use crate::expense::Expense;
use crate::external::{External, Verdict};
use crate::independence::{self, Part};
use crate::limits::Limits;
use crate::narrow::{Narrowing, narrow};
use crate::recent::RecentModels;
use crate::stats::Stats;
use crate::trace::Watch;
use rustc_hash::FxHashSet;
use std::time::Instant;
use term::{Binary, Const, Model, Node, Term, Terms};

/// Decides conjunctions of terms of one store. Giving it terms of another store makes it start afresh.
pub struct Solver {
    config: Config,
    stats: Stats,
    store: Option<u64>,
    recent: RecentModels,
    cache: Cache,
    expense: Expense,
    core: Core,
}

impl Solver {
    pub fn new(config: Config) -> Solver {
        let core = Core::new(config.second_configuration, config.minimise_cores);
        Solver {
            config,
            stats: Stats::default(),
            store: None,
            recent: RecentModels::default(),
            cache: Cache::default(),
            expense: Expense::default(),
            core,
        }
    }

    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Drops the SAT instances and the models of the last exploration. Answers stay true and are kept.
    pub fn new_exploration(&mut self) {
        self.core.new_exploration();
        self.recent.clear();
    }

    /// Can `path` and `query` hold together? `path` must be satisfiable; to ask about everything, leave it empty.
    /// A model satisfies both, a core is a subset of both.
    pub fn check(&mut self, terms: &mut Terms, path: &[Term], query: &[Term], limits: &Limits) -> Answer {
        self.check_with_hint(terms, path, query, None, limits)
    }

    /// As [`Solver::check`], with a model that satisfies `path`: it may satisfy the query as well, and where the query does not
    /// reach, its values are kept.
    pub fn check_with_hint(
        &mut self,
        terms: &mut Terms,
        path: &[Term],
        query: &[Term],
        hint: Option<&Model>,
        limits: &Limits,
    ) -> Answer {
        self.meet_store(terms);
        self.stats.queries += 1;
        let watch = Watch::start(&self.stats);
        let answer = self.decide(terms, path, query, hint, limits);
        watch.question_answered(&self.stats, terms, path, query, &answer);
        match &answer {
            Answer::Sat(_) => self.stats.sat += 1,
            Answer::Unsat(_) => self.stats.unsat += 1,
            Answer::Unknown(_) => self.stats.unknown += 1,
        }
        answer
    }

    fn decide(
        &mut self,
        terms: &mut Terms,
        path: &[Term],
        query: &[Term],
        hint: Option<&Model>,
        limits: &Limits,
    ) -> Answer {
        let (Some(asked), Some(given)) = (conjuncts(terms, query), conjuncts(terms, path)) else {
            self.stats.by_constant += 1;
            let wrong = query.iter().chain(path).find(|&&term| conjuncts(terms, &[term]).is_none());
            return Answer::Unsat(wrong.copied().into_iter().collect());
        };
        if asked.is_empty() && given.is_empty() {
            self.stats.by_constant += 1;
            return Answer::Sat(hint.cloned().unwrap_or_default());
        }
        if let Some(model) = self.known_model(terms, &asked, &given, hint) {
            self.stats.by_model += 1;
            return Answer::Sat(model);
        }
        let answer = match self.by_parts(terms, &asked, &given, hint, limits) {
            Answer::Sat(model) => self.validated(terms, &asked, &given, hint, model, limits),
            other => other,
        };
        match answer {
            Answer::Unsat(core) => Answer::Unsat(given_terms(terms, query, path, &core)),
            other => other,
        }
    }

    /// Layer: models already known, the caller's first.
    fn known_model(
        &mut self,
        terms: &Terms,
        asked: &[Term],
        given: &[Term],
        hint: Option<&Model>,
    ) -> Option<Model> {
        if !self.config.recent_models {
            return None;
        }
        // the newest constraints are the ones that fail
        let all = asked.iter().chain(given.iter().rev());
        if let Some(hint) = hint
            && self.recent.try_model(terms, hint, all.clone())
        {
            return Some(hint.clone());
        }
        self.recent.find(terms, all)
    }

    /// Layer: independent parts, each decided for itself.
    fn by_parts(
        &mut self,
        terms: &mut Terms,
        asked: &[Term],
        given: &[Term],
        hint: Option<&Model>,
        limits: &Limits,
    ) -> Answer {
        let parts = if self.config.independence {
            independence::parts(terms, asked, given)
        } else {
            let mut conjuncts = [asked, given].concat();
            conjuncts.sort_unstable();
            vec![Part { conjuncts, asked: true }]
        };
        let mut model = hint.cloned().unwrap_or_default();
        for part in &parts {
            if !part.asked && self.holds_in_hint(terms, part, hint) {
                self.stats.sliced_away += part.conjuncts.len() as u64;
                continue;
            }
            match self.part(terms, &part.conjuncts, limits) {
                Answer::Sat(values) => model = model.overlaid_with(&values_of(terms, part, &values)),
                other => return other,
            }
        }
        Answer::Sat(model)
    }

    fn holds_in_hint(&mut self, terms: &Terms, part: &Part, hint: Option<&Model>) -> bool {
        hint.is_some_and(|hint| self.recent.try_model(terms, hint, part.conjuncts.iter()))
    }

    /// Layer: remembered answers, then the core. `conjuncts` are sorted.
    fn part(&mut self, terms: &mut Terms, conjuncts: &[Term], limits: &Limits) -> Answer {
        if self.config.cache
            && let Some((known, hit)) = self.cache.get(conjuncts)
        {
            match hit {
                Hit::Exact => self.stats.by_exact_cache += 1,
                Hit::Core => self.stats.by_known_core += 1,
                Hit::Superset => self.stats.by_known_superset += 1,
            }
            return match known {
                Known::Sat(model) => Answer::Sat(model),
                Known::Unsat(core) => Answer::Unsat(core),
            };
        }
        let answer = match self.try_out(terms, conjuncts, limits) {
            Some(answer) => answer,
            None => self.narrowed(terms, conjuncts, limits),
        };
        let answer = self.cross_checked(terms, conjuncts, answer);
        if self.config.cache {
            match &answer {
                Answer::Sat(model) => self.cache.insert(conjuncts, Known::Sat(model.clone())),
                Answer::Unsat(core) => self.cache.insert(conjuncts, Known::Unsat(core.clone())),
                Answer::Unknown(_) => {}
            }
        }
        answer
    }

    /// Layer: narrower symbols where the constraints are expensive.
    fn narrowed(&mut self, terms: &mut Terms, conjuncts: &[Term], limits: &Limits) -> Answer {
        if !self.config.narrowing || !conjuncts.iter().any(|&c| self.expense.is_expensive(terms, c)) {
            return self.ask_core(terms, conjuncts, limits);
        }
        match narrow(terms, conjuncts) {
            Narrowing::Unchanged => self.ask_core(terms, conjuncts, limits),
            Narrowing::Contradiction(core) => {
                self.stats.by_narrowing += 1;
                Answer::Unsat(core)
            }
            Narrowing::Narrowed(narrowed) => {
                self.stats.narrowed += 1;
                let answer = if narrowed.conjuncts.is_empty() {
                    Answer::Sat(Model::new())
                } else {
                    self.ask_core(terms, &narrowed.conjuncts, limits)
                };
                match answer {
                    Answer::Sat(model) => {
                        let model = narrowed.model(terms, &model);
                        if conjuncts.iter().all(|&c| terms.eval(c, &model).is_true()) {
                            return Answer::Sat(model);
                        }
                        self.stats.invalid_models += 1;
                        Answer::Unknown(Why::Internal("a narrowed model does not satisfy the constraints"))
                    }
                    Answer::Unsat(core) => Answer::Unsat(narrowed.core(terms, conjuncts, &core)),
                    unknown => unknown,
                }
            }
        }
    }

    /// Layer: every assignment of a small domain.
    fn try_out(&mut self, terms: &Terms, conjuncts: &[Term], limits: &Limits) -> Option<Answer> {
        if !self.config.enumeration {
            return None;
        }
        let answer = enumerate::decide(terms, conjuncts, limits)?;
        self.stats.by_enumeration += 1;
        Some(answer)
    }

    fn ask_core(&mut self, terms: &Terms, conjuncts: &[Term], limits: &Limits) -> Answer {
        let started = Instant::now();
        self.stats.core_calls += 1;
        let expensive =
            self.config.small_first && conjuncts.iter().any(|&c| self.expense.is_expensive(terms, c));
        let watch = Watch::start(&self.stats);
        let answer = self.core.check(terms, conjuncts, expensive, limits, &mut self.stats);
        watch.core_answered(&self.stats, terms, conjuncts, &self.core, &answer);
        self.stats.core_time += started.elapsed();
        match answer {
            Answer::Unknown(
                why @ (Why::ConflictLimit | Why::Timeout | Why::GateLimit | Why::Unsupported(_)),
            ) => self.ask_fallback(terms, conjuncts, limits, why),
            other => other,
        }
    }

    /// Layer: an external solver for what the core could not decide.
    fn ask_fallback(&mut self, terms: &Terms, conjuncts: &[Term], limits: &Limits, why: Why) -> Answer {
        let Some(path) = &self.config.fallback else { return Answer::Unknown(why) };
        if limits.check().is_err() {
            return Answer::Unknown(why);
        }
        match External::new(path).model(terms, conjuncts, limits.deadline) {
            Ok((Verdict::Unsat, _)) => {
                self.stats.by_fallback += 1;
                Answer::Unsat(conjuncts.to_vec())
            }
            Ok((Verdict::Sat, Some(model))) if conjuncts.iter().all(|&c| terms.eval(c, &model).is_true()) => {
                self.stats.by_fallback += 1;
                Answer::Sat(model)
            }
            _ => Answer::Unknown(why),
        }
    }

    /// Compares with the external solver, if asked to. It has no say where it has no opinion.
    fn cross_checked(&mut self, terms: &Terms, conjuncts: &[Term], answer: Answer) -> Answer {
        let Some(cross_check) = &self.config.cross_check else { return answer };
        let claim = match &answer {
            Answer::Sat(_) => Verdict::Sat,
            Answer::Unsat(_) => Verdict::Unsat,
            Answer::Unknown(_) => return answer,
        };
        self.stats.cross_checked += 1;
        match External::new(&cross_check.solver).check(terms, conjuncts, None) {
            Ok(verdict) if verdict != Verdict::Unknown && verdict != claim => {
                self.stats.mismatches += 1;
                if cross_check.on_mismatch == OnMismatch::Panic {
                    let script = terms.script(conjuncts).map_or(String::new(), |script| script.text);
                    panic!(
                        "the core says {claim:?}, {} says {verdict:?}:\n{script}",
                        cross_check.solver.display()
                    );
                }
                Answer::Unknown(Why::Internal("an external solver contradicts the core"))
            }
            _ => answer,
        }
    }

    /// The merged model must satisfy everything; if the hint was wrong about the path, the whole is asked again without it.
    fn validated(
        &mut self,
        terms: &mut Terms,
        asked: &[Term],
        given: &[Term],
        hint: Option<&Model>,
        model: Model,
        limits: &Limits,
    ) -> Answer {
        if self.recent.try_model(terms, &model, asked.iter().chain(given)) {
            return Answer::Sat(model);
        }
        if hint.is_some() {
            return match self.by_parts(terms, asked, given, None, limits) {
                Answer::Sat(model) => self.validated(terms, asked, given, None, model, limits),
                other => other,
            };
        }
        self.stats.invalid_models += 1;
        Answer::Unknown(Why::Internal("a merged model does not satisfy the constraints"))
    }

    fn meet_store(&mut self, terms: &Terms) {
        if self.store != Some(terms.id()) {
            self.store = Some(terms.id());
            self.recent.clear();
            self.cache.clear();
            self.expense.clear();
            self.core = Core::new(self.config.second_configuration, self.config.minimise_cores);
        }
    }
}

/// The values of a part's own symbols: a remembered model may speak of others as well, which belong to other parts.
fn values_of(terms: &Terms, part: &Part, model: &Model) -> Model {
    let mut own = Model::new();
    for &conjunct in &part.conjuncts {
        for &symbol in terms.symbols_of(conjunct).iter() {
            let zero = || Const::zero(terms.symbol_sort(symbol));
            own.set(symbol, model.get(symbol).unwrap_or_else(zero));
        }
    }
    own
}

/// The conjuncts of a conjunction, flat, without duplicates and constants; `None` if one of them is false.
fn conjuncts(terms: &Terms, constraints: &[Term]) -> Option<Vec<Term>> {
    let mut flat = Vec::new();
    let mut seen = FxHashSet::default();
    let mut stack: Vec<Term> = constraints.iter().rev().copied().collect();
    while let Some(term) = stack.pop() {
        match *terms.node(term) {
            Node::Binary(Binary::And, a, b) => stack.extend([b, a]),
            _ => match terms.as_bool(term) {
                Some(true) => {}
                Some(false) => return None,
                None if seen.insert(term) => flat.push(term),
                None => {}
            },
        }
    }
    Some(flat)
}

/// The constraints, as given, that the conjuncts of a core come from.
fn given_terms(terms: &Terms, query: &[Term], path: &[Term], core: &[Term]) -> Vec<Term> {
    let mut left: FxHashSet<Term> = core.iter().copied().collect();
    let mut given = Vec::new();
    for &constraint in query.iter().chain(path) {
        let mine = conjuncts(terms, &[constraint]).unwrap_or_default();
        let mut used = false;
        for conjunct in mine {
            used |= left.remove(&conjunct);
        }
        if used {
            given.push(constraint);
        }
    }
    given
}
