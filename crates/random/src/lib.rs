//! Pseudo-random numbers: the same seed gives the same numbers everywhere and forever. Nothing here is fit for secrets.
//!
//! The generator is SplitMix64 (Steele, Lea and Flood 2014): one addition and a mixing function, so any seed will do.
//!
//! ```
//! use random::Random;
//!
//! let (mut a, mut b) = (Random::new(7), Random::new(7));
//! assert_eq!(a.number(), b.number());
//! assert!(a.below(6) < 6);
//! ```

#[derive(Clone, Debug)]
pub struct Random(u64);

/// What a number adds to the state.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The generator after so many numbers.
    pub fn after(seed: u64, numbers: u64) -> Random {
        Random(seed.wrapping_add(STEP.wrapping_mul(numbers)))
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n.max(1) as u64) as usize
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of some values, of which there must be one.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// An index, each with a probability in proportion to its weight.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut at = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if at < *weight {
                return index;
            }
            at -= weight;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The numbers that the authors' program gives for this seed.
    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..5).map(|_| random.number()).collect();
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn a_place_in_the_sequence_can_be_named() {
        let mut random = Random::new(3);
        random.number();
        random.number();
        assert_eq!(Random::after(3, 2).number(), random.number());
    }
}
