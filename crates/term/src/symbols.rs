//! The symbols a term depends on, cached per term and shared between terms that have the same ones.

use crate::node::{Node, Symbol, Term};
use crate::store::Terms;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

type Set = Rc<[Symbol]>;

#[derive(Default)]
pub(crate) struct SymbolSets {
    of: FxHashMap<Term, Set>,
    interned: FxHashSet<Set>,
}

impl Terms {
    /// The symbols of a term, sorted.
    pub fn symbols_of(&self, term: Term) -> Rc<[Symbol]> {
        let mut sets = self.symbol_sets.borrow_mut();
        if let Some(set) = sets.known(self, term) {
            return set;
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            let before = stack.len();
            stack.extend(self.node(top).children().filter(|&child| sets.known(self, child).is_none()));
            if stack.len() == before {
                sets.unite_children(self, top);
                stack.pop();
            }
        }
        sets.known(self, term).unwrap_or_default()
    }
}

impl SymbolSets {
    fn known(&mut self, terms: &Terms, term: Term) -> Option<Set> {
        if let Node::Const(_) = terms.node(term) {
            return Some(self.intern(&[]));
        }
        self.of.get(&term).cloned()
    }

    fn unite_children(&mut self, terms: &Terms, term: Term) {
        let set = match *terms.node(term) {
            Node::Var(symbol) => self.intern(&[symbol]),
            ref node => {
                let mut united = self.intern(&[]);
                for child in node.children() {
                    if let Some(set) = self.known(terms, child) {
                        united = self.unite(united, set);
                    }
                }
                united
            }
        };
        self.of.insert(term, set);
    }

    fn unite(&mut self, a: Set, b: Set) -> Set {
        if Rc::ptr_eq(&a, &b) || b.is_empty() {
            return a;
        }
        if a.is_empty() {
            return b;
        }
        let merged = merge(&a, &b);
        match merged.len() {
            len if len == a.len() => a,
            len if len == b.len() => b,
            _ => self.intern(&merged),
        }
    }

    fn intern(&mut self, symbols: &[Symbol]) -> Set {
        if let Some(set) = self.interned.get(symbols) {
            return set.clone();
        }
        let set: Set = symbols.into();
        self.interned.insert(set.clone());
        set
    }
}

fn merge(a: &[Symbol], b: &[Symbol]) -> Vec<Symbol> {
    let mut merged = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        merged.push(x.min(y));
        i += (x <= y) as usize;
        j += (y <= x) as usize;
    }
    merged.extend_from_slice(&a[i..]);
    merged.extend_from_slice(&b[j..]);
    merged
}
