//! The application domain: there is one.

use crate::answers::{no, nothing, null};
use crate::table::{Entry, native};
use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const DOMAIN: &str = "System.AppDomain";

pub(crate) const TABLE: &[Entry] = &[
    native(DOMAIN, "getCurDomain", current),
    native(DOMAIN, "getRootDomain", current),
    native(DOMAIN, "getFriendlyName", |m, s, _| {
        let name = s.frames().last().and_then(|frame| m.universe.assembly_of(frame.code.method).ok());
        let name = name.map(|assembly| m.universe.assembly(assembly).file().to_owned()).unwrap_or_default();
        m.string(s, &name).map(|text| Some(Value::address(text)))
    }),
    native(DOMAIN, "GetData", null),
    native(DOMAIN, "SetData", nothing),
    native(DOMAIN, "InternalIsFinalizingForUnload", no),
    native(DOMAIN, "InternalGetContext", null),
    native(DOMAIN, "InternalGetDefaultContext", null),
];

fn current(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    if s.runtime.domain != 0 {
        return Ok(Some(Value::address(s.runtime.domain)));
    }
    let class = m.core_type(s, DOMAIN)?;
    let domain = m.allocate_instance(s, class)?;
    s.runtime.domain = domain;
    Ok(Some(Value::address(domain)))
}
