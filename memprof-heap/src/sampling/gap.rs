//! Random distances between marked bytes.

use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The random generator of one thread: xorshift with a final multiplication.
pub(crate) struct Random {
    state: Cell<u64>,
}

/// The longest distance, as a multiple of the mean. One in 485 million distances would be longer.
const LONGEST: f64 = 20.0;

impl Random {
    #[cfg(test)]
    pub(crate) const fn new() -> Self {
        Self { state: Cell::new(0) }
    }

    pub(crate) fn seed(&self, seed: u64) {
        // A step of splitmix, so that adjacent seeds give unrelated states.
        let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.state.set((mixed ^ (mixed >> 31)) | 1);
    }

    fn next(&self) -> u64 {
        let mut state = self.state.get();
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        self.state.set(state);
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number above 0 and at most 1.
    pub(crate) fn unit(&self) -> f64 {
        const STEPS: f64 = (1_u64 << 53) as f64;
        ((self.next() >> 11) as f64 + 1.0) / STEPS
    }

    /// Returns the number of whole bytes before the next marked byte, exponentially distributed
    /// with this mean.
    pub(crate) fn gap(&self, mean: u64) -> i64 {
        let means = (-self.unit().ln()).min(LONGEST);
        (means * mean as f64) as i64
    }
}

static SEED: AtomicU64 = AtomicU64::new(0);

/// Gives a forked child a seed of its own.
pub(super) fn forget_process_seed() {
    SEED.store(0, Relaxed);
}

/// Returns a seed that differs from process to process.
pub(super) fn process_seed() -> u64 {
    if SEED.load(Relaxed) == 0 {
        let place = 0_u8;
        let time = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
        let seed = time ^ (core::ptr::from_ref(&place).addr() as u64).rotate_left(32);
        let _ = SEED.compare_exchange(0, seed | 1, Relaxed, Relaxed);
    }
    SEED.load(Relaxed)
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    #[cfg_attr(miri, ignore = "draws by the 100,000")]
    fn gaps_have_the_mean_they_are_asked_for() {
        const DRAWS: u32 = 100_000;
        for mean in [1, 100, 524_288] {
            let random = Random::new();
            random.seed(mean);
            let sum: f64 = (0..DRAWS).map(|_| random.gap(mean) as f64).sum();
            // Truncated to whole bytes, the mean gap is `1 / (exp(1 / mean) - 1)`.
            let wanted = 1.0 / (1.0 / mean as f64).exp_m1();
            let error = (sum / f64::from(DRAWS) - wanted).abs() / wanted;
            assert!(error < 0.02, "{mean}: {error}");
        }
    }

    #[test]
    fn neighbouring_seeds_draw_different_gaps() {
        let draw = |seed| {
            let random = Random::new();
            random.seed(seed);
            random.gap(1 << 40)
        };
        assert_ne!(draw(1), draw(2));
        assert_eq!(draw(3), draw(3));
    }
}
