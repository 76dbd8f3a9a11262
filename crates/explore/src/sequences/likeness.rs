//! What an object looks like with all that it leads to, so that calls are not tried again on what is there already. Blocks are
//! numbered in the order in which they are met; what lies at an aligned place and is the address of an object counts as a
//! reference. Two objects that look alike by accident cost a proposal and nothing else.

use std::collections::BTreeMap;

use term::{Node, Term};
use types::TypeId;
use vm::heap::{Block, BlockId, BlockKind, split_address};
use vm::{Machine, State};

/// Objects that are looked at.
const MAX_BLOCKS: usize = 100;
const WORD: usize = 8;

/// The form of an object, and the terms in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Likeness {
    pub shape: Vec<Part>,
    pub terms: Vec<Term>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// An object of this class, with so many bytes.
    Object(TypeId, usize),
    Bytes(u64),
    /// The object of this number.
    Reference(usize),
    /// A term of so many bytes that is no reference.
    Term(u32),
    /// A reference that nobody has looked behind, or null.
    Open,
    Null,
    /// Elements at symbolic indexes: like nothing else.
    Cells(BlockId),
    /// There is more.
    Beyond,
}

pub(super) fn of(machine: &Machine, state: &State, object: u64) -> Likeness {
    let mut walk = Walk {
        machine,
        state,
        numbers: BTreeMap::new(),
        blocks: Vec::new(),
        shape: Vec::new(),
        terms: Vec::new(),
    };
    let first = walk.reference(object);
    walk.shape.extend(first);
    let mut next = 0;
    while let Some(&id) = walk.blocks.get(next) {
        next += 1;
        if next > MAX_BLOCKS {
            walk.shape.push(Part::Beyond);
            break;
        }
        if let Some(block) = state.heap.get(id) {
            walk.block(id, block);
        }
    }
    Likeness { shape: walk.shape, terms: walk.terms }
}

struct Walk<'a> {
    machine: &'a Machine,
    state: &'a State,
    numbers: BTreeMap<BlockId, usize>,
    blocks: Vec<BlockId>,
    shape: Vec<Part>,
    terms: Vec<Term>,
}

impl Walk<'_> {
    fn block(&mut self, id: BlockId, block: &Block) {
        let BlockKind::Object(class) = block.kind else { return };
        self.shape.push(Part::Object(class, block.bytes.len()));
        if block.cells.is_some() {
            self.shape.push(Part::Cells(id));
        }
        for patch in block.bytes.patches() {
            let part = self.patch(patch.term, patch.size);
            self.shape.push(part);
        }
        for word in block.bytes.plain().chunks(WORD) {
            let mut bytes = [0; WORD];
            bytes.iter_mut().zip(word).for_each(|(to, from)| *to = *from);
            let word = u64::from_le_bytes(bytes);
            let part = self.reference(word).unwrap_or(Part::Bytes(word));
            self.shape.push(part);
        }
    }

    fn patch(&mut self, term: Term, size: u32) -> Part {
        self.terms.push(term);
        let Node::Var(symbol) = *self.machine.terms.node(term) else { return Part::Term(size) };
        if self.machine.inputs.reference(symbol).is_none() {
            return Part::Term(size);
        }
        match self.state.path.origins.resolution(symbol) {
            None => Part::Open,
            Some(None) => Part::Null,
            Some(Some(block)) => self.reference(block.address()).unwrap_or(Part::Open),
        }
    }

    /// A word that is the address of an object.
    fn reference(&mut self, word: u64) -> Option<Part> {
        let (id, offset) = split_address(word);
        let block = self.state.heap.get(id).filter(|_| offset == 0 && word != 0)?;
        let BlockKind::Object(_) = block.kind else { return None };
        let count = self.numbers.len();
        let number = *self.numbers.entry(id).or_insert(count);
        if number == count {
            self.blocks.push(id);
        }
        Some(Part::Reference(number))
    }
}
