//! Static fields around a call: what a test sets up, what it puts back, and what the method left in them.
//!
//! Only plain data is written: numbers, text, null, and structs of these. An object behind a static field may be known to
//! others under another name, and a copy of it would be another object.

use case::{Object, ObjectId, StaticAfter, StaticBefore, Text, Value};
use types::TypeId;
use verdict::Gap;
use vm::heap::{BlockKind, Heap, split_address};
use vm::{State, TouchedStatic};

use crate::from_path::Writer;
use crate::from_path::after::text;
use crate::from_path::data::Data;

/// Static fields as a case has them before the call.
#[derive(Default)]
pub(super) struct StaticInputs {
    pub fields: Vec<StaticBefore>,
    /// Those that the path looked at and that no value can be written for.
    pub unsettable: Vec<String>,
}

impl Writer<'_> {
    pub(super) fn static_inputs(&mut self, state: &State) -> Result<StaticInputs, Gap> {
        let mut inputs = StaticInputs::default();
        for touched in state.statics.touched() {
            let value = match touched.read && !touched.readonly {
                true => self.static_value(touched)?,
                false => None,
            };
            let declaring = self.universe.type_name(touched.owner);
            let name = self.universe.field(touched.field).name.to_string();
            if touched.read && value.is_none() {
                inputs.unsettable.push(format!("{declaring}.{name}"));
            }
            let field = StaticBefore { declaring, name, value, elements: false };
            if self.has_changed_elements(touched, state)? {
                inputs.fields.push(StaticBefore { value: None, elements: true, ..field.clone() });
            }
            if field.value.is_some() || self.is_left_changed(touched, state)? {
                inputs.fields.push(field);
            }
        }
        Ok(inputs)
    }

    /// What the method left in the static fields that it wrote, as far as it can be said.
    pub(super) fn statics_after(&mut self, state: &State) -> Result<Vec<StaticAfter>, Gap> {
        let mut after = Vec::new();
        for touched in state.statics.touched() {
            if !self.is_left_changed(touched, state)? {
                continue;
            }
            let Some(now) = self.now(touched, state)? else { continue };
            let ty = self.universe.field_type(touched.field)?;
            if let Some(value) = self.plain_data(ty, &now, &state.heap)? {
                let declaring = self.universe.type_name(touched.owner);
                let name = self.universe.field(touched.field).name.to_string();
                after.push(StaticAfter { declaring, name, value });
            }
        }
        Ok(after)
    }

    /// Whether the next test would find something else in the field, or might. One that was only handed on by its address
    /// has changed if its contents have.
    fn is_left_changed(&self, touched: &TouchedStatic, state: &State) -> Result<bool, Gap> {
        if touched.written || !touched.exposed || touched.readonly {
            return Ok(touched.written);
        }
        let before = self.location_data(touched, &touched.memory)?;
        let now = self.now(touched, state)?;
        Ok(match (before, now) {
            (Some(before), Some(now)) => before.bytes != now.bytes,
            _ => true,
        })
    }

    /// Whether the method stored into the array that was in the field.
    fn has_changed_elements(&self, touched: &TouchedStatic, state: &State) -> Result<bool, Gap> {
        let vm::Value::I64(address) = touched.first else { return Ok(false) };
        let (id, _) = split_address(address.cast_unsigned());
        let (Some(before), Some(now)) = (touched.memory.get(id), state.heap.get(id)) else {
            return Ok(false);
        };
        let BlockKind::Object(ty) = before.kind else { return Ok(false) };
        if self.universe.array_element(ty).is_none() {
            return Ok(false);
        }
        Ok(match (self.block_data(before), self.block_data(now)) {
            (Ok(before), Ok(now)) => before.bytes != now.bytes,
            // Too large to be compared.
            _ => true,
        })
    }

    fn now(&self, touched: &TouchedStatic, state: &State) -> Result<Option<Data>, Gap> {
        self.location_data(touched, &state.heap)
    }

    fn location_data(&self, touched: &TouchedStatic, memory: &Heap) -> Result<Option<Data>, Gap> {
        let (block, offset) = split_address(touched.address);
        let Some(block) = memory.get(block) else { return Ok(None) };
        let size = self.universe.size_of(self.universe.field_type(touched.field)?)? as usize;
        Ok(self.concrete(&block.bytes).slice(offset as usize, size))
    }

    fn static_value(&mut self, touched: &TouchedStatic) -> Result<Option<Value>, Gap> {
        let memory = &touched.memory;
        let ty = self.universe.field_type(touched.field)?;
        let bits = match &touched.first {
            vm::Value::Term(term) if self.machine.ambient_source(*term).is_some() => return Ok(None),
            vm::Value::Struct(bytes) => {
                let data = self.concrete(bytes);
                return self.plain_data(ty, &data, memory);
            }
            vm::Value::I32(v) => u64::from(v.cast_unsigned()),
            vm::Value::I64(v) => v.cast_unsigned(),
            vm::Value::F32(v) => u64::from(v.to_bits()),
            vm::Value::F64(v) => v.to_bits(),
            vm::Value::Term(term) => self.terms.eval(*term, &self.model).bits() as u64,
        };
        self.plain_bits(ty, bits, memory)
    }

    /// A number, text, null, or a struct of these; an object that the case has already is itself.
    fn plain_data(&mut self, ty: TypeId, data: &Data, memory: &Heap) -> Result<Option<Value>, Gap> {
        if data.is_outside() {
            return Ok(None);
        }
        if !self.is_structure(ty)? {
            let mut bits = [0; 8];
            let size = data.bytes.len().min(8);
            bits[..size].copy_from_slice(&data.bytes[..size]);
            return self.plain_bits(ty, u64::from_le_bytes(bits), memory);
        }
        let mut fields = Vec::new();
        for &(field, offset) in self.universe.layout(ty)?.fields.iter() {
            let inner = self.universe.field_type(field)?;
            let size = self.universe.size_of(inner)? as usize;
            let Some(part) = data.slice(offset as usize, size) else { return Ok(None) };
            let Some(value) = self.plain_data(inner, &part, memory)? else { return Ok(None) };
            fields.push(self.field_value(field, value));
        }
        Ok(Some(Value::Struct { ty: self.universe.type_name(ty), fields }))
    }

    fn plain_bits(&mut self, ty: TypeId, bits: u64, memory: &Heap) -> Result<Option<Value>, Gap> {
        if let Some(value) = self.scalar(ty, bits)? {
            return Ok(Some(value));
        }
        if !self.universe.is_reference(ty) {
            return Ok(None);
        }
        if bits == 0 {
            return Ok(Some(Value::Null));
        }
        if let Some(id) = self.ids.get(&bits) {
            return Ok(Some(Value::Object(*id)));
        }
        Ok(self.plain_text(bits, memory)?.map(|text| Value::Object(self.add_text(bits, text))))
    }

    fn plain_text(&self, address: u64, memory: &Heap) -> Result<Option<Text>, Gap> {
        let (block, offset) = split_address(address);
        let Some(block) = memory.get(block).filter(|_| offset == 0) else { return Ok(None) };
        if block.kind != BlockKind::Object(self.universe.well_known()?.string) {
            return Ok(None);
        }
        // Text that nobody has made yet.
        if self.state.path.deferred.contains_key(&split_address(address).0) {
            return Ok(None);
        }
        let data = self.block_data(block)?;
        Ok(text(&data.bytes).filter(|_| !data.is_outside()))
    }

    fn add_text(&mut self, address: u64, text: Text) -> ObjectId {
        let id = self.new_id(address);
        self.objects.push(Object::string(id, &text.0));
        id
    }
}
