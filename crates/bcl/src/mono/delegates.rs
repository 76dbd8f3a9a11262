//! Delegates made at run time.

use crate::delegates::binding::{Binding, bind};
use crate::table::{Entry, native};
use vm::machine::{Machine, Step, give_up};
use vm::models::Call;
use vm::ops::MULTICAST;
use vm::state::State;
use vm::value::{Repr, Value};

const DELEGATE: &str = "System.Delegate";

pub(crate) const TABLE: &[Entry] = &[
    native(DELEGATE, "AllocDelegateLike_internal", |m, s, c| {
        let ty = c.object_type(m, s, 0)?;
        let delegate = m.allocate_instance(s, ty)?;
        let pointer = m.delegate_fields(s)?.pointer;
        m.store(s, delegate + pointer, Repr::I8, Value::address(MULTICAST))?;
        Ok(Some(Value::address(delegate)))
    }),
    native(DELEGATE, "CreateDelegate_internal", create),
    native(DELEGATE, "GetVirtualMethod_internal", |m, s, c| {
        let delegate = c.number(m, s, 0)?;
        let method = crate::delegates::binding::method_behind(m, s, delegate)?;
        super::members::method_object(m, s, method).map(|object| Some(Value::address(object)))
    }),
];

/// Bound as the library has checked already: open or closed, whatever fits.
const ANY: u64 = 0x40;

/// `(type, target, method, throwOnBindFailure)`.
fn create(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.type_object(m, s, 0)?;
    let target = call.number(m, s, 1)?;
    let info = call.number(m, s, 2)?;
    let method = super::members::method_of_info(m, s, info)?;
    let delegate = m.allocate_instance(s, ty)?;
    let bound = bind(m, s, &Binding { delegate, target, flags: ANY }, method)?;
    if !bound {
        return Err(give_up(s, verdict::Gap::unsupported_instruction("a delegate that does not fit")));
    }
    let class = m.core_type(s, DELEGATE)?;
    let at = u64::from(m.offset_of(s, class, &["method_info"])?);
    m.store(s, delegate + at, Repr::Ref, Value::address(info))?;
    Ok(Some(Value::address(delegate)))
}
