//! From a path and its model to a test case: inputs, outcome and what the method changed, all by value.

use std::collections::BTreeMap;

use crate::case::{
    After, ArgumentAfter, Array, Case, Element, Expectation, FieldValue, Instance, MethodRef, Mode, Object,
    ObjectId, ObjectKind, Outcome, Parameter, Primitive, Reach, Text, Thrown, Value,
};
use rustc_hash::FxHashMap;
use term::{Model, Terms};
use types::{MethodId, MethodKind, Primitive as Prim, Type, TypeId, Universe};
use vm::bytes::Bytes;
use vm::heap::{BlockKind, split_address};
use vm::inputs::Input;
use vm::{Machine, PathEnd, Reason, State};

/// Elements of an array that are written out; larger arrays are not turned into expectations.
const MAX_ELEMENTS: u32 = 4_096;
const MAX_OBJECTS: usize = 256;

/// A path that ended, with inputs that lead along it. The machine is the one that ran it.
#[derive(Clone, Copy)]
pub struct EndedPath<'a> {
    pub machine: &'a Machine,
    pub end: &'a PathEnd,
    pub model: &'a Model,
    /// The memory at the end, for what the method changed.
    pub state: &'a State,
}

/// The case of a path; an error says what about it cannot be written down.
pub fn case_of(path: EndedPath<'_>, method: &MethodRef) -> Result<Case, Reason> {
    let machine = path.machine;
    let mut writer = Writer::new(machine, path.model);
    let this = match &machine.inputs.this {
        Some(Input::New { .. }) | None => None,
        Some(input) => Some(writer.input(input)?),
    };
    let arguments = machine.inputs.arguments.iter().map(|input| writer.input(input));
    let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
    let objects = std::mem::take(&mut writer.objects);
    let expect = writer.expectation(path)?;
    Ok(Case {
        name: String::new(),
        method: method.clone(),
        objects,
        this,
        arguments,
        expect,
        construction: Reach::Public,
        breaks: Vec::new(),
        static_state: machine.inputs.static_state.clone(),
    })
}

/// How a case names the method under test.
pub fn method_ref(universe: &Universe, method: MethodId) -> Result<MethodRef, Reason> {
    let info = universe.method(method);
    let signature = universe.signature(method)?;
    let names = parameter_rows(universe, method);
    let parameters = signature.params.iter().enumerate().map(|(index, &ty)| {
        let (name, flags) = names.get(&(index + 1)).cloned().unwrap_or_else(|| (format!("arg{index}"), 0));
        let (ty, mode) = match universe.ty(ty) {
            Type::ByRef(target) => (*target, by_ref_mode(flags)),
            _ => (ty, Mode::Value),
        };
        Parameter { name, ty: universe.type_name(ty), mode }
    });
    Ok(MethodRef {
        id: universe.method_id(method),
        ty: universe.type_name(info.owner),
        name: info.name.to_string(),
        token: info.token().map_or(0, cil::Token::raw),
        is_static: info.is_static(),
        generic_arguments: Vec::new(),
        parameters: parameters.collect(),
        returns: universe.type_name(signature.ret),
    })
}

/// Names and flags of parameters by their position from 1.
fn parameter_rows(universe: &Universe, method: MethodId) -> BTreeMap<usize, (String, u16)> {
    let MethodKind::Def { assembly, def } = universe.method(method).kind else {
        return Default::default();
    };
    let module = universe.assembly(assembly).module();
    let Ok(row) = module.method_def(def) else { return Default::default() };
    let params = row.params.filter_map(|id| module.param(id).ok());
    params.map(|param| (usize::from(param.sequence), (param.name.to_owned(), param.flags))).collect()
}

fn by_ref_mode(flags: u16) -> Mode {
    match flags & 0x3 {
        0x1 => Mode::In,
        0x2 => Mode::Out,
        _ => Mode::Ref,
    }
}

struct Writer<'a> {
    universe: &'a Universe,
    terms: &'a Terms,
    machine: &'a Machine,
    model: &'a Model,
    objects: Vec<Object>,
    /// Objects already in a table, by address.
    ids: FxHashMap<u64, ObjectId>,
    next_id: u32,
}

impl<'a> Writer<'a> {
    fn new(machine: &'a Machine, model: &'a Model) -> Writer<'a> {
        Writer {
            universe: &machine.universe,
            terms: &machine.terms,
            machine,
            model,
            objects: Vec::new(),
            ids: FxHashMap::default(),
            next_id: 1,
        }
    }

    fn input(&mut self, input: &Input) -> Result<Value, Reason> {
        match input {
            Input::Scalar { ty, symbol } => {
                let bits = self.model.get(*symbol).map_or(0, |constant| constant.bits());
                self.scalar(*ty, bits as u64)?.ok_or_else(|| not_scalar(self.universe, *ty))
            }
            Input::Reference { ty, symbol } => {
                let bits = self.model.get(*symbol).map_or(0, |constant| constant.bits());
                if bits != 0 {
                    let name = self.universe.type_name(*ty);
                    return Err(Reason::UnsupportedInput(format!(
                        "an object of type {name} would be needed"
                    )));
                }
                Ok(Value::Null)
            }
            Input::Struct { ty, fields } => {
                let fields = self.input_fields(fields)?;
                Ok(Value::Struct { ty: self.universe.type_name(*ty), fields })
            }
            Input::ByRef { target, .. } => self.input(target),
            Input::Object { ty, block, fields } => {
                let fields = self.input_fields(fields)?;
                let id = self.new_id(block.address());
                self.objects.push(Object::instance(id, &self.universe.type_name(*ty), fields));
                Ok(Value::Object(id))
            }
            Input::New { .. } => Err(Reason::InternalError("a constructor's object is no input".into())),
        }
    }

    fn input_fields(&mut self, fields: &[(types::FieldId, Input)]) -> Result<Vec<FieldValue>, Reason> {
        let mut written = Vec::new();
        for (field, input) in fields {
            let value = self.input(input)?;
            written.push(self.field_value(*field, value));
        }
        Ok(written)
    }

    fn field_value(&self, field: types::FieldId, value: Value) -> FieldValue {
        let info = self.universe.field(field);
        FieldValue { name: info.name.to_string(), declaring: self.universe.type_name(info.owner), value }
    }

    fn new_id(&mut self, address: u64) -> ObjectId {
        let id = ObjectId(self.next_id);
        self.next_id += 1;
        self.ids.insert(address, id);
        id
    }

    fn expectation(&mut self, path: EndedPath<'_>) -> Result<Expectation, Reason> {
        let state = path.state;
        let outcome = match path.end {
            PathEnd::Threw { ty, .. } => {
                Outcome::Throws(Thrown { ty: self.universe.type_name(*ty), message: None, at: None })
            }
            PathEnd::Returned(None) => Outcome::Void,
            PathEnd::Returned(Some(value)) => {
                let method = state.top.code.method;
                let ty = self.universe.signature(method)?.ret;
                Outcome::Returns(self.stack_value(state, ty, value)?)
            }
            PathEnd::Exited(_) => return Err(Reason::Bound("the process exits".into())),
            PathEnd::Incomplete { reason, .. } => return Err(reason.clone()),
        };
        let mut after = After::default();
        match &self.machine.inputs.this {
            Some(Input::ByRef { block, target }) => {
                let ty = vm::inputs::input_type(target);
                after.this = Some(self.location(state, block.address(), ty)?);
            }
            Some(Input::Object { block, .. }) => {
                after.this = self.reference(state, block.address())?;
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
        after.objects = std::mem::take(&mut self.objects);
        Ok(Expectation { outcome, after })
    }

    /// A value as it is on the evaluation stack.
    fn stack_value(&mut self, state: &State, ty: TypeId, value: &vm::Value) -> Result<Value, Reason> {
        let bits = match value {
            vm::Value::I32(v) => u64::from(v.cast_unsigned()),
            vm::Value::I64(v) => v.cast_unsigned(),
            vm::Value::F32(v) => u64::from(v.to_bits()),
            vm::Value::F64(v) => v.to_bits(),
            vm::Value::Term(term) => self.terms.eval(*term, self.model).bits() as u64,
            vm::Value::Struct(bytes) => {
                let data = self.concrete(bytes);
                return self.structure(state, ty, &data);
            }
        };
        match self.universe.ty(ty) {
            Type::ByRef(target) => self.location(state, bits, *target),
            Type::Pointer(_) | Type::FnPtr(_) => {
                Err(Reason::UnsupportedInput("a pointer is returned".into()))
            }
            _ => self.value(state, ty, bits),
        }
    }

    fn location(&mut self, state: &State, address: u64, ty: TypeId) -> Result<Value, Reason> {
        let (block, offset) = split_address(address);
        let Some(block) = state.heap.get(block) else { return Err(unknown("a location that is gone")) };
        let data = self.concrete(&block.bytes);
        self.at(state, ty, &data, offset as usize)
    }

    fn at(&mut self, state: &State, ty: TypeId, data: &[u8], offset: usize) -> Result<Value, Reason> {
        let size = self.universe.size_of(ty)? as usize;
        let slice =
            data.get(offset..offset + size).ok_or_else(|| unknown("the contents of formatted text"))?;
        if self.is_structure(ty)? {
            return self.structure(state, ty, slice);
        }
        let mut bits = [0; 8];
        bits[..size.min(8)].copy_from_slice(&slice[..size.min(8)]);
        self.value(state, ty, u64::from_le_bytes(bits))
    }

    fn is_structure(&self, ty: TypeId) -> Result<bool, Reason> {
        let plain = self.universe.enum_underlying(ty)?.unwrap_or(ty);
        Ok(self.universe.is_value_type(ty) && self.universe.primitive(plain).is_none())
    }

    fn structure(&mut self, state: &State, ty: TypeId, data: &[u8]) -> Result<Value, Reason> {
        let mut fields = Vec::new();
        for &(field, offset) in self.universe.layout(ty)?.fields.iter() {
            let value = self.at(state, self.universe.field_type(field)?, data, offset as usize)?;
            fields.push(self.field_value(field, value));
        }
        Ok(Value::Struct { ty: self.universe.type_name(ty), fields })
    }

    fn value(&mut self, state: &State, ty: TypeId, bits: u64) -> Result<Value, Reason> {
        if let Some(value) = self.scalar(ty, bits)? {
            return Ok(value);
        }
        match self.reference(state, bits)? {
            Some(value) => Ok(value),
            None => Ok(Value::Null),
        }
    }

    /// A primitive or an enum; `None` for anything else.
    fn scalar(&self, ty: TypeId, bits: u64) -> Result<Option<Value>, Reason> {
        if let Some(underlying) = self.universe.enum_underlying(ty)? {
            let Some(primitive) = self.universe.primitive(underlying).and_then(|p| primitive(p, bits)) else {
                return Ok(None);
            };
            let value = primitive.integer().unwrap_or_default();
            return Ok(Some(Value::Enum { ty: self.universe.type_name(ty), value }));
        }
        Ok(self.universe.primitive(ty).and_then(|p| primitive(p, bits)).map(Value::Primitive))
    }

    /// An object, written into the table once; `None` is null.
    fn reference(&mut self, state: &State, address: u64) -> Result<Option<Value>, Reason> {
        if address == 0 {
            return Ok(None);
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
            return Err(Reason::Bound("the result has too many objects".into()));
        }
        let data = self.concrete(&block.bytes);
        // Reserve the place first: the object may refer to itself.
        let at = self.objects.len();
        self.objects.push(Object::string(id, &[]));
        let kind = self.object(state, ty, &data)?;
        self.objects[at] = Object { id, kind };
        Ok(Some(Value::Object(id)))
    }

    fn object(&mut self, state: &State, ty: TypeId, data: &[u8]) -> Result<ObjectKind, Reason> {
        if self.universe.well_known()?.string == ty {
            return text(data)
                .map(ObjectKind::String)
                .ok_or_else(|| unknown("the contents of formatted text"));
        }
        if let Type::SzArray(element) = self.universe.ty(ty) {
            return self.array(state, ty, *element, data);
        }
        if self.universe.is_value_type(ty) {
            let value = self.at(state, ty, data, 0)?;
            return Ok(ObjectKind::Boxed { value });
        }
        let mut fields = Vec::new();
        for &(field, offset) in self.universe.layout(ty)?.fields.iter() {
            // What the framework's own classes hold inside is not the caller's business.
            if self.machine.is_framework(self.universe.field(field).owner) {
                continue;
            }
            let value = self.at(state, self.universe.field_type(field)?, data, offset as usize)?;
            fields.push(self.field_value(field, value));
        }
        let ty = self.universe.type_name(ty);
        Ok(ObjectKind::Object(Instance { ty, construction: None, fields }))
    }

    fn array(
        &mut self,
        state: &State,
        ty: TypeId,
        element: TypeId,
        data: &[u8],
    ) -> Result<ObjectKind, Reason> {
        let len = data.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if len > MAX_ELEMENTS {
            return Err(Reason::Bound("the result has too many elements".into()));
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

    /// The bytes with the model's values in place of symbolic ones.
    fn concrete(&self, bytes: &Bytes) -> Vec<u8> {
        let mut data = bytes.plain().to_vec();
        for patch in bytes.patches() {
            let value = self.terms.eval(patch.term, self.model).bits().to_le_bytes();
            let (start, size) = (patch.offset as usize, patch.size as usize);
            data[start..start + size].copy_from_slice(&value[..size]);
        }
        data
    }
}

fn text(data: &[u8]) -> Option<Text> {
    let len = u32::from_le_bytes(*data.first_chunk::<4>()?) as usize;
    let units = data.get(4..4 + 2 * len)?;
    Some(Text(units.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()))
}

fn primitive(kind: Prim, bits: u64) -> Option<Primitive> {
    Some(match kind {
        Prim::Void => return None,
        Prim::Boolean => Primitive::Boolean(bits as u8 != 0),
        Prim::Char => Primitive::Char(bits as u16),
        Prim::I1 => Primitive::SByte(bits as i8),
        Prim::U1 => Primitive::Byte(bits as u8),
        Prim::I2 => Primitive::Int16(bits as i16),
        Prim::U2 => Primitive::UInt16(bits as u16),
        Prim::I4 => Primitive::Int32(bits as i32),
        Prim::U4 => Primitive::UInt32(bits as u32),
        Prim::I8 => Primitive::Int64(bits as i64),
        Prim::U8 => Primitive::UInt64(bits),
        Prim::I => Primitive::IntPtr(bits as i64),
        Prim::U => Primitive::UIntPtr(bits),
        Prim::R4 => Primitive::Single(bits as u32),
        Prim::R8 => Primitive::Double(bits),
    })
}

fn unknown(what: &str) -> Reason {
    Reason::UnsupportedInstruction(format!("{what} cannot be written into a test yet"))
}

fn not_scalar(universe: &Universe, ty: TypeId) -> Reason {
    Reason::InternalError(format!("{} is no scalar", universe.type_name(ty)))
}
