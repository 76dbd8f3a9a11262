//! The primitive types of generated programs, their literals and limits.

use super::Random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    Bool,
    I1,
    U1,
    I2,
    U2,
    Char,
    I4,
    U4,
    I8,
    U8,
}

impl Ty {
    /// Types that C# computes in; the narrower ones are promoted.
    pub const WIDE: [Ty; 4] = [Ty::I4, Ty::U4, Ty::I8, Ty::U8];
    pub const INTEGERS: [Ty; 9] = [Ty::I1, Ty::U1, Ty::I2, Ty::U2, Ty::Char, Ty::I4, Ty::U4, Ty::I8, Ty::U8];

    pub fn name(self) -> &'static str {
        match self {
            Ty::Bool => "bool",
            Ty::I1 => "sbyte",
            Ty::U1 => "byte",
            Ty::I2 => "short",
            Ty::U2 => "ushort",
            Ty::Char => "char",
            Ty::I4 => "int",
            Ty::U4 => "uint",
            Ty::I8 => "long",
            Ty::U8 => "ulong",
        }
    }

    pub fn is_wide(self) -> bool {
        Ty::WIDE.contains(&self)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Ty::I1 | Ty::I2 | Ty::I4 | Ty::I8)
    }

    fn bits(self) -> u32 {
        match self {
            Ty::Bool => 1,
            Ty::I1 | Ty::U1 => 8,
            Ty::I2 | Ty::U2 | Ty::Char => 16,
            Ty::I4 | Ty::U4 => 32,
            Ty::I8 | Ty::U8 => 64,
        }
    }

    fn smallest(self) -> i128 {
        if self.is_signed() { -(1i128 << (self.bits() - 1)) } else { 0 }
    }

    fn largest(self) -> i128 {
        (1i128 << (self.bits() - u32::from(self.is_signed()))) - 1
    }

    /// A literal: small numbers, powers of two and their neighbours, the ends of the domain.
    pub fn literal(self, random: &mut Random) -> i128 {
        let value = match random.below(10) {
            0..=4 => random.below(13) as i128 - 3,
            5 => (1i128 << random.below(self.bits() as usize)) + random.below(3) as i128 - 1,
            6 => -(1i128 << random.below(self.bits() as usize)),
            7 => self.smallest() + random.below(2) as i128,
            8 => self.largest() - random.below(2) as i128,
            _ => random.below(256) as i128 - 128,
        };
        if (self.smallest()..=self.largest()).contains(&value) { value } else { value & 0x7f }
    }

    pub fn written(self, value: i128) -> String {
        let text = match self {
            Ty::Bool => return if value & 1 == 1 { "true" } else { "false" }.to_owned(),
            Ty::I4 => value.to_string(),
            Ty::U4 => format!("{value}u"),
            Ty::I8 if value == i128::from(i64::MIN) => return "long.MinValue".to_owned(),
            Ty::I8 => format!("{value}L"),
            Ty::U8 => format!("{value}UL"),
            narrow => return format!("(({})({value}))", narrow.name()),
        };
        if value < 0 { format!("({text})") } else { text }
    }
}
