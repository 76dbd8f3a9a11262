//! Atomic operations: one thread runs at a time, so they are plain ones.

use crate::answers::nothing;
use crate::table::{Entry, all};
use vm::decode::repr_of;
use vm::machine::{Machine, Step, give_up, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::{Repr, Value};

const INTERLOCKED: &str = "System.Threading.Interlocked";

pub(crate) const TABLE: &[Entry] = &[
    all(INTERLOCKED, "Exchange", exchange),
    all(INTERLOCKED, "ExchangeObject", exchange),
    all(INTERLOCKED, "CompareExchange", compare_exchange),
    all(INTERLOCKED, "CompareExchangeObject", compare_exchange),
    all(INTERLOCKED, "ExchangeAdd", exchange_add),
    all(INTERLOCKED, "MemoryBarrier", nothing),
    all(INTERLOCKED, "_MemoryBarrierProcessWide", nothing),
    all("System.Threading.Volatile", "ReadBarrier", nothing),
    all("System.Threading.Volatile", "WriteBarrier", nothing),
];

fn exchange(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (address, repr) = location(m, s, call)?;
    let old = m.load(s, address, repr)?;
    m.store(s, address, repr, call.value(s, 1)?)?;
    Ok(Some(old))
}

/// Location, new value, value it is compared with.
fn compare_exchange(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (address, repr) = location(m, s, call)?;
    let (new, expected) = (call.value(s, 1)?, call.value(s, 2)?);
    let old = match repr {
        Repr::Ref => exchange_reference(m, s, address, new, &expected)?,
        _ => exchange_scalar(m, s, (address, repr), new, expected)?,
    };
    Ok(Some(old))
}

/// References are compared as the objects that they are.
fn exchange_reference(
    m: &mut Machine,
    s: &mut State,
    address: u64,
    new: Value,
    expected: &Value,
) -> Step<Value> {
    let old = m.settled_in_memory(s, address)?;
    match m.is_same_object(s, &old, expected) {
        Some(true) => m.store(s, address, Repr::Ref, new)?,
        Some(false) => {}
        None => return Err(unsupported(s, "a compare-exchange of references made from numbers")),
    }
    Ok(old)
}

/// The bits are compared, of floating-point numbers too. Where that is open, so is what lies there afterwards.
fn exchange_scalar(
    m: &mut Machine,
    s: &mut State,
    (address, repr): (u64, Repr),
    new: Value,
    expected: Value,
) -> Step<Value> {
    let old = m.load(s, address, repr)?;
    let expected = m.narrow(expected, repr)?;
    let replacement = m.narrow(new.clone(), repr)?;
    if same(m, &replacement, &expected, repr) == Some(true) {
        // Whoever only wants to read does this.
        return Ok(old);
    }
    let left = match same(m, &old, &expected, repr) {
        Some(true) => new,
        Some(false) => return Ok(old),
        None => match m.if_same_bits(&old, &expected, [&new, &old], repr) {
            Some(either) => either,
            None => return Err(unsupported(s, "a compare-exchange of symbolic structures")),
        },
    };
    m.store(s, address, repr, left)?;
    Ok(old)
}

fn exchange_add(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (address, repr) = location(m, s, call)?;
    let old = m.load(s, address, repr)?;
    let new = match (&old, call.value(s, 1)?) {
        (Value::I32(a), Value::I32(b)) => Value::I32(a.wrapping_add(b)),
        (Value::I64(a), Value::I64(b)) => Value::I64(a.wrapping_add(b)),
        (old, more) => match (m.integer_term(old), m.integer_term(&more)) {
            (Some(a), Some(b)) => {
                let sum = m.terms.add(a, b);
                m.value_of(sum)
            }
            _ => return Err(unsupported(s, "an addition to something that is no integer")),
        },
    };
    m.store(s, address, repr, new)?;
    Ok(Some(old))
}

/// Whether two values have the same bits; `None` if that is not known.
fn same(m: &mut Machine, a: &Value, b: &Value, repr: Repr) -> Option<bool> {
    match (a, b) {
        (Value::Struct(a), Value::Struct(b)) => Some(a.concrete()? == b.concrete()?),
        (Value::Term(a), Value::Term(b)) => (a == b).then_some(true),
        _ => match (m.bits(a, repr)?, m.bits(b, repr)?) {
            (vm::bytes::Bits::Concrete(a), vm::bytes::Bits::Concrete(b)) => {
                let mask = u64::MAX >> (64 - 8 * repr.size().clamp(1, 8));
                Some(a & mask == b & mask)
            }
            _ => None,
        },
    }
}

/// The first argument, and how the second is kept there.
fn location(m: &mut Machine, s: &State, call: &Call) -> Step<(u64, Repr)> {
    let signature = m.universe.signature(call.method).map_err(|error| give_up(s, error.into()))?;
    let Some(ty) = signature.params.get(1).copied() else {
        return Err(unsupported(s, "an exchange without a value"));
    };
    let repr = repr_of(&m.universe, ty).map_err(|gap| give_up(s, gap))?;
    let address = call.number(m, s, 0)?;
    if address == 0 {
        return Err(unsupported(s, "an exchange through a null pointer"));
    }
    Ok((address, repr))
}
