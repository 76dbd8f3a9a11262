//! Floats: C#'s own operators, and `Math` where it has none.

use term::{Binary, FloatWidth, Node, Rounding, Sort, Term, Unary};

use crate::Formula;
use crate::condition::negated_unless;
use crate::literal;
use crate::piece::{Int, Level, Piece, Sign, Type};

impl Formula<'_> {
    pub(crate) fn float(&self, term: Term) -> Piece {
        self.within(|| self.float_at(term))
    }

    fn float_at(&self, term: Term) -> Piece {
        let width = match self.terms.sort(term) {
            Sort::Float(width) => width,
            _ => return Piece::elided(),
        };
        match *self.terms.node(term) {
            Node::Const(value) => literal::float(value),
            Node::Var(symbol) => primary(self.name(symbol), width),
            Node::Unary(op, a) => self.float_unary(op, a, width),
            Node::Binary(op, a, b) => {
                let (op, level, tighter) = match op {
                    Binary::FpAdd => ("+", Level::Sum, Level::Product),
                    Binary::FpSub => ("-", Level::Sum, Level::Product),
                    Binary::FpMul => ("*", Level::Product, Level::Unary),
                    Binary::FpDiv => ("/", Level::Product, Level::Unary),
                    Binary::FpRem => ("%", Level::Product, Level::Unary),
                    _ => return Piece::elided(),
                };
                let (a, b) = (self.float(a), self.float(b));
                let right = if b.text.starts_with('-') { format!("({})", b.text) } else { b.at(tighter) };
                Piece::new(format!("{} {op} {right}", a.at(level)), level, ty(width), Sign::Both)
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (self.condition(c), self.float(a), self.float(b));
                let text =
                    format!("{} ? {} : {}", c.at(Level::Or), a.at(Level::Or), b.at(Level::Conditional));
                Piece::new(text, Level::Conditional, ty(width), Sign::Both)
            }
            Node::Fma(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|operand| self.float(operand).text);
                call(width, "FusedMultiplyAdd", &format!("{a}, {b}, {c}"))
            }
            Node::Extract { .. } | Node::Extend { .. } => Piece::elided(),
        }
    }

    fn float_unary(&self, op: Unary, a: Term, width: FloatWidth) -> Piece {
        match op {
            Unary::FpSqrt => call(width, "Sqrt", &self.float(a).text),
            Unary::FpRound(rounding) => {
                let a = self.float(a).text;
                match rounding {
                    Rounding::NearestEven => call(width, "Round", &a),
                    Rounding::NearestAway => {
                        call(width, "Round", &format!("{a}, MidpointRounding.AwayFromZero"))
                    }
                    Rounding::TowardZero => call(width, "Truncate", &a),
                    Rounding::Down => call(width, "Floor", &a),
                    Rounding::Up => call(width, "Ceiling", &a),
                }
            }
            Unary::FpToFp(to) => cast(&self.float(a), to),
            Unary::SignedToFp(to) => cast(&self.exact(a, true), to),
            Unary::UnsignedToFp(to) => cast(&self.exact(a, false), to),
            Unary::BitsToFp => self.float_of_bits(a, width),
            _ => Piece::elided(),
        }
    }

    /// A number from its bits. The sign alone is changed by `-` and `Math.Abs`.
    fn float_of_bits(&self, bits: Term, width: FloatWidth) -> Piece {
        let of_float = |term: Term| match *self.terms.node(term) {
            Node::Unary(Unary::FpToBits, of) => Some(of),
            _ => None,
        };
        let sign = 1u128 << (width.bits() - 1);
        match *self.terms.node(bits) {
            Node::Binary(Binary::BvXor, a, b) if self.terms.as_bv(b) == Some(sign) => {
                if let Some(of) = of_float(a) {
                    let of = self.float(of);
                    let of =
                        if of.text.starts_with('-') { format!("({})", of.text) } else { of.at(Level::Unary) };
                    return Piece::new(format!("-{of}"), Level::Unary, ty(width), Sign::Both);
                }
            }
            Node::Extend { of: slice, signed: false, .. } => {
                if let Node::Extract { of, hi, lo: 0 } = *self.terms.node(slice)
                    && hi + 2 == width.bits()
                    && let Some(of) = of_float(of)
                {
                    return call(width, "Abs", &self.float(of).text);
                }
            }
            _ => {}
        }
        let bits = self.exact(bits, true).text;
        let name = match width {
            FloatWidth::F32 => "Int32BitsToSingle",
            FloatWidth::F64 => "Int64BitsToDouble",
        };
        primary(format!("BitConverter.{name}({bits})"), width)
    }
}

/// A float as an integer.
pub(crate) fn to_integer(op: Unary, of: &Piece) -> Piece {
    match op {
        Unary::FpToSigned(bits @ (32 | 64)) => of.cast(Int { bits, signed: true }, Sign::Signed),
        Unary::FpToUnsigned(bits @ (32 | 64)) => of.cast(Int { bits, signed: false }, Sign::Unsigned),
        Unary::FpToBits => Piece::int(bits_of(of), Level::Primary, bits_type(of), Sign::Signed),
        _ => Piece::elided(),
    }
}

pub(crate) fn comparison(op: Binary, a: &Piece, b: &Piece, holds: bool) -> Piece {
    let (op, level) = match (op, holds) {
        (Binary::FpEq, true) => ("==", Level::Equality),
        (Binary::FpEq, false) => ("!=", Level::Equality),
        (Binary::FpLt, _) => ("<", Level::Relation),
        _ => ("<=", Level::Relation),
    };
    let text = format!("{} {op} {}", a.at(Level::Shift), b.at(Level::Shift));
    let compared = Piece::truth(text, level);
    // What is not less may still be no number at all.
    if level == Level::Equality { compared } else { negated_unless(holds, &compared) }
}

/// Equality of bits, which tells zeros and kinds of NaN apart.
pub(crate) fn same_bits(a: &Piece, b: &Piece, holds: bool) -> Piece {
    let op = if holds { "==" } else { "!=" };
    Piece::truth(format!("{} {op} {}", bits_of(a), bits_of(b)), Level::Equality)
}

pub(crate) fn is_nan(of: &Piece, holds: bool) -> Piece {
    let class = if of.ty == Type::Single { "float" } else { "double" };
    negated_unless(holds, &Piece::truth(format!("{class}.IsNaN({})", of.text), Level::Primary))
}

fn bits_of(of: &Piece) -> String {
    let name = if of.ty == Type::Single { "SingleToInt32Bits" } else { "DoubleToInt64Bits" };
    format!("BitConverter.{name}({})", of.text)
}

fn bits_type(of: &Piece) -> Int {
    Int { bits: if of.ty == Type::Single { 32 } else { 64 }, signed: true }
}

fn cast(of: &Piece, to: FloatWidth) -> Piece {
    if of.ty == Type::Elided {
        return of.clone();
    }
    let operand = if of.text.starts_with('-') { format!("({})", of.text) } else { of.at(Level::Unary) };
    let name = match to {
        FloatWidth::F32 => "float",
        FloatWidth::F64 => "double",
    };
    Piece::new(format!("({name}){operand}"), Level::Unary, ty(to), Sign::Both)
}

fn call(width: FloatWidth, name: &str, arguments: &str) -> Piece {
    let class = match width {
        FloatWidth::F32 => "MathF",
        FloatWidth::F64 => "Math",
    };
    primary(format!("{class}.{name}({arguments})"), width)
}

fn primary(text: String, width: FloatWidth) -> Piece {
    Piece::new(text, Level::Primary, ty(width), Sign::Both)
}

fn ty(width: FloatWidth) -> Type {
    match width {
        FloatWidth::F32 => Type::Single,
        FloatWidth::F64 => Type::Double,
    }
}
