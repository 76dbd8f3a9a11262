//! Two's complement arithmetic on the low bits of a `u128`.

/// The `width` low bits set.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1u128 << width) - 1 }
}

/// The value of the low `width` bits read as a signed number.
pub fn to_signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// The low `width` bits of a signed number.
pub fn from_signed(value: i128, width: u32) -> u128 {
    value as u128 & mask(width)
}

pub(crate) fn sign_bit(width: u32) -> u128 {
    1u128 << (width - 1)
}

pub(crate) fn signed_max(width: u32) -> i128 {
    (mask(width) >> 1) as i128
}

pub(crate) fn signed_min(width: u32) -> i128 {
    to_signed(sign_bit(width), width)
}

/// Bits needed to write `value` without sign.
pub(crate) fn bit_length(value: u128) -> u32 {
    128 - value.leading_zeros()
}

/// The inverse of an odd number modulo 2^128 (Newton: each round doubles the number of correct bits).
pub(crate) fn inverse_of_odd(value: u128) -> u128 {
    debug_assert!(value & 1 == 1);
    let mut inverse = value;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(value.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_multiply_to_one() {
        for value in [1u128, 3, 5, 0xff51afd7ed558ccd, 0xc4ceb9fe1a85ec53, u128::MAX] {
            assert_eq!(value.wrapping_mul(inverse_of_odd(value)), 1);
        }
    }

    #[test]
    fn signs_round_trip() {
        for width in [1, 2, 7, 8, 32, 64, 127, 128] {
            for value in [0, 1, mask(width), mask(width) >> 1, sign_bit(width)] {
                assert_eq!(from_signed(to_signed(value, width), width), value & mask(width));
            }
        }
        assert_eq!(to_signed(0x80, 8), -128);
    }
}
