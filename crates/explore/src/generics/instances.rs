//! Several explorations of one definition, each with other type arguments: which come next, what they add up to, and whether
//! what none of them reached is unreachable with all arguments.

use std::collections::BTreeSet;

use budget::Budget;
use types::{MethodId, Universe};
use verdict::Gap;
use vm::BitSet;

use super::dependence::kinds;
use super::{Dependence, Instantiations, describe};
use crate::outcome::Exploration;

/// Lists of type arguments that are tried for one definition.
const MAX_TRIED: usize = 24;
/// Explorations in a row that bring nothing, after which no more are tried.
const MAX_DULL: usize = 12;
/// Steps without anything new that are enough once everything is covered.
const PATIENCE: u64 = 50_000;

/// The sum of the explorations so far.
#[derive(Default)]
pub struct Instances {
    /// What tests show.
    covered: BitSet,
    /// What any path went through.
    reached: BitSet,
    wanted: BitSet,
    everything: bool,
    tried: Vec<MethodId>,
    steps: u64,
    /// Explorations that brought nothing, in a row and in all.
    dull: usize,
    all_dull: usize,
    refused: Vec<Gap>,
    failures: BTreeSet<Failure>,
    /// Not all explorations until both kinds of types had their turn were exhausted.
    is_open: bool,
    dependence: Dependence,
    /// The kinds of arguments (whether they are value types) of explorations that were exhausted, and how many there are.
    kinds: BTreeSet<Vec<bool>>,
    all_kinds: usize,
}

/// What the tests of one exploration show.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    pub goals: BitSet,
    pub failures: Vec<Failure>,
}

/// An exception that leaves the method: where and of which type.
pub type Failure = (u32, String);

/// What all explorations say together.
#[derive(Debug, PartialEq, Eq)]
pub enum Together {
    /// These goals are unreachable, whatever the type arguments.
    Unreachable(BitSet),
    /// Other type arguments could do something else.
    Open(Gap),
}

impl Instances {
    /// What the next exploration may use; `None` when it is not worth its time.
    pub fn next_budget(&self, choices: &Instantiations, budget: &Budget) -> Option<Budget> {
        let is_enough = choices.has_both_kinds() && (self.everything || self.dull >= MAX_DULL);
        if self.tried.len() >= MAX_TRIED || is_enough || self.proves_nothing_more(choices.has_both_kinds()) {
            return None;
        }
        let is_first = self.tried.is_empty() && self.refused.is_empty();
        let part = budget.part(self.steps, is_first, choices.is_over())?;
        Some(Budget { patience: if self.everything { PATIENCE } else { budget.patience }, ..part })
    }

    /// What tests of the explorations so far show.
    pub fn covered(&self) -> &BitSet {
        &self.covered
    }

    /// Takes note of an exploration; whether its tests are worth the reader's time. `is_extra`: both kinds of type arguments
    /// had their turn before.
    pub fn add(
        &mut self,
        universe: &Universe,
        method: MethodId,
        exploration: &Exploration,
        shown: &Shown,
        dependence: Dependence,
        is_extra: bool,
    ) -> bool {
        self.wanted.union_with(&exploration.wanted.goals);
        let brings = self.cover(shown);
        self.reached.union_with(&exploration.reached);
        self.everything = self.wanted.is_subset(&self.covered);
        self.dependence = self.dependence.max(dependence);
        self.note_kinds(universe, method, exploration);
        self.steps += exploration.stats.steps;
        self.dull = if brings { 0 } else { self.dull + 1 };
        if !brings && is_extra {
            self.all_dull += 1;
            return false;
        }
        self.is_open |= !is_extra && !exploration.is_exhausted();
        self.tried.push(method);
        true
    }

    fn note_kinds(&mut self, universe: &Universe, method: MethodId, exploration: &Exploration) {
        let kinds = kinds(universe, method);
        let free = kinds.iter().filter(|(_, is_free)| *is_free).count() as u32;
        self.all_kinds = 1usize.checked_shl(free).unwrap_or(usize::MAX);
        if exploration.is_exhausted() {
            self.kinds.insert(kinds.into_iter().map(|(is_value, _)| is_value).collect());
        }
    }

    /// Whether the tests show anything new.
    fn cover(&mut self, shown: &Shown) -> bool {
        let before = self.covered.len();
        self.covered.union_with(&shown.goals.intersection(&self.wanted));
        let known = self.failures.len();
        self.failures.extend(shown.failures.iter().cloned());
        self.failures.len() > known || self.covered.len() > before
    }

    /// Whether what was not reached so far is not reached with any arguments.
    fn proves_nothing_more(&self, has_both_kinds: bool) -> bool {
        let is_shown = match self.dependence {
            Dependence::None => true,
            Dependence::OnNull => has_both_kinds,
            Dependence::OnNulls => has_both_kinds && self.kinds.len() >= self.all_kinds,
            Dependence::OnType => false,
        };
        is_shown && !self.is_open && !self.tried.is_empty()
    }

    /// These arguments do not lead anywhere.
    pub fn refuse(&mut self, gap: Gap, is_extra: bool) {
        self.is_open |= !is_extra;
        self.refused.push(gap);
    }

    /// `Err` if nothing could be explored at all.
    pub fn finish(self, universe: &Universe, choices: &Instantiations) -> Result<Together, Gap> {
        if self.tried.is_empty() {
            let none = || Gap::unsupported_input("no type is known that satisfies the constraints");
            return Err(self.refused.into_iter().next().unwrap_or_else(none));
        }
        if self.proves_nothing_more(choices.has_both_kinds()) {
            return Ok(Together::Unreachable(self.wanted.without(&self.reached)));
        }
        Ok(Together::Open(self.only_these(universe)))
    }

    fn only_these(&self, universe: &Universe) -> Gap {
        let lists: Vec<String> = self.tried.iter().map(|method| describe(universe, *method)).collect();
        let more = match self.all_dull {
            0 => String::new(),
            count => format!("; {count} more showed nothing new"),
        };
        Gap::bound(format!("only these type arguments are tried: {}{more}", lists.join("; ")))
    }
}
