//! Facts that may hold whenever a path is at a cut. They are guesses: those that do not hold are dropped by the walks.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use term::{Binary, Node, Sort, Symbol, Term, Terms, Unary};
use vm::Machine;
use vm::generalise::{Part, Spot};

use super::plan::{Annotation, Plan};
use super::walk::{Entry, Return, Seen};
use super::{elements, promises};

/// Candidates for one cut.
const MOST: usize = 600;
/// Numbers whose pairs are compared.
const MOST_NUMBERS: usize = 10;
/// Conditions of rounds that are looked at.
const MOST_ATOMS: usize = 40;
/// Numbers of an object that are compared in pairs with others.
const MOST_FIELDS: usize = 6;
/// Constants that are tried as bounds of a number, and as steps.
const MOST_CONSTANTS: usize = 12;
const MOST_STEPS: usize = 4;
/// The length that a buffer has whatever it holds, at most.
const LEAST_BUFFER: u128 = 16;
/// Steps of a sum that bound it.
const LARGEST_STEP: u128 = 1 << 20;

/// Proposes facts for the anchors that have none yet; whether there was any such anchor.
pub(super) fn propose(machine: &mut Machine, plan: &mut Plan, seen: &Seen) -> bool {
    let mut any = false;
    for (id, entries) in &seen.entries {
        let annotation = plan.anchors.entry(id.clone()).or_default();
        if annotation.is_proposed {
            continue;
        }
        annotation.is_proposed = true;
        let none = Vec::new();
        let returns = seen.returns.get(id).unwrap_or(&none);
        annotation.witnesses = elements::witnesses(machine, returns);
        annotation.facts = objects(machine, annotation, entries);
        annotation.facts.extend(facts(machine, annotation, entries, returns));
        annotation.forget_witnesses(&machine.terms);
        any |= !annotation.facts.is_empty();
    }
    for (id, results) in &seen.results {
        let (Some(annotation), Some(entries)) = (plan.anchors.get_mut(id), seen.entries.get(id)) else {
            continue;
        };
        if annotation.has_promised {
            continue;
        }
        annotation.has_promised = true;
        annotation.promises = promises::of(machine, annotation, entries, results);
        any |= !annotation.promises.is_empty();
    }
    any
}

/// References that are never null. Nothing else is known of a reference.
fn objects(machine: &mut Machine, annotation: &Annotation, entries: &[Entry]) -> Vec<Term> {
    let Some(first) = entries.first() else { return Vec::new() };
    let is_object = |symbol: &Symbol| is_object(machine, *symbol) && first.values.contains_key(symbol);
    let own: Vec<Symbol> = annotation.spots.values().flatten().copied().filter(is_object).collect();
    let terms = &mut machine.terms;
    let null = terms.bv(64, 0);
    let never_null = |symbol| {
        let object = terms.var(symbol);
        terms.ne(object, null)
    };
    own.into_iter().map(never_null).collect()
}

/// Whether a symbol stands for a reference.
pub(super) fn is_object(machine: &Machine, symbol: Symbol) -> bool {
    machine.inputs.reference(symbol).is_some()
}

fn facts(machine: &mut Machine, annotation: &Annotation, entries: &[Entry], returns: &[Return]) -> Vec<Term> {
    let Some(first) = entries.first() else { return Vec::new() };
    let older = older(entries);
    let is_number = |symbol: &Symbol| {
        matches!(machine.terms.symbol_sort(*symbol), Sort::Bv(8..=64))
            && !is_object(machine, *symbol)
            && first.values.contains_key(symbol)
    };
    let own: Vec<Symbol> = annotation.spots.values().flatten().copied().filter(is_number).collect();
    let mut named: BTreeSet<Symbol> = own.iter().copied().collect();
    named.extend(annotation.witnesses.iter().flat_map(|witness| [witness.index, witness.element]));
    let mut all = Candidates::new(&mut machine.terms, named, older);
    elements::propose(&mut all, annotation, first, returns);
    for symbol in &own {
        all.of_one(*symbol, entries, returns);
    }
    let atoms = all.atoms(returns.iter().flat_map(|back| &back.decided));
    all.of_conditions(first, &atoms);
    let mut constants = all.constants(&atoms);
    let coming = returns.iter().flat_map(|back| back.values.values());
    constants.extend(coming.filter_map(|value| all.small(*value)));
    let few = &own[..own.len().min(MOST_NUMBERS)];
    for (index, a) in few.iter().enumerate() {
        for length in first.lengths.clone() {
            all.of_length(*a, length);
        }
        for b in &few[index + 1..] {
            all.of_two(*a, *b, first, returns);
            all.of_two(*b, *a, first, returns);
        }
    }
    // Elements of arrays are many, and hardly in step.
    let scalars: Vec<Symbol> = few.iter().copied().filter(|own| !is_element(annotation, *own)).collect();
    for (index, a) in scalars.iter().enumerate() {
        for constant in constants.iter().take(MOST_CONSTANTS) {
            all.of_constant(*a, *constant);
        }
        for b in &scalars[index + 1..] {
            all.of_sum(*a, *b, first);
        }
        for b in scalars.iter().filter(|b| *b != a) {
            if returns.iter().any(|back| all.grows(*a, back))
                && returns.iter().any(|back| all.counts(*b, back))
            {
                all.in_steps(*a, *b, first, &constants);
            }
        }
    }
    for length in own.iter().filter(|own| is_length(annotation, **own)) {
        scalars.iter().filter(|other| *other != length).for_each(|count| all.of_buffer(*length, *count));
    }
    all.found.truncate(MOST);
    all.found
}

/// Whether a number is the length of an array that is replaced by others.
fn is_length(annotation: &Annotation, own: Symbol) -> bool {
    let is_length = |spot: &Spot| matches!(spot, Spot::Owned { part: Part::Length, .. });
    annotation.spots.iter().any(|(spot, symbol)| *symbol == Some(own) && is_length(spot))
}

/// Whether a number is one of many in one block.
fn is_element(annotation: &Annotation, own: Symbol) -> bool {
    let block_of = |spot: &Spot| match spot {
        Spot::Bytes { block, .. } => Some(*block),
        _ => None,
    };
    let of_own = annotation.spots.iter().find(|(_, symbol)| **symbol == Some(own));
    let Some(block) = of_own.and_then(|(spot, _)| block_of(spot)) else { return false };
    annotation.spots.keys().filter(|spot| block_of(spot) == Some(block)).count() > MOST_FIELDS
}

/// What all paths to a cut know.
pub(super) fn older(entries: &[Entry]) -> BTreeSet<Symbol> {
    let mut all = entries.iter().map(|entry| &entry.older);
    let Some(mut older) = all.next().cloned() else { return BTreeSet::new() };
    for entry in all {
        older.retain(|symbol| entry.contains(symbol));
    }
    older
}

pub(super) struct Candidates<'a> {
    pub terms: &'a mut Terms,
    own: BTreeSet<Symbol>,
    older: BTreeSet<Symbol>,
    pub found: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Candidates<'_> {
    /// For facts that speak of one of the first symbols, and else only of the others.
    pub fn new(terms: &mut Terms, own: BTreeSet<Symbol>, older: BTreeSet<Symbol>) -> Candidates<'_> {
        Candidates { terms, own, older, found: Vec::new(), seen: FxHashSet::default() }
    }

    /// Keeps a fact that speaks of the cut's own symbols, and else only of older ones.
    pub fn add(&mut self, fact: Term) {
        if self.terms.as_bool(fact).is_some() || !self.seen.insert(fact) {
            return;
        }
        let symbols = self.terms.symbols_of(fact);
        let is_known = |symbol: &Symbol| self.own.contains(symbol) || self.older.contains(symbol);
        if symbols.iter().all(is_known) && symbols.iter().any(|symbol| self.own.contains(symbol)) {
            self.found.push(fact);
        }
    }

    pub fn ordered(&mut self, a: Term, b: Term) {
        let signed = self.terms.sle(a, b);
        let unsigned = self.terms.ule(a, b);
        self.add(signed);
        self.add(unsigned);
    }

    /// Against its first value and small constants.
    fn of_one(&mut self, symbol: Symbol, entries: &[Entry], returns: &[Return]) {
        let x = self.terms.var(symbol);
        let width = self.terms.width(x);
        for value in entries.iter().filter_map(|entry| entry.values.get(&symbol)).copied().collect::<Vec<_>>()
        {
            self.ordered(value, x);
            self.ordered(x, value);
            for bits in 1..=3.min(width - 1) {
                let (low, first) =
                    (self.terms.extract(x, bits - 1, 0), self.terms.extract(value, bits - 1, 0));
                let same = self.terms.eq(low, first);
                self.add(same);
            }
        }
        let zero = self.terms.bv(width, 0);
        let minus_one = self.terms.bv(width, term::mask(width));
        for small in [zero, minus_one] {
            let at_least = self.terms.sle(small, x);
            self.add(at_least);
            let other = self.terms.ne(x, small);
            self.add(other);
        }
        for most in [1u128, 0xff, 0xffff] {
            let most = self.terms.bv(width, most);
            let at_most = self.terms.ule(x, most);
            self.add(at_most);
        }
        // One of a few constants: the states of a machine.
        let entering = entries.iter().filter_map(|entry| entry.values.get(&symbol));
        let coming = returns.iter().filter_map(|back| back.values.get(&symbol)).filter(|value| **value != x);
        let mut values: Vec<Term> = entering.chain(coming).copied().collect();
        values.sort_unstable();
        values.dedup();
        if values.len() <= 16 && values.iter().all(|value| self.terms.as_const(*value).is_some()) {
            let mut cases = Vec::new();
            for value in values {
                cases.push(self.terms.eq(x, value));
            }
            let one_of = self.terms.or_all(cases);
            self.add(one_of);
        }
    }

    /// The comparisons in conditions.
    pub fn atoms<'t>(&self, conditions: impl DoubleEndedIterator<Item = &'t Term>) -> Vec<(Term, Term)> {
        let mut atoms = Vec::new();
        let mut waiting: Vec<Term> = conditions.rev().copied().collect();
        let mut met = FxHashSet::default();
        while let Some(term) = waiting.pop() {
            if !met.insert(term) || atoms.len() >= MOST_ATOMS {
                continue;
            }
            match *self.terms.node(term) {
                Node::Binary(Binary::And, a, b) => waiting.extend([b, a]),
                Node::Unary(Unary::Not, a) => waiting.push(a),
                Node::Binary(Binary::Ult | Binary::Slt, a, b) => atoms.push((a, b)),
                Node::Binary(Binary::Eq, a, b) if matches!(self.terms.sort(a), Sort::Bv(_)) => {
                    atoms.push((a, b))
                }
                _ => {}
            }
        }
        atoms
    }

    /// The small numbers that something is compared with, and their neighbours: `n > 99` is `99 < n`, and stands for 100.
    pub fn constants(&self, atoms: &[(Term, Term)]) -> BTreeSet<i64> {
        let told = atoms.iter().flat_map(|(a, b)| [*a, *b]).filter_map(|term| self.small(term));
        told.flat_map(|constant| [constant, constant + 1]).collect()
    }

    /// A known number that is not large.
    pub fn small(&self, term: Term) -> Option<i64> {
        let Sort::Bv(width) = self.terms.sort(term) else { return None };
        let number = term::to_signed(self.terms.as_bv(term)?, width);
        i64::try_from(number).ok().filter(|number| number.unsigned_abs() <= LARGEST_STEP as u64)
    }

    fn number(&mut self, width: u32, number: i64) -> Term {
        self.terms.bv(width, term::from_signed(i128::from(number), width))
    }

    fn of_constant(&mut self, symbol: Symbol, constant: i64) {
        let x = self.terms.var(symbol);
        let constant = self.number(self.terms.width(x), constant);
        let bounds = [self.terms.sle(x, constant), self.terms.sle(constant, x)];
        bounds.into_iter().for_each(|fact| self.add(fact));
    }

    /// What two numbers come to, and whether both are even.
    fn of_sum(&mut self, a: Symbol, b: Symbol, entry: &Entry) {
        let (x, y) = (self.terms.var(a), self.terms.var(b));
        let (Some(x0), Some(y0)) = (entry.values.get(&a).copied(), entry.values.get(&b).copied()) else {
            return;
        };
        let [low_x, low_y, low_x0, low_y0] = [x, y, x0, y0].map(|term| self.terms.extract(term, 0, 0));
        let (now, at_first) = (self.terms.xor(low_x, low_y), self.terms.xor(low_x0, low_y0));
        let same = self.terms.eq(now, at_first);
        self.add(same);
        if self.terms.width(x) != self.terms.width(y) {
            return;
        }
        let (sum, first) = (self.terms.add(x, y), self.terms.add(x0, y0));
        let at_most = self.terms.sle(sum, first);
        self.add(at_most);
        if self.terms.width(x) != 32 {
            return;
        }
        for length in entry.lengths.clone() {
            self.ordered(sum, length);
        }
    }

    /// Whether a round adds something to a number that is not the same in all rounds.
    fn grows(&self, a: Symbol, back: &Return) -> bool {
        let Some(mut next) = back.values.get(&a).copied() else { return false };
        while let Node::Extend { of, .. } | Node::Extract { of, .. } = *self.terms.node(next) {
            next = of;
        }
        match *self.terms.node(next) {
            Node::Binary(Binary::Add, x, y) => [x, y].iter().all(|term| self.terms.as_bv(*term).is_none()),
            Node::Var(symbol) => symbol != a,
            _ => false,
        }
    }

    /// Whether a round counts a number up, tried with one value.
    fn counts(&mut self, b: Symbol, back: &Return) -> bool {
        let Some(next) = back.values.get(&b).copied() else { return false };
        let five = self.number(self.terms.width(next), 5);
        let after = self.terms.substitute(next, &FxHashMap::from_iter([(b, five)]));
        self.small(after).is_some_and(|after| (6..=13).contains(&after))
    }

    /// `a` grows at most by a constant when `b` grows by one.
    fn in_steps(&mut self, a: Symbol, b: Symbol, entry: &Entry, constants: &BTreeSet<i64>) {
        let (Some(x0), Some(y0)) = (entry.values.get(&a).copied(), entry.values.get(&b).copied()) else {
            return;
        };
        let (x, y) = (self.terms.var(a), self.terms.var(b));
        let width = self.terms.width(x).max(self.terms.width(y)).max(32);
        let [x, x0, y, y0] = [x, x0, y, y0].map(|term| self.terms.sext(term, width));
        let (dx, dy) = (self.terms.sub(x, x0), self.terms.sub(y, y0));
        let large = constants.iter().rev().copied().filter(|step| *step > 1).take(MOST_STEPS);
        for step in large.chain([0xff]) {
            let step = self.number(width, step);
            let most = self.terms.mul(dy, step);
            let fact = self.terms.sle(dx, most);
            self.add(fact);
        }
    }

    /// The conditions of rounds, and what is a little weaker: `i < n` gives `i <= n`.
    fn of_conditions(&mut self, entry: &Entry, atoms: &[(Term, Term)]) {
        for &(a, b) in atoms {
            self.ordered(a, b);
            self.ordered(b, a);
            let less = [self.terms.slt(a, b), self.terms.slt(b, a), self.terms.ne(a, b)];
            less.into_iter().for_each(|fact| self.add(fact));
            // One step beyond: a count that ends at the bound, and one that goes below it.
            let width = self.terms.width(a);
            let one = self.terms.bv(width, 1);
            let (after, before) = (self.terms.add(b, one), self.terms.sub(b, one));
            let near = [self.terms.sle(a, after), self.terms.sle(before, a)];
            near.into_iter().for_each(|fact| self.add(fact));
            let first_or = [self.terms.sle(a, b), self.terms.sle(b, a), near[0], self.terms.ule(a, b)];
            first_or.into_iter().for_each(|fact| self.or_at_first(fact, entry));
        }
    }

    /// What may hold once a round was run: before, its numbers are the first ones.
    fn or_at_first(&mut self, fact: Term, entry: &Entry) {
        let mut at_first = self.terms.true_();
        for symbol in self.terms.symbols_of(fact).iter().filter(|symbol| self.own.contains(symbol)) {
            let Some(first) = entry.values.get(symbol).copied() else { return };
            let x = self.terms.var(*symbol);
            let same = self.terms.eq(x, first);
            at_first = self.terms.and(at_first, same);
        }
        let either = self.terms.or(at_first, fact);
        self.add(either);
    }

    /// A buffer that is doubled when it is full.
    fn of_buffer(&mut self, length: Symbol, count: Symbol) {
        let (length, count) = (self.terms.var(length), self.terms.var(count));
        if self.terms.width(count) != 32 {
            return;
        }
        let some = self.terms.bv(32, LEAST_BUFFER);
        let twice = self.terms.add(count, count);
        let most = self.terms.add(twice, some);
        let fact = self.terms.sle(length, most);
        self.add(fact);
    }

    fn of_length(&mut self, symbol: Symbol, length: Term) {
        let x = self.terms.var(symbol);
        let width = self.terms.width(x);
        let length = match width {
            32 => length,
            64 => self.terms.zext(length, 64),
            _ => return,
        };
        let (at_most, below) = (self.terms.sle(x, length), self.terms.slt(x, length));
        self.add(at_most);
        self.add(below);
    }

    /// Two numbers in step.
    fn of_two(&mut self, a: Symbol, b: Symbol, entry: &Entry, returns: &[Return]) {
        let (Some(a0), Some(b0)) = (entry.values.get(&a).copied(), entry.values.get(&b).copied()) else {
            return;
        };
        let (mut x, mut y) = (self.terms.var(a), self.terms.var(b));
        let (mut x0, mut y0) = (a0, b0);
        let width = self.terms.width(x).max(self.terms.width(y));
        if self.terms.width(x) != self.terms.width(y) {
            if width != 64 {
                return;
            }
            (x, y) = (self.terms.sext(x, 64), self.terms.sext(y, 64));
            (x0, y0) = (self.terms.sext(x0, 64), self.terms.sext(y0, 64));
        }
        self.ordered(x, y);
        let facts = [self.terms.slt(x, y), self.terms.eq(x, y), self.terms.ne(x, y)];
        facts.into_iter().for_each(|fact| self.add(fact));
        let (dx, dy) = (self.terms.sub(x, x0), self.terms.sub(y, y0));
        let (same, opposite) = (self.terms.eq(dx, dy), self.terms.neg(dy));
        let opposite = self.terms.eq(dx, opposite);
        self.add(same);
        self.add(opposite);
        // As long as the one has not moved, neither has the other.
        let (one, other) = (self.terms.eq(x, x0), self.terms.eq(y, y0));
        let together = self.terms.implies(one, other);
        self.add(together);
        self.in_proportion(a, b, (dx, dy), (x, y0, x0), width, returns);
    }

    /// `a` grows by something in each round in which `b` grows by a constant.
    fn in_proportion(
        &mut self,
        a: Symbol,
        b: Symbol,
        (dx, dy): (Term, Term),
        (x, _, x0): (Term, Term, Term),
        width: u32,
        returns: &[Return],
    ) {
        for back in returns {
            let (Some(next_a), Some(next_b)) = (back.values.get(&a).copied(), back.values.get(&b).copied())
            else {
                continue;
            };
            let (var_a, var_b) = (self.terms.var(a), self.terms.var(b));
            let step_b = self.terms.sub(next_b, var_b);
            let Some(step_b) = self.terms.as_bv(step_b) else { continue };
            let step_a = self.terms.sub(next_a, var_a);
            let own_width = self.terms.width(step_a);
            if let Some(constant) = self.terms.as_bv(step_a) {
                let up = self.terms.bv(width, term::from_signed(term::to_signed(constant, own_width), width));
                let along = self
                    .terms
                    .bv(width, term::from_signed(term::to_signed(step_b, self.terms.width(var_b)), width));
                let (left, right) = (self.terms.mul(dx, along), self.terms.mul(dy, up));
                let fact = self.terms.eq(left, right);
                self.add(fact);
                self.ordered(left, right);
                self.ordered(right, left);
            }
            if step_b == 1 {
                let range = self.terms.range(step_a);
                if range.max <= LARGEST_STEP && range.max > 0 {
                    let most = self.terms.bv(width, range.max);
                    let bound = self.terms.mul(dy, most);
                    let fact = self.terms.sle(dx, bound);
                    self.add(fact);
                }
                // Doubled in each round.
                let twice = self.terms.add(var_a, var_a);
                if twice == next_a && width == own_width {
                    let power = self.terms.shl(x0, dy);
                    let fact = self.terms.eq(x, power);
                    self.add(fact);
                }
            }
        }
    }
}
