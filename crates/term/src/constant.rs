//! Values of terms.

use crate::bits::mask;
use crate::sort::{FloatWidth, Sort};
use std::fmt;

/// A concrete value. Floats are given by their bits, so `==` is identity, not IEEE equality.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Const {
    Bool(bool),
    /// Only the `width` low bits of `value` may be set.
    Bv {
        width: u32,
        value: u128,
    },
    F32(u32),
    F64(u64),
}

impl Const {
    /// The value of `sort` whose bits are the low bits of `bits`.
    pub fn from_bits(sort: Sort, bits: u128) -> Const {
        match sort {
            Sort::Bool => Const::Bool(bits & 1 == 1),
            Sort::Bv(width) => Const::Bv { width, value: bits & mask(width) },
            Sort::Float(FloatWidth::F32) => Const::F32(bits as u32),
            Sort::Float(FloatWidth::F64) => Const::F64(bits as u64),
        }
    }

    /// Zero, false or +0.0.
    pub fn zero(sort: Sort) -> Const {
        Const::from_bits(sort, 0)
    }

    pub fn sort(self) -> Sort {
        match self {
            Const::Bool(_) => Sort::Bool,
            Const::Bv { width, .. } => Sort::Bv(width),
            Const::F32(_) => Sort::Float(FloatWidth::F32),
            Const::F64(_) => Sort::Float(FloatWidth::F64),
        }
    }

    pub fn bits(self) -> u128 {
        match self {
            Const::Bool(value) => value as u128,
            Const::Bv { value, .. } => value,
            Const::F32(bits) => bits as u128,
            Const::F64(bits) => bits as u128,
        }
    }

    pub fn is_true(self) -> bool {
        self == Const::Bool(true)
    }
}

impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Const::Bool(value) => write!(f, "{value}"),
            other => match other.sort().bits() {
                width if width % 4 == 0 => {
                    write!(f, "#x{:0digits$x}", other.bits(), digits = width as usize / 4)
                }
                width => write!(f, "#b{:0digits$b}", other.bits(), digits = width as usize),
            },
        }
    }
}
