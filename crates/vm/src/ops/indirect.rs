//! Calls through function pointers, and typed references.

use std::rc::Rc;

use types::{FieldId, Primitive, Type, TypeId};

use crate::bytes::{Bits, Bytes};
use crate::code::Code;
use crate::machine::{Callee, Flow, Machine, Step, give_up, peek, pop, push, unsupported};
use crate::ops::call::Before;
use crate::ops::handle;
use crate::state::{OnReturn, State};
use crate::stop::{RuntimeException, Stop};
use crate::value::{Repr, Value};
use verdict::Gap;

impl Machine {
    /// `calli`: the function pointer lies on top of the arguments.
    pub fn calli(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let Some(site) = code.indirect_calls.get(index as usize).copied() else {
            return Err(give_up(s, Gap::internal_error("a lost calli operand")));
        };
        let Some(pointer) = self.address(s, 0)? else {
            // The runtime jumps to address 0 and dies: there is no exception to catch.
            return Err(unsupported(s, "calli through a null pointer"));
        };
        let Some(method) = self.function_at(pointer) else {
            return self.call_thunk(s, pointer, site.arg_count);
        };
        let signature = self.universe.signature(method).map_err(|error| give_up(s, error.into()))?;
        if signature.params.len() + usize::from(signature.has_this) != site.arg_count {
            return Err(give_up(s, Gap::invalid_code("calli of a method with other parameters")));
        }
        if let Callee::Code(callee) = self.callee(method)
            && let Some(ty) = callee.init_type
            && self.before_call(s, ty, callee.is_synchronized)? == Before::Wait
        {
            return Ok(Flow::Reload);
        }
        pop(s)?;
        self.invoke(s, method, site.arg_count, OnReturn::Push).map_err(|stop| match *stop {
            // The operand would be looked for in the wrong place: the pointer is gone.
            Stop::Concretize { .. } => unsupported(s, "calli of an internal with symbolic arguments"),
            other => Box::new(other),
        })
    }

    /// A delegate that is called as native code would.
    fn call_thunk(&mut self, s: &mut State, pointer: u64, count: usize) -> Step {
        let Some(delegate) = s.runtime.thunks.get(&pointer).copied() else {
            return Err(unsupported(s, "calli of native code"));
        };
        let class = self.object_type(s, delegate)?;
        let invoke =
            self.universe.methods_named(class, "Invoke").map_err(|error| give_up(s, error.into()))?;
        let Some(invoke) = invoke.first().copied() else {
            return Err(give_up(s, Gap::invalid_code("a delegate that cannot be called")));
        };
        let signature = self.universe.signature(invoke).map_err(|error| give_up(s, error.into()))?;
        let is_plain = |ty: &TypeId| self.is_same_in_native_code(*ty);
        let fits = signature.params.len() == count && signature.params.iter().all(is_plain);
        if !fits || !is_plain(&signature.ret) {
            return Err(unsupported(s, "calli of a delegate whose arguments are marshalled"));
        }
        pop(s)?;
        let at = s.top.stack.len().saturating_sub(count);
        s.top.stack.insert(at, Value::address(delegate));
        self.invoke(s, invoke, count + 1, OnReturn::Push)
    }

    /// Are values of a type numbers or pointers, which nobody has to marshal?
    fn is_same_in_native_code(&self, ty: TypeId) -> bool {
        let primitive = self.universe.underlying_primitive(ty).ok().flatten();
        match primitive {
            Some(primitive) => !matches!(primitive, Primitive::Boolean | Primitive::Char),
            None => matches!(self.universe.ty(ty), Type::Pointer(_) | Type::FnPtr(_)),
        }
    }

    pub fn mkrefany(&mut self, s: &mut State, ty: TypeId) -> Step {
        let (value, class) = self.typed_reference_fields(s)?;
        let address = match pop(s)? {
            Value::I64(address) => address.cast_unsigned(),
            _ => return Err(unsupported(s, "mkrefany of a symbolic pointer")),
        };
        let type_handle = self.type_handle(s, ty)?;
        let ty = self.core_type(s, "System.TypedReference")?;
        let size = self.universe.size_of(ty).map_err(|error| give_up(s, error.into()))?;
        let mut bytes = Bytes::zeroed(size as usize);
        let written = bytes
            .write(value as usize, 8, Bits::Concrete(address), &mut self.terms)
            .and_then(|()| bytes.write(class as usize, 8, Bits::Concrete(type_handle), &mut self.terms));
        match written {
            Ok(()) => push(s, Value::Struct(Rc::new(bytes))),
            Err(_) => Err(unsupported(s, "the typed references of this runtime")),
        }
    }

    pub fn refanyval(&mut self, s: &mut State, ty: TypeId) -> Step {
        let (address, type_handle) = self.typed_reference(s)?;
        if self.type_handle(s, ty)? != type_handle {
            return self.throw_new(s, RuntimeException::InvalidCast);
        }
        pop(s)?;
        push(s, Value::address(address))
    }

    pub fn refanytype(&mut self, s: &mut State) -> Step {
        let (_, type_handle) = self.typed_reference(s)?;
        pop(s)?;
        let object = match type_handle {
            0 => 0,
            _ => {
                let ty = self.type_of_handle(s, type_handle)?;
                if self.flavor() == crate::Flavor::Mono { type_handle } else { self.type_object(s, ty)? }
            }
        };
        push(s, handle(object))
    }

    fn typed_reference(&mut self, s: &mut State) -> Step<(u64, u64)> {
        let (value, class) = self.typed_reference_fields(s)?;
        let Value::Struct(bytes) = peek(s, 0)? else {
            return Err(give_up(s, Gap::invalid_code("a typed reference was expected")));
        };
        let address = bytes.read(value as usize, 8, &mut self.terms);
        let class = bytes.read(class as usize, 8, &mut self.terms);
        match (address, class) {
            (Ok(Bits::Concrete(address)), Ok(Bits::Concrete(class))) => Ok((address, class)),
            _ => Err(unsupported(s, "a symbolic typed reference")),
        }
    }

    fn typed_reference_fields(&mut self, s: &State) -> Step<(u32, u32)> {
        let ty = self.core_type(s, "System.TypedReference")?;
        Ok((self.offset_of(s, ty, &["_value", "Value"])?, self.offset_of(s, ty, &["_type", "Type"])?))
    }

    /// The offset of a field of the class library, under any of the names it has had.
    pub fn offset_of(&self, s: &State, ty: TypeId, names: &[&str]) -> Step<u32> {
        for name in names {
            let found = self.field_named(s, ty, name)?;
            if let Some(field) = found {
                return self.universe.field_offset(field).map_err(|error| give_up(s, error.into()));
            }
        }
        let name = names.first().copied().unwrap_or_default();
        let detail = format!("{} without its field {name}", self.universe.type_name(ty));
        Err(unsupported(s, &detail))
    }

    fn field_named(&self, s: &State, ty: TypeId, name: &str) -> Step<Option<FieldId>> {
        self.universe.find_field(ty, name).map_err(|error| give_up(s, error.into()))
    }

    /// What a method called by reflection returned, boxed into the caller's place.
    pub fn store_result(&mut self, s: &mut State, place: u64, ty: TypeId, value: Option<Value>) -> Step<()> {
        let Some(value) = value else { return Ok(()) };
        let boxed = self.boxed(s, ty, value)?;
        self.store(s, place, Repr::Ref, boxed)
    }
}
