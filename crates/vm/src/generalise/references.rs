//! References that a loop changes.
//!
//! Addresses are plain numbers in this machine, so "any object" is nothing that it could go on with. But an *input* reference
//! is open until something looks behind it, and then it is null, an input object that is there, or a new one with any contents.
//! So a place that holds input objects in every round may be forgotten: a new input reference of the declared type stands for
//! whatever it holds. This is right as long as the object of another round is still as it was when the method began, and that
//! is asked of every input object that a round makes ([`super::rest`]). Objects of the method's own are no inputs.

use term::{Node, Sort, Symbol, Term};
use types::TypeId;

use crate::bytes::{Bits, Bytes};
use crate::generalise::leaves::{Is, Leaf};
use crate::generalise::{Part, Spot};
use crate::heap::split_address;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;

/// What stands at a place that is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole {
    Number(Sort),
    /// Null or an input object of this type.
    Object(TypeId),
}

/// Choices between references that are nested deeper are not looked through.
const DEEPEST: u32 = 32;

impl Machine {
    /// What can stand at a spot once it is forgotten; none where there is nothing to name.
    pub fn hole_at(&mut self, s: &State, spot: Spot) -> Option<Hole> {
        if let Some(ty) = self.object_at(s, spot) {
            return Some(Hole::Object(ty));
        }
        match spot {
            Spot::Cells { .. } | Spot::Owned { part: Part::Elements, .. } => Some(Hole::Number(Sort::Bv(64))),
            _ => self.number_at(s, spot).map(|term| Hole::Number(self.terms.sort(term))),
        }
    }

    /// A symbol that stands for anything that fits.
    pub fn any(&mut self, hole: Hole) -> Symbol {
        match hole {
            Hole::Number(sort) => self.terms.symbol("any", sort),
            Hole::Object(ty) => self.reference_symbol(ty, "any"),
        }
    }

    /// The type of the reference at a spot, if one stands there.
    fn object_at(&self, s: &State, spot: Spot) -> Option<TypeId> {
        let type_of = |var: u32| s.top.code.vars.get(var as usize).map(|var| var.ty);
        let (leaves, at) = match spot {
            Spot::Var { index } => (self.leaves_of_value(type_of(index)?)?, 0),
            Spot::VarBytes { index, offset, .. } => (self.leaves_of_value(type_of(index)?)?, offset),
            Spot::Bytes { block, offset, .. } => {
                let found = s.heap.get(block)?;
                (self.leaves_of_block(s, block, found.kind, found.bytes.len())?, offset)
            }
            _ => return None,
        };
        leaves.iter().find(|leaf| leaf.offset == at).and_then(|leaf| match *leaf {
            Leaf { of: Is::Object(ty), .. } => Some(ty),
            _ => None,
        })
    }

    /// Whether both values are null or input objects, and fit a type.
    pub(super) fn are_inputs(&self, s: &State, values: [&Value; 2], ty: TypeId) -> bool {
        values.into_iter().all(|value| match value {
            Value::I64(address) => self.is_input_at(s, address.cast_unsigned(), ty),
            Value::Term(term) => self.is_input(s, *term, ty, 0),
            _ => false,
        })
    }

    /// The same for two references in memory.
    pub(super) fn are_inputs_in(&mut self, s: &State, bytes: [&Bytes; 2], at: usize, ty: TypeId) -> bool {
        bytes.into_iter().all(|bytes| match bytes.read(at, 8, &mut self.terms) {
            Ok(Bits::Concrete(address)) => self.is_input_at(s, address, ty),
            Ok(Bits::Symbolic(term)) => self.is_input(s, term, ty, 0),
            Err(_) => false,
        })
    }

    fn is_input_at(&self, s: &State, address: u64, ty: TypeId) -> bool {
        let (block, offset) = split_address(address);
        address == 0
            || offset == 0
                && s.path.origins.owner(block).is_some()
                && self.can_be(s, block, ty).is_ok_and(|fits| fits)
    }

    fn is_input(&self, s: &State, term: Term, ty: TypeId, depth: u32) -> bool {
        if let Some(address) = self.terms.as_bv(term) {
            return u64::try_from(address).is_ok_and(|address| self.is_input_at(s, address, ty));
        }
        match *self.terms.node(term) {
            Node::Var(symbol) => self.inputs.reference(symbol).is_some_and(|reference| {
                self.universe.is_assignable(reference.ty, ty).is_ok_and(|fits| fits)
            }),
            Node::Ite(_, a, b) if depth < DEEPEST => {
                self.is_input(s, a, ty, depth + 1) && self.is_input(s, b, ty, depth + 1)
            }
            _ => false,
        }
    }
}
