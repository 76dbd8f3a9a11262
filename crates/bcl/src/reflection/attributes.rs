//! Custom attributes: their values decoded (ECMA-335 II.23.3) and given to the attribute's constructor.

use types::{AssemblyId, MethodId, Primitive, Type, TypeId};

use crate::reflection::assemblies::assembly_argument;
use crate::reflection::type_parsing;
use crate::table::{Entry, enter, native};
use vm::decode::repr_of;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const OWNER: &str = "System.Reflection.CustomAttribute";

pub(crate) const TABLE: &[Entry] = &[
    enter(OWNER, "<CreateCustomAttributeInstance>g____PInvoke|", create),
    native(OWNER, "<CreatePropertyOrFieldData>g____PInvoke|", named_argument),
    native(OWNER, "ParseAttributeUsageAttribute", usage),
];

/// A place in the value of an attribute.
pub(crate) struct Reader {
    bytes: Vec<u8>,
    pub at: usize,
    assembly: AssemblyId,
}

impl Reader {
    pub fn new(m: &mut Machine, s: &State, start: u64, end: u64, assembly: AssemblyId) -> Step<Reader> {
        let len = usize::try_from(end.saturating_sub(start)).unwrap_or(0);
        let bytes = m.load_bytes(s, start, len)?;
        match bytes.concrete() {
            Some(bytes) => Ok(Reader { bytes: bytes.to_vec(), at: 0, assembly }),
            None => Err(unsupported(s, "a symbolic attribute")),
        }
    }

    pub fn number(&mut self, s: &State, size: usize) -> Step<u64> {
        let Some(slice) = self.bytes.get(self.at..self.at + size) else {
            return Err(unsupported(s, "an attribute that ends too early"));
        };
        self.at += size;
        Ok(slice.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A counted string; `None` is null.
    pub fn text(&mut self, s: &State) -> Step<Option<String>> {
        let first = self.number(s, 1)?;
        let len = match first {
            0xff => return Ok(None),
            0..0x80 => first,
            0x80..0xc0 => (first & 0x3f) << 8 | self.number(s, 1)?,
            _ => {
                let rest = [self.number(s, 1)?, self.number(s, 1)?, self.number(s, 1)?];
                rest.iter().fold(first & 0x1f, |len, byte| len << 8 | byte)
            }
        };
        let Some(slice) = self.bytes.get(self.at..self.at + len as usize) else {
            return Err(unsupported(s, "an attribute that ends too early"));
        };
        self.at += len as usize;
        Ok(Some(String::from_utf8_lossy(slice).into_owned()))
    }
}

/// `(module, type, constructor, byte** value, byte* end, int* named, instance)`.
fn create(m: &mut Machine, s: &mut State, call: &Call, _after: OnReturn) -> Step {
    let assembly = assembly_argument(m, s, call, 0)?;
    let constructor = call.word(m, s, 2, 0)?;
    let constructor = m.load_word(s, constructor)?;
    let class = m.object_type(s, constructor)?;
    let offset = m.offset_of(s, class, &["m_handle", "m_value"])?;
    let handle = m.load_word(s, constructor + u64::from(offset))?;
    let Some(method) = m.function_at(handle) else {
        return Err(unsupported(s, "a method handle that is none"));
    };
    let (object, arguments) = new_attribute(m, s, call, method, assembly)?;
    call.give(m, s, 6, object)?;
    let count = arguments.len();
    s.top.stack.extend(arguments);
    m.invoke(s, method, count, OnReturn::Discard)
}

/// An attribute and the arguments of its constructor, itself first. Arguments 3 to 5 of the call are where its bytes are
/// read, their end, and where the number of named arguments goes.
pub(crate) fn new_attribute(
    m: &mut Machine,
    s: &mut State,
    call: &Call,
    method: MethodId,
    assembly: AssemblyId,
) -> Step<(u64, Vec<Value>)> {
    let cursor = call.number(m, s, 3)?;
    let start = m.load_word(s, cursor)?;
    let end = call.number(m, s, 4)?;
    let mut reader = Reader::new(m, s, start, end, assembly)?;
    if reader.number(s, 2)? != 1 {
        return Err(unsupported(s, "an attribute of another version"));
    }
    let sig = m.universe.signature(method).map_err(|error| give_up(s, error.into()))?.clone();
    let owner = m.universe.method(method).owner;
    let object = m.allocate_instance(s, owner)?;
    let mut arguments = vec![Value::address(object)];
    for param in sig.params.iter() {
        arguments.push(element(m, s, &mut reader, *param)?);
    }
    let named = reader.number(s, 2)?;
    m.store(s, cursor, Repr::I8, Value::address(start + reader.at as u64))?;
    let place = call.number(m, s, 5)?;
    m.store(s, place, Repr::I4, Value::I32(named as i32))?;
    Ok((object, arguments))
}

/// A value of a known type, as it is passed to a parameter.
pub(crate) fn element(m: &mut Machine, s: &mut State, reader: &mut Reader, ty: TypeId) -> Step<Value> {
    let known = m.universe.well_known().map_err(|error| give_up(s, error.into()))?;
    if ty == known.string {
        return match reader.text(s)? {
            Some(text) => Ok(Value::address(m.string(s, &text)?)),
            None => Ok(Value::NULL),
        };
    }
    if ty == known.object {
        let actual = tagged_type(m, s, reader)?;
        let value = element(m, s, reader, actual)?;
        return m.boxed(s, actual, value);
    }
    if m.universe.is_value_type(ty) {
        let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
        let bits = reader.number(s, repr.size() as usize)?;
        return Ok(m.widen(vm::bytes::Bits::Concrete(bits), repr));
    }
    if let Type::SzArray(inner) = *m.universe.ty(ty) {
        return array(m, s, reader, inner);
    }
    if m.universe.type_name(ty) == "System.Type" {
        return match reader.text(s)? {
            Some(name) => {
                let named = type_by_name(m, s, reader.assembly, &name)?;
                Ok(Value::address(m.type_object(s, named)?))
            }
            None => Ok(Value::NULL),
        };
    }
    Err(unsupported(s, "an attribute with such an argument"))
}

fn array(m: &mut Machine, s: &mut State, reader: &mut Reader, inner: TypeId) -> Step<Value> {
    let count = reader.number(s, 4)?;
    if count == u64::from(u32::MAX) {
        return Ok(Value::NULL);
    }
    let repr = repr_of(&m.universe, inner).map_err(|gap| give_up(s, gap))?;
    let Some(array) = m.allocate_array(s, inner, count)? else {
        return Err(unsupported(s, "so long an array"));
    };
    for i in 0..count {
        let value = element(m, s, reader, inner)?;
        m.store(s, array + u64::from(ELEMENTS) + i * u64::from(repr.size()), repr, value)?;
    }
    Ok(Value::address(array))
}

/// The type that stands before a value of a named argument or of an `object`.
pub(crate) fn tagged_type(m: &mut Machine, s: &mut State, reader: &mut Reader) -> Step<TypeId> {
    let known = m.universe.well_known().map_err(|error| give_up(s, error.into()))?;
    let tag = reader.number(s, 1)?;
    Ok(match tag {
        0x02 => known.boolean,
        0x03 => known.char,
        0x04 => known.sbyte,
        0x05 => known.byte,
        0x06 => known.int16,
        0x07 => known.uint16,
        0x08 => known.int32,
        0x09 => known.uint32,
        0x0a => known.int64,
        0x0b => known.uint64,
        0x0c => known.single,
        0x0d => known.double,
        0x0e => known.string,
        0x51 => known.object,
        0x50 => m.core_type(s, "System.Type")?,
        0x55 => match reader.text(s)? {
            Some(name) => type_by_name(m, s, reader.assembly, &name)?,
            None => return Err(unsupported(s, "an attribute with an enum of no name")),
        },
        0x1d => {
            let inner = tagged_type(m, s, reader)?;
            m.universe.make_sz_array(inner).map_err(|error| give_up(s, error.into()))?
        }
        _ => return Err(unsupported(s, "an attribute with such an argument")),
    })
}

/// A type by its name in the assembly of the attribute, in the one it names, or in the core library.
fn type_by_name(m: &Machine, s: &State, assembly: AssemblyId, name: &str) -> Step<TypeId> {
    type_parsing::parse(&m.universe, assembly, name)
        .ok_or_else(|| unsupported(s, &format!("an attribute that names the type {name}")))
}

/// `(module, byte** value, byte* end, name, int* isProperty, type, value)`.
fn named_argument(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let assembly = assembly_argument(m, s, call, 0)?;
    let argument = next_named(m, s, call, assembly)?;
    call.give(m, s, 3, argument.name)?;
    let place = call.number(m, s, 4)?;
    m.store(s, place, Repr::I4, Value::bool(argument.is_property))?;
    call.give(m, s, 5, argument.class)?;
    if let Value::I64(value) = argument.value {
        call.give(m, s, 6, value.cast_unsigned())?;
    }
    Ok(None)
}

/// A named argument of an attribute: addresses of its name and of the object of its type, and its value as an object.
pub(crate) struct Named {
    pub is_property: bool,
    pub name: u64,
    pub class: u64,
    pub value: Value,
}

/// Reads one between the addresses in argument 1, which moves on, and argument 2.
pub(crate) fn next_named(m: &mut Machine, s: &mut State, call: &Call, assembly: AssemblyId) -> Step<Named> {
    let cursor = call.number(m, s, 1)?;
    let start = m.load_word(s, cursor)?;
    let end = call.number(m, s, 2)?;
    let mut reader = Reader::new(m, s, start, end, assembly)?;
    let is_property = reader.number(s, 1)? == 0x54;
    let ty = tagged_type(m, s, &mut reader)?;
    let name = reader.text(s)?.unwrap_or_default();
    let value = element(m, s, &mut reader, ty)?;
    let value = m.boxed(s, ty, value)?;
    m.store(s, cursor, Repr::I8, Value::address(start + reader.at as u64))?;
    let name = m.string(s, &name)?;
    let class = m.type_object(s, ty)?;
    Ok(Named { is_property, name, class, value })
}

/// `(value, length, int* targets, int* allowMultiple, int* inherited)`.
fn usage(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let usage = read_usage(m, s, call)?;
    for (index, value) in [(2, usage.targets), (3, usage.multiple), (4, usage.inherited)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::I4, Value::I32(value as u32 as i32))?;
    }
    Ok(Some(Value::I32(1)))
}

/// The numbers of an `AttributeUsageAttribute`.
pub(crate) struct Usage {
    pub targets: u64,
    pub multiple: u64,
    pub inherited: u64,
}

/// `(value, length, …)`.
pub(crate) fn read_usage(m: &mut Machine, s: &mut State, call: &Call) -> Step<Usage> {
    let start = call.number(m, s, 0)?;
    let len = call.number(m, s, 1)?;
    let assembly = m.universe.corelib().map_err(|error| give_up(s, error.into()))?;
    let mut reader = Reader::new(m, s, start, start + len, assembly)?;
    reader.number(s, 2)?;
    let mut usage = Usage { targets: reader.number(s, 4)?, multiple: 0, inherited: 1 };
    for _ in 0..reader.number(s, 2)? {
        reader.number(s, 1)?;
        let ty = tagged_type(m, s, &mut reader)?;
        let name = reader.text(s)?.unwrap_or_default();
        if m.universe.primitive(ty) != Some(Primitive::Boolean) {
            return Err(unsupported(s, "an attribute usage with such an argument"));
        }
        let value = reader.number(s, 1)?;
        match name.as_str() {
            "AllowMultiple" => usage.multiple = value,
            "Inherited" => usage.inherited = value,
            _ => {}
        }
    }
    Ok(usage)
}
