//! Pointers to elements at symbolic indexes: `&a[i]`, `ref Unsafe.Add(ref first, i)`.
//!
//! Such a pointer is a term, the address of an element plus an index times a size. Taking it apart again lets an access
//! through it be an access to the array, instead of one path for each address.

use term::{Binary, Node, Term};
use types::Type;

use crate::heap::{BlockId, BlockKind};
use crate::machine::{Machine, Step};
use crate::ops::ELEMENTS;
use crate::state::State;
use crate::value::{Repr, Value};

/// An element of an array or string at a symbolic index.
pub(crate) struct ElementPointer {
    array: u64,
    index: Term,
}

impl Machine {
    /// Loads through a symbolic pointer; `None` if it is not one to an element of this size.
    pub(crate) fn load_element(&mut self, s: &mut State, pointer: Term, repr: Repr) -> Step<Option<Value>> {
        match self.element_pointer(s, pointer, repr.size()) {
            Some(place) => self.element_at(s, place.array, place.index, repr),
            None => Ok(None),
        }
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
            Some(place) => self.set_element_at(s, place.array, place.index, repr, value),
            None => Ok(false),
        }
    }

    fn element_pointer(&mut self, s: &State, pointer: Term, size: u32) -> Option<ElementPointer> {
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
            Node::Extend { of, .. } if self.width(of) <= 32 => self.terms.zext(of, 32),
            _ => return None,
        };
        // The constant may lie before the first element: `a[i - 1]` has its own place in the number.
        let constant = (constant as u64).wrapping_add(1 << 31);
        let block = BlockId((constant >> 32) as u32);
        let offset = i64::from(constant as u32) - (1 << 31);
        let first = self.first_element(s, block, size)?;
        let shift = offset - i64::from(first);
        if shift % i64::from(size) != 0 {
            return None;
        }
        let shift = (shift / i64::from(size)) as i32;
        let shift = self.terms.bv(32, u128::from(shift.cast_unsigned()));
        Some(ElementPointer { array: block.address(), index: self.terms.add(index, shift) })
    }

    /// The offset of the first element of a vector or string whose elements have this size.
    fn first_element(&self, s: &State, block: BlockId, size: u32) -> Option<u32> {
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
