//! Sets of indexes of one dimension: finite, or the complement of a finite one.

use smallvec::SmallVec;

/// Sorted, without repetitions.
type Sorted = SmallVec<[u32; 4]>;

/// A set of indexes. Both forms are kept sorted, so equal sets are equal values.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub enum Points {
    Only(Sorted),
    AllBut(Sorted),
}

impl Points {
    pub fn all() -> Points {
        Points::AllBut(Sorted::new())
    }

    pub fn none() -> Points {
        Points::Only(Sorted::new())
    }

    pub fn one(point: u32) -> Points {
        Points::Only(SmallVec::from_slice(&[point]))
    }

    pub fn only(points: impl IntoIterator<Item = u32>) -> Points {
        Points::Only(sorted(points))
    }

    pub fn all_but(points: impl IntoIterator<Item = u32>) -> Points {
        Points::AllBut(sorted(points))
    }

    pub fn contains(&self, point: u32) -> bool {
        match self {
            Points::Only(set) => set.binary_search(&point).is_ok(),
            Points::AllBut(holes) => holes.binary_search(&point).is_err(),
        }
    }

    /// Complements of finite sets count as not empty: nobody writes four billion holes.
    pub fn is_empty(&self) -> bool {
        matches!(self, Points::Only(set) if set.is_empty())
    }

    pub fn is_all(&self) -> bool {
        matches!(self, Points::AllBut(holes) if holes.is_empty())
    }

    /// The members of a finite set.
    pub fn as_finite(&self) -> Option<&[u32]> {
        match self {
            Points::Only(set) => Some(set),
            Points::AllBut(_) => None,
        }
    }

    pub fn complement(&self) -> Points {
        match self {
            Points::Only(set) => Points::AllBut(set.clone()),
            Points::AllBut(holes) => Points::Only(holes.clone()),
        }
    }

    pub fn union(&self, other: &Points) -> Points {
        match (self, other) {
            (Points::Only(a), Points::Only(b)) => Points::Only(sorted(a.iter().chain(b).copied())),
            (Points::Only(a), Points::AllBut(holes)) | (Points::AllBut(holes), Points::Only(a)) => {
                Points::AllBut(keep(holes, |hole| a.binary_search(&hole).is_err()))
            }
            (Points::AllBut(a), Points::AllBut(b)) => {
                Points::AllBut(keep(a, |p| b.binary_search(&p).is_ok()))
            }
        }
    }

    pub fn intersection(&self, other: &Points) -> Points {
        match (self, other) {
            (Points::Only(a), other) | (other, Points::Only(a)) => {
                Points::Only(keep(a, |p| other.contains(p)))
            }
            (Points::AllBut(a), Points::AllBut(b)) => Points::AllBut(sorted(a.iter().chain(b).copied())),
        }
    }

    pub fn difference(&self, other: &Points) -> Points {
        self.intersection(&other.complement())
    }

    pub fn intersects(&self, other: &Points) -> bool {
        match (self, other) {
            (Points::Only(a), other) | (other, Points::Only(a)) => a.iter().any(|&p| other.contains(p)),
            (Points::AllBut(_), Points::AllBut(_)) => true,
        }
    }

    pub fn is_subset(&self, other: &Points) -> bool {
        match (self, other) {
            (Points::Only(a), other) => a.iter().all(|&p| other.contains(p)),
            (Points::AllBut(_), Points::Only(_)) => false,
            (Points::AllBut(a), Points::AllBut(b)) => b.iter().all(|p| a.binary_search(p).is_ok()),
        }
    }
}

fn sorted(points: impl IntoIterator<Item = u32>) -> Sorted {
    let mut set: Sorted = points.into_iter().collect();
    set.sort_unstable();
    set.dedup();
    set
}

fn keep(set: &[u32], wanted: impl Fn(u32) -> bool) -> Sorted {
    set.iter().copied().filter(|&point| wanted(point)).collect()
}
