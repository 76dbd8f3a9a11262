//! How much memory each thread holds: what it has allocated and not freed.
//!
//! The system knows only what the whole process uses, so that one hungry method would end all others. A program that
//! installs [`Counting`] as its global allocator can tell whose memory it is, because one thread explores one method at a
//! time. Without it the figure is zero, and the process as a whole is watched as before.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// May become negative: what one thread allocates another may free.
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// Bytes that this thread has allocated and not freed.
pub fn held() -> u64 {
    u64::try_from(HELD.with(Cell::get)).unwrap_or(0)
}

/// The system's allocator with a count for each thread.
#[derive(Debug)]
pub struct Counting;

fn add(bytes: i64) {
    // A thread that is being torn down is not counted.
    let _gone = HELD.try_with(|held| held.set(held.get().wrapping_add(bytes)));
}

fn size(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

#[allow(unsafe_code)] // every call is passed on to the system's allocator as it came
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(size(layout.size()));
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(size(layout.size()));
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        add(-size(layout.size()));
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        add(size(new_size) - size(layout.size()));
        unsafe { System.realloc(block, layout, new_size) }
    }
}
