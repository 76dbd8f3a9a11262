//! Structs of the base library that have a form of their own in C#.

use super::literal::{Wanted, primitive};
use crate::{
    case::{FieldValue, Primitive, Value},
    type_name::TypeName,
};

/// The expression without the name of the type, which the caller puts where `$` is.
pub fn expression(ty: &TypeName, fields: &[FieldValue]) -> Option<String> {
    if !ty.is_plain() || ty.namespace != "System" || ty.path.len() != 1 {
        return None;
    }
    match ty.simple() {
        "Int128" => wide(number(fields, "_upper")?, number(fields, "_lower")?, true),
        "UInt128" => wide(number(fields, "_upper")?, number(fields, "_lower")?, false),
        "Decimal" => decimal(number(fields, "_flags")?, number(fields, "_hi32")?, number(fields, "_lo64")?),
        "TimeSpan" => Some(format!("new $({})", long(number(fields, "_ticks")?)?)),
        "DateTime" => date(number(fields, "_dateData")?),
        _ => None,
    }
}

fn number(fields: &[FieldValue], name: &str) -> Option<i128> {
    match fields.iter().find(|field| field.name == name)?.value {
        Value::Primitive(primitive) => primitive.integer(),
        _ => None,
    }
}

fn wide(upper: i128, lower: i128, signed: bool) -> Option<String> {
    let (upper, lower) = (u64::try_from(upper).ok()?, u64::try_from(lower).ok()?);
    if upper == 0 && lower <= i64::MAX as u64 {
        return Some(format!("($){}", long(lower.into())?));
    }
    if signed && upper == u64::MAX && lower > i64::MAX as u64 {
        return Some(format!("($)({})", long((lower as i64).into())?));
    }
    let part = |v: u64| primitive(Primitive::UInt64(v), Wanted::Exact);
    Some(format!("new $({}, {})", part(upper), part(lower)))
}

fn long(value: i128) -> Option<String> {
    Some(primitive(Primitive::Int64(i64::try_from(value).ok()?), Wanted::Converted))
}

fn decimal(flags: i128, hi: i128, lo64: i128) -> Option<String> {
    let lo64 = u64::try_from(lo64).ok()?;
    let scale = (flags >> 16) & 0xff;
    let negative = flags < 0;
    if scale == 0 && hi == 0 && !(negative && lo64 == 0) {
        return Some(format!("{}{lo64}m", if negative { "-" } else { "" }));
    }
    let part = |v: u32| primitive(Primitive::Int32(v as i32), Wanted::Exact);
    let hi = part(u32::try_from(hi).ok()?);
    let (lo, mid) = (part(lo64 as u32), part((lo64 >> 32) as u32));
    Some(format!("new $({lo}, {mid}, {hi}, {negative}, {scale})"))
}

/// The two top bits are the kind; the fourth one (local in the ambiguous hour) has no public constructor.
fn date(data: i128) -> Option<String> {
    let kind = ["Unspecified", "Utc", "Local"].get(usize::try_from(data >> 62).ok()?)?;
    let ticks = long(data & ((1 << 62) - 1))?;
    Some(match *kind {
        "Unspecified" => format!("new $({ticks})"),
        kind => format!("new $({ticks}, $Kind.{kind})"),
    })
}
