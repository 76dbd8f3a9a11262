//! Constants: numbers, characters, members of enums, floats.

use term::{Const, to_signed};

use crate::kinds::Enumeration;
use crate::piece::{Level, Piece, Sign, Type};

/// The number with these bits, read as signed or not.
pub(crate) fn number(bits: u128, width: u32, signed: bool) -> Piece {
    let sign = if bits >> (width - 1) == 0 { Sign::Both } else { Sign::of(signed) };
    match (signed, i128::try_from(bits)) {
        (true, _) => Piece { sign, ..of(to_signed(bits, width)) },
        (false, Ok(value)) => Piece { sign, ..of(value) },
        (false, Err(_)) => wide(bits),
    }
}

pub(crate) fn of(value: i128) -> Piece {
    let named = [
        (i128::from(i32::MAX), "int.MaxValue"),
        (i128::from(i32::MIN), "int.MinValue"),
        (i128::from(u32::MAX), "uint.MaxValue"),
        (i128::from(i64::MAX), "long.MaxValue"),
        (i128::from(i64::MIN), "long.MinValue"),
        (i128::from(u64::MAX), "ulong.MaxValue"),
    ];
    let name = named.iter().find(|(named, _)| *named == value).map(|(_, name)| (*name).to_owned());
    let is_named = name.is_some();
    let level = if value < 0 && !is_named { Level::Unary } else { Level::Primary };
    Piece::new(name.unwrap_or_else(|| value.to_string()), level, Type::Literal(value), Sign::Both)
}

/// A mask: in hexadecimal unless it is a digit.
pub(crate) fn mask(value: u128) -> Piece {
    let Ok(number) = i128::try_from(value) else { return wide(value) };
    let text = if number < 10 { number.to_string() } else { format!("0x{number:X}") };
    Piece::new(text, Level::Primary, Type::Literal(number), Sign::Both)
}

/// Nothing that C# has a literal for.
fn wide(bits: u128) -> Piece {
    Piece::new(bits.to_string(), Level::Primary, Type::Elided, Sign::Unsigned)
}

/// A character that a person would write between quotes, or its escape.
pub(crate) fn character(unit: u16) -> Piece {
    let text = match char::from_u32(u32::from(unit)) {
        Some('\0') => "\\0".to_owned(),
        Some('\n') => "\\n".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\t') => "\\t".to_owned(),
        Some(c @ ('\'' | '\\')) => format!("\\{c}"),
        Some(c) if c.is_ascii_graphic() || c == ' ' || c < '\u{250}' && c.is_alphanumeric() => c.to_string(),
        _ => format!("\\u{unit:04x}"),
    };
    Piece::new(format!("'{text}'"), Level::Primary, Type::Char, Sign::Unsigned)
}

/// How much a person would like to see this character rather than one of its neighbours.
pub(crate) fn is_plain(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|c| c.is_ascii_alphanumeric())
}

/// `Tier.Gold`, or `(Tier)7` where no member has the value.
pub(crate) fn member(of: &std::rc::Rc<Enumeration>, bits: u128, width: u32) -> Piece {
    let sign = Sign::of(of.signed);
    match of.member(bits) {
        Some(member) => {
            Piece::new(format!("{}.{member}", of.name), Level::Primary, Type::Enum(of.clone()), sign)
        }
        None => {
            let number = number(bits, width, of.signed);
            let number =
                if number.level < Level::Primary { format!("({})", number.text) } else { number.text };
            Piece::new(format!("({}){number}", of.name), Level::Unary, Type::Enum(of.clone()), sign)
        }
    }
}

pub(crate) fn float(value: Const) -> Piece {
    let (text, ty) = match value {
        Const::F32(bits) => (single(f32::from_bits(bits)), Type::Single),
        Const::F64(bits) => (double(f64::from_bits(bits)), Type::Double),
        _ => return Piece::elided(),
    };
    let level = if text.starts_with('-') { Level::Unary } else { Level::Primary };
    Piece::new(text, level, ty, Sign::Both)
}

fn single(value: f32) -> String {
    if value.is_finite() { format!("{value:?}f") } else { special(f64::from(value), "float") }
}

fn double(value: f64) -> String {
    if value.is_finite() { format!("{value:?}") } else { special(value, "double") }
}

fn special(value: f64, ty: &str) -> String {
    if value.is_nan() {
        format!("{ty}.NaN")
    } else if value > 0.0 {
        format!("{ty}.PositiveInfinity")
    } else {
        format!("{ty}.NegativeInfinity")
    }
}
