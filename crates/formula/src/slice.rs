//! Slices, extensions and joined words: what the normal form makes of masks, casts and shifts by constants.

use term::{Node, Term};

use crate::Formula;
use crate::integer::truncated;
use crate::literal;
use crate::piece::{Int, Level, Piece, Sign, Type, of_type, operands};

impl Formula<'_> {
    /// The same number with more bits.
    pub(crate) fn extension(&self, of: Term, by_sign: bool) -> Piece {
        let piece = self.exact(of, by_sign);
        // A longer word has room for the sign.
        if by_sign { piece } else { Piece { sign: Sign::Both, ..piece } }
    }

    /// Bits `hi` down to `lo`: a cast, a mask or a shift.
    pub(crate) fn extraction(&self, of: Term, hi: u32, lo: u32, signed: Option<bool>) -> Piece {
        let (width, whole) = (hi - lo + 1, self.terms.width(of));
        if lo == 0 {
            return truncated(self.plain(of, None), width, signed);
        }
        if hi + 1 == whole {
            return self.top(of, lo, signed);
        }
        let piece = self.plain(of, None);
        truncated(shifted(piece, lo), width, signed)
    }

    /// All bits from `lo` up: a shift that keeps the sign, or one that does not.
    fn top(&self, of: Term, lo: u32, signed: Option<bool>) -> Piece {
        let whole = self.terms.width(of);
        let piece = self.plain(of, signed);
        let signed = signed.unwrap_or(false);
        if piece.sign.fits(signed) {
            let sign = if piece.sign == Sign::Both { Sign::Both } else { Sign::of(signed) };
            return Piece { sign, ..shifted(piece, lo) };
        }
        let ty = Int::computing(whole, true);
        if !signed && whole == ty.bits && piece.ty == Type::Int(ty) {
            let text = format!("{} >>> {lo}", piece.at(Level::Shift));
            return Piece::int(text, Level::Shift, ty, Sign::Both);
        }
        let sign = Sign::of(signed);
        Piece { sign, ..shifted(truncated(piece, whole, Some(signed)), lo) }
    }

    /// `high` and then `low`, as one word.
    pub(crate) fn concatenation(&self, high: Term, low: Term, signed: Option<bool>) -> Piece {
        let by = self.terms.width(low);
        let width = self.terms.width(high) + by;
        let piece = match self.terms.as_bv(low) {
            Some(0) => self.shifted_up(high, by, width),
            _ => self.joined(high, low, by, width),
        };
        match piece.ty {
            Type::Int(ty) if ty.bits > width => truncated(piece, width, signed),
            _ => piece,
        }
    }

    fn shifted_up(&self, high: Term, by: u32, width: u32) -> Piece {
        // The bits that are shifted out need not be cut off first.
        let of = match *self.terms.node(high) {
            Node::Extract { of, lo: 0, .. } => of,
            _ => high,
        };
        let piece = self.plain(of, None);
        let is_unsigned = matches!(piece.ty, Type::Int(Int { bits: 32.., signed: false }));
        let ty = Int::computing(width, !is_unsigned);
        let piece = of_type(piece, ty);
        let text = format!("{} << {by}", piece.at(Level::Shift));
        Piece::int(text, Level::Shift, ty, Sign::of(ty.signed))
    }

    fn joined(&self, high: Term, low: Term, by: u32, width: u32) -> Piece {
        let ty = Int::computing(width, true);
        let up = of_type(self.plain(high, None), ty);
        let up = Piece::int(format!("{} << {by}", up.at(Level::Shift)), Level::Shift, ty, Sign::Signed);
        let low = match self.terms.as_bv(low) {
            Some(bits) => literal::mask(bits),
            None => self.exact(low, false),
        };
        let (up, low) = operands(up, low, ty);
        let text = format!("{} | {}", up.at(Level::BitOr), low.at(Level::BitOr));
        Piece::int(text, Level::BitOr, ty, Sign::of(ty.signed))
    }
}

/// Shifted to the right in its own type.
fn shifted(piece: Piece, by: u32) -> Piece {
    let ty = match piece.ty {
        Type::Int(ty) => Int::computing(ty.bits, ty.signed || ty.bits < 32),
        Type::Literal(_) | Type::Char => Int::I32,
        _ => return piece,
    };
    let text = format!("{} >> {by}", piece.at(Level::Shift));
    Piece::int(text, Level::Shift, ty, piece.sign)
}
