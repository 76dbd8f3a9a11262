//! What stands at a spot, and putting a symbol there.

use std::rc::Rc;

use term::{Const, FloatWidth, Sort, Symbol, Term};
use types::Type;

use crate::bytes::Bits;
use crate::cells::{ArrayInput, Base, Cells};
use crate::generalise::{Holder, Part, Spot};
use crate::heap::{BlockId, BlockKind};
use crate::machine::Machine;
use crate::ops::{ELEMENTS, LONGEST_STRING, MAX_LENGTH};
use crate::state::State;
use crate::value::Value;

impl Machine {
    /// The number at a spot; none where a spot is no number, or is not there.
    pub fn number_at(&mut self, s: &State, spot: Spot) -> Option<Term> {
        match spot {
            Spot::Var { index } => self.scalar(s.top.vars.get(index as usize)?.clone()),
            Spot::Operand { index } => self.scalar(s.top.stack.get(index as usize)?.clone()),
            Spot::VarBytes { index, offset, size } => {
                let Value::Struct(bytes) = s.top.vars.get(index as usize)?.clone() else { return None };
                let bits = bytes.read(offset as usize, size as usize, &mut self.terms).ok()?;
                Some(self.term_of_bits(bits, size))
            }
            Spot::Bytes { block, offset, size } => {
                let bits =
                    s.heap.get(block)?.bytes.read(offset as usize, size as usize, &mut self.terms).ok()?;
                Some(self.term_of_bits(bits, size))
            }
            Spot::Owned { by, part: Part::Length } => {
                let array = self.held_by(s, by)?;
                let bits = s.heap.get(array)?.bytes.read(0, 4, &mut self.terms).ok()?;
                Some(self.term_of_bits(bits, 4))
            }
            Spot::Cells { .. }
            | Spot::Seen { .. }
            | Spot::WroteShared
            | Spot::Overwritten
            | Spot::Owned { .. } => None,
        }
    }

    /// The name of the field at a spot, if it is one of an object.
    pub fn field_at(&self, s: &State, spot: Spot) -> Option<String> {
        let (block, offset, part) = match spot {
            Spot::Bytes { block, offset, .. } => (block, offset, ""),
            Spot::Owned { by: Holder::Bytes { block, offset }, part: Part::Length } => {
                (block, offset, ".Length")
            }
            _ => return None,
        };
        let BlockKind::Object(ty) = s.heap.get(block)?.kind else { return None };
        let layout = self.universe.layout(ty).ok()?;
        let (field, _) = layout.fields.iter().find(|(_, at)| *at == offset)?;
        Some(format!("{}{part}", self.universe.field(*field).name))
    }

    /// Puts a symbol where a number or a reference stands. False if the spot is not there.
    #[must_use]
    pub fn forget(&mut self, s: &mut State, spot: Spot, symbol: Option<Symbol>) -> bool {
        match (spot, symbol) {
            (Spot::WroteShared, _) => s.path.wrote_shared = true,
            (Spot::Overwritten, _) => s.path.overwritten = true,
            (Spot::Seen { address }, _) => _ = Rc::make_mut(&mut s.path.seen).insert(address),
            (_, None) => return false,
            (Spot::Var { index }, Some(symbol)) => {
                let term = self.terms.var(symbol);
                let Some(place) = s.top.vars.get_mut(index as usize) else { return false };
                *place = Value::Term(term);
            }
            (Spot::Operand { index }, Some(symbol)) => {
                let term = self.terms.var(symbol);
                let Some(place) = s.top.stack.get_mut(index as usize) else { return false };
                *place = Value::Term(term);
            }
            (Spot::VarBytes { index, offset, size }, Some(symbol)) => {
                let bits = Bits::Symbolic(self.terms.var(symbol));
                let Some(Value::Struct(bytes)) = s.top.vars.get_mut(index as usize) else { return false };
                let written =
                    Rc::make_mut(bytes).write(offset as usize, size as usize, bits, &mut self.terms);
                return written.is_ok();
            }
            (Spot::Bytes { block, offset, size }, Some(symbol)) => {
                let bits = Bits::Symbolic(self.terms.var(symbol));
                let Some(block) = s.heap.get_mut(block) else { return false };
                return block.bytes.write(offset as usize, size as usize, bits, &mut self.terms).is_ok();
            }
            (Spot::Cells { block }, Some(owner)) => return self.forget_elements(s, block, owner).is_some(),
            (Spot::Owned { by, part }, Some(symbol)) => {
                let Some(array) = self.held_by(s, by) else { return false };
                return match part {
                    Part::Elements => self.forget_elements(s, array, symbol).is_some(),
                    Part::Length => self.forget_length(s, array, symbol).is_some(),
                };
            }
        }
        true
    }

    /// Any elements in the place of those of an array of numbers.
    fn forget_elements(&mut self, s: &mut State, id: BlockId, owner: Symbol) -> Option<()> {
        let BlockKind::Object(ty) = s.heap.get(id)?.kind else { return None };
        let element = self.number_elements(ty)?;
        let size = self.universe.size_of(element).ok()?;
        let base = Base::Input(ArrayInput { owner, element });
        let block = s.heap.get_mut(id)?;
        if block.cells.is_none() {
            block.bytes = block.bytes.slice(0, ELEMENTS as usize, &mut self.terms).ok()?;
        }
        block.cells = Some(Rc::new(Cells::new(ELEMENTS, size, base, self.config.split)));
        Some(())
    }

    /// Any length in the place of that of an array whose elements are forgotten.
    fn forget_length(&mut self, s: &mut State, id: BlockId, symbol: Symbol) -> Option<()> {
        let bits = Bits::Symbolic(self.terms.var(symbol));
        let block = s.heap.get_mut(id).filter(|block| block.cells.is_some())?;
        block.bytes.write(0, 4, bits, &mut self.terms).ok()
    }

    /// The symbols of all numbers and references of a state that stand in its frames and its memory.
    pub fn symbols_in(&self, s: &State) -> Vec<Symbol> {
        let mut found = Vec::new();
        let add = |found: &mut Vec<Symbol>, term: Term| found.extend(self.terms.symbols_of(term).iter());
        for frame in s.frames() {
            for value in frame.vars.iter().chain(&frame.stack) {
                match value {
                    Value::Term(term) => add(&mut found, *term),
                    Value::Struct(bytes) => {
                        bytes.patches().iter().for_each(|patch| add(&mut found, patch.term))
                    }
                    _ => {}
                }
            }
        }
        s.heap.for_each(|_, block| {
            block.bytes.patches().iter().for_each(|patch| add(&mut found, patch.term));
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The element of an array at an index, as a number; none where elements are kept otherwise.
    pub fn element_in(&mut self, s: &State, block: BlockId, index: Term) -> Option<Term> {
        let cells = s.heap.get(block)?.cells.clone()?;
        self.element_among(s, &cells, index)
    }

    /// The same for elements as they were.
    pub fn element_among(&mut self, s: &State, cells: &Cells, index: Term) -> Option<Term> {
        let cell = self.cell_at(s, cells, index).ok()?;
        let bits = cell.read(0, cells.size as usize, &mut self.terms).ok()?;
        Some(self.term_of_bits(bits, cells.size))
    }

    /// The lengths of the input arrays and strings that the path has made, as terms of 32 bits.
    pub fn lengths_in(&mut self, s: &State) -> Vec<Term> {
        let is_there = |owner: Symbol| matches!(s.path.origins.resolution(owner), Some(Some(_)));
        let known: Vec<Symbol> = self
            .inputs
            .lengths
            .iter()
            .filter(|(_, owner)| is_there(**owner))
            .map(|(length, _)| *length)
            .collect();
        let mut lengths = Vec::new();
        for symbol in known {
            let length = self.terms.var(symbol);
            lengths.push(self.terms.zext(length, 32));
        }
        lengths
    }

    /// What the runtime allows of the input arrays and strings that the path has made: none is longer than it can be.
    pub fn length_limits(&mut self, s: &State) -> Vec<Term> {
        let string = self.universe.well_known().map(|known| known.string).ok();
        let mut known: Vec<(Symbol, u64)> = Vec::new();
        for (length, owner) in &self.inputs.lengths {
            let Some(Some(block)) = s.path.origins.resolution(*owner) else { continue };
            match s.heap.get(block).map(|block| block.kind) {
                Some(BlockKind::Object(ty)) if Some(ty) == string => known.push((*length, LONGEST_STRING)),
                Some(BlockKind::Object(ty)) if matches!(self.universe.ty(ty), Type::SzArray(_)) => {
                    known.push((*length, MAX_LENGTH));
                }
                _ => {}
            }
        }
        known.sort_unstable();
        let limit = |(length, most): (Symbol, u64)| {
            let length = self.terms.var(length);
            let length = self.terms.zext(length, 64);
            let most = self.terms.bv(64, most.into());
            self.terms.ule(length, most)
        };
        known.into_iter().map(limit).collect()
    }

    pub(super) fn scalar(&mut self, value: Value) -> Option<Term> {
        Some(match value {
            Value::I32(number) => self.terms.bv(32, u128::from(number.cast_unsigned())),
            Value::I64(number) => self.terms.bv(64, u128::from(number.cast_unsigned())),
            Value::F32(number) => self
                .terms
                .constant(Const::from_bits(Sort::Float(FloatWidth::F32), u128::from(number.to_bits()))),
            Value::F64(number) => self
                .terms
                .constant(Const::from_bits(Sort::Float(FloatWidth::F64), u128::from(number.to_bits()))),
            Value::Term(term) => term,
            Value::Struct(_) => return None,
        })
    }

    fn term_of_bits(&mut self, bits: Bits, size: u32) -> Term {
        match bits {
            Bits::Concrete(value) => self.terms.bv(8 * size, u128::from(value)),
            Bits::Symbolic(term) => term,
        }
    }
}
