//! Scalars as a person would write them.

use case::Primitive;

/// What the expression around a literal allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The expression must have exactly the type of the value (`var`, generic inference, overloads).
    Exact,
    /// It goes where the type is fixed: `5` will do for a long.
    Converted,
}

pub fn primitive(value: Primitive, wanted: Wanted) -> String {
    let exact = wanted == Wanted::Exact;
    match value {
        Primitive::Boolean(v) => v.to_string(),
        Primitive::Char(unit) => char_literal(unit),
        Primitive::SByte(v) => small("sbyte", v.into(), (i8::MIN.into(), i8::MAX.into()), exact),
        Primitive::Byte(v) => small("byte", v.into(), (0, u8::MAX.into()), exact),
        Primitive::Int16(v) => small("short", v.into(), (i16::MIN.into(), i16::MAX.into()), exact),
        Primitive::UInt16(v) => small("ushort", v.into(), (0, u16::MAX.into()), exact),
        Primitive::Int32(v) => suffixed("int", v.into(), (i32::MIN.into(), i32::MAX.into()), ""),
        Primitive::UInt32(v) => {
            suffixed("uint", v.into(), (0, u32::MAX.into()), if exact { "u" } else { "" })
        }
        Primitive::Int64(v) => {
            suffixed("long", v.into(), (i64::MIN.into(), i64::MAX.into()), if exact { "L" } else { "" })
        }
        Primitive::UInt64(v) => {
            suffixed("ulong", v.into(), (0, u64::MAX.into()), if exact { "UL" } else { "" })
        }
        Primitive::IntPtr(v) => native("nint", v.into(), i32::try_from(v).is_ok(), "L", exact),
        Primitive::UIntPtr(v) => native("nuint", v.into(), u32::try_from(v).is_ok(), "UL", exact),
        Primitive::Single(bits) => single(bits),
        Primitive::Double(bits) => double(bits),
    }
}

/// A value that is compared: a NaN is equal to every other.
pub fn expected(value: Primitive, wanted: Wanted) -> String {
    match value {
        Primitive::Single(bits) if f32::from_bits(bits).is_nan() => "float.NaN".to_owned(),
        Primitive::Double(bits) if f64::from_bits(bits).is_nan() => "double.NaN".to_owned(),
        _ => primitive(value, wanted),
    }
}

pub fn char_literal(unit: u16) -> String {
    match char::from_u32(unit.into()) {
        Some('\'') => r"'\''".to_owned(),
        Some('"') => "'\"'".to_owned(),
        _ => format!("'{}'", escaped(unit)),
    }
}

pub fn string_literal(units: &[u16]) -> String {
    let text: String = units.iter().map(|unit| escaped(*unit)).collect();
    format!("\"{text}\"")
}

/// A string of which long runs are not written out.
pub fn text(units: &[u16]) -> String {
    const LEAST_RUN: usize = 32;
    if units.len() < LEAST_RUN {
        return string_literal(units);
    }
    let mut parts: Vec<String> = Vec::new();
    let mut plain: Vec<u16> = Vec::new();
    for run in units.chunk_by(|a, b| a == b) {
        match run {
            [unit, ..] if run.len() >= LEAST_RUN => {
                if !plain.is_empty() {
                    parts.push(string_literal(&std::mem::take(&mut plain)));
                }
                parts.push(format!("new string({}, {})", char_literal(*unit), run.len()));
            }
            _ => plain.extend(run),
        }
    }
    if !plain.is_empty() {
        parts.push(string_literal(&plain));
    }
    parts.join(" + ")
}

/// Printable ASCII stays; `\x` is never used, since it would swallow what follows.
fn escaped(unit: u16) -> String {
    match char::from_u32(unit.into()) {
        Some('\\') => r"\\".to_owned(),
        Some('"') => "\\\"".to_owned(),
        Some('\n') => r"\n".to_owned(),
        Some('\r') => r"\r".to_owned(),
        Some('\t') => r"\t".to_owned(),
        Some('\0') => r"\0".to_owned(),
        Some(c @ ' '..='~') => c.to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

/// Types without literals of their own; an int constant converts where the type is fixed.
fn small(keyword: &str, value: i128, range: (i128, i128), exact: bool) -> String {
    match extreme(keyword, value, range) {
        Some(name) => name,
        None if exact && value < 0 => format!("({keyword})({value})"),
        None if exact => format!("({keyword}){}", number(value)),
        None => number(value),
    }
}

fn suffixed(keyword: &str, value: i128, range: (i128, i128), suffix: &str) -> String {
    extreme(keyword, value, range).unwrap_or_else(|| number(value) + suffix)
}

/// `int.MaxValue` and the like; zero is zero.
fn extreme(keyword: &str, value: i128, (min, max): (i128, i128)) -> Option<String> {
    if value == max {
        Some(format!("{keyword}.MaxValue"))
    } else if value == min && min < 0 {
        Some(format!("{keyword}.MinValue"))
    } else {
        None
    }
}

/// Wide values do not fit a constant of a native int: the conversion happens when the test runs.
fn native(keyword: &str, value: i128, narrow: bool, suffix: &str, exact: bool) -> String {
    match (narrow, exact) {
        (true, false) => number(value),
        (true, true) if value < 0 => format!("({keyword})({value})"),
        (true, true) => format!("({keyword}){}", number(value)),
        (false, _) if value == i64::MIN.into() => format!("unchecked(({keyword})long.MinValue)"),
        (false, _) if value < 0 => format!("unchecked(({keyword})({value}{suffix}))"),
        (false, _) => format!("unchecked(({keyword}){}{suffix})", number(value)),
    }
}

/// Decimal, or hexadecimal where that is the rounder number.
fn number(value: i128) -> String {
    if value < 4096 {
        return value.to_string();
    }
    let hex = format!("{value:X}");
    let zeros = hex.len() - hex.trim_end_matches('0').len();
    let ones = hex.len() - hex.trim_end_matches('F').len();
    let decimal = value.to_string();
    let decimal_zeros = decimal.len() - decimal.trim_end_matches('0').len();
    let round = zeros * 2 >= hex.len() || ones + 1 >= hex.len();
    if round && decimal_zeros * 2 < decimal.len() { format!("0x{hex}") } else { decimal }
}

fn single(bits: u32) -> String {
    let value = f32::from_bits(bits);
    match value {
        // The constant of C# has its sign set.
        _ if bits == 0xffc0_0000 => "float.NaN".to_owned(),
        _ if value.is_nan() => format!("BitConverter.Int32BitsToSingle(unchecked((int)0x{bits:08X}))"),
        f32::INFINITY => "float.PositiveInfinity".to_owned(),
        f32::NEG_INFINITY => "float.NegativeInfinity".to_owned(),
        f32::MAX => "float.MaxValue".to_owned(),
        f32::MIN => "float.MinValue".to_owned(),
        _ if bits == 1 => "float.Epsilon".to_owned(),
        _ => format!("{}f", decimal(format!("{value:?}"))),
    }
}

fn double(bits: u64) -> String {
    let value = f64::from_bits(bits);
    match value {
        _ if bits == 0xfff8_0000_0000_0000 => "double.NaN".to_owned(),
        _ if value.is_nan() => format!("BitConverter.Int64BitsToDouble(unchecked((long)0x{bits:016X}))"),
        f64::INFINITY => "double.PositiveInfinity".to_owned(),
        f64::NEG_INFINITY => "double.NegativeInfinity".to_owned(),
        f64::MAX => "double.MaxValue".to_owned(),
        f64::MIN => "double.MinValue".to_owned(),
        _ if bits == 1 => "double.Epsilon".to_owned(),
        _ => decimal(format!("{value:?}")),
    }
}

/// Rust's shortest form that reads back the same; it always has a point or an exponent, as C# needs for -0.0.
fn decimal(text: String) -> String {
    text.replace('e', "E")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn literals_look_as_a_person_writes_them() {
        use Primitive::*;
        let values = [
            Boolean(true),
            Char(97),
            Char(0),
            Char(39),
            Char(34),
            Char(0xe9),
            Char(0xd800),
            SByte(-128),
            SByte(-5),
            Byte(255),
            Byte(7),
            Int16(-300),
            UInt16(5),
            Int32(i32::MAX),
            Int32(i32::MIN),
            Int32(-1),
            Int32(0x1000_0000),
            Int32(1_000_000),
            Int32(123_456_789),
            UInt32(5),
            UInt32(0xffff_0000),
            Int64(5),
            Int64(-5),
            Int64(i64::MIN),
            Int64(0x7fff_ffff_0000_0000),
            UInt64(u64::MAX),
            UInt64(1 << 63),
            IntPtr(-3),
            IntPtr(i64::MAX),
            IntPtr(i64::MIN),
            UIntPtr(3),
            UIntPtr(u64::MAX),
            Single(1.5f32.to_bits()),
            Single(1),
            Double((-0.0f64).to_bits()),
            Double(1e300f64.to_bits()),
            Double(0.1f64.to_bits()),
            Double(0x7ff0_0000_0000_0001),
        ];
        let lines: Vec<String> = values
            .iter()
            .map(|v| format!("{} | {}\n", primitive(*v, Wanted::Exact), primitive(*v, Wanted::Converted)))
            .collect();
        expect![[r#"
            true | true
            'a' | 'a'
            '\0' | '\0'
            '\'' | '\''
            '"' | '"'
            '\u00e9' | '\u00e9'
            '\ud800' | '\ud800'
            sbyte.MinValue | sbyte.MinValue
            (sbyte)(-5) | -5
            byte.MaxValue | byte.MaxValue
            (byte)7 | 7
            (short)(-300) | -300
            (ushort)5 | 5
            int.MaxValue | int.MaxValue
            int.MinValue | int.MinValue
            -1 | -1
            0x10000000 | 0x10000000
            1000000 | 1000000
            123456789 | 123456789
            5u | 5
            0xFFFF0000u | 0xFFFF0000
            5L | 5
            -5L | -5
            long.MinValue | long.MinValue
            0x7FFFFFFF00000000L | 0x7FFFFFFF00000000
            ulong.MaxValue | ulong.MaxValue
            0x8000000000000000UL | 0x8000000000000000
            (nint)(-3) | -3
            unchecked((nint)0x7FFFFFFFFFFFFFFFL) | unchecked((nint)0x7FFFFFFFFFFFFFFFL)
            unchecked((nint)long.MinValue) | unchecked((nint)long.MinValue)
            (nuint)3 | 3
            unchecked((nuint)0xFFFFFFFFFFFFFFFFUL) | unchecked((nuint)0xFFFFFFFFFFFFFFFFUL)
            1.5f | 1.5f
            float.Epsilon | float.Epsilon
            -0.0 | -0.0
            1E300 | 1E300
            0.1 | 0.1
            BitConverter.Int64BitsToDouble(unchecked((long)0x7FF0000000000001)) | BitConverter.Int64BitsToDouble(unchecked((long)0x7FF0000000000001))
        "#]].assert_eq(&lines.concat());
        expect![[r#""a\"b\\\u00e9\n'""#]]
            .assert_eq(&string_literal(&"a\"b\\é\n'".encode_utf16().collect::<Vec<_>>()));
    }
}
