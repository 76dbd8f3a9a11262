//! Paths whose conditions speak of what comes from outside: the clock, random numbers. A test is made only if the path is
//! taken whatever these are.

use rustc_hash::FxHashMap;
use solver::Answer;
use term::{Const, Model, Symbol, Term};
use verdict::Gap;
use vm::PathEnd;

use super::{Node, Run};
use crate::condition::Condition;
use crate::outcome::Path;

/// How often inputs are looked for that take the path whatever is outside.
const ROUNDS: usize = 6;
/// Paths that something outside decides and that are kept, and inputs that are tried for those that end alike.
const MAX_DOUBTFUL: usize = 64;
const TRIES: usize = 4;

impl Run<'_> {
    /// The conditions of a path that depend on what is outside, and one of the things they depend on.
    fn ambient_conditions(&self, condition: &Condition) -> Option<(Vec<Term>, &'static str)> {
        if !self.machine.reads_ambient() {
            return None;
        }
        let conjuncts = condition.conjuncts();
        let what = conjuncts.iter().find_map(|term| self.machine.ambient_source(*term))?;
        let depends = |term: &Term| self.machine.ambient_source(*term).is_some();
        Some((conjuncts.into_iter().filter(depends).collect(), what))
    }

    /// What is outside and known here has its value here: so a test sees it.
    pub(super) fn laboratory(&mut self, conjuncts: &[Term]) -> Vec<Term> {
        let mut seen: Vec<Symbol> = conjuncts
            .iter()
            .flat_map(|term| self.machine.surroundings_of(*term))
            .map(|(symbol, _)| symbol)
            .collect();
        seen.sort_unstable();
        seen.dedup();
        let terms = &mut self.machine.terms;
        let is_here = |symbol| {
            let (difference, sort) = (terms.var(symbol), terms.symbol_sort(symbol));
            let none = terms.constant(Const::zero(sort));
            terms.eq(difference, none)
        };
        seen.into_iter().map(is_here).collect()
    }

    /// A model of the path in which everything outside that is known here is as it is here.
    pub(super) fn in_laboratory(&mut self, condition: &Condition, model: &Model) -> Result<Model, Gap> {
        let mut conjuncts = condition.conjuncts();
        let here = self.laboratory(&conjuncts);
        if here.is_empty() {
            return Ok(model.clone());
        }
        let what = conjuncts.iter().find_map(|term| self.machine.surroundings_of(*term).into_iter().next());
        conjuncts.extend(here);
        let limits = self.limits(self.budget.solver_timeout);
        match self.solver.check_with_hint(&mut self.machine.terms, &[], &conjuncts, Some(model), &limits) {
            Answer::Sat(better) => Ok(better),
            _ => {
                let what = what.map_or_else(String::new, |(_, what)| what.to_string());
                Err(Gap::native_call(format!("what happens depends on {what}")))
            }
        }
    }

    /// Inputs that take the path whatever is outside, at best those of the model.
    pub(super) fn for_all_ambient(&mut self, condition: &Condition, model: &Model) -> Result<Model, Gap> {
        let Some((terms, what)) = self.ambient_conditions(condition) else { return Ok(model.clone()) };
        let lost = || Gap::native_call(format!("what happens depends on {what}"));
        let mut hard = condition.conjuncts();
        hard.extend(self.laboratory(&hard));
        let mut model = model.clone();
        for round in 0..ROUNDS {
            let Some(failing) = self.ambient_failing(&terms, &model) else { return Ok(model) };
            let Ok(failing) = failing else { return Err(lost()) };
            hard.extend(self.in_world(&terms, |symbol| failing.get(symbol)));
            if round == 0 {
                hard.extend(self.in_world(&terms, |_| None));
                hard.extend(self.in_world(&terms, |_| Some(ALL_ONES)));
            }
            let limits = self.limits(self.budget.solver_timeout);
            match self.solver.check(&mut self.machine.terms, &[], &hard, &limits) {
                Answer::Sat(better) => model = better,
                _ => return Err(lost()),
            }
        }
        Err(lost())
    }

    /// Keeps a path that something outside decides, for [`Run::settle_doubtful`].
    pub(super) fn note_doubtful(&mut self, node: Node, end: PathEnd, gap: Gap) {
        if self.kept.doubtful.len() >= MAX_DOUBTFUL {
            self.note_unshown(gap, Some(node.state.base_place()));
            return;
        }
        let path = Path { vague: true, ..Path::of(node, end) };
        self.kept.doubtful.push((path, gap));
    }

    /// Paths that end alike and cover the same: if one of them is taken whatever is outside, there is a test, which says
    /// no more than how it ends.
    pub(super) fn settle_doubtful(&mut self) {
        let mut rest = std::mem::take(&mut self.kept.doubtful);
        while !rest.is_empty() {
            let first = &rest[0].0;
            let (alike, others): (Vec<_>, Vec<_>) =
                rest.iter().cloned().partition(|(path, ..)| ends_alike(path, first));
            rest = others;
            match (0..alike.len().min(TRIES)).find(|n| self.one_is_taken(&alike, &alike[*n].0.model)) {
                Some(number) => {
                    let (path, _) = alike[number].clone();
                    if self.is_worth_a_test(&path.state, &path.end) {
                        self.kept.paths.push(path);
                    }
                }
                None => {
                    for (path, gap) in alike {
                        self.note_unshown(gap, Some(path.state.base_place()));
                    }
                }
            }
        }
    }

    /// Whether one of the paths is taken with the inputs of the model, whatever is outside.
    fn one_is_taken(&mut self, paths: &[(Path, Gap)], model: &Model) -> bool {
        let mut ways = Vec::new();
        for (path, _) in paths {
            let conjuncts = path.condition.conjuncts();
            let map = self.constants(&conjuncts, |run, symbol| {
                let zero = Const::zero(run.machine.terms.symbol_sort(symbol));
                (!run.machine.is_ambient(symbol)).then(|| model.get(symbol).unwrap_or(zero))
            });
            let inside = self.machine.terms.substitute_all(&conjuncts, &map);
            ways.push(self.machine.terms.and_all(inside));
        }
        let any = self.machine.terms.or_all(ways);
        let none = self.machine.terms.not(any);
        let limits = self.limits(self.budget.solver_timeout);
        matches!(self.solver.check(&mut self.machine.terms, &[], &[none], &limits), Answer::Unsat(_))
    }

    pub(super) fn holds_for_all_ambient(&mut self, condition: &Condition, model: &Model) -> bool {
        match self.ambient_conditions(condition) {
            Some((terms, _)) => self.ambient_failing(&terms, model).is_none(),
            None => true,
        }
    }

    /// Values from outside for which the inputs of the model do not take the path; `None` if there are none. An error if
    /// nobody knows.
    fn ambient_failing(&mut self, terms: &[Term], model: &Model) -> Option<Result<Model, ()>> {
        let map = self.constants(terms, |run, symbol| {
            let zero = Const::zero(run.machine.terms.symbol_sort(symbol));
            (!run.machine.is_ambient(symbol)).then(|| model.get(symbol).unwrap_or(zero))
        });
        let inside = self.machine.terms.substitute_all(terms, &map);
        let all = self.machine.terms.and_all(inside);
        let fails = self.machine.terms.not(all);
        let limits = self.limits(self.budget.solver_timeout);
        match self.solver.check(&mut self.machine.terms, &[], &[fails], &limits) {
            Answer::Unsat(_) => None,
            Answer::Sat(found) => Some(Ok(found)),
            Answer::Unknown(_) => Some(Err(())),
        }
    }

    /// The conditions for certain values from outside; zero where there is none.
    fn in_world(&mut self, terms: &[Term], value: impl Fn(Symbol) -> Option<Const>) -> Vec<Term> {
        let map = self.constants(terms, |run, symbol| {
            let sort = run.machine.terms.symbol_sort(symbol);
            let bits = value(symbol).map_or(0, Const::bits);
            run.machine.is_ambient(symbol).then(|| Const::from_bits(sort, bits))
        });
        self.machine.terms.substitute_all(terms, &map)
    }

    fn constants(
        &mut self,
        terms: &[Term],
        value: impl Fn(&Run<'_>, Symbol) -> Option<Const>,
    ) -> FxHashMap<Symbol, Term> {
        let mut map = FxHashMap::default();
        for term in terms {
            for &symbol in self.machine.terms.symbols_of(*term).iter() {
                if !map.contains_key(&symbol)
                    && let Some(value) = value(self, symbol)
                {
                    let constant = self.machine.terms.constant(value);
                    map.insert(symbol, constant);
                }
            }
        }
        map
    }
}

fn ends_alike(a: &Path, b: &Path) -> bool {
    let same_end = match (&a.end, &b.end) {
        (PathEnd::Returned(_), PathEnd::Returned(_)) => true,
        (PathEnd::Threw { ty, thrown_at, .. }, PathEnd::Threw { ty: other, thrown_at: elsewhere, .. }) => {
            ty == other && thrown_at == elsewhere
        }
        _ => false,
    };
    let (one, other) = (a.state.coverage.goals(), b.state.coverage.goals());
    same_end && one.is_subset(other) && other.is_subset(one)
}

/// Cut to the width of a symbol.
const ALL_ONES: Const = Const::Bv { width: 128, value: u128::MAX };
