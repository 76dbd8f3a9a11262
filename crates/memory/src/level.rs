//! One level of an update tree: siblings whose regions do not overlap.
//!
//! Elements with known indexes are entries of a map. A write by a symbolic key is a [`Node`] with its region and, below it,
//! the older writes within that region. A known element is taken away from a node's region without changing the
//! region: it is enough that the entry is on the same level or above, which means "newer". So ten thousand known
//! writes over a symbolic one cost ten thousand map insertions, not ten thousand ever longer lists of holes.

use crate::index::Key;
use crate::persistent::Map;
use crate::points::Points;
use crate::region::{Point, Region};
use std::rc::Rc;

/// Siblings that only partly lie in the region of a new write are split; when more nodes than this are concerned,
/// the region is widened to everything, which is always right: regions only save work.
const SPLIT_LIMIT: usize = 256;

/// A value and when it was written.
#[derive(Clone, Debug)]
pub(crate) struct Stamped<V> {
    pub time: u64,
    pub value: V,
}

#[derive(Clone, Debug)]
pub(crate) struct Node<V> {
    /// Where the write is seen, known elements at this level and above excepted.
    pub region: Region,
    pub key: Rc<Key>,
    pub written: Stamped<V>,
    /// What the write may hide: older writes within the region.
    pub below: Level<V>,
}

#[derive(Clone, Debug)]
pub(crate) struct Level<V> {
    pub points: Map<Point, Stamped<V>>,
    nodes: Option<Rc<Vec<Rc<Node<V>>>>>,
}

impl<V> Default for Level<V> {
    fn default() -> Level<V> {
        Level { points: Map::default(), nodes: None }
    }
}

impl<V> Level<V> {
    pub fn nodes(&self) -> &[Rc<Node<V>>] {
        self.nodes.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl<V: Clone> Level<V> {
    pub fn is_empty(&self) -> bool {
        self.points.is_empty() && self.nodes().is_empty()
    }

    /// Puts a write above everything within the region of its key.
    pub fn cover(&mut self, key: Rc<Key>, written: Stamped<V>) {
        let mut region = key.region();
        if !region.is_all() && self.split_by(&region) > SPLIT_LIMIT {
            region = Region::all(region.rank());
        }
        let below = self.split_off(&region);
        self.nodes_mut().push(Rc::new(Node { region, key, written, below }));
    }

    /// Removes what is known about a single element, wherever it is.
    pub fn erase(&mut self, point: &Point) {
        let mut depth = self.depth_of(point);
        let mut level = self;
        loop {
            level.points.remove(point);
            if depth == 0 {
                return;
            }
            depth -= 1;
            let Some(at) = level.nodes().iter().position(|node| node.region.contains(point)) else { return };
            let nodes = level.nodes_mut();
            let node = Rc::make_mut(&mut nodes[at]);
            if let Some(rest) = without(&node.region, point) {
                if rest.is_empty() {
                    nodes.swap_remove(at);
                    return;
                }
                node.region = rest;
            }
            level = &mut Rc::make_mut(&mut nodes[at]).below;
        }
    }

    /// Removes the writes by this very key: a newer one hides them whatever it means.
    pub fn forget(&mut self, key: &Key) {
        let region = key.region();
        let mut stack = vec![self];
        while let Some(level) = stack.pop() {
            while let Some(at) = level.nodes().iter().position(|node| *node.key == *key) {
                let node = level.nodes_mut().swap_remove(at);
                level.points.merge(node.below.points.clone());
                level.nodes_mut().extend(node.below.nodes().iter().cloned());
            }
            if !level.nodes().is_empty() {
                let around = level.nodes_mut().iter_mut().filter(|node| node.region.intersects(&region));
                stack.extend(around.map(|node| &mut Rc::make_mut(node).below));
            }
        }
    }

    fn nodes_mut(&mut self) -> &mut Vec<Rc<Node<V>>> {
        Rc::make_mut(self.nodes.get_or_insert_with(Rc::default))
    }

    /// How many levels down something must change for [`Level::erase`].
    fn depth_of(&self, point: &Point) -> usize {
        let (mut level, mut depth, mut last) = (self, 0, 0);
        loop {
            if level.points.contains(point) {
                last = depth;
            }
            let Some(node) = level.nodes().iter().find(|node| node.region.contains(point)) else {
                return last;
            };
            depth += 1;
            if without(&node.region, point).is_some() {
                last = depth;
            }
            level = &node.below;
        }
    }

    /// Counts the nodes that a region would split or look into, up to the limit.
    fn split_by(&self, region: &Region) -> usize {
        let (mut stack, mut count) = (vec![self], 0);
        while let Some(level) = stack.pop() {
            for node in level.nodes() {
                count += 1;
                if node.region.intersects(region) && !node.region.is_subset(region) {
                    stack.push(&node.below);
                }
            }
            if count > SPLIT_LIMIT {
                break;
            }
        }
        count
    }

    /// Takes out what lies within the region.
    fn split_off(&mut self, region: &Region) -> Level<V> {
        if region.is_all() {
            return std::mem::take(self);
        }
        let mut inside = Level::default();
        for point in self.points_in(region) {
            if let Some(entry) = self.points.remove(&point) {
                inside.points.insert(point, entry);
            }
        }
        let mut outside = Vec::new();
        for node in self.nodes() {
            if !node.region.intersects(region) {
                outside.push(Rc::clone(node));
            } else if node.region.is_subset(region) {
                inside.nodes_mut().push(Rc::clone(node));
            } else {
                inside.nodes_mut().push(Rc::new(node.restricted(node.region.intersection(region))));
                let parts = node.region.difference(region).into_iter();
                outside.extend(parts.map(|part| Rc::new(node.restricted(part))));
            }
        }
        self.nodes = (!outside.is_empty()).then(|| Rc::new(outside));
        inside
    }

    fn restricted(&self, region: &Region) -> Level<V> {
        self.clone().split_off(region)
    }

    fn points_in(&self, region: &Region) -> Vec<Point> {
        let mut found = Vec::new();
        match region.dimensions().first().and_then(Points::as_finite) {
            Some(first) => {
                for &index in first {
                    let (from, to) = row(index, region.rank());
                    found.extend(self.points.range(&from, &to).map(|(point, _)| point.clone()));
                }
            }
            None => found.extend(self.points.iter().map(|(point, _)| point.clone())),
        }
        found.retain(|point| region.contains(point));
        found
    }
}

impl<V: Clone> Node<V> {
    fn restricted(&self, region: Region) -> Node<V> {
        let below = self.below.restricted(&region);
        Node { region, key: Rc::clone(&self.key), written: self.written.clone(), below }
    }
}

/// Chains of writes by symbolic keys may be long, so they are not dropped by recursion.
impl<V> Drop for Level<V> {
    fn drop(&mut self) {
        let mut stack = Vec::from_iter(self.nodes.take());
        while let Some(nodes) = stack.pop() {
            for node in Rc::try_unwrap(nodes).unwrap_or_default() {
                if let Ok(mut node) = Rc::try_unwrap(node) {
                    stack.extend(node.below.nodes.take());
                }
            }
        }
    }
}

/// The first and the last element whose first index is `index`.
fn row(index: u32, rank: usize) -> (Point, Point) {
    let filled = |with: u32| std::iter::once(index).chain((1..rank).map(|_| with)).collect();
    (filled(0), filled(u32::MAX))
}

/// The region without one of its points, where that is a product and does not grow.
fn without(region: &Region, point: &Point) -> Option<Region> {
    match (region.dimensions(), point.as_slice()) {
        ([only @ Points::Only(_)], [index]) => Some(Region::product([only.difference(&Points::one(*index))])),
        _ => None,
    }
}
