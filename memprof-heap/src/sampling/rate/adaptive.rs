//! The changes of the mean of a rate that adapts.

/// The number of samples after which the mean is judged.
pub(super) const BURST: u64 = 1024;
/// The mean becomes finer below this fraction of the maximum number of samples per second (`max`),
/// where more samples cost little. Between this fraction and the maximum, the mean stays the same,
/// so that it does not oscillate.
const FEW: f64 = 0.25;
/// The number of seconds after which the mean is judged with fewer samples.
const QUIET_SECONDS: f64 = 4.0;
/// The maximum number of live samples with which the mean becomes finer. Thinning starts above
/// 4,096 samples and leaves about half of them, so the mean does not become finer directly after a
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
    /// finest mean, and more than `max` samples per second cost too much.
    pub(super) fn mean_after(self, mean: u64, start: u64, max: u64) -> Option<u64> {
        let seconds = self.nanoseconds as f64 / 1e9;
        let (burst, max) = (BURST as f64, max as f64);
        if self.taken >= BURST && seconds * max < burst {
            return Some(coarser(mean));
        }
        if self.taken < BURST && seconds < QUIET_SECONDS {
            return None;
        }
        let mut mean = mean;
        let mut per_second = self.taken as f64 / seconds;
        while mean > start && per_second < FEW * max && self.live <= MANY_LIVE {
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
    const MIN: u64 = 256;
    mean.saturating_mul(2).max(MIN)
}

#[cfg(test)]
mod tests {
    use super::{Samples, coarser};

    const START: u64 = 512 * 1024;

    fn after(taken: u64, milliseconds: u64, mean: u64) -> Option<u64> {
        let samples = Samples { taken, nanoseconds: milliseconds * 1_000_000, live: 0 };
        samples.mean_after(mean, START, 1024)
    }

    #[test]
    fn a_burst_doubles_the_mean() {
        assert_eq!(after(1024, 999, START), Some(2 * START));
        assert_eq!(after(1024, 1000, START), Some(START));
        assert_eq!(coarser(0), 256);
    }

    #[test]
    fn four_times_the_samples_may_cost_four_times_as_much() {
        let after = |taken, milliseconds: u64, mean| {
            let samples = Samples { taken, nanoseconds: milliseconds * 1_000_000, live: 0 };
            samples.mean_after(mean, START, 4096)
        };
        assert_eq!(after(1024, 249, START), Some(2 * START));
        assert_eq!(after(1024, 250, START), Some(START));
        assert_eq!(after(1024, 1000, 4 * START), Some(4 * START), "1024 a second");
        assert_eq!(after(1024, 1001, 4 * START), Some(2 * START), "1023 a second");
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
        assert_eq!(quiet(2048).mean_after(8 * START, START, 1024), Some(8 * START));
        assert_eq!(quiet(1000).mean_after(8 * START, START, 1024), Some(START));
    }
}
