//! Garbage collection of whole programs: mark and sweep over the blocks, which do not move.
//!
//! A collection happens between two instructions, where everything that is alive is in frames, blocks or tables. Of
//! frames, any word that names a block keeps it (the upper half of an address is the block's number); objects are looked
//! into where their types have references. Only objects are collected: other
//! blocks belong to frames, types and handles, which know when they end. Numbers of blocks are used again as soon as no
//! word names them.

mod finalizers;
mod mark;
mod shape;

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::heap::{BlockId, BlockKind, split_address};
use crate::machine::Machine;
use crate::state::State;
use crate::threads::ThreadIndex;
use mark::Marks;
pub use shape::ReferenceOffsets;

/// What the collector knows about a state.
#[derive(Clone, Debug)]
pub struct Collector {
    /// Bytes of live memory at which the next collection is due; none happens in exploration.
    due: u64,
    /// Numbers of blocks at which it is due, because the tree of blocks grows with them.
    due_blocks: u32,
    /// Handles that do not keep what they refer to.
    weak: FxHashMap<BlockId, Weak>,
    /// How many collections a block has survived, up to 2.
    ages: Vec<u8>,
    /// Collections of each generation.
    counts: [i32; 3],
    /// Objects whose finalizer has run or shall not run.
    finalized: FxHashSet<BlockId>,
    /// Objects whose finalizer is to run.
    queue: VecDeque<u64>,
    thread: Option<ThreadIndex>,
    /// Room beyond the limit, for programs that handle the lack of memory.
    pub extra: u64,
    /// The step after the last collection for want of memory.
    pub tried: u64,
}

/// How a handle refers to its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weak {
    /// Until it is unreachable.
    Short,
    /// Until it is gone, a finalizer having run.
    Long,
    /// Weak to the first object, and to the second as long as the first is alive.
    Dependent,
}

impl Default for Collector {
    fn default() -> Collector {
        Collector {
            due: u64::MAX,
            due_blocks: u32::MAX,
            weak: FxHashMap::default(),
            ages: Vec::new(),
            counts: [0; 3],
            finalized: FxHashSet::default(),
            queue: VecDeque::new(),
            thread: None,
            extra: 0,
            tried: 0,
        }
    }
}

/// Bytes below which collecting is not worth it.
const SMALL: u64 = 96 << 20;
/// Numbers of blocks that may be used up between two collections.
const FRESH_BLOCKS: u32 = 1 << 21;

impl Collector {
    pub(crate) fn is_due(&self, s: &State) -> bool {
        s.heap.live_bytes() > self.due || s.heap.numbers() > self.due_blocks
    }

    /// The next collection is due now.
    pub fn want(&mut self) {
        self.due = 0;
    }

    pub fn count(&self, generation: usize) -> i32 {
        self.counts.get(generation).copied().unwrap_or(0)
    }

    pub fn age(&self, block: BlockId) -> i32 {
        self.ages.get(block.0 as usize).copied().unwrap_or(0).into()
    }
}

impl State {
    pub(crate) fn collector_mut(&mut self) -> &mut Collector {
        Rc::make_mut(&mut self.collector)
    }

    /// From now on memory is collected.
    pub(crate) fn start_collecting(&mut self) {
        let collector = self.collector_mut();
        (collector.due, collector.due_blocks) = (SMALL, FRESH_BLOCKS);
    }

    /// The rest of the program keeps references that the collector does not see.
    pub(crate) fn stop_collecting(&mut self) {
        let collector = self.collector_mut();
        (collector.due, collector.due_blocks) = (u64::MAX, u32::MAX);
    }

    pub(crate) fn collects(&self) -> bool {
        self.collector.due != u64::MAX
    }

    /// A handle that does not keep its object.
    pub fn add_weak(&mut self, handle: BlockId, weak: Weak) {
        self.collector_mut().weak.insert(handle, weak);
    }

    pub fn free_handle(&mut self, handle: BlockId) {
        if self.collector.weak.contains_key(&handle) {
            self.collector_mut().weak.remove(&handle);
        }
        self.heap.free(handle);
    }

    /// Whether the finalizer of an object shall run.
    pub fn set_finalized(&mut self, object: u64, done: bool) {
        let (block, _) = split_address(object);
        let collector = self.collector_mut();
        if done {
            collector.finalized.insert(block);
        } else {
            collector.finalized.remove(&block);
        }
    }
}

impl Machine {
    /// Collects the objects of a generation and of those before it.
    pub fn collect(&mut self, s: &mut State, generation: usize) {
        let mut marks = Marks::new(s.heap.numbers());
        self.mark_roots(s, &mut marks, generation);
        self.trace(s, &mut marks);
        clear_weak(s, &marks, |weak| weak == Weak::Short);
        self.queue_finalizers(s, &mut marks);
        clear_weak(s, &marks, |weak| weak != Weak::Short);
        sweep(s, &marks);
        let live = s.heap.live_bytes();
        let blocks = s.heap.numbers();
        let max = self.config.max_heap_bytes;
        let steps = s.steps;
        let collector = s.collector_mut();
        for count in collector.counts.iter_mut().take(generation + 1) {
            *count += 1;
        }
        if collector.due != u64::MAX {
            collector.due = (live * 2).max(SMALL).min(max).max(live + (SMALL >> 2));
            collector.due_blocks = blocks.saturating_add(FRESH_BLOCKS.max(blocks / 2));
        }
        collector.tried = steps;
    }
}

fn clear_weak(s: &mut State, marks: &Marks, which: impl Fn(Weak) -> bool) {
    let mut dead: Vec<(BlockId, Weak)> = Vec::new();
    for (&handle, &weak) in &s.collector.weak {
        if which(weak) && !marks.has(target(s, handle, 0)) {
            dead.push((handle, weak));
        }
    }
    dead.sort_unstable_by_key(|(handle, _)| *handle);
    for (handle, weak) in dead {
        if let Some(block) = s.heap.get_mut(handle) {
            for offset in 0..if weak == Weak::Dependent { 16 } else { 8 } {
                block.bytes.set_plain(offset, 0);
            }
        }
    }
}

/// The block that a word of a handle names.
fn target(s: &State, handle: BlockId, offset: usize) -> BlockId {
    let word = s.heap.get(handle).and_then(|block| block.bytes.concrete_range(offset, 8));
    let word = word.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes);
    split_address(word).0
}

fn sweep(s: &mut State, marks: &Marks) {
    let numbers = s.heap.numbers();
    let mut dead = Vec::new();
    let mut ages = std::mem::take(&mut s.collector_mut().ages);
    ages.resize(numbers as usize, 0);
    s.heap.for_each(|id, block| {
        if matches!(block.kind, BlockKind::Object(_)) && !marks.has(id) {
            dead.push(id);
            ages[id.0 as usize] = 0;
        } else if let Some(age) = ages.get_mut(id.0 as usize) {
            *age = (*age + 1).min(2);
        }
    });
    for id in dead {
        s.heap.free(id);
    }
    s.heap.recycle(|id| !marks.has(id));
    let alive = |address: u64| marks.has(split_address(address).0);
    Rc::make_mut(&mut s.runtime.traces).retain(|exception, _| alive(*exception));
    let collector = s.collector_mut();
    collector.ages = ages;
    collector.finalized.retain(|id| marks.has(*id));
    s.threads_mut().forget_objects(alive);
}
