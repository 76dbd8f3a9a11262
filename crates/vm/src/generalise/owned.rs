//! Arrays that only one place refers to: the buffer of a list that grows.
//!
//! A loop that puts a larger array in the place of such an array changes a reference. But where nobody else knows either of
//! them, nobody can tell one address from another: calling the new array by the name of the old one gives a state that goes
//! on alike. Then only the length and the elements differ, which are numbers.

use term::{Node, Term};

use crate::bytes::{Bits, Bytes};
use crate::generalise::{Holder, LivenessCache, Part, Spot, Unlike};
use crate::heap::{Block, BlockId, BlockKind, Sharing, split_address};
use crate::machine::Machine;
use crate::ops::near_block;
use crate::state::{Frame, OnReturn, State};
use crate::value::Value;
use rustc_hash::FxHashSet;

/// More references than one.
const MANY: usize = 2;

/// Whether two values refer to different arrays or other objects of the method's own; what they are is asked later.
pub(super) fn are_arrays(s: &State, x: &Value, y: &Value) -> bool {
    let is_own = |value: &Value| match value {
        Value::I64(address) => is_own_object(s, address.cast_unsigned()),
        _ => false,
    };
    is_own(x) && is_own(y)
}

fn is_own_object(s: &State, address: u64) -> bool {
    let (block, offset) = split_address(address);
    let is_own = |block: &Block| block.sharing == Sharing::Own && matches!(block.kind, BlockKind::Object(_));
    offset == 0 && s.heap.get(block).is_some_and(is_own)
}

impl Machine {
    /// The same for references in memory.
    pub(super) fn are_arrays_in(&mut self, s: &State, bytes: [&Bytes; 2], at: usize) -> bool {
        bytes.into_iter().all(|bytes| match bytes.read(at, 8, &mut self.terms) {
            Ok(Bits::Concrete(address)) => is_own_object(s, address),
            _ => false,
        })
    }

    /// The block to which a place refers.
    pub(super) fn held_by(&mut self, s: &State, by: Holder) -> Option<BlockId> {
        let address = match by {
            Holder::Var { index } => match s.top.vars.get(index as usize)? {
                Value::I64(address) => address.cast_unsigned(),
                _ => return None,
            },
            Holder::Bytes { block, offset } => {
                match s.heap.get(block)?.bytes.read(offset as usize, 8, &mut self.terms).ok()? {
                    Bits::Concrete(address) => address,
                    Bits::Symbolic(_) => return None,
                }
            }
        };
        Some(split_address(address).0).filter(|_| address as u32 == 0)
    }

    /// Whether all arrays that are found to have been replaced are such arrays, before and after.
    pub(super) fn are_owned(
        &mut self,
        earlier: &State,
        later: &State,
        alive: &mut LivenessCache,
        found: &[Spot],
    ) -> Result<(), Unlike> {
        let mut taken = FxHashSet::default();
        for spot in found {
            let Spot::Owned { by, part: Part::Length } = *spot else { continue };
            let unlike = || Unlike::for_now("a reference to an object of its own");
            let before = self.held_by(earlier, by).ok_or_else(unlike)?;
            let after = self.held_by(later, by).ok_or_else(unlike)?;
            let same_kind = self.is_array_of_numbers(earlier, before)
                && self.is_array_of_numbers(later, after)
                && kind_of(earlier, before) == kind_of(later, after);
            // Nobody else refers to either of them; the old one is gone.
            let is_alone = self.references(earlier, before, alive) == 1
                && self.references(later, after, alive) == 1
                && self.references(later, before, alive) == 0
                && self.references(earlier, after, alive) == 0;
            let is_quiet = |s: &State| s.runtime.locks.is_empty() && s.threads.is_alone();
            if !same_kind
                || !is_alone
                || !is_quiet(earlier)
                || !is_quiet(later)
                || !taken.insert(before)
                || !taken.insert(after)
            {
                return Err(unlike());
            }
        }
        Ok(())
    }

    fn is_array_of_numbers(&self, s: &State, id: BlockId) -> bool {
        kind_of(s, id).is_some_and(|kind| match kind {
            BlockKind::Object(ty) => self.number_elements(ty).is_some(),
            _ => false,
        })
    }

    /// How many places of a state refer to a block, or may: variables that still matter, operands and all memory, be it in use
    /// or not.
    fn references(&self, s: &State, id: BlockId, alive: &mut LivenessCache) -> usize {
        let mut count = 0;
        for (below, frame) in s.frames().enumerate() {
            // Memory of frames is among all memory; exceptions on their way are no arrays.
            let Frame { code, pc, vars, stack, block: _, stack_blocks: _, on_return, pending: _, caught: _ } =
                frame;
            let live = alive.of(code);
            let matters = |index: u32| match below {
                0 => live.is_live_before(*pc, index),
                _ => live.is_live_after(*pc, index),
            };
            let live = vars.iter().enumerate().filter(|(index, _)| matters(*index as u32));
            let live = live.map(|(_, value)| value);
            count += live.chain(stack).map(|value| self.value_refers(value, id)).sum::<usize>();
            count += MANY * usize::from(may_refer(*on_return, id));
        }
        s.heap.for_each(|_, block| {
            count += self.bytes_refer(&block.bytes, id);
            // Elements that are kept otherwise may be references only in arrays of them.
            let may_refer = match (&block.cells, block.kind) {
                (Some(_), BlockKind::Object(ty)) => !self.holds_no_references(ty),
                _ => false,
            };
            count += MANY * usize::from(may_refer);
        });
        count
    }

    /// Whether arrays and strings of a type hold plain numbers.
    fn holds_no_references(&self, ty: types::TypeId) -> bool {
        self.number_elements(ty).is_some() || self.universe.well_known().is_ok_and(|known| known.string == ty)
    }

    fn value_refers(&self, value: &Value, id: BlockId) -> usize {
        match value {
            Value::I64(address) => usize::from(near_block(address.cast_unsigned()).0 == id),
            Value::Term(term) => usize::from(self.term_refers(*term, id)),
            Value::Struct(bytes) => self.bytes_refer(bytes, id),
            _ => 0,
        }
    }

    fn bytes_refer(&self, bytes: &Bytes, id: BlockId) -> usize {
        let words = (0..bytes.len()).step_by(4).filter_map(|at| bytes.concrete_range(at, 8));
        let words = words.filter_map(|word| word.try_into().ok().map(u64::from_le_bytes));
        let known = words.filter(|word| near_block(*word).0 == id).count();
        known + bytes.patches().iter().filter(|patch| self.term_refers(patch.term, id)).count()
    }

    /// Whether a term of the size of an address mentions a constant that may be an address in a block.
    fn term_refers(&self, term: Term, id: BlockId) -> bool {
        if self.terms.sort(term) != term::Sort::Bv(64) {
            return false;
        }
        let (mut waiting, mut met) = (vec![term], FxHashSet::default());
        while let Some(term) = waiting.pop() {
            if !met.insert(term) {
                continue;
            }
            if let Some(number) = self.terms.as_bv(term) {
                if self.terms.sort(term) == term::Sort::Bv(64) && near_block(number as u64).0 == id {
                    return true;
                }
                continue;
            }
            match *self.terms.node(term) {
                Node::Binary(_, a, b) => waiting.extend([a, b]),
                Node::Ite(_, a, b) => waiting.extend([a, b]),
                Node::Unary(_, a) => waiting.push(a),
                _ => {}
            }
        }
        false
    }
}

/// Whether a frame that returns may pass something on that it does not hold itself.
fn may_refer(on_return: OnReturn, id: BlockId) -> bool {
    match on_return {
        OnReturn::EndPath
        | OnReturn::Push
        | OnReturn::Discard
        | OnReturn::Again
        | OnReturn::PushInt(_)
        | OnReturn::Initialized(_) => false,
        OnReturn::PushObject(object) => split_address(object).0 == id,
        _ => true,
    }
}

fn kind_of(s: &State, id: BlockId) -> Option<BlockKind> {
    s.heap.get(id).map(|block| block.kind)
}
