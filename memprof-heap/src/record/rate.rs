//! The mean distance from one marked byte to the next, how it adapts, and how bytes are drawn.
//!
//! The finest rate of all requests is in effect. From there, the mean of an adaptive rate doubles
//! while samples cost too much, and halves while more of them would cost little. With any rate, more
//! than 4,096 live samples double the mean, and live samples are dropped at random to match it.

use crate::record::level::{self, SWITCH};
use crate::record::sample;
use crate::record::switching::NO_EPOCH;
use crate::record::sync::Ordering::Relaxed;
use crate::record::sync::{AtomicI64, AtomicU32, AtomicU64};
use crate::record::system::nanoseconds;
use core::cell::Cell;
use core::cmp::Reverse;

/// The rate at which blocks are sampled.
///
/// For small blocks, the standard error of an estimate is about `sqrt(mean × bytes)`. With a mean
/// of 512 KiB that is 9 % of 64 MiB of live memory, and 2 % of 1 GiB. For each sample, the thread
/// walks its stack, which takes microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    mean: u64,
    /// The number of samples per second above which the mean rises; `u64::MAX` if the mean does not
    /// adapt.
    max_per_second: u64,
}

impl Rate {
    /// One byte in 512 KiB is marked. If more than 1,024 samples are taken within a second, the
    /// rate halves. So sampling costs at most some milliseconds of each second. If fewer than 256
    /// samples are taken in a second, the rate doubles, up to one byte in 512 KiB.
    pub const ADAPTIVE: Self = Self::adaptive(512 * 1024, 1024);

    /// Each block is a sample, up to 4,096 live samples.
    pub const EACH_BLOCK: Self = Self { mean: 0, max_per_second: u64::MAX };

    /// Creates a rate that marks one byte in `bytes`; 0 samples each block.
    ///
    /// Above 4,096 live samples, the rate halves, and live samples are dropped at random to match
    /// it. Estimates stay unbiased.
    pub const fn every(bytes: u64) -> Self {
        Self { mean: bytes, max_per_second: u64::MAX }
    }

    /// Creates a rate that marks one byte in `bytes` while at most `per_second` samples are taken
    /// in a second. It adapts like [`ADAPTIVE`](Self::ADAPTIVE).
    ///
    /// A sample takes about five microseconds, so 1,000 of them take about 0.5 % of a second.
    pub const fn adaptive(bytes: u64, per_second: u32) -> Self {
        Self { mean: bytes, max_per_second: per_second as u64 }
    }

    /// Returns the mean bytes from one marked byte to the next.
    pub const fn mean_bytes(self) -> u64 {
        self.mean
    }

    /// Returns a key by which finer rates come first. Of two rates with the same mean, the one that
    /// takes more samples in a second is finer.
    pub(crate) fn fineness(self) -> (u64, Reverse<u64>) {
        (self.mean, Reverse(self.max_per_second))
    }
}

impl Default for Rate {
    fn default() -> Self {
        Self::ADAPTIVE
    }
}

/// A rate in atomic words that are written under the switch lock.
pub(crate) struct RateWords {
    mean: AtomicU64,
    max_per_second: AtomicU64,
}

impl RateWords {
    pub(crate) const fn new(rate: Rate) -> Self {
        let Rate { mean, max_per_second } = rate;
        Self { mean: AtomicU64::new(mean), max_per_second: AtomicU64::new(max_per_second) }
    }

    pub(crate) fn set(&self, rate: Rate) {
        self.mean.store(rate.mean, Relaxed);
        self.max_per_second.store(rate.max_per_second, Relaxed);
    }

    pub(crate) fn get(&self) -> Rate {
        let (mean, max_per_second) = (&self.mean, &self.max_per_second);
        Rate { mean: mean.load(Relaxed), max_per_second: max_per_second.load(Relaxed) }
    }
}

/// The number of live samples above which the samples are thinned.
const MAX_LIVE: u64 = 4096;

/// Returns the epoch: the sampling run and the number of changes of the mean in it, or `NO_EPOCH`.
#[inline]
pub(crate) fn epoch() -> u64 {
    level::epoch()
}

/// Returns the sampling run of an epoch.
pub(crate) fn sampling_run_of(epoch: u64) -> u32 {
    (epoch >> 32) as u32
}

/// The number of the sampling run, from 1.
static SAMPLING_RUN: AtomicU32 = AtomicU32::new(0);
static MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
/// The finest requested rate. `MEAN` starts from its mean.
static START: RateWords = RateWords::new(Rate::ADAPTIVE);
/// The number of samples taken since the mean was last judged.
static TAKEN: AtomicU64 = AtomicU64::new(0);
/// The time at which the mean was last judged. In tests, this may be before the clock began.
static JUDGED: AtomicI64 = AtomicI64::new(0);

/// Returns the number of the sampling run.
pub(crate) fn sampling_run() -> u32 {
    SAMPLING_RUN.load(Relaxed)
}

/// Returns the current mean bytes from one marked byte to the next.
pub(crate) fn mean() -> u64 {
    MEAN.load(Relaxed)
}

/// Switches to a requested rate, at once or when sampling next begins. The caller holds the switch
/// lock.
pub(crate) fn start_from(rate: Rate) {
    START.set(rate);
    judge_from(nanoseconds());
    change_mean(rate.mean);
}

/// Returns the finest requested rate. A sampling run begins with its mean.
pub(crate) fn start_rate() -> Rate {
    START.get()
}

/// Prepares a new sampling run. The caller holds the switch lock.
pub(crate) fn prepare() {
    process_seed();
    SAMPLING_RUN.store(sampling_run().wrapping_add(1).max(1), Relaxed);
    judge_from(nanoseconds());
    MEAN.store(START.get().mean, Relaxed);
}

/// Returns the first epoch of the sampling run.
pub(crate) fn first_epoch() -> u64 {
    u64::from(sampling_run()) << 32 | 1
}

/// Changes the mean and the epoch. The caller holds the switch lock.
fn change_mean(mean: u64) {
    MEAN.store(mean, Relaxed);
    let epoch = epoch();
    if epoch != NO_EPOCH {
        let changes = (epoch as u32).wrapping_add(1).max(1);
        level::set_epoch(u64::from(sampling_run_of(epoch)) << 32 | u64::from(changes));
    }
}

fn judge_from(now: u64) {
    TAKEN.store(0, Relaxed);
    JUDGED.store(now.cast_signed(), Relaxed);
}

/// Moves the time at which the mean was last judged into the past, so that tests need not wait.
pub(crate) fn judge_earlier(nanoseconds: i64) {
    JUDGED.fetch_sub(nanoseconds, Relaxed);
}

/// Counts a sample that was taken. Thins the samples if too many are `live`.
pub(crate) fn taken(live: u64, random: &Random) {
    if live > MAX_LIVE {
        thin(random);
    }
    let taken = TAKEN.fetch_add(1, Relaxed).wrapping_add(1);
    if taken.is_multiple_of(BURST) || mean() > START.mean.load(Relaxed) {
        adapt();
    }
}

/// Doubles the mean and thins the samples to match it. Does nothing while another thread holds the
/// switch lock.
#[cold]
fn thin(random: &Random) {
    let Some(_held) = SWITCH.try_lock() else { return };
    if epoch() != NO_EPOCH && sample::live_count() > MAX_LIVE {
        let mean = coarser(mean());
        change_mean(mean);
        sample::thin(mean, || random.unit());
    }
}

/// Changes the mean of a rate that adapts. The mean rises if the samples cost too much, and falls
/// if more samples would cost little.
pub(crate) fn adapt() {
    let start = START.get();
    if start.max_per_second == u64::MAX {
        return;
    }
    let Some(_held) = SWITCH.try_lock() else { return };
    if epoch() == NO_EPOCH {
        return;
    }
    let now = nanoseconds();
    let since = Samples {
        taken: TAKEN.load(Relaxed),
        nanoseconds: (now.cast_signed() - JUDGED.load(Relaxed)).max(0).cast_unsigned(),
        live: sample::live_count(),
    };
    if let Some(mean) = since.mean_after(mean(), start.mean, start.max_per_second) {
        judge_from(now);
        if mean != MEAN.load(Relaxed) {
            change_mean(mean);
        }
    }
}

/// Returns milliseconds of the clock, the unit of the time at which samples are taken.
pub(crate) fn milliseconds() -> u64 {
    nanoseconds() / 1_000_000
}

/// The number of samples after which the mean is judged.
const BURST: u64 = 1024;
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
struct Samples {
    taken: u64,
    nanoseconds: u64,
    live: u64,
}

impl Samples {
    /// Returns the mean from now on, or `None` if it is too early to judge the mean. `start` is the
    /// finest mean, and more than `max` samples per second cost too much.
    fn mean_after(self, mean: u64, start: u64, max: u64) -> Option<u64> {
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
fn coarser(mean: u64) -> u64 {
    /// The mean after `EACH_BLOCK`: most blocks are smaller than this.
    const MIN: u64 = 256;
    mean.saturating_mul(2).max(MIN)
}

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
pub(crate) fn forget_process_seed() {
    SEED.store(0, Relaxed);
}

/// Returns a seed that differs from process to process.
pub(crate) fn process_seed() -> u64 {
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
    use super::{Random, Samples, coarser};

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
