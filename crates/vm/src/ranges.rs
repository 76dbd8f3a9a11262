//! Many elements at once: copies and fills of ranges whose place or length is symbolic, as terms.
//!
//! Trying out every length would be one path for each. Instead the elements get a new base: what lies in the range is what was
//! copied or filled in, the rest is what was there. Code that does this has checked its bounds before.

use std::rc::Rc;

use term::{Node, Term};
use types::Type;

use crate::bytes::Bytes;
use crate::cells::{Base, Cells, lost};
use crate::heap::{BlockId, BlockKind, split_address};
use crate::machine::{Machine, Step, give_up};
use crate::ops::ELEMENTS;
use crate::state::State;
use crate::value::{Repr, Value};
use verdict::Gap;

/// Bytes of an array of known elements that becomes a table.
const MAX_TABLE: usize = 4_096;
/// Ranges that lie over each other: a read looks into all of them.
const MOST_LAYERS: u32 = 6;
/// Bytes of a known range that are moved one by one.
const MOST_AT_ONCE: u64 = 1 << 16;
/// Offset of the first character of a string.
const CHARACTERS: u32 = 4;

/// Elements of which a range was written at once.
#[derive(Clone, Debug)]
pub struct Range {
    /// The index of its first element and the number of its elements, of 32 bits.
    pub to: Term,
    pub count: Term,
    pub with: With,
    /// What was there before.
    pub below: Cells,
    layers: u32,
}

/// What was written to a range.
#[derive(Clone, Debug)]
pub enum With {
    /// The same everywhere.
    Value(Rc<Bytes>),
    /// Elements as they were then, each from its own index and this.
    Copy { from: Cells, shift: Term },
}

/// An element of an array or string.
struct Place {
    block: BlockId,
    index: Term,
}

impl Machine {
    /// The element at an index.
    pub(crate) fn range_cell(&mut self, s: &State, range: &Range, index: Term) -> Step<Rc<Bytes>> {
        let distance = self.terms.sub(index, range.to);
        let is_within = self.terms.ult(distance, range.count);
        if self.terms.as_bool(is_within) == Some(false) {
            return self.cell_at(s, &range.below, index);
        }
        let inside = match &range.with {
            With::Value(value) => Rc::clone(value),
            With::Copy { from, shift } => {
                let there = self.terms.add(index, *shift);
                self.cell_at(s, from, there)?
            }
        };
        if self.terms.as_bool(is_within) == Some(true) {
            return Ok(inside);
        }
        let below = self.cell_at(s, &range.below, index)?;
        self.merge(s, is_within, &inside, &below)
    }

    /// Copies so many bytes between places of arrays and strings, which may overlap. False if nothing of this is symbolic, or
    /// if only trying out the numbers helps.
    pub fn copy_range(&mut self, s: &mut State, to: &Value, from: &Value, len: &Value) -> Step<bool> {
        if !self.is_open(&[to, from], len) {
            return Ok(false);
        }
        let Some(size) = self.element_size(s, to) else { return Ok(false) };
        let (Some(target), Some(source)) =
            (self.element_place(s, to, size), self.element_place(s, from, size))
        else {
            return Ok(false);
        };
        let Some(count) = self.counted(len, size) else { return Ok(false) };
        let Some(from) = self.elements_of(s, source.block, size) else { return Ok(false) };
        let shift = self.terms.sub(source.index, target.index);
        self.overlay(s, &target, size, count, With::Copy { from, shift })
    }

    /// Fills so many elements with a value of their size; `unit` is what the number counts, in bytes. False as above.
    pub fn fill_range(
        &mut self,
        s: &mut State,
        to: &Value,
        number: &Value,
        unit: u32,
        value: Option<(&Value, Repr)>,
    ) -> Step<bool> {
        if !self.is_open(&[to], number) {
            return Ok(false);
        }
        let Some(size) = self.element_size(s, to) else { return Ok(false) };
        if unit != 1 && unit != size || value.is_some_and(|(_, repr)| repr.size() != size) {
            return Ok(false);
        }
        let Some(target) = self.element_place(s, to, size) else { return Ok(false) };
        let Some(count) = self.counted(number, size / unit) else { return Ok(false) };
        let cell = match value {
            Some((value, repr)) => self.cell_of(s, value, repr)?,
            None => Rc::new(Bytes::zeroed(size as usize)),
        };
        self.overlay(s, &target, size, count, With::Value(cell))
    }

    /// A symbolic length of 32 bits, if such a length may stay open.
    pub fn open_length(&mut self, len: &Value) -> Option<Term> {
        match *len {
            Value::Term(term) if self.inputs.keeps_lengths => match self.width(term) {
                32 => Some(term),
                64 => self.counted(len, 1),
                _ => None,
            },
            _ => None,
        }
    }

    /// A string of zeros, of a length that stays open.
    pub fn open_string(&mut self, s: &mut State, len: Term) -> Step<u64> {
        let cells = Cells::new(CHARACTERS, 2, Base::Zero, self.config.split);
        let known = self.universe.well_known().map(|known| known.string).map_err(Gap::from);
        let made = known.and_then(|string| self.cells_block(s, string, len, cells));
        made.map(BlockId::address).map_err(|gap| give_up(s, gap))
    }

    /// Whether a range is symbolic, or too long to be looked at element by element where lengths stay open.
    fn is_open(&self, places: &[&Value], len: &Value) -> bool {
        let is_long = matches!(len, Value::I64(len) if len.cast_unsigned() > MOST_AT_ONCE);
        is_long && self.inputs.keeps_lengths
            || places.iter().chain([&len]).any(|value| matches!(value, Value::Term(_)))
    }

    fn overlay(&mut self, s: &mut State, to: &Place, size: u32, count: Term, with: With) -> Step<bool> {
        let Some(below) = self.elements_of(s, to.block, size) else { return Ok(false) };
        if !self.inputs.keeps_lengths && below.first != ELEMENTS {
            // Texts whose characters are known are worth more than texts in one piece.
            return Ok(false);
        }
        let under = match &with {
            With::Value(_) => layers(&below),
            With::Copy { from, .. } => layers(&below).max(layers(from)),
        };
        if under >= MOST_LAYERS {
            return Ok(false);
        }
        let first = below.first;
        let range = Range { to: to.index, count, with, below, layers: under + 1 };
        let cells = Cells::new(first, size, Base::Range(Rc::new(range)), self.config.split);
        let Some(block) = s.heap.get_mut(to.block) else { return Err(lost(s)) };
        let Ok(header) = block.bytes.slice(0, first as usize, &mut self.terms) else { return Err(lost(s)) };
        block.bytes = header;
        block.cells = Some(Rc::new(cells));
        Ok(true)
    }

    /// The size of the elements of the array or string that an address leads into.
    fn element_size(&self, s: &State, address: &Value) -> Option<u32> {
        let block = match address {
            Value::I64(address) => split_address(address.cast_unsigned()).0,
            Value::Term(pointer) => self.block_of_pointer(*pointer)?,
            _ => return None,
        };
        let block = s.heap.get(block)?;
        if let Some(cells) = &block.cells {
            return Some(cells.size);
        }
        let BlockKind::Object(ty) = block.kind else { return None };
        match *self.universe.ty(ty) {
            Type::SzArray(element) => self.universe.size_of(element).ok(),
            _ if self.universe.well_known().is_ok_and(|known| known.string == ty) => Some(2),
            _ => None,
        }
    }

    fn element_place(&mut self, s: &State, address: &Value, size: u32) -> Option<Place> {
        match address {
            Value::I64(address) => {
                let (block, offset) = split_address(address.cast_unsigned());
                let beyond = offset.checked_sub(self.first_of(s, block, size)?)?;
                let index = self.terms.bv(32, u128::from(beyond / size));
                beyond.is_multiple_of(size).then_some(Place { block, index })
            }
            Value::Term(pointer) => {
                let place = self.element_pointer(s, *pointer, size)?;
                Some(Place { block: split_address(place.array).0, index: place.index })
            }
            _ => None,
        }
    }

    /// The offset of the first element.
    fn first_of(&self, s: &State, id: BlockId, size: u32) -> Option<u32> {
        self.first_element(s, id, size).or_else(|| {
            let BlockKind::Object(ty) = s.heap.get(id)?.kind else { return None };
            let is_text = self.universe.well_known().is_ok_and(|known| known.string == ty);
            (is_text && size == 2).then_some(CHARACTERS)
        })
    }

    /// A number as so many times a factor.
    fn counted(&mut self, number: &Value, factor: u32) -> Option<Term> {
        match *number {
            Value::I64(number) => {
                let number = number.cast_unsigned();
                let count = u32::try_from(number / u64::from(factor)).ok()?;
                let count = self.terms.bv(32, count.into());
                number.is_multiple_of(factor.into()).then_some(count)
            }
            Value::Term(term) => {
                let (count, by) = if factor == 1 { (term, 1) } else { self.terms.scaled(term) };
                match *self.terms.node(count) {
                    Node::Extend { of, signed, .. } if by == u128::from(factor) && self.width(of) <= 32 => {
                        Some(if signed { self.terms.sext(of, 32) } else { self.terms.zext(of, 32) })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The elements of an array or string; none if they are of another size, or too many.
    fn elements_of(&mut self, s: &State, id: BlockId, size: u32) -> Option<Cells> {
        let block = s.heap.get(id)?;
        if let Some(cells) = &block.cells {
            return (cells.size == size).then(|| (**cells).clone());
        }
        let first = self.first_of(s, id, size)?;
        let end = match first {
            ELEMENTS => block.bytes.len(),
            // A string ends with a zero that is none of its characters.
            _ => block.bytes.len().checked_sub(2)?,
        };
        let len = end.checked_sub(first as usize)?;
        let bytes = block.bytes.slice(first as usize, len, &mut self.terms).ok()?;
        let used = bytes.plain().iter().filter(|byte| **byte != 0).count() + bytes.patches().len();
        let base = match used {
            0 => Base::Zero,
            _ if len <= MAX_TABLE => Base::Table(Rc::new(bytes)),
            _ => return None,
        };
        Some(Cells::new(first, size, base, self.config.split))
    }
}

fn layers(cells: &Cells) -> u32 {
    match &cells.base {
        Base::Range(range) => range.layers,
        _ => 0,
    }
}
