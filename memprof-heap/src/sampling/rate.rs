//! The mean distance from one marked byte to the next, and the changes of this mean.

mod adaptive;

use super::gap::{self, Random};
use super::live;
use crate::base::clock::nanoseconds;
use crate::base::level_word::{self, NO_EPOCH, SWITCH};
use adaptive::Samples;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicI64, AtomicU32, AtomicU64};

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

    pub(crate) const fn new(mean: u64, max_per_second: u64) -> Self {
        Self { mean, max_per_second }
    }

    /// Returns the mean bytes from one marked byte to the next.
    pub const fn mean_bytes(self) -> u64 {
        self.mean
    }

    /// Returns the number of samples per second above which the mean rises; `u64::MAX` if the rate
    /// does not adapt.
    pub(crate) const fn max_per_second(self) -> u64 {
        self.max_per_second
    }
}

impl Default for Rate {
    fn default() -> Self {
        Self::ADAPTIVE
    }
}

/// The number of live samples above which the samples are thinned.
const MAX_LIVE: u64 = 4096;

/// Returns the epoch: the sampling run and the number of changes of the mean in it, or `NO_EPOCH`.
#[inline]
pub(crate) fn epoch() -> u64 {
    level_word::epoch()
}

/// Returns the sampling run of an epoch.
pub(crate) fn sampling_run_of(epoch: u64) -> u32 {
    (epoch >> 32) as u32
}

/// The number of the sampling run, from 1.
static SAMPLING_RUN: AtomicU32 = AtomicU32::new(0);
static MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
/// The mean of the finest requested rate. `MEAN` starts from it.
static START_MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
/// The number of samples per second above which the mean rises.
static MAX_PER_SECOND: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.max_per_second);
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
    START_MEAN.store(rate.mean, Relaxed);
    MAX_PER_SECOND.store(rate.max_per_second, Relaxed);
    judge_from(nanoseconds());
    change_mean(rate.mean);
}

/// Returns the finest requested rate. A sampling run begins with its mean.
pub(crate) fn start_rate() -> Rate {
    Rate { mean: START_MEAN.load(Relaxed), max_per_second: MAX_PER_SECOND.load(Relaxed) }
}

/// Prepares a new sampling run. The caller holds the switch lock.
pub(super) fn prepare() {
    gap::process_seed();
    SAMPLING_RUN.store(sampling_run().wrapping_add(1).max(1), Relaxed);
    judge_from(nanoseconds());
    MEAN.store(START_MEAN.load(Relaxed), Relaxed);
}

/// Returns the first epoch of the sampling run.
pub(super) fn first_epoch() -> u64 {
    u64::from(sampling_run()) << 32 | 1
}

/// Changes the mean and the epoch. The caller holds the switch lock.
fn change_mean(mean: u64) {
    MEAN.store(mean, Relaxed);
    let epoch = epoch();
    if epoch != NO_EPOCH {
        let changes = (epoch as u32).wrapping_add(1).max(1);
        level_word::set_epoch(u64::from(sampling_run_of(epoch)) << 32 | u64::from(changes));
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
pub(super) fn taken(live: u64, random: &Random) {
    if live > MAX_LIVE {
        thin(random);
    }
    let taken = TAKEN.fetch_add(1, Relaxed).wrapping_add(1);
    if taken.is_multiple_of(adaptive::BURST) || MEAN.load(Relaxed) > START_MEAN.load(Relaxed) {
        adapt();
    }
}

/// Doubles the mean and thins the samples to match it. Does nothing while another thread holds the
/// switch lock.
#[cold]
fn thin(random: &Random) {
    let Some(_held) = SWITCH.try_lock() else { return };
    if epoch() != NO_EPOCH && live::count() > MAX_LIVE {
        let mean = adaptive::coarser(mean());
        change_mean(mean);
        live::thin(mean, random);
    }
}

/// Changes the mean of a rate that adapts. The mean rises if the samples cost too much, and falls
/// if more samples would cost little.
pub(super) fn adapt() {
    let max_per_second = MAX_PER_SECOND.load(Relaxed);
    if max_per_second == u64::MAX {
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
        live: live::count(),
    };
    if let Some(mean) = since.mean_after(mean(), START_MEAN.load(Relaxed), max_per_second) {
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
