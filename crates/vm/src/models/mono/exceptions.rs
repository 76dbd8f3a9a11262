//! Stack traces.

use crate::machine::{Machine, Step};
use crate::models::{Entry, all, native};
use crate::state::State;
use crate::value::Value;

pub(super) const TABLE: &[Entry] = &[
    all("System.Environment", "GetStackTrace", |m, s, c| {
        let exception = c.number(m, s, 0)?;
        trace(m, s, exception)
    }),
    native("System.Diagnostics.StackTrace", "get_trace", |m, s, _| {
        let class = m.core_type(s, "System.Diagnostics.StackFrame")?;
        m.object_array(s, class, &[]).map(|array| Some(Value::address(array)))
    }),
];

fn trace(m: &mut Machine, s: &mut State, exception: u64) -> Step<Option<Value>> {
    let Some(places) = s.traces.get(&exception).cloned() else { return Ok(Some(Value::NULL)) };
    let text = m.trace_text(places);
    m.string(s, &text).map(|text| Some(Value::address(text)))
}
