//! Handles of the runtime: types, methods and fields as the numbers that the class library passes around.
//!
//! See [`super::method_table`] for what a type handle points to.

use types::{FieldId, MethodId, TypeId};

use crate::bytes::Bytes;
use crate::decode::{is_object_reference, repr_of};
use crate::heap::BlockKind;
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::state::State;
use crate::value::{Repr, Value};

/// The upper half of field handles: no block has such a number.
const FIELDS: u64 = 0xe000_0000 << 32;
/// The upper half of the handles of modules and assemblies.
const ASSEMBLIES: u64 = 0xd000_0000 << 32;

impl Machine {
    pub fn type_handle(&mut self, s: &mut State, ty: TypeId) -> Step<u64> {
        self.type_object(s, ty)?;
        self.method_table(s, ty)
    }

    /// The type that a `RuntimeType` object stands for.
    pub fn type_of_object(&mut self, s: &State, object: u64) -> Step<TypeId> {
        let class = self.core_type(s, "System.RuntimeType")?;
        if object != 0 && self.object_type(s, object)? == class {
            return self.type_of_type_object(s, object);
        }
        Err(unsupported(s, "a type object that is none of the runtime's"))
    }

    pub fn load_word(&mut self, s: &State, address: u64) -> Step<u64> {
        match self.load(s, address, Repr::I8)? {
            Value::I64(word) => Ok(word.cast_unsigned()),
            _ => Err(unsupported(s, "a symbolic handle")),
        }
    }

    /// A value as an object: a reference is one already.
    pub fn boxed(&mut self, s: &mut State, ty: TypeId, value: Value) -> Step<Value> {
        // What a method returns by reference is read at once.
        if let (types::Type::ByRef(target), Value::I64(address)) = (self.universe.ty(ty).clone(), &value) {
            let repr = repr_of(&self.universe, target).map_err(|gap| give_up(s, gap))?;
            let value = self.load(s, address.cast_unsigned(), repr)?;
            return self.boxed(s, target, value);
        }
        if !self.universe.is_value_type(ty) {
            if is_object_reference(&self.universe, ty) {
                return Ok(value);
            }
            return Err(unsupported(s, "reflection over pointers"));
        }
        let repr = repr_of(&self.universe, ty).map_err(|gap| give_up(s, gap))?;
        s.top.stack.push(value);
        self.box_(s, ty, repr)?;
        crate::machine::pop(s)
    }

    /// The field handle of `ldtoken`.
    pub fn field_stub(&mut self, s: &mut State, field: FieldId) -> Step<u64> {
        let class = self.core_type(s, "System.RuntimeFieldInfoStub")?;
        let object = self.allocate_instance(s, class)?;
        let offset = self.offset_of(s, class, &["m_fieldHandle"])?;
        let number = self.field_handle(field);
        self.store(s, object + u64::from(offset), Repr::I8, Value::address(number))?;
        Ok(object)
    }

    /// The method handle of `ldtoken`.
    pub fn method_stub(&mut self, s: &mut State, method: MethodId) -> Step<u64> {
        let class = self.core_type(s, "System.RuntimeMethodInfoStub")?;
        let object = self.allocate_instance(s, class)?;
        let offset = self.offset_of(s, class, &["m_value"])?;
        let number = self.method_handle(method);
        self.store(s, object + u64::from(offset), Repr::I8, number)?;
        Ok(object)
    }

    /// The handle of a method for reflection, which sees parameters where the definition has variables.
    pub fn method_handle(&mut self, method: MethodId) -> Value {
        let method = self.universe.reflected_method(method).unwrap_or(method);
        self.function_pointer(method)
    }

    pub fn field_handle(&mut self, field: FieldId) -> u64 {
        let known = self.handles.fields.iter().position(|f| *f == field);
        let index = known.unwrap_or_else(|| {
            self.handles.fields.push(field);
            self.handles.fields.len() - 1
        });
        FIELDS | (index as u64 + 1) << 4
    }

    pub fn field_of_handle(&self, handle: u64) -> Option<FieldId> {
        let index = (handle ^ FIELDS) >> 4;
        self.handles.fields.get(usize::try_from(index.checked_sub(1)?).ok()?).copied()
    }

    /// The field of the object inside a `RuntimeFieldHandle`: a stub or a `FieldInfo`.
    pub fn field_of_object(&mut self, s: &State, object: u64) -> Step<FieldId> {
        let class = self.object_type(s, object)?;
        let offset = self.offset_of(s, class, &["m_fieldHandle"])?;
        let handle = self.load_word(s, object + u64::from(offset))?;
        match self.field_of_handle(handle) {
            Some(field) => Ok(field),
            None => Err(unsupported(s, "a field handle that is none")),
        }
    }

    /// Memory of the runtime with these contents.
    pub fn runtime_data(&mut self, s: &mut State, data: Vec<u8>) -> u64 {
        s.heap.allocate(BlockKind::Runtime, Bytes::from_vec(data)).address()
    }

    pub fn assembly_handle(assembly: types::AssemblyId) -> u64 {
        ASSEMBLIES | (assembly.index() as u64 + 1) << 4
    }

    pub fn assembly_of_handle(&self, handle: u64) -> Option<types::AssemblyId> {
        let index = usize::try_from(((handle ^ ASSEMBLIES) >> 4).checked_sub(1)?).ok()?;
        self.universe.assemblies().nth(index)
    }
}
