//! Memory that a program allocates and frees itself. Its blocks are like all others: an access outside of one, or after
//! it was freed, is an error with its place, not a wrong read.

use crate::table::{Entry, native};
use verdict::Gap;
use vm::bytes::Bytes;
use vm::heap::{BlockKind, split_address};
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const SYSTEM: &str = "Interop+Sys";

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "Malloc", |m, s, call| {
        let size = call.number(m, s, 0)?;
        allocate(m, s, size)
    }),
    native(SYSTEM, "Calloc", |m, s, call| {
        let size = call.number(m, s, 0)?.checked_mul(call.number(m, s, 1)?);
        allocate(m, s, size.unwrap_or(u64::MAX))
    }),
    native(SYSTEM, "AlignedAlloc", |m, s, call| {
        let size = call.number(m, s, 1)?;
        allocate(m, s, size)
    }),
    native(SYSTEM, "Realloc", |m, s, call| reallocate(m, s, call, 1)),
    native(SYSTEM, "AlignedRealloc", |m, s, call| reallocate(m, s, call, 2)),
    native(SYSTEM, "Free", free),
    native(SYSTEM, "AlignedFree", free),
];

/// Null if there is too little memory. Blocks begin at multiples of every alignment.
pub(crate) fn allocate(m: &mut Machine, s: &mut State, size: u64) -> Step<Option<Value>> {
    if size >= 1 << 31 || s.heap.live_bytes().saturating_add(size) > m.config.max_heap_bytes {
        return Ok(Some(Value::NULL));
    }
    let block = s.heap.allocate(BlockKind::Runtime, Bytes::zeroed(size.max(1) as usize));
    Ok(Some(Value::address(block.address())))
}

fn reallocate(m: &mut Machine, s: &mut State, call: &Call, size_at: usize) -> Step<Option<Value>> {
    let (old, size) = (call.number(m, s, 0)?, call.number(m, s, size_at)?);
    let new = allocate(m, s, size)?;
    let (block, _) = split_address(old);
    let kept = s.heap.get(block).map_or(0, |block| block.bytes.len()).min(size as usize);
    if let Some(Value::I64(to)) = &new
        && *to != 0
        && old != 0
    {
        if kept > 0 {
            let bytes = m.load_bytes(s, old, kept)?;
            m.store_bytes(s, to.cast_unsigned(), &bytes)?;
        }
        s.heap.free(block);
    }
    Ok(new)
}

fn free(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let address = call.number(m, s, 0)?;
    let (block, offset) = split_address(address);
    let is_whole = offset == 0 && s.heap.get(block).is_some_and(|block| block.kind == BlockKind::Runtime);
    if address != 0 && !is_whole {
        return Err(give_up(s, Gap::bound("memory is freed that was not allocated, or freed twice")));
    }
    s.heap.free(block);
    Ok(None)
}
