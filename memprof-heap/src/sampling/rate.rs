//! How many bytes are between two marked ones, and when that has to change.

use super::gap::Random;
use super::live;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::OnceLock;
use std::time::Instant;

/// How often a block is sampled.
///
/// An estimate's standard error is about `sqrt(mean × bytes)` for small blocks: with 512 KiB, 9 % of
/// 64 MiB that are live, and 2 % of 1 GiB. Each sample costs a walk of the stack, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    mean: u64,
    adapts: bool,
}

impl Rate {
    /// One byte in 512 KiB is marked, and half as many whenever more than 1,000 samples are taken
    /// in a second: some milliseconds of each second at most.
    pub const ADAPTIVE: Self = Self { mean: 512 * 1024, adapts: true };

    /// Each block is a sample, while there are no more than 4,096.
    pub const EACH_BLOCK: Self = Self { mean: 0, adapts: false };

    /// One byte in `bytes` is marked; 0 is each block.
    ///
    /// Past 4,096 samples that are live every other one is dropped and from there on half as many
    /// are taken; estimates stay unbiased.
    pub const fn every(bytes: u64) -> Self {
        Self { mean: bytes, adapts: false }
    }

    /// Bytes from one marked byte to the next, on average.
    pub fn mean_bytes(self) -> u64 {
        self.mean
    }
}

impl Default for Rate {
    fn default() -> Self {
        Self::ADAPTIVE
    }
}

/// Samples that may be live before they are thinned.
const MOST_LIVE: u64 = 4096;
/// Samples after which the clock is looked at.
const BURST: u64 = 1024;
/// Seconds that so many samples should take at least.
const BURST_SECONDS: f64 = 1.0;

/// No epoch: nothing is sampled.
pub(crate) const NONE: u64 = 0;

/// What began with the last `begin`, or with the last change of the mean since.
static EPOCH: AtomicU64 = AtomicU64::new(NONE);
static SESSION: AtomicU64 = AtomicU64::new(0);
static EPOCHS: AtomicU64 = AtomicU64::new(NONE);
static MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
static START_MEAN: AtomicU64 = AtomicU64::new(Rate::ADAPTIVE.mean);
static ADAPTS: AtomicBool = AtomicBool::new(Rate::ADAPTIVE.adapts);
static TAKEN: AtomicU64 = AtomicU64::new(0);
static BURST_BEGAN: AtomicU64 = AtomicU64::new(0);
static THINNING: AtomicBool = AtomicBool::new(false);

#[inline]
pub(crate) fn epoch() -> u64 {
    EPOCH.load(Relaxed)
}

/// Counts the times that sampling was switched on.
pub(crate) fn session() -> u32 {
    SESSION.load(Relaxed) as u32
}

/// Bytes from one marked byte to the next, now.
pub(crate) fn mean() -> u64 {
    MEAN.load(Relaxed)
}

/// The rate that was set last, whatever became of the mean since.
pub(crate) fn rate() -> Rate {
    Rate { mean: START_MEAN.load(Relaxed), adapts: ADAPTS.load(Relaxed) }
}

/// Sets the rate from the next time on that sampling begins; at once if it goes on.
pub(crate) fn set(rate: Rate) {
    START_MEAN.store(rate.mean, Relaxed);
    ADAPTS.store(rate.adapts, Relaxed);
    if epoch() == NONE {
        MEAN.store(rate.mean, Relaxed);
    } else {
        change_mean(rate.mean);
    }
}

pub(super) fn begin() {
    process_seed();
    SESSION.fetch_add(1, Relaxed);
    TAKEN.store(0, Relaxed);
    BURST_BEGAN.store(nanoseconds(), Relaxed);
    change_mean(START_MEAN.load(Relaxed));
}

pub(super) fn end() {
    EPOCH.store(NONE, Relaxed);
}

fn change_mean(mean: u64) {
    MEAN.store(mean, Relaxed);
    EPOCH.store(EPOCHS.fetch_add(1, Relaxed).wrapping_add(1), Relaxed);
}

/// A sample was taken, and so many are live: makes them fewer where they are too many.
pub(super) fn taken(live: u64, random: &Random) {
    if live > MOST_LIVE && !THINNING.swap(true, Relaxed) {
        let mean = thinner(mean());
        change_mean(mean);
        live::thin(mean, random);
        THINNING.store(false, Relaxed);
    }
    let taken = TAKEN.fetch_add(1, Relaxed).wrapping_add(1);
    if taken.is_multiple_of(BURST) && ADAPTS.load(Relaxed) {
        let now = nanoseconds();
        let began = BURST_BEGAN.swap(now, Relaxed);
        if (now.saturating_sub(began) as f64) < BURST_SECONDS * 1e9 {
            change_mean(thinner(mean()));
        }
    }
}

/// The mean that takes half as many samples.
fn thinner(mean: u64) -> u64 {
    /// What comes after each block: most blocks are smaller than this.
    const LEAST: u64 = 256;
    mean.saturating_mul(2).max(LEAST)
}

/// Milliseconds since sampling was first asked for.
pub(crate) fn age() -> u32 {
    (nanoseconds() / 1_000_000) as u32
}

fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Differs from process to process.
pub(super) fn process_seed() -> u64 {
    static SEED: AtomicU64 = AtomicU64::new(0);
    if SEED.load(Relaxed) == 0 {
        let place = 0_u8;
        let time = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
        let seed = time ^ (core::ptr::from_ref(&place).addr() as u64).rotate_left(32);
        let _ = SEED.compare_exchange(0, seed | 1, Relaxed, Relaxed);
    }
    SEED.load(Relaxed)
}
