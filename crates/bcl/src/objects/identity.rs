//! What every object can do in native code: identity hash codes, shallow copies, bitwise questions about its type.

use types::{Primitive, TypeId};

use crate::answers::nothing;
use crate::table::{Entry, all, native, one};
use vm::heap::split_address;
use vm::machine::{Machine, Step, unsupported};
use vm::models::Call;
use vm::state::State;
use vm::value::Value;

const HELPERS: &str = "System.Runtime.CompilerServices.RuntimeHelpers";

pub(crate) const TABLE: &[Entry] = &[
    one(HELPERS, "GetHashCode", "System.Object", identity_hash),
    all(HELPERS, "TryGetHashCode", identity_hash),
    all(HELPERS, "IsBitwiseEquatable", is_bitwise_equatable),
    native(HELPERS, "EnsureSufficientExecutionStack", nothing),
    all(HELPERS, "TryEnsureSufficientExecutionStack", has_stack),
    one("System.Object", "MemberwiseClone", "", clone),
];

/// Some frames are left for what the caller wants to do.
fn has_stack(m: &mut Machine, s: &mut State, _: &Call) -> Step<Option<Value>> {
    Ok(Some(Value::bool(s.depth + 500 < m.config.max_depth)))
}

/// Any number will do, as long as an object keeps it: it is made from the object's block. The class library only looks
/// for the place of an object with it; what the program itself does with it cannot be foretold.
fn identity_hash(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let object = call.number(m, s, 0)?;
    if object != 0 && !m.mode().runs_program() && !is_for_collection(m, s) {
        return Err(unsupported(s, "the hash code of an object, which every run makes anew"));
    }
    let hash = ((object >> 32) as u32).wrapping_mul(0x9e37_79b1) >> 6;
    Ok(Some(Value::I32(if object == 0 { 0 } else { hash.max(1).cast_signed() })))
}

/// Whether the class library asks, and not the program, which could look at the number on its way.
fn is_for_collection(m: &Machine, s: &State) -> bool {
    let mut askers = s.frames().map(|frame| m.universe.method(frame.code.method));
    let is_framework = |owner| m.is_framework(m.universe.definition(owner));
    let asker = askers.find(|method| !is_framework(method.owner) || &*method.name != "GetHashCode");
    asker.is_some_and(|method| is_framework(method.owner))
}

/// Integers, characters and enums; anything else is compared by its own `Equals`, which is always right.
fn is_bitwise_equatable(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let ty = call.generic(m, s, 0)?;
    Ok(Some(Value::bool(is_integral(m, ty))))
}

pub(crate) fn is_integral(m: &Machine, ty: TypeId) -> bool {
    let plain = m.universe.enum_underlying(ty).ok().flatten().unwrap_or(ty);
    !matches!(m.universe.primitive(plain), None | Some(Primitive::R4 | Primitive::R8 | Primitive::Void))
}

fn clone(m: &mut Machine, s: &mut State, call: &Call) -> Step<Option<Value>> {
    let (block, _) = split_address(call.number(m, s, 0)?);
    let size = s.heap.get(block).map_or(0, |block| block.bytes.len() as u64);
    m.check_memory(s, size)?;
    match s.heap.copy(block) {
        Some(copy) => Ok(Some(Value::address(copy.address()))),
        None => Err(unsupported(s, "a copy of an object that is gone")),
    }
}
