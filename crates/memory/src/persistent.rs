//! A persistent ordered map: an AVL tree whose nodes are shared between clones and copied when one of them writes.
//! An unshared map is changed in place.

use std::cmp::Ordering;
use std::rc::Rc;

type Link<K, V> = Option<Rc<Node<K, V>>>;

#[derive(Clone, Debug)]
struct Node<K, V> {
    key: K,
    value: V,
    height: u8,
    left: Link<K, V>,
    right: Link<K, V>,
}

/// Cloning is O(1); looking up and changing are O(log n).
#[derive(Clone, Debug)]
pub(crate) struct Map<K, V> {
    root: Link<K, V>,
    len: usize,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Map<K, V> {
        Map { root: None, len: 0 }
    }
}

impl<K: Ord + Clone, V: Clone> Map<K, V> {
    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        let mut link = &self.root;
        while let Some(node) = link {
            link = match key.cmp(&node.key) {
                Ordering::Less => &node.left,
                Ordering::Greater => &node.right,
                Ordering::Equal => return Some(&node.value),
            };
        }
        None
    }

    pub fn contains(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    pub fn insert(&mut self, key: K, value: V) {
        if insert(&mut self.root, key, value) {
            self.len += 1;
        }
    }

    /// Copies nothing if the key is not there.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        if !self.contains(key) {
            return None;
        }
        self.len -= 1;
        remove(&mut self.root, key).map(|node| node.value.clone())
    }

    /// In the order of the keys.
    pub fn iter(&self) -> Range<'_, K, V> {
        let mut range = Range { stack: Vec::new(), last: None };
        range.descend(&self.root, None);
        range
    }

    /// From `first` to `last`, both included.
    pub fn range(&self, first: &K, last: &K) -> Range<'_, K, V> {
        let mut range = Range { stack: Vec::new(), last: Some(last.clone()) };
        range.descend(&self.root, Some(first));
        range
    }

    /// All of both; `other` wins where a key is in both.
    pub fn merge(&mut self, other: Map<K, V>) {
        let (mut large, small, small_wins) = if self.len >= other.len {
            (std::mem::take(self), other, true)
        } else {
            (other, std::mem::take(self), false)
        };
        for (key, value) in small.iter() {
            if small_wins || !large.contains(key) {
                large.insert(key.clone(), value.clone());
            }
        }
        *self = large;
    }
}

/// Entries in order; see [`Map::range`].
pub(crate) struct Range<'a, K, V> {
    stack: Vec<&'a Node<K, V>>,
    last: Option<K>,
}

impl<'a, K: Ord, V> Range<'a, K, V> {
    /// Stacks the path to the least entry that is not below `first`.
    fn descend(&mut self, mut link: &'a Link<K, V>, first: Option<&K>) {
        while let Some(node) = link {
            if first.is_some_and(|first| node.key < *first) {
                link = &node.right;
            } else {
                self.stack.push(node);
                link = &node.left;
            }
        }
    }
}

impl<'a, K: Ord, V> Iterator for Range<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<(&'a K, &'a V)> {
        let node = self.stack.pop()?;
        if self.last.as_ref().is_some_and(|last| node.key > *last) {
            self.stack.clear();
            return None;
        }
        self.descend(&node.right, None);
        Some((&node.key, &node.value))
    }
}

/// Whether the key is new.
fn insert<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: K, value: V) -> bool {
    let Some(node) = link else {
        *link = Some(Rc::new(Node { key, value, height: 1, left: None, right: None }));
        return true;
    };
    let node = Rc::make_mut(node);
    let new = match key.cmp(&node.key) {
        Ordering::Less => insert(&mut node.left, key, value),
        Ordering::Greater => insert(&mut node.right, key, value),
        Ordering::Equal => {
            node.value = value;
            return false;
        }
    };
    if new {
        rebalance(link);
    }
    new
}

/// Takes out the node of a key that is there.
fn remove<K: Ord + Clone, V: Clone>(link: &mut Link<K, V>, key: &K) -> Link<K, V> {
    let node = Rc::make_mut(link.as_mut()?);
    let removed = match key.cmp(&node.key) {
        Ordering::Less => remove(&mut node.left, key),
        Ordering::Greater => remove(&mut node.right, key),
        Ordering::Equal => {
            let (left, mut right) = (node.left.take(), node.right.take());
            let successor = take_first(&mut right);
            let removed = std::mem::replace(link, left.clone());
            if let Some(mut successor) = successor {
                let top = Rc::make_mut(&mut successor);
                (top.left, top.right) = (left, right);
                *link = Some(successor);
            }
            removed
        }
    };
    rebalance(link);
    removed
}

fn take_first<K: Clone, V: Clone>(link: &mut Link<K, V>) -> Link<K, V> {
    let node = Rc::make_mut(link.as_mut()?);
    if node.left.is_some() {
        let first = take_first(&mut node.left);
        rebalance(link);
        first
    } else {
        let rest = node.right.take();
        std::mem::replace(link, rest)
    }
}

fn rebalance<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(node) = link else { return };
    let (left, right) = (height(&node.left), height(&node.right));
    if left > right + 1 {
        let node = Rc::make_mut(node);
        if node.left.as_ref().is_some_and(|left| height(&left.left) < height(&left.right)) {
            rotate_left(&mut node.left);
        }
        rotate_right(link);
    } else if right > left + 1 {
        let node = Rc::make_mut(node);
        if node.right.as_ref().is_some_and(|right| height(&right.right) < height(&right.left)) {
            rotate_right(&mut node.right);
        }
        rotate_left(link);
    } else if node.height != 1 + left.max(right) {
        Rc::make_mut(node).measure();
    }
}

fn rotate_right<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut top) = link.take() else { return };
    let node = Rc::make_mut(&mut top);
    if let Some(mut pivot) = node.left.take() {
        let above = Rc::make_mut(&mut pivot);
        node.left = above.right.take();
        node.measure();
        above.right = Some(top);
        above.measure();
        *link = Some(pivot);
    }
}

fn rotate_left<K: Clone, V: Clone>(link: &mut Link<K, V>) {
    let Some(mut top) = link.take() else { return };
    let node = Rc::make_mut(&mut top);
    if let Some(mut pivot) = node.right.take() {
        let above = Rc::make_mut(&mut pivot);
        node.right = above.left.take();
        node.measure();
        above.left = Some(top);
        above.measure();
        *link = Some(pivot);
    }
}

fn height<K, V>(link: &Link<K, V>) -> u8 {
    link.as_ref().map_or(0, |node| node.height)
}

impl<K, V> Node<K, V> {
    fn measure(&mut self) {
        self.height = 1 + height(&self.left).max(height(&self.right));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn balanced(link: &Link<u8, u32>) -> u8 {
        let Some(node) = link else { return 0 };
        let (left, right) = (balanced(&node.left), balanced(&node.right));
        assert!(left.abs_diff(right) <= 1);
        assert_eq!(node.height, 1 + left.max(right));
        node.height
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn like_a_map_of_the_standard_library(ops in prop::collection::vec((any::<bool>(), 0u8..40, any::<u32>()), 0..200)) {
            let (mut map, mut expected) = (Map::default(), BTreeMap::new());
            let mut forks = Vec::new();
            for (i, (put, key, value)) in ops.into_iter().enumerate() {
                if put {
                    map.insert(key, value);
                    expected.insert(key, value);
                } else {
                    assert_eq!(map.remove(&key), expected.remove(&key));
                }
                balanced(&map.root);
                assert_eq!(map.len(), expected.len());
                assert_eq!(map.get(&key), expected.get(&key));
                if i % 16 == 0 {
                    forks.push((map.clone(), expected.clone()));
                }
            }
            forks.push((map, expected));
            for (map, expected) in &forks {
                assert!(map.iter().eq(expected));
                assert!(map.range(&7, &23).eq(expected.range(7..=23)));
            }
            let (a, b) = (&forks[0], &forks[forks.len() - 1]);
            let (mut merged, mut expected) = (a.0.clone(), a.1.clone());
            merged.merge(b.0.clone());
            expected.extend(b.1.clone());
            assert!(merged.iter().eq(&expected));
            assert_eq!(merged.len(), expected.len());
        }
    }
}
