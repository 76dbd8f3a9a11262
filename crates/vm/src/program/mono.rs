//! How a program ends on Mono: it unwinds before it says that nobody caught an exception, and it does not abort.

use std::rc::Rc;

use crate::code::{Code, Op};
use crate::host::Output;
use crate::machine::Machine;
use crate::made_code::MadeCode;
use crate::program::{Ending, Limits, call_handlers, describe, gap_of, go, stopped};
use crate::state::State;
use crate::stop::{PathEnd, Stop};
use crate::value::{Repr, Value};
use verdict::Gap;

/// What Mono exits with.
const UNHANDLED: i32 = 1;

pub(crate) fn unhandled(machine: &mut Machine, state: &mut State, exception: u64, limits: Limits) -> Ending {
    let stop = match machine.unwind_uncaught(state, exception) {
        Ok(_) => go(machine, state, limits),
        Err(stop) => *stop,
    };
    match stop {
        Stop::End(PathEnd::Exited(code)) => return Ending::Exited(code),
        Stop::End(PathEnd::Threw { .. } | PathEnd::Returned(_)) => {}
        stop => return stopped(state, stop),
    }
    let told = match tell(machine, state, exception) {
        Ok(told) => told,
        Err(gap) => return Ending::Stopped { gap, stack: Vec::new() },
    };
    if told {
        match go(machine, state, limits) {
            Stop::End(PathEnd::Returned(_) | PathEnd::Threw { .. }) => {}
            Stop::End(PathEnd::Exited(code)) => return Ending::Exited(code),
            stop => return stopped(state, stop),
        }
    }
    let text = match describe(machine, state, exception, limits) {
        Ok(text) => text,
        Err(ending) => return ending,
    };
    let first = if told { String::new() } else { format!("\nUnhandled Exception:\n{text}\n") };
    let message = format!("{first}[ERROR] FATAL UNHANDLED EXCEPTION: {text}\n");
    match machine.host.write(Output::Error, message.as_bytes()) {
        Ok(()) => Ending::Exited(UNHANDLED),
        Err(denied) => Ending::Stopped { gap: Gap::native_call(denied.0), stack: Vec::new() },
    }
}

/// The handlers of an event of the application domain, if there are any, and the domain.
fn handlers(machine: &mut Machine, state: &State, event: &str) -> Result<Option<(u64, u64)>, Gap> {
    let domain = state.runtime.domain;
    if domain == 0 {
        return Ok(None);
    }
    match machine.load_field(state, domain, event, Repr::Ref).map_err(|stop| gap_of(*stop))? {
        Value::I64(handlers) if handlers != 0 => Ok(Some((handlers.cast_unsigned(), domain))),
        _ => Ok(None),
    }
}

fn tell(machine: &mut Machine, state: &mut State, exception: u64) -> Result<bool, Gap> {
    let Some((handlers, domain)) = handlers(machine, state, "UnhandledException")? else { return Ok(false) };
    call_handlers(machine, state, handlers, domain, exception)?;
    Ok(true)
}

/// Code without parameters that raises the domain's `ProcessExit`.
pub(crate) fn exit_handlers(machine: &mut Machine, state: &mut State) -> Result<Option<Rc<Code>>, Gap> {
    let Some((handlers, domain)) = handlers(machine, state, "ProcessExit")? else { return Ok(None) };
    let ty = machine.object_type(state, handlers).map_err(|stop| gap_of(*stop))?;
    let invoke = machine.universe.methods_named(ty, "Invoke")?.first().copied();
    let invoke = invoke.ok_or_else(|| Gap::invalid_code("a delegate that cannot be called"))?;
    let mut made = MadeCode::new(&machine.universe, invoke, None);
    let call = made.call(&machine.universe, invoke)?;
    let literal = |address: u64| Op::LdI8(address.cast_signed());
    made.ops.extend([literal(handlers), literal(domain), Op::LdNull, Op::Call(call), Op::Ret]);
    Ok(Some(Rc::new(made.finish())))
}
