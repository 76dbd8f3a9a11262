//! Functions of a few bits as decision diagrams: one test per bit, equal parts shared.
//!
//! A table over all characters would be a term of 65,536 cases; the diagram of the same table has a few hundred tests.

use rustc_hash::FxHashMap;
use term::{Term, Terms};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Leaf(u64),
    /// What follows a bit of 0 and of 1; both come before this node.
    Test {
        bit: u32,
        zero: u32,
        one: u32,
    },
}

/// A function of an index; beyond its table it repeats the last value.
#[derive(Debug, Default)]
pub struct Diagram {
    nodes: Vec<Node>,
    root: u32,
    bits: u32,
}

impl Diagram {
    pub fn of(values: &[u64]) -> Diagram {
        let bits = values.len().next_power_of_two().trailing_zeros();
        let mut diagram = Diagram { nodes: Vec::new(), root: 0, bits };
        let mut known = FxHashMap::default();
        let last = values.last().copied().unwrap_or(0);
        let padded = values.iter().copied().chain(std::iter::repeat(last)).take(1 << bits);
        let mut level: Vec<u32> = padded.map(|value| diagram.add(&mut known, Node::Leaf(value))).collect();
        for bit in 0..bits {
            let pairs = level.chunks_exact(2);
            level = pairs
                .map(|pair| match *pair {
                    [zero, one] if zero != one => diagram.add(&mut known, Node::Test { bit, zero, one }),
                    _ => pair[0],
                })
                .collect();
        }
        diagram.root = level.first().copied().unwrap_or(0);
        diagram
    }

    /// The value at an index, as a term of this width.
    pub fn at(&self, terms: &mut Terms, index: Term, width: u32) -> Term {
        let one = terms.bv(1, 1);
        let tests: Vec<Term> = (0..self.bits)
            .map(|bit| {
                let bit = terms.extract(index, bit, bit);
                terms.eq(bit, one)
            })
            .collect();
        let mut made: Vec<Term> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let term = match *node {
                Node::Leaf(value) => terms.bv(width, u128::from(value)),
                Node::Test { bit, zero, one } => {
                    terms.ite(tests[bit as usize], made[one as usize], made[zero as usize])
                }
            };
            made.push(term);
        }
        made.get(self.root as usize).copied().unwrap_or_else(|| terms.bv(width, 0))
    }

    fn add(&mut self, known: &mut FxHashMap<Node, u32>, node: Node) -> u32 {
        *known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use term::{Const, Model, Sort};

    use super::*;

    proptest! {
        #[test]
        fn a_diagram_is_its_table(values in proptest::collection::vec(0u64..5, 1..70)) {
            let mut terms = Terms::new();
            let symbol = terms.symbol("i", Sort::Bv(16));
            let index = terms.var(symbol);
            let term = Diagram::of(&values).at(&mut terms, index, 8);
            for (i, value) in values.iter().enumerate() {
                let mut model = Model::new();
                model.set(symbol, Const::from_bits(Sort::Bv(16), i as u128));
                prop_assert_eq!(terms.eval(term, &model).bits(), u128::from(*value));
            }
        }
    }
}
