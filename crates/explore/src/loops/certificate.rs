//! What a proof about loops rests on, as data: where loops were cut, and what is known there in every round.

use term::{Symbol, Terms};
use vm::{Machine, Place};

use super::plan::Plan;
use super::walk::Seen;

/// The facts at each cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    pub cuts: Vec<Cut>,
}

/// The head of a loop, as some path comes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub at: Place,
    /// How many numbers the loop changes.
    pub forgotten: usize,
    /// What holds whenever execution is there.
    pub facts: Vec<String>,
}

impl Certificate {
    pub(super) fn of(machine: &Machine, plan: &Plan, seen: &Seen) -> Certificate {
        let mut cuts = Vec::new();
        for (id, entries) in &seen.entries {
            let (Some(annotation), Some(entry)) = (plan.anchors.get(id), entries.first()) else { continue };
            let facts = annotation.facts.iter().map(|fact| machine.terms.display(*fact)).collect();
            cuts.push(Cut { at: entry.place, forgotten: annotation.spots.len(), facts });
        }
        Certificate { cuts }
    }
}

#[allow(dead_code, reason = "names of symbols are for the text of facts")]
fn name(terms: &Terms, symbol: Symbol) -> &str {
    terms.symbol_name(symbol)
}
