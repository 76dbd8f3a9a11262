//! Gates → clauses, on demand: only the cones that a query needs ever reach the SAT solver.

use super::gates::{Gate, Gates, Lit};
use super::sat::{Sat, SatLit, Solution, Tuning};
use crate::answer::Why;
use crate::limits::Limits;
use rustc_hash::FxHashSet;

/// How many gates are encoded between two looks at the clock.
const CHECK_EVERY: u32 = 2048;

/// Instances smaller than this are never worth replacing.
const CROWD: usize = 20_000;
/// How many times more than needed is too much.
const CROWDING: usize = 4;

/// One SAT instance and what of the gate graph it knows.
pub(crate) struct Encoding {
    pub(crate) sat: Sat,
    literals: Vec<Option<SatLit>>,
    facts_wanted: Vec<bool>,
    /// Fact groups whose inputs are encoded but which may not be complete themselves.
    pending: Vec<usize>,
    encoded: usize,
    ticks: u32,
}

impl Encoding {
    pub(crate) fn new(tuning: Tuning) -> Encoding {
        Encoding {
            sat: Sat::new(tuning),
            literals: Vec::new(),
            facts_wanted: Vec::new(),
            pending: Vec::new(),
            encoded: 0,
            ticks: 0,
        }
    }

    /// The SAT literals of gates, their cones and side facts encoded.
    pub(crate) fn literals(
        &mut self,
        gates: &Gates,
        lits: &[Lit],
        limits: &Limits,
    ) -> Result<Vec<SatLit>, Why> {
        let mut encoded = Vec::with_capacity(lits.len());
        for &lit in lits {
            encoded.push(self.encode(gates, lit, limits)?);
        }
        self.encode_facts(gates, limits)?;
        Ok(encoded)
    }

    /// Whether the instance knows so much more than these gates need that a new one would be faster: every variable is
    /// assigned at each check.
    pub(crate) fn is_crowded(&self, gates: &Gates, lits: &[Lit]) -> bool {
        self.encoded > CROWD && cone_size(gates, lits, self.encoded / CROWDING) < self.encoded / CROWDING
    }

    /// The value of a gate in a solution; one that no query has needed is false.
    pub(crate) fn value(literals: &[Option<SatLit>], solution: &Solution<'_>, lit: Lit) -> bool {
        let value = match literals.get(lit.gate()).copied().flatten() {
            Some(encoded) => solution.value(encoded),
            None => false,
        };
        value ^ lit.is_negated()
    }

    /// The SAT solver and the literals of the gates it knows.
    pub(crate) fn parts(&mut self) -> (&mut Sat, &[Option<SatLit>]) {
        (&mut self.sat, &self.literals)
    }

    fn encode(&mut self, gates: &Gates, lit: Lit, limits: &Limits) -> Result<SatLit, Why> {
        if self.literals.len() < gates.len() {
            self.literals.resize(gates.len(), None);
        }
        let mut stack = vec![lit.gate()];
        while let Some(&index) = stack.last() {
            if self.literals[index].is_some() {
                stack.pop();
                continue;
            }
            self.tick(limits)?;
            let gate = gates.gate(index);
            let before = stack.len();
            for_each_operand(gates, gate, |operand| {
                if self.literals[operand.gate()].is_none() {
                    stack.push(operand.gate());
                }
            });
            if stack.len() == before {
                stack.pop();
                let output = self.sat.variable()?;
                self.encoded += 1;
                self.literals[index] = Some(output);
                self.clauses_of(gates, index, gate, output)?;
            }
        }
        self.known(lit)
    }

    /// Facts may need gates that need further facts.
    fn encode_facts(&mut self, gates: &Gates, limits: &Limits) -> Result<(), Why> {
        while let Some(&group) = self.pending.last() {
            let before = self.pending.len();
            for clause in gates.facts(group) {
                if clause.contains(&Lit::TRUE) {
                    continue;
                }
                let mut encoded = Vec::with_capacity(clause.len());
                for &lit in clause.iter().filter(|&&lit| lit != Lit::FALSE) {
                    encoded.push(self.encode(gates, lit, limits)?);
                }
                self.sat.add(&encoded);
            }
            // only now is the group done: an interruption before this point emits it again
            self.pending.remove(before - 1);
        }
        Ok(())
    }

    fn tick(&mut self, limits: &Limits) -> Result<(), Why> {
        self.ticks += 1;
        if self.ticks.is_multiple_of(CHECK_EVERY) { limits.work() } else { Ok(()) }
    }

    fn known(&self, lit: Lit) -> Result<SatLit, Why> {
        match self.literals[lit.gate()] {
            Some(encoded) => Ok(encoded.flip(lit.is_negated())),
            None => Err(Why::Internal("a gate was used before its clauses")),
        }
    }

    fn clauses_of(&mut self, gates: &Gates, index: usize, gate: Gate, v: SatLit) -> Result<(), Why> {
        let not = |lit: SatLit| lit.flip(true);
        match gate {
            Gate::False => self.sat.add(&[not(v)]),
            Gate::Input(_) => {
                if let Some(group) = gates.facts_of_input(index) {
                    self.want_facts(group);
                }
            }
            Gate::And(a, b) => {
                let (a, b) = (self.known(a)?, self.known(b)?);
                self.sat.add(&[not(v), a]);
                self.sat.add(&[not(v), b]);
                self.sat.add(&[v, not(a), not(b)]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.known(a)?, self.known(b)?);
                self.sat.add(&[not(v), a, b]);
                self.sat.add(&[not(v), not(a), not(b)]);
                self.sat.add(&[v, not(a), b]);
                self.sat.add(&[v, a, not(b)]);
            }
            Gate::Xor3(a, b, c) => {
                let (a, b, c) = (self.known(a)?, self.known(b)?, self.known(c)?);
                for mask in 0..8u32 {
                    let odd = mask.count_ones() % 2 == 1;
                    let bit = |k: u32| mask >> k & 1 == 1;
                    self.sat.add(&[v.flip(!odd), a.flip(bit(0)), b.flip(bit(1)), c.flip(bit(2))]);
                }
            }
            Gate::Mux(c, t, e) => {
                let (c, t, e) = (self.known(c)?, self.known(t)?, self.known(e)?);
                self.sat.add(&[not(c), not(t), v]);
                self.sat.add(&[not(c), t, not(v)]);
                self.sat.add(&[c, not(e), v]);
                self.sat.add(&[c, e, not(v)]);
                // implied, but they propagate when the condition is open
                self.sat.add(&[not(t), not(e), v]);
                self.sat.add(&[t, e, not(v)]);
            }
            Gate::Maj(a, b, c) => {
                let (a, b, c) = (self.known(a)?, self.known(b)?, self.known(c)?);
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.sat.add(&[not(x), not(y), v]);
                    self.sat.add(&[x, y, not(v)]);
                }
            }
            Gate::All(start, len) => {
                let mut some_false = vec![v];
                for &lit in gates.all_operands(start, len) {
                    let lit = self.known(lit)?;
                    self.sat.add(&[not(v), lit]);
                    some_false.push(not(lit));
                }
                self.sat.add(&some_false);
            }
        }
        Ok(())
    }

    fn want_facts(&mut self, group: usize) {
        if self.facts_wanted.len() <= group {
            self.facts_wanted.resize(group + 1, false);
        }
        if !self.facts_wanted[group] {
            self.facts_wanted[group] = true;
            self.pending.push(group);
        }
    }
}

pub(crate) fn for_each_operand(gates: &Gates, gate: Gate, mut visit: impl FnMut(Lit)) {
    match gate {
        Gate::False | Gate::Input(_) => {}
        Gate::And(a, b) | Gate::Xor(a, b) => [a, b].into_iter().for_each(visit),
        Gate::Xor3(a, b, c) | Gate::Mux(a, b, c) | Gate::Maj(a, b, c) => {
            [a, b, c].into_iter().for_each(visit)
        }
        Gate::All(start, len) => gates.all_operands(start, len).iter().for_each(|&lit| visit(lit)),
    }
}

/// How many gates `lits` depend on, facts aside; counting ends at `most`.
fn cone_size(gates: &Gates, lits: &[Lit], most: usize) -> usize {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<usize> = lits.iter().map(|lit| lit.gate()).collect();
    while let Some(index) = stack.pop() {
        if seen.len() >= most {
            break;
        }
        if seen.insert(index) {
            for_each_operand(gates, gates.gate(index), |operand| stack.push(operand.gate()));
        }
    }
    seen.len()
}
