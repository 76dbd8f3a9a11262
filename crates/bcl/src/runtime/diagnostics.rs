//! What a program can ask about debuggers and tell them: none is there, and nobody reads the system's log.

use crate::answers::{nothing, zero};
use crate::table::{Entry, all, failed, native, native_enter};
use vm::code::Op;
use vm::machine::{Callee, Machine, Step};
use vm::models::Call;
use vm::state::{OnReturn, State};
use vm::value::Value;

const DEBUGGER: &str = "System.Diagnostics.Debugger";
const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";

pub(crate) const TABLE: &[Entry] = &[
    native(DEBUGGER, "IsLoggingInternal", zero),
    native(DEBUGGER, "<LogInternal>g____PInvoke|", nothing),
    native(DEBUGGER, "CustomNotification", nothing),
    native("Interop+Sys", "<SysLog>g____PInvoke|", nothing),
    native(HELPERS, "CompileMethod", nothing),
    native_enter(HELPERS, "PrepareMethod", prepare),
    native(HELPERS, "PrepareDelegate", nothing),
    // The class library keeps the answer in what the runtime knows about a type.
    all("System.IO.Stream", "HasOverriddenBeginEndRead", |m, s, c| {
        overrides(m, s, c, ["BeginRead", "EndRead"])
    }),
    all("System.IO.Stream", "HasOverriddenBeginEndWrite", |m, s, c| {
        overrides(m, s, c, ["BeginWrite", "EndWrite"])
    }),
];

/// Compiles a method: throws what its first call would, if it is refused.
fn prepare(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let method = call.method_handle(m, s, 0)?;
    if let Callee::Code(code) = m.callee(method)
        && let [Op::Refuse(index)] = *code.ops
    {
        return m.refuse(s, &code, index);
    }
    m.returned(s, after, None)
}

/// Has a class between this stream's and `Stream` one of these methods?
fn overrides(m: &mut Machine, s: &mut State, call: &Call, names: [&str; 2]) -> Step<Option<Value>> {
    let stream = m.core_type(s, "System.IO.Stream")?;
    let mut class = Some(call.object_type(m, s, 0)?);
    while let Some(ty) = class.filter(|ty| *ty != stream) {
        for method in m.universe.methods(ty).map_err(|e| failed(s, e))? {
            let method = m.universe.method(*method);
            if method.is_virtual() && names.contains(&&*method.name) {
                return Ok(Some(Value::bool(true)));
            }
        }
        class = m.universe.base(ty).map_err(|e| failed(s, e))?;
    }
    Ok(Some(Value::bool(false)))
}
