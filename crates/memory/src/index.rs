//! Keys: index tuples, each component known or a term with bounds.

use crate::points::Points;
use crate::region::{Point, Region};
use smallvec::SmallVec;
use term::{Term, Terms};

/// A symbolic index of at most so many values has a finite region.
const FINITE: u32 = 8;

/// One index, counted from the lower bound of its dimension, so never negative.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum Index {
    Known(u32),
    /// A bit-vector of 32 bits.
    Symbolic(Term),
}

/// `min <= index <= max`, unsigned.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Bounds {
    pub min: u32,
    pub max: u32,
}

/// The place of an element in a collection of some rank.
///
/// Two keys are equal when their indexes are; bounds are only knowledge about them.
#[derive(Clone, Debug)]
pub struct Key {
    indexes: SmallVec<[Index; 2]>,
    bounds: SmallVec<[Bounds; 2]>,
}

impl Bounds {
    pub const ALL: Bounds = Bounds { min: 0, max: u32::MAX };

    /// The indexes of an array of at most `length` elements; meaningless for 0.
    pub fn below(length: u32) -> Bounds {
        Bounds { min: 0, max: length.saturating_sub(1) }
    }

    pub fn contains(self, index: u32) -> bool {
        self.min <= index && index <= self.max
    }

    pub fn intersects(self, other: Bounds) -> bool {
        self.min <= other.max && other.min <= self.max
    }

    fn values(self) -> u128 {
        (u128::from(self.max) + 1).saturating_sub(u128::from(self.min))
    }
}

impl Key {
    /// A key of symbolic and known indexes; constant terms count as known, and what the store knows about the
    /// range of a term is taken over.
    pub fn new(terms: &Terms, indexes: impl IntoIterator<Item = Index>) -> Key {
        Key::within(terms, indexes.into_iter().map(|index| (index, Bounds::ALL)))
    }

    /// The same with bounds that the caller vouches for **wherever the tree is used**, such as those that the
    /// path condition implies.
    pub fn within(terms: &Terms, indexes: impl IntoIterator<Item = (Index, Bounds)>) -> Key {
        let mut key = Key { indexes: SmallVec::new(), bounds: SmallVec::new() };
        for (index, bounds) in indexes {
            let (index, bounds) = match index {
                Index::Known(_) => (index, bounds),
                Index::Symbolic(term) => simplest(terms, term, bounds),
            };
            key.push(index, bounds);
        }
        key
    }

    pub fn known(point: &[u32]) -> Key {
        let mut key = Key { indexes: SmallVec::new(), bounds: SmallVec::new() };
        for &index in point {
            key.push(Index::Known(index), Bounds::ALL);
        }
        key
    }

    pub fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    pub fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    pub fn rank(&self) -> usize {
        self.indexes.len()
    }

    /// The element, if all indexes are known.
    pub fn as_point(&self) -> Option<Point> {
        let known = |&index: &Index| match index {
            Index::Known(known) => Some(known),
            Index::Symbolic(_) => None,
        };
        self.indexes.iter().map(known).collect()
    }

    /// All elements that the key may mean.
    pub fn region(&self) -> Region {
        Region::product(self.bounds.iter().map(|&bounds| match bounds.values() {
            n if n <= u128::from(FINITE) => Points::only(bounds.min..=bounds.max),
            _ => Points::all(),
        }))
    }

    /// Whether `point` is within the bounds; says more than [`Key::region`].
    pub fn may_be(&self, point: &[u32]) -> bool {
        self.bounds.iter().zip(point).all(|(bounds, &index)| bounds.contains(index))
    }

    /// Number of elements within the bounds of both.
    pub(crate) fn common_volume(&self, other: &Key) -> u128 {
        let common = |(a, b): (&Bounds, &Bounds)| Bounds { min: a.min.max(b.min), max: a.max.min(b.max) };
        let values = self.bounds.iter().zip(&other.bounds).map(common).map(Bounds::values);
        values.fold(1, u128::saturating_mul)
    }

    pub(crate) fn bounds_intersect(&self, other: &Key) -> bool {
        self.bounds.iter().zip(&other.bounds).all(|(a, b)| a.intersects(*b))
    }

    /// The condition under which both mean the same element.
    pub fn equals(&self, terms: &mut Terms, other: &Key) -> Term {
        debug_assert_eq!(self.rank(), other.rank());
        if !self.bounds_intersect(other) {
            return terms.false_();
        }
        let mut same = terms.true_();
        for (&a, &b) in self.indexes.iter().zip(&other.indexes) {
            let equal = equal(terms, a, b);
            same = terms.and(same, equal);
        }
        same
    }

    pub(crate) fn differs(&self, terms: &mut Terms, other: &Key) -> Term {
        let same = self.equals(terms, other);
        terms.not(same)
    }

    /// The condition under which the key means an element whose index in dimension `dimension` is in `points`.
    pub(crate) fn lies_in(&self, terms: &mut Terms, dimension: usize, points: &Points) -> Term {
        let (Points::Only(set) | Points::AllBut(set)) = points;
        let (index, bounds) = (self.indexes[dimension], self.bounds[dimension]);
        let mut none = terms.true_();
        for &point in set.iter().filter(|&&point| bounds.contains(point)) {
            let hit = equal(terms, index, Index::Known(point));
            let miss = terms.not(hit);
            none = terms.and(none, miss);
        }
        if matches!(points, Points::Only(_)) { terms.not(none) } else { none }
    }

    fn push(&mut self, index: Index, bounds: Bounds) {
        self.indexes.push(index);
        self.bounds.push(match index {
            Index::Known(known) => Bounds { min: known, max: known },
            Index::Symbolic(_) => bounds,
        });
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.indexes == other.indexes
    }
}

impl Eq for Key {}

/// A term with what is known about it; a number if only one is possible.
fn simplest(terms: &Terms, term: Term, bounds: Bounds) -> (Index, Bounds) {
    debug_assert_eq!(terms.width(term), 32, "an index has 32 bits");
    let range = terms.range(term);
    let min = bounds.min.max(u32::try_from(range.min).unwrap_or(0));
    let max = bounds.max.min(u32::try_from(range.max).unwrap_or(u32::MAX));
    if min == max {
        return (Index::Known(min), Bounds { min, max });
    }
    // contradictory bounds mean that the path is impossible; nothing may be concluded from them here
    let bounds = if min < max { Bounds { min, max } } else { Bounds::ALL };
    (Index::Symbolic(term), bounds)
}

fn equal(terms: &mut Terms, a: Index, b: Index) -> Term {
    match (a, b) {
        (Index::Known(a), Index::Known(b)) => terms.bool(a == b),
        (Index::Symbolic(a), Index::Symbolic(b)) => terms.eq(a, b),
        (Index::Symbolic(term), Index::Known(known)) | (Index::Known(known), Index::Symbolic(term)) => {
            let known = terms.bv(32, u128::from(known));
            terms.eq(term, known)
        }
    }
}
