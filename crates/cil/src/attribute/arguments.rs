//! From the blob of a custom attribute to its arguments.

use super::{Argument, AttributeValue, EnumRef, EnumResolver, NamedArgument};
use crate::bytes::Reader;
use crate::column::Blob;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_ATTRIBUTE_DEPTH;
use crate::metadata::Metadata;
use crate::scalar::ScalarType;
use crate::sig::TypeSig;

const PROLOG: u16 = 0x0001;
const NAMED_FIELD: u8 = 0x53;
const NAMED_PROPERTY: u8 = 0x54;
const NULL_ARRAY: u32 = 0xffff_ffff;
const NULL_STRING: u8 = 0xff;

pub(super) fn read<'a>(
    metadata: &'a Metadata,
    blob: Blob<'a>,
    params: &[TypeSig],
    resolve: &mut EnumResolver<'_>,
) -> Result<AttributeValue<'a>> {
    let bytes = Reader::new(blob.bytes, blob.file_offset, "a custom attribute");
    let mut reader = ArgumentReader { metadata, bytes, resolve };
    // II.22.10 allows a null blob for an attribute without arguments.
    if blob.is_empty() && params.is_empty() {
        return Ok(AttributeValue { fixed: Vec::new(), named: Vec::new() });
    }
    if reader.bytes.u16()? != PROLOG {
        return Err(reader.bad("it does not begin with 0x0001"));
    }
    let mut fixed = Vec::new();
    for param in params {
        let ty = reader.type_of(param)?;
        fixed.push(reader.value(&ty, 0)?);
    }
    let count = reader.bytes.u16()?;
    let named = (0..count).map(|_| reader.named()).collect::<Result<_>>()?;
    Ok(AttributeValue { fixed, named })
}

/// The types that arguments can have (`FieldOrPropType`).
#[derive(Clone)]
enum ArgumentType<'a> {
    Scalar(ScalarType),
    String,
    Type,
    Object,
    Enum(EnumRef<'a>),
    Array(Box<ArgumentType<'a>>),
}

struct ArgumentReader<'a, 'r, 'e> {
    metadata: &'a Metadata,
    bytes: Reader<'a>,
    resolve: &'r mut EnumResolver<'e>,
}

impl<'a> ArgumentReader<'a, '_, '_> {
    fn bad(&self, what: &'static str) -> Error {
        self.bytes.error(ErrorKind::BadAttribute(what))
    }

    /// The argument type that a parameter of the constructor means.
    fn type_of(&self, param: &TypeSig) -> Result<ArgumentType<'a>> {
        if let Some(scalar) = ScalarType::from_sig(param.unmodified()) {
            return Ok(ArgumentType::Scalar(scalar));
        }
        Ok(match param.unmodified() {
            TypeSig::String => ArgumentType::String,
            TypeSig::Object => ArgumentType::Object,
            TypeSig::ValueType(token) => ArgumentType::Enum(EnumRef::Token(*token)),
            // An enum nested in a generic type.
            TypeSig::GenericInst(inst) if inst.is_value_type => {
                ArgumentType::Enum(EnumRef::Token(inst.definition))
            }
            TypeSig::Class(token) => match self.metadata.type_name(*token)? {
                Some(("System", "Type")) => ArgumentType::Type,
                _ => return Err(self.bad("a parameter's type cannot be that of an argument")),
            },
            TypeSig::SzArray(element) => match element.unmodified() {
                TypeSig::SzArray(_) => return Err(self.bad("a parameter is an array of arrays")),
                element => ArgumentType::Array(Box::new(self.type_of(element)?)),
            },
            _ => return Err(self.bad("a parameter's type cannot be that of an argument")),
        })
    }

    /// The argument type that the blob itself spells, for named and boxed arguments.
    fn spelled_type(&mut self, depth: u32) -> Result<ArgumentType<'a>> {
        self.check_depth(depth)?;
        let element = self.bytes.u8()?;
        if let Some(scalar) = ScalarType::from_element(element) {
            return Ok(ArgumentType::Scalar(scalar));
        }
        Ok(match element {
            0x0e => ArgumentType::String,
            0x50 => ArgumentType::Type,
            0x51 => ArgumentType::Object,
            0x55 => ArgumentType::Enum(EnumRef::Name(self.required_string()?)),
            0x1d => ArgumentType::Array(Box::new(self.spelled_type(depth + 1)?)),
            _ => return Err(self.bad("an argument of unknown type")),
        })
    }

    fn named(&mut self) -> Result<NamedArgument<'a>> {
        let is_property = match self.bytes.u8()? {
            NAMED_FIELD => false,
            NAMED_PROPERTY => true,
            _ => return Err(self.bad("a named argument is neither a field nor a property")),
        };
        let ty = self.spelled_type(0)?;
        let name = self.required_string()?;
        Ok(NamedArgument { is_property, name, value: self.value(&ty, 0)? })
    }

    fn value(&mut self, ty: &ArgumentType<'a>, depth: u32) -> Result<Argument<'a>> {
        self.check_depth(depth)?;
        Ok(match ty {
            ArgumentType::Scalar(ty) => Argument::Scalar(ty.read(&mut self.bytes)?),
            ArgumentType::String => Argument::String(self.string()?),
            ArgumentType::Type => Argument::Type(self.string()?),
            ArgumentType::Object => {
                let ty = self.spelled_type(depth + 1)?;
                Argument::Boxed(Box::new(self.value(&ty, depth + 1)?))
            }
            ArgumentType::Enum(ty) => {
                let underlying = self.underlying(*ty)?;
                Argument::Enum(*ty, underlying.read(&mut self.bytes)?)
            }
            ArgumentType::Array(element) => Argument::Array(self.array(element, depth)?),
        })
    }

    fn array(&mut self, element: &ArgumentType<'a>, depth: u32) -> Result<Option<Vec<Argument<'a>>>> {
        let count = self.bytes.u32()?;
        if count == NULL_ARRAY {
            return Ok(None);
        }
        // Every element takes at least one byte.
        if count as usize > self.bytes.remaining() {
            return Err(self.bad("an array claims more elements than there are bytes"));
        }
        (0..count).map(|_| self.value(element, depth + 1)).collect::<Result<_>>().map(Some)
    }

    fn underlying(&mut self, ty: EnumRef<'a>) -> Result<ScalarType> {
        if let Some(underlying) = self.metadata.local_enum_underlying(ty)? {
            return Ok(underlying);
        }
        if let Some(underlying) = (self.resolve)(ty) {
            return Ok(underlying);
        }
        let name = match ty {
            EnumRef::Name(name) => name.to_owned(),
            EnumRef::Token(token) => match self.metadata.type_name(token)? {
                Some(("", name)) => name.to_owned(),
                Some((namespace, name)) => format!("{namespace}.{name}"),
                None => token.to_string(),
            },
        };
        Err(self.bytes.error(ErrorKind::UnknownEnum(name)))
    }

    /// `SerString`: compressed length and UTF-8; 0xff alone is null.
    fn string(&mut self) -> Result<Option<&'a str>> {
        if self.bytes.peek() == Some(NULL_STRING) {
            self.bytes.skip(1)?;
            return Ok(None);
        }
        let length = self.bytes.compressed_u32()? as usize;
        let at = self.bytes.file_offset();
        let text = std::str::from_utf8(self.bytes.bytes(length)?);
        text.map(Some).map_err(|_| Error::new(ErrorKind::BadUtf8, at))
    }

    fn required_string(&mut self) -> Result<&'a str> {
        self.string()?.ok_or_else(|| self.bad("a name is null"))
    }

    fn check_depth(&self, depth: u32) -> Result<()> {
        if depth > MAX_ATTRIBUTE_DEPTH {
            let limit = MAX_ATTRIBUTE_DEPTH as usize;
            return Err(self.bytes.error(ErrorKind::Limit { what: "the nesting of an argument", limit }));
        }
        Ok(())
    }
}
