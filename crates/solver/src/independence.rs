//! Layer: independence. Constraints that share no symbol, directly or through others, do not influence each other.

use rustc_hash::FxHashMap;
use term::{Symbol, Term, Terms};

/// A set of constraints connected by their symbols.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// Sorted, without duplicates.
    pub(crate) conjuncts: Vec<Term>,
    /// Whether one of them belongs to the query, so that nothing is known about the part yet.
    pub(crate) asked: bool,
}

/// Splits constraints into independent parts, in the order of their first constraint; `query` comes first.
pub(crate) fn parts(terms: &Terms, query: &[Term], path: &[Term]) -> Vec<Part> {
    let all: Vec<Term> = query.iter().chain(path).copied().collect();
    let mut groups = Groups { parent: (0..all.len()).collect() };
    let mut first_with: FxHashMap<Symbol, usize> = FxHashMap::default();
    for (i, &conjunct) in all.iter().enumerate() {
        for &symbol in terms.symbols_of(conjunct).iter() {
            let other = *first_with.entry(symbol).or_insert(i);
            groups.unite(i, other);
        }
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of: FxHashMap<usize, usize> = FxHashMap::default();
    for (i, &conjunct) in all.iter().enumerate() {
        let root = groups.find(i);
        let index = *part_of.entry(root).or_insert_with(|| {
            parts.push(Part::default());
            parts.len() - 1
        });
        parts[index].conjuncts.push(conjunct);
        parts[index].asked |= i < query.len();
    }
    for part in &mut parts {
        part.conjuncts.sort_unstable();
        part.conjuncts.dedup();
    }
    parts
}

/// Union-find.
struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    fn find(&mut self, i: usize) -> usize {
        let mut root = i;
        while self.parent[root] != root {
            self.parent[root] = self.parent[self.parent[root]];
            root = self.parent[root];
        }
        root
    }

    fn unite(&mut self, i: usize, j: usize) {
        let (i, j) = (self.find(i), self.find(j));
        self.parent[i.max(j)] = i.min(j);
    }
}
