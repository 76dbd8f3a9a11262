//! Which terms are expensive to search: products, quotients and their like over unknowns.

use rustc_hash::FxHashMap;
use term::{Binary, Node, Term, Terms};

/// Remembers the verdict for every term it has seen.
#[derive(Default)]
pub(crate) struct Expense {
    known: FxHashMap<Term, bool>,
}

impl Expense {
    /// Whether a product, quotient or float operation occurs in the term.
    pub(crate) fn is_expensive(&mut self, terms: &Terms, term: Term) -> bool {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            let before = stack.len();
            let mut expensive = is_expensive_node(terms, node);
            if !expensive {
                for child in node.children() {
                    match self.known.get(&child) {
                        Some(verdict) => expensive |= verdict,
                        None => stack.push(child),
                    }
                }
            }
            if expensive || stack.len() == before {
                stack.truncate(before - 1);
                self.known.insert(top, expensive);
            }
        }
        self.known.get(&term).copied().unwrap_or(false)
    }

    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }
}

fn is_expensive_node(terms: &Terms, node: &Node) -> bool {
    match *node {
        Node::Fma(..) => true,
        Node::Binary(op, _, b) => match op {
            Binary::Mul => terms.as_const(b).is_none(),
            Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem => true,
            Binary::UmulOverflows | Binary::SmulOverflows => true,
            Binary::FpAdd | Binary::FpSub | Binary::FpMul | Binary::FpDiv | Binary::FpRem => true,
            _ => false,
        },
        _ => false,
    }
}
