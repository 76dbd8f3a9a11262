//! Where to cut loops, what to forget there and which facts to assume: proposals that a walk has to accept.

use std::collections::{BTreeMap, BTreeSet};

use term::{Sort, Symbol, Term, Terms};
use types::MethodId;
use vm::Machine;
use vm::generalise::{Hole, Spot};

use super::elements::Witness;

/// A method and the number of an operation.
pub(super) type Head = (MethodId, u32);
/// In the place of an operation: the entry of a method that calls itself.
pub(super) const ENTRY: u32 = u32::MAX;
/// An anchor is known by the anchors that were made on the way to it, in their order, and its own head: two anchors of one
/// path are never the same one. Paths that come to a head by other branches share what is said of it.
pub(super) type AnchorId = Vec<Head>;

/// The rounds after which a head is cut at the latest.
const MOST_ROUNDS: u32 = 2;

#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Heads that are cut, each after so many arrivals. Loops at others run as they are.
    pub cuts: BTreeMap<Head, u32>,
    pub anchors: BTreeMap<AnchorId, Annotation>,
    /// References that are settled before a head is cut: some round looks behind them.
    pub settled: BTreeMap<Head, BTreeSet<Symbol>>,
}

/// What is said of an anchor.
#[derive(Clone, Debug, Default)]
pub(super) struct Annotation {
    /// What is forgotten, and the symbol that stands there.
    pub spots: BTreeMap<Spot, Option<Symbol>>,
    /// Elements that stand for all of their arrays.
    pub witnesses: Vec<Witness>,
    /// What is assumed of what was forgotten.
    pub facts: Vec<Term>,
    /// Candidates have been proposed.
    pub is_proposed: bool,
    /// What stands for the result of a recursive method, and what it promises of it.
    pub result: Option<Symbol>,
    pub promises: Vec<Term>,
    pub has_promised: bool,
    /// What every call of it may do besides.
    pub effects: BTreeSet<Spot>,
}

/// What a walk wants to be changed before it can accept a plan.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Cut here, after so many arrivals.
    Cut { head: Head, after: u32 },
    /// Settle these references before this head is cut.
    Settle { head: Head, references: Vec<Symbol> },
    /// These places differ as well.
    Forget { anchor: AnchorId, spots: Vec<(Spot, Option<Hole>)> },
    /// A recursive method does this as well.
    Repeat { anchor: AnchorId, effects: Vec<Spot> },
    /// A recursive method returns a number.
    Promise { anchor: AnchorId, sort: Sort },
    /// These facts do not hold.
    Drop { anchor: AnchorId, facts: Vec<Term> },
}

impl Annotation {
    /// Forgets witnesses that no fact speaks of.
    pub fn forget_witnesses(&mut self, terms: &Terms) {
        let facts = &self.facts;
        let is_about = |fact: &Term, element: Symbol| terms.symbols_of(*fact).contains(&element);
        self.witnesses.retain(|witness| facts.iter().any(|fact| is_about(fact, witness.element)));
    }
}

impl Plan {
    pub fn apply(&mut self, machine: &mut Machine, change: Change) {
        match change {
            Change::Cut { head, after } => {
                self.cuts.insert(head, after);
                // What was learned of anchors at this head is about other states.
                self.anchors.retain(|id, _| !id.contains(&head));
            }
            Change::Settle { head, references } => {
                self.settled.entry(head).or_default().extend(references);
                self.anchors.retain(|id, _| !id.contains(&head));
            }
            Change::Forget { anchor, spots } => {
                let annotation = self.anchors.entry(anchor).or_default();
                // An array that is replaced is another one in each round: nothing is known of its elements.
                if spots.iter().any(|(spot, _)| matches!(spot, Spot::Owned { .. })) {
                    annotation.witnesses.clear();
                }
                for (spot, hole) in spots {
                    let symbol = hole.map(|hole| machine.any(hole));
                    annotation.spots.entry(spot).or_insert(symbol);
                }
            }
            Change::Repeat { anchor, effects } => {
                self.anchors.entry(anchor).or_default().effects.extend(effects);
            }
            Change::Promise { anchor, sort } => {
                let symbol = machine.terms.symbol("result", sort);
                self.anchors.entry(anchor).or_default().result.get_or_insert(symbol);
            }
            Change::Drop { anchor, facts } => {
                if let Some(annotation) = self.anchors.get_mut(&anchor) {
                    annotation.facts.retain(|fact| !facts.contains(fact));
                    annotation.forget_witnesses(&machine.terms);
                    annotation.promises.retain(|fact| !facts.contains(fact));
                }
            }
        }
    }

    /// A later round to cut a head at, if there is one.
    pub fn later(&self, head: Head) -> Option<Change> {
        let after = self.cuts.get(&head).copied().unwrap_or(0) + 1;
        (after <= MOST_ROUNDS).then_some(Change::Cut { head, after })
    }
}
