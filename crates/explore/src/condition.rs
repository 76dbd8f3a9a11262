//! Path conditions: persistent lists that share their prefixes.

use std::rc::Rc;

use term::Term;

use crate::decision::Decision;

/// The conjunction of what was decided so far.
pub type Condition = Chain<Decision>;

/// A list that grows at its end. Cloning is O(1).
#[derive(Debug)]
pub struct Chain<T> {
    last: Option<Rc<Link<T>>>,
}

#[derive(Debug)]
struct Link<T> {
    value: T,
    rest: Chain<T>,
}

impl Condition {
    /// The conjuncts, oldest first.
    pub fn conjuncts(&self) -> Vec<Term> {
        oldest_first(self.newest_first().map(|decision| decision.guard))
    }
}

impl<T> Chain<T> {
    pub(crate) fn and(&self, value: T) -> Chain<T> {
        Chain { last: Some(Rc::new(Link { value, rest: self.clone() })) }
    }

    /// The values, oldest first.
    pub fn values(&self) -> Vec<&T> {
        oldest_first(self.newest_first())
    }

    fn newest_first(&self) -> impl Iterator<Item = &T> {
        let mut next = self.last.as_deref();
        std::iter::from_fn(move || {
            let link = next?;
            next = link.rest.last.as_deref();
            Some(&link.value)
        })
    }
}

fn oldest_first<T>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = values.collect();
    all.reverse();
    all
}

impl<T> Clone for Chain<T> {
    fn clone(&self) -> Chain<T> {
        Chain { last: self.last.clone() }
    }
}

impl<T> Default for Chain<T> {
    fn default() -> Chain<T> {
        Chain { last: None }
    }
}

impl<T> Drop for Chain<T> {
    /// Long conditions are taken apart in a loop: a recursive drop could overflow the stack.
    fn drop(&mut self) {
        let mut next = self.last.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.rest.last.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_of_a_million_conjuncts_is_dropped_without_recursion() {
        let mut condition = Chain::default();
        for number in 0..1_000_000 {
            condition = condition.and(number);
        }
        assert_eq!(condition.values().len(), 1_000_000);
    }

    #[test]
    fn conjuncts_come_oldest_first() {
        let base = Chain::default().and('x');
        assert_eq!(base.and('y').values(), [&'x', &'y']);
        assert_eq!(base.values(), [&'x']);
    }
}
