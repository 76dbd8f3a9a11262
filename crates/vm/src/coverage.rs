//! What a path has executed of the method under test: instructions and branch edges, as shared bit sets.

use std::rc::Rc;

/// A growing set of small numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    pub fn contains(&self, index: u32) -> bool {
        self.words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Whether the index was absent.
    pub fn insert(&mut self, index: u32) -> bool {
        let word = index as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let bit = 1u64 << (index % 64);
        let fresh = self.words[word] & bit == 0;
        self.words[word] |= bit;
        fresh
    }

    pub fn union_with(&mut self, other: &BitSet) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().enumerate().all(|(i, word)| word & !other.words.get(i).copied().unwrap_or(0) == 0)
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i as u32 * 64 + bit)
        })
    }
}

/// Instructions and edges of the method under test that a path went through.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    sets: Rc<Sets>,
}

#[derive(Clone, Debug, Default)]
struct Sets {
    ops: BitSet,
    edges: BitSet,
}

impl Coverage {
    pub fn ops(&self) -> &BitSet {
        &self.sets.ops
    }

    pub fn edges(&self) -> &BitSet {
        &self.sets.edges
    }

    pub(crate) fn cover_op(&mut self, op: u32) {
        if !self.sets.ops.contains(op) {
            Rc::make_mut(&mut self.sets).ops.insert(op);
        }
    }

    /// An edge that nobody asks for has the number `u32::MAX`.
    pub(crate) fn cover_edge(&mut self, edge: u32) {
        if edge != u32::MAX && !self.sets.edges.contains(edge) {
            Rc::make_mut(&mut self.sets).edges.insert(edge);
        }
    }
}
