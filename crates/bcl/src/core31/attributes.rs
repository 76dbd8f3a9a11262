//! Custom attributes: the same values as in [`crate::reflection::attributes`], passed in other ways.

use crate::reflection::attributes::{Reader, element, new_attribute, tagged_type};
use crate::reflection::methods::method_of_object;
use crate::table::{Entry, native, native_enter};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::{Repr, Value};

const OWNER: &str = "System.Reflection.CustomAttribute";

pub(crate) const TABLE: &[Entry] = &[
    native_enter(OWNER, "_CreateCaObject", create),
    native(OWNER, "_GetPropertyOrFieldData", named_argument),
    native(OWNER, "_ParseAttributeUsageAttribute", usage),
];

fn assembly_of_module(m: &mut Machine, s: &State, module: u64) -> Step<types::AssemblyId> {
    let class = m.core_type(s, "System.Reflection.RuntimeModule")?;
    let at = u64::from(m.offset_of(s, class, &["m_pData"])?);
    let handle = m.load_word(s, module + at)?;
    m.assembly_of_handle(handle).ok_or_else(|| unsupported(s, "a module that is none"))
}

/// `(module, type, constructor, byte** value, byte* end, int* named)`.
fn create(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let module = call.number(m, s, 0)?;
    let assembly = assembly_of_module(m, s, module)?;
    let constructor = call.number(m, s, 2)?;
    let method = method_of_object(m, s, constructor)?;
    let (object, arguments) = new_attribute(m, s, call, method, assembly)?;
    let OnReturn::Push = after else { return Err(unsupported(s, "an attribute made by the runtime")) };
    let count = arguments.len();
    s.top.stack.extend(arguments);
    m.invoke(s, method, count, OnReturn::PushObject(object))
}

/// `(module, byte** value, byte* end, out name, out isProperty, out type, out value)`.
fn named_argument(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let module = call.number(m, s, 0)?;
    let assembly = assembly_of_module(m, s, module)?;
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
    for (index, value) in [(3, Value::address(name)), (5, Value::address(class)), (6, value)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::Ref, value)?;
    }
    let place = call.number(m, s, 4)?;
    m.store(s, place, Repr::U1, Value::bool(is_property))?;
    Ok(None)
}

/// `(value, length, out targets, out inherited, out allowMultiple)`.
fn usage(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let start = call.number(m, s, 0)?;
    let len = call.number(m, s, 1)?;
    let assembly = m.universe.corelib().map_err(|error| give_up(s, error.into()))?;
    let mut reader = Reader::new(m, s, start, start + len, assembly)?;
    reader.number(s, 2)?;
    let targets = reader.number(s, 4)?;
    let (mut multiple, mut inherited) = (0, 1);
    for _ in 0..reader.number(s, 2)? {
        reader.number(s, 1)?;
        tagged_type(m, s, &mut reader)?;
        let name = reader.text(s)?.unwrap_or_default();
        let value = reader.number(s, 1)?;
        match name.as_str() {
            "AllowMultiple" => multiple = value,
            "Inherited" => inherited = value,
            _ => {}
        }
    }
    let place = call.number(m, s, 2)?;
    m.store(s, place, Repr::I4, Value::I32(targets as u32 as i32))?;
    for (index, value) in [(3, inherited), (4, multiple)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::U1, Value::I32(value as i32))?;
    }
    Ok(None)
}
