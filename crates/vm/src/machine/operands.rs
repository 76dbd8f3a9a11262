//! The operands on the evaluation stack.

use crate::machine::{Flow, Step, give_up};
use crate::state::State;
use crate::value::Value;
use verdict::Gap;

pub fn push(s: &mut State, value: Value) -> Step {
    s.top.stack.push(value);
    Ok(Flow::Next)
}

pub fn pop(s: &mut State) -> Step<Value> {
    match s.top.stack.pop() {
        Some(value) => Ok(value),
        None => Err(give_up(s, Gap::invalid_code("the evaluation stack is empty"))),
    }
}

pub fn peek(s: &State, depth: usize) -> Step<&Value> {
    let stack = &s.top.stack;
    match stack.len().checked_sub(depth + 1).and_then(|i| stack.get(i)) {
        Some(value) => Ok(value),
        None => Err(give_up(s, Gap::invalid_code("the evaluation stack is empty"))),
    }
}

pub(crate) fn replace_operand(s: &mut State, depth: usize, value: Value) {
    let len = s.top.stack.len();
    if let Some(slot) = len.checked_sub(depth + 1).and_then(|i| s.top.stack.get_mut(i)) {
        *slot = value;
    }
}
