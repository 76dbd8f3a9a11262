//! Layer: small domains are tried out. Where the bounds among the constraints leave few values for all symbols together,
//! evaluating every assignment beats any circuit: loops over a number below thirty, arithmetic on a byte.
//!
//! Values are tried in the order of their magnitude, so the model found is the one a person would pick.

use crate::answer::Answer;
use crate::limits::Limits;
use std::collections::BTreeSet;
use term::{Binary, Const, Model, Node, Program, Sort, Symbol, Term, Terms, Unary, mask};

/// Assignments tried at most.
const MAX_ASSIGNMENTS: u64 = 1 << 16;
/// Assignments times operations.
const MAX_WORK: u64 = 4_000_000;
const MAX_STEPS: usize = 20_000;

/// Decides the conjunction if its domain is small; `None` if it is not, or if time ran out.
pub fn decide(terms: &Terms, conjuncts: &[Term], limits: &Limits) -> Option<Answer> {
    let symbols = symbols(terms, conjuncts)?;
    let domains: Vec<Domain> = symbols.iter().map(|s| domain(terms, conjuncts, *s)).collect::<Option<_>>()?;
    let assignments = domains
        .iter()
        .try_fold(1u64, |n, d| n.checked_mul(d.count.max(1)).filter(|n| *n <= MAX_ASSIGNMENTS))?;
    let mut program = Program::new(terms, conjuncts, MAX_STEPS)?;
    if assignments.saturating_mul(program.len() as u64) > MAX_WORK {
        return None;
    }
    // The program's order of symbols is its own.
    let domains: Vec<&Domain> =
        program.symbols().map(|symbol| domains.iter().find(|d| d.symbol == symbol)).collect::<Option<_>>()?;
    let mut core: BTreeSet<Term> = domains.iter().flat_map(|d| d.because.iter().copied()).collect();
    let mut choices: Vec<Choices> = domains.iter().map(|d| d.choices()).collect();
    if choices.iter().any(|choices| choices.count == 0) {
        return Some(Answer::Unsat(core.into_iter().collect()));
    }
    let mut odometer = vec![0usize; choices.len()];
    let mut tried = 0u32;
    loop {
        let values: Vec<Const> = odometer.iter().zip(&mut choices).map(|(i, c)| c.get(*i)).collect();
        match program.first_false(&values) {
            None => {
                let mut model = Model::new();
                for (domain, value) in domains.iter().zip(values) {
                    model.set(domain.symbol, value);
                }
                return Some(Answer::Sat(model));
            }
            Some(index) => {
                core.insert(conjuncts[index]);
            }
        }
        tried += 1;
        if tried.is_multiple_of(256) && limits.work().is_err() {
            return None;
        }
        if !advance(&mut odometer, &choices) {
            return Some(Answer::Unsat(core.into_iter().collect()));
        }
    }
}

fn advance(odometer: &mut [usize], choices: &[Choices]) -> bool {
    for (digit, choices) in odometer.iter_mut().zip(choices) {
        *digit += 1;
        if *digit < choices.count {
            return true;
        }
        *digit = 0;
    }
    false
}

/// The values that the direct bounds leave for a symbol: `count` of them from `start`, modulo its width.
struct Domain {
    symbol: Symbol,
    width: u32,
    is_bool: bool,
    start: u128,
    count: u64,
    /// The constraints that the bounds come from.
    because: Vec<Term>,
}

impl Domain {
    /// Small magnitudes first, positive before negative.
    fn choices(&self) -> Choices {
        let Domain { width, start, count, .. } = *self;
        let mut choices = Choices { width, start, count: count as usize, known: Vec::new(), magnitude: 0 };
        if self.is_bool {
            choices.known = vec![Const::Bool(false), Const::Bool(true)];
        } else if count > 0 && !choices.holds(0) {
            // They are neighbours on a circle that has 0 on one side: the smallest is at one of the ends.
            let last = start.wrapping_add(u128::from(count) - 1) & mask(width);
            choices.magnitude = choices.magnitude_of(start).min(choices.magnitude_of(last));
        }
        choices
    }
}

/// The values of a domain in their order, made as far as somebody asks: most questions are decided by the first ones.
struct Choices {
    width: u32,
    start: u128,
    count: usize,
    known: Vec<Const>,
    /// Of the values that come next.
    magnitude: u128,
}

impl Choices {
    /// The index must be below the count.
    fn get(&mut self, index: usize) -> Const {
        while self.known.len() <= index {
            let (positive, negative) = (self.magnitude, self.magnitude.wrapping_neg() & mask(self.width));
            for (value, is_wanted) in
                [(positive, !self.is_negative(positive)), (negative, self.is_negative(negative))]
            {
                if is_wanted && self.holds(value) {
                    self.known.push(Const::Bv { width: self.width, value });
                }
            }
            self.magnitude += 1;
        }
        self.known[index]
    }

    fn holds(&self, value: u128) -> bool {
        value.wrapping_sub(self.start) & mask(self.width) < self.count as u128
    }

    fn is_negative(&self, value: u128) -> bool {
        self.width > 1 && value >> (self.width - 1) & 1 == 1
    }

    fn magnitude_of(&self, value: u128) -> u128 {
        if self.is_negative(value) { value.wrapping_neg() & mask(self.width) } else { value }
    }
}

fn symbols(terms: &Terms, conjuncts: &[Term]) -> Option<Vec<Symbol>> {
    let mut all = BTreeSet::new();
    for conjunct in conjuncts {
        all.extend(terms.symbols_of(*conjunct).iter().copied());
        // Sixteen symbols of one bit each are as many as can be tried.
        if all.len() > 16 {
            return None;
        }
    }
    Some(all.into_iter().collect())
}

fn domain(terms: &Terms, conjuncts: &[Term], symbol: Symbol) -> Option<Domain> {
    let width = match terms.symbol_sort(symbol) {
        Sort::Bool => {
            return Some(Domain { symbol, width: 1, is_bool: true, start: 0, count: 2, because: Vec::new() });
        }
        Sort::Bv(width) => width,
        Sort::Float(_) => return None,
    };
    let bounds: Vec<(Bound, Term)> =
        conjuncts.iter().filter_map(|c| Some((bound(terms, *c, symbol, width)?, *c))).collect();
    let full = (0, mask(width));
    let mut best: Option<Domain> = None;
    let mut offer = |start: u128, last_offset: u128, because: Vec<Term>| {
        if last_offset < u128::from(MAX_ASSIGNMENTS) {
            let count = last_offset as u64 + 1;
            if best.as_ref().is_none_or(|b| count < b.count) {
                best = Some(Domain { symbol, width, is_bool: false, start, count, because });
            }
        }
    };
    offer(0, full.1, Vec::new());
    // All bounds of one order together, and each interval for itself.
    for order in [Order::Unsigned, Order::Signed] {
        let shift = if order == Order::Signed { 1 << (width - 1) } else { 0 };
        let (mut low, mut high) = full;
        let mut because = Vec::new();
        for (b, term) in bounds.iter().filter(|(b, _)| b.order == order) {
            low = low.max(b.low);
            high = high.min(b.high);
            because.push(*term);
        }
        if low > high {
            return Some(Domain { symbol, width, is_bool: false, start: 0, count: 0, because });
        }
        // In shifted coordinates a signed interval is an unsigned one.
        offer(low.wrapping_sub(shift) & mask(width), high - low, because);
    }
    for (b, term) in bounds.iter().filter(|(b, _)| b.order == Order::Modular) {
        offer(b.low, b.high, vec![*term]);
    }
    best
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Unsigned,
    /// `low` and `high` are shifted by half the range, so that they compare as unsigned numbers.
    Signed,
    /// `low` is the start and `high` the last offset from it.
    Modular,
}

#[derive(Clone, Copy, Debug)]
struct Bound {
    order: Order,
    low: u128,
    high: u128,
}

/// The interval that a constraint directly says about a symbol.
fn bound(terms: &Terms, conjunct: Term, symbol: Symbol, width: u32) -> Option<Bound> {
    let (node, negated) = match *terms.node(conjunct) {
        Node::Unary(Unary::Not, inner) => (*terms.node(inner), true),
        node => (node, false),
    };
    let Node::Binary(op, a, b) = node else { return None };
    let (shift, order) = match op {
        Binary::Eq if !negated => {
            let constant = if is_symbol(terms, a, symbol) { b } else { a };
            let other = if constant == b { a } else { b };
            let value = terms.as_bv(constant).filter(|_| is_symbol(terms, other, symbol))?;
            return Some(Bound { order: Order::Modular, low: value, high: 0 });
        }
        Binary::Ult => (0, Order::Unsigned),
        Binary::Slt => (1u128 << (width - 1), Order::Signed),
        _ => return None,
    };
    let mask = mask(width);
    let place = |value: u128| value.wrapping_add(shift) & mask;
    if is_symbol(terms, a, symbol) {
        let c = place(terms.as_bv(b)?);
        // x < c, or c <= x.
        return match negated {
            false => Some(Bound { order, low: u128::from(c == 0), high: c.saturating_sub(1) }),
            true => Some(Bound { order, low: c, high: mask }),
        };
    }
    if is_symbol(terms, b, symbol) {
        let c = place(terms.as_bv(a)?);
        // c < x, or x <= c.
        return match negated {
            false if c == mask => Some(Bound { order, low: 1, high: 0 }),
            false => Some(Bound { order, low: c + 1, high: mask }),
            true => Some(Bound { order, low: 0, high: c }),
        };
    }
    // (x + k) < c: an interval of c values from -k.
    if op == Binary::Ult
        && !negated
        && let Node::Binary(Binary::Add, x, k) = *terms.node(a)
    {
        let (x, k) = if is_symbol(terms, x, symbol) { (x, k) } else { (k, x) };
        let (k, c) = (terms.as_bv(k).filter(|_| is_symbol(terms, x, symbol))?, terms.as_bv(b)?);
        if c > 0 {
            return Some(Bound { order: Order::Modular, low: k.wrapping_neg() & mask, high: c - 1 });
        }
    }
    None
}

fn is_symbol(terms: &Terms, term: Term, symbol: Symbol) -> bool {
    matches!(*terms.node(term), Node::Var(s) if s == symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All intervals of a small width, those around zero and around the largest number too.
    #[test]
    fn values_come_by_magnitude_and_positive_ones_first() {
        let mut terms = Terms::new();
        let symbol = terms.symbol("x", Sort::Bv(5));
        for width in [1, 2, 5] {
            for start in 0..1u128 << width {
                for count in 0..=1u64 << width {
                    let domain = Domain { symbol, width, is_bool: false, start, count, because: Vec::new() };
                    let mut expected: Vec<u128> =
                        (0..u128::from(count)).map(|i| (start + i) & mask(width)).collect();
                    let is_negative = |n: u128| width > 1 && n >> (width - 1) == 1;
                    expected.sort_by_key(|n| {
                        (if is_negative(*n) { n.wrapping_neg() & mask(width) } else { *n }, is_negative(*n))
                    });
                    let mut choices = domain.choices();
                    let found: Vec<u128> = (0..count as usize).map(|i| choices.get(i).bits()).collect();
                    assert_eq!(found, expected, "{count} from {start} of {width} bits");
                }
            }
        }
    }
}
