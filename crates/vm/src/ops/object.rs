//! Objects: strings, boxes, casts and type tests.

use std::rc::Rc;

use types::TypeId;

use crate::bytes::{Bits, Bytes};
use crate::code::Code;
use crate::flavor::Flavor;
use crate::heap::{BlockKind, split_address};
use crate::machine::{Flow, Machine, Step, fork, give_up, pop, push, unsupported};
use crate::state::State;
use crate::stop::{Action, Choice, RuntimeException, Stop};
use crate::value::{Repr, Value};
use verdict::Gap;

impl Machine {
    pub fn ldstr(&mut self, s: &mut State, code: &Code, index: u32) -> Step {
        let text = code.literals.get(index as usize).map_or(&[][..], |text| text);
        let address = self.intern(s, text)?;
        push(s, Value::address(address))
    }

    /// The one string that all literals with this text are.
    pub fn intern(&mut self, s: &mut State, text: &[u16]) -> Step<u64> {
        if let Some(block) = s.runtime.literals.get(text) {
            return Ok(block.address());
        }
        let address = self.allocate_string(s, text)?;
        let (block, _) = split_address(address);
        Rc::make_mut(&mut s.runtime.literals).insert(text.into(), block);
        Ok(address)
    }

    /// The UTF-16 units of a string, which must be known.
    pub fn text(&self, s: &State, string: u64) -> Step<Vec<u16>> {
        let (block, _) = split_address(string);
        let bytes = s.heap.get(block).and_then(|block| block.bytes.concrete());
        let units = bytes.and_then(|bytes| {
            let len = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
            bytes.get(4..4 + 2 * len)
        });
        match units {
            Some(units) => Ok(units.chunks_exact(2).map(|u| u16::from_le_bytes([u[0], u[1]])).collect()),
            None => Err(self
                .not_made_yet(s, block)
                .unwrap_or_else(|| unsupported(s, "a string whose text is not known"))),
        }
    }

    /// A string as CoreCLR lays it out: length, then UTF-16 units and a terminating zero.
    pub fn allocate_string(&mut self, s: &mut State, text: &[u16]) -> Step<u64> {
        let mut data = Vec::with_capacity(text.len() * 2 + 6);
        data.extend_from_slice(&(text.len() as u32).to_le_bytes());
        data.extend(text.iter().flat_map(|unit| unit.to_le_bytes()));
        data.extend_from_slice(&[0, 0]);
        self.string_object(s, Bytes::from_vec(data))
    }

    /// A string whose contents are not known; reading them ends the path.
    pub fn opaque_string(&mut self, s: &mut State) -> Step<u64> {
        s.path.guessed_text = true;
        self.string_object(s, Bytes::default())
    }

    pub fn string_object(&mut self, s: &mut State, bytes: Bytes) -> Step<u64> {
        let ty = match self.universe.well_known() {
            Ok(types) => types.string,
            Err(error) => return Err(give_up(s, error.into())),
        };
        self.check_memory(s, bytes.len() as u64)?;
        Ok(s.heap.allocate(BlockKind::Object(ty), bytes).address())
    }

    /// Asks for a collection if memory gets scarce; an exception in programs, or the end of the path, if there is too
    /// little.
    pub fn check_memory(&mut self, s: &mut State, more: u64) -> Step<()> {
        let wanted = s.heap.live_bytes() + more;
        if s.collector.is_due(s) {
            s.pause_at = s.steps;
        }
        if wanted <= self.config.max_heap_bytes + s.collector.extra {
            return Ok(());
        }
        if !s.collects() || s.collector.extra > MOST_EXTRA {
            return Err(give_up(s, Gap::memory_limit()));
        }
        // Whoever catches the exception needs some memory as well.
        s.collector_mut().extra += EXTRA;
        let guard = self.terms.true_();
        Err(fork(vec![Choice { guard, action: Action::Throw(RuntimeException::OutOfMemory) }]))
    }

    /// Whether so much memory is there, perhaps after a collection: then the instruction is run again, its operands being
    /// where they were.
    pub(crate) fn make_room(&mut self, s: &mut State, more: u64) -> Step<bool> {
        if s.heap.live_bytes() + more <= self.config.max_heap_bytes {
            return Ok(true);
        }
        if s.collects() && s.steps > s.collector.tried + 2 {
            s.pause_at = s.steps;
            s.collector_mut().want();
            return Err(Box::new(Stop::OutOfSteps));
        }
        Ok(false)
    }

    /// A zeroed object of a class.
    pub fn allocate_instance(&mut self, s: &mut State, ty: TypeId) -> Step<u64> {
        let size = match self.universe.layout(ty) {
            Ok(layout) => layout.size,
            Err(error) => return Err(give_up(s, error.into())),
        };
        self.check_memory(s, u64::from(size))?;
        // Never empty: an empty object block stands for contents that are not known.
        Ok(s.heap.allocate(BlockKind::Object(ty), Bytes::zeroed(size.max(1) as usize)).address())
    }

    pub(crate) fn box_(&mut self, s: &mut State, ty: TypeId, repr: Repr) -> Step {
        if !self.universe.is_value_type(ty) {
            return Ok(Flow::Next);
        }
        let value = pop(s)?;
        if let Some(inner) = self.universe.nullable_argument(ty) {
            return self.box_nullable(s, ty, inner, &value);
        }
        let address = self.box_value(s, ty, repr, value)?;
        push(s, Value::address(address))
    }

    /// A nullable boxes to null, or to a box of its value.
    fn box_nullable(&mut self, s: &mut State, ty: TypeId, inner: TypeId, value: &Value) -> Step {
        let parts = self.nullable_parts(s, ty)?;
        let repr = self.repr_of(inner).map_err(|gap| give_up(s, gap))?;
        let Value::Struct(bytes) = value else {
            return Err(unsupported(s, "a nullable that is no structure"));
        };
        let has = bytes.read(parts.has as usize, 1, &mut self.terms);
        let held = bytes.slice(parts.value as usize, repr.size() as usize, &mut self.terms);
        let (Ok(has), Ok(held)) = (has, held) else {
            return Err(unsupported(s, "a nullable of another size"));
        };
        if has == Bits::Concrete(0) {
            return push(s, Value::NULL);
        }
        let boxed = s.heap.allocate(BlockKind::Object(inner), held).address();
        match has {
            Bits::Concrete(_) => push(s, Value::address(boxed)),
            Bits::Symbolic(has) => {
                let zero = self.terms.bv(8, 0);
                let null = self.terms.eq(has, zero);
                let some = self.terms.not(null);
                Err(fork(vec![
                    Choice { guard: null, action: Action::Continue(Some(Value::NULL)) },
                    Choice { guard: some, action: Action::Continue(Some(Value::address(boxed))) },
                ]))
            }
        }
    }

    /// The reverse: null becomes the nullable without a value.
    fn unbox_nullable(&mut self, s: &mut State, ty: TypeId, inner: TypeId) -> Step {
        let address = self.address(s, 0)?;
        // Unlike a plain value, a nullable takes no enum for its underlying type.
        if let Some(address) = address
            && self.object_type(s, address)? != inner
        {
            // .NET 10 names the type that was asked for, earlier ones what it holds.
            let wanted = if self.flavor().is_core_3() { inner } else { ty };
            return self.bad_cast(s, address, wanted);
        }
        let bytes = self.nullable_of(s, ty, address)?;
        pop(s)?;
        push(s, Value::Struct(Rc::new(bytes)))
    }

    /// The nullable of a boxed value or of null.
    pub fn nullable_of(&mut self, s: &State, ty: TypeId, boxed: Option<u64>) -> Step<Bytes> {
        let parts = self.nullable_parts(s, ty)?;
        let size = self.universe.size_of(ty).map_err(|error| give_up(s, error.into()))?;
        let mut bytes = Bytes::zeroed(size as usize);
        let (Some(address), Some(inner)) = (boxed, self.universe.nullable_argument(ty)) else {
            return Ok(bytes);
        };
        let repr = self.repr_of(inner).map_err(|gap| give_up(s, gap))?;
        let held = self.load_bytes(s, address, repr.size() as usize)?;
        let written = bytes
            .write(parts.has as usize, 1, Bits::Concrete(1), &mut self.terms)
            .and_then(|()| bytes.write_bytes(parts.value as usize, &held, &mut self.terms));
        match written {
            Ok(()) => Ok(bytes),
            Err(_) => Err(unsupported(s, "a nullable of another size")),
        }
    }

    /// The box of what a nullable in memory holds; none if it holds nothing.
    pub fn boxed_from_nullable(&mut self, s: &mut State, ty: TypeId, address: u64) -> Step<Option<u64>> {
        let parts = self.nullable_parts(s, ty)?;
        let Some(inner) = self.universe.nullable_argument(ty) else {
            return Err(unsupported(s, "a nullable that is none"));
        };
        match self.load(s, address + u64::from(parts.has), Repr::U1)? {
            Value::I32(0) => return Ok(None),
            Value::I32(_) => {}
            _ => return Err(unsupported(s, "a nullable of which is not known whether it has a value")),
        }
        let repr = self.repr_of(inner).map_err(|gap| give_up(s, gap))?;
        let value = self.load(s, address + u64::from(parts.value), repr)?;
        self.box_value(s, inner, repr, value).map(Some)
    }

    fn nullable_parts(&self, s: &State, ty: TypeId) -> Step<NullableParts> {
        let offset = |name: &str| {
            let field = self.universe.find_field(ty, name)?;
            field.map(|field| self.universe.field_offset(field)).transpose()
        };
        match (offset("hasValue"), offset("value")) {
            (Ok(Some(has)), Ok(Some(value))) => Ok(NullableParts { has, value }),
            (Err(error), _) | (_, Err(error)) => Err(give_up(s, error.into())),
            _ => Err(unsupported(s, "the nullables of this runtime")),
        }
    }

    /// Boxes a value that is not a nullable.
    pub fn box_value(&mut self, s: &mut State, ty: TypeId, repr: Repr, value: Value) -> Step<u64> {
        self.check_memory(s, u64::from(repr.size()))?;
        let bytes = Bytes::zeroed(repr.size().max(1) as usize);
        let address = s.heap.allocate(BlockKind::Object(ty), bytes).address();
        self.store(s, address, repr, value)?;
        Ok(address)
    }

    pub fn unbox(&mut self, s: &mut State, ty: TypeId) -> Step {
        if let Some(inner) = self.universe.nullable_argument(ty) {
            return self.unbox_to_nullable_address(s, ty, inner);
        }
        let Some(address) = self.address(s, 0)? else { return self.null_reference(s) };
        if !self.unboxes(s, address, ty)? {
            return self.bad_cast(s, address, ty);
        }
        pop(s)?;
        push(s, Value::address(address))
    }

    /// No box holds a nullable, so the address is that of a copy.
    fn unbox_to_nullable_address(&mut self, s: &mut State, ty: TypeId, inner: TypeId) -> Step {
        let flow = self.unbox_nullable(s, ty, inner)?;
        if let Some(Value::Struct(bytes)) = s.top.stack.last() {
            let block = s.heap.allocate(BlockKind::Stack, bytes.as_ref().clone());
            s.top.stack_blocks.push(block);
            pop(s)?;
            push(s, Value::address(block.address()))?;
        }
        Ok(flow)
    }

    pub(crate) fn unbox_any(&mut self, s: &mut State, ty: TypeId, repr: Repr) -> Step {
        if !self.universe.is_value_type(ty) {
            return self.castclass(s, ty);
        }
        if let Some(inner) = self.universe.nullable_argument(ty) {
            return self.unbox_nullable(s, ty, inner);
        }
        let Some(address) = self.address(s, 0)? else { return self.null_reference(s) };
        if !self.unboxes(s, address, ty)? {
            return self.bad_cast(s, address, ty);
        }
        let value = self.load(s, address, repr)?;
        pop(s)?;
        push(s, value)
    }

    /// A box unboxes to its own type, and between an enum and its underlying type.
    fn unboxes(&self, s: &State, address: u64, ty: TypeId) -> Step<bool> {
        let boxed = self.object_type(s, address)?;
        let plain = |ty: TypeId| self.universe.enum_underlying(ty).map(|inner| inner.unwrap_or(ty));
        match (plain(boxed), plain(ty)) {
            (Ok(a), Ok(b)) => Ok(a == b),
            (Err(error), _) | (_, Err(error)) => Err(give_up(s, error.into())),
        }
    }

    pub fn castclass(&mut self, s: &mut State, ty: TypeId) -> Step {
        let Some(address) = self.address(s, 0)? else {
            pop(s)?;
            return push(s, Value::NULL);
        };
        let is = self.is_instance(s, address, ty)?;
        if is { Ok(Flow::Next) } else { self.bad_cast(s, address, ty) }
    }

    pub fn bad_cast(&mut self, s: &mut State, object: u64, to: TypeId) -> Step {
        let from = self.universe.type_name(self.object_type(s, object)?);
        let to = self.universe.type_name(to);
        if self.flavor() == Flavor::Mono {
            return self.throw_new(s, RuntimeException::InvalidCast);
        }
        let message = format!("Unable to cast object of type '{from}' to type '{to}'.");
        self.throw_saying(s, RuntimeException::InvalidCast, &message)
    }

    pub fn isinst(&mut self, s: &mut State, ty: TypeId) -> Step {
        let Some(address) = self.address(s, 0)? else {
            pop(s)?;
            return push(s, Value::NULL);
        };
        let is = self.is_instance(s, address, ty)?;
        pop(s)?;
        push(s, if is { Value::address(address) } else { Value::NULL })
    }

    /// A field handle holds an object that holds the field's number.
    pub(crate) fn ldtoken_field(&mut self, s: &mut State, field: types::FieldId) -> Step {
        if self.flavor() == Flavor::Mono {
            return push(s, handle(self.field_handle(field)));
        }
        let stub = match self.field_stub(s, field) {
            Err(_) if self.universe.field(field).has_rva() => {
                let ty = self.universe.field_type(field).map_err(|error| give_up(s, error.into()))?;
                let len = self.repr_of(ty).map_err(|gap| give_up(s, gap))?.size();
                self.image_data(s, field, len)?
            }
            stub => stub?,
        };
        push(s, handle(stub))
    }

    /// A method handle holds an object that holds the method's number.
    pub(crate) fn ldtoken_method(&mut self, s: &mut State, method: types::MethodId) -> Step {
        if self.flavor() == Flavor::Mono {
            let number = self.function_pointer(method);
            let Value::I64(number) = number else { return Err(unsupported(s, "a method without a number")) };
            return push(s, handle(number.cast_unsigned()));
        }
        let stub = self.method_stub(s, method)?;
        push(s, handle(stub))
    }

    /// A type handle holds the reference to the one object that stands for the type.
    pub(crate) fn ldtoken_type(&mut self, s: &mut State, ty: TypeId) -> Step {
        if self.flavor() == Flavor::Mono {
            // Mono's handles do not know the objects.
            let word = self.type_handle(s, ty)?;
            return push(s, handle(word));
        }
        let object = self.type_object(s, ty)?;
        push(s, handle(object))
    }

    pub fn type_object(&mut self, s: &mut State, ty: TypeId) -> Step<u64> {
        if let Some(block) = s.runtime.type_objects.get(&ty) {
            return Ok(block.address());
        }
        let reflected = self.universe.reflected(ty).map_err(|error| give_up(s, error.into()))?;
        if reflected != ty {
            let object = self.type_object(s, reflected)?;
            Rc::make_mut(&mut s.runtime.type_objects).insert(ty, split_address(object).0);
            return Ok(object);
        }
        let class = self.core_type(s, "System.RuntimeType")?;
        let size = match self.universe.layout(class) {
            Ok(layout) => layout.size.max(1),
            Err(error) => return Err(give_up(s, error.into())),
        };
        let block = s.heap.allocate(BlockKind::Object(class), Bytes::zeroed(size as usize));
        Rc::make_mut(&mut s.runtime.type_objects).insert(ty, block);
        let offset = self.type_handle_offset(s)?;
        let table = self.method_table(s, ty)?;
        self.store(s, block.address() + offset, Repr::I8, Value::address(table))?;
        Ok(block.address())
    }
}

/// Offsets in a nullable.
struct NullableParts {
    has: u32,
    value: u32,
}

/// A runtime handle: a structure of one word.
pub fn handle(word: u64) -> Value {
    Value::Struct(Rc::new(Bytes::from_vec(word.to_le_bytes().to_vec())))
}

/// Bytes beyond the limit for those who handle the lack of memory, at a time and in all.
const EXTRA: u64 = 1 << 20;
const MOST_EXTRA: u64 = 64 << 20;
