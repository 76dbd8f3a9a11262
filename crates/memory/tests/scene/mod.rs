//! A few symbols, keys over them, and a naive interpreter of writes under a model.
#![allow(dead_code)] // not every file of tests uses everything

use memory::{Bounds, Config, Index, Key, UpdateTree};
use proptest::prelude::*;
use std::collections::HashMap;
use term::{Const, Model, Sort, Symbol, Term, Terms};

/// Symbols that indexes are made of; the last has bounds that keys tell.
pub const SYMBOLS: usize = 4;
/// Values that the symbols take in models, from 0.
pub const VALUES: u32 = 7;
/// The bounds of the symbols: none, none, few values, many values.
pub const BOUNDS: [Bounds; SYMBOLS] =
    [Bounds::ALL, Bounds::ALL, Bounds { min: 2, max: 4 }, Bounds { min: 1, max: 60 }];

#[derive(Copy, Clone, Debug)]
pub enum Shape {
    Known(u32),
    Symbol(usize),
    /// A symbol plus a constant, without bounds.
    Sum(usize, u32),
}

/// An even value counts as concrete.
pub fn concrete(value: &u32) -> bool {
    value.is_multiple_of(2)
}

pub fn configs() -> [Config<u32>; 4] {
    let config = |split_read, split_write| Config { split_read, split_write, concrete };
    [config(false, false), config(true, false), config(false, true), config(true, true)]
}

pub fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        3 => (0..VALUES).prop_map(Shape::Known),
        4 => (0..SYMBOLS).prop_map(Shape::Symbol),
        1 => (0..SYMBOLS, 1u32..3).prop_map(|(symbol, by)| Shape::Sum(symbol, by)),
    ]
}

pub fn shapes(rank: usize) -> impl Strategy<Value = Vec<Shape>> {
    prop::collection::vec(shape(), rank)
}

pub fn writes(rank: usize, most: usize) -> impl Strategy<Value = Vec<(Vec<Shape>, u32)>> {
    prop::collection::vec((shapes(rank), 0u32..12), 0..most)
}

pub struct Scene {
    pub terms: Terms,
    symbols: Vec<Symbol>,
}

impl Scene {
    pub fn new() -> Scene {
        let mut terms = Terms::new();
        let symbols: Vec<_> = (0..SYMBOLS).map(|i| terms.symbol(&format!("i{i}"), Sort::Bv(32))).collect();
        Scene { terms, symbols }
    }

    pub fn key(&mut self, shapes: &[Shape]) -> Key {
        let indexes: Vec<_> = shapes.iter().map(|&shape| self.index(shape)).collect();
        Key::within(&self.terms, indexes)
    }

    fn index(&mut self, shape: Shape) -> (Index, Bounds) {
        match shape {
            Shape::Known(index) => (Index::Known(index), Bounds::ALL),
            Shape::Symbol(i) => (Index::Symbolic(self.terms.var(self.symbols[i])), BOUNDS[i]),
            Shape::Sum(i, by) => {
                let (term, by) = (self.terms.var(self.symbols[i]), self.terms.bv(32, u128::from(by)));
                (Index::Symbolic(self.terms.add(term, by)), Bounds::ALL)
            }
        }
    }

    pub fn tree(
        &mut self,
        rank: usize,
        config: Config<u32>,
        writes: &[(Vec<Shape>, u32)],
    ) -> UpdateTree<u32> {
        let mut tree = UpdateTree::new(rank, config);
        for (shapes, value) in writes {
            tree.write(&self.key(shapes), *value);
            tree.check_invariants();
        }
        tree
    }

    /// The values of the symbols, kept within what the keys say.
    pub fn model(&self, values: &[u32; SYMBOLS]) -> Model {
        let value = |(i, symbol): (usize, &Symbol)| {
            (*symbol, Const::Bv { width: 32, value: u128::from(held(i, values)) })
        };
        self.symbols.iter().enumerate().map(value).collect()
    }

    /// The value of the case that holds, `None` for the rest; checks that exactly one does.
    pub fn seen(&self, cases: &[(Term, u32)], rest: Option<Term>, model: &Model) -> Option<u32> {
        let holds = |guard: Term| self.terms.eval(guard, model).is_true();
        let holding: Vec<u32> = cases.iter().filter(|(guard, _)| holds(*guard)).map(|(_, v)| *v).collect();
        let rest = rest.is_some_and(holds);
        assert_eq!(holding.len() + usize::from(rest), 1, "exactly one guard holds");
        for (guard, _) in cases {
            assert_ne!(self.terms.as_bool(*guard), Some(false));
        }
        holding.first().copied()
    }
}

fn held(symbol: usize, values: &[u32; SYMBOLS]) -> u32 {
    values[symbol].clamp(BOUNDS[symbol].min, BOUNDS[symbol].max)
}

pub fn point_of(shapes: &[Shape], values: &[u32; SYMBOLS]) -> Vec<u32> {
    let index = |shape: &Shape| match *shape {
        Shape::Known(index) => index,
        Shape::Symbol(i) => held(i, values),
        Shape::Sum(i, by) => held(i, values).wrapping_add(by),
    };
    shapes.iter().map(index).collect()
}

/// What plain execution leaves behind.
pub fn contents(writes: &[(Vec<Shape>, u32)], values: &[u32; SYMBOLS]) -> HashMap<Vec<u32>, u32> {
    writes.iter().map(|(shapes, value)| (point_of(shapes, values), *value)).collect()
}
