//! What no host allows: the network and other processes. The run stops, and says what for.

use crate::table::{Entry, native};
use vm::host::Denied;
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const SYSTEM: &str = "Interop+Sys";

pub(crate) const TABLE: &[Entry] = &[
    native(SYSTEM, "Socket", network),
    native(SYSTEM, "<GetHostEntryForName>g____PInvoke|", network),
    native(SYSTEM, "GetHostEntryForName", network),
    native(SYSTEM, "GetNameInfo", network),
    native(SYSTEM, "EnumerateInterfaceAddresses", network),
    native(SYSTEM, "RegisterForSigChld", process),
    native(SYSTEM, "ForkAndExecProcess", process),
    native(SYSTEM, "<ForkAndExecProcess>g____PInvoke|", process),
    native(SYSTEM, "Kill", process),
];

fn network(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Err(m.denied(s, call, &Denied("the network, which is denied".into())))
}

fn process(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Err(m.denied(s, call, &Denied("other processes, which are denied".into())))
}
