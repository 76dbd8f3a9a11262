//! Pointers to elements at symbolic indexes: `&a[i]`, `ref Unsafe.Add(ref first, i)`.
//!
//! Such a pointer is a term, the address of an element plus an index times a size. Taking it apart again lets an access
//! through it be an access to the array, instead of one path for each address.

use term::{Binary, Node, Term};
use types::Type;

use crate::bytes::Bits;
use crate::diagram::Diagram;
use crate::heap::{BlockId, BlockKind};
use crate::machine::{Machine, Step};
use crate::ops::ELEMENTS;
use crate::state::State;
use crate::value::{Repr, Value};

/// Elements of a table that is read at symbolic indexes.
const MAX_TABLE: u32 = 1 << 16;

/// An element of an array or string at a symbolic index.
pub(crate) struct ElementPointer {
    pub array: u64,
    pub index: Term,
}

impl Machine {
    /// Loads through a symbolic pointer; `None` if it is not one to an element of this size.
    pub fn load_element(&mut self, s: &mut State, pointer: Term, repr: Repr) -> Step<Option<Value>> {
        if let Some(place) = self.element_pointer(s, pointer, repr.size()) {
            let value = self.element_at(s, place.array, place.index, repr)?;
            return Ok(value.map(|value| self.read_element_by(s, place.array, repr, value)));
        }
        let found = self.load_from_table(s, pointer, repr);
        Ok(found.map(|(block, value)| self.read_element_by(s, block.address(), repr, value)))
    }

    /// Loads from constant data of the image or from a string of known length.
    fn load_from_table(&mut self, s: &State, pointer: Term, repr: Repr) -> Option<(BlockId, Value)> {
        if matches!(repr, Repr::Struct { .. }) {
            return None;
        }
        let size = repr.size();
        let (index, constant) = self.scaled_index(pointer, size)?;
        let (block, offset) = near_block(constant);
        let found = s.heap.get(block).filter(|block| block.cells.is_none())?;
        let first = match found.kind {
            BlockKind::ImageData => offset.rem_euclid(i64::from(size)) as u32,
            BlockKind::Object(ty)
                if self.universe.well_known().is_ok_and(|k| k.string == ty) && size == 2 =>
            {
                4
            }
            _ => return None,
        };
        let count = (found.bytes.len() as u32).checked_sub(first)? / size;
        if count == 0 || count > MAX_TABLE || (offset - i64::from(first)) % i64::from(size) != 0 {
            return None;
        }
        let shift = ((offset - i64::from(first)) / i64::from(size)) as i32;
        let shift = self.terms.bv(32, u128::from(shift.cast_unsigned()));
        let index = self.terms.add(index, shift);
        let places = (0..count).map(|i| (first + i * size) as usize);
        let term = match found.bytes.concrete() {
            Some(data) => {
                let values: Vec<u64> = places.map(|at| number(&data[at..at + size as usize])).collect();
                Diagram::of(&values).at(&mut self.terms, index, 8 * size)
            }
            None if count <= self.config.max_spread => {
                let mut term = self.terms.bv(8 * size, 0);
                for (i, at) in places.enumerate() {
                    let value = match found.bytes.read(at, size as usize, &mut self.terms).ok()? {
                        Bits::Concrete(bits) => self.terms.bv(8 * size, u128::from(bits)),
                        Bits::Symbolic(term) => term,
                    };
                    let number = self.terms.bv(32, i as u128);
                    let here = self.terms.eq(index, number);
                    term = self.terms.ite(here, value, term);
                }
                term
            }
            None => return None,
        };
        Some((block, self.widen(Bits::Symbolic(term), repr)))
    }

    /// Stores through a symbolic pointer; `false` if it is not one to an element of this size.
    pub(crate) fn store_element(
        &mut self,
        s: &mut State,
        pointer: Term,
        repr: Repr,
        value: &Value,
    ) -> Step<bool> {
        match self.element_pointer(s, pointer, repr.size()) {
            Some(place) => {
                self.note_stored(s, place.array, value);
                self.note_element_write(s, place.array);
                self.set_element_at(s, place.array, place.index, repr, value)
            }
            None => Ok(false),
        }
    }

    /// The index and the constant of `constant + index * size`.
    fn scaled_index(&mut self, pointer: Term, size: u32) -> Option<(Term, u64)> {
        let (offset, constant) = match *self.terms.node(pointer) {
            Node::Binary(Binary::Add, a, b) => match (self.terms.as_bv(a), self.terms.as_bv(b)) {
                (_, Some(constant)) => (a, constant),
                (Some(constant), _) => (b, constant),
                _ => return None,
            },
            _ => return None,
        };
        let (index, factor) = self.terms.scaled(offset);
        if factor != u128::from(size) {
            return None;
        }
        let index = match *self.terms.node(index) {
            Node::Extend { of, signed: true, .. } if self.width(of) <= 32 => self.terms.sext(of, 32),
            Node::Extend { of, .. } if self.width(of) <= 32 => self.terms.zext(of, 32),
            _ => return None,
        };
        Some((index, constant as u64))
    }

    pub(crate) fn element_pointer(&mut self, s: &State, pointer: Term, size: u32) -> Option<ElementPointer> {
        let (index, constant) = self.scaled_index(pointer, size)?;
        let (block, offset) = near_block(constant);
        let first = self.first_element(s, block, size)?;
        let shift = offset - i64::from(first);
        if shift % i64::from(size) != 0 {
            return None;
        }
        let shift = (shift / i64::from(size)) as i32;
        let shift = self.terms.bv(32, u128::from(shift.cast_unsigned()));
        Some(ElementPointer { array: block.address(), index: self.terms.add(index, shift) })
    }

    /// The block that a pointer to an element at a symbolic index leads into.
    pub(crate) fn block_of_pointer(&self, pointer: Term) -> Option<BlockId> {
        let Node::Binary(Binary::Add, a, b) = *self.terms.node(pointer) else { return None };
        let constant = self.terms.as_bv(a).or_else(|| self.terms.as_bv(b))?;
        Some(near_block(constant as u64).0)
    }

    /// The offset of the first element of a vector or string whose elements have this size.
    pub(crate) fn first_element(&self, s: &State, block: BlockId, size: u32) -> Option<u32> {
        let block = s.heap.get(block)?;
        if let Some(cells) = &block.cells {
            return (cells.size == size).then_some(cells.first);
        }
        let BlockKind::Object(ty) = block.kind else { return None };
        match self.universe.ty(ty) {
            Type::SzArray(element) => {
                self.universe.size_of(*element).is_ok_and(|of| of == size).then_some(ELEMENTS)
            }
            _ => None,
        }
    }
}

/// The block that a constant lies in or a little before. `a[i - 1]` has its own place in the number.
pub(crate) fn near_block(constant: u64) -> (BlockId, i64) {
    let constant = constant.wrapping_add(1 << 31);
    (BlockId((constant >> 32) as u32), i64::from(constant as u32) - (1 << 31))
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
