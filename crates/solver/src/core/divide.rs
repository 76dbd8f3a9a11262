//! Division. By a constant: a restoring divider as narrow as the divisor. By a variable: quotient and remainder are unknowns
//! with `n = q * d + r`, no overflow and `r < d`, shared between division and remainder.

use super::gates::{Facts, Gates, Lit};
use super::words::{Word, as_constant, constant, resized, sign};
use rustc_hash::FxHashMap;

/// Quotients and remainders already made.
#[derive(Default)]
pub(crate) struct Divisions {
    known: FxHashMap<(Word, Word), (Word, Word)>,
}

impl Divisions {
    pub(crate) fn unsigned(&mut self, gates: &mut Gates, n: &[Lit], d: &[Lit]) -> (Word, Word) {
        let width = n.len();
        if let Some(divisor) = as_constant(d) {
            if divisor == 0 {
                return (vec![Lit::TRUE; width], n.to_vec());
            }
            if let Some(value) = as_constant(n) {
                return (constant(value / divisor, width), constant(value % divisor, width));
            }
            if divisor.is_power_of_two() {
                let shift = divisor.trailing_zeros() as usize;
                return (resized(&n[shift..], width, Lit::FALSE), resized(&n[..shift], width, Lit::FALSE));
            }
        }
        let key = (n.to_vec(), d.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let result = match as_constant(d) {
            Some(_) => gates.restoring_divider(n, d),
            None => gates.defined_division(n, d),
        };
        self.known.insert(key, result.clone());
        result
    }

    /// Rounds towards zero; the remainder has the sign of the dividend.
    pub(crate) fn signed_quotient(&mut self, gates: &mut Gates, n: &[Lit], d: &[Lit]) -> Word {
        if let Some(shift) = power_of_two(d) {
            return gates.signed_shift_division(n, shift);
        }
        let (x, y) = (gates.abs(n), gates.abs(d));
        let (quotient, _) = self.unsigned(gates, &x, &y);
        let negative = gates.xor(sign(n), sign(d));
        let negated = gates.neg(&quotient);
        gates.mux_word(negative, &negated, &quotient)
    }

    pub(crate) fn signed_remainder(&mut self, gates: &mut Gates, n: &[Lit], d: &[Lit]) -> Word {
        let (x, y) = (gates.abs(n), gates.abs(d));
        let (_, remainder) = self.unsigned(gates, &x, &y);
        let negated = gates.neg(&remainder);
        gates.mux_word(sign(n), &negated, &remainder)
    }
}

/// The exponent of a positive constant power of two.
fn power_of_two(d: &[Lit]) -> Option<usize> {
    let value = as_constant(d)?;
    (value.is_power_of_two() && sign(d) == Lit::FALSE).then_some(value.trailing_zeros() as usize)
}

impl Gates {
    /// An arithmetic shift that first lifts negative numbers, so that it rounds towards zero.
    fn signed_shift_division(&mut self, n: &[Lit], shift: usize) -> Word {
        let lift = resized(&vec![sign(n); shift], n.len(), Lit::FALSE);
        let lifted = self.add(n, &lift, Lit::FALSE);
        resized(&lifted[shift..], n.len(), sign(&lifted))
    }

    fn restoring_divider(&mut self, n: &[Lit], d: &[Lit]) -> (Word, Word) {
        let width = n.len();
        let used = d.iter().rposition(|&bit| bit != Lit::FALSE).map_or(1, |top| top + 1);
        let wide = resized(&d[..used], used + 1, Lit::FALSE);
        let mut remainder = vec![Lit::FALSE; used];
        let mut quotient = vec![Lit::FALSE; width];
        for i in (0..width).rev() {
            let mut shifted = vec![n[i]];
            shifted.extend_from_slice(&remainder);
            let below = self.ult(&shifted, &wide, Lit::FALSE);
            quotient[i] = !below;
            let reduced = self.sub(&shifted[..used], &wide[..used]);
            remainder = self.mux_word(below, &shifted[..used], &reduced);
        }
        (quotient, resized(&remainder, width, Lit::FALSE))
    }

    fn defined_division(&mut self, n: &[Lit], d: &[Lit]) -> (Word, Word) {
        let width = n.len();
        // neither can have more bits than the dividend
        let used = n.iter().rposition(|&bit| bit != Lit::FALSE).map_or(0, |top| top + 1);
        let by_zero = self.is_zero(d);
        let quotient: Word = (0..width).map(|i| if i < used { self.input() } else { by_zero }).collect();
        let remainder: Word = (0..width).map(|i| if i < used { self.input() } else { Lit::FALSE }).collect();
        let (wide_q, wide_d) =
            (resized(&quotient[..used], 2 * width, Lit::FALSE), resized(d, 2 * width, Lit::FALSE));
        let product = self.multiply(&wide_q, &wide_d);
        let sum = self.add(&product[..width + 1], &resized(&remainder, width + 1, Lit::FALSE), Lit::FALSE);
        let mut facts = Facts::new();
        for i in 0..width {
            equal_if(&mut facts, !by_zero, sum[i], n[i]);
            facts.push(vec![by_zero, !product[width + i]]);
            facts.push(vec![!by_zero, quotient[i]]);
            equal_if(&mut facts, by_zero, remainder[i], n[i]);
        }
        facts.push(vec![by_zero, !sum[width]]);
        let below = self.ult(&remainder, d, Lit::FALSE);
        facts.push(vec![by_zero, below]);
        let unknowns: Vec<Lit> = quotient[..used].iter().chain(&remainder[..used]).copied().collect();
        self.define(&unknowns, facts);
        (quotient, remainder)
    }
}

fn equal_if(facts: &mut Facts, condition: Lit, a: Lit, b: Lit) {
    facts.push(vec![!condition, a, !b]);
    facts.push(vec![!condition, !a, b]);
}
