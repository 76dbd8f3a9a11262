//! Equalities and orders, with constants in the words of what they are compared with.

use term::{Binary, Node, Sort, Term, Unary, to_signed};

use crate::condition::negated_unless;
use crate::literal;
use crate::piece::{Int, Level, Piece, Sign, Type, operands, promoted};
use crate::{Formula, float};

impl Formula<'_> {
    pub(crate) fn comparison(&self, op: Binary, a: Term, b: Term, holds: bool) -> Piece {
        match op {
            Binary::Eq => match self.terms.sort(a) {
                Sort::Bool => self.same_truth(a, b, holds),
                Sort::Float(_) => float::same_bits(&self.float(a), &self.float(b), holds),
                Sort::Bv(_) => self.equality(a, b, holds),
            },
            Binary::Ult => self.order(a, b, false, holds),
            Binary::Slt => self.order(a, b, true, holds),
            Binary::FpEq | Binary::FpLt | Binary::FpLe => {
                float::comparison(op, &self.float(a), &self.float(b), holds)
            }
            _ => Piece::elided(),
        }
    }

    fn same_truth(&self, a: Term, b: Term, holds: bool) -> Piece {
        let (a, b) = (self.condition(a), self.condition(b));
        equation(a.at(Level::Unary), b.at(Level::Unary), holds)
    }

    fn equality(&self, a: Term, b: Term, holds: bool) -> Piece {
        if let Some(bits) = self.terms.as_bv(b) {
            return self.equals_constant(a, bits, holds);
        }
        if let Some(bits) = self.terms.as_bv(a) {
            return self.equals_constant(b, bits, holds);
        }
        let (x, y) = (self.number(a, None), self.number(b, None));
        let alike = match (&x.ty, &y.ty) {
            (Type::Enum(one), Type::Enum(other)) => one == other,
            (Type::Bool, Type::Bool) | (Type::Reference, Type::Reference | Type::Elided) => true,
            (Type::Elided, Type::Reference) => true,
            _ => false,
        };
        if alike {
            return equation(x.at(Level::Relation), y.at(Level::Relation), holds);
        }
        let (x, y) = (self.plain(a, None), self.plain(b, None));
        let reading = [true, false].into_iter().find(|signed| x.sign.fits(*signed) && y.sign.fits(*signed));
        let (x, y) = match reading {
            Some(_) => (x, y),
            None => (self.exact(a, false), self.exact(b, false)),
        };
        let (x, y) = comparable(x, y, self.terms.width(a), reading.unwrap_or(false));
        equation(x.at(Level::Relation), y.at(Level::Relation), holds)
    }

    fn equals_constant(&self, a: Term, bits: u128, holds: bool) -> Piece {
        let width = self.terms.width(a);
        if width == 1
            && let Node::Extract { of, hi, lo } = *self.terms.node(a)
            && hi == lo
        {
            return self.bit(of, lo, (bits == 1) == holds);
        }
        let piece = self.number(a, None);
        match &piece.ty {
            Type::Bool => negated_unless((bits == 1) == holds, &piece),
            Type::Reference => {
                let other = if bits == 0 { "null" } else { "…" };
                equation(piece.at(Level::Relation), other.to_owned(), holds)
            }
            _ => {
                let constant = self.constant_like(&piece, bits, width);
                equation(piece.at(Level::Relation), constant.at(Level::Relation), holds)
            }
        }
    }

    /// Whether a bit is set.
    fn bit(&self, of: Term, number: u32, is_set: bool) -> Piece {
        let width = self.terms.width(of);
        let piece = self.plain(of, None);
        if number + 1 == width && piece.sign == Sign::Signed {
            let op = if is_set { "<" } else { ">=" };
            return Piece::truth(format!("{} {op} 0", piece.at(Level::Shift)), Level::Relation);
        }
        let ty = match piece.ty {
            Type::Int(ty) => Int::computing(ty.bits.max(width), ty.signed || ty.bits < 32),
            _ => Int::computing(width, true),
        };
        // The top bit of a signed type has no positive number.
        let ty = if number + 1 == ty.bits { Int { signed: false, ..ty } } else { ty };
        let (piece, one) = operands(piece, literal::mask(1u128 << number), ty);
        let masked = format!("({} & {})", piece.at(Level::BitAnd), one.text);
        equation(masked, "0".to_owned(), !is_set)
    }

    /// A constant in the words of what it is compared with.
    fn constant_like(&self, piece: &Piece, bits: u128, width: u32) -> Piece {
        match &piece.ty {
            Type::Char => literal::character(bits as u16),
            Type::Enum(of) => literal::member(of, bits, width),
            _ => literal::number(bits, width, piece.sign == Sign::Signed),
        }
    }

    fn order(&self, a: Term, b: Term, signed: bool, holds: bool) -> Piece {
        if let Some(bits) = self.terms.as_bv(b) {
            return self.below_constant(a, bits, signed, holds);
        }
        let op = if holds { "<" } else { ">=" };
        let (x, y) = (self.exact(a, signed), self.exact(b, signed));
        let (x, y) = comparable(x, y, self.terms.width(a), signed);
        Piece::truth(format!("{} {op} {}", x.at(Level::Shift), y.at(Level::Shift)), Level::Relation)
    }

    /// `a < c`, or `a <= c - 1` where that is what a person would write.
    fn below_constant(&self, a: Term, bits: u128, signed: bool, holds: bool) -> Piece {
        let width = self.terms.width(a);
        if let Some(of) = self.magnitude_of(a, bits) {
            return float::is_nan(&self.float(of), !holds);
        }
        let named = self.number(a, Some(signed));
        let piece = match &named.ty {
            Type::Enum(of) if named.sign.fits(signed) && of.member(bits).is_some() => named,
            Type::Char if !signed => named,
            _ => self.exact(a, signed),
        };
        let before = bits.wrapping_sub(1) & term::mask(width);
        let is_least = if signed { bits == 1 << (width - 1) } else { bits == 0 };
        let is_rounder =
            !is_least && roundness(&piece, before, width, signed) > roundness(&piece, bits, width, signed);
        let (op, bits) = match (holds, is_rounder) {
            (true, false) => ("<", bits),
            (true, true) => ("<=", before),
            (false, false) => (">=", bits),
            (false, true) => (">", before),
        };
        let constant = match &piece.ty {
            Type::Char | Type::Enum(_) => self.constant_like(&piece, bits, width),
            _ => literal::number(bits, width, signed),
        };
        let (piece, constant) = match piece.ty {
            Type::Char | Type::Enum(_) => (piece, constant),
            _ => comparable(piece, constant, width, signed),
        };
        Piece::truth(
            format!("{} {op} {}", piece.at(Level::Shift), constant.at(Level::Shift)),
            Level::Relation,
        )
    }
}

impl Formula<'_> {
    /// The float whose bits without the sign are compared with those of the least NaN.
    fn magnitude_of(&self, a: Term, limit: u128) -> Option<Term> {
        let Node::Extract { of, hi, lo: 0 } = *self.terms.node(a) else { return None };
        let Node::Unary(Unary::FpToBits, float) = *self.terms.node(of) else { return None };
        let Sort::Float(width) = self.terms.sort(float) else { return None };
        let infinity = term::mask(width.exponent()) << (width.significand() - 1);
        (hi + 2 == width.bits() && limit == infinity + 1).then_some(float)
    }
}

/// How much a constant looks like one that somebody has chosen.
fn roundness(piece: &Piece, bits: u128, width: u32, signed: bool) -> u32 {
    match &piece.ty {
        Type::Char => u32::from(literal::is_plain(bits as u16)),
        Type::Enum(of) => u32::from(of.member(bits).is_some()),
        _ => {
            let value = if signed { to_signed(bits, width).unsigned_abs() } else { bits };
            if value == 0 {
                u32::MAX
            } else {
                (1..).take_while(|n| value.is_multiple_of(10u128.pow(*n))).count() as u32
            }
        }
    }
}

/// Two numbers of the same reading as C# can compare them.
fn comparable(a: Piece, b: Piece, width: u32, signed: bool) -> (Piece, Piece) {
    match promoted(&a.ty, &b.ty) {
        Some(_) => (a, b),
        None => operands(a, b, Int::computing(width, signed)),
    }
}

fn equation(a: String, b: String, holds: bool) -> Piece {
    let op = if holds { "==" } else { "!=" };
    Piece::truth(format!("{a} {op} {b}"), Level::Equality)
}
