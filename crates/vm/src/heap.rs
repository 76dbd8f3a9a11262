//! The blocks of memory of a state, in a persistent tree: forking shares everything, writing copies one path.
//!
//! An address is a 64-bit number: the block's number in the upper half, the offset in the lower. Null is 0. A reference
//! points to offset 0 of its object, which is the first byte after the method table pointer on CoreCLR; arrays and
//! strings keep their length there as CoreCLR does, so the class library's own pointer tricks work unchanged.

use std::rc::Rc;

use types::TypeId;

use crate::bytes::Bytes;
use crate::cells::Cells;

/// The number of a block; 0 is never a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

impl BlockId {
    pub fn address(self) -> u64 {
        u64::from(self.0) << 32
    }
}

pub fn split_address(address: u64) -> (BlockId, u32) {
    (BlockId((address >> 32) as u32), address as u32)
}

/// What a block is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// An object, boxed value or array of this type.
    Object(TypeId),
    /// An input object whose class is still open; it has the fields of this one.
    Open(TypeId),
    /// Locals and arguments of a frame whose address is taken.
    Frame,
    /// `localloc`.
    Stack,
    /// Static fields of a type.
    Statics(TypeId),
    /// Data of the image behind a static field.
    ImageData,
    /// The method table of a type.
    MethodTable(TypeId),
    /// What a handle of the garbage collector refers to.
    Handle,
    /// Other memory of the runtime that the class library looks into.
    Runtime,
    /// A location behind a by-ref argument of the method under test.
    Input,
}

/// Who else may have a block and change it. It matters in exploration only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Made by the method itself.
    #[default]
    Own,
    /// Made by the method itself, and given to others since.
    Escaped,
    /// `this` of a constructor.
    New,
    /// Made for an input.
    Input,
    /// Made by a static initializer of the program.
    Static,
    /// Made by one of the framework.
    Framework,
    /// The same, but nobody changes it.
    Fixed,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub kind: BlockKind,
    pub sharing: Sharing,
    pub bytes: Bytes,
    /// What lies beyond `bytes`, for arrays and strings whose length or indexes are symbolic.
    pub cells: Option<Rc<Cells>>,
}

const BITS: u32 = 6;
const FANOUT: usize = 1 << BITS;

/// The arrays are part of the node: every level is one step in memory.
#[derive(Clone, Debug)]
enum Node {
    Inner([Option<Rc<Node>>; FANOUT]),
    Leaf([Option<Rc<Block>>; FANOUT]),
}

const NO_CHILDREN: [Option<Rc<Node>>; FANOUT] = [const { None }; FANOUT];
const NO_BLOCKS: [Option<Rc<Block>>; FANOUT] = [const { None }; FANOUT];

/// All blocks of a state. Cloning is O(1).
#[derive(Clone, Debug)]
pub struct Heap {
    root: Rc<Node>,
    /// Levels of inner nodes above the leaves.
    height: u32,
    next: u32,
    live_bytes: u64,
    /// Numbers of blocks that are gone and that nothing names, the largest first.
    free: Vec<u32>,
    /// Bytes of all blocks there have ever been.
    allocated: u64,
    /// What new blocks are: made by the method, or by a static initializer that runs.
    pub(crate) new_blocks: Sharing,
}

impl Default for Heap {
    fn default() -> Heap {
        Heap {
            root: Rc::new(Node::Leaf(NO_BLOCKS)),
            height: 0,
            next: 1,
            live_bytes: 0,
            free: Vec::new(),
            allocated: 0,
            new_blocks: Sharing::Own,
        }
    }
}

impl Heap {
    pub fn allocate(&mut self, kind: BlockKind, bytes: Bytes) -> BlockId {
        self.add(Block { kind, sharing: self.new_blocks, bytes, cells: None })
    }

    /// A block of which only the header has a fixed size.
    pub(crate) fn allocate_cells(&mut self, kind: BlockKind, header: Bytes, cells: Cells) -> BlockId {
        self.add(Block { kind, sharing: self.new_blocks, bytes: header, cells: Some(Rc::new(cells)) })
    }

    /// A block with the same contents, of which nobody else knows.
    pub fn copy(&mut self, id: BlockId) -> Option<BlockId> {
        let block = self.get(id)?.clone();
        Some(self.add(Block { sharing: self.new_blocks, ..block }))
    }

    fn add(&mut self, block: Block) -> BlockId {
        let id = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        while u64::from(id) >= 1u64 << (BITS * (self.height + 1)) {
            let mut children = NO_CHILDREN;
            children[0] = Some(Rc::clone(&self.root));
            self.root = Rc::new(Node::Inner(children));
            self.height += 1;
        }
        self.live_bytes += block.bytes.len() as u64 + BLOCK_OVERHEAD;
        self.allocated += block.bytes.len() as u64 + OBJECT_OVERHEAD;
        *self.slot(id) = Some(Rc::new(block));
        BlockId(id)
    }

    #[inline]
    pub fn get(&self, id: BlockId) -> Option<&Block> {
        let mut node = &*self.root;
        if id.0 >= self.next {
            return None;
        }
        let mut shift = BITS * self.height;
        loop {
            let index = (id.0 >> shift) as usize & (FANOUT - 1);
            match node {
                Node::Inner(children) => node = children[index].as_deref()?,
                Node::Leaf(blocks) => return blocks[index].as_deref(),
            }
            shift = shift.saturating_sub(BITS);
        }
    }

    /// The bytes at an address, if all of them are there, known, and all that is to be known.
    pub fn known_bytes(&self, address: u64, len: u64) -> Option<&[u8]> {
        if len == 0 {
            return Some(&[]);
        }
        let (id, offset) = split_address(address);
        let block = self.get(id)?;
        if block.kind == BlockKind::Input {
            return None;
        }
        block.bytes.concrete_range(offset as usize, usize::try_from(len).ok()?)
    }

    /// Who else may have a block.
    #[inline]
    pub fn sharing(&self, id: BlockId) -> Sharing {
        self.get(id).map_or(Sharing::Own, |block| block.sharing)
    }

    pub(crate) fn share(&mut self, id: BlockId, sharing: Sharing) {
        if let Some(block) = self.get_mut(id) {
            block.sharing = sharing;
        }
    }

    pub fn get_mut(&mut self, id: BlockId) -> Option<&mut Block> {
        if id.0 >= self.next {
            return None;
        }
        self.slot(id.0).as_mut().map(Rc::make_mut)
    }

    /// Makes a block something else that may be longer.
    pub fn grow(&mut self, id: BlockId, kind: BlockKind, size: usize) {
        let Some(block) = self.get_mut(id) else { return };
        let before = block.bytes.len();
        block.kind = kind;
        block.bytes.extend_to(size);
        let more = (block.bytes.len() - before) as u64;
        self.live_bytes += more;
        self.allocated += more;
    }

    /// Pointers into a freed block dangle; using one is an error, not a wrong read.
    pub fn free(&mut self, id: BlockId) {
        if id.0 == 0 || id.0 >= self.next {
            return;
        }
        if let Some(block) = self.slot(id.0).take() {
            self.live_bytes -= block.bytes.len() as u64 + BLOCK_OVERHEAD;
        }
    }

    /// The number that the next block has, if none is used again.
    pub fn mark(&self) -> u32 {
        self.next
    }

    /// Whether a later state of the same path can have this memory and go on alike, but for the blocks themselves.
    pub(crate) fn is_before(&self, later: &Heap) -> bool {
        let Heap { root: _, height: _, next, live_bytes: _, free, allocated: _, new_blocks } = self;
        *next <= later.next && free.is_empty() && later.free.is_empty() && *new_blocks == later.new_blocks
    }

    pub fn live_bytes(&self) -> u64 {
        self.live_bytes
    }

    pub fn allocated(&self) -> u64 {
        self.allocated
    }

    /// All numbers of blocks are below this one.
    pub fn numbers(&self) -> u32 {
        self.next
    }

    /// Visits all blocks in the order of their numbers.
    pub fn for_each(&self, mut visit: impl FnMut(BlockId, &Block)) {
        visit_node(&self.root, BITS * self.height, 0, &mut |id, block| {
            if let Some(block) = block {
                visit(id, block);
            }
        });
    }

    /// Lets the numbers of blocks that are gone be used again if the condition holds.
    pub(crate) fn recycle(&mut self, unused: impl Fn(BlockId) -> bool) {
        let mut free = Vec::new();
        let next = self.next;
        visit_node(&self.root, BITS * self.height, 0, &mut |id, block| {
            if block.is_none() && id.0 != 0 && id.0 < next && unused(id) {
                free.push(id.0);
            }
        });
        free.reverse();
        self.free = free;
    }

    fn slot(&mut self, id: u32) -> &mut Option<Rc<Block>> {
        let mut node = Rc::make_mut(&mut self.root);
        let mut shift = BITS * self.height;
        loop {
            let index = (id >> shift) as usize & (FANOUT - 1);
            match node {
                Node::Leaf(blocks) => return &mut blocks[index],
                Node::Inner(children) => {
                    let leaf_below = shift == BITS;
                    let child = children[index].get_or_insert_with(|| {
                        Rc::new(if leaf_below { Node::Leaf(NO_BLOCKS) } else { Node::Inner(NO_CHILDREN) })
                    });
                    node = Rc::make_mut(child);
                }
            }
            shift = shift.saturating_sub(BITS);
        }
    }
}

/// Visits the slots of all blocks below a node.
fn visit_node(node: &Node, shift: u32, first: u32, visit: &mut impl FnMut(BlockId, Option<&Block>)) {
    match node {
        Node::Inner(children) => {
            for (index, child) in (0..).zip(children) {
                if let Some(child) = child {
                    visit_node(child, shift.saturating_sub(BITS), first | index << shift, visit);
                }
            }
        }
        Node::Leaf(blocks) => {
            for (index, block) in (0..).zip(blocks) {
                visit(BlockId(first | index), block.as_deref());
            }
        }
    }
}

/// What a block costs beside its bytes, for the memory budget.
const BLOCK_OVERHEAD: u64 = 96;
/// What an object costs on CoreCLR beside its fields.
const OBJECT_OVERHEAD: u64 = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_does_not_see_later_writes() {
        let mut heap = Heap::default();
        let ids: Vec<_> = (0..5000).map(|i| heap.allocate(BlockKind::Stack, Bytes::zeroed(i % 7))).collect();
        let fork = heap.clone();
        heap.get_mut(ids[4321]).unwrap().bytes = Bytes::from_vec(vec![9; 3]);
        heap.free(ids[17]);
        assert_eq!(fork.get(ids[4321]).unwrap().bytes, Bytes::zeroed(4321 % 7));
        assert!(fork.get(ids[17]).is_some());
        assert!(heap.get(ids[17]).is_none());
        assert_eq!(heap.get(ids[4321]).unwrap().bytes, Bytes::from_vec(vec![9; 3]));
        assert_eq!(heap.get(ids[4999]).unwrap().bytes.len(), 4999 % 7);
        assert!(heap.get(BlockId(5001)).is_none());
        assert!(heap.get(BlockId(0)).is_none());
    }
}
