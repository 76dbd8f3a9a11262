//! Facts about all elements of an array that a loop has come by: `m >= a[j]` for every `j < i`.
//!
//! Such a fact is one about a *witness*: an index that nothing says anything about, and the element there. What is shown for
//! it by induction holds for every index, so whenever a path reads an element of that array at some index later, the fact
//! may be used for this one.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use term::{Node as TermNode, Sort, Symbol, Term};
use verdict::Gap;
use vm::cells::{ArrayInput, Base, Cells};
use vm::generalise::Spot;
use vm::heap::BlockId;
use vm::inputs::Input;
use vm::{Machine, State};

use super::candidates::{Candidates, is_object};
use super::plan::Annotation;
use super::walk::{Entry, Node, Return, Walker};

/// Arrays of a loop that have a witness, and numbers that may be the index of a scan.
const MOST_ARRAYS: usize = 2;
const MOST_INDEXES: usize = 3;
/// Elements of one path of which facts are used.
const MOST_USES: usize = 40;
/// Conditions of rounds that are tried on the witness.
const MOST_CONDITIONS: usize = 12;

/// An index that nothing is said about, and the element of an array there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    pub block: BlockId,
    pub index: Symbol,
    pub element: Symbol,
}

/// An element that a round has read at the value of a symbol.
#[derive(Clone, Debug)]
pub(super) struct ReadElement {
    block: BlockId,
    index: Symbol,
    element: Symbol,
    /// What stands for elements at known indexes, which it may be.
    others: Vec<Symbol>,
}

/// What a round has left at the index that a symbol had at its beginning.
#[derive(Clone, Debug)]
pub(super) struct LeftElement {
    block: BlockId,
    index: Symbol,
    value: Term,
}

/// Facts about the elements of an array as they were at an anchor.
pub(super) struct Known {
    witness: Witness,
    cells: Rc<Cells>,
    facts: Vec<Term>,
}

/// The arrays of numbers that a state keeps by cells, with the symbol that stands for what they held at first. An array that
/// a loop replaces by others is another one in each round.
fn arrays(machine: &Machine, state: &State, annotation: &Annotation) -> Vec<(BlockId, ArrayInput)> {
    let is_replaced = |owner: Symbol| {
        let mut spots = annotation.spots.iter();
        spots.any(|(spot, symbol)| matches!(spot, Spot::Owned { .. }) && *symbol == Some(owner))
    };
    let mut found = Vec::new();
    state.heap.for_each(|id, block| {
        if let Some(Base::Input(array)) = block.cells.as_ref().map(|cells| &cells.base)
            && machine.is_number_type(array.element)
            && !is_replaced(array.owner)
        {
            found.push((id, *array));
        }
    });
    found
}

/// What a round has read at the values of an anchor's symbols.
pub(super) fn read(machine: &Machine, state: &State, annotation: &Annotation) -> Vec<ReadElement> {
    let mut found = Vec::new();
    for (block, array) in arrays(machine, state, annotation) {
        let others = machine.inputs.elements_of(array).filter_map(|(_, input)| scalar(input));
        let others: Vec<Symbol> = others.collect();
        for read in state.path.reads.of(array.owner) {
            let (TermNode::Var(index), Some(element)) = (machine.terms.node(read.index), scalar(&read.input))
            else {
                continue;
            };
            if annotation.spots.values().any(|own| own == &Some(*index)) {
                found.push(ReadElement { block, index: *index, element, others: others.clone() });
            }
        }
    }
    found
}

fn scalar(input: &Input) -> Option<Symbol> {
    match input {
        Input::Scalar { symbol, .. } => Some(*symbol),
        _ => None,
    }
}

/// What a round leaves in the arrays that its loop changes.
pub(super) fn left(machine: &mut Machine, state: &State, annotation: &Annotation) -> Vec<LeftElement> {
    let own: BTreeSet<Symbol> = annotation.spots.values().flatten().copied().collect();
    let changed =
        arrays(machine, state, annotation).into_iter().filter(|(_, array)| own.contains(&array.owner));
    let changed: Vec<BlockId> = changed.map(|(block, _)| block).take(MOST_ARRAYS).collect();
    let is_index = |symbol: &&Symbol| {
        machine.terms.symbol_sort(**symbol) == Sort::Bv(32) && !is_object(machine, **symbol)
    };
    let indexes: Vec<Symbol> = own.iter().filter(is_index).copied().take(MOST_INDEXES).collect();
    let mut found = Vec::new();
    for block in changed {
        for &index in &indexes {
            let at = machine.terms.var(index);
            if let Some(value) = machine.element_in(state, block, at) {
                found.push(LeftElement { block, index, value });
            }
        }
    }
    found
}

/// Makes witnesses for the arrays that rounds have read or written in turn.
pub(super) fn witnesses(machine: &mut Machine, returns: &[Return]) -> Vec<Witness> {
    let mut found: Vec<Witness> = Vec::new();
    let read = returns.iter().flat_map(|back| &back.read).map(|read| (read.block, read.element));
    let mut wanted: Vec<(BlockId, Sort)> =
        read.map(|(block, element)| (block, machine.terms.symbol_sort(element))).collect();
    let left = returns.iter().flat_map(|back| &back.left);
    wanted.extend(left.map(|left| (left.block, machine.terms.sort(left.value))));
    for (block, sort) in wanted {
        if found.len() < MOST_ARRAYS && found.iter().all(|witness| witness.block != block) {
            let index = machine.terms.symbol("j", Sort::Bv(32));
            let element = machine.terms.symbol("element", sort);
            found.push(Witness { block, index, element });
        }
    }
    found
}

/// Guesses about the elements behind or before the index of a scan.
pub(super) fn propose(all: &mut Candidates<'_>, annotation: &Annotation, entry: &Entry, returns: &[Return]) {
    for witness in &annotation.witnesses {
        let mut about: Vec<(Symbol, Term)> = Vec::new();
        for back in returns {
            for read in back.read.iter().filter(|read| read.block == witness.block) {
                about.extend(conditions(all, witness, read, back));
            }
            for left in back.left.iter().filter(|left| left.block == witness.block) {
                about.extend(values(all, witness, left));
            }
        }
        about.sort_unstable();
        about.dedup();
        for (index, fact) in about {
            let (i, j) = (all.terms.var(index), all.terms.var(witness.index));
            let mut guards = vec![all.terms.ult(j, i), all.terms.slt(i, j)];
            // From where the scan began.
            if let Some(first) = entry.values.get(&index).copied() {
                let from = all.terms.sle(first, j);
                let before = all.terms.slt(j, i);
                guards.push(all.terms.and(from, before));
            }
            for guard in guards {
                let fact = all.terms.implies(guard, fact);
                all.add(fact);
            }
        }
    }
}

/// What a round has decided about the element that it has read, said of the witness.
fn conditions(
    all: &mut Candidates<'_>,
    witness: &Witness,
    read: &ReadElement,
    back: &Return,
) -> Vec<(Symbol, Term)> {
    let (index, element) = (all.terms.var(witness.index), all.terms.var(witness.element));
    let mut found = Vec::new();
    if all.terms.symbol_sort(read.element) != all.terms.sort(element) {
        return found;
    }
    let mut there = FxHashMap::from_iter([(read.index, index), (read.element, element)]);
    // At a known index it is what stands there: then that is the witness.
    there.extend(read.others.iter().map(|other| (*other, element)));
    there.retain(|symbol, value| all.terms.symbol_sort(*symbol) == all.terms.sort(*value));
    for condition in back.decided.iter().take(MOST_CONDITIONS) {
        if all.terms.symbols_of(*condition).contains(&read.element) {
            let said = all.terms.substitute(*condition, &there);
            let not = all.terms.not(said);
            found.extend([(read.index, said), (read.index, not)]);
        }
    }
    found
}

/// What a round has written, said of the witness.
fn values(all: &mut Candidates<'_>, witness: &Witness, left: &LeftElement) -> Vec<(Symbol, Term)> {
    let (index, element) = (all.terms.var(witness.index), all.terms.var(witness.element));
    let value = all.terms.substitute(left.value, &FxHashMap::from_iter([(left.index, index)]));
    let Sort::Bv(width) = all.terms.sort(element) else { return Vec::new() };
    if all.terms.sort(value) != Sort::Bv(width) {
        return Vec::new();
    }
    let zero = all.terms.bv(width, 0);
    let facts = [all.terms.eq(element, value), all.terms.ne(element, zero), all.terms.sle(zero, element)];
    facts.into_iter().map(|fact| (left.index, fact)).collect()
}

/// What stands in a state where an anchor has its witnesses.
pub(super) fn values_at(
    machine: &mut Machine,
    state: &State,
    annotation: &Annotation,
    values: &mut FxHashMap<Symbol, Term>,
) {
    for witness in &annotation.witnesses {
        let index = machine.terms.var(witness.index);
        let Some(element) = machine.element_in(state, witness.block, index) else { continue };
        if machine.terms.sort(element) == machine.terms.symbol_sort(witness.element) {
            values.extend([(witness.index, index), (witness.element, element)]);
        }
    }
}

impl Walker<'_, '_> {
    /// Facts of an anchor with the elements that its witnesses stand for in its own state.
    pub(super) fn of_elements(
        &mut self,
        node: &Node,
        annotation: &Annotation,
        entered: &FxHashMap<Symbol, Term>,
    ) -> FxHashMap<Symbol, Term> {
        let mut values = FxHashMap::default();
        values_at(self.walk.machine, &node.state, annotation, &mut values);
        values.retain(|symbol, _| entered.contains_key(symbol));
        values
    }

    /// Keeps what an anchor knows about elements, for the rest of the path.
    pub(super) fn keep_elements(&self, node: &mut Node, annotation: &Annotation, facts: &[Term]) {
        for witness in &annotation.witnesses {
            let Some(cells) = node.state.heap.get(witness.block).and_then(|block| block.cells.clone()) else {
                continue;
            };
            let terms = &self.walk.machine.terms;
            let is_about = |fact: &&Term| terms.symbols_of(**fact).contains(&witness.element);
            let facts: Vec<Term> = facts.iter().filter(is_about).copied().collect();
            if !facts.is_empty() {
                node.known.push(Rc::new(Known { witness: *witness, cells, facts }));
            }
        }
    }

    /// Uses what is known of all elements for those that a path has read. False if it contradicts itself.
    pub(super) fn learn_elements(&mut self, node: &mut Node) -> Result<bool, Gap> {
        let read = node.state.path.reads.count();
        if node.known.is_empty() || read == node.reads {
            return Ok(true);
        }
        node.reads = read;
        for known in node.known.clone() {
            let Base::Input(array) = known.cells.base else { continue };
            for read in node.state.path.reads.of(array.owner) {
                let use_of = (known.witness.index, read.index);
                if node.uses.len() >= MOST_USES || !node.uses.insert(use_of) {
                    continue;
                }
                let Some(element) = self.walk.machine.element_among(&node.state, &known.cells, read.index)
                else {
                    continue;
                };
                let there = FxHashMap::from_iter([
                    (known.witness.index, read.index),
                    (known.witness.element, element),
                ]);
                let terms = &mut self.walk.machine.terms;
                let facts: Vec<Term> =
                    known.facts.iter().map(|fact| terms.substitute(*fact, &there)).collect();
                let all = terms.and_all(facts);
                if !self.narrow(node, all)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
