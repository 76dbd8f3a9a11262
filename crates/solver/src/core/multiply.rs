//! Products. Constant factors go by canonical signed digits; operands with copies of their sign on top are multiplied at their
//! own width, so that a product and its overflow check share their gates.

use super::gates::{Gates, Lit};
use super::words::{Word, as_constant, constant, resized, sign};

impl Gates {
    /// The product, cut to the width of the operands.
    pub(crate) fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        let width = a.len();
        match (as_constant(a), as_constant(b)) {
            (Some(x), Some(y)) => return constant(x.wrapping_mul(y), width),
            (_, Some(factor)) => return self.multiply_constant(a, factor),
            (Some(factor), _) => return self.multiply_constant(b, factor),
            _ => {}
        }
        let (p, q) = (signed_width(a), signed_width(b));
        // one order for both operands, whatever the width they come in
        let (a, b, p, q) = if (p, &a[..p]) < (q, &b[..q]) { (b, a, q, p) } else { (a, b, p, q) };
        if p + q <= width + 1 {
            return self.multiply_signed(&a[..p], &b[..q], width);
        }
        self.multiply_unsigned(a, b, width)
    }

    /// Whether the signed product of two words of one width leaves that width.
    ///
    /// If a significant bit `i` of one and `j` of the other have `i + j >= width - 1`, it does; else the product fits into one bit
    /// more, whose agreement with the sign tells. The low bits are those of the plain product, so both share their gates.
    pub(crate) fn signed_product_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let significant = |gates: &mut Gates, word: &[Lit]| -> Word {
            word[..width - 1].iter().map(|&bit| gates.xor(bit, sign(word))).collect()
        };
        let (x, y) = (significant(self, a), significant(self, b));
        let far = self.has_far_pair(&x, &y);
        let (a, b) = (resized(a, width + 1, sign(a)), resized(b, width + 1, sign(b)));
        let product = self.multiply(&a, &b);
        let flipped = self.xor(product[width], product[width - 1]);
        self.or(far, flipped)
    }

    /// Whether the unsigned product leaves the width; as for signed words.
    pub(crate) fn unsigned_product_overflows(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let width = a.len();
        let far = self.has_far_pair(a, b);
        let (a, b) = (resized(a, width + 1, Lit::FALSE), resized(b, width + 1, Lit::FALSE));
        let product = self.multiply(&a, &b);
        self.or(far, product[width])
    }

    /// Whether some bits `i` and `j` are set with `i + j` at least the length of the words.
    fn has_far_pair(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let mut pairs = Vec::new();
        let mut high = Lit::FALSE;
        for (&x, &y) in a.iter().skip(1).zip(b.iter().rev()) {
            high = self.or(high, y);
            pairs.push(self.and(x, high));
        }
        self.any(pairs)
    }

    /// The low `width` bits of the product of two unsigned words, row by row over `b`.
    pub(crate) fn multiply_unsigned(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Word {
        let mut sum = vec![Lit::FALSE; width];
        for (row, &bit) in b.iter().enumerate().take(width) {
            if bit == Lit::FALSE {
                continue;
            }
            let mut carry = Lit::FALSE;
            for (column, place) in sum.iter_mut().enumerate().skip(row) {
                let term = match a.get(column - row) {
                    Some(&x) => self.and(x, bit),
                    None if carry == Lit::FALSE => break,
                    None => Lit::FALSE,
                };
                let old = std::mem::replace(place, self.xor3(*place, term, carry));
                if column + 1 < width {
                    carry = self.maj(old, term, carry);
                }
            }
        }
        sum
    }

    pub(crate) fn multiply_constant(&mut self, a: &[Lit], factor: u128) -> Word {
        let width = a.len();
        let mut sum: Option<Word> = None;
        let mut digits = signed_digits(factor, width);
        // start with a positive digit where there is one: adding to nothing costs nothing
        digits.sort_by_key(|&(_, negative)| negative);
        for (shift, negative) in digits {
            let mut shifted = vec![Lit::FALSE; shift];
            shifted.extend_from_slice(&a[..width - shift]);
            sum = Some(match (sum, negative) {
                (None, false) => shifted,
                (None, true) => self.neg(&shifted),
                (Some(sum), false) => self.add(&sum, &shifted, Lit::FALSE),
                (Some(sum), true) => self.sub(&sum, &shifted),
            });
        }
        sum.unwrap_or_else(|| vec![Lit::FALSE; width])
    }

    /// The product of two signed words, extended to `width`: as if unsigned, then the weight of the sign bits is corrected
    /// in the high part only.
    fn multiply_signed(&mut self, a: &[Lit], b: &[Lit], width: usize) -> Word {
        let strip = |word: &[Lit]| match sign(word) {
            Lit::FALSE => (word[..word.len() - 1].to_vec(), Lit::FALSE),
            negative => (word.to_vec(), negative),
        };
        let ((a, a_negative), (b, b_negative)) = (strip(a), strip(b));
        let full = (a.len() + b.len()).min(width);
        let mut product = self.multiply_unsigned(&a, &b, full);
        for (negative, other, weight) in [(a_negative, &b, a.len()), (b_negative, &a, b.len())] {
            if negative != Lit::FALSE {
                let mut correction = vec![Lit::FALSE; weight.min(full)];
                correction.extend(self.and_word(negative, other));
                product = self.sub(&product, &resized(&correction, full, Lit::FALSE));
            }
        }
        let fill =
            if a_negative == Lit::FALSE && b_negative == Lit::FALSE { Lit::FALSE } else { sign(&product) };
        resized(&product, width, fill)
    }
}

/// Bits needed for the signed value of a word: copies of the sign on top do not count.
fn signed_width(word: &[Lit]) -> usize {
    let top = sign(word);
    let copies = word.iter().rev().take_while(|&&bit| bit == top).count();
    (word.len() - copies + 1).min(word.len())
}

/// Canonical signed digits: no two neighbours, hence as few as possible. Shift and whether negative.
fn signed_digits(factor: u128, width: usize) -> Vec<(usize, bool)> {
    let mut digits = Vec::new();
    let (mut rest, mut shift) = (factor, 0);
    while rest != 0 && shift < width {
        if rest & 1 == 1 {
            // a run of ones is one digit above it minus one here; in the last place both signs mean the same
            let negative = rest & 3 == 3 && shift + 1 < width;
            digits.push((shift, negative));
            // only bits below the width matter, so a carry out of 128 bits may be lost
            rest = if negative { rest.wrapping_add(1) } else { rest - 1 };
        }
        rest >>= 1;
        shift += 1;
    }
    digits
}
