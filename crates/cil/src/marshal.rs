//! Marshalling descriptors (ECMA-335 II.23.4, and the kinds that CoreCLR adds): how a field or parameter looks to
//! native code.

use crate::bytes::Reader;
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::Metadata;
use crate::schema::FieldMarshalId;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarshalDescriptor<'a> {
    /// A native type that needs nothing more, by its number (`UnmanagedType`).
    Simple(u8),
    /// An inline string of so many characters.
    FixedString {
        size: u32,
    },
    /// An inline array.
    FixedArray {
        size: u32,
        element: Option<u8>,
    },
    SafeArray {
        element: Option<u32>,
        user_type: Option<&'a str>,
    },
    /// A native array, whose size is a parameter or a number.
    Array {
        element: Option<u8>,
        size_param: Option<u32>,
        size: Option<u32>,
        flags: Option<u32>,
    },
    /// A marshaller written in managed code.
    Custom {
        guid: &'a str,
        native_type: &'a str,
        managed_type: &'a str,
        cookie: &'a str,
    },
    /// A COM interface pointer, by its number, with the parameter that carries its identity.
    Interface {
        kind: u8,
        iid_param: Option<u32>,
    },
}

const FIXED_STRING: u8 = 0x17;
const UNKNOWN_INTERFACE: u8 = 0x19;
const DISPATCH_INTERFACE: u8 = 0x1a;
const INTERFACE: u8 = 0x1c;
const SAFE_ARRAY: u8 = 0x1d;
const FIXED_ARRAY: u8 = 0x1e;
const ARRAY: u8 = 0x2a;
const CUSTOM: u8 = 0x2c;
/// The element type is not given.
const ELEMENT_DEFAULT: u8 = 0x50;

impl Metadata {
    pub fn marshal_descriptor(&self, id: FieldMarshalId) -> Result<MarshalDescriptor<'_>> {
        let blob = self.field_marshal(id)?.native_type;
        let mut reader = Reader::new(blob.bytes, blob.file_offset, "a marshalling descriptor");
        Ok(match reader.u8()? {
            FIXED_STRING => MarshalDescriptor::FixedString { size: reader.compressed_u32()? },
            FIXED_ARRAY => MarshalDescriptor::FixedArray {
                size: reader.compressed_u32()?,
                element: element(&mut reader)?,
            },
            SAFE_ARRAY => {
                let element = number(&mut reader)?;
                let user_type = if reader.is_at_end() { None } else { Some(text(&mut reader)?) };
                MarshalDescriptor::SafeArray { element, user_type }
            }
            ARRAY => MarshalDescriptor::Array {
                element: element(&mut reader)?,
                size_param: number(&mut reader)?,
                size: number(&mut reader)?,
                flags: number(&mut reader)?,
            },
            CUSTOM => MarshalDescriptor::Custom {
                guid: text(&mut reader)?,
                native_type: text(&mut reader)?,
                managed_type: text(&mut reader)?,
                cookie: text(&mut reader)?,
            },
            kind @ (UNKNOWN_INTERFACE | DISPATCH_INTERFACE | INTERFACE) => {
                MarshalDescriptor::Interface { kind, iid_param: number(&mut reader)? }
            }
            simple => MarshalDescriptor::Simple(simple),
        })
    }
}

/// Everything after the kind may be left out from the end.
fn number(reader: &mut Reader<'_>) -> Result<Option<u32>> {
    if reader.is_at_end() { Ok(None) } else { reader.compressed_u32().map(Some) }
}

fn element(reader: &mut Reader<'_>) -> Result<Option<u8>> {
    if reader.is_at_end() {
        return Ok(None);
    }
    Ok(Some(reader.u8()?).filter(|&element| element != ELEMENT_DEFAULT))
}

fn text<'a>(reader: &mut Reader<'a>) -> Result<&'a str> {
    let length = reader.compressed_u32()? as usize;
    let at = reader.file_offset();
    std::str::from_utf8(reader.bytes(length)?).map_err(|_| Error::new(ErrorKind::BadUtf8, at))
}
