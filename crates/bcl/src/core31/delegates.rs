//! Delegates made at run time.

use crate::delegates::binding::{Binding, bind, bind_named, method_behind};
use crate::reflection::methods::method_of_object;
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::ops::MULTICAST;
use vm::state::State;
use vm::value::Value;

const DELEGATE: &str = "System.Delegate";

pub(crate) const TABLE: &[Entry] = &[
    native(DELEGATE, "InternalAlloc", |m, s, c| {
        let ty = c.type_object(m, s, 0)?;
        m.allocate_instance(s, ty).map(|delegate| Some(Value::address(delegate)))
    }),
    native(DELEGATE, "InternalAllocLike", |m, s, c| {
        let ty = c.object_type(m, s, 0)?;
        m.allocate_instance(s, ty).map(|delegate| Some(Value::address(delegate)))
    }),
    native(DELEGATE, "BindToMethodInfo", bind_to_method),
    native(DELEGATE, "BindToMethodName", bind_to_name),
    native(DELEGATE, "FindMethodHandle", |m, s, c| {
        let delegate = c.number(m, s, 0)?;
        let method = method_behind(m, s, delegate)?;
        m.method_stub(s, method).map(|stub| Some(Value::address(stub)))
    }),
    native(DELEGATE, "GetMulticastInvoke", |_, _, _| Ok(Some(Value::address(MULTICAST)))),
];

fn binding(m: &Machine, s: &State, call: &Call) -> Step<Binding> {
    Ok(Binding {
        delegate: call.number(m, s, 0)?,
        target: call.number(m, s, 1)?,
        flags: call.number(m, s, 4)?,
    })
}

/// `(delegate, target, method, its type, flags)`.
fn bind_to_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let info = call.number(m, s, 2)?;
    let method = method_of_object(m, s, info)?;
    let binding = binding(m, s, call)?;
    bind(m, s, &binding, method).map(|bound| Some(Value::bool(bound)))
}

/// `(delegate, target, type, name, flags)`.
fn bind_to_name(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let class = call.type_object(m, s, 2)?;
    let name = call.number(m, s, 3)?;
    let name = m.string_at(s, name)?;
    let binding = binding(m, s, call)?;
    bind_named(m, s, &binding, class, &name).map(|bound| Some(Value::bool(bound)))
}
