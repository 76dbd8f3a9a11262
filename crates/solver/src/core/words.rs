//! Circuits over words (lowest bit first): sums, comparisons, choices, shifts.

use super::gates::{Gates, Lit};

pub(crate) type Word = Vec<Lit>;

pub(crate) fn constant(value: u128, width: usize) -> Word {
    (0..width).map(|bit| Lit::from_bool(bit < 128 && value >> bit & 1 == 1)).collect()
}

/// The value of a word of constants.
pub(crate) fn as_constant(word: &[Lit]) -> Option<u128> {
    if word.len() > 128 {
        return None;
    }
    word.iter().rev().try_fold(0u128, |value, lit| Some(value << 1 | lit.as_bool()? as u128))
}

pub(crate) fn not(word: &[Lit]) -> Word {
    word.iter().map(|&lit| !lit).collect()
}

/// The word with `fill` above, or cut.
pub(crate) fn resized(word: &[Lit], width: usize, fill: Lit) -> Word {
    let mut word = word[..word.len().min(width)].to_vec();
    word.resize(width, fill);
    word
}

pub(crate) fn sign(word: &[Lit]) -> Lit {
    word.last().copied().unwrap_or(Lit::FALSE)
}

impl Gates {
    /// `a + b + carry`, cut to the width of `a`.
    pub(crate) fn add(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Word {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
            sum.push(self.xor3(x, y, carry));
            if i + 1 < a.len() {
                carry = self.maj(x, y, carry);
            }
        }
        sum
    }

    pub(crate) fn sub(&mut self, a: &[Lit], b: &[Lit]) -> Word {
        self.add(a, &not(b), Lit::TRUE)
    }

    pub(crate) fn neg(&mut self, a: &[Lit]) -> Word {
        self.sub(&vec![Lit::FALSE; a.len()], a)
    }

    /// The absolute value, read without sign.
    pub(crate) fn abs(&mut self, a: &[Lit]) -> Word {
        if sign(a) == Lit::FALSE {
            return a.to_vec();
        }
        let negated = self.neg(a);
        self.mux_word(sign(a), &negated, a)
    }

    /// `a < b`, or `a <= b` if `or_equal` is true.
    pub(crate) fn ult(&mut self, a: &[Lit], b: &[Lit], or_equal: Lit) -> Lit {
        a.iter().zip(b).fold(or_equal, |below, (&x, &y)| self.maj(!x, y, below))
    }

    pub(crate) fn slt(&mut self, a: &[Lit], b: &[Lit], or_equal: Lit) -> Lit {
        let flip_sign = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.ult(&flip_sign(a), &flip_sign(b), or_equal)
    }

    pub(crate) fn equal(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let same = a.iter().zip(b).map(|(&x, &y)| !self.xor(x, y)).collect();
        self.all(same)
    }

    pub(crate) fn is_zero(&mut self, a: &[Lit]) -> Lit {
        self.all(not(a))
    }

    pub(crate) fn mux_word(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Word {
        a.iter().zip(b).map(|(&x, &y)| self.mux(c, x, y)).collect()
    }

    /// Every bit of the word, if the condition holds.
    pub(crate) fn and_word(&mut self, c: Lit, a: &[Lit]) -> Word {
        a.iter().map(|&x| self.and(c, x)).collect()
    }

    /// Shifts towards higher bits, filling with zeros.
    pub(crate) fn shift_left(&mut self, a: &[Lit], by: &[Lit]) -> Word {
        let reversed: Word = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, by, Lit::FALSE);
        shifted.reverse();
        shifted
    }

    /// A barrel shifter towards lower bits.
    pub(crate) fn shift_right(&mut self, a: &[Lit], by: &[Lit], fill: Lit) -> Word {
        let width = a.len();
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        let mut word = a.to_vec();
        for (stage, &bit) in by.iter().take(stages).enumerate() {
            let distance = 1usize << stage;
            let moved: Word = (0..width).map(|i| word.get(i + distance).copied().unwrap_or(fill)).collect();
            word = self.mux_word(bit, &moved, &word);
        }
        // amounts of the width or more
        let mut beyond = self.any(by.iter().skip(stages).copied());
        if !width.is_power_of_two() && by.len() >= stages {
            let within = self.ult(&by[..stages], &constant(width as u128, stages), Lit::FALSE);
            beyond = self.or(beyond, !within);
        }
        let filled = vec![fill; width];
        self.mux_word(beyond, &filled, &word)
    }
}
