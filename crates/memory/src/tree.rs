//! Update trees: the writes to an indexed collection, newest nearest to the root.

use crate::index::{Index, Key};
use crate::level::{Level, Stamped};
use crate::persistent::Map;
use crate::region::Point;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// In debug builds the invariants are checked after each of the first writes; later it would cost too much.
const CHECKED_WRITES: u64 = 32;

/// How reads and writes treat values that need no solver to be compared; see the crate's documentation.
#[derive(Debug)]
pub struct Config<V> {
    /// A read gives each concrete value as a member of its own.
    pub split_read: bool,
    /// Known elements with concrete values stay on top when symbolic writes come over them.
    pub split_write: bool,
    pub concrete: fn(&V) -> bool,
}

/// What has been written to a collection of some rank. Cloning is O(1).
#[derive(Debug)]
pub struct UpdateTree<V> {
    pub(crate) rank: usize,
    pub(crate) config: Config<V>,
    /// Time of the latest write.
    clock: u64,
    /// With split writes: the known elements whose values are concrete, whatever symbolic writes came later.
    pub(crate) top: Map<Point, Stamped<V>>,
    pub(crate) root: Level<V>,
    /// The symbolic keys in the tree, and perhaps some that are there no more.
    keys: Map<SmallVec<[Index; 2]>, ()>,
}

/// One write that can still be seen.
#[derive(Clone, Debug)]
pub struct Write<V> {
    pub key: Key,
    pub value: V,
}

impl<V> Config<V> {
    /// Every value is treated alike.
    pub fn plain() -> Config<V> {
        Config { split_read: false, split_write: false, concrete: |_| false }
    }

    pub fn split(concrete: fn(&V) -> bool) -> Config<V> {
        Config { split_read: true, split_write: true, concrete }
    }
}

impl<V: Clone> UpdateTree<V> {
    /// No writes to a collection of this many dimensions.
    pub fn new(rank: usize, config: Config<V>) -> UpdateTree<V> {
        let (top, root, keys) = (Map::default(), Level::default(), Map::default());
        UpdateTree { rank, config, clock: 0, top, root, keys }
    }

    pub fn rank(&self) -> usize {
        self.rank
    }

    pub fn config(&self) -> Config<V> {
        self.config
    }

    pub fn is_empty(&self) -> bool {
        self.top.is_empty() && self.root.is_empty()
    }

    pub fn write(&mut self, key: &Key, value: V) {
        assert_eq!(key.rank(), self.rank, "a key has as many indexes as the collection has dimensions");
        self.clock += 1;
        let written = Stamped { time: self.clock, value };
        match key.as_point() {
            Some(point) => self.write_known(point, written),
            None => self.write_symbolic(key, written),
        }
        if cfg!(debug_assertions) && self.clock <= CHECKED_WRITES {
            self.check_invariants();
        }
    }

    /// Number of writes that can still be seen.
    pub fn len(&self) -> usize {
        let (mut points, mut times) = (self.top.len(), Vec::new());
        self.each_level(|level| {
            points += level.points.len();
            times.extend(level.nodes().iter().map(|node| node.written.time));
        });
        times.sort_unstable();
        times.dedup();
        points + times.len()
    }

    /// All writes that can still be seen, oldest first: replaying them gives a tree with the same contents.
    pub fn iter(&self) -> impl Iterator<Item = Write<V>> + use<V> {
        let mut writes = BTreeMap::new();
        let mut add = |point: &Point, written: &Stamped<V>| {
            writes.insert(written.time, Write { key: Key::known(point), value: written.value.clone() });
        };
        self.top.iter().for_each(|(point, written)| add(point, written));
        self.each_level(|level| level.points.iter().for_each(|(point, written)| add(point, written)));
        self.each_level(|level| {
            for node in level.nodes() {
                let write = || Write { key: (*node.key).clone(), value: node.written.value.clone() };
                writes.entry(node.written.time).or_insert_with(write);
            }
        });
        writes.into_values()
    }

    pub(crate) fn each_level(&self, mut visit: impl FnMut(&Level<V>)) {
        let mut stack = vec![&self.root];
        while let Some(level) = stack.pop() {
            visit(level);
            stack.extend(level.nodes().iter().map(|node| &node.below));
        }
    }

    fn write_known(&mut self, point: Point, written: Stamped<V>) {
        // what is on top is nowhere else
        if !self.top.contains(&point) {
            self.root.erase(&point);
        }
        if self.config.split_write && (self.config.concrete)(&written.value) {
            self.top.insert(point, written);
        } else {
            self.top.remove(&point);
            self.root.points.insert(point, written);
        }
    }

    fn write_symbolic(&mut self, key: &Key, written: Stamped<V>) {
        let indexes = SmallVec::from_slice(key.indexes());
        if self.keys.contains(&indexes) {
            self.root.forget(key);
        } else {
            self.keys.insert(indexes, ());
        }
        self.root.cover(Rc::new(key.clone()), written);
    }
}

impl<V> Copy for Config<V> {}

impl<V> Clone for Config<V> {
    fn clone(&self) -> Config<V> {
        *self
    }
}

impl<V: Clone> Clone for UpdateTree<V> {
    fn clone(&self) -> UpdateTree<V> {
        UpdateTree {
            rank: self.rank,
            config: self.config,
            clock: self.clock,
            top: self.top.clone(),
            root: self.root.clone(),
            keys: self.keys.clone(),
        }
    }
}
