//! Bit-vectors as integer expressions.
//!
//! Every piece stands for one reading of its term's bits as a number. Sums, products and the like only need the right
//! remainder and are computed in `int`, `uint`, `long` or `ulong`, which wrap as the bits do; what depends on the number itself
//! (comparisons, divisions, shifts to the right) first asks for the reading it needs.

use term::{Binary, Node, Symbol, Term, Unary, to_signed};

use crate::kinds::Kind;
use crate::literal;
use crate::piece::{Int, Level, Piece, Sign, Type, meet, of_type, operands};
use crate::{Formula, float};

/// Characters of a name.
const LONGEST_NAME: usize = 60;

impl Formula<'_> {
    /// The term as a number; `signed` is how it is going to be read, where there is a choice.
    pub(crate) fn number(&self, term: Term, signed: Option<bool>) -> Piece {
        self.within(|| self.number_at(term, signed))
    }

    fn number_at(&self, term: Term, signed: Option<bool>) -> Piece {
        let width = self.terms.width(term);
        let piece = match *self.terms.node(term) {
            Node::Const(value) => literal::number(value.bits(), width, signed.unwrap_or(width >= 32)),
            Node::Var(symbol) => self.symbol(symbol, width),
            Node::Unary(Unary::Neg, a) => self.negative(a, width),
            Node::Unary(Unary::BvNot, a) => self.complement(a, width),
            Node::Unary(op, a) => self.number_of_float(op, a),
            Node::Binary(op, a, b) => self.operation(op, a, b, width, signed),
            Node::Ite(c, a, b) => self.either(c, a, b, width, signed),
            Node::Extract { of, hi, lo } => self.extraction(of, hi, lo, signed),
            Node::Extend { of, signed: by_sign, .. } => self.extension(of, by_sign),
            Node::Fma(..) => Piece::elided(),
        };
        // What is small has one reading only.
        let is_small = self.terms.range(term).max >> (width - 1) == 0;
        if is_small { Piece { sign: Sign::Both, ..piece } } else { piece }
    }

    pub(crate) fn name(&self, symbol: Symbol) -> String {
        let name = self.names.name(symbol).unwrap_or_else(|| self.terms.symbol_name(symbol).to_owned());
        match name.char_indices().nth(LONGEST_NAME) {
            Some((cut, _)) => format!("{}…", name.get(..cut).unwrap_or_default()),
            None => name,
        }
    }

    fn symbol(&self, symbol: Symbol, width: u32) -> Piece {
        let typed = |signed: bool| match width {
            8 | 16 | 32 | 64 | 128 => Int { bits: width, signed },
            _ => Int::computing(width, true),
        };
        let (ty, sign) = match self.names.kind(symbol) {
            Kind::Bool if width == 1 => (Type::Bool, Sign::Unsigned),
            Kind::Char if width == 16 => (Type::Char, Sign::Unsigned),
            Kind::Enum(of) => {
                let sign = Sign::of(of.signed);
                (Type::Enum(of), sign)
            }
            Kind::Reference => (Type::Reference, Sign::Unsigned),
            Kind::Count if width < 32 => (Type::Int(Int::I32), Sign::Unsigned),
            Kind::Signed | Kind::Count => (Type::Int(typed(true)), Sign::Signed),
            Kind::Unsigned | Kind::Bool | Kind::Char => (Type::Int(typed(false)), Sign::Unsigned),
        };
        Piece::new(self.name(symbol), Level::Primary, ty, sign)
    }

    /// A number that can be computed with: booleans and members of enums are converted first.
    pub(crate) fn plain(&self, term: Term, signed: Option<bool>) -> Piece {
        let piece = self.number(term, signed);
        let width = self.terms.width(term);
        match &piece.ty {
            Type::Bool => {
                Piece::int(format!("({} ? 1 : 0)", piece.text), Level::Primary, Int::I32, Sign::Both)
            }
            Type::Enum(of) => piece.cast(Int { bits: width, signed: of.signed }, piece.sign),
            Type::Reference => Piece::elided(),
            _ => piece,
        }
    }

    /// The number that the bits are when they are read as signed, or as unsigned.
    pub(crate) fn exact(&self, term: Term, signed: bool) -> Piece {
        let piece = self.plain(term, Some(signed));
        if piece.sign.fits(signed) { piece } else { truncated(piece, self.terms.width(term), Some(signed)) }
    }

    fn negative(&self, a: Term, width: u32) -> Piece {
        let ty = Int::computing(width, true);
        let a = self.plain(a, Some(true)).for_type(ty);
        let a = if a.text.starts_with('-') { format!("({})", a.text) } else { a.at(Level::Unary) };
        computed(format!("-{a}"), Level::Unary, ty, width)
    }

    fn complement(&self, a: Term, width: u32) -> Piece {
        let a = self.plain(a, None);
        let signed = !matches!(a.ty, Type::Int(Int { bits: 32.., signed: false }));
        let ty = Int::computing(width, signed);
        let a = a.for_type(ty);
        let a = match a.ty {
            // The complement of an `int` is one, also where 64 bits are wanted.
            Type::Int(Int { bits, .. }) if bits.max(32) < ty.bits => a.cast(ty, a.sign),
            Type::Char if ty.bits > 32 => a.cast(ty, a.sign),
            _ => a,
        };
        computed(format!("~{}", a.at(Level::Unary)), Level::Unary, ty, width)
    }

    fn operation(&self, op: Binary, a: Term, b: Term, width: u32, signed: Option<bool>) -> Piece {
        match op {
            Binary::Add => self.sum(a, b, width),
            Binary::Mul => {
                let (a, b) = (self.plain(a, None), self.plain(b, Some(true)));
                wrapping(a, b, width, "*", Level::Product)
            }
            Binary::BvAnd => self.bitwise(a, b, width, "&", Level::BitAnd),
            Binary::BvOr => self.bitwise(a, b, width, "|", Level::BitOr),
            Binary::BvXor => self.bitwise(a, b, width, "^", Level::BitXor),
            Binary::Udiv => self.division(a, b, width, "/", false),
            Binary::Urem => self.division(a, b, width, "%", false),
            Binary::Sdiv => self.division(a, b, width, "/", true),
            Binary::Srem => self.division(a, b, width, "%", true),
            Binary::Shl | Binary::Lshr | Binary::Ashr => self.shift(op, a, b, width),
            Binary::Concat => self.concatenation(a, b, signed),
            _ => Piece::elided(),
        }
    }

    /// `a + b`, and `a - b` where the normal form has hidden it.
    fn sum(&self, a: Term, b: Term, width: u32) -> Piece {
        if let Some(bits) = self.terms.as_bv(b) {
            return self.sum_with_constant(a, to_signed(bits, width), width);
        }
        let negated = |term: Term| match *self.terms.node(term) {
            Node::Unary(Unary::Neg, inner) => Some(inner),
            _ => None,
        };
        let (left, right, op) = match (negated(a), negated(b)) {
            (Some(a), None) => (b, a, "-"),
            (_, Some(b)) => (a, b, "-"),
            (None, None) => (a, b, "+"),
        };
        wrapping(self.plain(left, None), self.plain(right, None), width, op, Level::Sum)
    }

    fn sum_with_constant(&self, a: Term, constant: i128, width: u32) -> Piece {
        let a = self.plain(a, None);
        let least = -1i128 << (width - 1);
        if constant >= 0 || constant == least || width == 128 {
            return wrapping(a, literal::of(constant), width, "+", Level::Sum);
        }
        // `c - '0'`
        let unit = u16::try_from(-constant).ok().filter(|unit| literal::is_plain(*unit));
        let less = match unit.filter(|_| a.ty == Type::Char) {
            Some(unit) => literal::character(unit),
            None => literal::of(-constant),
        };
        wrapping(a, less, width, "-", Level::Sum)
    }

    fn bitwise(&self, a: Term, b: Term, width: u32, op: &str, level: Level) -> Piece {
        let a = self.plain(a, None);
        let b = match self.terms.as_bv(b) {
            Some(bits) if bits >> (width - 1) == 0 => literal::mask(bits),
            Some(bits) if !a.sign.fits(true) => Piece { sign: Sign::Unsigned, ..literal::mask(bits) },
            _ => self.plain(b, None),
        };
        let sign = match (a.sign, b.sign) {
            (Sign::Both, sign) | (sign, Sign::Both) => Some(sign),
            (a, b) => (a == b).then_some(a),
        };
        let piece = ring(a, b, width, op, level);
        match (sign, &piece.ty) {
            // Bits of two numbers with the same reading make a third one.
            (Some(sign), Type::Int(ty)) if width < ty.bits => Piece { sign, ..piece },
            _ => fitting(piece, width),
        }
    }

    fn division(&self, a: Term, b: Term, width: u32, op: &str, signed: bool) -> Piece {
        let (a, b) = (self.exact(a, signed), self.exact(b, signed));
        let ty = Int::computing(width, signed);
        let apart = crate::piece::promoted(&a.ty, &b.ty);
        let (a, b) = if apart.is_some_and(|int| int.bits <= 64) { (a, b) } else { operands(a, b, ty) };
        let ty = crate::piece::promoted(&a.ty, &b.ty).unwrap_or(ty);
        let text = format!("{} {op} {}", a.at(Level::Product), b.at(Level::Unary));
        let piece = Piece::int(text, Level::Product, ty, Sign::of(signed));
        // The one quotient that leaves its type is that of the least number and -1.
        if signed && width < ty.bits && op == "/" { truncated(piece, width, Some(true)) } else { piece }
    }

    fn shift(&self, op: Binary, a: Term, by: Term, width: u32) -> Piece {
        let a = match op {
            Binary::Shl => self.plain(a, None),
            Binary::Lshr => self.exact(a, false),
            _ => self.exact(a, true),
        };
        let is_unsigned = matches!(a.ty, Type::Int(Int { bits: 32.., signed: false }));
        // To the right the number counts, not only its low bits.
        let signed = match op {
            Binary::Lshr if width >= 32 && a.sign != Sign::Both => false,
            Binary::Ashr => true,
            _ => !is_unsigned,
        };
        let ty = Int::computing(width, signed);
        let a = of_type(a, ty);
        let shifted = |by: &str| {
            let op = if op == Binary::Shl { "<<" } else { ">>" };
            format!("{} {op} {by}", a.at(Level::Shift))
        };
        let sign = if op == Binary::Lshr { Sign::Unsigned } else { Sign::of(ty.signed) };
        let (count, masked) = self.shift_count(by, ty.bits);
        let text = shifted(&count);
        let piece = if masked || self.terms.range(by).max < u128::from(ty.bits) {
            Piece::int(text, Level::Shift, ty, sign)
        } else {
            let most = ty.bits - 1;
            let beyond = if op == Binary::Ashr { shifted(&most.to_string()) } else { "0".to_owned() };
            let by = self.exact(by, false).at(Level::Shift);
            Piece::int(format!("({by} <= {most} ? {text} : {beyond})"), Level::Primary, ty, sign)
        };
        if op == Binary::Shl { fitting(piece, width) } else { piece }
    }

    /// The count as an `int`, and whether C# cuts it to the same bits as the term does.
    fn shift_count(&self, by: Term, bits: u32) -> (String, bool) {
        let cut = match *self.terms.node(by) {
            Node::Extend { of, signed: false, .. } => of,
            _ => by,
        };
        let (term, masked) = match *self.terms.node(cut) {
            Node::Extract { of, hi, lo: 0 } if 1u32.checked_shl(hi + 1) == Some(bits) => (of, true),
            _ => (by, false),
        };
        let count = self.plain(term, Some(true)).for_type(Int::I32);
        (count.at(Level::Sum), masked)
    }

    fn either(&self, c: Term, a: Term, b: Term, width: u32, signed: Option<bool>) -> Piece {
        let condition = self.condition(c);
        let (yes, no) = (self.plain(a, signed), self.plain(b, signed));
        let signed = signed.unwrap_or(yes.sign.fits(true) && no.sign.fits(true));
        let read = |piece: Piece| {
            if piece.sign.fits(signed) { piece } else { truncated(piece, width, Some(signed)) }
        };
        let (yes, no) = (read(yes), read(no));
        let sign = match (yes.sign, no.sign) {
            (Sign::Both, Sign::Both) => Sign::Both,
            _ => Sign::of(signed),
        };
        let ty = crate::piece::promoted(&yes.ty, &no.ty);
        let (yes, no, ty) = match ty {
            Some(ty) => (yes, no, ty),
            None => {
                let ty = Int::computing(width, signed);
                (yes.cast(ty, sign), no.cast(ty, sign), ty)
            }
        };
        let yes = if meet(&yes.ty, &no.ty) { yes } else { yes.cast(ty, sign) };
        let text =
            format!("{} ? {} : {}", condition.at(Level::Or), yes.at(Level::Or), no.at(Level::Conditional));
        Piece::int(text, Level::Conditional, ty, sign)
    }

    fn number_of_float(&self, op: Unary, a: Term) -> Piece {
        float::to_integer(op, &self.float(a))
    }
}

/// An operation of which only the low bits count, cut to them.
fn wrapping(a: Piece, b: Piece, width: u32, op: &str, level: Level) -> Piece {
    fitting(ring(a, b, width, op, level), width)
}

/// The same, not cut.
pub(crate) fn ring(a: Piece, b: Piece, width: u32, op: &str, level: Level) -> Piece {
    let unsigned = |piece: &Piece| matches!(piece.ty, Type::Int(Int { bits, signed: false }) if bits >= 32);
    let ty = Int::computing(width, !(unsigned(&a) || unsigned(&b)));
    let (a, b) = operands(a, b, ty);
    let tighter = match level {
        Level::Sum => Level::Product,
        Level::Product => Level::Unary,
        other => other,
    };
    let mut right = b.at(tighter);
    if right.starts_with('-') {
        right = format!("({right})");
    }
    let text = format!("{} {op} {right}", a.at(level));
    Piece::int(text, level, ty, Sign::of(ty.signed))
}

/// A result of `ty` that stands for `width` bits.
fn computed(text: String, level: Level, ty: Int, width: u32) -> Piece {
    fitting(Piece::int(text, level, ty, Sign::of(ty.signed)), width)
}

/// Cut to its bits if the type has more.
fn fitting(piece: Piece, width: u32) -> Piece {
    match piece.ty {
        Type::Int(ty) if ty.bits > width => truncated(piece, width, None),
        _ => piece,
    }
}

/// The number that the low bits are.
pub(crate) fn truncated(piece: Piece, width: u32, signed: Option<bool>) -> Piece {
    if piece.ty == Type::Elided {
        return piece;
    }
    if let 8 | 16 | 32 | 64 | 128 = width {
        let signed = signed.unwrap_or(width >= 32);
        return piece.cast(Int { bits: width, signed }, Sign::of(signed));
    }
    let ty = match piece.ty {
        Type::Int(ty) => Int::computing(ty.bits, ty.signed || ty.bits < 32),
        _ => Int::computing(width, true),
    };
    if ty.bits < width {
        // All of its bits are among them.
        return piece;
    }
    if signed == Some(true) {
        let by = ty.bits - width;
        let wide = Int { signed: true, ..ty };
        let piece = piece.for_type(wide);
        let text = format!("{} << {by} >> {by}", piece.at(Level::Shift));
        return Piece::int(text, Level::Shift, wide, Sign::Signed);
    }
    let ones = literal::mask(term::mask(width));
    let (piece, ones) = operands(piece, ones, ty);
    let text = format!("{} & {}", piece.at(Level::BitAnd), ones.text);
    Piece::int(text, Level::BitAnd, ty, Sign::Unsigned)
}
