//! Layer: narrowing. Constraints that bound a symbol make it narrower before the search: an `int` between 1 and 50 becomes six
//! bits, a symbol with one value left a constant. Rebuilt over these, terms simplify (a division of ints becomes one of six bits),
//! which in turn may bound more.
//!
//! A narrowed symbol keeps its low bits, `x ↦ extend(extract(x))`, so that differently narrowed queries share their inputs.

use crate::interval::{Interval, Intervals};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use term::{Binary, Model, Node, Sort, Symbol, Term, Terms, Unary, from_signed, mask, to_signed};

/// How often bounds are collected anew.
const ROUNDS: usize = 6;

/// A conjunction over narrowed symbols.
pub(crate) struct Narrowed {
    /// What is left to ask.
    pub(crate) conjuncts: Vec<Term>,
    /// For each of `conjuncts`, the index of the original.
    origins: Vec<usize>,
    symbols: BTreeMap<Symbol, Bounds>,
}

pub(crate) enum Narrowing {
    /// The bounds say nothing, or nothing that helps.
    Unchanged,
    Narrowed(Narrowed),
    /// The bounds contradict, or make a constraint false: these of the originals.
    Contradiction(Vec<Term>),
}

/// What is known of a symbol, and from which constraints.
#[derive(Clone, Debug)]
struct Bounds {
    width: u32,
    min: i128,
    max: i128,
    because: Vec<usize>,
}

impl Bounds {
    fn of_width(width: u32) -> Bounds {
        let max = (mask(width) >> 1) as i128;
        Bounds { width, min: -max - 1, max, because: Vec::new() }
    }

    /// Both ends, signed; says whether anything became known.
    fn meet(&mut self, min: i128, max: i128, because: usize) -> bool {
        let (low, high) = (self.min.max(min), self.max.min(max));
        let changed = (low, high) != (self.min, self.max);
        (self.min, self.max) = (low, high);
        if changed {
            self.because.push(because);
        }
        changed
    }

    /// Bits that are left: how many, and whether the top one is a sign.
    fn shape(&self) -> (u32, bool) {
        let length = |value: i128| 128 - value.leading_zeros();
        if self.min >= 0 {
            (length(self.max).max(1), false)
        } else {
            (length(!self.min).max(if self.max < 0 { 0 } else { length(self.max) }) + 1, true)
        }
    }

    fn replacement(&self, terms: &mut Terms, symbol: Symbol) -> Term {
        if self.min == self.max {
            return terms.bv(self.width, from_signed(self.min, self.width));
        }
        let x = terms.var(symbol);
        let (bits, signed) = self.shape();
        if bits >= self.width {
            return x;
        }
        let low = terms.extract(x, bits - 1, 0);
        if signed { terms.sext(low, self.width) } else { terms.zext(low, self.width) }
    }
}

/// Narrows a conjunction as far as its own bounds allow.
pub(crate) fn narrow(terms: &mut Terms, conjuncts: &[Term]) -> Narrowing {
    let mut symbols: BTreeMap<Symbol, Bounds> = BTreeMap::new();
    let mut current = conjuncts.to_vec();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (i, &conjunct) in current.iter().enumerate() {
            if terms.as_bool(conjunct) == Some(false) {
                return Narrowing::Contradiction(explained(terms, conjuncts, &symbols, [i]));
            }
            changed |= collect(terms, conjunct, i, &mut symbols);
        }
        if let Some(bounds) = symbols.values().find(|bounds| bounds.min > bounds.max) {
            let because = bounds.because.clone();
            return Narrowing::Contradiction(explained(terms, conjuncts, &symbols, because));
        }
        if !changed {
            break;
        }
        let map = replacements(terms, &symbols);
        if map.is_empty() {
            return Narrowing::Unchanged;
        }
        current = terms.substitute_all(conjuncts, &map);
    }
    let map = replacements(terms, &symbols);
    if map.is_empty() {
        return Narrowing::Unchanged;
    }
    if let Some(i) = current.iter().position(|&conjunct| terms.as_bool(conjunct) == Some(false)) {
        return Narrowing::Contradiction(explained(terms, conjuncts, &symbols, [i]));
    }
    let mut origins = Vec::new();
    let interval = |symbol| symbols.get(&symbol).map(|bounds| Interval { min: bounds.min, max: bounds.max });
    let mut intervals = Intervals::new(terms, interval);
    let sources: FxHashSet<usize> =
        symbols.values().flat_map(|bounds| bounds.because.iter().copied()).collect();
    for i in (0..current.len()).filter(|&i| terms.as_bool(current[i]).is_none()) {
        match intervals.decide(conjuncts[i]) {
            Some(false) => return Narrowing::Contradiction(explained(terms, conjuncts, &symbols, [i])),
            // the bounds imply it; but what the bounds come from must not be dropped because of them
            Some(true) if !sources.contains(&i) => {}
            _ => origins.push(i),
        }
    }
    let conjuncts = origins.iter().map(|&i| current[i]).collect();
    Narrowing::Narrowed(Narrowed { conjuncts, origins, symbols })
}

impl Narrowed {
    /// A core of the narrowed conjuncts as one of the originals: the bounds that were used belong to it.
    pub(crate) fn core(&self, terms: &Terms, originals: &[Term], core: &[Term]) -> Vec<Term> {
        let core: FxHashSet<Term> = core.iter().copied().collect();
        let failed = self.conjuncts.iter().zip(&self.origins).filter(|(conjunct, _)| core.contains(conjunct));
        explained(terms, originals, &self.symbols, failed.map(|(_, &origin)| origin))
    }

    /// A model of the narrowed conjuncts as one of the originals.
    pub(crate) fn model(&self, terms: &mut Terms, model: &Model) -> Model {
        let mut full = model.clone();
        for (&symbol, bounds) in &self.symbols {
            let replacement = bounds.replacement(terms, symbol);
            full.set(symbol, terms.eval(replacement, model));
        }
        full
    }
}

fn replacements(terms: &mut Terms, symbols: &BTreeMap<Symbol, Bounds>) -> FxHashMap<Symbol, Term> {
    let mut map = FxHashMap::default();
    for (&symbol, bounds) in symbols {
        let (replacement, itself) = (bounds.replacement(terms, symbol), terms.var(symbol));
        if replacement != itself {
            map.insert(symbol, replacement);
        }
    }
    map
}

/// The originals at these places, and those that bound their symbols, and so on.
fn explained(
    terms: &Terms,
    originals: &[Term],
    symbols: &BTreeMap<Symbol, Bounds>,
    first: impl IntoIterator<Item = usize>,
) -> Vec<Term> {
    let mut chosen = vec![false; originals.len()];
    let mut stack: Vec<usize> = first.into_iter().collect();
    while let Some(i) = stack.pop() {
        if !std::mem::replace(&mut chosen[i], true) {
            for symbol in terms.symbols_of(originals[i]).iter() {
                stack.extend(
                    symbols.get(symbol).into_iter().flat_map(|bounds| bounds.because.iter().copied()),
                );
            }
        }
    }
    originals.iter().zip(chosen).filter(|(_, chosen)| *chosen).map(|(&term, _)| term).collect()
}

/// Takes in what one constraint says about one symbol.
fn collect(terms: &Terms, conjunct: Term, index: usize, symbols: &mut BTreeMap<Symbol, Bounds>) -> bool {
    let (atom, holds) = match *terms.node(conjunct) {
        Node::Unary(Unary::Not, inner) => (inner, false),
        _ => (conjunct, true),
    };
    let Node::Binary(op, left, right) = *terms.node(atom) else { return false };
    let (Some(symbol), Some(limit)) = (low_part(terms, left), terms.as_bv(right)) else { return false };
    let Sort::Bv(width) = terms.symbol_sort(symbol) else { return false };
    let part = terms.width(left);
    let bounds = symbols.entry(symbol).or_insert_with(|| Bounds::of_width(width));
    // a part stands for the whole only once the whole has been narrowed to it
    let signed_part = if part == width {
        true
    } else {
        match bounds.shape() {
            (bits, signed) if bits == part => signed,
            _ => return false,
        }
    };
    let greatest = if signed_part { (mask(part) >> 1) as i128 } else { mask(part.min(127)) as i128 };
    let least = if signed_part { -greatest - 1 } else { 0 };
    let value = if signed_part { to_signed(limit, part) } else { limit as i128 };
    match (op, holds) {
        (Binary::Eq, true) => bounds.meet(value, value, index),
        (Binary::Slt, true) if signed_part => bounds.meet(least, value.saturating_sub(1), index),
        (Binary::Slt, false) if signed_part => bounds.meet(value, greatest, index),
        (Binary::Ult, true) if !signed_part => bounds.meet(0, value.saturating_sub(1), index),
        (Binary::Ult, false) if !signed_part => bounds.meet(value, greatest, index),
        // unsigned, as seen from the signed side: below a positive limit, or not below one while not negative
        (Binary::Ult, true) if value > 0 => bounds.meet(0, value.saturating_sub(1), index),
        (Binary::Ult, false) if bounds.min >= 0 && value > 0 => bounds.meet(value, greatest, index),
        _ => false,
    }
}

/// The symbol of which the term is the low part, or all.
fn low_part(terms: &Terms, term: Term) -> Option<Symbol> {
    match *terms.node(term) {
        Node::Var(symbol) => Some(symbol),
        Node::Extract { of, lo: 0, .. } => match *terms.node(of) {
            Node::Var(symbol) => Some(symbol),
            _ => None,
        },
        _ => None,
    }
}
