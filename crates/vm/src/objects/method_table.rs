//! Method tables: what CoreCLR keeps at the head of every object, as memory that the class library reads by itself.
//!
//! A type's table is a block laid out as `System.Runtime.CompilerServices.MethodTable` says; `RuntimeType.m_handle` is its
//! address. Types without a table of their own (pointers, generic parameters) have the bit that marks a type descriptor.

use std::rc::Rc;

use types::{Primitive, Type, TypeId};

use crate::bytes::Bytes;
use crate::decode::{is_object_reference, repr_of};
use crate::heap::{BlockKind, split_address};
use crate::machine::{Machine, Step, give_up, unsupported};
use crate::state::State;
use crate::value::{Repr, Value};

/// Marks handles of types that have no method table.
const DESCRIPTOR: u64 = 2;

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

impl Machine {
    /// The handle of a type: the address of its method table.
    pub fn method_table(&mut self, s: &mut State, ty: TypeId) -> Step<u64> {
        let ty = self.universe.reflected(ty).map_err(|error| give_up(s, error.into()))?;
        let mark = match self.universe.ty(ty) {
            Type::Def { .. } | Type::SzArray(_) | Type::Array { .. } | Type::Mock { .. } => 0,
            _ => DESCRIPTOR,
        };
        if let Some(block) = s.runtime.method_tables.get(&ty) {
            return Ok(block.address() | mark);
        }
        let block = s.heap.allocate(BlockKind::MethodTable(ty), Bytes::zeroed(128));
        Rc::make_mut(&mut s.runtime.method_tables).insert(ty, block);
        if mark == 0 {
            self.fill_method_table(s, ty, block.address())?;
        }
        Ok(block.address() | mark)
    }

    /// The type whose handle this is.
    pub fn type_of_handle(&self, s: &State, handle: u64) -> Step<TypeId> {
        let (block, _) = split_address(handle);
        match s.heap.get(block).map(|block| block.kind) {
            Some(BlockKind::MethodTable(ty)) => Ok(ty),
            _ => Err(unsupported(s, "a type handle that is none")),
        }
    }

    /// The type that a `RuntimeType` stands for.
    pub fn type_of_type_object(&mut self, s: &State, object: u64) -> Step<TypeId> {
        let offset = self.type_handle_offset(s)?;
        match self.load(s, object + offset, Repr::I8)? {
            Value::I64(handle) => self.type_of_handle(s, handle.cast_unsigned()),
            _ => Err(unsupported(s, "a symbolic type")),
        }
    }

    pub(crate) fn type_handle_offset(&mut self, s: &State) -> Step<u64> {
        let class = self.core_type(s, "System.RuntimeType")?;
        if self.flavor() == crate::Flavor::Mono {
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
