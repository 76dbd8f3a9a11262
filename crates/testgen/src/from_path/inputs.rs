//! What the inputs of a path are before the call.

use std::collections::BTreeMap;

use term::Symbol;
use types::{Type, TypeId};
use verdict::Gap;
use vm::cells::ArrayInput;
use vm::heap::{BlockKind, split_address};
use vm::inputs::Input;
use vm::inputs::contents::Contents;
use vm::inputs::grids::indexes;

use crate::from_path::{MAX_ELEMENTS, Writer, not_scalar};
use case::{
    Array, Collection, Element, FieldValue, Instance, Item, Object, ObjectKind, Primitive, Span, Text, Value,
};

/// Larger inputs are not made.
const MAX_ARRAY_BYTES: u64 = 256 << 20;
const MAX_TEXT: u32 = 1 << 20;

impl Writer<'_> {
    pub(super) fn input(&mut self, input: &Input) -> Result<Value, Gap> {
        match input {
            Input::Scalar { ty, symbol } => {
                let bits = self.model.get(*symbol).map_or(0, |constant| constant.bits());
                self.scalar(*ty, bits as u64)?.ok_or_else(|| not_scalar(self.universe, *ty))
            }
            Input::Reference { symbol, .. } => {
                let address = self.model.get(*symbol).map_or(0, |constant| constant.bits());
                self.input_object(address as u64)
            }
            Input::Struct { ty, fields } => {
                let fields = self.input_fields(fields)?;
                Ok(Value::Struct { ty: self.universe.type_name(*ty), fields })
            }
            Input::Computed { ty, fields } => {
                let mut written = Vec::new();
                for (field, term) in fields {
                    let bits = self.terms.eval(*term, &self.model).bits() as u64;
                    let ty = self.universe.field_type(*field)?;
                    let value = self.computed(ty, bits)?;
                    written.push(self.field_value(*field, value));
                }
                Ok(Value::Struct { ty: self.universe.type_name(*ty), fields: written })
            }
            Input::Span { ty, over } => {
                let address = self.model.get(*over).map_or(0, |constant| constant.bits() as u64);
                let over = self.input_object(address)?;
                let length = match self.objects.iter().find(|object| over == Value::Object(object.id)) {
                    Some(Object { kind: ObjectKind::String(text), .. }) => text.0.len() as u32,
                    Some(Object { kind: ObjectKind::Array(array), .. }) => array.lengths[0],
                    _ => 0,
                };
                if self.universe.type_name(*ty).starts_with("System.ArraySegment`1") {
                    return self.segment(*ty, over, length);
                }
                let over = if let Value::Object(id) = over { Some(id) } else { None };
                Ok(Value::Span { ty: self.universe.type_name(*ty), span: Span { over, start: 0, length } })
            }
            Input::ByRef { target, .. } => self.input(target),
            Input::New { .. } => Err(Gap::internal_error("a constructor's object is no input")),
        }
    }

    /// A scalar, or a struct around one.
    fn computed(&self, ty: TypeId, bits: u64) -> Result<Value, Gap> {
        if let Some(value) = self.scalar(ty, bits)? {
            return Ok(value);
        }
        let [(field, _)] = self.universe.layout(ty)?.fields[..] else {
            return Err(not_scalar(self.universe, ty));
        };
        let value = self.computed(self.universe.field_type(field)?, bits)?;
        let fields = vec![self.field_value(field, value)];
        Ok(Value::Struct { ty: self.universe.type_name(ty), fields })
    }

    /// The segment over all elements of an array.
    fn segment(&self, ty: TypeId, over: Value, length: u32) -> Result<Value, Gap> {
        let mut fields = Vec::new();
        let parts =
            [("_array", over), ("_offset", Value::int32(0)), ("_count", Value::int32(length.cast_signed()))];
        for (name, value) in parts {
            if let Some(field) = self.universe.find_field(ty, name)? {
                fields.push(self.field_value(field, value));
            }
        }
        Ok(Value::Struct { ty: self.universe.type_name(ty), fields })
    }

    /// An input object as it was before the call, written into the table once.
    pub(super) fn input_object(&mut self, address: u64) -> Result<Value, Gap> {
        if address == 0 {
            return Ok(Value::Null);
        }
        if let Some(id) = self.ids.get(&address) {
            return Ok(Value::Object(*id));
        }
        let id = self.new_id(address);
        // Reserve the place first: the object may refer to itself.
        let at = self.objects.len();
        self.objects.push(Object::string(id, &[]));
        let kind = match (self.unseen.get(&address), self.prepared_at(address)) {
            (Some(&ty), _) => self.any_object(ty)?,
            (None, Some(prepared)) => self.prepared_object(prepared)?,
            (None, None) => self.seen_object(address)?,
        };
        self.objects[at] = Object { id, kind };
        Ok(Value::Object(id))
    }

    pub(super) fn seen_object(&mut self, address: u64) -> Result<ObjectKind, Gap> {
        let (block, _) = split_address(address);
        let kind = self.state.heap.get(block).map(|block| block.kind);
        let (Some(BlockKind::Object(exact)), Some(owner)) = (kind, self.state.path.origins.owner(block))
        else {
            return Err(Gap::internal_error("an input object without an owner"));
        };
        let making = self.state.path.origins.making(owner);
        let exact = making.map_or(exact, |(ty, _)| ty);
        let Some(contents) = self.machine.inputs.contents_of(owner, exact).cloned() else {
            return Err(Gap::internal_error("an input object without contents"));
        };
        match &*contents {
            Contents::Delegate { ty } => self.input_mock(owner, *ty, &[]),
            Contents::Fields { ty, fields } if self.universe.is_mock(*ty) => {
                self.input_mock(owner, *ty, fields)
            }
            Contents::Fields { ty, fields } => {
                let fields = self.needed_fields(fields)?;
                let ty = self.universe.type_name(*ty);
                Ok(ObjectKind::Object(Instance { ty, construction: None, fields }))
            }
            Contents::Grid { ty, .. } => self.input_grid(owner, *ty),
            Contents::Boxed { value, .. } => Ok(ObjectKind::Boxed { value: self.input(value)? }),
            Contents::List { ty, items, array } => {
                let Some(contents) = self.machine.inputs.contents_of(*items, *array).cloned() else {
                    return Err(Gap::internal_error("a list without an array"));
                };
                let Contents::Array { element, length, .. } = &*contents else {
                    return Err(Gap::internal_error("a list over something else"));
                };
                let length = self.model.get(*length).map_or(0, |constant| constant.bits() as u32);
                if length > MAX_ELEMENTS {
                    return Err(Gap::bound(format!("a list of {length} items would be needed")));
                }
                let mut listed =
                    self.input_elements(ArrayInput { owner: *items, element: *element }, length)?;
                let mut all = Vec::new();
                for index in 0..length {
                    let value = match listed.remove(&index) {
                        Some(value) => value,
                        None => self.default_value(*element)?,
                    };
                    all.push(Item { key: None, value });
                }
                Ok(ObjectKind::Collection(Collection { ty: self.universe.type_name(*ty), items: all }))
            }
            Contents::Filled { ty, items } => {
                let count = self.state.path.origins.count(owner) as usize;
                let mut all = Vec::new();
                for item in items.iter().take(count) {
                    let mut parts =
                        item.iter().map(|input| self.input(input)).collect::<Result<Vec<_>, _>>()?;
                    let value = parts.pop().unwrap_or(Value::Null);
                    all.push(Item { key: parts.pop(), value });
                }
                self.as_enumerated(&mut all, *ty);
                Ok(ObjectKind::Collection(Collection { ty: self.universe.type_name(*ty), items: all }))
            }
            Contents::Made { ty, ways } => {
                let way = making.and_then(|(_, way)| ways.get(way as usize));
                let way = way.ok_or_else(|| Gap::internal_error("an object that nobody made"))?;
                self.made(*ty, way)
            }
            Contents::Array { ty, element, length } => {
                let length = self.model.get(*length).map_or(0, |constant| constant.bits() as u32);
                self.input_array(owner, *ty, *element, length)
            }
        }
    }

    /// An input array or string: the elements that some path looked at, as far as they are within its length.
    fn input_array(
        &mut self,
        owner: Symbol,
        ty: TypeId,
        element: TypeId,
        length: u32,
    ) -> Result<ObjectKind, Gap> {
        let mut elements = self.input_elements(ArrayInput { owner, element }, length)?;
        elements.retain(|_, value| !case::construct::is_default(value));
        if self.universe.well_known()?.string == ty {
            let mut units = vec![0; text_length(length)?];
            for (index, value) in elements {
                if let Value::Primitive(Primitive::Char(unit)) = value {
                    units[index as usize] = unit;
                }
            }
            return Ok(ObjectKind::String(Text(units)));
        }
        let size = u64::from(self.universe.size_of(element)?);
        if u64::from(length) * size > MAX_ARRAY_BYTES {
            return Err(Gap::bound(format!("an array of {length} elements would be needed")));
        }
        let element = |(index, value): (u32, Value)| Element { at: vec![index.cast_signed()], value };
        let elements = elements.into_iter().map(element).collect();
        let ty = self.universe.type_name(ty);
        Ok(ObjectKind::Array(Array { ty, lengths: vec![length], lower_bounds: Vec::new(), elements }))
    }

    fn input_grid(&mut self, owner: Symbol, ty: TypeId) -> Result<ObjectKind, Gap> {
        let Type::Array { rank, elem } = *self.universe.ty(ty) else {
            return Err(Gap::internal_error("no array of several dimensions"));
        };
        let array = ArrayInput { owner, element: elem };
        let shape = self.state.path.origins.shape(owner);
        let machine = self.machine;
        let mut elements = Vec::new();
        for (at, number) in indexes(shape, rank as usize) {
            if let Some((_, input)) = machine.inputs.elements_of(array).find(|(n, _)| **n == number) {
                let value = self.input(input)?;
                if !case::construct::is_default(&value) {
                    elements.push(Element { at, value });
                }
            }
        }
        let lengths = shape.iter().take(rank as usize).map(|length| u32::from(*length)).collect();
        let ty = self.universe.type_name(ty);
        Ok(ObjectKind::Array(Array { ty, lengths, lower_bounds: Vec::new(), elements }))
    }

    /// The elements of an input array that some path looked at, by index.
    fn input_elements(&mut self, array: ArrayInput, length: u32) -> Result<BTreeMap<u32, Value>, Gap> {
        let mut elements = BTreeMap::new();
        let machine = self.machine;
        for read in self.state.path.reads.of(array.owner) {
            let index = self.terms.eval(read.index, &self.model).bits() as u32;
            if !read.known.contains(&index) && !elements.contains_key(&index) {
                elements.insert(index, self.input(&read.input)?);
            }
        }
        for (&index, input) in machine.inputs.elements_of(array) {
            if index < length && !elements.contains_key(&index) {
                let value = self.input(input)?;
                elements.insert(index, value);
            }
        }
        elements.retain(|index, _| *index < length);
        Ok(elements)
    }

    /// The items in the order in which a collection enumerates them. A later value replaces that of the same key, an item
    /// that a set has already is not added again, a stack gives what was pushed last first.
    fn as_enumerated(&self, items: &mut Vec<Item>, ty: TypeId) {
        let name = self.universe.type_name(self.universe.definition(ty));
        let mut kept: Vec<Item> = Vec::new();
        for item in items.drain(..) {
            let is_set = name.ends_with("Set`1");
            let same = |other: &Item| match &item.key {
                Some(_) => self.same_value(other.key.as_ref(), item.key.as_ref()),
                None => is_set && self.same_value(Some(&other.value), Some(&item.value)),
            };
            match kept.iter().position(same) {
                Some(at) if item.key.is_some() => kept[at].value = item.value,
                Some(_) => {}
                None => kept.push(item),
            }
        }
        if name.ends_with(".Stack`1") {
            kept.reverse();
        }
        *items = kept;
    }

    /// Whether two keys are the same to a collection: by value, strings by their text.
    fn same_value(&self, a: Option<&Value>, b: Option<&Value>) -> bool {
        let text = |value: Option<&Value>| match value {
            Some(Value::Object(id)) => {
                self.objects.iter().find(|object| object.id == *id).and_then(|o| match &o.kind {
                    ObjectKind::String(text) => Some(text.clone()),
                    _ => None,
                })
            }
            _ => None,
        };
        a == b || text(a).is_some() && text(a) == text(b)
    }

    pub(super) fn default_value(&self, ty: TypeId) -> Result<Value, Gap> {
        if let Some(value) = self.scalar(ty, 0)? {
            return Ok(value);
        }
        if !self.universe.is_value_type(ty) {
            return Ok(Value::Null);
        }
        Ok(Value::Struct { ty: self.universe.type_name(ty), fields: Vec::new() })
    }

    /// Any object will do: nothing on the path looked into it.
    pub(super) fn any_object(&mut self, ty: TypeId) -> Result<ObjectKind, Gap> {
        if let Some(gap) = self.machine.why_not_made(ty) {
            return Err(gap);
        }
        let Some(exact) = self.machine.candidates(ty)?.first().copied() else {
            return Ok(ObjectKind::Mock(self.plain_mock(self.machine.mock_of(ty)?)?));
        };
        if self.universe.well_known()?.string == exact {
            return Ok(ObjectKind::String(Text(Vec::new())));
        }
        if let Some(made) = self.any_made(exact)? {
            return Ok(made);
        }
        let ty = self.universe.type_name(exact);
        if self.universe.array_element(exact).is_some() {
            let (lengths, lower_bounds, elements) = (vec![0], Vec::new(), Vec::new());
            return Ok(ObjectKind::Array(Array { ty, lengths, lower_bounds, elements }));
        }
        Ok(ObjectKind::Object(Instance { ty, construction: None, fields: Vec::new() }))
    }

    /// Of the fields of an object, those that matter. The others are free.
    pub(super) fn needed_fields(
        &mut self,
        fields: &[(types::FieldId, Input)],
    ) -> Result<Vec<FieldValue>, Gap> {
        let needed: Vec<_> = fields.iter().filter(|(_, input)| !self.is_free(input)).cloned().collect();
        self.input_fields(&needed)
    }

    /// Whether the path does not depend on an input.
    pub(super) fn is_free(&self, input: &Input) -> bool {
        self.footprint.is_some_and(|footprint| !self.machine.depends_on(self.state, footprint, input))
    }

    pub(super) fn input_fields(
        &mut self,
        fields: &[(types::FieldId, Input)],
    ) -> Result<Vec<FieldValue>, Gap> {
        let mut written = Vec::new();
        for (field, input) in fields {
            let value = self.input(input)?;
            written.push(self.field_value(*field, value));
        }
        Ok(written)
    }
}

fn text_length(length: u32) -> Result<usize, Gap> {
    if length > MAX_TEXT {
        return Err(Gap::bound(format!("a string of {length} characters would be needed")));
    }
    Ok(length as usize)
}
