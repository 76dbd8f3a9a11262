//! Guarded values as one value.

use term::{Term, Terms};

/// Values of which exactly one is meant: the one whose guard holds. Guards exclude each other and cover everything
/// that the path condition allows.
///
/// Every operation maps over the members. Nothing is asked of a solver, no symbols are made, and the members need
/// not be values that a solver could encode.
#[derive(Clone, Debug, PartialEq)]
pub struct Union<V> {
    members: Vec<(Term, V)>,
}

impl<V> Union<V> {
    pub fn single(terms: &Terms, value: V) -> Union<V> {
        Union { members: vec![(terms.true_(), value)] }
    }

    /// Takes the caller's word that exactly one guard holds.
    pub fn exclusive(members: Vec<(Term, V)>) -> Union<V> {
        Union { members }
    }

    pub fn members(&self) -> &[(Term, V)] {
        &self.members
    }

    pub fn into_members(self) -> Vec<(Term, V)> {
        self.members
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Only what is on an impossible path has no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The value, if there is no choice.
    pub fn as_single(&self) -> Option<&V> {
        match self.members.as_slice() {
            [(_, value)] => Some(value),
            _ => None,
        }
    }

    /// As a term: an `ite` over the guards, the last member without a question. `None` without members.
    pub fn fold_ite(
        &self,
        terms: &mut Terms,
        mut to_term: impl FnMut(&mut Terms, &V) -> Term,
    ) -> Option<Term> {
        let mut members = self.members.iter().rev();
        let mut folded = to_term(terms, &members.next()?.1);
        for (guard, value) in members {
            let value = to_term(terms, value);
            folded = terms.ite(*guard, value, folded);
        }
        Some(folded)
    }

    /// When the condition holds of the value that is meant. Where it folds for every member, as it does for concrete
    /// values, the answer is a formula over guards alone, and constant if all agree.
    pub fn holds(&self, terms: &mut Terms, mut condition: impl FnMut(&mut Terms, &V) -> Term) -> Term {
        let conditions: Vec<Term> = self.members.iter().map(|(_, value)| condition(terms, value)).collect();
        if let Some(&first) = conditions.first()
            && conditions.iter().all(|&condition| condition == first)
        {
            return first;
        }
        let mut any = terms.false_();
        for ((guard, _), condition) in self.members.iter().zip(conditions) {
            let here = terms.and(*guard, condition);
            any = terms.or(any, here);
        }
        any
    }
}

impl<V: PartialEq> Union<V> {
    /// Drops members that cannot be meant and joins equal ones. `None` if more than `limit` remain.
    pub fn new(
        terms: &mut Terms,
        members: impl IntoIterator<Item = (Term, V)>,
        limit: usize,
    ) -> Option<Union<V>> {
        let members = Union::merged(terms, members, limit)?;
        Some(Union::without_question(terms, members))
    }

    /// An operation on the value that is meant.
    pub fn map<W: PartialEq>(&self, terms: &mut Terms, mut f: impl FnMut(&mut Terms, &V) -> W) -> Union<W> {
        let mapped: Vec<_> = self.members.iter().map(|(guard, value)| (*guard, f(terms, value))).collect();
        let limit = mapped.len();
        Union::new(terms, mapped, limit).unwrap_or(Union { members: Vec::new() })
    }

    /// An operation on two such values; pairs that exclude each other are not formed. `None` if more than `limit`
    /// different results remain.
    pub fn map2<U, W: PartialEq>(
        &self,
        terms: &mut Terms,
        other: &Union<U>,
        limit: usize,
        mut f: impl FnMut(&mut Terms, &V, &U) -> W,
    ) -> Option<Union<W>> {
        let mut results = Vec::new();
        for (guard, value) in &self.members {
            for (condition, operand) in &other.members {
                let both = terms.and(*guard, *condition);
                if terms.as_bool(both) != Some(false) {
                    results.push((both, f(terms, value, operand)));
                }
            }
        }
        Union::new(terms, results, limit)
    }

    /// An operation whose result is again a union, such as a read at an index that is one.
    pub fn and_then<W: PartialEq>(
        &self,
        terms: &mut Terms,
        limit: usize,
        mut f: impl FnMut(&mut Terms, &V) -> Union<W>,
    ) -> Option<Union<W>> {
        let mut results = Vec::new();
        for (guard, value) in &self.members {
            for (condition, result) in f(terms, value).members {
                results.push((terms.and(*guard, condition), result));
            }
        }
        Union::new(terms, results, limit)
    }

    /// A union of the values that satisfy `keep`, if they are at most `limit` different ones, and one value that `join`
    /// makes of all others: it sees them under their guards, of which one holds when none of the kept does.
    pub fn split(
        terms: &mut Terms,
        cases: Vec<(Term, V)>,
        limit: usize,
        keep: impl Fn(&V) -> bool,
        join: impl FnOnce(&mut Terms, Union<V>) -> V,
    ) -> Union<V>
    where
        V: Clone,
    {
        let kept = cases.iter().filter(|(_, value)| keep(value)).cloned();
        let (mut members, others) = match Union::merged(terms, kept, limit) {
            Some(kept) => (kept, cases.into_iter().filter(|(_, value)| !keep(value)).collect()),
            None => (Vec::new(), cases),
        };
        let mut none_kept = terms.true_();
        for (guard, _) in &members {
            let not = terms.not(*guard);
            none_kept = terms.and(none_kept, not);
        }
        if let Some(value) = one_of(terms, others, join) {
            members.push((none_kept, value));
        }
        Union::without_question(terms, members)
    }

    /// One guarded value per different value, or nothing if they are too many.
    fn merged(
        terms: &mut Terms,
        cases: impl IntoIterator<Item = (Term, V)>,
        limit: usize,
    ) -> Option<Vec<(Term, V)>> {
        let mut merged: Vec<(Term, V)> = Vec::new();
        for (guard, value) in cases {
            if terms.as_bool(guard) == Some(false) {
                continue;
            }
            if let Some((other, _)) = merged.iter_mut().find(|(_, other)| *other == value) {
                *other = terms.or(*other, guard);
            } else if merged.len() == limit {
                return None;
            } else {
                merged.push((guard, value));
            }
        }
        Some(merged)
    }

    /// A single member, or one whose guard is constantly true, is meant without a question.
    fn without_question(terms: &Terms, mut members: Vec<(Term, V)>) -> Union<V> {
        if let Some(sure) = members.iter().position(|(guard, _)| terms.as_bool(*guard) == Some(true)) {
            members = vec![members.swap_remove(sure)];
        }
        if let [(guard, _)] = members.as_mut_slice() {
            *guard = terms.true_();
        }
        Union { members }
    }
}

fn one_of<V: PartialEq>(
    terms: &mut Terms,
    mut cases: Vec<(Term, V)>,
    join: impl FnOnce(&mut Terms, Union<V>) -> V,
) -> Option<V> {
    let (_, first) = cases.first()?;
    if cases.iter().all(|(_, value)| value == first) {
        return cases.pop().map(|(_, value)| value);
    }
    Some(join(terms, Union { members: cases }))
}
