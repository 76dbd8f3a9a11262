//! Frames of two states, compared.

use std::rc::Rc;

use crate::bytes::Bytes;
use crate::code::Var;
use crate::generalise::leaves::{Is, Leaf};
use crate::generalise::owned::are_arrays;
use crate::generalise::{Holder, LivenessCache, Part, Spot, Unlike};
use crate::machine::Machine;
use crate::state::{Frame, OnReturn, State};
use crate::value::{Repr, Value};

impl Machine {
    pub(super) fn frames_differ(
        &mut self,
        earlier: &State,
        later: &State,
        alive: &mut LivenessCache,
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        if earlier.depth != later.depth {
            return Err(Unlike::for_good("the calls on the stack"));
        }
        for (below, (a, b)) in earlier.frames().zip(later.frames()).enumerate() {
            let is_top = below == 0;
            // Every field is named: what is new must be compared as well.
            let Frame { code, pc, vars, stack, block, stack_blocks, on_return, pending, caught } = a;
            if !Rc::ptr_eq(code, &b.code)
                || *pc != b.pc
                || *block != b.block
                || *stack_blocks != b.stack_blocks
                || !returns_alike(*on_return, b.on_return)
                || vars.len() != b.vars.len()
                || stack.len() != b.stack.len()
            {
                return Err(Unlike::for_good("the calls on the stack"));
            }
            if *pending != b.pending || *caught != b.caught {
                return Err(Unlike::for_good("the exceptions on their way"));
            }
            let live = alive.of(code);
            for (index, (x, y)) in vars.iter().zip(&b.vars).enumerate() {
                if self.is_same_value(x, y) {
                    continue;
                }
                let number = index as u32;
                let matters = match is_top {
                    true => live.is_live_before(*pc, number),
                    false => live.is_live_after(*pc, number),
                };
                if !matters {
                    continue;
                }
                match code.vars.get(index) {
                    Some(var) if is_top && var.memory.is_none() => {
                        self.variable_differs(later, number, *var, (x, y), found)?;
                    }
                    _ => return Err(Unlike::for_good("a variable of a caller")),
                }
            }
            for (index, (x, y)) in stack.iter().zip(&b.stack).enumerate() {
                if self.is_same_value(x, y) {
                    continue;
                }
                if !is_top || !self.is_small_number(x) || !self.is_small_number(y) {
                    return Err(Unlike::for_good("an operand"));
                }
                found.push(Spot::Operand { index: index as u32 });
            }
        }
        Ok(())
    }

    pub(super) fn variable_differs(
        &mut self,
        later: &State,
        index: u32,
        var: Var,
        (x, y): (&Value, &Value),
        found: &mut Vec<Spot>,
    ) -> Result<(), Unlike> {
        let leaves = self.leaves_of_value(var.ty).ok_or(Unlike::for_good("a variable of unknown parts"))?;
        match (var.repr, x, y) {
            (Repr::Struct { .. }, Value::Struct(x), Value::Struct(y)) => {
                let spot = |offset, size| Spot::VarBytes { index, offset, size };
                self.bytes_differ(later, (x, y), &leaves, found, spot)
            }
            (Repr::Struct { .. }, ..) => Err(Unlike::for_good("a variable of unknown parts")),
            _ => match leaves[..] {
                [Leaf { of: Is::Number, .. }] => {
                    found.push(Spot::Var { index });
                    Ok(())
                }
                [Leaf { of: Is::Object(ty), .. }] if self.are_inputs(later, [x, y], ty) => {
                    found.push(Spot::Var { index });
                    Ok(())
                }
                [Leaf { of: Is::Object(_), .. }] if are_arrays(later, x, y) => {
                    let by = Holder::Var { index };
                    found.extend([Part::Elements, Part::Length].map(|part| Spot::Owned { by, part }));
                    Ok(())
                }
                _ => Err(Unlike::for_now("a reference in a variable")),
            },
        }
    }

    /// Whether two values are the same, bit by bit.
    pub(super) fn is_same_value(&mut self, x: &Value, y: &Value) -> bool {
        match (x, y) {
            (Value::I32(x), Value::I32(y)) => x == y,
            (Value::I64(x), Value::I64(y)) => x == y,
            (Value::F32(x), Value::F32(y)) => x.to_bits() == y.to_bits(),
            (Value::F64(x), Value::F64(y)) => x.to_bits() == y.to_bits(),
            (Value::Term(x), Value::Term(y)) => x == y,
            (Value::Struct(x), Value::Struct(y)) => {
                x.len() == y.len() && self.is_same_bytes(x, y, 0, x.len())
            }
            _ => false,
        }
    }

    /// A number that cannot be an address.
    fn is_small_number(&self, value: &Value) -> bool {
        match value {
            Value::I32(_) | Value::F32(_) | Value::F64(_) => true,
            Value::Term(term) => match self.terms.sort(*term) {
                term::Sort::Bv(width) => width <= 32,
                term::Sort::Float(_) => true,
                term::Sort::Bool => false,
            },
            Value::I64(_) | Value::Struct(_) => false,
        }
    }

    /// Whether a range of bytes is the same, whatever lies below patches.
    pub(super) fn is_same_bytes(&mut self, a: &Bytes, b: &Bytes, from: usize, len: usize) -> bool {
        let end = from + len;
        if a.len() < end || b.len() < end {
            return false;
        }
        let mut cuts: Vec<usize> = (from..end).step_by(8).collect();
        cuts.push(end);
        for patch in a.patches().iter().chain(b.patches()) {
            cuts.extend([patch.offset as usize, (patch.offset + patch.size) as usize]);
        }
        cuts.retain(|cut| (from..=end).contains(cut));
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).all(|pair| {
            let size = pair[1] - pair[0];
            let (x, y) = (a.read(pair[0], size, &mut self.terms), b.read(pair[0], size, &mut self.terms));
            matches!((x, y), (Ok(x), Ok(y)) if x == y)
        })
    }
}

/// What frames do when they return; two models are alike if they go on with the same function.
fn returns_alike(a: OnReturn, b: OnReturn) -> bool {
    match (a, b) {
        (OnReturn::Model { then, data }, OnReturn::Model { then: other, data: others }) => {
            data == others && std::ptr::fn_addr_eq(then, other)
        }
        (OnReturn::EndPath, OnReturn::EndPath)
        | (OnReturn::Push, OnReturn::Push)
        | (OnReturn::Discard, OnReturn::Discard)
        | (OnReturn::Again, OnReturn::Again)
        | (OnReturn::MockThrows, OnReturn::MockThrows) => true,
        (OnReturn::Reflected { place, ty }, OnReturn::Reflected { place: other, ty: others }) => {
            (place, ty) == (other, others)
        }
        (OnReturn::PushInt(a), OnReturn::PushInt(b)) => a == b,
        (OnReturn::PushObject(a), OnReturn::PushObject(b)) => a == b,
        (OnReturn::PushStruct(a), OnReturn::PushStruct(b)) => a == b,
        (OnReturn::Initialized(a), OnReturn::Initialized(b)) => a == b,
        (OnReturn::Throw(a), OnReturn::Throw(b)) => a == b,
        // Rare ones, and any new one: not alike.
        _ => false,
    }
}
