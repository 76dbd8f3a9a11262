//! Where the objects of a type keep references.

use std::rc::Rc;

use types::{Primitive, Type, TypeId};

use crate::decode::{is_object_reference, repr_of};
use crate::machine::Machine;
use crate::ops::ELEMENTS;
use crate::value::Repr;

#[derive(Clone, Debug)]
pub enum ReferenceOffsets {
    /// Nowhere: strings, boxed numbers, arrays of numbers.
    Plain,
    /// At these offsets.
    Object(Rc<[u32]>),
    /// At these offsets of every element.
    Array { first: u32, stride: u32, offsets: Rc<[u32]> },
    /// Perhaps in every word.
    Unknown,
}

impl Machine {
    pub(super) fn shape_of(&mut self, ty: TypeId) -> ReferenceOffsets {
        if let Some(known) = self.layouts.references.get(&ty) {
            return known.clone();
        }
        let shape = self.make_shape(ty).unwrap_or(ReferenceOffsets::Unknown);
        self.layouts.references.insert(ty, shape.clone());
        shape
    }

    /// None if the fields do not resolve.
    fn make_shape(&self, ty: TypeId) -> Option<ReferenceOffsets> {
        let (element, first) = match *self.universe.ty(ty) {
            Type::SzArray(element) => (element, ELEMENTS),
            Type::Array { elem: element, rank } => (element, ELEMENTS + 8 * rank),
            _ => {
                let is_string = self.universe.well_known().is_ok_and(|known| known.string == ty);
                let mut offsets = Vec::new();
                let mut class = Some(ty).filter(|_| !is_string);
                while let Some(ty) = class {
                    self.add_fields(ty, 0, &mut offsets)?;
                    class = self.universe.base(ty).ok()?;
                }
                return Some(if offsets.is_empty() {
                    ReferenceOffsets::Plain
                } else {
                    ReferenceOffsets::Object(offsets.into())
                });
            }
        };
        let mut offsets = Vec::new();
        self.add_value(element, 0, &mut offsets)?;
        let stride = repr_of(&self.universe, element).ok()?.size();
        Some(match offsets.is_empty() {
            true => ReferenceOffsets::Plain,
            false => ReferenceOffsets::Array { first, stride, offsets: offsets.into() },
        })
    }

    /// A value of the type at this offset.
    fn add_value(&self, ty: TypeId, at: u32, offsets: &mut Vec<u32>) -> Option<()> {
        if is_object_reference(&self.universe, ty) {
            offsets.push(at);
            return Some(());
        }
        match (repr_of(&self.universe, ty).ok()?, self.universe.primitive(ty)) {
            // The class library keeps references in what it calls a native integer or a pointer.
            (Repr::I8, Some(Primitive::I8 | Primitive::U8)) => {}
            (Repr::I8 | Repr::Ref, _) => offsets.push(at),
            (Repr::Struct { size }, _) => {
                let before = offsets.len();
                self.add_fields(ty, at, offsets)?;
                self.repeat_inline(ty, size, before, offsets)?;
            }
            _ => {}
        }
        Some(())
    }

    fn add_fields(&self, ty: TypeId, at: u32, offsets: &mut Vec<u32>) -> Option<()> {
        for &field in self.universe.fields(ty).ok()? {
            if !self.universe.field(field).is_static() {
                let offset = self.universe.field_offset(field).ok()?;
                self.add_value(self.universe.field_type(field).ok()?, at + offset, offsets)?;
            }
        }
        Some(())
    }

    /// The one field of an inline array stands for several.
    fn repeat_inline(&self, ty: TypeId, size: u32, before: usize, offsets: &mut Vec<u32>) -> Option<()> {
        let fields = self.universe.fields(ty).ok()?;
        let mut fields = fields.iter().filter(|field| !self.universe.field(**field).is_static());
        let (Some(field), None) = (fields.next(), fields.next()) else { return Some(()) };
        let one = repr_of(&self.universe, self.universe.field_type(*field).ok()?).ok()?.size().max(1);
        let first: Vec<u32> = offsets.get(before..)?.to_vec();
        for start in (one..size.saturating_sub(one - 1)).step_by(one as usize) {
            offsets.extend(first.iter().map(|offset| offset + start));
        }
        Some(())
    }
}
