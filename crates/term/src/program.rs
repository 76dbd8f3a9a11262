//! Terms laid out in order, for evaluation under very many assignments.

use crate::constant::Const;
use crate::fold;
use crate::fold_float;
use crate::node::{Binary, Node, Symbol, Term, Unary};
use crate::store::Terms;
use rustc_hash::FxHashMap;

/// Conjuncts as straight-line code over numbered slots. A conjunct's steps come after those of the conjuncts before it,
/// so evaluation can stop at the first that is false.
#[derive(Clone, Debug)]
pub struct Program {
    slots: Vec<Const>,
    /// Symbols and their slots.
    inputs: Vec<(Symbol, usize)>,
    steps: Vec<(usize, Step)>,
    /// For each conjunct: the end of its steps, and its slot.
    conjuncts: Vec<(usize, usize)>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    Ite(usize, usize, usize),
    Fma(usize, usize, usize),
    Extract { of: usize, hi: u32, lo: u32 },
    Extend { of: usize, to: u32, signed: bool },
}

impl Program {
    /// `None` if the conjuncts have more than `max_steps` operations.
    pub fn new(terms: &Terms, conjuncts: &[Term], max_steps: usize) -> Option<Program> {
        let mut program =
            Program { slots: Vec::new(), inputs: Vec::new(), steps: Vec::new(), conjuncts: Vec::new() };
        let mut placed: FxHashMap<Term, usize> = FxHashMap::default();
        for &conjunct in conjuncts {
            for term in below(terms, conjunct, &placed, max_steps)? {
                let slot = program.place(terms, term, &placed);
                placed.insert(term, slot);
            }
            program.conjuncts.push((program.steps.len(), *placed.get(&conjunct)?));
        }
        (program.steps.len() <= max_steps).then_some(program)
    }

    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.inputs.iter().map(|(symbol, _)| *symbol)
    }

    /// How many operations one evaluation of everything takes.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The first conjunct that is false when the symbols, in the order of [`Program::symbols`], have these values.
    pub fn first_false(&mut self, values: &[Const]) -> Option<usize> {
        for (&(_, slot), &value) in self.inputs.iter().zip(values) {
            self.slots[slot] = value;
        }
        let mut at = 0;
        for (index, &(end, root)) in self.conjuncts.iter().enumerate() {
            for &(slot, step) in &self.steps[at..end] {
                self.slots[slot] = evaluate(&self.slots, step);
            }
            at = end;
            if !self.slots[root].is_true() {
                return Some(index);
            }
        }
        None
    }

    fn place(&mut self, terms: &Terms, term: Term, placed: &FxHashMap<Term, usize>) -> usize {
        let slot = self.slots.len();
        let at = |operand: Term| placed.get(&operand).copied().unwrap_or(0);
        let step = match *terms.node(term) {
            Node::Const(value) => {
                self.slots.push(value);
                return slot;
            }
            Node::Var(symbol) => {
                self.slots.push(Const::zero(terms.symbol_sort(symbol)));
                self.inputs.push((symbol, slot));
                return slot;
            }
            Node::Unary(op, a) => Step::Unary(op, at(a)),
            Node::Binary(op, a, b) => Step::Binary(op, at(a), at(b)),
            Node::Ite(c, a, b) => Step::Ite(at(c), at(a), at(b)),
            Node::Fma(a, b, c) => Step::Fma(at(a), at(b), at(c)),
            Node::Extract { of, hi, lo } => Step::Extract { of: at(of), hi, lo },
            Node::Extend { of, to, signed } => Step::Extend { of: at(of), to, signed },
        };
        self.slots.push(Const::zero(terms.sort(term)));
        self.steps.push((slot, step));
        slot
    }
}

/// The terms below a root that have no place yet, operands first: a term is always newer than its operands.
fn below(terms: &Terms, root: Term, placed: &FxHashMap<Term, usize>, max: usize) -> Option<Vec<Term>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        if placed.contains_key(&term) || !seen.insert(term) {
            continue;
        }
        if seen.len() > 2 * max {
            return None;
        }
        stack.extend(terms.node(term).children());
    }
    let mut order: Vec<Term> = seen.into_iter().collect();
    order.sort_unstable();
    Some(order)
}

fn evaluate(slots: &[Const], step: Step) -> Const {
    match step {
        Step::Unary(op, a) => fold::unary(op, slots[a]),
        Step::Binary(op, a, b) => fold::binary(op, slots[a], slots[b]),
        Step::Ite(c, a, b) => slots[if slots[c].is_true() { a } else { b }],
        Step::Fma(a, b, c) => fold_float::fma(slots[a], slots[b], slots[c]),
        Step::Extract { of, hi, lo } => fold::extract(slots[of], hi, lo),
        Step::Extend { of, to, signed } => fold::extend(slots[of], to, signed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Sort};

    #[test]
    fn agrees_with_the_evaluator() {
        let mut terms = Terms::new();
        let symbols = [terms.symbol("x", Sort::Bv(8)), terms.symbol("y", Sort::Bv(8))];
        let [x, y] = symbols.map(|symbol| terms.var(symbol));
        let product = terms.mul(x, y);
        let sum = terms.add(product, x);
        let five = terms.bv(8, 5);
        let below = terms.ult(sum, y);
        let quotient = terms.udiv(sum, five);
        let equal = terms.eq(quotient, x);
        let either = terms.or(equal, below);
        let conjuncts = [either, below];
        let mut program = Program::new(&terms, &conjuncts, 100).unwrap();
        let order: Vec<Symbol> = program.symbols().collect();
        for a in (0..=255u128).step_by(3) {
            for b in (0..=255u128).step_by(7) {
                let mut model = Model::new();
                let mut values = Vec::new();
                for symbol in &order {
                    let value = if *symbol == symbols[0] { a } else { b };
                    let value = Const::Bv { width: 8, value };
                    model.set(*symbol, value);
                    values.push(value);
                }
                let expected = conjuncts.iter().position(|c| !terms.eval(*c, &model).is_true());
                assert_eq!(program.first_false(&values), expected, "x = {a}, y = {b}");
            }
        }
        assert!(Program::new(&terms, &conjuncts, 2).is_none());
    }
}
