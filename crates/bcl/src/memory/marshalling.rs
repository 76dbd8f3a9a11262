//! Structures in native memory: those whose bytes are the same on both sides are copied, others are converted field by
//! field.

use types::{FieldId, TypeId};

use crate::delegates::thunks::{delegate_over, pointer_to};
use crate::memory::native::allocate;
use crate::memory::native_dates;
use crate::memory::native_layout::{Native, NativeLayout, is_copied};
use crate::table::{Entry, enter_one, failed, native, native_enter};
use vm::bytes::Bytes;
use vm::heap::split_address;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

/// What stands for bytes that are no text.
const REPLACEMENT: u16 = 0xfffd;

const MARSHAL: &str = "System.Runtime.InteropServices.Marshal";

pub(crate) const TABLE: &[Entry] = &[
    native_enter(MARSHAL, "<SizeOfHelper>g____PInvoke|", size),
    native_enter(MARSHAL, "OffsetOf", offset),
    native(MARSHAL, "<TryGetStructMarshalStub>g____PInvoke|", stub),
    enter_one(MARSHAL, "StructureToPtr", "System.Object,System.IntPtr,System.Boolean", to_native),
    enter_one(MARSHAL, "PtrToStructureHelper", "System.IntPtr,System.Object,System.Boolean", to_managed),
    enter_one(MARSHAL, "DestroyStructure", "System.IntPtr,System.Type", destroy),
];

/// `(type, whether to throw)`
fn size(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.type_handle(m, s, 0)?;
    match native_size(m, s, ty)? {
        Some(size) => m.returned(s, after, Some(Value::I32(size.cast_signed()))),
        None => no_layout(m, s, ty),
    }
}

fn no_layout(m: &mut Machine, s: &mut State, ty: TypeId) -> Step {
    let name = m.universe.type_name(ty);
    let text = format!(
        "Type '{name}' cannot be marshaled as an unmanaged structure; no meaningful size or offset can be computed."
    );
    m.throw_strings(s, "System.ArgumentException", &[&text])
}

fn native_size(m: &Machine, s: &State, ty: TypeId) -> Step<Option<u32>> {
    let u = &m.universe;
    Ok(match u.primitive(ty) {
        Some(types::Primitive::Boolean) => Some(4),
        Some(types::Primitive::Char) => Some(1),
        Some(primitive) => Some(primitive.size()),
        None => layout(m, s, ty)?.map(|layout| layout.size),
    })
}

fn layout(m: &Machine, s: &State, ty: TypeId) -> Step<Option<NativeLayout>> {
    NativeLayout::of(&m.universe, ty).map_err(|error| failed(s, error))
}

fn offset(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let field = call.field_handle(m, s, 0)?;
    let owner = m.universe.field(field).owner;
    let Some(layout) = layout(m, s, owner)? else { return no_layout(m, s, owner) };
    match layout.fields.iter().find(|native| native.field == field) {
        Some(native) => m.returned(s, after, Some(Value::I64(i64::from(native.offset)))),
        None => Err(unsupported(s, "the native offset of this field")),
    }
}

/// `(type, where the stub goes, where the size goes)`: no stub means that the bytes are copied. Others do not get here.
fn stub(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_handle(m, s, 0)?;
    let Some(size) = native_size(m, s, ty)? else { return Ok(Some(Value::I32(0))) };
    let (stub, place) = (call.number(m, s, 1)?, call.number(m, s, 2)?);
    m.store(s, stub, Repr::I8, Value::NULL)?;
    m.store(s, place, Repr::I8, Value::I64(i64::from(size)))?;
    Ok(Some(Value::I32(1)))
}

/// What is converted; nothing if the class library's own code does.
fn converted(m: &Machine, s: &State, ty: TypeId) -> Step<Option<NativeLayout>> {
    match is_copied(&m.universe, ty).map_err(|error| failed(s, error))? {
        true => Ok(None),
        false => layout(m, s, ty),
    }
}

/// `(object, pointer, whether to free what is there)`
fn to_native(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (object, pointer) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    if object == 0 || pointer == 0 {
        return m.enter_body(s, call, after);
    }
    let ty = m.object_type(s, object)?;
    let Some(layout) = converted(m, s, ty)? else { return m.enter_body(s, call, after) };
    if call.number(m, s, 2)? != 0 {
        free_texts(m, s, pointer, &layout)?;
    }
    m.store_bytes(s, pointer, &Bytes::zeroed(layout.size as usize))?;
    match write_all(m, s, object, pointer, &layout)? {
        Ok(()) => m.returned(s, after, None),
        Err(text) => m.throw_strings(s, "System.ArgumentException", &[text]),
    }
}

/// `(pointer, object, whether it may be a value)`
fn to_managed(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (pointer, object) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    if object == 0 || pointer == 0 {
        return m.enter_body(s, call, after);
    }
    let ty = m.object_type(s, object)?;
    let Some(layout) = converted(m, s, ty)? else { return m.enter_body(s, call, after) };
    if call.number(m, s, 2)? == 0 && m.universe.is_value_type(ty) {
        return m.enter_body(s, call, after);
    }
    read_all(m, s, object, pointer, &layout)?;
    m.returned(s, after, None)
}

/// `(pointer, type)`
fn destroy(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let (pointer, class) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    if pointer == 0 || class == 0 {
        return m.enter_body(s, call, after);
    }
    let ty = call.type_object(m, s, 1)?;
    let Some(layout) = converted(m, s, ty)? else { return m.enter_body(s, call, after) };
    free_texts(m, s, pointer, &layout)?;
    m.returned(s, after, None)
}

fn place(m: &Machine, s: &State, object: u64, field: FieldId) -> Step<u64> {
    let offset = m.universe.field_offset(field).map_err(|error| failed(s, error))?;
    Ok(object + u64::from(offset))
}

/// What a conversion says that cannot be done.
type Outcome = Result<(), &'static str>;

fn write_all(m: &mut Machine, s: &mut State, from: u64, to: u64, layout: &NativeLayout) -> Step<Outcome> {
    for field in &layout.fields {
        let from = place(m, s, from, field.field)?;
        if let Err(text) = write(m, s, from, to + u64::from(field.offset), &field.native)? {
            return Ok(Err(text));
        }
    }
    Ok(Ok(()))
}

fn write(m: &mut Machine, s: &mut State, from: u64, to: u64, native: &Native) -> Step<Outcome> {
    match native {
        Native::Copied { size, .. } => copy(m, s, from, to, *size)?,
        Native::Bool { size } => {
            let is_true = matches!(m.load(s, from, Repr::U1)?, Value::I32(value) if value != 0);
            m.store(s, to, number(*size), Value::bool(is_true))?;
        }
        Native::Char { wide: true } => copy(m, s, from, to, 2)?,
        Native::Char { wide: false } => {
            let unit = unit_at(m, s, from)?;
            // The first byte of what it is in UTF-8.
            let text = String::from_utf16_lossy(&[unit]);
            let byte = text.bytes().next().unwrap_or_default();
            m.store(s, to, Repr::U1, Value::I32(i32::from(byte)))?;
        }
        Native::Text { wide } => {
            let text = m.load_word(s, from)?;
            let pointer = if text == 0 { Value::NULL } else { new_text(m, s, text, *wide)? };
            m.store(s, to, Repr::I8, pointer)?;
        }
        Native::FixedText { count, wide } => return write_fixed_text(m, s, from, to, *count, *wide),
        Native::FixedArray { count, element, native } => {
            return write_array(m, s, from, to, *count, *element, native);
        }
        Native::Structure(ty) => match layout(m, s, *ty)? {
            Some(layout) => return write_all(m, s, from, to, &layout),
            None => return Err(unsupported(s, "marshalling of a structure without layout")),
        },
        Native::Date => {
            let Some(days) = native_dates::from_date(m.load_word(s, from)?) else {
                return Err(unsupported(s, "marshalling of a date before the year 100"));
            };
            m.store(s, to, Repr::R8, Value::F64(days))?;
        }
        Native::Delegate(_) => {
            let delegate = m.load_word(s, from)?;
            let pointer = if delegate == 0 { 0 } else { pointer_to(m, s, delegate) };
            m.store(s, to, Repr::I8, Value::address(pointer))?;
        }
    }
    Ok(Ok(()))
}

fn unit_at(m: &mut Machine, s: &State, at: u64) -> Step<u16> {
    match m.load(s, at, Repr::U2)? {
        Value::I32(unit) => Ok(unit as u16),
        _ => Err(unsupported(s, "marshalling of an unknown character")),
    }
}

fn copy(m: &mut Machine, s: &mut State, from: u64, to: u64, size: u32) -> Step<()> {
    let bytes = m.load_bytes(s, from, size as usize)?;
    m.store_bytes(s, to, &bytes)
}

fn number(size: u32) -> Repr {
    match size {
        1 => Repr::U1,
        2 => Repr::I2,
        _ => Repr::I4,
    }
}

/// A copy of a text in memory that native code frees.
fn new_text(m: &mut Machine, s: &mut State, text: u64, wide: bool) -> Step<Value> {
    let units: Vec<u16> = m.string_at(s, text)?.encode_utf16().chain([0]).collect();
    let bytes = encoded(&units, wide);
    let pointer = allocate(m, s, bytes.len() as u64)?.unwrap_or(Value::NULL);
    if let Value::I64(pointer) = pointer
        && pointer != 0
    {
        m.store_bytes(s, pointer.cast_unsigned(), &Bytes::from_vec(bytes))?;
    }
    Ok(pointer)
}

fn write_fixed_text(
    m: &mut Machine,
    s: &mut State,
    from: u64,
    to: u64,
    count: u32,
    wide: bool,
) -> Step<Outcome> {
    let width = if wide { 2 } else { 1 };
    let room = count as usize * width;
    let text = m.load_word(s, from)?;
    let mut bytes = if text == 0 { Vec::new() } else { text_bytes(m, s, text, count, wide)? };
    if bytes.len() > room {
        return Ok(Err(
            "The output byte buffer is too small to contain the encoded data, encoding codepage '65001' and fallback 'System.Text.EncoderReplacementFallback'. (Parameter 'bytes')",
        ));
    }
    // The last character is the end.
    bytes.truncate(room.saturating_sub(width));
    bytes.resize(room, 0);
    m.store_bytes(s, to, &Bytes::from_vec(bytes))?;
    Ok(Ok(()))
}

/// As much of a text as has room with an end, before it is encoded.
fn text_bytes(m: &mut Machine, s: &State, text: u64, count: u32, wide: bool) -> Step<Vec<u8>> {
    let units: Vec<u16> =
        m.string_at(s, text)?.encode_utf16().take((count as usize).saturating_sub(1)).collect();
    Ok(encoded(&units, wide))
}

fn encoded(units: &[u16], wide: bool) -> Vec<u8> {
    match wide {
        true => units.iter().copied().flat_map(u16::to_le_bytes).collect(),
        false => String::from_utf16_lossy(units).into_bytes(),
    }
}

fn write_array(
    m: &mut Machine,
    s: &mut State,
    from: u64,
    to: u64,
    count: u32,
    element: TypeId,
    native: &Native,
) -> Step<Outcome> {
    let (managed, stride) = strides(m, s, element, native)?;
    let array = m.load_word(s, from)?;
    if array == 0 {
        m.store_bytes(s, to, &Bytes::zeroed((stride * u64::from(count)) as usize))?;
        return Ok(Ok(()));
    }
    if m.array_len(s, array)? < count {
        return Ok(Err(
            "Type could not be marshaled because the length of an embedded array instance does not match the declared length in the layout.",
        ));
    }
    if *native == (Native::Char { wide: false }) {
        return write_text_of_array(m, s, array, to, count);
    }
    for i in 0..u64::from(count) {
        let from = array + u64::from(ELEMENTS) + i * managed;
        if let Err(text) = write(m, s, from, to + i * stride, native)? {
            return Ok(Err(text));
        }
    }
    Ok(Ok(()))
}

/// Characters of an array are one text, in UTF-8.
fn write_text_of_array(m: &mut Machine, s: &mut State, array: u64, to: u64, count: u32) -> Step<Outcome> {
    let mut units = Vec::new();
    for i in 0..u64::from(count) {
        units.push(unit_at(m, s, array + u64::from(ELEMENTS) + 2 * i)?);
    }
    let bytes = String::from_utf16_lossy(&units).into_bytes();
    if bytes.len() > count as usize {
        return Err(unsupported(s, "marshalling of characters that have no room in UTF-8"));
    }
    m.store_bytes(s, to, &Bytes::from_vec(bytes))?;
    Ok(Ok(()))
}

/// The sizes of an element on both sides.
fn strides(m: &Machine, s: &State, element: TypeId, native: &Native) -> Step<(u64, u64)> {
    let managed = vm::decode::repr_of(&m.universe, element).map_err(|gap| vm::machine::give_up(s, gap))?;
    let extent = native.extent(&m.universe).map_err(|error| failed(s, error))?;
    match extent {
        Some((size, _)) => Ok((u64::from(managed.size()), u64::from(size))),
        None => Err(unsupported(s, "an array of structures without layout")),
    }
}

fn read_all(m: &mut Machine, s: &mut State, to: u64, from: u64, layout: &NativeLayout) -> Step<()> {
    for field in &layout.fields {
        let to = place(m, s, to, field.field)?;
        read(m, s, to, from + u64::from(field.offset), &field.native)?;
    }
    Ok(())
}

fn read(m: &mut Machine, s: &mut State, to: u64, from: u64, native: &Native) -> Step<()> {
    match native {
        Native::Copied { size, .. } => copy(m, s, from, to, *size),
        Native::Bool { size } => {
            let is_true = matches!(m.load(s, from, number(*size))?, Value::I32(value) if value != 0);
            m.store(s, to, Repr::U1, Value::bool(is_true))
        }
        Native::Char { wide: true } => copy(m, s, from, to, 2),
        Native::Char { wide: false } => {
            let Value::I32(byte) = m.load(s, from, Repr::U1)? else {
                return Err(unsupported(s, "marshalling of an unknown character"));
            };
            // A byte that is a part of a character is none.
            let unit = if byte < 0x80 { byte } else { i32::from(REPLACEMENT) };
            m.store(s, to, Repr::U2, Value::I32(unit))
        }
        Native::Text { wide } => {
            let pointer = m.load_word(s, from)?;
            let text = match (pointer, wide) {
                (0, _) => 0,
                (_, true) => {
                    let text = m.utf16_at(s, pointer)?;
                    m.string(s, &text)?
                }
                (_, false) => {
                    let text = m.c_string(s, pointer)?;
                    m.string(s, &text)?
                }
            };
            m.store(s, to, Repr::Ref, Value::address(text))
        }
        Native::FixedText { count, wide } => {
            let text = fixed_text(m, s, from, *count, *wide)?;
            let text = m.string(s, &text)?;
            m.store(s, to, Repr::Ref, Value::address(text))
        }
        Native::FixedArray { count, element, native } => {
            let (managed, stride) = strides(m, s, *element, native)?;
            let array = m.allocate_array(s, *element, u64::from(*count))?;
            let Some(array) = array else { return Err(unsupported(s, "marshalling without memory")) };
            for i in 0..u64::from(*count) {
                read(m, s, array + u64::from(ELEMENTS) + i * managed, from + i * stride, native)?;
            }
            m.store(s, to, Repr::Ref, Value::address(array))
        }
        Native::Structure(ty) => match layout(m, s, *ty)? {
            Some(layout) => read_all(m, s, to, from, &layout),
            None => Err(unsupported(s, "marshalling of a structure without layout")),
        },
        Native::Date => {
            let Value::F64(days) = m.load(s, from, Repr::R8)? else {
                return Err(unsupported(s, "marshalling of an unknown date"));
            };
            let Some(bits) = native_dates::to_date(days) else {
                return Err(unsupported(s, "marshalling of a number that is no date"));
            };
            m.store(s, to, Repr::I8, Value::I64(bits.cast_signed()))
        }
        Native::Delegate(ty) => {
            let pointer = m.load_word(s, from)?;
            let delegate = if pointer == 0 { 0 } else { delegate_over(m, s, *ty, pointer)? };
            m.store(s, to, Repr::Ref, Value::address(delegate))
        }
    }
}

fn fixed_text(m: &mut Machine, s: &State, from: u64, count: u32, wide: bool) -> Step<String> {
    let room = count as usize * if wide { 2 } else { 1 };
    let bytes = m.load_bytes(s, from, room)?;
    let Some(bytes) = bytes.concrete() else { return Err(unsupported(s, "marshalling of unknown text")) };
    Ok(match wide {
        true => {
            let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
            String::from_utf16_lossy(&units.take_while(|unit| *unit != 0).collect::<Vec<u16>>())
        }
        false => {
            let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
            String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
        }
    })
}

/// Frees what the fields of a structure in native memory point to.
fn free_texts(m: &mut Machine, s: &mut State, at: u64, layout: &NativeLayout) -> Step<()> {
    for field in &layout.fields {
        free(m, s, at + u64::from(field.offset), &field.native)?;
    }
    Ok(())
}

fn free(m: &mut Machine, s: &mut State, at: u64, native: &Native) -> Step<()> {
    match native {
        Native::Text { .. } => {
            let text = m.load_word(s, at)?;
            if text != 0 {
                s.heap.free(split_address(text).0);
                m.store(s, at, Repr::I8, Value::NULL)?;
            }
            Ok(())
        }
        Native::FixedArray { count, element, native } => {
            let (_, stride) = strides(m, s, *element, native)?;
            (0..u64::from(*count)).try_for_each(|i| free(m, s, at + i * stride, native))
        }
        Native::Structure(ty) => match layout(m, s, *ty)? {
            Some(layout) => free_texts(m, s, at, &layout),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}
