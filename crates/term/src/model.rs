//! Assignments of values to symbols.

use crate::constant::Const;
use crate::node::Symbol;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Values of symbols; a symbol that is missing is zero (false, +0.0). Cloning is cheap.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Model {
    values: Rc<BTreeMap<Symbol, Const>>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    pub fn get(&self, symbol: Symbol) -> Option<Const> {
        self.values.get(&symbol).copied()
    }

    pub fn set(&mut self, symbol: Symbol, value: Const) {
        Rc::make_mut(&mut self.values).insert(symbol, value);
    }

    /// Values in the order of the symbols.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, Const)> + '_ {
        self.values.iter().map(|(&symbol, &value)| (symbol, value))
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// This model, with the values of `other` taking precedence.
    pub fn overlaid_with(&self, other: &Model) -> Model {
        if self.is_empty() {
            return other.clone();
        }
        let mut merged = self.clone();
        for (symbol, value) in other.iter() {
            if merged.get(symbol) != Some(value) {
                merged.set(symbol, value);
            }
        }
        merged
    }

    /// Whether both are the same object (a cheap test that may miss equal models).
    pub fn is_same(&self, other: &Model) -> bool {
        Rc::ptr_eq(&self.values, &other.values)
    }
}

impl FromIterator<(Symbol, Const)> for Model {
    fn from_iter<I: IntoIterator<Item = (Symbol, Const)>>(values: I) -> Model {
        Model { values: Rc::new(values.into_iter().collect()) }
    }
}
