//! Activations of methods.

use std::rc::Rc;

use crate::code::Code;
use crate::heap::BlockKind;
use crate::machine::{Machine, Step, give_up};
use crate::state::{Frame, OnReturn, State};
use crate::value::{Repr, Value};
use verdict::Gap;

impl Machine {
    /// A frame with its arguments in place.
    pub fn frame(
        &mut self,
        state: &mut State,
        code: Rc<Code>,
        arguments: Vec<Value>,
        on_return: OnReturn,
    ) -> Step<Box<Frame>> {
        let mut frame = state.spare.take(code, on_return);
        let Frame { code, vars, .. } = &mut *frame;
        for (value, var) in arguments.into_iter().zip(&code.vars) {
            vars.push(self.narrow(value, var.repr)?);
        }
        self.begun(state, frame)
    }

    /// A frame for the `count` topmost operands, which are taken off the stack.
    pub(crate) fn frame_from_stack(
        &mut self,
        state: &mut State,
        code: Rc<Code>,
        count: usize,
        on_return: OnReturn,
    ) -> Step<Box<Frame>> {
        let Some(first) = state.top.stack.len().checked_sub(count) else {
            return Err(give_up(state, Gap::invalid_code("too few arguments on the stack")));
        };
        let mut frame = state.spare.take(code, on_return);
        let Frame { code, vars, .. } = &mut *frame;
        vars.reserve(code.vars.len());
        for (value, var) in state.top.stack.drain(first..).zip(&code.vars) {
            let value = match (&value, var.repr) {
                (Value::I32(_), Repr::I4)
                | (Value::I64(_), Repr::I8 | Repr::Ref)
                | (Value::F64(_), Repr::R8)
                | (Value::Struct(_), Repr::Struct { .. }) => value,
                _ => self.narrow(value, var.repr)?,
            };
            vars.push(value);
        }
        self.begun(state, frame)
    }

    /// With its locals and its memory.
    fn begun(&mut self, state: &mut State, mut frame: Box<Frame>) -> Step<Box<Frame>> {
        let Frame { code, vars, stack, block, .. } = &mut *frame;
        for var in code.vars.get(vars.len()..).unwrap_or(&[]) {
            vars.push(var.repr.zero());
        }
        if code.frame_bytes != 0 {
            let bytes = crate::bytes::Bytes::zeroed(code.frame_bytes as usize);
            let memory = state.heap.allocate(BlockKind::Frame, bytes);
            *block = Some(memory);
            for (value, var) in vars.iter().zip(&code.vars).take(code.arg_count) {
                if let Some(offset) = var.memory {
                    self.store(state, memory.address() + u64::from(offset), var.repr, value.clone())?;
                }
            }
        }
        state.coverage.meet(code.entry_goal());
        stack.reserve(code.max_stack);
        Ok(frame)
    }
}
