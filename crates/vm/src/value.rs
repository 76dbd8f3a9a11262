//! A value on the evaluation stack or in a local slot.
//!
//! A concrete scalar is an inline number, never a term: code that touches no input runs without the term store.
//! References, managed pointers and native pointers are all 64-bit addresses (see [`crate::heap`]), so pointer
//! arithmetic and reinterpretation are ordinary integer operations.

use std::rc::Rc;

use term::Term;

use crate::bytes::Bytes;

/// At most 16 bytes, cheap to clone.
#[derive(Clone, Debug)]
pub enum Value {
    I32(i32),
    /// `int64`, native integers, references and pointers.
    I64(i64),
    F32(f32),
    F64(f64),
    /// A symbolic scalar: a bit-vector of 32 or 64 bits, or a float.
    Term(Term),
    /// A value type that is not a primitive, as its bytes.
    Struct(Rc<Bytes>),
}

impl Value {
    pub const NULL: Value = Value::I64(0);

    pub fn bool(value: bool) -> Value {
        Value::I32(i32::from(value))
    }

    pub fn address(address: u64) -> Value {
        Value::I64(address.cast_signed())
    }
}

/// How a location of some type is stored and what it becomes on the evaluation stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repr {
    I1,
    U1,
    I2,
    U2,
    I4,
    I8,
    R4,
    R8,
    /// A reference to an object.
    Ref,
    Struct {
        size: u32,
    },
}

impl Repr {
    pub fn size(self) -> u32 {
        match self {
            Repr::I1 | Repr::U1 => 1,
            Repr::I2 | Repr::U2 => 2,
            Repr::I4 | Repr::R4 => 4,
            Repr::I8 | Repr::R8 | Repr::Ref => 8,
            Repr::Struct { size } => size,
        }
    }

    /// Integers narrower than 32 bits are widened when loaded: `Some((bits, signed))`.
    pub fn small(self) -> Option<(u32, bool)> {
        match self {
            Repr::I1 => Some((8, true)),
            Repr::U1 => Some((8, false)),
            Repr::I2 => Some((16, true)),
            Repr::U2 => Some((16, false)),
            _ => None,
        }
    }

    /// The value of a zeroed location.
    pub fn zero(self) -> Value {
        match self {
            Repr::I1 | Repr::U1 | Repr::I2 | Repr::U2 | Repr::I4 => Value::I32(0),
            Repr::I8 | Repr::Ref => Value::I64(0),
            Repr::R4 => Value::F32(0.0),
            Repr::R8 => Value::F64(0.0),
            Repr::Struct { size } => Value::Struct(Rc::new(Bytes::zeroed(size as usize))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_two_words() {
        assert!(size_of::<Value>() <= 16);
    }
}
