//! Layer: remembered answers. A set that contains a known contradiction is one; a set contained in a satisfiable one is
//! satisfiable by the same model; and the same question has the same answer.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use term::{Model, Term};

/// How many contradictions and satisfiable sets are kept, oldest out first.
const CORES: usize = 4096;
const SATISFIABLE: usize = 512;
/// Terms in all remembered questions together, some sixteen megabytes.
const EXACT_TERMS: usize = 4_000_000;

#[derive(Clone)]
pub(crate) enum Known {
    Sat(Model),
    Unsat(Vec<Term>),
}

/// How an answer was found.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Hit {
    Exact,
    Core,
    Superset,
}

#[derive(Default)]
pub(crate) struct Cache {
    exact: FxHashMap<Box<[Term]>, Known>,
    exact_terms: usize,
    cores: VecDeque<Set<()>>,
    satisfiable: VecDeque<Set<Model>>,
}

/// A sorted set with a summary that rules out most inclusions at once.
struct Set<T> {
    terms: Box<[Term]>,
    summary: u64,
    value: T,
}

impl Cache {
    /// `conjuncts` must be sorted.
    pub(crate) fn get(&self, conjuncts: &[Term]) -> Option<(Known, Hit)> {
        if let Some(known) = self.exact.get(conjuncts) {
            return Some((known.clone(), Hit::Exact));
        }
        let summary = summary(conjuncts);
        let core = self
            .cores
            .iter()
            .rev()
            .find(|core| core.summary & !summary == 0 && is_subset(&core.terms, conjuncts));
        if let Some(core) = core {
            return Some((Known::Unsat(core.terms.to_vec()), Hit::Core));
        }
        let superset = self
            .satisfiable
            .iter()
            .rev()
            .find(|set| summary & !set.summary == 0 && is_subset(conjuncts, &set.terms))?;
        Some((Known::Sat(superset.value.clone()), Hit::Superset))
    }

    pub(crate) fn insert(&mut self, conjuncts: &[Term], known: Known) {
        self.exact_terms += conjuncts.len();
        if self.exact_terms > EXACT_TERMS {
            self.exact.clear();
            self.exact_terms = conjuncts.len();
        }
        match &known {
            Known::Sat(model) => push(&mut self.satisfiable, SATISFIABLE, conjuncts, model.clone()),
            Known::Unsat(core) => {
                let mut core = core.clone();
                core.sort_unstable();
                push(&mut self.cores, CORES, &core, ());
            }
        }
        self.exact.insert(conjuncts.into(), known);
    }

    pub(crate) fn clear(&mut self) {
        *self = Cache::default();
    }
}

fn push<T>(sets: &mut VecDeque<Set<T>>, most: usize, terms: &[Term], value: T) {
    if sets.len() >= most {
        sets.pop_front();
    }
    sets.push_back(Set { terms: terms.into(), summary: summary(terms), value });
}

/// One bit per term, by a multiplicative hash.
fn summary(terms: &[Term]) -> u64 {
    terms
        .iter()
        .fold(0, |bits, term| bits | 1 << ((term.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58))
}

fn is_subset(small: &[Term], large: &[Term]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|term| rest.any(|other| other == term))
}
