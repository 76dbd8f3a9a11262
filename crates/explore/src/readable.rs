//! Readable inputs: among the models of a path, prefer those a person would choose. Preferences never exclude a path.

use rustc_hash::FxHashSet;
use term::{Sort, Symbol, Term, Terms};
use types::{Primitive, TypeId, Universe};
use vm::Machine;

/// Soft constraints for the scalar inputs, the most wanted first.
pub(crate) fn preferences(machine: &mut Machine) -> Vec<Term> {
    let scalars = machine.inputs.scalars.clone();
    let mut soft = Vec::new();
    let lengths: Vec<Symbol> = machine.inputs.lengths.keys().copied().collect();
    for length in lengths {
        soft.extend(for_length(&mut machine.terms, length));
    }
    for (symbol, ty) in &scalars {
        soft.extend(for_scalar(&machine.universe, &mut machine.terms, *symbol, *ty));
    }
    soft
}

/// The wishes that speak of symbols in the constraints only.
pub(crate) fn about(terms: &Terms, soft: &[Term], constraints: &[Term]) -> Vec<Term> {
    let mut symbols: FxHashSet<Symbol> = FxHashSet::default();
    for constraint in constraints {
        symbols.extend(terms.symbols_of(*constraint).iter());
    }
    let is_about = |wish: &&Term| terms.symbols_of(**wish).iter().all(|symbol| symbols.contains(symbol));
    soft.iter().filter(is_about).copied().collect()
}

/// No length is greater.
pub(crate) fn all_at_most(terms: &mut Terms, lengths: &[Symbol], most: u128) -> Term {
    let mut all = terms.true_();
    for &length in lengths {
        let Sort::Bv(width) = terms.symbol_sort(length) else { continue };
        let (length, most) = (terms.var(length), terms.bv(width, most));
        let short = terms.ule(length, most);
        all = terms.and(all, short);
    }
    all
}

/// Short arrays and strings, the shortest if possible.
fn for_length(terms: &mut Terms, symbol: Symbol) -> Vec<Term> {
    let Sort::Bv(width) = terms.symbol_sort(symbol) else { return Vec::new() };
    let length = terms.var(symbol);
    [1_000, 20, 5, 2, 0].map(|most| terms.bv(width, most)).map(|most| terms.ule(length, most)).to_vec()
}

fn for_scalar(universe: &Universe, terms: &mut Terms, symbol: Symbol, ty: TypeId) -> Vec<Term> {
    let Sort::Bv(width) = terms.symbol_sort(symbol) else { return Vec::new() };
    if width == 1 {
        return Vec::new();
    }
    let x = terms.var(symbol);
    if universe.is_enum(ty) {
        return declared_members(universe, terms, x, width, ty).into_iter().collect();
    }
    if universe.primitive(ty) == Some(Primitive::Char) {
        return vec![between(terms, x, width, 0x20, 0x7e), between(terms, x, width, 0x61, 0x7a)];
    }
    // Wide ranges first: each narrower one is tried on top of what is already granted.
    let signed = !matches!(
        universe.primitive(ty),
        Some(Primitive::U1 | Primitive::U2 | Primitive::U4 | Primitive::U8)
    );
    let mut soft = Vec::new();
    for bound in [1_000_000u128, 1_000, 100, 10, 1] {
        if width < 127 && bound >= 1u128 << (width - 1) {
            continue;
        }
        let upper = terms.bv(width, bound);
        if signed {
            let minus = terms.bv(width, bound.wrapping_neg() & (u128::MAX >> (128 - width)));
            let low = terms.sge(x, minus);
            let high = terms.sle(x, upper);
            soft.push(terms.and(low, high));
        } else {
            soft.push(terms.ule(x, upper));
        }
    }
    if signed {
        let zero = terms.bv(width, 0);
        soft.push(terms.sge(x, zero));
    }
    soft
}

fn between(terms: &mut Terms, x: Term, width: u32, low: u128, high: u128) -> Term {
    let low = terms.bv(width, low);
    let high = terms.bv(width, high);
    let above = terms.uge(x, low);
    let below = terms.ule(x, high);
    terms.and(above, below)
}

fn declared_members(universe: &Universe, terms: &mut Terms, x: Term, width: u32, ty: TypeId) -> Option<Term> {
    let mut any = terms.false_();
    for &field in universe.fields(ty).ok()? {
        if !universe.field(field).is_literal() {
            continue;
        }
        let bits = universe.field_constant(field).ok()??.integer()?.cast_unsigned();
        let constant = terms.bv(width, bits & (u128::MAX >> (128 - width)));
        let is = terms.eq(x, constant);
        any = terms.or(any, is);
    }
    Some(any)
}
