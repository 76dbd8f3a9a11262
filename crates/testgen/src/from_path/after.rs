//! How a path ended, and what the method changed.

use term::Symbol;
use types::{Type, TypeId};
use verdict::{Gap, Reason};
use vm::heap::{BlockKind, split_address};
use vm::inputs::Input;
use vm::{PathEnd, State};

use crate::from_path::data::Data;
use crate::from_path::unasserted::{drop_unsure, unsure, unsure_object};
use crate::from_path::{EndedPath, MAX_ELEMENTS, Writer, mocks, unknown};
use case::{
    After, ArgumentAfter, Array, Collection, Element, Expectation, FieldValue, Instance, Item, Object,
    ObjectKind, Outcome, Text, Thrown, Value,
};

pub(super) const MAX_OBJECTS: usize = 256;

impl Writer<'_> {
    pub(super) fn expectation(&mut self, path: EndedPath<'_>, before: &[Object]) -> Result<Expectation, Gap> {
        let state = path.state;
        let mut outcome = match path.end {
            PathEnd::Threw { ty, .. } => {
                Outcome::Throws(Thrown { ty: self.universe.type_name(*ty), message: None, at: None })
            }
            PathEnd::Returned(None) => Outcome::Void,
            PathEnd::Returned(Some(value)) => {
                let method = state.top.code.method;
                let ty = match state.top.code.consumed.and_then(|consumed| consumed.outcome) {
                    Some(ty) => ty,
                    None => self.universe.signature(method)?.ret,
                };
                Outcome::Returns(self.stack_value(state, ty, value)?)
            }
            PathEnd::Exited(_) => return Err(Gap::bound("the process exits")),
            PathEnd::Incomplete { gap, .. } => return Err(gap.clone()),
            PathEnd::Impossible => return Err(Gap::internal_error("inputs that nobody can make")),
        };
        let mut after = After::default();
        match &self.machine.inputs.this {
            Some(Input::ByRef { block, target }) => {
                let ty = vm::inputs::input_type(target);
                after.this = Some(self.location(state, block.address(), ty)?);
            }
            Some(Input::New { block, ty }) if !matches!(outcome, Outcome::Throws(_)) => {
                after.this = if self.universe.is_value_type(*ty) {
                    Some(self.location(state, block.address(), *ty)?)
                } else {
                    self.reference(state, block.address())?
                };
            }
            _ => {}
        }
        for (index, input) in self.machine.inputs.arguments.iter().enumerate() {
            if let Input::ByRef { block, target } = input {
                let ty = vm::inputs::input_type(target);
                let value = self.location(state, block.address(), ty)?;
                after.arguments.push(ArgumentAfter { index, value });
            }
        }
        for &(_, block) in state.path.origins.objects() {
            if self.ids.contains_key(&block.address()) {
                self.reference(state, block.address())?;
            }
        }
        if let Some(prepared) = path.prepared
            && let Some(Some(block)) = state.path.origins.resolution(prepared.reference)
            && self.ids.contains_key(&block.address())
        {
            self.reference(state, block.address())?;
        }
        after.statics = self.statics_after(state)?;
        after.objects = std::mem::take(&mut self.objects);
        drop_unsure(&mut outcome, &mut after);
        // Of the inputs, only what the method changed.
        after
            .objects
            .retain(|object| before.iter().find(|b| b.id == object.id).is_none_or(|b| changed(b, object)));
        if let Some(Input::Reference { symbol, .. }) = &self.machine.inputs.this
            && let Some(Some(block)) = state.path.origins.resolution(*symbol)
            && let Some(id) = self.ids.get(&block.address())
            && after.objects.iter().any(|object| object.id == *id)
        {
            after.this = Some(Value::Object(*id));
        }
        Ok(Expectation { outcome, after })
    }

    /// A value as it is on the evaluation stack.
    pub(super) fn stack_value(&mut self, state: &State, ty: TypeId, value: &vm::Value) -> Result<Value, Gap> {
        let bits = match value {
            vm::Value::I32(v) => u64::from(v.cast_unsigned()),
            vm::Value::I64(v) => v.cast_unsigned(),
            vm::Value::F32(v) => u64::from(v.to_bits()),
            vm::Value::F64(v) => v.to_bits(),
            vm::Value::Term(term) if self.machine.ambient_source(*term).is_some() => return Ok(unsure()),
            vm::Value::Term(term) => self.terms.eval(*term, &self.model).bits() as u64,
            vm::Value::Struct(bytes) => {
                let data = self.concrete(bytes);
                return self.structure(state, ty, &data);
            }
        };
        match self.universe.ty(ty) {
            Type::ByRef(target) => self.location(state, bits, *target),
            Type::Pointer(_) | Type::FnPtr(_) => Err(Gap::unsupported_input("a pointer is returned")),
            _ => self.value(state, ty, bits),
        }
    }

    fn location(&mut self, state: &State, address: u64, ty: TypeId) -> Result<Value, Gap> {
        let (block, offset) = split_address(address);
        let Some(block) = state.heap.get(block) else { return Err(unknown("a location that is gone")) };
        let data = self.block_data(block)?;
        self.at(state, ty, &data, offset as usize)
    }

    pub(super) fn at(&mut self, state: &State, ty: TypeId, data: &Data, offset: usize) -> Result<Value, Gap> {
        let size = self.universe.size_of(ty)? as usize;
        let slice = data.slice(offset, size).ok_or_else(|| unknown("the contents of formatted text"))?;
        if self.is_structure(ty)? {
            return self.structure(state, ty, &slice);
        }
        if slice.is_outside() {
            return Ok(unsure());
        }
        let mut bits = [0; 8];
        bits[..size.min(8)].copy_from_slice(&slice.bytes[..size.min(8)]);
        self.value(state, ty, u64::from_le_bytes(bits))
    }

    pub(super) fn is_structure(&self, ty: TypeId) -> Result<bool, Gap> {
        let plain = self.universe.enum_underlying(ty)?.unwrap_or(ty);
        Ok(self.universe.is_value_type(ty) && self.universe.primitive(plain).is_none())
    }

    fn structure(&mut self, state: &State, ty: TypeId, data: &Data) -> Result<Value, Gap> {
        if let Some(span) = self.span_after(state, ty, data)? {
            return Ok(span);
        }
        let mut fields = Vec::new();
        for &(field, offset) in self.universe.layout(ty)?.fields.iter() {
            let value = self.at(state, self.universe.field_type(field)?, data, offset as usize)?;
            fields.push(self.field_value(field, value));
        }
        Ok(Value::Struct { ty: self.universe.type_name(ty), fields })
    }

    fn value(&mut self, state: &State, ty: TypeId, bits: u64) -> Result<Value, Gap> {
        if let Some(value) = self.scalar(ty, bits)? {
            return Ok(value);
        }
        match self.reference(state, bits)? {
            Some(value) => Ok(value),
            None => Ok(Value::Null),
        }
    }

    /// An object, written into the table once; `None` is null.
    pub(super) fn reference(&mut self, state: &State, address: u64) -> Result<Option<Value>, Gap> {
        if address == 0 {
            return Ok(None);
        }
        if self.unseen.contains_key(&address) {
            return self.input_object(address).map(Some);
        }
        let (block, offset) = split_address(address);
        let Some(block) = state.heap.get(block).filter(|_| offset == 0) else {
            return Err(unknown("a reference into nowhere"));
        };
        let BlockKind::Object(ty) = block.kind else { return Err(unknown("a reference to no object")) };
        let written = self.objects.iter().any(|object| Some(&object.id) == self.ids.get(&address));
        let id = match self.ids.get(&address) {
            Some(id) if written => return Ok(Some(Value::Object(*id))),
            Some(id) => *id,
            None => self.new_id(address),
        };
        if self.objects.len() >= MAX_OBJECTS {
            return Err(Gap::bound("the result has too many objects"));
        }
        // What is too large to be written is not asserted.
        let data = match self.block_data(block) {
            Err(gap) if gap.reason == Reason::Bound => None,
            data => Some(data?),
        };
        let is_unmade =
            state.path.deferred.contains_key(&split_address(address).0) && self.machine.reads_ambient();
        // Reserve the place first: the object may refer to itself.
        let at = self.objects.len();
        self.objects.push(Object::string(id, &[]));
        let owner = state.path.origins.owner(split_address(address).0);
        let mock = owner.filter(|_| self.universe.is_mock(ty) || self.universe.is_delegate(ty));
        let kind = match (data, mock) {
            (Some(data), None) if let Some(prepared) = self.prepared_at(address) => {
                self.prepared_after(state, prepared, ty, &data)?
            }
            (Some(data), Some(owner)) => self.mock_after(state, owner, ty, &data)?,
            (Some(data), None) if !is_unmade => self.object(state, owner, ty, &data)?,
            _ => unsure_object(),
        };
        self.objects[at] = Object { id, kind };
        Ok(Some(Value::Object(id)))
    }

    fn object(
        &mut self,
        state: &State,
        owner: Option<Symbol>,
        ty: TypeId,
        data: &Data,
    ) -> Result<ObjectKind, Gap> {
        if self.universe.well_known()?.string == ty {
            if data.is_outside() {
                return Ok(unsure_object());
            }
            return text(&data.bytes)
                .map(ObjectKind::String)
                .ok_or_else(|| unknown("the contents of formatted text"));
        }
        if let Type::SzArray(element) = self.universe.ty(ty) {
            return self.array(state, ty, *element, data);
        }
        if let Type::Array { elem, rank } = *self.universe.ty(ty) {
            return self.grid(state, ty, elem, rank as usize, data);
        }
        if self.universe.is_value_type(ty) {
            let value = self.at(state, ty, data, 0)?;
            return Ok(ObjectKind::Boxed { value });
        }
        if self.machine.is_list(ty) {
            return self.list(state, ty, data);
        }
        let fields = self.fields_after(state, owner, ty, data)?;
        let ty = self.universe.type_name(ty);
        Ok(ObjectKind::Object(Instance { ty, construction: None, fields }))
    }

    pub(super) fn fields_after(
        &mut self,
        state: &State,
        owner: Option<Symbol>,
        ty: TypeId,
        data: &Data,
    ) -> Result<Vec<FieldValue>, Gap> {
        let mut fields = Vec::new();
        for &(field, offset) in self.universe.layout(ty)?.fields.iter() {
            // What the framework's own classes hold inside is not the caller's business.
            if self.machine.is_framework(self.universe.field(field).owner) {
                continue;
            }
            if self.is_left_free(owner, field, data, offset as usize)? {
                continue;
            }
            let ty = self.universe.field_type(field)?;
            if self.is_hidden(state, ty, data, offset as usize) {
                continue;
            }
            let value = self.at(state, ty, data, offset as usize)?;
            fields.push(self.field_value(field, value));
        }
        Ok(fields)
    }

    /// Whether an object in a field is of a class that only the framework knows: which one it takes may depend on the
    /// processor, and nobody outside can tell.
    fn is_hidden(&self, state: &State, ty: TypeId, data: &Data, offset: usize) -> bool {
        if self.universe.is_value_type(ty) {
            return false;
        }
        let place = data.slice(offset, 8).filter(|place| !place.is_outside());
        let address = place.and_then(|place| Some(u64::from_le_bytes(*place.bytes.first_chunk::<8>()?)));
        let block = address.and_then(|address| state.heap.get(split_address(address).0));
        let Some(BlockKind::Object(class)) = block.map(|block| block.kind) else { return false };
        self.machine.is_framework(class) && !self.universe.is_visible(self.universe.definition(class))
    }

    /// Whether a field of an input object was free before the call and nothing has changed it: nothing is said of it.
    fn is_left_free(
        &self,
        owner: Option<Symbol>,
        field: types::FieldId,
        data: &Data,
        offset: usize,
    ) -> Result<bool, Gap> {
        let input = owner.and_then(|owner| self.machine.inputs.fields.get(&(owner, field)));
        let Some(input) = input.filter(|input| self.is_free(input)) else { return Ok(false) };
        let size = self.universe.size_of(self.universe.field_type(field)?)? as usize;
        let before = self.input_bytes(input, size)?;
        Ok(data.slice(offset, size).is_some_and(|after| after.bytes == before.bytes))
    }

    /// An array of several dimensions: their lengths and lower bounds come before the elements.
    fn grid(
        &mut self,
        state: &State,
        ty: TypeId,
        element: TypeId,
        rank: usize,
        data: &Data,
    ) -> Result<ObjectKind, Gap> {
        let word = |place: usize| {
            let bytes = data.bytes.get(8 + 4 * place..).and_then(|rest| rest.first_chunk::<4>());
            bytes.map_or(0, |bytes| i32::from_le_bytes(*bytes))
        };
        let lengths: Vec<u32> = (0..rank).map(|d| word(d).cast_unsigned()).collect();
        let lower_bounds: Vec<i32> = (rank..2 * rank).map(word).collect();
        let count: u64 = lengths.iter().map(|length| u64::from(*length)).product();
        if count > u64::from(MAX_ELEMENTS) {
            return Ok(unsure_object());
        }
        let size = self.universe.size_of(element)? as usize;
        let mut elements = Vec::new();
        for number in 0..count as usize {
            let value = self.at(state, element, data, 8 + 8 * rank + number * size)?;
            let mut rest = number;
            let mut at = vec![0; rank];
            for dimension in (0..rank).rev() {
                let length = lengths[dimension] as usize;
                at[dimension] = (rest % length) as i32 + lower_bounds[dimension];
                rest /= length;
            }
            elements.push(Element { at, value });
        }
        let lower_bounds =
            if lower_bounds.iter().all(|bound| *bound == 0) { Vec::new() } else { lower_bounds };
        let ty = self.universe.type_name(ty);
        Ok(ObjectKind::Array(Array { ty, lengths, lower_bounds, elements }))
    }

    /// A list by its items.
    fn list(&mut self, state: &State, ty: TypeId, data: &Data) -> Result<ObjectKind, Gap> {
        let mut unsure = false;
        let mut word = |name: &str| -> Result<u64, Gap> {
            let field =
                self.universe.find_field(ty, name)?.ok_or_else(|| unknown("a list of this runtime"))?;
            let start = self.universe.field_offset(field)? as usize;
            let size = self.universe.size_of(self.universe.field_type(field)?)? as usize;
            let mut bytes = [0; 8];
            let place = data.slice(start, size).ok_or_else(|| unknown("a list of this runtime"))?;
            unsure |= place.is_outside();
            bytes[..size].copy_from_slice(&place.bytes);
            Ok(u64::from_le_bytes(bytes))
        };
        let (array, count) = (word("_items")?, word("_size")? as u32);
        if unsure {
            return Ok(unsure_object());
        }
        let (block, _) = split_address(array);
        let Some(block) = state.heap.get(block) else { return Err(unknown("a list without an array")) };
        let Some(&element) = self.universe.type_args(ty).first() else {
            return Err(unknown("a list of nothing"));
        };
        let elements = self.block_data(block)?;
        let size = self.universe.size_of(element)? as usize;
        let mut items = Vec::new();
        for index in 0..count.min(MAX_ELEMENTS) as usize {
            let value = self.at(state, element, &elements, 8 + index * size)?;
            items.push(Item { key: None, value });
        }
        Ok(ObjectKind::Collection(Collection { ty: self.universe.type_name(ty), items }))
    }

    fn array(&mut self, state: &State, ty: TypeId, element: TypeId, data: &Data) -> Result<ObjectKind, Gap> {
        if data.slice(0, 4).is_none_or(|length| length.is_outside()) {
            return Ok(unsure_object());
        }
        let len = data.length();
        if len > MAX_ELEMENTS {
            return Ok(unsure_object());
        }
        let size = self.universe.size_of(element)? as usize;
        let mut elements = Vec::new();
        for i in 0..len {
            let value = self.at(state, element, data, 8 + i as usize * size)?;
            elements.push(Element { at: vec![i.cast_signed()], value });
        }
        let ty = self.universe.type_name(ty);
        Ok(ObjectKind::Array(Array { ty, lengths: vec![len], lower_bounds: Vec::new(), elements }))
    }
}

/// Whether an object is not as it was. Fields that the input does not list had their default value.
fn changed(before: &Object, after: &Object) -> bool {
    if let (ObjectKind::Array(old), ObjectKind::Array(new)) = (&before.kind, &after.kind) {
        let old =
            |at: &[i32]| old.elements.iter().find(|element| element.at == at).map(|element| &element.value);
        return new.elements.iter().any(|element| match old(&element.at) {
            Some(value) => *value != element.value,
            None => !case::construct::is_default(&element.value),
        });
    }
    if let (ObjectKind::Mock(old), ObjectKind::Mock(new)) = (&before.kind, &after.kind) {
        return mocks::changed(old, new);
    }
    let (ObjectKind::Object(old), ObjectKind::Object(new)) = (&before.kind, &after.kind) else {
        return before.kind != after.kind;
    };
    new.fields.iter().any(|field| {
        let same = |f: &&FieldValue| f.name == field.name && f.declaring == field.declaring;
        match old.fields.iter().find(same) {
            Some(f) => f.value != field.value,
            None => !case::construct::is_default(&field.value),
        }
    })
}

pub(super) fn text(data: &[u8]) -> Option<Text> {
    let len = u32::from_le_bytes(*data.first_chunk::<4>()?) as usize;
    let units = data.get(4..4 + 2 * len)?;
    Some(Text(units.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()))
}
