//! Which values are simpler than others, by what they stand for.

use std::collections::BTreeMap;

use term::{Sort, Symbol};
use types::{Primitive, TypeId, Universe};
use vm::Machine;
use vm::inputs::Part;

use super::dates;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Length,
    Truth,
    Char,
    Enum(TypeId),
    Signed,
    Unsigned,
    Float,
    Part(Part),
}

/// Letters first, then what code asks for most; any other small letter, and anything printable in the end.
const CHARACTERS: &str = "abcxAB01 -.,/:_\t\n";
/// Small numbers, the nicest first.
const NUMBERS: [i128; 14] = [0, 1, -1, 2, 3, -2, 4, 5, 10, -3, -10, 100, 1_000, -100];
const FLOATS: [f64; 14] =
    [0.0, 1.0, -1.0, 2.0, 0.5, -2.0, 3.0, 1.5, 10.0, -0.5, -10.0, 100.0, 1_000.0, -100.0];
/// Decimals that a float is rounded to.
const MOST_DECIMALS: i32 = 6;
/// The zone of a `DateTimeOffset` is kept as a number that is UTC here.
const UTC: u128 = 14 * 60;

/// All symbols whose values a person would choose.
pub(super) fn kinds(machine: &Machine) -> BTreeMap<Symbol, Kind> {
    let inputs = &machine.inputs;
    let scalar = |(symbol, ty): &(Symbol, TypeId)| {
        (*symbol, kind(&machine.universe, machine.terms.symbol_sort(*symbol), *ty))
    };
    let mut kinds: BTreeMap<Symbol, Kind> = inputs.scalars.iter().map(scalar).collect();
    kinds.extend(inputs.lengths.keys().map(|symbol| (*symbol, Kind::Length)));
    kinds.extend(inputs.parts.iter().map(|(symbol, part)| (*symbol, Kind::Part(*part))));
    kinds.retain(|symbol, _| !machine.is_ambient(*symbol) && !inputs.surroundings.contains_key(symbol));
    kinds
}

fn kind(universe: &Universe, sort: Sort, ty: TypeId) -> Kind {
    match (sort, universe.primitive(ty)) {
        (Sort::Float(_), _) => Kind::Float,
        (Sort::Bool, _) | (_, Some(Primitive::Boolean)) => Kind::Truth,
        _ if universe.is_enum(ty) => Kind::Enum(ty),
        (_, Some(Primitive::Char)) => Kind::Char,
        (_, Some(Primitive::U1 | Primitive::U2 | Primitive::U4 | Primitive::U8 | Primitive::U)) => {
            Kind::Unsigned
        }
        _ => Kind::Signed,
    }
}

/// Simpler values than this one, the simplest first. A value that is the first of its own list cannot be simpler.
pub(super) fn candidates(universe: &Universe, kind: Kind, width: u32, now: u128) -> Vec<u128> {
    match kind {
        Kind::Length => (0..=4).filter(|length| *length <= now).collect(),
        Kind::Truth => vec![0],
        Kind::Char => {
            CHARACTERS.chars().chain('a'..='z').chain(' '..='~').map(|c| u128::from(u32::from(c))).collect()
        }
        Kind::Enum(ty) => members(universe, ty, width),
        Kind::Signed => signed(width, now),
        Kind::Unsigned | Kind::Part(Part::Number) => {
            NUMBERS.iter().filter_map(|n| u128::try_from(*n).ok()).filter(|n| *n <= now).collect()
        }
        Kind::Float => floats(width, now),
        Kind::Part(Part::Ticks) => dates::ticks(now),
        Kind::Part(Part::Day) => dates::days(now),
        Kind::Part(Part::Time) => dates::times(now),
        Kind::Part(Part::Zone) => vec![UTC],
    }
}

/// Declared values, the default one first.
fn members(universe: &Universe, ty: TypeId, width: u32) -> Vec<u128> {
    let mut found = Vec::new();
    for &field in universe.fields(ty).unwrap_or_default() {
        if !universe.field(field).is_literal() {
            continue;
        }
        let constant = universe.field_constant(field).ok().flatten().and_then(|value| value.integer());
        found.extend(constant.map(|value| value.cast_unsigned() & mask(width)));
    }
    found.sort_by_key(|value| *value != 0);
    found
}

fn signed(width: u32, now: u128) -> Vec<u128> {
    let value = signed_value(width, now);
    let fits = |n: &i128| {
        n.unsigned_abs() <= value.unsigned_abs() && n.unsigned_abs() < 1 << (width.clamp(2, 127) - 1)
    };
    let mut found: Vec<u128> =
        NUMBERS.into_iter().filter(fits).map(|n| n.cast_unsigned() & mask(width)).collect();
    if value < 0 {
        found.push(value.wrapping_neg().cast_unsigned() & mask(width));
    }
    found
}

/// Round numbers, and the number itself with fewer and fewer decimals dropped.
fn floats(width: u32, now: u128) -> Vec<u128> {
    let value = float_value(width, now);
    let mut found: Vec<f64> = FLOATS.to_vec();
    if value.is_finite() {
        found.extend((0..=MOST_DECIMALS).map(|decimals| {
            let scale = 10f64.powi(decimals);
            (value * scale).round() / scale
        }));
    }
    let simpler = |n: &f64| !value.is_finite() || n.abs() <= value.abs() + 1.0;
    found.into_iter().filter(simpler).map(|n| float_bits(width, n)).collect()
}

fn float_value(width: u32, bits: u128) -> f64 {
    if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn float_bits(width: u32, value: f64) -> u128 {
    if width == 32 { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) }
}

fn signed_value(width: u32, bits: u128) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    (bits << unused).cast_signed() >> unused
}

/// How far a number is from zero; `None` for what is no number.
pub(super) fn magnitude(kind: Kind, width: u32, bits: u128) -> Option<u128> {
    match kind {
        Kind::Signed => Some(signed_value(width, bits & mask(width)).unsigned_abs()),
        Kind::Unsigned | Kind::Length | Kind::Part(Part::Number) => Some(bits & mask(width)),
        _ => None,
    }
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width.clamp(1, 128))
}

/// The search for the least number on the way to zero that the path still allows: the boundary that it is about.
pub(super) struct Bisection {
    /// Not allowed, or zero, which was tried before.
    low: u128,
    /// Allowed.
    high: u128,
    negative: bool,
    float: bool,
    width: u32,
}

impl Bisection {
    /// For numbers that are not near zero already.
    pub fn of(kind: Kind, width: u32, now: u128) -> Option<Bisection> {
        let float = matches!(kind, Kind::Float);
        let value = match kind {
            Kind::Signed => signed_value(width, now),
            Kind::Unsigned | Kind::Length | Kind::Part(Part::Number) => i128::try_from(now).ok()?,
            Kind::Float => {
                let value = float_value(width, now);
                // Only whole numbers that a float holds exactly.
                (value.fract() == 0.0 && value.abs() < 9e15).then_some(value as i128)?
            }
            _ => return None,
        };
        let high = value.unsigned_abs();
        (high > 1).then_some(Bisection { low: 0, high, negative: value < 0, float, width })
    }

    pub fn next(&self) -> Option<u128> {
        (self.high - self.low > 1).then(|| self.written(self.middle()))
    }

    /// Whether the value of `next` was allowed.
    pub fn told(&mut self, fits: bool) {
        let middle = self.middle();
        if fits { self.high = middle } else { self.low = middle }
    }

    fn middle(&self) -> u128 {
        self.low + (self.high - self.low) / 2
    }

    fn written(&self, magnitude: u128) -> u128 {
        if self.float {
            let value = magnitude as f64;
            return float_bits(self.width, if self.negative { -value } else { value });
        }
        let value = if self.negative { magnitude.wrapping_neg() } else { magnitude };
        value & mask(self.width)
    }
}
