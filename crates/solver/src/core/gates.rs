//! The gate graph: AND, XOR, XOR3, MUX, MAJ and n-ary AND over inputs, hash-consed, with constant propagation and
//! two-level rewrites. It knows nothing of clauses and lives as long as its owner.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::ops::Not;

/// A gate's output or its negation (the lowest bit).
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const FALSE: Lit = Lit(0);
    pub(crate) const TRUE: Lit = Lit(1);

    fn positive(gate: usize) -> Lit {
        Lit((gate as u32) << 1)
    }

    pub(crate) fn from_bool(value: bool) -> Lit {
        Lit(value as u32)
    }

    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }

    pub(crate) fn as_bool(self) -> Option<bool> {
        self.is_constant().then_some(self == Lit::TRUE)
    }

    /// Negated if asked to.
    pub(crate) fn flip(self, negate: bool) -> Lit {
        Lit(self.0 ^ negate as u32)
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub(crate) enum Gate {
    False,
    Input(u32),
    And(Lit, Lit),
    Xor(Lit, Lit),
    Xor3(Lit, Lit, Lit),
    /// If the first then the second else the third.
    Mux(Lit, Lit, Lit),
    /// At least two of three.
    Maj(Lit, Lit, Lit),
    /// The conjunction of a range of operands kept aside.
    All(u32, u32),
}

/// Clauses that define inputs (quotients, remainders); they matter only where one of the inputs does.
pub(crate) type Facts = Vec<Vec<Lit>>;

pub(crate) struct Gates {
    gates: IndexSet<Gate, FxBuildHasher>,
    operands: Vec<Lit>,
    alls: FxHashMap<Box<[Lit]>, Lit>,
    inputs: u32,
    facts: Vec<Facts>,
    fact_of_input: FxHashMap<usize, usize>,
}

impl Gates {
    pub(crate) fn new() -> Gates {
        let mut gates = IndexSet::default();
        gates.insert(Gate::False);
        Gates {
            gates,
            operands: Vec::new(),
            alls: FxHashMap::default(),
            inputs: 0,
            facts: Vec::new(),
            fact_of_input: FxHashMap::default(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn gate(&self, index: usize) -> Gate {
        self.gates[index]
    }

    pub(crate) fn all_operands(&self, start: u32, len: u32) -> &[Lit] {
        &self.operands[start as usize..(start + len) as usize]
    }

    pub(crate) fn input(&mut self) -> Lit {
        self.inputs += 1;
        self.make(Gate::Input(self.inputs))
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if a == Lit::TRUE || a == b {
            return b;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::And(p, q) = self.gate(x.gate())
                && let Some(simpler) = self.and_with_operand(x, (p, q), y)
            {
                return simpler;
            }
        }
        if let (Gate::And(p, q), Gate::And(r, s)) = (self.gate(a.gate()), self.gate(b.gate()))
            && let Some(simpler) = and_of_ands(a, (p, q), b, (r, s))
        {
            return simpler;
        }
        self.make(Gate::And(a, b))
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let negate = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.flip(a.is_negated()), b.flip(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return Lit::from_bool(negate);
        }
        if a == Lit::FALSE {
            return b.flip(negate);
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Gate::Xor(p, q) = self.gate(x.gate()) {
                if y == p {
                    return q.flip(negate);
                }
                if y == q {
                    return p.flip(negate);
                }
            }
        }
        self.make(Gate::Xor(a, b)).flip(negate)
    }

    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let negate = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut v = [a, b, c].map(|lit| lit.flip(lit.is_negated()));
        v.sort_unstable();
        if v[0] == Lit::FALSE || v[0] == v[1] || v[1] == v[2] {
            let first = self.xor(v[0], v[1]);
            return self.xor(first, v[2]).flip(negate);
        }
        self.make(Gate::Xor3(v[0], v[1], v[2])).flip(negate)
    }

    pub(crate) fn mux(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if let Some(value) = c.as_bool() {
            return if value { t } else { e };
        }
        if t == e {
            return t;
        }
        if c.is_negated() {
            return self.mux(!c, e, t);
        }
        if t == !e {
            return self.xor(c, e);
        }
        if t == Lit::TRUE || t == c {
            return self.or(c, e);
        }
        if t == Lit::FALSE || t == !c {
            return self.and(!c, e);
        }
        if e == Lit::FALSE || e == c {
            return self.and(c, t);
        }
        if e == Lit::TRUE || e == !c {
            return self.or(!c, t);
        }
        if let Gate::Mux(d, yes, _) = self.gate(t.gate())
            && d == c
        {
            return self.mux(c, yes.flip(t.is_negated()), e);
        }
        if let Gate::Mux(d, _, no) = self.gate(e.gate())
            && d == c
        {
            return self.mux(c, t, no.flip(e.is_negated()));
        }
        let negate = t.is_negated();
        self.make(Gate::Mux(c, t.flip(negate), e.flip(negate))).flip(negate)
    }

    pub(crate) fn maj(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut v = [a, b, c];
        v.sort_unstable();
        if v[0] == Lit::FALSE {
            return self.and(v[1], v[2]);
        }
        if v[0] == Lit::TRUE {
            return self.or(v[1], v[2]);
        }
        if v[0] == v[1] || v[1] == !v[2] {
            return v[0];
        }
        if v[1] == v[2] {
            return v[1];
        }
        if v[0] == !v[1] {
            return v[2];
        }
        let negate = v.iter().filter(|lit| lit.is_negated()).count() >= 2;
        self.make(Gate::Maj(v[0].flip(negate), v[1].flip(negate), v[2].flip(negate))).flip(negate)
    }

    /// The conjunction of many.
    pub(crate) fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        lits.dedup();
        lits.retain(|&lit| lit != Lit::TRUE);
        if lits.first() == Some(&Lit::FALSE) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match lits[..] {
            [] => return Lit::TRUE,
            [one] => return one,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        if let Some(&known) = self.alls.get(lits.as_slice()) {
            return known;
        }
        let gate = Gate::All(self.operands.len() as u32, lits.len() as u32);
        self.operands.extend_from_slice(&lits);
        let lit = self.make(gate);
        self.alls.insert(lits.into_boxed_slice(), lit);
        lit
    }

    /// The disjunction of many.
    pub(crate) fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(|lit| !lit).collect())
    }

    /// Says that `facts` define `inputs`.
    pub(crate) fn define(&mut self, inputs: &[Lit], facts: Facts) {
        for input in inputs.iter().filter(|input| !input.is_constant()) {
            self.fact_of_input.insert(input.gate(), self.facts.len());
        }
        self.facts.push(facts);
    }

    pub(crate) fn facts_of_input(&self, gate: usize) -> Option<usize> {
        self.fact_of_input.get(&gate).copied()
    }

    pub(crate) fn facts(&self, index: usize) -> &Facts {
        &self.facts[index]
    }

    fn make(&mut self, gate: Gate) -> Lit {
        Lit::positive(self.gates.insert_full(gate).0)
    }

    /// `x and y` where `x` is `p and q` or its negation.
    fn and_with_operand(&mut self, x: Lit, (p, q): (Lit, Lit), y: Lit) -> Option<Lit> {
        if !x.is_negated() {
            if y == p || y == q {
                return Some(x);
            }
            return (y == !p || y == !q).then_some(Lit::FALSE);
        }
        if y == !p || y == !q {
            return Some(y);
        }
        if y == p {
            return Some(self.and(y, !q));
        }
        if y == q {
            return Some(self.and(y, !p));
        }
        None
    }
}

fn and_of_ands(a: Lit, (p, q): (Lit, Lit), b: Lit, (r, s): (Lit, Lit)) -> Option<Lit> {
    let clash = p == !r || p == !s || q == !r || q == !s;
    match (a.is_negated(), b.is_negated()) {
        (false, false) => clash.then_some(Lit::FALSE),
        (false, true) => clash.then_some(a),
        (true, false) => clash.then_some(b),
        // not (p and q) and not (p and not q) is not p
        (true, true) => {
            if (p == r && q == !s) || (p == s && q == !r) {
                Some(!p)
            } else if (q == r && p == !s) || (q == s && p == !r) {
                Some(!q)
            } else {
                None
            }
        }
    }
}
