//! The short way: operations on concrete operands that cannot fail and need nothing but the frame and plain memory.
//! Whatever is not plain (symbols, exceptions, other kinds of operands) is left to the general way, which must do the
//! same for what is handled here.

use std::rc::Rc;

use crate::bytes::Bytes;
use crate::code::{Arith, Checked, Cmp, Code, Num, Op, Shift};
use crate::heap::{Block, BlockKind, Heap, Sharing, split_address};
use crate::ops::array::ELEMENTS;
use crate::state::State;
use crate::value::{Repr, Value};

/// Executes the operation if it is a plain one: the next operation. In a program nobody takes note of what is looked at.
#[inline(always)]
pub fn step<const IN_PROGRAM: bool>(s: &mut State, code: &Code, op: Op, pc: u32) -> Option<u32> {
    match op {
        Op::Nop => {}
        Op::LdVar(index) => {
            let value = s.top.vars.get(index as usize)?.clone();
            s.top.stack.push(value);
        }
        Op::StVar(index) => store_variable(s, code, index)?,
        Op::LdI4(value) => s.top.stack.push(Value::I32(value)),
        Op::LdI8(value) => s.top.stack.push(Value::I64(value)),
        Op::LdR8(value) => s.top.stack.push(Value::F64(value)),
        Op::LdR4(value) => s.top.stack.push(Value::F32(value)),
        Op::LdNull => s.top.stack.push(Value::NULL),
        Op::Dup => {
            let value = s.top.stack.last()?.clone();
            s.top.stack.push(value);
        }
        Op::Pop => {
            s.top.stack.pop()?;
        }
        Op::Arith(kind) => arithmetic(&mut s.top.stack, kind)?,
        Op::Shift(kind) => shift(&mut s.top.stack, kind)?,
        Op::Compare(cmp) => {
            let truth = compare::<IN_PROGRAM>(&s.top.stack, cmp)?;
            s.top.stack.pop();
            *s.top.stack.last_mut()? = Value::bool(truth);
        }
        Op::Convert(to, Checked::No) => convert(s.top.stack.last_mut()?, to)?,
        Op::Br(target) => return Some(target),
        Op::BrTrue(target) => {
            let to = if truth(s)? { target } else { pc + 1 };
            return Some(jump(s, code, pc, to));
        }
        Op::BrFalse(target) => {
            let to = if truth(s)? { pc + 1 } else { target };
            return Some(jump(s, code, pc, to));
        }
        Op::BrCmp(cmp, target) => {
            let truth = compare::<IN_PROGRAM>(&s.top.stack, cmp)?;
            s.top.stack.pop();
            s.top.stack.pop();
            return Some(jump(s, code, pc, if truth { target } else { pc + 1 }));
        }
        Op::Switch(index) => {
            let Value::I32(selector) = *s.top.stack.last()? else { return None };
            let targets = code.switches.get(index as usize)?;
            let to = targets.get(selector.cast_unsigned() as usize).copied().unwrap_or(pc + 1);
            s.top.stack.pop();
            return Some(jump(s, code, pc, to));
        }
        Op::Neg => negate(s.top.stack.last_mut()?)?,
        Op::Not => match s.top.stack.last_mut()? {
            Value::I32(value) => *value = !*value,
            Value::I64(value) => *value = !*value,
            _ => return None,
        },
        Op::LdLen => {
            let Value::I64(array) = *s.top.stack.last()? else { return None };
            let Value::I32(len) = load(&s.heap, array.cast_unsigned(), Repr::I4)? else { return None };
            *s.top.stack.last_mut()? = Value::I64(i64::from(len.cast_unsigned()));
        }
        Op::LdElem(_, repr) => load_element(s, repr)?,
        Op::StElem(_, repr) => store_element(s, repr)?,
        Op::LdFld(index) => load_field(s, code, index)?,
        Op::StFld(index) => {
            let site = code.fields.get(index as usize)?;
            let [.., Value::I64(object), value] = &s.top.stack[..] else { return None };
            store(&mut s.heap, object.cast_unsigned(), site.offset, site.repr, value)?;
            s.top.stack.pop();
            s.top.stack.pop();
        }
        Op::LdInd(repr) | Op::LdObj(repr) => {
            let Value::I64(address) = *s.top.stack.last()? else { return None };
            *s.top.stack.last_mut()? = load(&s.heap, address.cast_unsigned(), repr)?;
        }
        Op::StInd(repr) | Op::StObj(repr) => {
            let [.., Value::I64(address), value] = &s.top.stack[..] else { return None };
            store(&mut s.heap, address.cast_unsigned(), 0, repr, value)?;
            s.top.stack.pop();
            s.top.stack.pop();
        }
        Op::LdVarMem(index) => {
            let var = code.vars.get(index as usize)?;
            let address = s.top.block?.address() + u64::from(var.memory?);
            let value = load(&s.heap, address, var.repr)?;
            s.top.stack.push(value);
        }
        Op::StVarMem(index) => {
            let var = code.vars.get(index as usize)?;
            let address = s.top.block?.address() + u64::from(var.memory?);
            store(&mut s.heap, address, 0, var.repr, s.top.stack.last()?)?;
            s.top.stack.pop();
        }
        Op::LdVarAddr(index) => {
            let offset = code.vars.get(index as usize)?.memory?;
            let address = s.top.block?.address() + u64::from(offset);
            s.top.stack.push(Value::address(address));
        }
        Op::LdFldA(index) => {
            let site = code.fields.get(index as usize)?;
            let Value::I64(object) = s.top.stack.last_mut()? else { return None };
            if object.cast_unsigned() <= NEAR_NULL {
                return None;
            }
            *object += i64::from(site.offset);
        }
        _ => return None,
    }
    Some(pc + 1)
}

/// A conditional jump of the code under test meets a goal.
#[inline(always)]
fn jump(s: &mut State, code: &Code, from: u32, to: u32) -> u32 {
    if code.goals.is_some() {
        s.coverage.meet(code.edge_goal(from, to));
    }
    to
}

/// Addresses up to here are null to the runtime.
const NEAR_NULL: u64 = 0xffff;

#[inline(always)]
fn store_variable(s: &mut State, code: &Code, index: u32) -> Option<()> {
    let repr = code.vars.get(index as usize)?.repr;
    let slot = s.top.vars.get_mut(index as usize)?;
    let value = s.top.stack.last()?;
    let fits = match (value, repr) {
        (Value::I32(_), Repr::I4)
        | (Value::I64(_), Repr::I8 | Repr::Ref)
        | (Value::F64(_), Repr::R8)
        | (Value::F32(_), Repr::R4)
        | (Value::Struct(_), Repr::Struct { .. }) => None,
        (Value::I32(value), Repr::U1) => Some(i32::from(*value as u8)),
        (Value::I32(value), Repr::I1) => Some(i32::from(*value as i8)),
        (Value::I32(value), Repr::U2) => Some(i32::from(*value as u16)),
        (Value::I32(value), Repr::I2) => Some(i32::from(*value as i16)),
        _ => return None,
    };
    let value = s.top.stack.pop()?;
    *slot = match fits {
        Some(narrowed) => Value::I32(narrowed),
        None => value,
    };
    Some(())
}

#[inline(always)]
fn truth(s: &mut State) -> Option<bool> {
    let truth = match s.top.stack.last()? {
        Value::I32(value) => *value != 0,
        Value::I64(value) => *value != 0,
        _ => return None,
    };
    s.top.stack.pop();
    Some(truth)
}

macro_rules! integers {
    ($name:ident, $signed:ty) => {
        #[inline(always)]
        fn $name(kind: Arith, x: $signed, y: $signed) -> Option<$signed> {
            Some(match kind {
                Arith::Add => x.wrapping_add(y),
                Arith::Sub => x.wrapping_sub(y),
                Arith::Mul => x.wrapping_mul(y),
                Arith::And => x & y,
                Arith::Or => x | y,
                Arith::Xor => x ^ y,
                Arith::Div => return x.checked_div(y),
                Arith::Rem => return x.checked_rem(y),
                Arith::DivUn => {
                    return x.cast_unsigned().checked_div(y.cast_unsigned()).map(|v| v.cast_signed())
                }
                Arith::RemUn => {
                    return x.cast_unsigned().checked_rem(y.cast_unsigned()).map(|v| v.cast_signed())
                }
                Arith::AddOvf => return x.checked_add(y),
                Arith::SubOvf => return x.checked_sub(y),
                Arith::MulOvf => return x.checked_mul(y),
                _ => return None,
            })
        }
    };
}

integers!(arithmetic32, i32);
integers!(arithmetic64, i64);

#[inline(always)]
fn arithmetic(stack: &mut Vec<Value>, kind: Arith) -> Option<()> {
    let [.., a, b] = &mut stack[..] else { return None };
    match (&mut *a, &*b) {
        (Value::I32(x), Value::I32(y)) => *x = arithmetic32(kind, *x, *y)?,
        (Value::I64(x), Value::I64(y)) => *x = arithmetic64(kind, *x, *y)?,
        (Value::F64(x), Value::F64(y)) => {
            *x = match kind {
                Arith::Add => *x + *y,
                Arith::Sub => *x - *y,
                Arith::Mul => *x * *y,
                Arith::Div => *x / *y,
                _ => return None,
            }
        }
        (Value::F32(x), Value::F32(y)) => {
            *x = match kind {
                Arith::Add => *x + *y,
                Arith::Sub => *x - *y,
                Arith::Mul => *x * *y,
                Arith::Div => *x / *y,
                _ => return None,
            }
        }
        _ => return None,
    }
    stack.pop();
    Some(())
}

#[inline(always)]
fn shift(stack: &mut Vec<Value>, kind: Shift) -> Option<()> {
    let [.., a, Value::I32(count)] = &mut stack[..] else { return None };
    let count = count.cast_unsigned();
    match a {
        Value::I32(x) => {
            *x = match kind {
                Shift::Left => x.wrapping_shl(count),
                Shift::Right => x.wrapping_shr(count),
                Shift::RightUn => x.cast_unsigned().wrapping_shr(count).cast_signed(),
            }
        }
        Value::I64(x) => {
            *x = match kind {
                Shift::Left => x.wrapping_shl(count),
                Shift::Right => x.wrapping_shr(count),
                Shift::RightUn => x.cast_unsigned().wrapping_shr(count).cast_signed(),
            }
        }
        _ => return None,
    }
    stack.pop();
    Some(())
}

#[inline(always)]
fn negate(value: &mut Value) -> Option<()> {
    match value {
        Value::I32(value) => *value = value.wrapping_neg(),
        Value::I64(value) => *value = value.wrapping_neg(),
        Value::F32(value) => *value = -*value,
        Value::F64(value) => *value = -*value,
        Value::Term(_) | Value::Struct(_) => return None,
    }
    Some(())
}

#[inline(always)]
fn compare<const IN_PROGRAM: bool>(stack: &[Value], cmp: Cmp) -> Option<bool> {
    let [.., a, b] = stack else { return None };
    Some(match (a, b) {
        (Value::I32(x), Value::I32(y)) => cmp.holds(x.cmp(y), x.cast_unsigned().cmp(&y.cast_unsigned())),
        // Of two objects it matters whose they are.
        (Value::I64(x), Value::I64(y)) if !IN_PROGRAM && x != y && is_address(*x) && is_address(*y) => {
            return None;
        }
        (Value::I64(x), Value::I64(y)) => cmp.holds(x.cmp(y), x.cast_unsigned().cmp(&y.cast_unsigned())),
        (Value::F64(x), Value::F64(y)) => {
            let both = x.partial_cmp(y)?;
            cmp.holds(both, both)
        }
        _ => return None,
    })
}

/// What may be the address of something: the number of a block is in its upper half.
#[inline(always)]
fn is_address(number: i64) -> bool {
    number >> 32 > 0
}

#[inline(always)]
fn convert(value: &mut Value, to: Num) -> Option<()> {
    *value = match (&*value, to) {
        (Value::I32(v), Num::I1) => Value::I32(i32::from(*v as i8)),
        (Value::I32(v), Num::U1) => Value::I32(i32::from(*v as u8)),
        (Value::I32(v), Num::I2) => Value::I32(i32::from(*v as i16)),
        (Value::I32(v), Num::U2) => Value::I32(i32::from(*v as u16)),
        (Value::I32(_), Num::I4 | Num::U4) | (Value::I64(_), Num::I8 | Num::U8 | Num::I | Num::U) => {
            return Some(());
        }
        (Value::I32(v), Num::I8 | Num::I) => Value::I64(i64::from(*v)),
        (Value::I32(v), Num::U8 | Num::U) => Value::I64(i64::from(v.cast_unsigned())),
        (Value::I64(v), Num::I4 | Num::U4) => Value::I32(*v as i32),
        (Value::I64(v), Num::U1) => Value::I32(i32::from(*v as u8)),
        (Value::I64(v), Num::U2) => Value::I32(i32::from(*v as u16)),
        (Value::I32(v), Num::R8) => Value::F64(f64::from(*v)),
        (Value::I64(v), Num::R8) => Value::F64(*v as f64),
        (Value::F64(_), Num::R8) | (Value::F32(_), Num::R4) => return Some(()),
        _ => return None,
    };
    Some(())
}

#[inline(always)]
fn load_element(s: &mut State, repr: Repr) -> Option<()> {
    let [.., Value::I64(array), Value::I32(index)] = &s.top.stack[..] else { return None };
    let (id, at) = split_address(array.cast_unsigned());
    let block = s.heap.get(id)?;
    if !is_plain(block.kind) || block.sharing != Sharing::Own {
        return None;
    }
    let offset = element_offset(&block.bytes, at, *index, repr)?;
    let value = value_of(block.bytes.concrete_range(offset, repr.size() as usize)?, repr)?;
    s.top.stack.pop();
    *s.top.stack.last_mut()? = value;
    Some(())
}

#[inline(always)]
fn store_element(s: &mut State, repr: Repr) -> Option<()> {
    let [.., Value::I64(array), Value::I32(index), value] = &s.top.stack[..] else { return None };
    // A reference must fit the array, unless it is null.
    if repr == Repr::Ref && !matches!(value, Value::I64(0)) {
        return None;
    }
    let (id, at) = split_address(array.cast_unsigned());
    let block = s.heap.get_mut(id)?;
    let offset = element_offset(&block.bytes, at, *index, repr)?;
    write(block, offset, repr, value)?;
    let rest = s.top.stack.len().checked_sub(3)?;
    s.top.stack.truncate(rest);
    Some(())
}

/// The offset of an element that exists, in the block of an array that begins at an offset.
#[inline(always)]
fn element_offset(array: &Bytes, at: u32, index: i32, repr: Repr) -> Option<usize> {
    let len = array.concrete_range(at as usize, 4)?;
    let len = u32::from_le_bytes(len.try_into().ok()?);
    let index = index.cast_unsigned();
    let from_start = u64::from(ELEMENTS) + u64::from(index) * u64::from(repr.size());
    (index < len).then_some((u64::from(at) + from_start) as usize)
}

/// The object on top of the stack becomes its field.
#[inline(always)]
pub(crate) fn load_field(s: &mut State, code: &Code, index: u32) -> Option<()> {
    let site = code.fields.get(index as usize)?;
    let value = match s.top.stack.last()? {
        Value::I64(object) if object.cast_unsigned() > NEAR_NULL => {
            load(&s.heap, object.cast_unsigned() + u64::from(site.offset), site.repr)?
        }
        Value::Struct(bytes) => {
            value_of(bytes.concrete_range(site.offset as usize, site.repr.size() as usize)?, site.repr)?
        }
        _ => return None,
    };
    *s.top.stack.last_mut()? = value;
    Some(())
}

#[inline(always)]
fn load(heap: &Heap, address: u64, repr: Repr) -> Option<Value> {
    let (block, offset) = split_address(address);
    let block = heap.get(block)?;
    if !is_plain(block.kind) || block.sharing != Sharing::Own {
        return None;
    }
    value_of(block.bytes.concrete_range(offset as usize, repr.size() as usize)?, repr)
}

/// The value of a location.
#[inline(always)]
fn value_of(bytes: &[u8], repr: Repr) -> Option<Value> {
    Some(match repr {
        Repr::I1 => Value::I32(i32::from(i8::from_le_bytes(bytes.try_into().ok()?))),
        Repr::U1 => Value::I32(i32::from(*bytes.first()?)),
        Repr::I2 => Value::I32(i32::from(i16::from_le_bytes(bytes.try_into().ok()?))),
        Repr::U2 => Value::I32(i32::from(u16::from_le_bytes(bytes.try_into().ok()?))),
        Repr::I4 => Value::I32(i32::from_le_bytes(bytes.try_into().ok()?)),
        Repr::I8 | Repr::Ref => Value::I64(i64::from_le_bytes(bytes.try_into().ok()?)),
        Repr::R4 => Value::F32(f32::from_le_bytes(bytes.try_into().ok()?)),
        Repr::R8 => Value::F64(f64::from_le_bytes(bytes.try_into().ok()?)),
        Repr::Struct { .. } => Value::Struct(Rc::new(Bytes::from_vec(bytes.to_vec()))),
    })
}

#[inline(always)]
fn store(heap: &mut Heap, base: u64, offset: u32, repr: Repr, value: &Value) -> Option<()> {
    if base <= NEAR_NULL {
        return None;
    }
    let (id, at) = split_address(base);
    write(heap.get_mut(id)?, at.checked_add(offset)? as usize, repr, value)
}

#[inline(always)]
fn write(block: &mut Block, at: usize, repr: Repr, value: &Value) -> Option<()> {
    if block.kind == BlockKind::ImageData || !is_plain(block.kind) || block.sharing != Sharing::Own {
        return None;
    }
    let word = match (value, repr) {
        (Value::I32(v), Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4) => u64::from(v.cast_unsigned()),
        (Value::I64(v), Repr::I8 | Repr::Ref) => v.cast_unsigned(),
        (Value::F32(v), Repr::R4) => u64::from(v.to_bits()),
        (Value::F64(v), Repr::R8) => v.to_bits(),
        (Value::Struct(bytes), Repr::Struct { size }) => {
            let bytes = bytes.concrete().filter(|bytes| bytes.len() == size as usize)?;
            return block.bytes.write_plain_slice(at, bytes);
        }
        _ => return None,
    };
    block.bytes.write_plain(at, repr.size() as usize, word)
}

/// What inputs hold may be more than their bytes say.
#[inline(always)]
fn is_plain(kind: BlockKind) -> bool {
    !matches!(kind, BlockKind::Input)
}
