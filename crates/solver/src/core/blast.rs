//! Terms → words of gates, without recursion, each term once.

use super::divide::Divisions;
use super::gates::{Gates, Lit};
use super::polynomial::Polynomials;
use super::words::{Word, constant, not, resized, sign};
use crate::answer::Why;
use crate::limits::Limits;
use rustc_hash::FxHashMap;
use term::{Binary, Const, Node, Symbol, Term, Terms, Unary};

/// How many terms are translated between two looks at the limits.
const CHECK_EVERY: u32 = 64;

pub(crate) struct Blaster {
    pub(crate) gates: Gates,
    /// Where a term's word starts in `bits`, plus one.
    starts: Vec<u32>,
    bits: Vec<Lit>,
    symbols: FxHashMap<Symbol, Word>,
    divisions: Divisions,
    polynomials: Polynomials,
}

impl Blaster {
    pub(crate) fn new() -> Blaster {
        Blaster {
            gates: Gates::new(),
            starts: Vec::new(),
            bits: Vec::new(),
            symbols: FxHashMap::default(),
            divisions: Divisions::default(),
            polynomials: Polynomials::default(),
        }
    }

    /// The bits of a symbol, if any term with it has been translated.
    pub(crate) fn symbol(&self, symbol: Symbol) -> Option<&[Lit]> {
        self.symbols.get(&symbol).map(Vec::as_slice)
    }

    /// The output of a boolean term.
    pub(crate) fn literal(&mut self, terms: &Terms, term: Term, limits: &Limits) -> Result<Lit, Why> {
        self.translate(terms, term, limits)?;
        Ok(self.word(terms, term)[0])
    }

    /// The output of a boolean term that has been translated.
    pub(crate) fn known_literal(&self, term: Term) -> Option<Lit> {
        let start = self.starts.get(term.index()).filter(|start| **start != 0)?;
        self.bits.get(*start as usize - 1).copied()
    }

    fn translate(&mut self, terms: &Terms, term: Term, limits: &Limits) -> Result<(), Why> {
        if self.starts.len() < terms.len() {
            self.starts.resize(terms.len(), 0);
        }
        let most = self.gates.len().saturating_add(limits.gate_limit());
        let mut stack = vec![term];
        let mut ticks = 0u32;
        while let Some(&top) = stack.last() {
            if self.starts[top.index()] != 0 {
                stack.pop();
                continue;
            }
            ticks += 1;
            if ticks.is_multiple_of(CHECK_EVERY) {
                limits.work()?;
            }
            if self.gates.len() > most {
                return Err(Why::GateLimit);
            }
            let before = stack.len();
            stack.extend(needed(terms, top).filter(|operand| self.starts[operand.index()] == 0));
            if stack.len() == before {
                let word = self.circuit(terms, top);
                debug_assert_eq!(word.len(), terms.width(top) as usize, "{:?}", terms.node(top));
                self.starts[top.index()] = self.bits.len() as u32 + 1;
                self.bits.extend_from_slice(&word);
                stack.pop();
            }
        }
        Ok(())
    }

    fn word(&self, terms: &Terms, term: Term) -> Word {
        let start = self.starts[term.index()] as usize - 1;
        self.bits[start..start + terms.width(term) as usize].to_vec()
    }

    fn circuit(&mut self, terms: &Terms, term: Term) -> Word {
        let width = terms.width(term) as usize;
        match *terms.node(term) {
            Node::Const(Const::Bool(value)) => vec![Lit::from_bool(value)],
            Node::Const(value) => constant(value.bits(), width),
            Node::Var(symbol) => {
                let gates = &mut self.gates;
                self.symbols
                    .entry(symbol)
                    .or_insert_with(|| (0..width).map(|_| gates.input()).collect())
                    .clone()
            }
            Node::Unary(op, a) => {
                let a = self.word(terms, a);
                self.unary(op, &a)
            }
            Node::Binary(op, a, b) => self.binary(terms, op, a, b),
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.word(terms, c)[0], self.word(terms, a), self.word(terms, b));
                self.gates.mux_word(c, &a, &b)
            }
            Node::Extract { of, hi, lo } => self.word(terms, of)[lo as usize..=hi as usize].to_vec(),
            Node::Extend { of, to, signed } => {
                let word = self.word(terms, of);
                let fill = if signed { sign(&word) } else { Lit::FALSE };
                resized(&word, to as usize, fill)
            }
            Node::Fma(a, b, c) => {
                let (a, b, c) = (self.word(terms, a), self.word(terms, b), self.word(terms, c));
                self.gates.float_fma(&a, &b, &c)
            }
        }
    }

    fn unary(&mut self, op: Unary, a: &[Lit]) -> Word {
        let gates = &mut self.gates;
        match op {
            Unary::Not | Unary::BvNot => not(a),
            Unary::Neg => gates.neg(a),
            Unary::BitsToFp | Unary::FpToBits => a.to_vec(),
            Unary::FpSqrt => gates.float_sqrt(a),
            Unary::FpRound(rounding) => gates.float_round(a, rounding),
            Unary::FpToFp(to) => gates.float_to_float(a, to),
            Unary::SignedToFp(to) => gates.integer_to_float(a, to, true),
            Unary::UnsignedToFp(to) => gates.integer_to_float(a, to, false),
            Unary::FpToSigned(width) => gates.float_to_integer(a, width as usize, true),
            Unary::FpToUnsigned(width) => gates.float_to_integer(a, width as usize, false),
        }
    }

    fn binary(&mut self, terms: &Terms, op: Binary, x: Term, y: Term) -> Word {
        if op == Binary::Add {
            return self.sum(terms, x, y);
        }
        if op == Binary::Eq
            && let Some(equal) = self.polynomials.decide(terms, x, y)
        {
            return vec![Lit::from_bool(equal)];
        }
        let (a, b) = (self.word(terms, x), self.word(terms, y));
        let gates = &mut self.gates;
        let bitwise = |gates: &mut Gates, f: fn(&mut Gates, Lit, Lit) -> Lit| -> Word {
            a.iter().zip(&b).map(|(&p, &q)| f(gates, p, q)).collect()
        };
        match op {
            Binary::Add => gates.add(&a, &b, Lit::FALSE),
            Binary::And | Binary::BvAnd => bitwise(gates, Gates::and),
            Binary::BvOr => bitwise(gates, Gates::or),
            Binary::BvXor => bitwise(gates, Gates::xor),
            Binary::Eq => vec![gates.equal(&a, &b)],
            Binary::Ult => vec![gates.ult(&a, &b, Lit::FALSE)],
            Binary::Slt => vec![gates.slt(&a, &b, Lit::FALSE)],
            Binary::Mul => gates.multiply(&a, &b),
            Binary::Udiv => self.divisions.unsigned(gates, &a, &b).0,
            Binary::Urem => self.divisions.unsigned(gates, &a, &b).1,
            Binary::Sdiv => self.divisions.signed_quotient(gates, &a, &b),
            Binary::Srem => self.divisions.signed_remainder(gates, &a, &b),
            Binary::Shl => gates.shift_left(&a, &b),
            Binary::Lshr => gates.shift_right(&a, &b, Lit::FALSE),
            Binary::Ashr => gates.shift_right(&a, &b, sign(&a)),
            Binary::UmulOverflows => vec![gates.unsigned_product_overflows(&a, &b)],
            Binary::SmulOverflows => vec![gates.signed_product_overflows(&a, &b)],
            Binary::Concat => b.into_iter().chain(a).collect(),
            Binary::FpAdd => gates.float_add(&a, &b),
            Binary::FpSub => gates.float_sub(&a, &b),
            Binary::FpMul => gates.float_mul(&a, &b),
            Binary::FpDiv => gates.float_div(&a, &b),
            Binary::FpRem => gates.float_rem(&a, &b),
            Binary::FpEq => vec![gates.float_equal(&a, &b)],
            Binary::FpLt => vec![gates.float_less(&a, &b, false)],
            Binary::FpLe => vec![gates.float_less(&a, &b, true)],
        }
    }

    /// Subtraction is one adder, not two.
    fn sum(&mut self, terms: &Terms, x: Term, y: Term) -> Word {
        let (x, y) = if negated(terms, x).is_some() { (y, x) } else { (x, y) };
        let a = self.word(terms, x);
        match negated(terms, y) {
            Some(inner) => {
                let b = self.word(terms, inner);
                self.gates.sub(&a, &b)
            }
            None => {
                let b = self.word(terms, y);
                self.gates.add(&a, &b, Lit::FALSE)
            }
        }
    }
}

fn negated(terms: &Terms, term: Term) -> Option<Term> {
    match *terms.node(term) {
        Node::Unary(Unary::Neg, inner) => Some(inner),
        _ => None,
    }
}

/// The terms whose words the circuit of `term` is made of.
fn needed(terms: &Terms, term: Term) -> impl Iterator<Item = Term> + use<> {
    let mut operands: [Option<Term>; 3] = [None; 3];
    for (slot, operand) in operands.iter_mut().zip(terms.node(term).children()) {
        *slot = Some(operand);
    }
    if let Node::Binary(Binary::Add, x, y) = *terms.node(term) {
        match (negated(terms, x), negated(terms, y)) {
            (Some(inner), _) => operands = [Some(inner), Some(y), None],
            (None, Some(inner)) => operands = [Some(x), Some(inner), None],
            _ => {}
        }
    }
    operands.into_iter().flatten()
}
