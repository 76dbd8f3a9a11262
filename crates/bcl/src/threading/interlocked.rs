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
    let old = m.load(s, address, repr)?;
    let expected = m.narrow(call.value(s, 2)?, repr)?;
    match same(m, &old, &expected, repr) {
        Some(true) => m.store(s, address, repr, call.value(s, 1)?)?,
        Some(false) => {}
        None => return Err(unsupported(s, "a compare-exchange of symbolic values")),
    }
    Ok(Some(old))
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
