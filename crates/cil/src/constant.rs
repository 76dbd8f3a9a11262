//! Constants of the Constant table (ECMA-335 II.22.9) and the initial data of static fields (II.16.3.1).

use crate::bytes::Reader;
use crate::column::Blob;
use crate::error::{Error, ErrorKind, Result};
use crate::lookup::Search;
use crate::metadata::Metadata;
use crate::module::Module;
use crate::scalar::{Scalar, ScalarType};
use crate::schema::{ConstantId, FieldId, FieldRvaId, TableId};
use crate::token::Token;

/// The value of a literal field, a default argument or a property.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantValue {
    Scalar(Scalar),
    /// UTF-16 code units.
    String(Vec<u16>),
    /// The null reference.
    Null,
}

impl ConstantValue {
    /// The number of an integer, character or boolean.
    pub fn integer(&self) -> Option<i128> {
        match self {
            ConstantValue::Scalar(scalar) => scalar.integer(),
            ConstantValue::String(_) | ConstantValue::Null => None,
        }
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
    match element_type {
        0x0e => Ok(ConstantValue::String(utf16(blob.bytes))),
        0x12 => Ok(ConstantValue::Null),
        _ => match ScalarType::from_element(element_type) {
            Some(ty) => ty.read(&mut reader).map(ConstantValue::Scalar),
            None => Err(reader.error(ErrorKind::BadConstant("its type is not a primitive"))),
        },
    }
}

fn utf16(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks::<2>().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect()
}
