//! The values of local constants, with their types.

use super::Pdb;
use crate::bytes::Reader;
use crate::column::Blob;
use crate::constant::{ConstantValue, read_constant};
use crate::error::{ErrorKind, Result};
use crate::scalar::ScalarType;
use crate::schema::LocalConstantId;
use crate::sig::SigReader;
use crate::token::Token;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalConstantValue<'a> {
    /// Custom modifiers: required or not, and the type.
    pub modifiers: Vec<(bool, Token)>,
    pub ty: LocalConstantType,
    /// `None` if the constant is the null reference or the default of its type.
    pub value: Option<ConstantValue>,
    /// The bytes of a value that is not primitive (`decimal`, `DateTime`).
    pub general: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalConstantType {
    Primitive,
    Enum(Token),
    Class(Token),
    ValueType(Token),
    Object,
}

const STRING: u8 = 0x0e;
const VALUE_TYPE: u8 = 0x11;
const CLASS: u8 = 0x12;
const OBJECT: u8 = 0x1c;
const CMOD_REQD: u8 = 0x1f;
const CMOD_OPT: u8 = 0x20;

impl Pdb {
    pub fn local_constant_value(&self, id: LocalConstantId) -> Result<LocalConstantValue<'_>> {
        let blob = self.local_constant(id)?.signature;
        let mut reader = SigReader::new(self, blob);
        let mut modifiers = Vec::new();
        while let Some(modifier @ (CMOD_REQD | CMOD_OPT)) = reader.bytes.peek() {
            reader.bytes.skip(1)?;
            modifiers.push((modifier == CMOD_REQD, reader.token()?));
        }
        let element = reader.bytes.u8()?;
        let mut constant =
            LocalConstantValue { modifiers, ty: LocalConstantType::Object, value: None, general: &[] };
        match element {
            OBJECT => {}
            CLASS => constant.ty = LocalConstantType::Class(reader.token()?),
            VALUE_TYPE => constant.ty = LocalConstantType::ValueType(reader.token()?),
            STRING => {
                constant.ty = LocalConstantType::Primitive;
                constant.value = Some(string(&mut reader.bytes)?);
            }
            _ => {
                let Some(ty) = ScalarType::from_element(element) else {
                    return Err(reader.bytes.error(ErrorKind::BadElementType(element)));
                };
                constant.value = Some(ConstantValue::Scalar(ty.read(&mut reader.bytes)?));
                constant.ty = match reader.bytes.is_at_end() {
                    true => LocalConstantType::Primitive,
                    false => LocalConstantType::Enum(reader.token()?),
                };
            }
        }
        constant.general = reader.bytes.rest();
        Ok(constant)
    }
}

/// The rest of the blob in UTF-16; a single 0xff is null.
fn string(reader: &mut Reader<'_>) -> Result<ConstantValue> {
    let file_offset = reader.file_offset();
    match reader.rest() {
        [0xff] => Ok(ConstantValue::Null),
        bytes => read_constant(STRING, Blob { bytes, file_offset }),
    }
}
