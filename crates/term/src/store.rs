//! The store: interning, sorts and look-ups. Constructors live in the files named after what they build.

use crate::bits::mask;
use crate::constant::Const;
use crate::node::{Binary, Node, Symbol, Term, Unary};
use crate::range::Range;
use crate::sort::{FloatWidth, Sort};
use crate::symbols::SymbolSets;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

/// The store of terms; one per worker.
pub struct Terms {
    id: u64,
    nodes: IndexSet<Node, FxBuildHasher>,
    sorts: Vec<Sort>,
    /// Bounds of the bit-vectors for which more is known than their width.
    pub(crate) ranges: FxHashMap<Term, Range>,
    symbols: Vec<(Box<str>, Sort)>,
    pub(crate) symbol_sets: RefCell<SymbolSets>,
    true_: Term,
    false_: Term,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        let first = Term(NonZeroU32::MIN);
        static STORES: AtomicU64 = AtomicU64::new(0);
        let mut terms = Terms {
            id: STORES.fetch_add(1, Ordering::Relaxed),
            nodes: IndexSet::default(),
            sorts: Vec::new(),
            ranges: FxHashMap::default(),
            symbols: Vec::new(),
            symbol_sets: RefCell::default(),
            true_: first,
            false_: first,
        };
        terms.true_ = terms.constant(Const::Bool(true));
        terms.false_ = terms.constant(Const::Bool(false));
        terms
    }

    /// Tells stores apart; says nothing else.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// A fresh symbol; names are for people and need not be unique.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> Symbol {
        assert!(!matches!(sort, Sort::Bv(0 | 129..)), "bit-vectors have 1 to 128 bits");
        self.symbols.push((name.into(), sort));
        Symbol(self.symbols.len() as u32 - 1)
    }

    pub fn symbol_name(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.index()].0
    }

    pub fn symbol_sort(&self, symbol: Symbol) -> Sort {
        self.symbols[symbol.index()].1
    }

    pub fn var(&mut self, symbol: Symbol) -> Term {
        self.intern(Node::Var(symbol))
    }

    /// A fresh symbol as a term.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = self.symbol(name, sort);
        self.var(symbol)
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// Width in bits of a bit-vector term (1 for a boolean, the size of a float).
    pub fn width(&self, term: Term) -> u32 {
        self.sort(term).bits()
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn as_const(&self, term: Term) -> Option<Const> {
        match self.node(term) {
            Node::Const(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Const(Const::Bool(value)) => Some(*value),
            _ => None,
        }
    }

    pub fn as_bv(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Const(Const::Bv { value, .. }) => Some(*value),
            _ => None,
        }
    }

    pub fn true_(&self) -> Term {
        self.true_
    }

    pub fn false_(&self) -> Term {
        self.false_
    }

    pub fn bool(&self, value: bool) -> Term {
        if value { self.true_ } else { self.false_ }
    }

    /// The low `width` bits of `value`.
    pub fn bv(&mut self, width: u32, value: u128) -> Term {
        assert!((1..=128).contains(&width), "bit-vectors have 1 to 128 bits");
        self.constant(Const::Bv { width, value: value & mask(width) })
    }

    pub fn constant(&mut self, value: Const) -> Term {
        self.intern(Node::Const(value))
    }

    /// Number of distinct nodes the term is made of.
    pub fn size(&self, term: Term) -> usize {
        let mut seen = FxHashSet::default();
        let mut stack = vec![term];
        while let Some(next) = stack.pop() {
            if seen.insert(next) {
                stack.extend(self.node(next).children());
            }
        }
        seen.len()
    }

    pub(crate) fn intern(&mut self, node: Node) -> Term {
        // Before anything is changed: this may be the end of the step.
        budget::interrupt::beat();
        let (index, new) = self.nodes.insert_full(node);
        let term = match u32::try_from(index + 1).ok().and_then(NonZeroU32::new) {
            Some(id) => Term(id),
            None => panic!("more than four billion terms"),
        };
        if new {
            let sort = self.sort_of_node(&node);
            self.sorts.push(sort);
            if let Sort::Bv(width) = sort {
                self.record_range(term, &node, width);
            }
        }
        term
    }

    pub(crate) fn unary_node(&mut self, op: Unary, a: Term) -> Term {
        self.intern(Node::Unary(op, a))
    }

    pub(crate) fn binary_node(&mut self, op: Binary, a: Term, b: Term) -> Term {
        self.intern(Node::Binary(op, a, b))
    }

    /// A node of a commutative operator: constants last, else the older operand first.
    pub(crate) fn commutative_node(&mut self, op: Binary, a: Term, b: Term) -> Term {
        let (a, b) = self.ordered(a, b);
        self.intern(Node::Binary(op, a, b))
    }

    pub(crate) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let constant = |t| matches!(self.node(t), Node::Const(_));
        if (constant(a), a) <= (constant(b), b) { (a, b) } else { (b, a) }
    }

    fn sort_of_node(&self, node: &Node) -> Sort {
        match *node {
            Node::Const(value) => value.sort(),
            Node::Var(symbol) => self.symbol_sort(symbol),
            Node::Ite(_, a, _) | Node::Fma(a, _, _) => self.sort(a),
            Node::Extract { hi, lo, .. } => Sort::Bv(hi - lo + 1),
            Node::Extend { to, .. } => Sort::Bv(to),
            Node::Unary(op, a) => self.sort_of_unary(op, a),
            Node::Binary(op, a, b) => self.sort_of_binary(op, a, b),
        }
    }

    fn sort_of_unary(&self, op: Unary, a: Term) -> Sort {
        match op {
            Unary::Not => Sort::Bool,
            Unary::BitsToFp if self.width(a) == 32 => Sort::Float(FloatWidth::F32),
            Unary::BitsToFp => Sort::Float(FloatWidth::F64),
            Unary::FpToBits => Sort::Bv(self.width(a)),
            Unary::FpToFp(to) | Unary::SignedToFp(to) | Unary::UnsignedToFp(to) => Sort::Float(to),
            Unary::FpToSigned(width) | Unary::FpToUnsigned(width) => Sort::Bv(width),
            Unary::BvNot | Unary::Neg | Unary::FpSqrt | Unary::FpRound(_) => self.sort(a),
        }
    }

    fn sort_of_binary(&self, op: Binary, a: Term, b: Term) -> Sort {
        use Binary::*;
        match op {
            And | Eq | Ult | Slt | UmulOverflows | SmulOverflows | FpEq | FpLt | FpLe => Sort::Bool,
            Concat => Sort::Bv(self.width(a) + self.width(b)),
            Add | Mul | Udiv | Urem | Sdiv | Srem | BvAnd | BvOr | BvXor | Shl | Lshr | Ashr => self.sort(a),
            FpAdd | FpSub | FpMul | FpDiv | FpRem => self.sort(a),
        }
    }
}
