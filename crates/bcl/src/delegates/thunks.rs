//! Delegates as pointers that native code could call, and back.

use std::rc::Rc;

use crate::table::{Entry, one};
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const MARSHAL: &str = "System.Runtime.InteropServices.Marshal";

pub(crate) const TABLE: &[Entry] = &[
    one(MARSHAL, "GetFunctionPointerForDelegateInternal", HANDLE, pointer_of),
    one(MARSHAL, "GetDelegateForFunctionPointerInternal", POINTER_TYPE_HANDLE, delegate_of),
];

// Older runtimes have methods of the same names with other parameters.
const HANDLE: &str = "System.Runtime.CompilerServices.ObjectHandleOnStack";
const POINTER_TYPE_HANDLE: &str = "System.IntPtr,System.Runtime.CompilerServices.QCallTypeHandle,System.Runtime.CompilerServices.ObjectHandleOnStack";

/// `(delegate)`: a delegate has the same pointer whenever it is asked for.
fn pointer_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = call.word(m, s, 0, 0)?;
    let delegate = m.load_word(s, place)?;
    Ok(Some(Value::address(pointer_to(m, s, delegate))))
}

pub(crate) fn pointer_to(m: &mut Machine, s: &mut State, delegate: u64) -> u64 {
    let known = s.runtime.thunks.iter().find(|(_, of)| **of == delegate).map(|(pointer, _)| *pointer);
    match known {
        Some(pointer) => pointer,
        None => {
            let pointer = m.runtime_data(s, vec![0; 8]);
            Rc::make_mut(&mut s.runtime.thunks).insert(pointer, delegate);
            pointer
        }
    }
}

/// `(pointer, type, out delegate)`
fn delegate_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let pointer = call.number(m, s, 0)?;
    let ty = call.type_handle(m, s, 1)?;
    let delegate = delegate_over(m, s, ty, pointer)?;
    call.give(m, s, 2, delegate)?;
    Ok(None)
}

pub(crate) fn delegate_over(m: &mut Machine, s: &mut State, ty: types::TypeId, pointer: u64) -> Step<u64> {
    match s.runtime.thunks.get(&pointer).copied() {
        Some(delegate) if m.object_type(s, delegate)? == ty => Ok(delegate),
        Some(_) => Err(unsupported(s, "a delegate over another one's pointer")),
        None => over_function(m, s, ty, pointer),
    }
}

/// A delegate over a static method of the program, as its pointer says.
fn over_function(m: &mut Machine, s: &mut State, ty: types::TypeId, pointer: u64) -> Step<u64> {
    match m.function_at(pointer) {
        Some(method) if m.universe.method(method).is_static() => {}
        _ => return Err(unsupported(s, "a delegate over native code")),
    }
    let delegate = m.allocate_instance(s, ty)?;
    let fields = m.delegate_fields(s)?;
    m.store(s, delegate + fields.pointer, Repr::I8, Value::address(pointer))?;
    Ok(delegate)
}
