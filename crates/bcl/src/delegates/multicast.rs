//! Delegates over several methods: how they are made, and equality of what delegates call.

use crate::table::{Entry, all, one};
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::ops::{ARRAY_DELEGATE, MULTICAST};
use vm::state::State;
use vm::value::{Repr, Value};

const DELEGATE: &str = "System.Delegate";
const MULTICAST_DELEGATE: &str = "System.MulticastDelegate";

pub(crate) const TABLE: &[Entry] = &[
    one(
        MULTICAST_DELEGATE,
        "NewMulticastDelegate",
        "System.Object[],System.Int32,System.Boolean",
        new_multicast,
    ),
    one(DELEGATE, "InternalEqualMethodHandles", "System.Delegate,System.Delegate", same_method),
    one(DELEGATE, "InternalEqualTypes", "System.Object,System.Object", same_type),
];

/// The class library generates code for these, or leaves them to a runtime that cannot.
pub(crate) const PROGRAMS: &[Entry] =
    &[all("System.Dynamic.Utils.DelegateHelpers", "CreateObjectArrayDelegate", new_array_delegate)];

/// The delegate's type, and the function from the array of arguments to the result.
fn new_array_delegate(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let function = call.value(s, 1)?;
    let delegate = m.allocate_instance(s, ty)?;
    let fields = m.delegate_fields(s)?;
    m.store(s, delegate + fields.target, Repr::Ref, function)?;
    m.store(s, delegate + fields.pointer, Repr::I8, Value::address(ARRAY_DELEGATE))?;
    Ok(Some(Value::address(delegate)))
}

/// `this` gives the type; then the list and how much of it counts.
fn new_multicast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.object_type(m, s, 0)?;
    let delegate = m.allocate_instance(s, ty)?;
    let pointer = m.delegate_fields(s)?.pointer;
    m.store(s, delegate + pointer, Repr::I8, Value::address(MULTICAST))?;
    let class = m.core_type(s, MULTICAST_DELEGATE)?;
    for (name, index, repr) in [("_invocationList", 1, Repr::Ref), ("_invocationCount", 2, Repr::I8)] {
        let field = m.universe.find_field(class, name).map_err(|error| give_up(s, error.into()))?;
        let Some(field) = field else {
            return Err(unsupported(s, "multicast delegates of this runtime"));
        };
        let offset = m.universe.field_offset(field).map_err(|error| give_up(s, error.into()))?;
        let value = call.value(s, index)?;
        m.store(s, delegate + u64::from(offset), repr, value)?;
    }
    Ok(Some(Value::address(delegate)))
}

fn same_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let pointer = m.delegate_fields(s)?.pointer;
    let (a, b) = (call.number(m, s, 0)?, call.number(m, s, 1)?);
    let (a, b) = (m.load(s, a + pointer, Repr::I8)?, m.load(s, b + pointer, Repr::I8)?);
    match (a, b) {
        (Value::I64(a), Value::I64(b)) => Ok(Some(Value::bool(a == b))),
        _ => Err(unsupported(s, "a delegate with a symbolic method")),
    }
}

fn same_type(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let same = call.object_type(m, s, 0)? == call.object_type(m, s, 1)?;
    Ok(Some(Value::bool(same)))
}
