//! A value of any type: scalars and enums by their exact bits, structs by fields, references by object id.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ObjectId;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Written", into = "Written")]
pub enum Value {
    /// `{"null": true}`
    Null,
    /// `{"type": "System.Int32", "value": "5"}`
    Primitive(Primitive),
    /// `{"type": "Shop.Color", "enum": "3"}`: the underlying number, declared or not.
    Enum { ty: String, value: i128 },
    /// `{"type": "Shop.Point", "fields": [..]}`
    Struct { ty: String, fields: Vec<FieldValue> },
    /// `{"object": 1}`
    Object(ObjectId),
    /// `{"type": "System.Span`1[System.Int32]", "span": {"over": 1, "start": 0, "length": 2}}`
    Span { ty: String, span: Span },
}

/// A `Span`, `ReadOnlySpan`, `Memory` or `ReadOnlyMemory` over an array or, for characters, a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// None: the default span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<ObjectId>,
    #[serde(default)]
    pub start: u32,
    #[serde(default)]
    pub length: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldValue {
    pub name: String,
    /// The type that declares the field: a derived class may have a field of the same name.
    pub declaring: String,
    pub value: Value,
}

/// A scalar of the runtime. Floating point is held by bits: NaN payloads and -0 are values like others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Primitive {
    Boolean(bool),
    /// A UTF-16 code unit.
    Char(u16),
    SByte(i8),
    Byte(u8),
    Int16(i16),
    UInt16(u16),
    Int32(i32),
    UInt32(u32),
    Int64(i64),
    UInt64(u64),
    IntPtr(i64),
    UIntPtr(u64),
    Single(u32),
    Double(u64),
}

impl Value {
    /// The type as written in the case; references carry theirs in the table of objects.
    pub fn ty(&self) -> Option<&str> {
        match self {
            Value::Null | Value::Object(_) => None,
            Value::Primitive(primitive) => Some(primitive.type_name()),
            Value::Enum { ty, .. } | Value::Struct { ty, .. } | Value::Span { ty, .. } => Some(ty),
        }
    }

    pub fn int32(value: i32) -> Value {
        Value::Primitive(Primitive::Int32(value))
    }

    pub fn boolean(value: bool) -> Value {
        Value::Primitive(Primitive::Boolean(value))
    }
}

impl From<Primitive> for Value {
    fn from(primitive: Primitive) -> Value {
        Value::Primitive(primitive)
    }
}

impl Primitive {
    pub fn type_name(self) -> &'static str {
        match self {
            Primitive::Boolean(_) => "System.Boolean",
            Primitive::Char(_) => "System.Char",
            Primitive::SByte(_) => "System.SByte",
            Primitive::Byte(_) => "System.Byte",
            Primitive::Int16(_) => "System.Int16",
            Primitive::UInt16(_) => "System.UInt16",
            Primitive::Int32(_) => "System.Int32",
            Primitive::UInt32(_) => "System.UInt32",
            Primitive::Int64(_) => "System.Int64",
            Primitive::UInt64(_) => "System.UInt64",
            Primitive::IntPtr(_) => "System.IntPtr",
            Primitive::UIntPtr(_) => "System.UIntPtr",
            Primitive::Single(_) => "System.Single",
            Primitive::Double(_) => "System.Double",
        }
    }

    /// The value of the type called `ty` whose written form is `text`; the inverse of `to_string`.
    pub fn parse(ty: &str, text: &str) -> Option<Primitive> {
        Some(match ty {
            "System.Boolean" => Primitive::Boolean(text.parse().ok()?),
            "System.Char" => Primitive::Char(text.parse().ok()?),
            "System.SByte" => Primitive::SByte(text.parse().ok()?),
            "System.Byte" => Primitive::Byte(text.parse().ok()?),
            "System.Int16" => Primitive::Int16(text.parse().ok()?),
            "System.UInt16" => Primitive::UInt16(text.parse().ok()?),
            "System.Int32" => Primitive::Int32(text.parse().ok()?),
            "System.UInt32" => Primitive::UInt32(text.parse().ok()?),
            "System.Int64" => Primitive::Int64(text.parse().ok()?),
            "System.UInt64" => Primitive::UInt64(text.parse().ok()?),
            "System.IntPtr" => Primitive::IntPtr(text.parse().ok()?),
            "System.UIntPtr" => Primitive::UIntPtr(text.parse().ok()?),
            "System.Single" => Primitive::Single(u32::from_str_radix(text.strip_prefix("0x")?, 16).ok()?),
            "System.Double" => Primitive::Double(u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()?),
            _ => return None,
        })
    }

    /// The integer behind the value, for everything but floating point.
    pub fn integer(self) -> Option<i128> {
        Some(match self {
            Primitive::Boolean(v) => v.into(),
            Primitive::Char(v) => v.into(),
            Primitive::SByte(v) => v.into(),
            Primitive::Byte(v) => v.into(),
            Primitive::Int16(v) => v.into(),
            Primitive::UInt16(v) => v.into(),
            Primitive::Int32(v) => v.into(),
            Primitive::UInt32(v) => v.into(),
            Primitive::Int64(v) | Primitive::IntPtr(v) => v.into(),
            Primitive::UInt64(v) | Primitive::UIntPtr(v) => v.into(),
            Primitive::Single(_) | Primitive::Double(_) => return None,
        })
    }
}

/// Decimal for integers, the code unit for characters, `0x` and the bits for floating point.
impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Primitive::Boolean(v) => write!(f, "{v}"),
            Primitive::Char(v) => write!(f, "{v}"),
            Primitive::Single(bits) => write!(f, "{bits:#010x}"),
            Primitive::Double(bits) => write!(f, "{bits:#018x}"),
            other => write!(f, "{}", other.integer().unwrap_or_default()),
        }
    }
}

/// The JSON form: exactly one of `null`, `value`, `enum`, `fields`, `object`, `span` is there.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Written {
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    ty: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    #[serde(rename = "enum", default, skip_serializing_if = "Option::is_none")]
    enum_: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<FieldValue>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    object: Option<ObjectId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<Span>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    null: Option<bool>,
}

impl From<Value> for Written {
    fn from(value: Value) -> Written {
        let empty = Written::default();
        match value {
            Value::Null => Written { null: Some(true), ..empty },
            Value::Primitive(p) => {
                Written { ty: Some(p.type_name().to_owned()), value: Some(p.to_string()), ..empty }
            }
            Value::Enum { ty, value } => Written { ty: Some(ty), enum_: Some(value.to_string()), ..empty },
            Value::Struct { ty, fields } => Written { ty: Some(ty), fields: Some(fields), ..empty },
            Value::Object(id) => Written { object: Some(id), ..empty },
            Value::Span { ty, span } => Written { ty: Some(ty), span: Some(span), ..empty },
        }
    }
}

impl TryFrom<Written> for Value {
    type Error = String;

    fn try_from(written: Written) -> Result<Value, String> {
        match written {
            Written { null: Some(true), .. } => Ok(Value::Null),
            Written { object: Some(id), .. } => Ok(Value::Object(id)),
            Written { ty: Some(ty), value: Some(text), .. } => Primitive::parse(&ty, &text)
                .map(Value::Primitive)
                .ok_or_else(|| format!("`{text}` is not a value of {ty}")),
            Written { ty: Some(ty), enum_: Some(text), .. } => match text.parse() {
                Ok(value) => Ok(Value::Enum { ty, value }),
                Err(_) => Err(format!("`{text}` is not a number of the enum {ty}")),
            },
            Written { ty: Some(ty), fields: Some(fields), .. } => Ok(Value::Struct { ty, fields }),
            Written { ty: Some(ty), span: Some(span), .. } => Ok(Value::Span { ty, span }),
            _ => {
                Err("a value has one of: null, object, or a type with value, enum, fields or span".to_owned())
            }
        }
    }
}
