//! `Unsafe` and its kin: the JIT expands these; their CIL only throws. Addresses are numbers here, so most are arithmetic.

use std::rc::Rc;

use crate::answers::{nothing, null};
use crate::table::{Entry, all, enter, one, operands, throws};
use types::MethodId;
use verdict::Gap;
use vm::bytes::Bytes;
use vm::machine::{Flow, Machine, Step, give_up, pop};
use vm::models::Call;
use vm::ops::ELEMENTS;
use vm::state::{OnReturn, State};
use vm::stop::RuntimeException;
use vm::value::{Repr, Value};

const UNSAFE: &str = "System.Runtime.CompilerServices.Unsafe";
const MARSHAL: &str = "System.Runtime.InteropServices.MemoryMarshal";

pub(crate) const TABLE: &[Entry] = &[
    operands(UNSAFE, "As", |_, _, _| Some(()), same),
    operands(UNSAFE, "AsRef", |_, _, _| Some(()), same),
    operands(UNSAFE, "AsPointer", |_, _, _| Some(()), same),
    enter(UNSAFE, "Unbox", unbox),
    operands(UNSAFE, "Add", |m, stack, method| replace(stack, size(m, method)?, add_known), add),
    operands(UNSAFE, "AddByteOffset", |_, stack, _| replace(stack, 1, add_known), add_bytes),
    all(UNSAFE, "Subtract", subtract),
    all(UNSAFE, "SubtractByteOffset", subtract_bytes),
    operands(UNSAFE, "ByteOffset", |_, stack, _| replace(stack, 1, offset_known), byte_offset),
    operands(UNSAFE, "AreSame", |_, stack, _| compare(stack, |x, y| x == y), are_same),
    operands(UNSAFE, "IsAddressLessThan", |_, stack, _| compare(stack, |x, y| x < y), is_less),
    operands(UNSAFE, "IsAddressGreaterThan", |_, stack, _| compare(stack, |x, y| x > y), is_greater),
    all(UNSAFE, "IsNullRef", is_null),
    all(UNSAFE, "NullRef", null),
    all(UNSAFE, "SkipInit", nothing),
    all(UNSAFE, "SizeOf", size_of),
    all(UNSAFE, "Read", read),
    all(UNSAFE, "ReadUnaligned", read),
    all(UNSAFE, "Write", write),
    all(UNSAFE, "WriteUnaligned", write),
    all(UNSAFE, "BitCast", bit_cast),
    one(MARSHAL, "GetArrayDataReference", "T[]", array_data),
];

/// Two known operands become an address; the second one counts in units of this size.
fn replace(stack: &mut Vec<Value>, size: u64, compute: fn(u64, u64) -> u64) -> Option<()> {
    let (first, second) = known(stack)?;
    stack.pop();
    *stack.last_mut()? = Value::address(compute(first, second.wrapping_mul(size)));
    Some(())
}

/// Two known operands become a truth.
fn compare(stack: &mut Vec<Value>, holds: fn(u64, u64) -> bool) -> Option<()> {
    let (first, second) = known(stack)?;
    stack.pop();
    *stack.last_mut()? = Value::bool(holds(first, second));
    Some(())
}

fn add_known(address: u64, offset: u64) -> u64 {
    address.wrapping_add(offset)
}

fn offset_known(origin: u64, target: u64) -> u64 {
    target.wrapping_sub(origin)
}

/// The two topmost operands, an address and a number; one of 32 bits has a sign.
fn known(stack: &[Value]) -> Option<(u64, u64)> {
    match stack {
        [.., Value::I64(first), Value::I64(second)] => Some((first.cast_unsigned(), second.cast_unsigned())),
        [.., Value::I64(first), Value::I32(second)] => {
            Some((first.cast_unsigned(), i64::from(*second).cast_unsigned()))
        }
        _ => None,
    }
}

/// Of the elements that a generic method is about.
fn size(m: &Machine, method: MethodId) -> Option<u64> {
    let ty = *m.universe.method(method).args.first()?;
    Some(u64::from(m.repr_of(ty).ok()?.size()))
}

fn same(_: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    call.value(s, 0).map(Some)
}

/// As the instruction does it, with its exceptions.
fn unbox(m: &mut Machine, s: &mut State, call: &Call, after: OnReturn) -> Step {
    let ty = call.generic(m, s, 0)?;
    s.top.stack.push(call.value(s, 0)?);
    match m.unbox(s, ty)? {
        Flow::Next => {
            let place = pop(s)?;
            m.returned(s, after, Some(place))
        }
        flow => Ok(flow),
    }
}

fn add(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let size = u64::from(call.generic_repr(m, s, 0)?.size());
    if let Some(moved) = moved(m, call, size) {
        return Ok(Some(moved));
    }
    let offset = call.number(m, s, 1)?.wrapping_mul(size);
    Ok(Some(Value::address(call.number(m, s, 0)?.wrapping_add(offset))))
}

/// A pointer moved by a symbolic number of elements.
fn moved(m: &mut Machine, call: &Call, size: u64) -> Option<Value> {
    let [Value::I64(_) | Value::Term(_), Value::I32(_) | Value::I64(_) | Value::Term(_)] = &call.args[..]
    else {
        return None;
    };
    if !call.args.iter().any(|argument| matches!(argument, Value::Term(_))) {
        return None;
    }
    let pointer = m.integer_term(&call.args[0])?;
    let count = m.integer_term(&call.args[1])?;
    let count = m.resize(count, 64);
    let size = m.terms.bv(64, u128::from(size));
    let offset = m.terms.mul(count, size);
    let address = m.terms.add(pointer, offset);
    Some(m.value_of(address))
}

fn subtract(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let size = u64::from(call.generic_repr(m, s, 0)?.size());
    let offset = call.number(m, s, 1)?.wrapping_mul(size);
    Ok(Some(Value::address(call.number(m, s, 0)?.wrapping_sub(offset))))
}

fn add_bytes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if let Some(moved) = moved(m, call, 1) {
        return Ok(Some(moved));
    }
    let offset = call.number(m, s, 1)?;
    Ok(Some(Value::address(call.number(m, s, 0)?.wrapping_add(offset))))
}

fn subtract_bytes(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let offset = call.number(m, s, 1)?;
    Ok(Some(Value::address(call.number(m, s, 0)?.wrapping_sub(offset))))
}

fn byte_offset(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let origin = call.number(m, s, 0)?;
    Ok(Some(Value::address(call.number(m, s, 1)?.wrapping_sub(origin))))
}

fn are_same(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(call.number(m, s, 0)? == call.number(m, s, 1)?)))
}

fn is_less(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(call.number(m, s, 0)? < call.number(m, s, 1)?)))
}

fn is_greater(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(call.number(m, s, 0)? > call.number(m, s, 1)?)))
}

fn is_null(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(call.number(m, s, 0)? == 0)))
}

fn size_of(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    if let Some(ty) = m.universe.method(call.method).args.first() {
        m.note_size(s, *ty);
    }
    Ok(Some(Value::I32(call.generic_repr(m, s, 0)?.size().cast_signed())))
}

fn read(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = call.generic_repr(m, s, 0)?;
    if let Some(Value::Term(pointer)) = call.args.first()
        && let Some(value) = m.load_element(s, *pointer, repr)?
    {
        return Ok(Some(value));
    }
    let address = call.number(m, s, 0)?;
    m.load(s, address, repr).map(Some)
}

fn write(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let repr = call.generic_repr(m, s, 0)?;
    let address = call.number(m, s, 0)?;
    let value = call.value(s, 1)?;
    m.store(s, address, repr, value)?;
    Ok(None)
}

/// The same bytes as another type.
fn bit_cast(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (from, to) = (call.generic_repr(m, s, 0)?, call.generic_repr(m, s, 1)?);
    let lost = || Gap::invalid_code("a bit cast between different sizes");
    let value = call.value(s, 0)?;
    let bytes = match value {
        Value::Struct(bytes) => bytes,
        scalar => {
            let scalar = m.narrow(scalar, from)?;
            let mut bytes = Bytes::zeroed(from.size() as usize);
            let Some(bits) = m.bits(&scalar, from) else { return Err(give_up(s, lost())) };
            if bytes.write(0, from.size() as usize, bits, &mut m.terms).is_err() {
                return Err(give_up(s, lost()));
            }
            Rc::new(bytes)
        }
    };
    if from.size() != to.size() {
        return Err(give_up(s, lost()));
    }
    match to {
        Repr::Struct { .. } => Ok(Some(Value::Struct(bytes))),
        _ => match bytes.read(0, to.size() as usize, &mut m.terms) {
            Ok(bits) => Ok(Some(m.widen(bits, to))),
            Err(_) => Err(give_up(s, lost())),
        },
    }
}

fn array_data(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let array = call.number(m, s, 0)?;
    if array == 0 {
        return throws(m, RuntimeException::NullReference);
    }
    Ok(Some(Value::address(array + u64::from(ELEMENTS))))
}
