//! Sets of index tuples: products of [`Points`], one per dimension.

use crate::points::Points;
use smallvec::SmallVec;

/// The known indexes of one element.
pub type Point = SmallVec<[u32; 2]>;

/// A product of sets of indexes. Of no dimensions: the one empty tuple.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct Region {
    dimensions: SmallVec<[Points; 1]>,
}

impl Region {
    pub fn all(rank: usize) -> Region {
        Region::product((0..rank).map(|_| Points::all()))
    }

    pub fn point(point: &[u32]) -> Region {
        Region::product(point.iter().map(|&index| Points::one(index)))
    }

    pub fn product(dimensions: impl IntoIterator<Item = Points>) -> Region {
        Region { dimensions: dimensions.into_iter().collect() }
    }

    pub fn dimensions(&self) -> &[Points] {
        &self.dimensions
    }

    pub fn rank(&self) -> usize {
        self.dimensions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.dimensions.iter().any(Points::is_empty)
    }

    pub fn is_all(&self) -> bool {
        self.dimensions.iter().all(Points::is_all)
    }

    pub fn contains(&self, point: &[u32]) -> bool {
        debug_assert_eq!(self.rank(), point.len());
        self.dimensions.iter().zip(point).all(|(points, &index)| points.contains(index))
    }

    pub fn intersects(&self, other: &Region) -> bool {
        self.zip(other).all(|(a, b)| a.intersects(b))
    }

    pub fn is_subset(&self, other: &Region) -> bool {
        self.is_empty() || self.zip(other).all(|(a, b)| a.is_subset(b))
    }

    pub fn intersection(&self, other: &Region) -> Region {
        Region::product(self.zip(other).map(|(a, b)| a.intersection(b)))
    }

    /// What is in `self` and not in `other`, as products that do not overlap: the `i`-th agrees with `other` in the
    /// dimensions before `i`, leaves it in dimension `i` and is free after it.
    pub fn difference(&self, other: &Region) -> Vec<Region> {
        let mut parts = Vec::new();
        let mut inside = self.clone();
        for (i, theirs) in other.dimensions.iter().enumerate() {
            let mut part = inside.clone();
            part.dimensions[i] = part.dimensions[i].difference(theirs);
            if !part.is_empty() {
                parts.push(part);
            }
            inside.dimensions[i] = inside.dimensions[i].intersection(theirs);
        }
        parts
    }

    fn zip<'a>(&'a self, other: &'a Region) -> impl Iterator<Item = (&'a Points, &'a Points)> {
        debug_assert_eq!(self.rank(), other.rank());
        self.dimensions.iter().zip(&other.dimensions)
    }
}
