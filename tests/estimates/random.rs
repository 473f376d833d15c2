//! Random numbers that depend on a seed alone.

/// A generator of random numbers (xorshift).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xd134_2543_de82_ef95);
        // The first numbers of similar seeds are similar.
        for _ in 0..8 {
            random.next();
        }
        random
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Returns a number from `first` to `last`.
    pub(crate) fn within(&mut self, first: usize, last: usize) -> usize {
        first + ((u128::from(self.next()) * (last - first + 1) as u128) >> 64) as usize
    }

    /// Returns `true` once in `count` calls.
    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.within(1, count) == 1
    }

    /// Returns a number from 0 to 1, without 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
