//! Method tables: what CoreCLR keeps at the head of every object, as memory that the class library reads by itself.
//!
//! A type's table is a block laid out as `System.Runtime.CompilerServices.MethodTable` says; `RuntimeType.m_handle` is its
//! address. Types without a table of their own (pointers, generic parameters) have the bit that marks a type descriptor.

use std::rc::Rc;

use types::{Primitive, Type, TypeId};

use super::{Call, Entry, all, element_types, enter, one};
use crate::bytes::{Bits, Bytes};
use crate::decode::{is_object_reference, repr_of};
use crate::heap::{BlockKind, split_address};
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::state::{OnReturn, State};
use crate::value::{Repr, Value};

const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";
const TABLE_OF: &str = "System.Runtime.CompilerServices.MethodTable";
const HANDLE: &str = "System.Runtime.CompilerServices.TypeHandle";
const CASTS: &str = "System.Runtime.CompilerServices.CastHelpers";
const RUNTIME_HANDLE: &str = "System.RuntimeTypeHandle";

pub(super) const TABLE: &[Entry] = &[
    all(HELPERS, "GetMethodTable", method_table_of_object),
    all(TABLE_OF, "GetNumInstanceFieldBytes", instance_bytes),
    all(TABLE_OF, "GetPrimitiveCorElementType", element_type),
    all(HANDLE, "TryCanCastTo", can_cast),
    all(HANDLE, "CanCastToWorker", can_cast),
    all(HANDLE, "CanCastTo_NoCacheLookup", can_cast),
    all(CASTS, "IsInstanceOfAny", is_instance_of),
    all(CASTS, "Unbox_Nullable", unbox_nullable),
    enter(CASTS, "ChkCastAny", cast),
    enter(CASTS, "ChkCastClass", cast),
    enter(CASTS, "ChkCastInterface", cast),
    all(CASTS, "IsInstanceOfClass", is_instance_of),
    all(CASTS, "IsInstanceOfInterface", is_instance_of),
    one(RUNTIME_HANDLE, "GetRuntimeTypeFromHandle", "System.IntPtr", type_object_of_handle),
    one(RUNTIME_HANDLE, "GetRuntimeTypeFromHandleMaybeNull", "System.IntPtr", type_object_of_handle),
    all(RUNTIME_HANDLE, "GetRuntimeType", type_object_of_table),
    one(RUNTIME_HANDLE, "InternalAlloc", "System.Runtime.CompilerServices.MethodTable*", allocate),
    one(RUNTIME_HANDLE, "InternalAllocNoChecks", "System.Runtime.CompilerServices.MethodTable*", allocate),
    all(RUNTIME_HANDLE, "InternalAllocNoChecks_FastPath", allocate),
    all("System.Array", "GetCorElementTypeOfElementType", element_type_of_array),
];

/// Marks handles of types that have no method table.
const DESCRIPTOR: u64 = 2;

impl Machine {
    /// The handle of a type: the address of its method table.
    pub(crate) fn method_table(&mut self, s: &mut State, ty: TypeId) -> Step<u64> {
        let ty = self.universe.reflected(ty).map_err(|error| give_up(s, error.into()))?;
        let mark = match self.universe.ty(ty) {
            Type::Def { .. } | Type::SzArray(_) | Type::Array { .. } | Type::Mock { .. } => 0,
            _ => DESCRIPTOR,
        };
        if let Some(block) = s.method_tables.get(&ty) {
            return Ok(block.address() | mark);
        }
        let block = s.heap.allocate(BlockKind::MethodTable(ty), Bytes::zeroed(128));
        Rc::make_mut(&mut s.method_tables).insert(ty, block);
        if mark == 0 {
            self.fill_method_table(s, ty, block.address())?;
        }
        Ok(block.address() | mark)
    }

    /// The type whose handle this is.
    pub(crate) fn type_of_handle(&self, s: &State, handle: u64) -> Step<TypeId> {
        let (block, _) = split_address(handle);
        match s.heap.get(block).map(|block| block.kind) {
            Some(BlockKind::MethodTable(ty)) => Ok(ty),
            _ => Err(unsupported(s, "a type handle that is none")),
        }
    }

    /// The type that a `RuntimeType` stands for.
    pub(crate) fn type_of_type_object(&mut self, s: &State, object: u64) -> Step<TypeId> {
        let offset = self.type_handle_offset(s)?;
        match self.load(s, object + offset, Repr::I8)? {
            Value::I64(handle) => self.type_of_handle(s, handle.cast_unsigned()),
            _ => Err(unsupported(s, "a symbolic type")),
        }
    }

    pub(crate) fn type_handle_offset(&mut self, s: &State) -> Step<u64> {
        let class = self.core_type(s, "System.RuntimeType")?;
        if self.framework() == crate::Framework::Mono {
            let base = self.core_type(s, "System.Type")?;
            return self.offset_of(s, base, &["_impl"]).map(u64::from);
        }
        let found = self
            .universe
            .find_field(class, "m_handle")
            .and_then(|field| field.map(|field| self.universe.field_offset(field)).transpose());
        match found {
            Ok(Some(offset)) => Ok(u64::from(offset)),
            Ok(None) => Err(unsupported(s, "type handles of this runtime")),
            Err(error) => Err(give_up(s, error.into())),
        }
    }

    fn fill_method_table(&mut self, s: &mut State, ty: TypeId, table: u64) -> Step<()> {
        let mut flags = self.category(ty) | self.generics(ty);
        let mut base_size = 24;
        match self.universe.ty(ty).clone() {
            Type::SzArray(element) | Type::Array { elem: element, .. } => {
                let size = repr_of(&self.universe, element).map_or(0, Repr::size);
                flags |= HAS_COMPONENT_SIZE | (size & 0xffff);
                if is_object_reference(&self.universe, element)
                    || self.universe.contains_refs(element).unwrap_or(false)
                {
                    flags |= CONTAINS_GC_POINTERS;
                }
                if let Type::Array { rank, .. } = self.universe.ty(ty) {
                    base_size += rank * 8;
                }
                let element = self.method_table(s, element)?;
                self.store(s, table + ELEMENT_TYPE, Repr::I8, Value::address(element))?;
            }
            _ => {
                if let Ok(layout) = self.universe.layout(ty) {
                    base_size = layout.size.next_multiple_of(8).max(8) + 16;
                    if layout.contains_refs {
                        flags |= CONTAINS_GC_POINTERS;
                    }
                }
                if self.universe.well_known().is_ok_and(|known| known.string == ty) {
                    flags |= HAS_COMPONENT_SIZE | 2;
                    base_size = 22;
                }
                if self.universe.is_byref_like(ty) && flags & HAS_COMPONENT_SIZE == 0 {
                    flags |= BYREF_LIKE;
                }
            }
        }
        if self.has_finalizer(ty) {
            flags |= HAS_FINALIZER;
        }
        self.store(s, table, Repr::I4, Value::I32(flags.cast_signed()))?;
        self.store(s, table + BASE_SIZE, Repr::I4, Value::I32(base_size.cast_signed()))?;
        if let Ok(Some(base)) = self.universe.base(ty) {
            let base = self.method_table(s, base)?;
            self.store(s, table + PARENT, Repr::I8, Value::address(base))?;
        }
        Ok(())
    }

    fn category(&self, ty: TypeId) -> u32 {
        let u = &self.universe;
        match u.ty(ty) {
            Type::SzArray(_) => CATEGORY_SZ_ARRAY,
            Type::Array { .. } => CATEGORY_ARRAY,
            _ if u.is_interface(ty) => CATEGORY_INTERFACE,
            _ if u.is_nullable(ty) => CATEGORY_NULLABLE,
            _ if u.is_enum(ty) => CATEGORY_PRIMITIVE_VALUE,
            _ if u.primitive(ty).is_some_and(|p| p != Primitive::Void) => CATEGORY_TRUE_PRIMITIVE,
            _ if u.is_value_type(ty) => CATEGORY_VALUE,
            _ => 0,
        }
    }

    fn generics(&self, ty: TypeId) -> u32 {
        if self.universe.type_args(ty).is_empty() {
            0
        } else if self.universe.is_definition(ty) {
            GENERIC_DEFINITION
        } else {
            GENERIC_INSTANCE
        }
    }

    fn has_finalizer(&self, ty: TypeId) -> bool {
        let mut next = Some(ty);
        let object = self.universe.well_known().ok().map(|known| known.object);
        while let Some(ty) = next.filter(|ty| Some(*ty) != object) {
            let found = self.universe.methods_named(ty, "Finalize").unwrap_or_default();
            if found.iter().any(|m| self.universe.method(*m).is_virtual()) {
                return true;
            }
            next = self.universe.base(ty).ok().flatten();
        }
        false
    }
}

// Offsets and bits of CoreCLR's method tables.
const BASE_SIZE: u64 = 4;
const PARENT: u64 = 16;
const ELEMENT_TYPE: u64 = 48;
const HAS_COMPONENT_SIZE: u32 = 0x8000_0000;
const CONTAINS_GC_POINTERS: u32 = 0x0100_0000;
const HAS_FINALIZER: u32 = 0x0010_0000;
const BYREF_LIKE: u32 = 0x0000_1000;
const GENERIC_INSTANCE: u32 = 0x0000_0010;
const GENERIC_DEFINITION: u32 = 0x0000_0030;
const CATEGORY_VALUE: u32 = 0x0004_0000;
const CATEGORY_NULLABLE: u32 = 0x0005_0000;
const CATEGORY_PRIMITIVE_VALUE: u32 = 0x0006_0000;
const CATEGORY_TRUE_PRIMITIVE: u32 = 0x0007_0000;
const CATEGORY_ARRAY: u32 = 0x0008_0000;
const CATEGORY_SZ_ARRAY: u32 = 0x000a_0000;
const CATEGORY_INTERFACE: u32 = 0x000c_0000;

fn method_table_of_object(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.object_type(m, s, 0)?;
    Ok(Some(Value::address(m.method_table(s, ty)?)))
}

fn instance_bytes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    match m.universe.layout(ty) {
        Ok(layout) => Ok(Some(Value::I32(layout.size.cast_signed()))),
        Err(error) => Err(give_up(s, error.into())),
    }
}

fn element_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    Ok(Some(Value::I32(element_types::of_storage(&m.universe, ty))))
}

fn element_type_of_array(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.object_type(m, s, 0)?;
    match m.universe.array_element(array) {
        Some(element) => Ok(Some(Value::I32(element_types::of_storage(&m.universe, element)))),
        None => Err(unsupported(s, "an array that is none")),
    }
}

/// Both arguments are handles, as structures or as bare addresses.
fn can_cast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let from = call.word(m, s, 0, 0)?;
    let to = call.word(m, s, 1, 0)?;
    let (from, to) = (m.type_of_handle(s, from)?, m.type_of_handle(s, to)?);
    match m.universe.is_assignable(from, to) {
        Ok(yes) => Ok(Some(Value::bool(yes))),
        Err(error) => Err(give_up(s, error.into())),
    }
}

fn is_instance_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let object = call.number(m, s, 1)?;
    if object == 0 {
        return Ok(Some(Value::NULL));
    }
    let to = m.type_of_handle(s, handle)?;
    let from = m.object_type(s, object)?;
    match m.universe.is_assignable(from, to) {
        Ok(yes) => Ok(Some(if yes { Value::address(object) } else { Value::NULL })),
        Err(error) => Err(give_up(s, error.into())),
    }
}

fn cast(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let object = call.number(m, s, 1)?;
    match is_instance_of(m, s, call)? {
        Some(Value::I64(0)) if object != 0 => {
            let handle = call.number(m, s, 0)?;
            let to = m.type_of_handle(s, handle)?;
            m.bad_cast(s, object, to)
        }
        object => m.returned(s, after, object),
    }
}

fn type_object_of_handle(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    if handle == 0 {
        return Ok(Some(Value::NULL));
    }
    let ty = m.type_of_handle(s, handle)?;
    Ok(Some(Value::address(m.type_object(s, ty)?)))
}

/// `GetRuntimeType(MethodTable*)`, and the instance method of a handle, which is a structure with the type's object.
fn type_object_of_table(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let address = call.number(m, s, 0)?;
    if m.universe.method(call.method).is_static() {
        return type_object_of_handle(m, s, call);
    }
    m.load(s, address, Repr::Ref).map(Some)
}

fn allocate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let handle = call.number(m, s, 0)?;
    let ty = m.type_of_handle(s, handle)?;
    m.allocate_instance(s, ty).map(|object| Some(Value::address(object)))
}

/// Where the nullable is, its type, an object or null.
fn unbox_nullable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (to, handle, object) = (call.number(m, s, 0)?, call.number(m, s, 1)?, call.number(m, s, 2)?);
    let ty = m.type_of_handle(s, handle)?;
    let nullable = m.nullable_of(s, ty, (object != 0).then_some(object))?;
    m.store_bytes(s, to, &nullable)?;
    Ok(None)
}

impl Call {
    /// The type of an object argument.
    pub(super) fn object_type(&self, m: &Machine, s: &State, index: usize) -> Step<TypeId> {
        let object = self.number(m, s, index)?;
        if object == 0 {
            return Err(unsupported(s, "the type of null"));
        }
        m.object_type(s, object)
    }

    /// A word of an argument: of a structure at this offset, or the argument itself.
    pub(super) fn word(&self, m: &mut Machine, s: &State, index: usize, offset: usize) -> Step<u64> {
        match self.args.get(index) {
            Some(Value::Struct(bytes)) => match bytes.read(offset, 8, &mut m.terms) {
                Ok(Bits::Concrete(word)) => Ok(word),
                _ => Err(unsupported(s, "an argument of another size")),
            },
            _ => self.number(m, s, index),
        }
    }
}
