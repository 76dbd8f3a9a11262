//! What a path learns about symbols: a guard that fixes one to a number decides later branches without a question.

use std::rc::Rc;

use term::{Binary, Node, Symbol, Term};

use crate::bytes::Bits;
use crate::machine::Machine;
use crate::state::State;

impl Machine {
    /// Tells the state of a guard that holds on its path.
    pub fn learn(&mut self, s: &mut State, guard: Term) {
        match *self.terms.node(guard) {
            Node::Binary(Binary::And, a, b) => {
                self.learn(s, a);
                self.learn(s, b);
            }
            Node::Binary(Binary::Eq, a, b) => {
                let (term, constant) = if self.terms.as_bv(a).is_some() { (b, a) } else { (a, b) };
                if let (Some(value), Some(symbol)) = (self.terms.as_bv(constant), self.symbol_of(term)) {
                    self.fix(s, symbol, value);
                }
            }
            _ => {}
        }
    }

    /// The term in the light of what the path has learned.
    pub(crate) fn substituted(&mut self, s: &State, term: Term) -> Term {
        if s.path.fixed.is_empty() { term } else { self.terms.substitute(term, &s.path.fixed) }
    }

    /// Whether a term is the length of an input array or string: fixing it fixes the length.
    pub fn is_input_length(&self, term: Term) -> bool {
        self.symbol_of(term).is_some_and(|symbol| self.inputs.lengths.contains_key(&symbol))
    }

    fn symbol_of(&self, term: Term) -> Option<Symbol> {
        match *self.terms.node(term) {
            Node::Var(symbol) => Some(symbol),
            Node::Extend { of, .. } => self.symbol_of(of),
            _ => None,
        }
    }

    fn fix(&mut self, s: &mut State, symbol: Symbol, value: u128) {
        // References are settled by the fork itself.
        if self.inputs.references.contains_key(&symbol) || s.path.fixed.contains_key(&symbol) {
            return;
        }
        let constant = self.terms.bv(self.terms.symbol_sort(symbol).bits(), value);
        Rc::make_mut(&mut s.path.fixed).insert(symbol, constant);
        let Some(&owner) = self.inputs.lengths.get(&symbol) else { return };
        let Some(Some(block)) = s.path.origins.resolution(owner) else { return };
        if let Some(block) = s.heap.get_mut(block) {
            // The place of a length is always there.
            let _ = block.bytes.write(0, 4, Bits::Concrete(value as u64), &mut self.terms);
        }
    }
}
