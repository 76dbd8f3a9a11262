//! Activations of methods.

use std::rc::Rc;

use smallvec::SmallVec;

use crate::code::Code;
use crate::heap::BlockKind;
use crate::machine::{Machine, Step, give_up};
use crate::state::{Frame, OnReturn, State};
use crate::value::Value;
use verdict::Gap;

impl Machine {
    /// A frame with its arguments in place.
    pub fn frame(
        &mut self,
        state: &mut State,
        code: Rc<Code>,
        arguments: Vec<Value>,
        on_return: OnReturn,
    ) -> Step<Frame> {
        let mut vars = Vec::with_capacity(code.vars.len());
        for (value, var) in arguments.into_iter().zip(&code.vars) {
            vars.push(self.narrow(value, var.repr)?);
        }
        self.frame_of(state, code, vars, on_return)
    }

    /// A frame for the `count` topmost operands, which are taken off the stack.
    pub(crate) fn frame_from_stack(
        &mut self,
        state: &mut State,
        code: Rc<Code>,
        count: usize,
        on_return: OnReturn,
    ) -> Step<Frame> {
        let Some(first) = state.top.stack.len().checked_sub(count) else {
            return Err(give_up(state, Gap::invalid_code("too few arguments on the stack")));
        };
        let mut vars = state.spare.take();
        vars.reserve(code.vars.len());
        for (value, var) in state.top.stack.drain(first..).zip(&code.vars) {
            vars.push(self.narrow(value, var.repr)?);
        }
        self.frame_of(state, code, vars, on_return)
    }

    fn frame_of(
        &mut self,
        state: &mut State,
        code: Rc<Code>,
        mut vars: Vec<Value>,
        on_return: OnReturn,
    ) -> Step<Frame> {
        for var in code.vars.get(vars.len()..).unwrap_or(&[]) {
            vars.push(var.repr.zero());
        }
        let block = if code.frame_bytes == 0 {
            None
        } else {
            let bytes = crate::bytes::Bytes::zeroed(code.frame_bytes as usize);
            Some(state.heap.allocate(BlockKind::Frame, bytes))
        };
        if let Some(block) = block {
            for (i, var) in code.vars.iter().enumerate().take(code.arg_count) {
                if let Some(offset) = var.memory {
                    let value = vars[i].clone();
                    self.store(state, block.address() + u64::from(offset), var.repr, value)?;
                }
            }
        }
        state.coverage.meet(code.entry_goal());
        let mut stack = state.spare.take();
        stack.reserve(code.max_stack);
        Ok(Frame {
            code,
            pc: 0,
            vars,
            stack,
            block,
            stack_blocks: SmallVec::new(),
            on_return,
            pending: Vec::new(),
            caught: Vec::new(),
        })
    }
}
