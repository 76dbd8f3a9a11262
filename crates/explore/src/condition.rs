//! Path conditions: persistent lists that share their prefixes.

use std::rc::Rc;

use term::Term;

/// The conjunction of the guards taken so far. Cloning is O(1).
#[derive(Clone, Debug, Default)]
pub(crate) struct Condition {
    last: Option<Rc<Conjunct>>,
}

#[derive(Debug)]
struct Conjunct {
    term: Term,
    rest: Condition,
}

impl Condition {
    pub fn and(&self, term: Term) -> Condition {
        Condition { last: Some(Rc::new(Conjunct { term, rest: self.clone() })) }
    }

    /// The conjuncts, oldest first.
    pub fn conjuncts(&self) -> Vec<Term> {
        let mut terms = Vec::new();
        let mut next = &self.last;
        while let Some(conjunct) = next {
            terms.push(conjunct.term);
            next = &conjunct.rest.last;
        }
        terms.reverse();
        terms
    }
}

impl Drop for Condition {
    /// Long conditions are taken apart in a loop: a recursive drop could overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(conjunct) = next {
            match Rc::try_unwrap(conjunct) {
                Ok(mut conjunct) => next = conjunct.rest.last.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use term::{Sort, Terms};

    use super::*;

    #[test]
    fn a_condition_of_a_million_conjuncts_is_dropped_without_recursion() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Bool);
        let mut condition = Condition::default();
        for _ in 0..1_000_000 {
            condition = condition.and(x);
        }
        assert_eq!(condition.conjuncts().len(), 1_000_000);
    }

    #[test]
    fn conjuncts_come_oldest_first() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.fresh(name, Sort::Bool));
        let base = Condition::default().and(x);
        assert_eq!(base.and(y).conjuncts(), [x, y]);
        assert_eq!(base.conjuncts(), [x]);
    }
}
