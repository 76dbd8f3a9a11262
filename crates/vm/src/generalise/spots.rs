//! What stands at a spot, and putting a symbol there.

use std::rc::Rc;

use term::{Const, FloatWidth, Sort, Symbol, Term};

use crate::bytes::Bits;
use crate::cells::{ArrayInput, Base, Cells};
use crate::generalise::Spot;
use crate::heap::BlockKind;
use crate::machine::Machine;
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
            Spot::Cells { .. } | Spot::Seen { .. } | Spot::WroteShared | Spot::Overwritten => None,
        }
    }

    /// The name of the field at a spot, if it is one of an object.
    pub fn field_at(&self, s: &State, spot: Spot) -> Option<String> {
        let Spot::Bytes { block, offset, .. } = spot else { return None };
        let BlockKind::Object(ty) = s.heap.get(block)?.kind else { return None };
        let layout = self.universe.layout(ty).ok()?;
        let (field, _) = layout.fields.iter().find(|(_, at)| *at == offset)?;
        Some(self.universe.field(*field).name.to_string())
    }

    /// The sort of a symbol that can stand at a spot.
    pub fn sort_at(&mut self, s: &State, spot: Spot) -> Option<Sort> {
        match spot {
            Spot::Cells { .. } => Some(Sort::Bv(64)),
            _ => self.number_at(s, spot).map(|term| self.terms.sort(term)),
        }
    }

    /// Puts a symbol where a number stands. False if the spot is not there.
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
            (Spot::Cells { block }, Some(owner)) => {
                let Some(kind) = s.heap.get(block).map(|block| block.kind) else { return false };
                let BlockKind::Object(ty) = kind else { return false };
                let Some(element) = self.number_elements(ty) else { return false };
                let split = self.config.split;
                let Some(block) = s.heap.get_mut(block) else { return false };
                let Some(cells) = &block.cells else { return false };
                let any =
                    Cells::new(cells.first, cells.size, Base::Input(ArrayInput { owner, element }), split);
                block.cells = Some(Rc::new(any));
            }
        }
        true
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
