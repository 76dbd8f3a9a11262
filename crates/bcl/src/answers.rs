//! Models that answer the same whatever they are asked.

use vm::machine::{Machine, Step};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

/// Of methods without a result.
pub(crate) fn nothing(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(None)
}

pub(crate) fn no(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(false)))
}

pub(crate) fn yes(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(true)))
}

pub(crate) fn zero(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::I32(0)))
}

pub(crate) fn null(_: &mut Machine, _: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::NULL))
}
