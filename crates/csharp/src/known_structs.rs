//! Structs of the base library that have a form of their own in C#: numbers, dates, identifiers. None for a value that
//! no public member makes.

use crate::literal::{Wanted, primitive};
use case::type_name::TypeName;
use case::{Case, FieldValue, ObjectKind, Primitive, Value};

/// The expression; `named` gives the name of a type of the base library.
pub fn expression(
    ty: &TypeName,
    fields: &[FieldValue],
    case: &Case,
    named: &dyn Fn(&str) -> String,
) -> Option<String> {
    if !ty.is_plain() || ty.path.len() != 1 || !ty.arguments.is_empty() {
        return None;
    }
    let full = ty.definition();
    let number = |name: &str| number(fields, name);
    let name = || named(&full);
    match full.as_str() {
        "System.Int128" => wide(&name(), number("_upper")?, number("_lower")?, true),
        "System.UInt128" => wide(&name(), number("_upper")?, number("_lower")?, false),
        "System.Decimal" => decimal(number("_flags")?, number("_hi32")?, number("_lo64")?),
        "System.TimeSpan" => Some(time_span(&name(), number("_ticks")?)),
        "System.DateTime" => date_time(&name(), &named("System.DateTimeKind"), number("_dateData")?),
        "System.DateOnly" => {
            let days = number("_dayNumber").filter(|days| (0..=LAST_DAY).contains(days))?;
            let (year, month, day) = date(days);
            Some(format!("new {}({year}, {month}, {day})", name()))
        }
        "System.TimeOnly" => {
            let ticks = number("_ticks").filter(|ticks| (0..TICKS_PER_DAY).contains(ticks))?;
            Some(match clock(ticks) {
                Some((hour, minute, 0)) => format!("new {}({hour}, {minute})", name()),
                Some((hour, minute, second)) => format!("new {}({hour}, {minute}, {second})", name()),
                None => format!("new {}({})", name(), long(ticks)?),
            })
        }
        "System.DateTimeOffset" => offset_date(fields, named),
        "System.Guid" => guid(fields).map(|text| format!("new {}(\"{text}\")", name())),
        "System.Half" => {
            let bits = number("_value")?;
            Some(format!("{}.UInt16BitsToHalf(0x{bits:04X})", named("System.BitConverter")))
        }
        "System.Text.Rune" => {
            char::from_u32(u32::try_from(number("_value")?).ok()?)?;
            Some(format!("new {}(0x{:X})", name(), number("_value")?))
        }
        "System.Index" => {
            let value = number("_value")?;
            Some(if value < 0 { format!("^{}", !value) } else { format!("new {}({value})", name()) })
        }
        "System.Numerics.BigInteger" => big_integer(&name(), fields, case),
        _ => None,
    }
}

const TICKS_PER_SECOND: i128 = 10_000_000;
const TICKS_PER_DAY: i128 = 86_400 * TICKS_PER_SECOND;
/// Of 31 December 9999.
const LAST_DAY: i128 = 3_652_058;

fn number(fields: &[FieldValue], name: &str) -> Option<i128> {
    match fields.iter().find(|field| field.name == name)?.value {
        Value::Primitive(primitive) => primitive.integer(),
        _ => None,
    }
}

fn wide(name: &str, upper: i128, lower: i128, signed: bool) -> Option<String> {
    let (upper, lower) = (u64::try_from(upper).ok()?, u64::try_from(lower).ok()?);
    if upper == 0 && lower <= i64::MAX as u64 {
        return Some(format!("({name}){}", long(lower.into())?));
    }
    if signed && upper == u64::MAX && lower > i64::MAX as u64 {
        return Some(format!("({name})({})", long((lower as i64).into())?));
    }
    let part = |v: u64| primitive(Primitive::UInt64(v), Wanted::Exact);
    Some(format!("new {name}({}, {})", part(upper), part(lower)))
}

fn long(value: i128) -> Option<String> {
    Some(primitive(Primitive::Int64(i64::try_from(value).ok()?), Wanted::Converted))
}

/// A literal keeps the scale; only minus zero has none.
fn decimal(flags: i128, hi: i128, lo64: i128) -> Option<String> {
    let (hi, lo64) = (u32::try_from(hi).ok()?, u64::try_from(lo64).ok()?);
    let scale = usize::try_from((flags >> 16) & 0xff).ok()?;
    let negative = flags < 0;
    let known_bits = (flags as i32) & 0x7f00_ffff == 0;
    if scale > 28 || !known_bits {
        return None;
    }
    let digits = (u128::from(hi) << 64) | u128::from(lo64);
    if negative && digits == 0 {
        return Some(format!("new decimal(0, 0, 0, true, {scale})"));
    }
    let sign = if negative { "-" } else { "" };
    let text = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = text.split_at(text.len() - scale);
    let point = if scale > 0 { "." } else { "" };
    Some(format!("{sign}{whole}{point}{fraction}m"))
}

fn time_span(name: &str, ticks: i128) -> String {
    if ticks == i64::MAX.into() {
        return format!("{name}.MaxValue");
    }
    if ticks == i64::MIN.into() {
        return format!("{name}.MinValue");
    }
    if ticks % TICKS_PER_SECOND != 0 {
        return format!("new {name}({})", long(ticks).unwrap_or_default());
    }
    let seconds = ticks / TICKS_PER_SECOND;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if i32::try_from(hours).is_err() {
        return format!("new {name}({})", long(ticks).unwrap_or_default());
    }
    format!("new {name}({hours}, {minutes}, {})", seconds % 60)
}

/// The two top bits are the kind; the fourth one (local in the ambiguous hour) has no public constructor.
fn date_time(name: &str, kinds: &str, data: i128) -> Option<String> {
    let kind = ["Unspecified", "Utc", "Local"].get(usize::try_from(data >> 62).ok()?)?;
    let ticks = data & ((1 << 62) - 1);
    if ticks / TICKS_PER_DAY > LAST_DAY {
        return None;
    }
    if data == (LAST_DAY + 1) * TICKS_PER_DAY - 1 {
        return Some(format!("{name}.MaxValue"));
    }
    let (year, month, day) = date(ticks / TICKS_PER_DAY);
    let written = match clock(ticks % TICKS_PER_DAY) {
        Some((0, 0, 0)) if *kind == "Unspecified" => format!("{year}, {month}, {day}"),
        Some((hour, minute, second)) => format!("{year}, {month}, {day}, {hour}, {minute}, {second}"),
        None => long(ticks)?,
    };
    Some(match *kind {
        "Unspecified" => format!("new {name}({written})"),
        kind => format!("new {name}({written}, {kinds}.{kind})"),
    })
}

/// The time in UTC is stored, and the offset in minutes.
fn offset_date(fields: &[FieldValue], named: &dyn Fn(&str) -> String) -> Option<String> {
    let inner = fields.iter().find(|field| field.name == "_dateTime")?;
    let Value::Struct { fields: inner, .. } = &inner.value else { return None };
    let minutes = number(fields, "_offsetMinutes")?;
    let data = number(inner, "_dateData")?;
    if !(-840..=840).contains(&minutes) || data >> 62 > 1 {
        return None;
    }
    let clock = (data & ((1 << 62) - 1)) + minutes * 60 * TICKS_PER_SECOND;
    if clock < 0 || clock / TICKS_PER_DAY > LAST_DAY {
        return None;
    }
    let (date_name, span) = (named("System.DateTime"), named("System.TimeSpan"));
    let date = date_time(&date_name, "", clock)?;
    let offset = match minutes {
        0 => format!("{span}.Zero"),
        minutes => time_span(&span, minutes * 60 * TICKS_PER_SECOND),
    };
    Some(format!("new {}({date}, {offset})", named("System.DateTimeOffset")))
}

/// Whole seconds of a day.
fn clock(ticks: i128) -> Option<(i128, i128, i128)> {
    let seconds = (ticks % TICKS_PER_SECOND == 0).then_some(ticks / TICKS_PER_SECOND)?;
    Some((seconds / 3600, seconds / 60 % 60, seconds % 60))
}

/// Year, month and day of a day counted from 1 January 0001 (Gregorian).
fn date(days: i128) -> (i128, i128, i128) {
    // Counted from 1 March of the year 0, leap days come last.
    let days = days + 306;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i128::from(month <= 2), month, day)
}

fn guid(fields: &[FieldValue]) -> Option<String> {
    let a = number(fields, "_a")? as i32;
    let (b, c) = (number(fields, "_b")? as i16, number(fields, "_c")? as i16);
    let mut bytes = String::new();
    for name in ["_d", "_e", "_f", "_g", "_h", "_i", "_j", "_k"] {
        bytes.push_str(&format!("{:02x}", number(fields, name)? as u8));
    }
    let (d, e) = bytes.split_at(4);
    Some(format!("{a:08x}-{b:04x}-{c:04x}-{d}-{e}"))
}

/// Small ones are in `_sign`; others have their magnitude in `_bits`, least word first.
fn big_integer(name: &str, fields: &[FieldValue], case: &Case) -> Option<String> {
    let sign = number(fields, "_sign")?;
    let bits = fields.iter().find(|field| field.name == "_bits").map_or(&Value::Null, |field| &field.value);
    let id = match bits {
        Value::Null => {
            return Some(format!("new {name}({})", primitive(Primitive::Int32(sign as i32), Wanted::Exact)));
        }
        Value::Object(id) => *id,
        _ => return None,
    };
    let after = case.expect.after.objects.iter().find(|object| object.id == id);
    let ObjectKind::Array(array) = &case.object(id).or(after)?.kind else { return None };
    let mut digits: Vec<u32> = vec![0];
    let word = |index: u32| {
        let element = array.elements.iter().find(|element| element.at == [index.cast_signed()]);
        element.map_or(Some(0), |element| match element.value {
            Value::Primitive(Primitive::UInt32(word)) => Some(word),
            _ => None,
        })
    };
    for index in (0..*array.lengths.first()?).rev() {
        let mut carry = u64::from(word(index)?);
        // Base 10^9, least first.
        for digit in &mut digits {
            let value = (u64::from(*digit) << 32) + carry;
            *digit = (value % 1_000_000_000) as u32;
            carry = value / 1_000_000_000;
        }
        while carry > 0 {
            digits.push((carry % 1_000_000_000) as u32);
            carry /= 1_000_000_000;
        }
    }
    let mut text: String = digits.iter().rev().map(|digit| format!("{digit:09}")).collect();
    text = text.trim_start_matches('0').to_owned();
    let sign = if sign < 0 { "-" } else { "" };
    Some(format!("{name}.Parse(\"{sign}{text}\")"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), (1, 1, 1));
        assert_eq!(date(LAST_DAY), (9999, 12, 31));
        assert_eq!(date(719_162), (1970, 1, 1));
        assert_eq!(date(738_944), (2024, 2, 29));
    }
}
