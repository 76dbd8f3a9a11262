//! What a method that calls itself may promise about its result: guesses, as in [`super::candidates`].

use std::collections::BTreeSet;

use term::{Sort, Symbol, Term, Terms};
use vm::Machine;

use super::calls::Returned;
use super::candidates::{Candidates, is_object, older};
use super::plan::Annotation;
use super::walk::Entry;

/// Numbers at the entry that a result is compared with.
const MOST_ARGUMENTS: usize = 6;
/// Constants that a result is compared with.
const MOST_CONSTANTS: usize = 6;

pub(super) fn of(
    machine: &mut Machine,
    annotation: &Annotation,
    entries: &[Entry],
    results: &[Returned],
) -> Vec<Term> {
    let (Some(promised), Some(first)) = (annotation.result, entries.first()) else { return Vec::new() };
    let Sort::Bv(width) = machine.terms.symbol_sort(promised) else { return Vec::new() };
    // What the method was entered with, besides what is older.
    let mut known = older(entries);
    let is_number = |symbol: &Symbol| !is_object(machine, *symbol);
    let own: Vec<Symbol> = annotation.spots.values().flatten().copied().filter(is_number).collect();
    known.extend(&own);
    let mut all = Candidates::new(&mut machine.terms, BTreeSet::from([promised]), known);
    let atoms = all.atoms(results.iter().flat_map(|result| &result.decided));
    let compared = all.constants(&atoms);
    let returned: BTreeSet<i64> = results.iter().filter_map(|result| all.small(result.value)).collect();
    let result = all.terms.var(promised);
    for constant in [-1, 0, 1, 0xff].iter().chain(&returned).chain(compared.iter().take(MOST_CONSTANTS)) {
        let constant = all.terms.bv(width, term::from_signed(i128::from(*constant), width));
        all.ordered(result, constant);
        all.ordered(constant, result);
        let other = all.terms.ne(result, constant);
        all.add(other);
    }
    let is_same_width = |terms: &Terms, symbol: &Symbol| terms.symbol_sort(*symbol) == Sort::Bv(width);
    let arguments: Vec<Symbol> =
        own.into_iter().filter(|symbol| is_same_width(all.terms, symbol)).take(MOST_ARGUMENTS).collect();
    for argument in arguments {
        let x = all.terms.var(argument);
        let mut bounds = vec![x];
        for step in compared.iter().filter(|step| **step > 1).take(MOST_CONSTANTS) {
            let step = all.terms.bv(width, term::from_signed(i128::from(*step), width));
            bounds.push(all.terms.mul(x, step));
        }
        for bound in bounds {
            let facts = [
                all.terms.sle(result, bound),
                all.terms.sle(bound, result),
                all.terms.slt(result, bound),
                all.terms.eq(result, bound),
            ];
            for fact in facts {
                all.add(fact);
                // Unless nothing was done.
                for constant in &returned {
                    let constant = all.terms.bv(width, term::from_signed(i128::from(*constant), width));
                    let is_it = all.terms.eq(result, constant);
                    let either = all.terms.or(is_it, fact);
                    all.add(either);
                }
            }
        }
    }
    for length in first.lengths.iter().copied().filter(|_| width == 32) {
        let facts = [all.terms.sle(result, length), all.terms.slt(result, length)];
        facts.into_iter().for_each(|fact| all.add(fact));
    }
    all.found
}
