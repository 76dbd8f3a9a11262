//! Reads as values: split or whole, and contents that are discovered by reading.

use crate::index::Key;
use crate::read::Read;
use crate::tree::UpdateTree;
use crate::union::Union;
use term::{Term, Terms};

impl<V: Clone> Read<V> {
    /// All cases, with the value that the collection had where no write covers the key.
    pub fn or_else(self, terms: &mut Terms, rest: impl FnOnce(&mut Terms) -> V) -> Vec<(Term, V)> {
        let mut cases = self.cases;
        cases.extend(self.rest.map(|guard| (guard, rest(terms))));
        cases
    }
}

impl<V: Clone + PartialEq> UpdateTree<V> {
    /// The element as a value.
    ///
    /// With `split_read` up to `limit` different concrete values are members, and `join` makes one value of all others
    /// (an `ite` of terms, say). Without it, `join` makes one value of everything.
    pub fn read_value(
        &self,
        terms: &mut Terms,
        key: &Key,
        limit: usize,
        rest: impl FnOnce(&mut Terms) -> V,
        join: impl FnOnce(&mut Terms, Union<V>) -> V,
    ) -> Union<V> {
        let cases = self.read(terms, key).or_else(terms, rest);
        let config = self.config();
        Union::split(terms, cases, limit, |value| config.split_read && (config.concrete)(value), join)
    }

    /// The element of a collection whose contents are made up when they are looked at: what was seen before, under the
    /// condition that it is the same element, or else something `fresh`. The same key gives the same value again,
    /// and keys that turn out to be equal give equal values. The tree is then not a log of writes but of reads.
    pub fn discover(
        &mut self,
        terms: &mut Terms,
        key: &Key,
        fresh: impl FnOnce(&mut Terms) -> V,
        join: impl FnOnce(&mut Terms, Union<V>) -> V,
    ) -> V {
        let read = self.read(terms, key);
        if let ([(_, value)], None) = (read.cases.as_slice(), read.rest) {
            return value.clone();
        }
        let cases = read.or_else(terms, fresh);
        let value = match cases.as_slice() {
            [(_, value)] => value.clone(),
            _ => join(terms, Union::exclusive(cases)),
        };
        self.write(key, value.clone());
        value
    }
}
