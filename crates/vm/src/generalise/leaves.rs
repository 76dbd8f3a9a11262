//! The numbers and references that a value consists of.

use types::{Primitive, Type, TypeId};

use crate::decode::{is_object_reference, repr_of};
use crate::machine::Machine;

/// Values nested deeper than this are not taken apart.
const DEEPEST: u32 = 16;

/// A part of a value that has no parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub offset: u32,
    pub size: u32,
    pub of: Is,
}

/// What a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    /// A number that is no address.
    Number,
    /// An object of this type, or null.
    Object(TypeId),
    /// An address of something else.
    Address,
}

impl Machine {
    /// The leaves of a value of this type, sorted and apart; none if they are not known.
    pub(super) fn leaves_of_value(&self, ty: TypeId) -> Option<Vec<Leaf>> {
        let mut leaves = Vec::new();
        self.add_leaves(ty, 0, 0, &mut leaves)?;
        sorted_apart(leaves)
    }

    /// The leaves of an object of this class.
    pub(super) fn leaves_of_object(&self, ty: TypeId) -> Option<Vec<Leaf>> {
        if self.universe.is_value_type(ty) {
            return self.leaves_of_value(ty);
        }
        let mut leaves = Vec::new();
        self.add_fields_of(ty, 0, 0, &mut leaves)?;
        sorted_apart(leaves)
    }

    fn add_leaves(&self, ty: TypeId, at: u32, depth: u32, leaves: &mut Vec<Leaf>) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let plain = self.universe.enum_underlying(ty).ok()?.unwrap_or(ty);
        let size = repr_of(&self.universe, plain).ok()?.size();
        if is_object_reference(&self.universe, plain) {
            leaves.push(Leaf { offset: at, size, of: Is::Object(plain) });
            return Some(());
        }
        match self.universe.primitive(plain) {
            Some(Primitive::Void) => None,
            Some(Primitive::I | Primitive::U) => {
                leaves.push(Leaf { offset: at, size, of: Is::Address });
                Some(())
            }
            Some(_) => {
                leaves.push(Leaf { offset: at, size, of: Is::Number });
                Some(())
            }
            None if self.universe.is_value_type(plain) => self.add_fields_of(plain, at, depth, leaves),
            None => {
                leaves.push(Leaf { offset: at, size, of: Is::Address });
                Some(())
            }
        }
    }

    fn add_fields_of(&self, ty: TypeId, at: u32, depth: u32, leaves: &mut Vec<Leaf>) -> Option<()> {
        // The one field of an inline array stands for several.
        if self.universe.def_info(ty).is_some_and(|info| info.inline_array.is_some()) {
            return None;
        }
        for &(field, offset) in self.universe.layout(ty).ok()?.fields.iter() {
            self.add_leaves(self.universe.field_type(field).ok()?, at + offset, depth + 1, leaves)?;
        }
        Some(())
    }

    /// Whether values of a type are plain numbers.
    pub fn is_number_type(&self, ty: TypeId) -> bool {
        let leaves = self.leaves_of_value(ty);
        leaves.is_some_and(|leaves| matches!(leaves[..], [Leaf { of: Is::Number, .. }]))
    }

    /// The type of the elements if arrays of this type hold plain numbers only.
    pub(super) fn number_elements(&self, array: TypeId) -> Option<TypeId> {
        let Type::SzArray(element) = *self.universe.ty(array) else { return None };
        let plain = self.universe.enum_underlying(element).ok()?.unwrap_or(element);
        match self.universe.primitive(plain)? {
            Primitive::Void | Primitive::I | Primitive::U => None,
            // Whatever is stored there has eight bits.
            Primitive::Boolean => Some(self.universe.well_known().ok()?.byte),
            _ => Some(plain),
        }
    }
}

pub(super) fn sorted_apart(mut leaves: Vec<Leaf>) -> Option<Vec<Leaf>> {
    leaves.sort_unstable_by_key(|leaf| leaf.offset);
    let overlap = leaves.windows(2).any(|pair| pair[0].offset + pair[0].size > pair[1].offset);
    (!overlap).then_some(leaves)
}
