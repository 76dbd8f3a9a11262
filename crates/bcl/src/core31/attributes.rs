//! Custom attributes: the same values as in [`crate::reflection::attributes`], passed in other ways.

use crate::reflection::attributes::{new_attribute, next_named, read_usage};
use crate::reflection::methods::method_of_object;
use crate::table::{Entry, native, native_enter};
use vm::machine::{Machine, Step, unsupported};
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
    let argument = next_named(m, s, call, assembly)?;
    let (name, class) = (Value::address(argument.name), Value::address(argument.class));
    for (index, value) in [(3, name), (5, class), (6, argument.value)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::Ref, value)?;
    }
    let place = call.number(m, s, 4)?;
    m.store(s, place, Repr::U1, Value::bool(argument.is_property))?;
    Ok(None)
}

/// `(value, length, out targets, out inherited, out allowMultiple)`.
fn usage(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let usage = read_usage(m, s, call)?;
    let place = call.number(m, s, 2)?;
    m.store(s, place, Repr::I4, Value::I32(usage.targets as u32 as i32))?;
    for (index, value) in [(3, usage.inherited), (4, usage.multiple)] {
        let place = call.number(m, s, index)?;
        m.store(s, place, Repr::U1, Value::I32(value as i32))?;
    }
    Ok(None)
}
