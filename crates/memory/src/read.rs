//! Reading an update tree: which writes a key may see, and when.

use crate::index::Key;
use crate::level::{Level, Node, Stamped};
use crate::region::{Point, Region};
use crate::tree::UpdateTree;
use std::cmp::Reverse;
use term::{Term, Terms};

/// More pairs of a known element and a symbolic write than this are not looked at one by one.
const MANY_PAIRS: usize = 64;

/// What a read may see. Of all guards, `rest` included, exactly one holds.
#[derive(Clone, Debug)]
pub struct Read<V> {
    /// Newest first; no guard is constantly false.
    pub cases: Vec<(Term, V)>,
    /// When no write covers the key; `None` if that cannot be.
    pub rest: Option<Term>,
    /// How many writes were looked at.
    pub visited: usize,
}

impl<V: Clone> UpdateTree<V> {
    pub fn read(&self, terms: &mut Terms, key: &Key) -> Read<V> {
        assert_eq!(key.rank(), self.rank, "a key has as many indexes as the collection has dimensions");
        let mut walk = Walk::new(key);
        walk.collect(self);
        walk.result(terms)
    }
}

/// A write by a symbolic key that the read may see.
struct Candidate<'a, V> {
    node: &'a Node<V>,
    /// The nearest candidate above it.
    above: Option<usize>,
}

struct Walk<'a, V> {
    key: &'a Key,
    region: Region,
    /// Known elements that the read may see.
    points: Vec<(&'a Point, &'a Stamped<V>)>,
    nodes: Vec<Candidate<'a, V>>,
    /// Nothing older than this can be seen, because this surely matches.
    horizon: u64,
    visited: usize,
}

impl<'a, V: Clone> Walk<'a, V> {
    fn new(key: &'a Key) -> Walk<'a, V> {
        Walk { key, region: key.region(), points: Vec::new(), nodes: Vec::new(), horizon: 0, visited: 0 }
    }

    /// Finds what may match, by regions and bounds alone.
    fn collect(&mut self, tree: &'a UpdateTree<V>) {
        let point = self.key.as_point();
        let (first, last) =
            (self.key.bounds().iter().map(|b| b.min), self.key.bounds().iter().map(|b| b.max));
        let (first, last): (Point, Point) = (first.collect(), last.collect());
        self.collect_points(tree.top.range(&first, &last).collect(), point.is_some());
        let mut stack: Vec<(&'a Level<V>, Option<usize>)> = vec![(&tree.root, None)];
        while let Some((level, above)) = stack.pop() {
            let entries = level.points.range(&first, &last).collect();
            if self.collect_points(entries, point.is_some()) {
                continue;
            }
            for node in level.nodes() {
                self.visited += 1;
                if node.written.time < self.horizon || !node.region.intersects(&self.region) {
                    continue;
                }
                if *node.key == *self.key {
                    self.horizon = node.written.time;
                    self.nodes.push(Candidate { node, above });
                } else if node.key.bounds_intersect(self.key) {
                    self.nodes.push(Candidate { node, above });
                    stack.push((&node.below, Some(self.nodes.len() - 1)));
                } else {
                    stack.push((&node.below, above));
                }
            }
        }
        let horizon = self.horizon;
        self.points.retain(|(_, written)| written.time >= horizon);
        self.points.sort_unstable_by_key(|(_, written)| Reverse(written.time));
    }

    /// Whether the very element is among them, so that nothing else of this level or below can be seen.
    fn collect_points(&mut self, entries: Vec<(&'a Point, &'a Stamped<V>)>, is_point: bool) -> bool {
        self.visited += entries.len();
        let key = self.key;
        let before = self.points.len();
        self.points.extend(entries.into_iter().filter(|(point, _)| key.may_be(point)));
        if !is_point || self.points.len() == before {
            return false;
        }
        if let Some((_, written)) = self.points.last() {
            self.horizon = self.horizon.max(written.time);
        }
        true
    }

    fn result(self, terms: &mut Terms) -> Read<V> {
        let outside = self.outside(terms);
        let mut cases = self.cases_of_points(terms);
        let above = self.none_above(terms);
        for (candidate, &none_above) in self.nodes.iter().zip(&above) {
            let node = candidate.node;
            let newer = self.points.partition_point(|(_, point)| point.time > node.written.time);
            if node.written.time >= self.horizon && !self.is_hidden(&node.key, newer) {
                let guard = self.guard_of_node(terms, node, none_above, outside[newer]);
                cases.push((node.written.time, guard, &node.written.value));
            }
        }
        cases.retain(|(_, guard, _)| terms.as_bool(*guard) != Some(false));
        cases.sort_by_key(|(time, _, _)| Reverse(*time));
        if let Some((_, guard, value)) =
            cases.iter().find(|(_, guard, _)| terms.as_bool(*guard) == Some(true))
        {
            return Read { cases: vec![(*guard, (*value).clone())], rest: None, visited: self.visited };
        }
        let rest = self.rest(terms, outside.last().copied());
        let mut cases: Vec<_> = cases.into_iter().map(|(_, guard, value)| (guard, value.clone())).collect();
        if let ([(guard, _)], None) = (cases.as_mut_slice(), rest) {
            *guard = terms.true_();
        }
        Read { cases, rest, visited: self.visited }
    }

    /// For each `n`: the key is none of the `n` newest points.
    fn outside(&self, terms: &mut Terms) -> Vec<Term> {
        let mut none = terms.true_();
        let mut chain = vec![none];
        if self.key.as_point().is_none() {
            for (point, _) in &self.points {
                let differs = self.key.differs(terms, &Key::known(point));
                none = terms.and(none, differs);
                chain.push(none);
            }
        } else {
            // the one element that is found is the key: what is older has been left out
            chain.resize(self.points.len() + 1, none);
        }
        chain
    }

    /// For each candidate: the key is none of those above it.
    fn none_above(&self, terms: &mut Terms) -> Vec<Term> {
        let mut all: Vec<Term> = Vec::with_capacity(self.nodes.len());
        for candidate in &self.nodes {
            let term = match candidate.above {
                None => terms.true_(),
                Some(above) => {
                    let differs = self.key.differs(terms, &self.nodes[above].node.key);
                    terms.and(all[above], differs)
                }
            };
            all.push(term);
        }
        all
    }

    /// The key is the point, and no newer symbolic write was to it. Said of the point and not of the key, the latter
    /// folds more often and other reads share it; but where points and nodes are many, it is said of the key, once
    /// for all points of one age.
    fn cases_of_points(&self, terms: &mut Terms) -> Vec<(u64, Term, &'a V)> {
        let mut newest_first: Vec<&Node<V>> = self.nodes.iter().map(|candidate| candidate.node).collect();
        newest_first.sort_by_key(|node| Reverse(node.written.time));
        let many = self.points.len() * newest_first.len() > MANY_PAIRS;
        let (mut spared, mut newer) = (terms.true_(), 0);
        let mut cases = Vec::with_capacity(self.points.len());
        for &(point, written) in &self.points {
            let key = Key::known(point);
            let mut guard = self.key.equals(terms, &key);
            while let Some(node) = newest_first.get(newer).filter(|node| node.written.time > written.time) {
                newer += 1;
                if many {
                    let differs = self.key.differs(terms, &node.key);
                    spared = terms.and(spared, differs);
                }
            }
            if many {
                guard = terms.and(guard, spared);
            } else {
                for node in newest_first[..newer].iter().filter(|node| node.region.contains(point)) {
                    let differs = key.differs(terms, &node.key);
                    guard = terms.and(guard, differs);
                }
            }
            cases.push((written.time, guard, &written.value));
        }
        cases
    }

    /// Whether the `newer` newest points are all that both this key and the one that is read may be.
    fn is_hidden(&self, key: &Key, newer: usize) -> bool {
        let volume = self.key.common_volume(key);
        newer as u128 >= volume
            && self.points[..newer].iter().filter(|(point, _)| key.may_be(point)).count() as u128 >= volume
    }

    fn guard_of_node(&self, terms: &mut Terms, node: &Node<V>, none_above: Term, outside: Term) -> Term {
        let mut guard = self.key.equals(terms, &node.key);
        // where later writes took a part of the node's region away, being equal is not enough
        let (mine, theirs) = (self.region.dimensions(), node.key.region());
        for (d, points) in node.region.dimensions().iter().enumerate() {
            if !theirs.dimensions()[d].is_subset(points) && !mine[d].is_subset(points) {
                let member = self.key.lies_in(terms, d, points);
                guard = terms.and(guard, member);
            }
        }
        guard = terms.and(guard, none_above);
        terms.and(guard, outside)
    }

    fn rest(&self, terms: &mut Terms, outside: Option<Term>) -> Option<Term> {
        if self.horizon > 0 || self.points.len() as u128 >= self.key.common_volume(self.key) {
            return None;
        }
        let mut rest = outside.unwrap_or_else(|| terms.true_());
        for candidate in &self.nodes {
            let differs = self.key.differs(terms, &candidate.node.key);
            rest = terms.and(rest, differs);
        }
        (terms.as_bool(rest) != Some(false)).then_some(rest)
    }
}
