//! Constants of the Constant table (ECMA-335 II.22.9) and the initial data of static fields (II.16.3.1).

use crate::bytes::Reader;
use crate::column::Blob;
use crate::error::{Error, ErrorKind, Result};
use crate::lookup::Search;
use crate::metadata::Metadata;
use crate::module::Module;
use crate::schema::{ConstantId, FieldId, FieldRvaId, TableId};
use crate::token::Token;

/// The value of a literal field, a default argument or a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantValue {
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
    /// UTF-16 code units.
    String(Vec<u16>),
    /// The null reference.
    Null,
}

impl ConstantValue {
    /// The number of an integer, character or boolean.
    pub fn integer(&self) -> Option<i128> {
        Some(match *self {
            ConstantValue::Boolean(v) => v.into(),
            ConstantValue::Char(v) | ConstantValue::U2(v) => v.into(),
            ConstantValue::I1(v) => v.into(),
            ConstantValue::U1(v) => v.into(),
            ConstantValue::I2(v) => v.into(),
            ConstantValue::I4(v) => v.into(),
            ConstantValue::U4(v) => v.into(),
            ConstantValue::I8(v) => v.into(),
            ConstantValue::U8(v) => v.into(),
            _ => return None,
        })
    }
}

impl Metadata {
    pub fn constant_value(&self, id: ConstantId) -> Result<ConstantValue> {
        let row = self.constant(id)?;
        read_constant(row.type_code as u8, row.value)
    }

    /// The constant of a field, parameter or property, decoded.
    pub fn constant_value_of(&self, parent: Token) -> Result<Option<ConstantValue>> {
        self.constant_of(parent).map(|id| self.constant_value(id)).transpose()
    }
}

impl Module {
    /// The first `len` bytes of a static field's initial data; `None` if the field has none. How long the data is
    /// depends on the field's type, which the caller knows.
    pub fn field_data(&self, field: FieldId, len: usize) -> Result<Option<&[u8]>> {
        let Some(id) = self.find::<FieldRvaId>(Search::RvaOfField, field).next() else { return Ok(None) };
        let rva = self.field_rva(id)?.rva;
        let what = "the data of a field";
        let Some((bytes, start)) = self.pe.bytes_at(self.bytes(), rva) else {
            let at = self.cell_file_offset(TableId::FieldRva, id.row(), 0);
            return Err(Error::new(ErrorKind::BadRva { what, rva }, at));
        };
        Reader::new(bytes, start as u64, what).bytes(len).map(Some)
    }
}

pub(crate) fn read_constant(element_type: u8, blob: Blob<'_>) -> Result<ConstantValue> {
    let mut reader = Reader::new(blob.bytes, blob.file_offset, "a constant");
    Ok(match element_type {
        0x02 => ConstantValue::Boolean(reader.u8()? != 0),
        0x03 => ConstantValue::Char(reader.u16()?),
        0x04 => ConstantValue::I1(reader.u8()? as i8),
        0x05 => ConstantValue::U1(reader.u8()?),
        0x06 => ConstantValue::I2(reader.u16()? as i16),
        0x07 => ConstantValue::U2(reader.u16()?),
        0x08 => ConstantValue::I4(reader.u32()? as i32),
        0x09 => ConstantValue::U4(reader.u32()?),
        0x0a => ConstantValue::I8(reader.u64()? as i64),
        0x0b => ConstantValue::U8(reader.u64()?),
        0x0c => ConstantValue::R4(reader.u32()?),
        0x0d => ConstantValue::R8(reader.u64()?),
        0x0e => ConstantValue::String(utf16(blob.bytes)),
        0x12 => ConstantValue::Null,
        _ => return Err(reader.error(ErrorKind::BadConstant("its type is not a primitive"))),
    })
}

fn utf16(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect()
}
