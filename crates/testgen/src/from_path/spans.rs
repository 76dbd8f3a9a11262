//! Spans and memories that come out of a call: what they show, since what is behind them is out of sight.

use case::{Array, Element, Object, ObjectId, ObjectKind, Span, Value};
use types::TypeId;
use verdict::Gap;
use vm::State;
use vm::heap::split_address;

use crate::from_path::after::MAX_OBJECTS;
use crate::from_path::data::Data;
use crate::from_path::unasserted::unsure;
use crate::from_path::{MAX_ELEMENTS, Writer, unknown};

/// What can be said of a span or a memory.
enum Seen {
    Span(Span),
    /// It depends on what is outside, or is too long.
    Unsure,
    /// A memory over an object that manages it is told by its fields.
    Fields,
}

/// A memory marks by its top bit that what it is over stays in its place.
const INDEX_BITS: u64 = 0x7fff_ffff;

impl Writer<'_> {
    /// A span or a memory; `None` for any other structure.
    pub(super) fn span_after(
        &mut self,
        state: &State,
        ty: TypeId,
        data: &Data,
    ) -> Result<Option<Value>, Gap> {
        let name = self.universe.type_name(self.universe.definition(ty));
        let (first, is_memory) = match &*name {
            "System.Span`1" | "System.ReadOnlySpan`1" => ("_reference", false),
            "System.Memory`1" | "System.ReadOnlyMemory`1" => ("_object", true),
            _ => return Ok(None),
        };
        let &[element] = self.universe.type_args(ty) else { return Ok(None) };
        let words = (self.word(ty, first, data)?, self.word(ty, "_length", data)?);
        let (Some(first), Some(length)) = words else { return Ok(Some(unsure())) };
        let length = length as u32;
        let seen = if is_memory {
            let Some(start) = self.word(ty, "_index", data)? else { return Ok(Some(unsure())) };
            self.memory(state, first, (start & INDEX_BITS) as u32, length)?
        } else {
            self.shown(state, element, first, length)?
        };
        Ok(match seen {
            Seen::Span(span) => Some(Value::Span { ty: self.universe.type_name(ty), span }),
            Seen::Unsure => Some(unsure()),
            Seen::Fields => None,
        })
    }

    /// A number of a structure; `None` if it depends on what is outside.
    fn word(&self, ty: TypeId, field: &str, data: &Data) -> Result<Option<u64>, Gap> {
        let there = || unknown("a span of this runtime");
        let field = self.universe.field_of_span(ty, field)?.ok_or_else(there)?;
        let start = self.universe.field_offset(field)? as usize;
        let size = self.universe.size_of(self.universe.field_type(field)?)? as usize;
        let place = data.slice(start, size).ok_or_else(there)?;
        if place.is_outside() {
            return Ok(None);
        }
        let mut bytes = [0; 8];
        bytes.iter_mut().zip(&place.bytes).for_each(|(to, from)| *to = *from);
        Ok(Some(u64::from_le_bytes(bytes)))
    }

    /// A memory is over a string or an array, which are objects.
    fn memory(&mut self, state: &State, object: u64, start: u32, length: u32) -> Result<Seen, Gap> {
        let over = match self.reference(state, object)? {
            None => None,
            Some(Value::Object(id)) => Some(id),
            Some(_) => return Ok(Seen::Unsure),
        };
        let kind = over.and_then(|id| self.objects.iter().find(|object| object.id == id));
        let is_manager =
            kind.is_some_and(|object| !matches!(object.kind, ObjectKind::String(_) | ObjectKind::Array(_)));
        Ok(if is_manager { Seen::Fields } else { Seen::Span(Span { over, start, length }) })
    }

    /// What a span shows, as an array of its own.
    fn shown(&mut self, state: &State, element: TypeId, first: u64, length: u32) -> Result<Seen, Gap> {
        if length == 0 {
            return Ok(Seen::Span(Span::default()));
        }
        if length > MAX_ELEMENTS {
            return Ok(Seen::Unsure);
        }
        if self.objects.len() >= MAX_OBJECTS {
            return Err(Gap::bound("the result has too many objects"));
        }
        let (block, offset) = split_address(first);
        let Some(block) = state.heap.get(block) else { return Err(unknown("a location that is gone")) };
        let data = self.block_data(block)?;
        let size = self.universe.size_of(element)? as usize;
        let mut elements = Vec::new();
        for index in 0..length {
            let value = self.at(state, element, &data, offset as usize + index as usize * size)?;
            elements.push(Element { at: vec![index.cast_signed()], value });
        }
        let ty = self.universe.type_name(self.universe.make_sz_array(element)?);
        let array = Array { ty, lengths: vec![length], lower_bounds: Vec::new(), elements };
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.objects.push(Object { id, kind: ObjectKind::Array(array) });
        Ok(Seen::Span(Span { over: Some(id), start: 0, length }))
    }
}
