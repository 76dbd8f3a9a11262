//! Spans and what is like them as inputs: they cover a whole array; those of characters that cannot be written, a string.

use std::rc::Rc;

use types::TypeId;

use crate::bytes::{Bits, Bytes};
use crate::decode::repr_of;
use crate::heap::Sharing;
use crate::inputs::Input;
use crate::machine::Machine;
use crate::ops::ELEMENTS;
use crate::state::State;
use crate::value::Value;
use verdict::Gap;

/// A type over an array and its fields.
struct Shape {
    ty: &'static str,
    read_only: bool,
    array: &'static str,
    length: &'static str,
    /// The array's field is a pointer to the first element.
    points: bool,
}

const SHAPES: &[Shape] = &[
    Shape { ty: "System.Span`1", read_only: false, array: "_reference", length: "_length", points: true },
    Shape {
        ty: "System.ReadOnlySpan`1",
        read_only: true,
        array: "_reference",
        length: "_length",
        points: true,
    },
    Shape { ty: "System.Memory`1", read_only: false, array: "_object", length: "_length", points: false },
    Shape {
        ty: "System.ReadOnlyMemory`1",
        read_only: true,
        array: "_object",
        length: "_length",
        points: false,
    },
    Shape { ty: "System.ArraySegment`1", read_only: false, array: "_array", length: "_count", points: false },
];

impl Machine {
    /// `None` if the type is nothing of the kind.
    pub(super) fn make_span(
        &mut self,
        s: &mut State,
        ty: TypeId,
        name: &str,
    ) -> Result<Option<(Input, Value)>, Gap> {
        let universe = Rc::clone(&self.universe);
        let definition = universe.type_name(universe.definition(ty));
        let Some(shape) = SHAPES.iter().find(|shape| shape.ty == definition) else { return Ok(None) };
        let &[element] = universe.type_args(ty) else { return Ok(None) };
        if !shape.points {
            let detail =
                format!("only values of type {} over a whole array are tried", universe.type_name(ty));
            self.inputs.limit(Gap::bound(detail));
        }
        let known = universe.well_known()?;
        let is_text = shape.read_only && element == known.char;
        let backing = if is_text { known.string } else { universe.make_sz_array(element)? };
        let over = self.reference_symbol(backing, name);
        let block = self.materialize(s, over, backing)?;
        // Characters behind a span need not be those of a string, which never change.
        s.heap.share(block, Sharing::Input);
        let length = s.heap.get(block).and_then(|b| b.bytes.read(0, 4, &mut self.terms).ok());
        let first = match (shape.points, is_text) {
            (false, _) => 0,
            (true, true) => 4,
            (true, false) => u64::from(ELEMENTS),
        };
        let mut bytes = Bytes::zeroed(repr_of(&universe, ty)?.size() as usize);
        let fields =
            [(shape.array, 8, Some(Bits::Concrete(block.address() + first))), (shape.length, 4, length)];
        for (field, size, bits) in fields {
            let (Some(field), Some(bits)) = (universe.field_of_span(ty, field)?, bits) else {
                return Err(Gap::unsupported_input("the spans of this runtime"));
            };
            let offset = universe.field_offset(field)? as usize;
            let written = bytes.write(offset, size, bits, &mut self.terms);
            written.map_err(|_| Gap::internal_error("an input does not fit its place"))?;
        }
        Ok(Some((Input::Span { ty, over }, Value::Struct(Rc::new(bytes)))))
    }
}
