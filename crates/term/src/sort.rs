//! Sorts of terms.

use std::fmt;

/// The sort of a term.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Sort {
    Bool,
    /// A bit-vector of 1 to 128 bits.
    Bv(u32),
    /// An IEEE 754 number, identified by its bits: NaN payloads are observable, `eq` compares bits.
    Float(FloatWidth),
}

#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum FloatWidth {
    F32,
    F64,
}

impl Sort {
    /// Number of bits of a value of this sort; a boolean has one.
    pub fn bits(self) -> u32 {
        match self {
            Sort::Bool => 1,
            Sort::Bv(width) => width,
            Sort::Float(float) => float.bits(),
        }
    }
}

impl FloatWidth {
    pub fn bits(self) -> u32 {
        match self {
            FloatWidth::F32 => 32,
            FloatWidth::F64 => 64,
        }
    }

    /// Bits of the exponent field.
    pub fn exponent(self) -> u32 {
        match self {
            FloatWidth::F32 => 8,
            FloatWidth::F64 => 11,
        }
    }

    /// Bits of the significand, the hidden one included.
    pub fn significand(self) -> u32 {
        match self {
            FloatWidth::F32 => 24,
            FloatWidth::F64 => 53,
        }
    }
}

/// Prints floats as the bit-vectors they are identified with (see [`Sort::Float`]).
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            other => write!(f, "(_ BitVec {})", other.bits()),
        }
    }
}
