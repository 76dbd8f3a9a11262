//! Numbers, characters and booleans as constants and attributes hold them (ECMA-335 II.22.9, II.23.3).

use crate::bytes::Reader;
use crate::error::Result;
use crate::sig::TypeSig;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarType {
    Boolean,
    Char,
    I1,
    U1,
    I2,
    U2,
    I4,
    U4,
    I8,
    U8,
    R4,
    R8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    Boolean(bool),
    Char(u16),
    I1(i8),
    U1(u8),
    I2(i16),
    U2(u16),
    I4(i32),
    U4(u32),
    I8(i64),
    U8(u64),
    /// The bits of a float, so that NaNs stay what they are.
    R4(u32),
    R8(u64),
}

impl ScalarType {
    /// By the number of an element type (II.23.1.16).
    pub(crate) fn from_element(element: u8) -> Option<ScalarType> {
        use ScalarType::*;
        Some(match element {
            0x02 => Boolean,
            0x03 => Char,
            0x04 => I1,
            0x05 => U1,
            0x06 => I2,
            0x07 => U2,
            0x08 => I4,
            0x09 => U4,
            0x0a => I8,
            0x0b => U8,
            0x0c => R4,
            0x0d => R8,
            _ => return None,
        })
    }

    pub(crate) fn from_sig(sig: &TypeSig) -> Option<ScalarType> {
        Some(match sig {
            TypeSig::Boolean => ScalarType::Boolean,
            TypeSig::Char => ScalarType::Char,
            TypeSig::I1 => ScalarType::I1,
            TypeSig::U1 => ScalarType::U1,
            TypeSig::I2 => ScalarType::I2,
            TypeSig::U2 => ScalarType::U2,
            TypeSig::I4 => ScalarType::I4,
            TypeSig::U4 => ScalarType::U4,
            TypeSig::I8 => ScalarType::I8,
            TypeSig::U8 => ScalarType::U8,
            TypeSig::R4 => ScalarType::R4,
            TypeSig::R8 => ScalarType::R8,
            _ => return None,
        })
    }

    /// What can be behind an enum.
    pub(crate) fn is_integer(&self) -> bool {
        !matches!(self, ScalarType::R4 | ScalarType::R8)
    }

    pub(crate) fn read(self, bytes: &mut Reader<'_>) -> Result<Scalar> {
        Ok(match self {
            ScalarType::Boolean => Scalar::Boolean(bytes.u8()? != 0),
            ScalarType::Char => Scalar::Char(bytes.u16()?),
            ScalarType::I1 => Scalar::I1(bytes.u8()? as i8),
            ScalarType::U1 => Scalar::U1(bytes.u8()?),
            ScalarType::I2 => Scalar::I2(bytes.u16()? as i16),
            ScalarType::U2 => Scalar::U2(bytes.u16()?),
            ScalarType::I4 => Scalar::I4(bytes.u32()? as i32),
            ScalarType::U4 => Scalar::U4(bytes.u32()?),
            ScalarType::I8 => Scalar::I8(bytes.u64()? as i64),
            ScalarType::U8 => Scalar::U8(bytes.u64()?),
            ScalarType::R4 => Scalar::R4(bytes.u32()?),
            ScalarType::R8 => Scalar::R8(bytes.u64()?),
        })
    }
}

impl Scalar {
    /// The number of an integer, character or boolean.
    pub fn integer(self) -> Option<i128> {
        Some(match self {
            Scalar::Boolean(v) => v.into(),
            Scalar::Char(v) | Scalar::U2(v) => v.into(),
            Scalar::I1(v) => v.into(),
            Scalar::U1(v) => v.into(),
            Scalar::I2(v) => v.into(),
            Scalar::I4(v) => v.into(),
            Scalar::U4(v) => v.into(),
            Scalar::I8(v) => v.into(),
            Scalar::U8(v) => v.into(),
            Scalar::R4(_) | Scalar::R8(_) => return None,
        })
    }
}
