//! The changes of the mean of a rate that adapts.

/// The number of samples after which the mean is judged.
pub(super) const BURST: u64 = 1024;
/// The minimum number of seconds that a burst should take.
const BURST_SECONDS: f64 = 1.0;
/// The number of samples per second below which more samples cost little. It is a quarter of the
/// number that costs too much, so that the mean does not oscillate.
const FEW: f64 = BURST as f64 / BURST_SECONDS / 4.0;
/// The number of seconds after which the mean is judged with fewer samples.
const QUIET_SECONDS: f64 = 4.0;
/// The maximum number of live samples with which the mean becomes finer. Thinning starts above
/// 4,096 samples and leaves about half of them, so the mean does not become finer right after a
/// thinning.
const MANY_LIVE: u64 = 1536;

/// The samples since the mean was last judged.
#[derive(Clone, Copy)]
pub(super) struct Samples {
    pub(super) taken: u64,
    pub(super) nanoseconds: u64,
    pub(super) live: u64,
}

impl Samples {
    /// Returns the mean from now on, or `None` if it is too early to judge the mean. `start` is the
    /// finest mean.
    pub(super) fn mean_after(self, mean: u64, start: u64) -> Option<u64> {
        let seconds = self.nanoseconds as f64 / 1e9;
        if self.taken >= BURST && seconds < BURST_SECONDS {
            return Some(coarser(mean));
        }
        if self.taken < BURST && seconds < QUIET_SECONDS {
            return None;
        }
        let mut mean = mean;
        let mut per_second = self.taken as f64 / seconds;
        while mean > start && per_second < FEW && self.live <= MANY_LIVE {
            mean = (mean / 2).max(start);
            // Half the distance gives about twice the samples.
            per_second *= 2.0;
        }
        Some(mean)
    }
}

/// Returns the mean that takes half as many samples.
pub(super) fn coarser(mean: u64) -> u64 {
    /// The mean after `EACH_BLOCK`: most blocks are smaller than this.
    const LEAST: u64 = 256;
    mean.saturating_mul(2).max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::{Samples, coarser};

    const START: u64 = 512 * 1024;

    fn after(taken: u64, milliseconds: u64, mean: u64) -> Option<u64> {
        Samples { taken, nanoseconds: milliseconds * 1_000_000, live: 0 }.mean_after(mean, START)
    }

    #[test]
    fn a_burst_doubles_the_mean() {
        assert_eq!(after(1024, 999, START), Some(2 * START));
        assert_eq!(after(1024, 1000, START), Some(START));
        assert_eq!(coarser(0), 256);
    }

    #[test]
    fn few_samples_after_a_burst_bring_the_first_mean_back() {
        assert_eq!(after(1, 64_000, 128 * START), Some(START));
        assert_eq!(after(0, 4000, 128 * START), Some(START));
        assert_eq!(after(900, 4000, 8 * START), Some(4 * START), "225 a second");
        assert_eq!(after(900, 3000, 8 * START), None, "too early");
        assert_eq!(after(1024, 3000, 8 * START), Some(8 * START), "341 a second");
    }

    #[test]
    fn samples_that_are_live_keep_the_mean_where_it_is() {
        let quiet = |live| Samples { taken: 1, nanoseconds: 64_000_000_000, live };
        assert_eq!(quiet(2048).mean_after(8 * START, START), Some(8 * START));
        assert_eq!(quiet(1000).mean_after(8 * START, START), Some(START));
    }
}
