//! A method that is called while it runs: comparing its two entries, and putting any result in the place of the inner call.

use std::rc::Rc;

use term::{FloatWidth, Sort, Symbol, Term};

use crate::code::{Code, Op};
use crate::generalise::leaves::Is;
use crate::generalise::{LivenessCache, Spot, Unlike};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Repr, Value};

impl Machine {
    /// Like [`Machine::differences`] for two entries of one method, the later one made while the earlier still runs. What
    /// lies below on the stack is not the callee's: only its own frame and memory count.
    pub fn entries_differ(
        &mut self,
        earlier: &State,
        later: &State,
        alive: &mut LivenessCache,
    ) -> Result<Vec<Spot>, Unlike> {
        let (a, b) = (&earlier.top, &later.top);
        // A frame with memory of its own, whose address may be anywhere, is no instance of another one.
        let has_memory = |state: &State| state.top.block.is_some() || !state.top.stack_blocks.is_empty();
        if !Rc::ptr_eq(&a.code, &b.code) || a.pc != b.pc || has_memory(earlier) || has_memory(later) {
            return Err(Unlike::for_good("the calls on the stack"));
        }
        let is_busy = |state: &State| {
            let top = &state.top;
            !top.stack.is_empty() || !top.pending.is_empty() || !top.caught.is_empty()
        };
        if is_busy(earlier) || is_busy(later) {
            return Err(Unlike::for_good("the exceptions on their way"));
        }
        let mut found = Vec::new();
        let live = alive.of(&a.code);
        for (index, (x, y)) in a.vars.iter().zip(&b.vars).enumerate() {
            if self.is_same_value(x, y) || !live.is_live_before(a.pc, index as u32) {
                continue;
            }
            let Some(var) = a.code.vars.get(index) else {
                return Err(Unlike::for_good("a variable of unknown parts"));
            };
            self.variable_differs(later, index as u32, *var, (x, y), &mut found)?;
        }
        self.rest_differs(earlier, later, &mut found)?;
        self.blocks_differ(earlier, later, &mut found)?;
        // What lies below on the stack may know such an array.
        match found.iter().any(|spot| matches!(spot, Spot::Owned { .. })) {
            true => Err(Unlike::for_good("a reference")),
            false => Ok(found),
        }
    }

    /// What a method has done to memory and to the rest of the state between its entry and a return.
    pub fn effects_since(&mut self, entry: &State, now: &State) -> Result<Vec<Spot>, Unlike> {
        let mut found = Vec::new();
        self.rest_differs(entry, now, &mut found)?;
        self.blocks_differ(entry, now, &mut found)?;
        Ok(found)
    }

    /// The number that is about to be returned; none if it is none.
    pub fn number_returned(&mut self, s: &State) -> Option<Term> {
        self.scalar(s.top.stack.last()?.clone())
    }

    /// Makes the topmost call, which has just been entered, return with any result. False if it never returns.
    #[must_use]
    pub fn skip_call(&mut self, s: &mut State, result: Option<Symbol>) -> bool {
        let Some(pc) = s.top.code.ops.iter().position(|op| matches!(op, Op::Ret)) else { return false };
        s.top.pc = pc as u32;
        s.top.stack.clear();
        if let Some(symbol) = result {
            let term = self.terms.var(symbol);
            s.top.stack.push(Value::Term(term));
        }
        true
    }

    /// The sort of what a method returns, if that is a number; none if it returns nothing.
    pub fn returned_number(&self, code: &Code) -> Result<Option<Sort>, Unlike> {
        let Some(repr) = code.returns else { return Ok(None) };
        let no_number = Unlike::for_good("what a recursive method returns, which is no number");
        let ty = self.universe.signature(code.method).map(|signature| signature.ret);
        let Some(leaves) = ty.ok().and_then(|ty| self.leaves_of_value(ty)) else { return Err(no_number) };
        if leaves.iter().any(|leaf| leaf.of != Is::Number) {
            return Err(no_number);
        }
        match repr {
            Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4 => Ok(Some(Sort::Bv(32))),
            Repr::I8 => Ok(Some(Sort::Bv(64))),
            Repr::R4 => Ok(Some(Sort::Float(FloatWidth::F32))),
            Repr::R8 => Ok(Some(Sort::Float(FloatWidth::F64))),
            Repr::Ref | Repr::Struct { .. } => Err(no_number),
        }
    }
}
