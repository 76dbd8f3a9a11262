//! Stack traces: recorded while an exception passes through frames, written down when asked for.

use crate::answers::{no, zero};
use crate::table::{Entry, all, native, one};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const EXCEPTION: &str = "System.Exception";

pub(crate) const TABLE: &[Entry] = &[
    all(EXCEPTION, "IsImmutableAgileException", no),
    all(EXCEPTION, "PrepareForForeignExceptionRaise", keep_trace),
    all(EXCEPTION, "GetFrozenStackTrace", frozen),
    all(EXCEPTION, "GetExceptionCount", zero),
    native(EXCEPTION, "GetMessageFromNativeResources", native_message),
    one(EXCEPTION, "GetMethodFromStackTrace", QCALL_METHOD, throwing_method),
];

const QCALL_METHOD: &str =
    "System.Runtime.CompilerServices.ObjectHandleOnStack,System.Runtime.CompilerServices.ObjectHandleOnStack";

/// Both arguments are handles: structures with the address of a local that holds a reference.
fn frozen(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let exception = handle_target(m, s, call, 0)?;
    let result = handle_target(m, s, call, 1)?;
    if let Value::I64(exception) = m.load(s, exception, Repr::Ref)? {
        let trace = m.load_field(s, exception.cast_unsigned(), "_stackTrace", Repr::Ref)?;
        m.store(s, result, Repr::Ref, trace)?;
    }
    Ok(None)
}

/// `(trace, out method)`: the method that threw.
fn throwing_method(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let place = handle_target(m, s, call, 0)?;
    let list = m.load_word(s, place)?;
    let first = s.runtime.traces.get(&list).and_then(|places| places.first().copied());
    if let Some(first) = first {
        let method = m.universe.method_definition(first.place.method);
        let stub = m.method_stub(s, method.unwrap_or(first.place.method))?;
        call.give(m, s, 1, stub)?;
    }
    Ok(None)
}

fn handle_target(m: &mut Machine, s: &State, call: &Call, index: usize) -> Step<u64> {
    match call.value(s, index)? {
        Value::Struct(bytes) => match bytes.read(0, 8, &mut m.terms) {
            Ok(vm::bytes::Bits::Concrete(address)) => Ok(address),
            _ => Err(vm::machine::unsupported(s, "a handle that is none")),
        },
        _ => call.number(m, s, index),
    }
}

/// The next throw continues the trace of an earlier one.
fn keep_trace(_: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    s.runtime.keeps_trace = true;
    Ok(None)
}

/// `(kind, string on stack)`: messages that CoreCLR keeps outside of the class library.
fn native_message(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let text = match call.number(m, s, 0)? {
        1 => "Thread was being aborted.",
        2 => "Thread was interrupted from a waiting state.",
        _ => "Insufficient memory to continue the execution of the program.",
    };
    let text = m.string(s, text)?;
    call.give(m, s, 1, text)?;
    Ok(None)
}
