//! Append-only storage that hands out plain references from `&self`.
//!
//! Chunk `k` holds `64 << k` cells and is allocated once, so a cell never moves: a reference stays good as long as
//! the arena does, while more cells are being added. No `unsafe` is needed.

use std::cell::{Cell, OnceCell};

const FIRST: usize = 64;
const CHUNKS: usize = 26;

pub(crate) struct Arena<T> {
    chunks: [OnceCell<Box<[OnceCell<T>]>>; CHUNKS],
    len: Cell<usize>,
}

impl<T> Arena<T> {
    pub fn new() -> Arena<T> {
        Arena { chunks: std::array::from_fn(|_| OnceCell::new()), len: Cell::new(0) }
    }

    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Stores `value` and answers its index.
    pub fn push(&self, value: T) -> usize {
        let index = self.len.get();
        let (chunk, cell) = place(index);
        let cells = self.chunks[chunk]
            .get_or_init(|| std::iter::repeat_with(OnceCell::new).take(FIRST << chunk).collect());
        // The cell at `len` is always empty: only this function fills cells, in order.
        let _ = cells[cell].set(value);
        self.len.set(index + 1);
        index
    }

    pub fn get(&self, index: usize) -> Option<&T> {
        let (chunk, cell) = place(index);
        self.chunks.get(chunk)?.get()?.get(cell)?.get()
    }
}

/// (chunk, cell within it) of an index.
fn place(index: usize) -> (usize, usize) {
    let scaled = index / FIRST + 1;
    let chunk = scaled.ilog2() as usize;
    (chunk, index - FIRST * ((1 << chunk) - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_survive_growth() {
        let arena = Arena::new();
        arena.push(0usize);
        let first = arena.get(0).unwrap();
        for i in 1..10_000 {
            assert_eq!(arena.push(i), i);
        }
        assert_eq!(*first, 0);
        assert!((0..10_000).all(|i| arena.get(i) == Some(&i)));
        assert_eq!(arena.get(10_000), None);
    }
}
