//! Types whose values are written as literals.

use random::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simple {
    SByte,
    Byte,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    NInt,
    NUInt,
    Char,
    Bool,
    Float,
    Double,
    Decimal,
    Text,
}

use Simple::*;

pub const ALL: [Simple; 16] = [
    SByte, Byte, Short, UShort, Int, UInt, Long, ULong, NInt, NUInt, Char, Bool, Float, Double, Decimal, Text,
];
pub const INTEGERS: [Simple; 10] = [SByte, Byte, Short, UShort, Int, UInt, Long, ULong, NInt, NUInt];
pub const NUMBERS: [Simple; 13] =
    [SByte, Byte, Short, UShort, Int, UInt, Long, ULong, NInt, NUInt, Float, Double, Decimal];
/// Types of which pointers and stack memory are made.
pub const UNMANAGED: [Simple; 13] =
    [SByte, Byte, Short, UShort, Int, UInt, Long, ULong, NInt, NUInt, Char, Float, Double];

impl Simple {
    pub fn name(self) -> &'static str {
        match self {
            SByte => "sbyte",
            Byte => "byte",
            Short => "short",
            UShort => "ushort",
            Int => "int",
            UInt => "uint",
            Long => "long",
            ULong => "ulong",
            NInt => "nint",
            NUInt => "nuint",
            Char => "char",
            Bool => "bool",
            Float => "float",
            Double => "double",
            Decimal => "decimal",
            Text => "string",
        }
    }

    /// A type at random; those that programs use most come up most.
    pub fn any(r: &mut Random) -> Simple {
        match r.below(10) {
            0..3 => Int,
            3 => Long,
            4 => Double,
            _ => r.pick(&ALL),
        }
    }

    pub fn is_integer(self) -> bool {
        INTEGERS.contains(&self)
    }

    pub fn is_number(self) -> bool {
        NUMBERS.contains(&self)
    }

    pub fn is_float(self) -> bool {
        matches!(self, Float | Double)
    }

    /// Wider than what operators promote it to, so that a cast back is needed.
    pub fn promotes(self) -> bool {
        matches!(self, SByte | Byte | Short | UShort | Char)
    }

    pub fn is_unsigned_wide(self) -> bool {
        matches!(self, ULong | NUInt)
    }

    /// A literal, often at the edges of the type.
    pub fn literal(self, r: &mut Random) -> String {
        let small = r.below(12) as i64 - 3;
        match self {
            SByte => format!("((sbyte){})", pick_number(r, small, &[-128, 127, -1, 100])),
            Byte => format!("((byte){})", pick_number(r, small.abs(), &[255, 128, 127, 200])),
            Short => format!("((short){})", pick_number(r, small, &[-32768, 32767, -129, 256])),
            UShort => format!("((ushort){})", pick_number(r, small.abs(), &[65535, 32768, 255, 256])),
            Int => match r.below(8) {
                0 => "int.MinValue".into(),
                1 => "int.MaxValue".into(),
                2 => format!("({})", r.number() as i32),
                _ => parenthesized(small),
            },
            UInt => match r.below(6) {
                0 => "uint.MaxValue".into(),
                1 => format!("{}u", r.number() as u32),
                2 => "0x80000000u".into(),
                _ => format!("{}u", small.abs()),
            },
            Long => match r.below(6) {
                0 => "long.MinValue".into(),
                1 => "long.MaxValue".into(),
                2 => format!("({}L)", (r.number() as i64).max(-i64::MAX)),
                _ => format!("({small}L)"),
            },
            ULong => match r.below(6) {
                0 => "ulong.MaxValue".into(),
                1 => format!("{}ul", r.number()),
                2 => "0x8000000000000000ul".into(),
                _ => format!("{}ul", small.abs()),
            },
            NInt => match r.below(5) {
                0 => "((nint)F.Id(long.MinValue))".into(),
                1 => format!("((nint)F.Id({}L))", (r.number() as i64).max(-i64::MAX)),
                _ => format!("((nint)({small}))"),
            },
            NUInt => match r.below(5) {
                0 => "((nuint)F.Id(ulong.MaxValue))".into(),
                1 => format!("((nuint)F.Id({}ul))", r.number()),
                _ => format!("((nuint){})", small.abs()),
            },
            Char => match r.below(6) {
                0 => "'\\uffff'".into(),
                1 => "'\\0'".into(),
                2 => "'\\u00e9'".into(),
                _ => format!("'{}'", (b'A' + r.below(26) as u8) as char),
            },
            Bool => if r.percent(50) { "true" } else { "false" }.into(),
            Float => match r.below(12) {
                0 => "float.NaN".into(),
                1 => "float.PositiveInfinity".into(),
                2 => "float.MaxValue".into(),
                3 => "float.Epsilon".into(),
                4 => "(-0.0f)".into(),
                5 => "0.1f".into(),
                6 => format!("{}e{}f", r.below(1000), r.below(40) as i64 - 20),
                7 => "16777217f".into(),
                _ => format!("({small}.{}f)", r.below(100)),
            },
            Double => match r.below(12) {
                0 => "double.NaN".into(),
                1 => "double.NegativeInfinity".into(),
                2 => "double.MaxValue".into(),
                3 => "double.Epsilon".into(),
                4 => "(-0.0)".into(),
                5 => "0.1".into(),
                6 => format!("{}e{}", r.below(100_000), r.below(600) as i64 - 300),
                7 => "9007199254740993.0".into(),
                _ => format!("({small}.{})", r.below(1000)),
            },
            Decimal => match r.below(8) {
                0 => "decimal.MaxValue".into(),
                1 => "decimal.MinValue".into(),
                2 => "0.1m".into(),
                3 => "1.000m".into(),
                4 => format!("{}.{:06}m", r.below(1_000_000), r.below(1_000_000)),
                5 => "0.0000000000000000000000000001m".into(),
                _ => format!("({small}.{}m)", r.below(100)),
            },
            Text => match r.below(6) {
                0 => "\"\"".into(),
                1 => "\"a\\0b\"".into(),
                2 => "\"\\u00e9\\ud83d\\ude00\"".into(),
                _ => format!("\"{}\"", word(r)),
            },
        }
    }
}

fn pick_number(r: &mut Random, small: i64, edges: &[i64]) -> String {
    let value = if r.percent(40) { r.pick(edges) } else { small };
    parenthesized(value)
}

fn parenthesized(value: i64) -> String {
    if value < 0 { format!("({value})") } else { value.to_string() }
}

fn word(r: &mut Random) -> String {
    (0..1 + r.below(7)).map(|_| (b'a' + r.below(26) as u8) as char).collect()
}
