//! Values made small after the fact: what a person would write in a test that takes the same path.
//!
//! No solver is asked. One value after the other is replaced by a simpler one, and the new value stays if the path's
//! condition still evaluates to true: so the path is the same one, and the model stays a model. Values that only hold
//! together (`a == b`, a length and an index) are moved together. The work is counted in evaluated terms, so that the same
//! exploration gives the same values on any machine.

mod dates;
mod simpler;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use term::{Const, Evaluator, Model, Symbol, Term, Terms};
use types::{Primitive, Universe};
use vm::inputs::{Input, Part};
use vm::{Machine, State};

use simpler::Kind;

/// Terms that may be evaluated for one path.
const MOST_WORK: usize = 400_000;
/// Rounds over all values: one that became smaller may let another follow.
const ROUNDS: usize = 3;
/// Others that a value may take along.
const MOST_PARTNERS: usize = 4;
/// Others with the same value that move as one with it.
const MOST_EQUALS: usize = 16;
/// Characters of a string that get a value although nobody looked at them.
const MOST_UNREAD: u32 = 64;
/// That value.
const UNREAD: u128 = 'a' as u128;

/// A model of the same constraints with simpler values. `model` must satisfy them; what is returned does.
/// The strings of the states (where the path ended, and where objects were made for it) get letters where nobody looked.
pub(crate) fn shrink(machine: &mut Machine, constraints: &[Term], model: &Model, states: &[&State]) -> Model {
    let unread = arguments(machine);
    let kinds = simpler::kinds(machine);
    let shrinking = Shrinking::new(&machine.universe, &machine.terms, kinds, constraints, model.clone());
    let Some(shrinking) = shrinking else { return model.clone() };
    let (mut model, constrained) = shrinking.run();
    let unread = states.iter().fold(unread, |mut found, state| {
        found.extend(characters(machine, state, &model));
        found
    });
    for symbol in unread {
        if !constrained.contains(&symbol) {
            model.set(symbol, Const::from_bits(machine.terms.symbol_sort(symbol), UNREAD));
        }
    }
    model
}

/// Characters that are arguments themselves.
fn arguments(machine: &Machine) -> BTreeSet<Symbol> {
    let is_char = |ty| machine.universe.primitive(ty) == Some(Primitive::Char);
    let mut found = BTreeSet::new();
    for input in &machine.inputs.arguments {
        match input {
            Input::Scalar { symbol, ty } if is_char(*ty) && !machine.universe.is_enum(*ty) => {
                found.insert(*symbol);
            }
            _ => {}
        }
    }
    found
}

/// The symbols of all characters of the strings on a path that are not too long.
fn characters(machine: &mut Machine, state: &State, model: &Model) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    for &(owner, _) in state.path.origins.objects() {
        let Some(length) = machine.string_length(owner) else { continue };
        let length = machine.terms.eval(length, model).bits();
        let Some(length) = u32::try_from(length).ok().filter(|length| *length <= MOST_UNREAD) else {
            continue;
        };
        let read: BTreeSet<u32> = state
            .path
            .reads
            .of(owner)
            .iter()
            .map(|read| machine.terms.eval(read.index, model).bits() as u32)
            .collect();
        for index in (0..length).filter(|index| !read.contains(index)) {
            if let Ok(Input::Scalar { symbol, .. }) = machine.character(owner, index) {
                found.insert(symbol);
            }
        }
    }
    found
}

struct Shrinking<'a> {
    universe: &'a Universe,
    terms: &'a Terms,
    kinds: BTreeMap<Symbol, Kind>,
    constraints: &'a [Term],
    /// Which constraints a symbol occurs in.
    occurs: FxHashMap<Symbol, Vec<usize>>,
    model: Model,
    work: usize,
}

impl<'a> Shrinking<'a> {
    /// `None` if the model is none.
    fn new(
        universe: &'a Universe,
        terms: &'a Terms,
        kinds: BTreeMap<Symbol, Kind>,
        constraints: &'a [Term],
        model: Model,
    ) -> Option<Shrinking<'a>> {
        let mut occurs: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        for (at, constraint) in constraints.iter().enumerate() {
            for symbol in terms.symbols_of(*constraint).iter() {
                occurs.entry(*symbol).or_default().push(at);
            }
        }
        let mut evaluator = Evaluator::new(model.clone());
        let holds = constraints.iter().all(|constraint| evaluator.eval(terms, *constraint).is_true());
        let work = evaluator.remembered();
        holds.then_some(Shrinking { universe, terms, kinds, constraints, occurs, model, work })
    }

    /// The model in the end, and the symbols that are constrained.
    fn run(mut self) -> (Model, BTreeSet<Symbol>) {
        let constrained: BTreeSet<Symbol> = self.occurs.keys().copied().collect();
        let mut symbols: BTreeSet<Symbol> = self.model.iter().map(|(symbol, _)| symbol).collect();
        symbols.extend(&constrained);
        // Zero is no simple value of a time zone.
        let zones = self.kinds.iter().filter(|(_, kind)| **kind == Kind::Part(Part::Zone));
        symbols.extend(zones.map(|(symbol, _)| *symbol));
        symbols.retain(|symbol| self.kinds.contains_key(symbol));
        // Short arrays first: what lies behind their end does not matter any more.
        let mut ordered: Vec<Symbol> = symbols.into_iter().collect();
        ordered.sort_by_key(|symbol| (self.kinds.get(symbol) != Some(&Kind::Length), *symbol));
        for _ in 0..ROUNDS {
            let before = self.model.clone();
            for &symbol in &ordered {
                if self.work > MOST_WORK {
                    return (self.model, constrained);
                }
                self.simplify(symbol);
            }
            if self.model == before {
                break;
            }
        }
        (self.model, constrained)
    }

    fn value(&self, symbol: Symbol) -> u128 {
        self.model.get(symbol).map_or(0, Const::bits)
    }

    /// Gives one symbol the simplest value that the others allow.
    fn simplify(&mut self, symbol: Symbol) {
        let Some(kind) = self.kinds.get(&symbol).copied() else { return };
        let width = match self.terms.symbol_sort(symbol) {
            term::Sort::Bv(width) => width,
            term::Sort::Bool => 1,
            term::Sort::Float(term::FloatWidth::F32) => 32,
            term::Sort::Float(term::FloatWidth::F64) => 64,
        };
        let now = self.value(symbol);
        let wished = simpler::candidates(self.universe, kind, width, now);
        if wished.first() == Some(&now) {
            return;
        }
        let partners = self.partners(symbol, kind);
        for candidate in wished {
            if candidate == now || self.is_taken(symbol, candidate, &partners) {
                break;
            }
        }
        let (now, partners) = (self.value(symbol), self.partners(symbol, kind));
        if let Some(mut search) = simpler::Bisection::of(kind, width, now) {
            while let Some(candidate) = search.next() {
                let fits = self.is_taken(symbol, candidate, &partners);
                search.told(fits);
            }
        }
    }

    /// Symbols of the same kind that some constraint connects with this one.
    fn partners(&self, symbol: Symbol, kind: Kind) -> Vec<Symbol> {
        let constraints = self.occurs.get(&symbol).map(Vec::as_slice).unwrap_or_default();
        let mut found: BTreeSet<Symbol> = BTreeSet::new();
        for at in constraints.iter().take(MOST_PARTNERS) {
            let Some(constraint) = self.constraints.get(*at) else { continue };
            let symbols = self.terms.symbols_of(*constraint);
            // A term over many says nothing about two of them.
            if symbols.len() <= MOST_PARTNERS {
                found.extend(symbols.iter().filter(|other| **other != symbol));
            }
        }
        found.retain(|other| self.kinds.get(other) == Some(&kind));
        found.into_iter().take(MOST_PARTNERS).collect()
    }

    /// Takes a value if the path allows it: alone, or together with another value that moves by as much.
    fn is_taken(&mut self, symbol: Symbol, candidate: u128, partners: &[Symbol]) -> bool {
        if self.work > MOST_WORK {
            return false;
        }
        let constant = |symbol: Symbol, bits: u128| Const::from_bits(self.terms.symbol_sort(symbol), bits);
        let mut model = self.model.clone();
        model.set(symbol, constant(symbol, candidate));
        let mut tried = vec![(model.clone(), vec![symbol])];
        for &partner in partners {
            let (own, other) = (self.value(symbol), self.value(partner));
            let moved =
                if own == other { candidate } else { other.wrapping_add(candidate).wrapping_sub(own) };
            if own == other || self.is_no_larger(partner, moved, other) {
                let mut both = model.clone();
                both.set(partner, constant(partner, moved));
                tried.push((both, vec![symbol, partner]));
            }
        }
        let equals = self.equals(symbol, partners);
        if equals.len() > 1 {
            let mut all = model.clone();
            equals.iter().for_each(|other| all.set(*other, constant(*other, candidate)));
            let changed = equals.into_iter().chain([symbol]).collect();
            tried.push((all, changed));
        }
        for (model, changed) in tried {
            if self.holds(&model, &changed) {
                self.model = model;
                return true;
            }
        }
        false
    }

    /// Whether a number is as near to zero as another. One value must not become small at the cost of the other, which
    /// would then do the same to it.
    fn is_no_larger(&self, symbol: Symbol, moved: u128, now: u128) -> bool {
        let (Some(kind), term::Sort::Bv(width)) = (self.kinds.get(&symbol), self.terms.symbol_sort(symbol))
        else {
            return false;
        };
        let magnitude = |bits| simpler::magnitude(*kind, width, bits);
        magnitude(moved).zip(magnitude(now)).is_some_and(|(moved, now)| moved <= now)
    }

    /// Others with the same value that this one is connected with, directly or through each other.
    fn equals(&self, symbol: Symbol, partners: &[Symbol]) -> BTreeSet<Symbol> {
        let (now, kind) = (self.value(symbol), self.kinds.get(&symbol).copied());
        let mut found = BTreeSet::new();
        let mut left: Vec<Symbol> = partners.to_vec();
        while let (Some(other), Some(kind)) = (left.pop(), kind) {
            if other == symbol
                || self.value(other) != now
                || found.len() >= MOST_EQUALS
                || !found.insert(other)
            {
                continue;
            }
            left.extend(self.partners(other, kind));
        }
        found
    }

    fn holds(&mut self, model: &Model, changed: &[Symbol]) -> bool {
        let mut evaluator = Evaluator::new(model.clone());
        let places: BTreeSet<usize> =
            changed.iter().filter_map(|symbol| self.occurs.get(symbol)).flatten().copied().collect();
        let holds = places
            .into_iter()
            .filter_map(|at| self.constraints.get(at))
            .all(|constraint| evaluator.eval(self.terms, *constraint).is_true());
        self.work += evaluator.remembered() + 1;
        holds
    }
}
