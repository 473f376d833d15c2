//! A small generator of pseudo-random numbers, so that every run builds the same values.

/// Marsaglia's xorshift64*.
#[derive(Clone, Debug)]
pub struct Xorshift(u64);

impl Xorshift {
    /// Creates a generator. Equal seeds give equal sequences.
    pub const fn new(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    /// Returns the next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `end`.
    pub const fn below(&mut self, end: usize) -> usize {
        ((self.bits() as u128 * end as u128) >> 64) as usize
    }

    /// Returns a number in `start..end`.
    pub const fn between(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start)
    }

    /// Returns a number in `0.0..1.0`.
    #[allow(clippy::cast_precision_loss, reason = "53 bits are all that an f64 holds")]
    pub const fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a word of lower-case letters.
    pub fn word(&mut self, letters: usize) -> String {
        (0..letters).map(|_| char::from(b'a' + self.below(26) as u8)).collect()
    }

    /// Shuffles by Fisher and Yates's algorithm.
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.below(last + 1));
        }
    }
}
