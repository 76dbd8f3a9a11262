//! Decoding of CIL code into instructions, one at a time.

use std::fmt;

use crate::bytes::Reader;
use crate::error::{Error, ErrorKind, Result};
use crate::opcode::{Opcode, OperandKind};
use crate::token::Token;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// From the start of the method's code.
    pub offset: u32,
    /// With opcode and operand.
    pub size: u32,
    pub opcode: Opcode,
    pub operand: Operand<'a>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'a> {
    None,
    /// Of `ldc.i4.s`, `unaligned.` and `no.`.
    Int8(i8),
    Int32(i32),
    Int64(i64),
    /// The bits of a float, so that NaNs stay what they are.
    Float32(u32),
    Float64(u64),
    Arg(u16),
    Local(u16),
    /// The offset of the instruction that is jumped to.
    Target(u32),
    Switch(SwitchTargets<'a>),
    /// Of a method, field, type, signature, or string.
    Token(Token),
}

impl Instruction<'_> {
    /// The offset of the instruction after this one.
    pub fn next_offset(&self) -> u32 {
        self.offset + self.size
    }
}

/// The jump table of a `switch`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SwitchTargets<'a> {
    deltas: &'a [[u8; 4]],
    base: u32,
}

impl<'a> SwitchTargets<'a> {
    pub fn len(&self) -> usize {
        self.deltas.len()
    }

    pub fn is_empty(&self) -> bool {
        self.deltas.is_empty()
    }

    pub fn get(&self, index: usize) -> Option<u32> {
        self.deltas.get(index).map(|delta| self.target(delta))
    }

    pub fn iter(self) -> impl ExactSizeIterator<Item = u32> + Clone + use<'a> {
        self.deltas.iter().map(move |delta| self.target(delta))
    }

    fn target(&self, delta: &[u8; 4]) -> u32 {
        self.base.wrapping_add_signed(i32::from_le_bytes(*delta))
    }
}

impl fmt::Debug for SwitchTargets<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// An iterator over the instructions of one method. It ends after the first error.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    reader: Reader<'a>,
    len: u32,
    failed: bool,
}

impl<'a> Instructions<'a> {
    /// `file_offset` is where the code begins in its file, for errors.
    pub fn new(code: &'a [u8], file_offset: u64) -> Self {
        // Code sizes are 32-bit numbers in the file.
        let len = u32::try_from(code.len()).unwrap_or(u32::MAX);
        Instructions { reader: Reader::new(code, file_offset, "an instruction"), len, failed: false }
    }

    #[inline]
    fn decode(&mut self) -> Result<Instruction<'a>> {
        let offset = self.reader.position() as u32;
        let opcode = self.opcode()?;
        let operand = self.operand(opcode.operand_kind())?;
        let size = self.reader.position() as u32 - offset;
        Ok(Instruction { offset, size, opcode, operand })
    }

    #[inline]
    fn opcode(&mut self) -> Result<Opcode> {
        let at = self.reader.file_offset();
        let mut code = u16::from(self.reader.u8()?);
        if code == 0xfe {
            code = 0xfe00 | u16::from(self.reader.u8()?);
        }
        Opcode::from_code(code).ok_or_else(|| Error::new(ErrorKind::BadOpcode(code), at))
    }

    #[inline]
    fn operand(&mut self, kind: OperandKind) -> Result<Operand<'a>> {
        let reader = &mut self.reader;
        Ok(match kind {
            OperandKind::None => Operand::None,
            OperandKind::Int8 => Operand::Int8(reader.u8()? as i8),
            OperandKind::Int32 => Operand::Int32(reader.u32()? as i32),
            OperandKind::Int64 => Operand::Int64(reader.u64()? as i64),
            OperandKind::Float32 => Operand::Float32(reader.u32()?),
            OperandKind::Float64 => Operand::Float64(reader.u64()?),
            OperandKind::ShortArg => Operand::Arg(reader.u8()?.into()),
            OperandKind::Arg => Operand::Arg(reader.u16()?),
            OperandKind::ShortLocal => Operand::Local(reader.u8()?.into()),
            OperandKind::Local => Operand::Local(reader.u16()?),
            OperandKind::ShortTarget => {
                let delta = reader.u8()? as i8;
                self.target(delta.into())?
            }
            OperandKind::Target => {
                let delta = reader.u32()? as i32;
                self.target(delta)?
            }
            OperandKind::Switch => self.switch()?,
            OperandKind::Method
            | OperandKind::Field
            | OperandKind::Type
            | OperandKind::String
            | OperandKind::Signature
            | OperandKind::Token => Operand::Token(Token::from_raw(reader.u32()?)),
        })
    }

    /// `delta` counts from the end of the instruction, where the reader is.
    fn target(&self, delta: i32) -> Result<Operand<'a>> {
        let target = self.reader.position() as i64 + i64::from(delta);
        match u32::try_from(target) {
            Ok(target) if target < self.len => Ok(Operand::Target(target)),
            _ => Err(self.reader.error(ErrorKind::BadBranch)),
        }
    }

    fn switch(&mut self) -> Result<Operand<'a>> {
        let count = self.reader.u32()? as usize;
        let table = self.reader.bytes(count.saturating_mul(4))?;
        let (deltas, _) = table.as_chunks::<4>();
        let targets = SwitchTargets { deltas, base: self.reader.position() as u32 };
        if targets.iter().any(|target| target >= self.len) {
            return Err(self.reader.error(ErrorKind::BadBranch));
        }
        Ok(Operand::Switch(targets))
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.reader.is_at_end() {
            return None;
        }
        let instruction = self.decode().map_err(|error| match error.kind() {
            ErrorKind::OutOfStream { .. } | ErrorKind::Truncated { .. } => {
                Error::new(ErrorKind::CodeEnds, error.offset())
            }
            _ => error,
        });
        self.failed = instruction.is_err();
        Some(instruction)
    }
}

impl fmt::Display for Instruction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IL_{:04x}: {}", self.offset, self.opcode.name())?;
        match self.operand {
            Operand::None => Ok(()),
            Operand::Int8(value) => write!(f, " {value}"),
            Operand::Int32(value) => write!(f, " {value}"),
            Operand::Int64(value) => write!(f, " {value}"),
            Operand::Float32(bits) => write!(f, " {:?}", f32::from_bits(bits)),
            Operand::Float64(bits) => write!(f, " {:?}", f64::from_bits(bits)),
            Operand::Arg(number) | Operand::Local(number) => write!(f, " {number}"),
            Operand::Target(target) => write!(f, " IL_{target:04x}"),
            Operand::Token(token) => write!(f, " {token}"),
            Operand::Switch(targets) => {
                f.write_str(" (")?;
                for (index, target) in targets.iter().enumerate() {
                    write!(f, "{}IL_{target:04x}", if index > 0 { ", " } else { "" })?;
                }
                f.write_str(")")
            }
        }
    }
}
