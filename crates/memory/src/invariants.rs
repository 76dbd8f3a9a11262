//! What always holds of an update tree, for tests.

use crate::level::Level;
use crate::region::Region;
use crate::tree::UpdateTree;

impl<V: Clone> UpdateTree<V> {
    /// Panics unless siblings are disjoint, children lie within their parents and are older, no element is known
    /// twice, and with split writes all known concrete values are on top.
    pub fn check_invariants(&self) {
        let mut known = Vec::from_iter(self.top.iter().map(|(point, _)| point.clone()));
        assert!(self.config.split_write || known.is_empty());
        let mut stack: Vec<(&Level<V>, Region, u64)> = vec![(&self.root, Region::all(self.rank), u64::MAX)];
        while let Some((level, parent, time)) = stack.pop() {
            for (point, written) in level.points.iter() {
                assert!(parent.contains(point) && written.time < time, "{point:?} lies within its parent");
                assert!(
                    !self.config.split_write || !(self.config.concrete)(&written.value),
                    "{point:?} is on top"
                );
                known.push(point.clone());
            }
            for (i, node) in level.nodes().iter().enumerate() {
                assert!(!node.region.is_empty(), "a node that nothing can see");
                assert!(
                    node.region.is_subset(&parent) && node.written.time < time,
                    "a child within its parent"
                );
                let mut newer = level.nodes()[..i].iter();
                assert!(
                    newer.all(|sibling| !sibling.region.intersects(&node.region)),
                    "siblings are disjoint"
                );
                let inside = level.points.iter().filter(|(point, _)| node.region.contains(point));
                inside.for_each(|(_, entry)| {
                    assert!(entry.time > node.written.time, "hidden on the same level")
                });
                stack.push((&node.below, node.region.clone(), node.written.time));
            }
        }
        let count = known.len();
        known.sort_unstable();
        known.dedup();
        assert_eq!(known.len(), count, "an element is known once");
    }
}
