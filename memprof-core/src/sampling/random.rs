//! A small generator of random numbers (`SplitMix64`).

/// A generator of random numbers. It is fast and passes the usual tests, but its numbers are
/// predictable.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, or 0 if `end` is 0. The probabilities of two numbers differ by
    /// at most 2⁻⁶⁴.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Returns `true` with the given probability.
    pub(crate) fn is_chosen(&mut self, probability: f64) -> bool {
        // A float has 53 exact bits.
        ((self.next() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_below_an_end_are_equally_likely() {
        let mut random = Random::new(7);
        let mut counts = [0_u32; 10];
        (0..100_000).for_each(|_| counts[random.below(10)] += 1);
        // Five standard deviations are 474.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 474), "{counts:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn a_probability_decides_how_often_a_choice_is_true() {
        let mut random = Random::new(7);
        let mut count = |probability| (0..10_000).filter(|_| random.is_chosen(probability)).count();
        assert_eq!((count(0.0), count(1.0)), (0, 10_000));
        assert!(count(0.25).abs_diff(2500) < 217);
    }
}
